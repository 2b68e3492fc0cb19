//===- HostFunctions.h - Functions of CPU modules -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_HOSTFUNCTIONS_H
#define TESSERA_LIB_BRIDGE_HOSTFUNCTIONS_H

#include "tessera/Simulator/HostCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Whether the function is declared for the device's module and stands in the CPU module, in the LLVM dialect.
bool isHostDeclaration(mlir::func::FuncOp function);

/// The functions of a module's `ttcore.cpu_module`, as machine code. It is made when the first is asked for.
class HostFunctions {
public:
  explicit HostFunctions(mlir::ModuleOp module) : module(module) {}
  /// What a call of that function runs. Error if there is none, or it cannot be compiled.
  llvm::Expected<simulator::HostKernel> find(llvm::StringRef name);

private:
  llvm::Error compile();

  mlir::ModuleOp module;
  std::shared_ptr<simulator::HostCode> code;
};

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_HOSTFUNCTIONS_H
