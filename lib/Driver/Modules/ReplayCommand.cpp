//===- ReplayCommand.cpp - tessera replay ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two questions to the same allocator: does it answer as the real one did, and
// what becomes of a module.
//
//===----------------------------------------------------------------------===//
#include "../Common/OpsOfFile.h"
#include "../Common/Session.h"
#include "../Common/UnknownOps.h"
#include "../Common/WrittenDeallocates.h"
#include "ReplayText.h"

#include "tessera/Allocator/Replay.h"
#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/Optimizer/Plan/BasePlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

// ---- Recorded runs ---------------------------------------------------------------------------------------

/// How many agree, of how many.
struct Count {
  size_t agreed = 0, all = 0;
  void add(size_t agreed, size_t all) {
    this->agreed += agreed;
    this->all += all;
  }
};

void printFirst(const Disagreement &first) {
  llvm::outs() << llvm::formatv("{0}: {1}: recorded {2}, replayed {3}\n", first.where, first.what,
                                first.recorded, first.replayed);
}

Count agreeing(llvm::ArrayRef<AllocatorTrace> traces) {
  Count count;
  for (const AllocatorTrace &trace : traces) {
    TraceAgreement agreement = replay(trace);
    count.add(agreement.events, trace.events.size());
    if (agreement.first)
      printFirst(*agreement.first);
  }
  return count;
}

Count agreeing(llvm::ArrayRef<ProgramTrace> programs) {
  Count count;
  for (const ProgramTrace &program : programs) {
    std::optional<Disagreement> first = replay(program);
    count.add(!first, 1);
    if (first)
      printFirst(*first);
  }
  return count;
}

int replayTraces(const ReplayArguments &arguments) {
  llvm::Expected<RecordedRuns> runs = readRecordedRuns(arguments.traces);
  if (!runs)
    return inputError(llvm::toString(runs.takeError()));
  Count events = agreeing(runs->traces), programs = agreeing(runs->programs);
  llvm::outs() << llvm::formatv("events {0} of {1}, programs {2} of {3}\n", events.agreed, events.all,
                                programs.agreed, programs.all);
  return events.agreed == events.all && programs.agreed == programs.all ? kSuccess : kInputError;
}

// ---- A module --------------------------------------------------------------------------------------------

/// What the program as it stands makes of L1. True if all fits.
bool replayFunction(const BuiltProblem &built, const OpCostTable &model) {
  Plan plan = declaredPlan(built.problem);
  PlanReplay replay = replayPlan(built.problem, plan, model, writtenDeallocates(built), model.device());
  print(llvm::outs(), built.problem, plan, replay, model.device());
  return replay.fits();
}

int replayModule(const ReplayArguments &arguments) {
  const DeviceSpec *chosen = arguments.device.empty() ? nullptr : findDeviceOrDiagnose(arguments.device);
  if ((!arguments.device.empty() && !chosen) || !checkOrDiagnose(arguments.opModel))
    return kUsageError;
  std::unique_ptr<OpsOfFile> file =
      OpsOfFile::read(arguments.input, arguments.allowBytecode, chosen, arguments.opModel);
  if (!file)
    return kInputError;
  // All of usable L1, without the optimizer's cap: the question is what the device would do with the module.
  DeviceSpec device = file->device();
  device.l1SmallSize = Bytes(arguments.l1SmallSize);
  auto backend = OpModelBackend::create(file->opModel(), {device, file->layouts(), device.usableL1()});
  if (!backend)
    return inputError(llvm::toString(backend.takeError()));
  size_t functions = 0;
  bool fits = true;
  for (const std::unique_ptr<BuiltProblem> &built : file->functions())
    if (isForwardDeviceFunction(built->binding.function)) {
      ++functions;
      fits &= replayFunction(*built, backend->model());
    }
  bool known = !arguments.strict || knowsAllOps(*file, backend->model(), llvm::outs());
  if (llvm::Error error = backend->finish())
    return inputError(llvm::toString(std::move(error)));
  // Nothing at all would fit on any device, so that is an error and no success.
  if (functions == 0)
    return inputError("'" + arguments.input + "' has no function that runs on the device");
  return fits && known ? kSuccess : kInputError;
}

} // namespace

int tessera::runReplay(const ReplayArguments &arguments) {
  // Both at once have been refused by then: one excludes the other.
  if (arguments.traces.empty() == arguments.input.empty())
    return usageError("nothing to replay: give a module, or --traces");
  return arguments.traces.empty() ? replayModule(arguments) : replayTraces(arguments);
}
