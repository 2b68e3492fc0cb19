//===- HostFunctions.cpp - Functions of CPU modules -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// tt-mlir hoists what is constant to the host: the device's module declares the
// function and calls it, and `ttcore.cpu_module` has its body, lowered to the LLVM
// dialect, with a wrapper `<name>_helper` that takes all tensors in one array.
//
//===----------------------------------------------------------------------===//
#include "HostFunctions.h"

#include "tessera/Dialect/TTCore/TTCore.h"

using namespace mlir;
using namespace tessera;

bool tessera::isHostDeclaration(func::FuncOp function) {
  auto type = function->getAttrOfType<StringAttr>("tt.function_type");
  return type && type.getValue() == "forward_cpu_declaration";
}

llvm::Error HostFunctions::compile() {
  ModuleOp inner;
  // The functions stand in a module within it, which is what the compiler is given.
  module.walk([&](ttcore::CPUModuleOp host) { host.walk([&](ModuleOp body) { inner = body; }); });
  if (!inner)
    return simulator::failure("the module has no ttcore.cpu_module");
  std::string text;
  llvm::raw_string_ostream os(text);
  inner->print(os);
  llvm::Expected<std::shared_ptr<simulator::HostCode>> compiled = simulator::HostCode::compile(text);
  if (!compiled)
    return compiled.takeError();
  code = std::move(*compiled);
  return llvm::Error::success();
}

llvm::Expected<simulator::HostKernel> HostFunctions::find(StringRef name) {
  // All of them at once, with the first that is asked for: programs that call none need no compiler.
  if (!code)
    if (llvm::Error error = compile())
      return error;
  return simulator::hostKernel(code, (name + "_helper").str());
}
