//===- RecordedRuns.cpp - A folder of recorded runs -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A folder may hold runs of the allocator, programs with circular buffers, or
// both. One of the two tables is enough; what is there must be readable.
//
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/AllocatorTrace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tessera;

static bool holds(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, file);
  return llvm::sys::fs::exists(path);
}

llvm::Expected<RecordedRuns> tessera::readRecordedRuns(llvm::StringRef folder) {
  // Looked for first, since a table that is missing and one that cannot be read are two things: the one is allowed,
  // the other is an error.
  bool hasTraces = holds(folder, "traces-index.csv"), hasPrograms = holds(folder, "cb-programs.csv");
  if (!hasTraces && !hasPrograms)
    return llvm::createStringError("'" + folder + "' holds neither traces-index.csv nor cb-programs.csv");
  RecordedRuns runs;
  if (hasTraces) {
    auto traces = readTraces(folder);
    if (!traces)
      return traces.takeError();
    runs.traces = std::move(*traces);
  }
  if (hasPrograms) {
    auto programs = readPrograms(folder);
    if (!programs)
      return programs.takeError();
    runs.programs = std::move(*programs);
  }
  return runs;
}
