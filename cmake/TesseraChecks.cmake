# What ctest checks of the sources themselves: which room includes and links what, names, citations, format.

# tessera-libraries.txt, for scripts/check-rooms: `name;folder;sources;links` of each library, lists with commas.
function(tessera_libraries_below folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(lines "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      get_target_property(links ${target} LINK_LIBRARIES)
      get_target_property(sources ${target} SOURCES)
      file(RELATIVE_PATH where ${PROJECT_SOURCE_DIR} ${folder})
      list(TRANSFORM sources REPLACE "^([^/].*)$" "${folder}/\\1")
      list(TRANSFORM sources REPLACE "^${PROJECT_SOURCE_DIR}/" "")
      string(REPLACE ";" "," sources "${sources}")
      string(REPLACE ";" "," links "${links}")
      string(APPEND lines "${target};${where};${sources};${links}\n")
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    tessera_libraries_below(${below} more)
    string(APPEND lines "${more}")
  endforeach()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

tessera_libraries_below(${PROJECT_SOURCE_DIR}/lib libraries)
file(WRITE ${PROJECT_BINARY_DIR}/tessera-libraries.txt "${libraries}")

tessera_add_test(NAME sources.rooms COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-rooms
  --libraries ${PROJECT_BINARY_DIR}/tessera-libraries.txt)
tessera_add_test(NAME sources.types COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-type-names)
tessera_add_test(NAME sources.citations COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-citations)
tessera_add_test(NAME sources.links COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-links)
tessera_add_test(NAME sources.format COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-format)
# Says so where clang-format is not installed.
set_tests_properties(sources.format PROPERTIES SKIP_RETURN_CODE 77)

# The page of `tessera report`. They say so where there is no Node, or no registry to get its packages from.
foreach(check page model)
  tessera_add_test(NAME report.${check} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/report/check ${check} --sample
    --tessera $<TARGET_FILE:tessera>)
  set_tests_properties(report.${check} PROPERTIES SKIP_RETURN_CODE 77 RESOURCE_LOCK node_modules)
endforeach()
