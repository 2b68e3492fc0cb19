# tessera_add_library / tessera_add_executable: one way to declare a target.
#
#   tessera_add_library(Name a.cpp b.cpp            plain C++ (LLVM ADT allowed, no MLIR)
#                       [IR]                        with MLIR's and our dialects' precompiled headers
#                       [EXCEPTIONS]                for code that calls a library that throws
#                       [NO_COVERAGE]               without libFuzzer's counters
#                       [INTERNAL]                  not installed: no program outside links it
#                       [ALONE]                     each file compiled by itself, where names of files of a library collide by custom (batches: below)
#                       [HEADERS files]             for a precompiled header of its own: what most of its files include
#                       [DEPENDS tblgen targets] [LINK_LIBS libs])

add_library(tessera_flags INTERFACE)
target_compile_options(tessera_flags INTERFACE -Wall -Wextra -Wno-unused-parameter)
target_link_options(tessera_flags INTERFACE LINKER:--as-needed) # LLVM's archives name libz3, of which nothing is used
if(TESSERA_SANITIZE)
  target_compile_options(tessera_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer -g1)
  target_link_options(tessera_flags INTERFACE -fsanitize=address,undefined)
endif()
# The targets of libFuzzer need counters in all code. Where clang has its runtime, every sanitized build has them, so that one
# build serves all kinds of search (scripts/fuzz-nightly); libraries that are declared with NO_COVERAGE do without.
set(TESSERA_LIBFUZZER OFF)
if(TESSERA_SANITIZE)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
  check_cxx_source_compiles("extern \"C\" int LLVMFuzzerTestOneInput(const char *, long) { return 0; }" TESSERA_HAS_LIBFUZZER)
  unset(CMAKE_REQUIRED_FLAGS)
  set(TESSERA_LIBFUZZER ${TESSERA_HAS_LIBFUZZER})
endif()
if(TESSERA_LIBFUZZER)
  target_compile_options(tessera_flags INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:TESSERA_NO_COVERAGE>>>:-fsanitize=fuzzer-no-link>)
endif()
add_library(tessera_no_exceptions INTERFACE)
target_compile_options(tessera_no_exceptions INTERFACE -fno-exceptions)

# The compiler's list of what it read says what a result depends on, so that nothing is preprocessed for it. A file that is edited while it is
# compiled is not kept, since times of files count.
find_program(TESSERA_CCACHE ccache)
if(TESSERA_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${TESSERA_CCACHE})
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# Sets of precompiled headers: what nearly every file of plain C++ includes, which takes twice as long to read as most of these files to
# compile; what files of MLIR include; and both kinds of tests, where properties throw.
if(TESSERA_PCH)
  function(tessera_add_precompiled name flags)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "// Carries a precompiled header.\n")
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE tessera_flags ${flags})
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endfunction()
  set(tessera_plain_headers
    <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <numeric> <optional> <set> <string> <utility> <variant> <vector>
    <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>
    <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h> <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h>
    <llvm/Support/MemoryBuffer.h> <llvm/Support/raw_ostream.h>)
  set(tessera_ir_headers <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/DialectImplementation.h>
    <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h> <mlir/Bytecode/BytecodeOpInterface.h> <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Interfaces/SideEffectInterfaces.h> <mlir/Parser/Parser.h> <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h>
    <llvm/ADT/TypeSwitch.h> <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h>
    ${PROJECT_SOURCE_DIR}/include/tessera/Dialect/TTNN/TTNN.h)
  tessera_add_precompiled(tessera_pch_plain tessera_no_exceptions ${tessera_plain_headers})
  tessera_add_precompiled(tessera_pch_ir tessera_no_exceptions ${tessera_ir_headers})
  add_dependencies(tessera_pch_ir TesseraTTCoreIncGen TesseraTTNNIncGen)
endif()

# Files of a library are compiled in batches: what their headers declare is read once, and templates that several use are compiled once. Six batches
# took 30 to 60 % less processor time than their files one by one; all that the program takes, which is more than batches, a tenth less. So names in
# unnamed namespaces are those of the library. A batch is small enough that two cores share a library.
option(TESSERA_BATCHES "Compile the files of libraries in batches; off for daily work, where one file changes" ON)
set(tessera_batch_size 8)

