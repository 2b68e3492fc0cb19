//===- ExecutedModule.cpp - What a module computes on the simulator -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ExecutedModule.h"

#include "tessera/Bridge/SimulatorProgram.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Simulator/Inputs.h"
#include "tessera/Simulator/Unrounded.h"

#include "mlir/Parser/Parser.h"

#include <cstdlib>

using namespace tessera;
using namespace tessera::simulator;

std::vector<MeshTensor> tessera::randomArguments(mlir::ModuleOp module) {
  llvm::Expected<Program> program = readProgram(module, findDevice("n150")->mesh);
  if (!program) {
    llvm::consumeError(program.takeError()); // execute() says so
    return {};
  }
  const Function &function = program->functions.back();
  std::vector<ValueRange> ranges = argumentRanges(*program, function);
  std::vector<MeshTensor> arguments;
  for (auto [i, range] : llvm::enumerate(ranges))
    arguments.emplace_back(1, randomArgument(function, i, range, 1));
  return arguments;
}

ExecutedModule tessera::execute(mlir::ModuleOp module, llvm::ArrayRef<MeshTensor> arguments,
                                Rounded rounded) {
  ExecutedModule outcome;
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});
  llvm::Expected<Program> program = readProgram(module, device.mesh);
  if (!program) {
    outcome.error = llvm::toString(program.takeError());
    return outcome;
  }
  if (rounded == Rounded::Nowhere)
    *program = unrounded(*program);
  llvm::Expected<RunResult> result =
      run(*program, program->functions.back(), [&](size_t i) { return arguments[i]; }, *model,
          {Bytes(int64_t(1) << 32), {}, nullptr});
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    outcome.refused = llvm::StringRef(outcome.error).contains("the largest hole has");
    return outcome;
  }
  outcome.results = std::move(result->returned);
  for (auto &[argument, tensor] : result->written)
    outcome.results.push_back(std::move(tensor));
  outcome.refused = !result->statistics.clashes.empty();
  return outcome;
}

static const mlir::DialectRegistry &registry() {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry made;
    registerTesseraDialects(made);
    return made;
  }();
  return registry;
}

QuietContext::QuietContext()
    : context(registry(), mlir::MLIRContext::Threading::DISABLED),
      handler(&context, [this](mlir::Diagnostic &diagnostic) {
        std::string text = diagnostic.str();
        if (llvm::StringRef(text).contains("does not verify"))
          defect = text;
        return mlir::success();
      }) {}

mlir::OwningOpRef<mlir::ModuleOp> QuietContext::parse(const std::string &text) {
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

uint64_t tessera::fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}
