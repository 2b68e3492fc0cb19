//===- HostCode.h - Functions that run on the host ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_HOSTCODE_H
#define TESSERA_SIMULATOR_HOSTCODE_H

#include "tessera/Simulator/Kernels.h"

#include <memory>

namespace tessera::simulator {

/// Machine code of a module in the LLVM dialect, made by MLIR's ExecutionEngine. It lies in a plug-in (HostPlugin.h), which is
/// loaded when the first module comes.
class HostCode {
public:
  /// Error if the plug-in is not there or refuses the text.
  static llvm::Expected<std::shared_ptr<HostCode>> compile(llvm::StringRef text);
  virtual ~HostCode() = default;
  /// The address of a function; error if there is none of that name, or it calls what the process does not have.
  virtual llvm::Expected<void *> symbol(const std::string &name) const = 0;
};

/// Calls such a function: tt-mlir's wrappers take an array of tensors and return one,
///
///   struct { void *allocated, *aligned; int64_t offset; int64_t *sizesAndStrides; }
///
/// each. `code` lives as long as what is returned.
llvm::Expected<HostKernel> hostKernel(std::shared_ptr<HostCode> code, const std::string &name);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_HOSTCODE_H
