//===- main.cpp - tessera-fuzz --------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   tessera-fuzz [--kind NAME,...] [--seed N] [--count N] [--first N] [--jobs N]
//
// Feeds the tools with inputs that have something wrong, and checks that they
// end as they should: an answer, or one error. An attempt is determined by
// kind, seed and index, so `--kind ir --seed 1 --first 17 --count 1` is one
// attempt again. CONTRIBUTING.md tells when to run how many.
//
//===----------------------------------------------------------------------===//
#include "Runner.h"

#include "tessera/Support/NearestNames.h"

#include "tessera/Lowering/Passes.h"
#include "tessera/Optimizer/Passes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <fcntl.h>
#include <unistd.h>

using namespace tessera::fuzz;
namespace cl = llvm::cl;

namespace {

cl::OptionCategory category("tessera-fuzz");
cl::list<std::string> kindNames("kind", cl::desc("Only these kinds"), cl::CommaSeparated, cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::desc("What all inputs follow from"), cl::init(1), cl::cat(category));
cl::opt<uint64_t> first("first", cl::desc("Index of the first attempt"), cl::init(0), cl::cat(category));
cl::opt<uint64_t> count("count", cl::desc("Attempts of each kind"), cl::init(1000), cl::cat(category));
cl::opt<unsigned> jobs("jobs", cl::desc("Processes at the same time"), cl::init(1), cl::cat(category));
cl::opt<unsigned> seconds("limit", cl::desc("Seconds of processor time that an attempt may take"),
                          cl::init(20), cl::cat(category));
cl::opt<std::string> failures("failures", cl::desc("Folder that failing inputs are kept in"),
                              cl::init("fuzz-failures"), cl::cat(category));
cl::opt<std::string> root("root", cl::desc("The repository, whose tests and examples are the inputs"),
                          cl::init(TESSERA_ROOT), cl::cat(category));

int fail(const llvm::Twine &message) {
  llvm::errs() << "tessera-fuzz: error: " << message << "\n";
  return 2;
}

/// The kinds that were asked for; none after a message.
std::vector<const Kind *> chosenKinds() {
  std::vector<const Kind *> chosen;
  llvm::SmallVector<llvm::StringRef> known;
  for (const Kind &kind : kinds()) {
    known.push_back(kind.name);
    if (kindNames.empty() || llvm::is_contained(kindNames, kind.name))
      chosen.push_back(&kind);
  }
  for (const std::string &name : kindNames)
    if (!llvm::is_contained(known, name)) {
      fail("unknown kind '" + name + "'" + tessera::didYouMean(name, known) +
           "; known: " + llvm::join(known, ", "));
      return {};
    }
  return chosen;
}

/// The total of failures.
uint64_t runAll(llvm::ArrayRef<const Kind *> chosen, const Inputs &inputs, const RunOptions &options) {
  uint64_t failed = 0;
  llvm::raw_fd_ostream os(options.messages, /*shouldClose=*/false);
  for (const Kind *kind : chosen) {
    auto start = std::chrono::steady_clock::now();
    RunResult result = run(*kind, inputs, options);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    os << llvm::formatv("{0}: {1} attempts, {2} accepted, {3} refused, {4} failures, {5:f1} s\n",
                        llvm::left_justify(kind->name, 9), options.count, result.accepted, result.refused,
                        result.failures, elapsed.count());
    os.flush();
    failed += result.failures;
  }
  return failed;
}

} // namespace

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "feeds the tools with inputs that have something wrong\n");
  std::vector<const Kind *> chosen = chosenKinds();
  if (chosen.empty())
    return 2;
  tessera::registerTesseraLoweringPasses();
  tessera::registerTesseraOptimizerPasses();

  RunOptions options{seed, first, count, std::max(1u, jobs.getValue()), seconds, failures};
  llvm::SmallString<128> kept(failures), source(root), folder;
  llvm::sys::fs::make_absolute(kept);
  llvm::sys::fs::make_absolute(source);
  options.failures = kept.str().str();
  // What the tools print is not looked at, here or in children.
  options.messages = ::dup(STDOUT_FILENO);
  ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
  if (llvm::sys::fs::createUniqueDirectory("tessera-fuzz", folder) || ::chdir(folder.c_str()) != 0)
    return fail("no folder for temporary files");
  llvm::Expected<Inputs> inputs = Inputs::read(source.str().str());
  uint64_t failed = 0;
  if (inputs)
    failed = runAll(chosen, *inputs, options);
  llvm::sys::fs::remove_directories(folder);
  if (!inputs)
    return fail(llvm::toString(inputs.takeError()));
  return failed == 0 ? 0 : 1;
}
