# `cmake --install`, by component. runtime: programs, Python package, completions, man pages, licenses (what cpack packs). development: headers
# and a CMake package with the libraries behind `optimize()` (examples/embed uses it). host: the plug-in that is linked with Debian's LLVM.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tessera ${PROJECT_BINARY_DIR}/include/tessera
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE PATTERN Driver EXCLUDE)
install(TARGETS tessera_llvm tessera_flags tessera_no_exceptions EXPORT TesseraTargets)
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${package_dir} COMPONENT development)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/TesseraConfig.cmake @ONLY CONTENT [[
# Libraries of Tessera @PROJECT_VERSION@; link Tessera::TesseraOptimizer and Tessera::TesseraDialects.
include(CMakeFindDependencyMacro)
find_dependency(MLIR 22.1 CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
find_dependency(SQLite3)
include(${CMAKE_CURRENT_LIST_DIR}/TesseraTargets.cmake)
target_include_directories(Tessera::tessera_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
set(tessera_llvm Tessera::tessera_llvm)
include(${CMAKE_CURRENT_LIST_DIR}/StaticLLVM.cmake)
]])
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/StaticLLVM.cmake DESTINATION ${package_dir} COMPONENT development)

# Completions and man pages are what the program says of itself.
set(pages ${PROJECT_BINARY_DIR}/share)
find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_custom_command(OUTPUT ${pages}/stamp
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/write-pages $<TARGET_FILE:tessera> ${pages}
  COMMAND ${CMAKE_COMMAND} -E touch ${pages}/stamp
  DEPENDS tessera ${PROJECT_SOURCE_DIR}/scripts/write-pages VERBATIM)
if(NOT SKBUILD)
  add_custom_target(pages ALL DEPENDS ${pages}/stamp)
  install(DIRECTORY ${pages}/ DESTINATION share PATTERN stamp EXCLUDE)
endif()

# The licenses of what is linked into the programs or stands in the report's page: Debian's own texts, and one that Debian has not.
set(notices ${PROJECT_BINARY_DIR}/THIRD-PARTY-NOTICES)
file(READ ${PROJECT_SOURCE_DIR}/cmake/notices/preact.txt text)
foreach(package libmlir-22-dev llvm-22-dev libcli11-dev libeigen3-dev libflatbuffers-dev pybind11-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(READ /usr/share/doc/${package}/copyright more)
    string(APPEND text "\n${package}\n\n${more}")
  endif()
endforeach()
file(WRITE ${notices} "${text}")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${notices} DESTINATION ${CMAKE_INSTALL_DOCDIR})

# `cpack -G DEB` and `cpack -G TGZ`, in the build folder.
set(CPACK_PACKAGE_CONTACT "the maintainers of Tessera <maintainers@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Decides where every tensor of a TTNN program lives on a Tenstorrent chip, without a chip")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_NAME tessera)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.11), python3 (<< 3.12)")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
