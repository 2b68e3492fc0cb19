//===- ReplayCommand.cpp - tessera replay ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "tessera/Allocator/Replay.h"
#include "tessera/Driver/Commands.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

/// How many agree, of how many.
struct Count {
  size_t agreed = 0, all = 0;
  void add(size_t agreed, size_t all) {
    this->agreed += agreed;
    this->all += all;
  }
};

void print(const Disagreement &first) {
  llvm::outs() << llvm::formatv("{0}: {1}: recorded {2}, replayed {3}\n", first.where, first.what, first.recorded,
                                first.replayed);
}

Count replayAll(llvm::ArrayRef<AllocatorTrace> traces) {
  Count count;
  for (const AllocatorTrace &trace : traces) {
    TraceAgreement agreement = replay(trace);
    count.add(agreement.events, trace.events.size());
    if (agreement.first)
      print(*agreement.first);
  }
  return count;
}

Count replayAll(llvm::ArrayRef<ProgramTrace> programs) {
  Count count;
  for (const ProgramTrace &program : programs) {
    std::optional<Disagreement> first = replay(program);
    count.add(!first, 1);
    if (first)
      print(*first);
  }
  return count;
}

} // namespace

int tessera::runReplay(const ReplayArguments &arguments) {
  llvm::Expected<RecordedRuns> runs = readRecordedRuns(arguments.traces);
  if (!runs)
    return inputError(llvm::toString(runs.takeError()));
  Count events = replayAll(runs->traces), programs = replayAll(runs->programs);
  llvm::outs() << llvm::formatv("events {0} of {1}, programs {2} of {3}\n", events.agreed, events.all, programs.agreed,
                                programs.all);
  return events.agreed == events.all && programs.agreed == programs.all ? kSuccess : kInputError;
}
