# `cmake --install`: the programs, the headers, and a CMake package with the libraries behind `optimize()`
# (examples/embed uses it).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tessera ${PROJECT_BINARY_DIR}/include/tessera
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE PATTERN Driver EXCLUDE)
install(TARGETS tessera_llvm tessera_flags tessera_no_exceptions EXPORT TesseraTargets)
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${package_dir})

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
  ${PROJECT_SOURCE_DIR}/cmake/StaticLLVM.cmake DESTINATION ${package_dir})
