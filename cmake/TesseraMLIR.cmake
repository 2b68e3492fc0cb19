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

add_library(tessera_llvm INTERFACE)
target_link_libraries(tessera_llvm INTERFACE LLVMSupport LLVMSupportLSP LLVMRemarks LLVMCore LLVMOption)
target_compile_features(tessera_llvm INTERFACE cxx_std_20)
set(tessera_llvm tessera_llvm)
include(StaticLLVM)
