//===- VerifyCommand.cpp - tessera verify ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two modules are the same if their simulated results are, bit for bit, or if
// errors did not grow, where bits cannot agree. --structure asks something
// else, whether everything that the one text has is in the other, and runs
// nothing.
//
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"
#include "../Common/Session.h"
#include "../Common/UnknownOps.h"
#include "ModuleComparison.h"
#include "tessera/Guard/Guard.h"
#include "tessera/Simulator/Compare.h"

using namespace tessera;

/// Compares texts as the guard of `optimize` does, one line per file.
static int compareStructure(const VerifyArguments &arguments) {
  llvm::SourceMgr sources;
  bool allKept = readInput(arguments.before, /*allowBytecode=*/false, sources);
  for (size_t i = 0; allKept && i < arguments.after.size(); ++i)
    allKept = readInput(arguments.after[i], /*allowBytecode=*/false, sources);
  if (!allKept)
    return kInputError;
  for (auto [index, name] : llvm::enumerate(arguments.after)) {
    // A SourceMgr counts its buffers from 1, in the order in which they were read.
    llvm::StringRef before = sources.getMemoryBuffer(1)->getBuffer(),
                    after = sources.getMemoryBuffer(unsigned(index) + 2)->getBuffer();
    std::string lost = lostBetween({before, arguments.before}, {after, name}, GuardOptions());
    llvm::outs() << name << ": " << (lost.empty() ? "nothing is lost" : "lost: " + lost) << "\n";
    allKept &= lost.empty();
  }
  llvm::outs().flush();
  // What a rewrite computes otherwise has no op of its own to be found by.
  if (!allKept)
    llvm::errs() << "tessera: note: --structure takes ops that a rewrite stands in for to be lost; of a plan "
                    "with rewrites, 'tessera verify' without it compares what both modules compute, and "
                    "'tessera optimize --rewrites none' makes one that keeps every op\n";
  return allKept ? kSuccess : kInputError;
}

/// nullopt after a diagnostic.
static std::optional<Reference> chosenReference(const VerifyArguments &arguments) {
  const auto *known = llvm::find(kReferenceNames, arguments.against);
  if (known != std::end(kReferenceNames))
    return Reference(known - std::begin(kReferenceNames));
  usageError("unknown reference '" + arguments.against + "'; known: " + listOfValues("REFERENCE"));
  return std::nullopt;
}

/// What errors may grow by, as part of one.
static std::optional<double> allowedGrowth(const VerifyArguments &arguments, Reference reference) {
  if (arguments.maxErrorGrowth)
    return *arguments.maxErrorGrowth / 100;
  return reference == Reference::Unrounded ? std::optional(simulator::kErrorGrowthOfRewrites) : std::nullopt;
}

/// All are compared, also behind one that differs: a user wants to know which of them do. Whether none does.
static bool compareEach(const VerifyArguments &arguments, llvm::ArrayRef<const SimulatedFile *> files,
                        const ModuleComparison &comparison, bool comparesErrors, Progress &progress) {
  bool allEqual = true, differ = false;
  for (auto [index, name, file] : llvm::enumerate(arguments.after, files)) {
    progress.setPart(partOf(1 + index, 1 + files.size()));
    if (files.size() > 1)
      llvm::outs() << name << ":\n";
    llvm::outs().flush(); // diagnostics of the run come behind its name
    std::optional<bool> equal = comparison.compare(*file, progress, llvm::outs());
    allEqual &= equal.value_or(false);
    differ |= equal && !*equal;
  }
  llvm::outs().flush();
  // Most that differ are plans of ours that are no less exact, which is not what was asked.
  if (differ && !comparesErrors)
    llvm::errs()
        << "tessera: note: bits were compared, and rewrites that round otherwise are made by default; "
           "'--against exact' tells how exact both are, and 'tessera optimize --rewrites exact' keeps every "
           "bit\n";
  return allEqual;
}

int tessera::verifyModules(const VerifyArguments &arguments) {
  if (arguments.structure)
    return compareStructure(arguments);
  // First, as from here on all processes but one are silent: even errors are to be told once.
  std::optional<std::unique_ptr<simulator::ProcessGroup>> processes = joinProcesses();
  if (!processes)
    return kInputError;
  std::optional<ChosenSimulation> chosen = chosenSimulation(arguments.options);
  std::optional<Reference> reference = chosenReference(arguments);
  if (!chosen || !reference)
    return kUsageError;
  ComparisonRequest request{chosen->inputs, chosen->memory, chosen->arithmetic, arguments.bisect,
                            processes->get()};
  request.reference = *reference;
  request.errorGrowth = allowedGrowth(arguments, *reference);
  if (request.comparesErrors() && arguments.bisect)
    return usageError("--bisect compares bits; with --arithmetic kernels and with --against exact errors are "
                      "compared");
  if (!request.comparesErrors() && arguments.maxErrorGrowth)
    return usageError(
        "--max-error-growth is for errors, which --arithmetic kernels and --against exact compare");
  bool allKnown = true;
  // Quick beside a run, so it comes first; but a module that is refused is run all the same, as both are asked for.
  if (arguments.strict)
    for (const std::string &name : arguments.after) {
      std::optional<bool> known = knowsAllOps(name, arguments.options, chosen->device, llvm::outs());
      if (!known)
        return kInputError;
      allKnown &= *known;
    }
  std::unique_ptr<SimulatedFile> before =
      SimulatedFile::read(arguments.before, arguments.options, chosen->device);
  std::vector<std::unique_ptr<SimulatedFile>> after;
  for (size_t i = 0; before && i < arguments.after.size(); ++i) {
    after.push_back(SimulatedFile::read(arguments.after[i], arguments.options, chosen->device));
    if (!after.back())
      return kInputError;
  }
  if (!before)
    return kInputError;
  std::vector<const SimulatedFile *> files;
  for (const std::unique_ptr<SimulatedFile> &file : after)
    files.push_back(file.get());
  std::optional<ModuleComparison> comparison = ModuleComparison::prepare(*before, files, request);
  Progress progress(Progress::wanted(arguments.options.progress));
  progress.setPart(partOf(0, 1 + files.size()));
  if (!comparison || !comparison->runBefore(progress))
    return kInputError;
  bool allEqual = compareEach(arguments, files, *comparison, request.comparesErrors(), progress);
  return allEqual && allKnown ? kSuccess : kInputError;
}
