//===- ReduceModule.cpp - The smallest function that still fails ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ReduceModule.h"

#include "tessera/Dialect/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace {

/// A change of a function; false if it does not apply.
using Change = llvm::function_ref<bool(func::FuncOp, func::ReturnOp)>;

void updateType(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(), body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}

/// The text after the change, if it is another valid module.
std::optional<std::string> changed(const std::string &text, Change change) {
  DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return std::nullopt; // what does not parse has no part that does
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  if (!change(function, cast<func::ReturnOp>(function.getBody().front().getTerminator())))
    return std::nullopt;
  updateType(function);
  if (failed(verify(*module)))
    return std::nullopt;
  std::string made;
  llvm::raw_string_ostream os(made);
  module->print(os);
  return made;
}

size_t countOps(const std::string &text) {
  size_t count = 0;
  changed(text, [&](func::FuncOp function, func::ReturnOp) {
    count = function.getBody().front().getOperations().size() - 1;
    return false;
  });
  return count;
}

bool dropOp(func::FuncOp function, size_t index) {
  Block &body = function.getBody().front();
  Operation &op = *std::next(body.begin(), int64_t(index));
  for (mlir::Value result : op.getResults())
    if (!result.use_empty()) {
      if (!isa<RankedTensorType>(result.getType()))
        return false;
      result.replaceAllUsesWith(body.addArgument(result.getType(), op.getLoc()));
    }
  op.erase();
  return true;
}

bool dropReturned(func::ReturnOp terminator, size_t index) {
  if (terminator.getNumOperands() < 2 || index >= terminator.getNumOperands())
    return false;
  terminator->eraseOperand(unsigned(index));
  return true;
}

bool dropUnusedArguments(func::FuncOp function) {
  Block &body = function.getBody().front();
  unsigned before = body.getNumArguments();
  function.removeArgAttrsAttr();
  body.eraseArguments([](BlockArgument argument) { return argument.use_empty(); });
  return body.getNumArguments() < before;
}

} // namespace

std::string tessera::reduceModule(const std::string &text,
                                  llvm::function_ref<bool(const std::string &)> fails) {
  std::string smallest = text;
  auto attempt = [&](Change change) {
    std::optional<std::string> smaller = changed(smallest, change);
    if (!smaller || !fails(*smaller))
      return false;
    smallest = std::move(*smaller);
    return true;
  };
  for (bool any = true; any;) {
    any = false;
    for (size_t index = 8; index-- > 0;)
      any |=
          attempt([&](func::FuncOp, func::ReturnOp terminator) { return dropReturned(terminator, index); });
    for (size_t index = countOps(smallest); index-- > 0;)
      any |= attempt([&](func::FuncOp function, func::ReturnOp) { return dropOp(function, index); });
    attempt([&](func::FuncOp function, func::ReturnOp) { return dropUnusedArguments(function); });
  }
  return smallest;
}