# The precompiled header of a target: its own, or the one that goes with its kind. A header that was compiled with exceptions or counters is
# refused where code is compiled without, and the other way round.
function(tessera_precompile name)
  cmake_parse_arguments(A "IR;EXCEPTIONS;TEST;NO_COVERAGE" "" "DEPENDS;HEADERS;LINK_LIBS" ${ARGN})
  if(A_HEADERS AND A_IR)
    target_precompile_headers(${name} PRIVATE ${tessera_ir_headers} ${A_HEADERS})
  elseif(A_HEADERS)
    target_precompile_headers(${name} PRIVATE ${A_HEADERS})
  elseif(A_NO_COVERAGE AND TESSERA_LIBFUZZER)
    return()
  elseif(A_TEST AND A_EXCEPTIONS)
    target_precompile_headers(${name} REUSE_FROM tessera_pch_properties)
  elseif(A_EXCEPTIONS)
    return()
  elseif(A_IR)
    target_precompile_headers(${name} REUSE_FROM tessera_pch_ir)
  elseif(A_TEST)
    target_precompile_headers(${name} REUSE_FROM tessera_pch_tests)
  else()
    target_precompile_headers(${name} REUSE_FROM tessera_pch_plain)
  endif()
endfunction()

function(tessera_configure_target name)
  cmake_parse_arguments(A "IR;EXCEPTIONS;TEST;NO_COVERAGE" "" "DEPENDS;HEADERS;LINK_LIBS" ${ARGN})
  if(A_DEPENDS)
    add_dependencies(${name} ${A_DEPENDS})
  endif()
  target_link_libraries(${name} PRIVATE tessera_flags)
  if(NOT A_EXCEPTIONS)
    target_link_libraries(${name} PRIVATE tessera_no_exceptions)
  endif()
  set_target_properties(${name} PROPERTIES TESSERA_NO_COVERAGE ${A_NO_COVERAGE})
  if(TESSERA_PCH)
    tessera_precompile(${name} ${ARGN})
  endif()
  if(A_IR)
    add_dependencies(${name} TesseraTTCoreIncGen TesseraTTNNIncGen)
  endif()
endfunction()

function(tessera_add_library name)
  cmake_parse_arguments(A "IR;EXCEPTIONS;INTERNAL;ALONE;TEST;NO_COVERAGE" "" "DEPENDS;HEADERS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${A_UNPARSED_ARGUMENTS})
  if(TESSERA_BATCHES AND NOT A_ALONE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${tessera_batch_size})
  endif()
  target_link_libraries(${name} PUBLIC ${A_LINK_LIBS})
  if(NOT A_INTERNAL)
    target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    install(TARGETS ${name} EXPORT TesseraTargets ARCHIVE COMPONENT development)
  endif()
  tessera_configure_target(${name} ${ARGN})
endfunction()

function(tessera_add_executable name)
  cmake_parse_arguments(A "IR;EXCEPTIONS;TEST;NO_COVERAGE" "" "DEPENDS;HEADERS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${A_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_link_libraries(${name} PRIVATE ${A_LINK_LIBS})
  if(TESSERA_SANITIZE)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp TARGET_DIRECTORY ${name} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  tessera_configure_target(${name} ${ARGN})
endfunction()

# tessera_add_unittest(Name a.cpp ... [IR] [EXCEPTIONS] LINK_LIBS libs): GoogleTest, one ctest entry per target.
function(tessera_add_unittest name)
  cmake_parse_arguments(A "IR;EXCEPTIONS;TEST;NO_COVERAGE" "" "DEPENDS;HEADERS;LINK_LIBS" ${ARGN})
  tessera_add_executable(${name} ${ARGN} TEST)
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/unittests)
  target_compile_definitions(${name} PRIVATE TESSERA_SHARED_DEFAULT="${PROJECT_SOURCE_DIR}/../shared"
    TESSERA_EVIDENCE="${PROJECT_SOURCE_DIR}/evidence")
  tessera_add_test(NAME unit.${name} COMMAND ${name})
endfunction()

# tessera_add_test(NAME name COMMAND ...): a test of ctest, behind the build (BuildFirst.cmake).
function(tessera_add_test)
  cmake_parse_arguments(A "" "NAME" "COMMAND" ${ARGN})
  add_test(NAME ${A_NAME} COMMAND ${A_COMMAND})
  set_tests_properties(${A_NAME} PROPERTIES FIXTURES_REQUIRED build)
endfunction()
