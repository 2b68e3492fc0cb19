# The exported MLIR archives name libLLVM.so in their interface; point them at the LLVM archives instead. A fully static
# binary starts in 3 ms where the shared one takes 38 ms, and a program that links both has every option of LLVM twice.
# Used by the build, and by the package that is installed.
foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  if(TARGET ${target})
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(TRANSFORM libs REPLACE "^LLVM$" "${tessera_llvm}")
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
    endif()
  endif()
endforeach()
