//===- ModelTraceCommand.cpp - tessera model trace ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A model becomes a module here without a compiler: its forward functions are
// written in C++ and traced. What is written is checked as any input is before
// it goes out, since the next command would else be the first to look at it.
//
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"
#include "../Common/Session.h"
#include "ItemFile.h"
#include "MeshOption.h"
#include "ModuleOption.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelGraph/Trace.h"
#include "tessera/ModelRunner/ConfigHelpers.h"

#include "tessera/Support/Format.h"

using namespace tessera;

namespace {

/// What is wrong with the numbers, or "".
std::string checkSizes(const ModelTraceArguments &arguments, const runner::HfConfig &hf) {
  if (arguments.module.layer && *arguments.module.layer >= hf.num_hidden_layers)
    return "--layer " + std::to_string(*arguments.module.layer) + " of a model of " +
           std::to_string(hf.num_hidden_layers) + " layers";
  for (auto [option, value] : {std::pair("--seq-len", arguments.sequenceLength),
                               std::pair("--max-positions", arguments.positions.value_or(runner::kTile))})
    if (value % runner::kTile != 0)
      return std::string(option) + " should be a multiple of 32, not " + std::to_string(value);
  return "";
}

/// Says what runs as configured take, or which ops cannot run so.
int reportCost(mlir::ModuleOp module, const DeviceSpec &board) {
  llvm::Expected<runner::ConfiguredCost> cost = runner::configuredCost(module, board);
  if (!cost)
    return inputError(llvm::toString(cost.takeError()));
  for (const std::string &refused : cost->refused)
    inputError(refused);
  if (!cost->refused.empty())
    return kInputError;
  // Standard output may have the module.
  llvm::errs() << "as configured: " << formatNanoseconds(cost->time);
  for (const std::string &unknown : cost->unknown)
    llvm::errs() << ", without " << unknown;
  llvm::errs() << "\n";
  return kSuccess;
}

} // namespace

int tessera::traceModelModule(const ModelTraceArguments &arguments) {
  const runner::model::Mode *mode = chosenMode(arguments.mode);
  if (!mode)
    return kUsageError;
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  if (!mesh)
    return kUsageError;
  DeviceSpec board = runner::boardFor(*mesh);
  if (!arguments.device.empty()) {
    const DeviceSpec *device = findDeviceOrDiagnose(arguments.device);
    if (!device)
      return kUsageError;
    board = *device;
    // A device stands for its chips here; how many there are is what --mesh says.
    board.mesh = *mesh;
  }
  std::optional<runner::HfConfig> hf = readHfOrDiagnose(arguments.hf, *mesh);
  if (!hf)
    return kInputError;
  if (std::string wrong = checkSizes(arguments, *hf); !wrong.empty())
    return usageError(wrong);
  runner::Phase phase = runner::phaseOf(*mode);
  // A prefill of more rows than the cache has positions would be a program that cannot run.
  int64_t filled = phase == runner::Phase::Prefill ? arguments.sequenceLength * mesh->rows : 0;
  runner::Target target{*hf,
                        *mesh,
                        board.workerGrid,
                        board.dramBanks,
                        arguments.sequenceLength,
                        arguments.positions.value_or(std::max<int64_t>(1024, filled))};
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  std::optional<std::optional<runner::ModulePlace>> module = chosenModule(arguments.module, *hf);
  if (!module)
    return kUsageError;
  std::optional<int64_t> layer = arguments.module.layer;
  std::optional<runner::Item> config = readItem(arguments.config);
  if (!config)
    return kInputError;
  runner::RunParts parts{*config, {}, {}, nullptr, arguments.asConfigured};
  llvm::Expected<runner::TracedModel> traced =
      *module ? runner::traceModule(*context, target, phase, board, **module, parts)
      : layer ? runner::traceLayer(*context, target, phase, board, *layer, parts)
              : runner::traceModel(*context, target, phase, board, parts);
  if (!traced)
    return inputError(llvm::toString(traced.takeError()));
  if (llvm::Error error = runner::checkTrace(*traced->module))
    return inputError(llvm::toString(std::move(error)));
  // Before anything is written: a module whose ops cannot run so is none.
  if (arguments.asConfigured)
    if (int code = reportCost(*traced->module, board))
      return code;
  auto print = [&](llvm::raw_ostream &os) {
    // Locations say which op of the model's config an op belongs to.
    traced->module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
    os << "\n";
  };
  return writeFiles({{arguments.output, print}}) ? kSuccess : kInputError;
}
