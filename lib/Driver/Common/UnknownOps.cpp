//===- UnknownOps.cpp - Ops of a file that nobody can judge ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An op that the op model refuses or does not know has no time, and a plan with
// such ops may look faster than it is. --strict makes that an error, with a line
// per op that says why.
//
//===----------------------------------------------------------------------===//
#include "UnknownOps.h"

#include "Session.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/SimilarOps.h"
#include "tessera/Optimizer/Problem/Base.h"

using namespace tessera;

std::optional<std::string> tessera::whyWithoutTime(const OpOfFile &op, const OpCostTable &model) {
  const Problem &problem = op.function->problem;
  if (!isForwardDeviceFunction(op.function->binding.function) || !mayUseCircularBuffers(problem, op.id))
    return std::nullopt;
  ValidationResult answer = declaredAnswer(problem, op.id, model);
  if (!hasNoTime(answer))
    return std::nullopt;
  return isRefused(answer) ? answer.message : "the op model does not know it" + similarOps(op.op().name);
}

bool tessera::knowsAllOps(const OpsOfFile &file, const OpCostTable &model, llvm::raw_ostream &os) {
  size_t unknown = 0;
  for (const OpOfFile &op : file.ops()) {
    std::optional<std::string> why = whyWithoutTime(op, model);
    if (!why)
      continue;
    ++unknown;
    os << "unknown: " << op.op().location << " (" << op.op().name << "): " << *why << "\n";
  }
  if (unknown > 0)
    os << "of " << unknown << " ops the time is unknown\n";
  return unknown == 0;
}

std::optional<bool> tessera::knowsAllOps(const std::string &path, const SimulationOptions &options,
                                         const DeviceSpec *device, llvm::raw_ostream &os) {
  std::unique_ptr<OpsOfFile> file = OpsOfFile::read(path, options.allowBytecode, device, options.opModel);
  if (!file)
    return std::nullopt;
  DeviceSpec opened = file->device();
  // As the runs beside this open the device, or other ops might not fit.
  opened.l1SmallSize = Bytes(options.l1SmallSize);
  auto backend = OpModelBackend::create(file->opModel(), {opened, file->layouts(), opened.usableL1()});
  if (!backend) {
    inputError(llvm::toString(backend.takeError()));
    return std::nullopt;
  }
  bool known = knowsAllOps(*file, backend->model(), os);
  if (llvm::Error error = backend->finish()) {
    inputError(llvm::toString(std::move(error)));
    return std::nullopt;
  }
  return known;
}
