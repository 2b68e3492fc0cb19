//===- ModelTraceCommand.cpp - tessera model trace ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "CommandTree.h"
#include "MeshOption.h"
#include "Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelGraph/Trace.h"
#include "tessera/ModelRunner/ConfigHelpers.h"

using namespace tessera;

namespace {

/// What is wrong with the numbers, or "".
std::string checkSizes(const ModelTraceArguments &arguments, const runner::HfConfig &hf) {
  if (arguments.layer && *arguments.layer >= hf.num_hidden_layers)
    return "--layer " + std::to_string(*arguments.layer) + " of a model of " +
           std::to_string(hf.num_hidden_layers) + " layers";
  for (auto [option, value] :
       {std::pair("--seq-len", arguments.sequenceLength), std::pair("--max-positions", arguments.positions)})
    if (value % runner::kTile != 0)
      return std::string(option) + " should be a multiple of 32, not " + std::to_string(value);
  return "";
}

} // namespace

int tessera::traceModelModule(const ModelTraceArguments &arguments) {
  const auto *mode = llvm::find_if(
      runner::model::kModes, [&](const runner::model::Mode &each) { return each.name == arguments.mode; });
  if (mode == std::end(runner::model::kModes))
    return usageError("unknown mode '" + arguments.mode + "'; known: " + listOfValues("MODE"));
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  if (!mesh)
    return kUsageError;
  DeviceSpec board = runner::boardFor(*mesh);
  if (!arguments.device.empty()) {
    const DeviceSpec *device = findDeviceOrDiagnose(arguments.device);
    if (!device)
      return kUsageError;
    board = *device;
    board.mesh = *mesh;
  }
  llvm::Expected<runner::HfConfig> hf = runner::readHfFolder(arguments.hf);
  if (!hf)
    return inputError(llvm::toString(hf.takeError()));
  if (llvm::Error error = runner::checkMesh(*hf, *mesh))
    return inputError(llvm::toString(std::move(error)));
  if (std::string wrong = checkSizes(arguments, *hf); !wrong.empty())
    return usageError(wrong);
  runner::Target target{
      *hf, *mesh, board.workerGrid, board.dramBanks, arguments.sequenceLength, arguments.positions};
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  runner::Phase phase = runner::phaseOf(*mode);
  llvm::Expected<runner::TracedModel> traced =
      arguments.layer ? runner::traceLayer(*context, target, phase, board, *arguments.layer)
                      : runner::traceModel(*context, target, phase, board);
  if (!traced)
    return inputError(llvm::toString(traced.takeError()));
  if (llvm::Error error = runner::checkTrace(*traced->module))
    return inputError(llvm::toString(std::move(error)));
  auto print = [&](llvm::raw_ostream &os) {
    // Locations say which op of the model's config an op belongs to.
    traced->module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
    os << "\n";
  };
  return writeFiles({{arguments.output, print}}) ? kSuccess : kInputError;
}
