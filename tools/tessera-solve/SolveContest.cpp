//===- SolveContest.cpp - Instances of the contest ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Reading, search and proof share one limit of time. The check of the proof has
// none: nothing is printed or written that was not gone through once more, by
// other code.
//
//===----------------------------------------------------------------------===//
#include "SolveContest.h"

#include "Solve.h"
#include "tessera/Optimizer/Selection/ContestFormat.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"
#include "tessera/Support/AtomicFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace tessera;

/// Of the time after reading, what the search takes; of the rest, what the proof takes. Writing and checking it takes
/// some, too.
static constexpr double kSearchShare = 0.8, kProofShare = 0.6;

static void printFigures(llvm::raw_ostream &os, const SelectionProblem &problem,
                         const SelectionCertificate &certificate) {
  os << llvm::formatv("cost:  {0}\n", certificate.cost)
     << llvm::formatv("peak:  {0} of {1}\n", certificate.peak, problem.capacity)
     << llvm::formatv("bound: {0} (gap {1:f2} %)\n", certificate.bound, 100 * certificate.gap());
}

static int check(const SelectionProblem &problem, const std::string &path) {
  llvm::Expected<std::string> text = readMaybeGzipped(path);
  if (!text)
    return fail(path + ": " + llvm::toString(text.takeError()));
  llvm::Expected<SelectionCertificate> certificate = certificateFromJson(*text);
  if (!certificate)
    return fail(path + ": " + llvm::toString(certificate.takeError()));
  if (llvm::Error error = checkCertificate(problem, *certificate))
    return fail(path + ": " + llvm::toString(std::move(error)));
  printFigures(llvm::outs(), problem, *certificate);
  llvm::outs() << "the certificate is right\n";
  return 0;
}

static llvm::Error writeOutputs(const ContestArguments &arguments, const SelectionCertificate &certificate) {
  std::vector<OutputFile> files;
  if (!arguments.solution.empty())
    files.push_back({arguments.solution, [&](llvm::raw_ostream &os) {
                       os << "[";
                       for (size_t node = 0; node < certificate.states.size(); ++node)
                         os << (node ? ", " : "") << certificate.states[node];
                       os << "]\n";
                     }});
  if (!arguments.certificate.empty())
    files.push_back(
        {arguments.certificate, [&](llvm::raw_ostream &os) { os << certificateToJson(certificate); }});
  return writeFilesAtomically(files);
}

int tessera::solveContest(const ContestArguments &arguments) {
  auto begin = std::chrono::steady_clock::now();
  auto secondsLeft = [&]() -> std::optional<double> {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return arguments.seconds ? std::optional(*arguments.seconds - passed.count()) : std::nullopt;
  };
  // The later one would be all that is left.
  if (!arguments.solution.empty() && !arguments.certificate.empty() &&
      sameFile(arguments.solution, arguments.certificate))
    return fail("-o and --certificate both write '" + arguments.solution + "'");
  if (arguments.seconds && !(*arguments.seconds > 0))
    return fail("--time-limit: not a positive number of seconds");
  llvm::Expected<std::string> text = readMaybeGzipped(arguments.instance);
  if (!text)
    return fail(arguments.instance + ": " + llvm::toString(text.takeError()));
  llvm::Expected<SelectionProblem> problem = parseContestInstance(*text);
  if (!problem)
    return fail(arguments.instance + ": " + llvm::toString(problem.takeError()));
  if (!arguments.check.empty())
    return check(*problem, arguments.check);

  SearchOptions options;
  if (std::optional<double> left = secondsLeft()) {
    options.secondsLeft = *left * kSearchShare;
    // The time ends the search then, and no count does.
    options.windows = ~uint64_t(0);
  }
  std::optional<FoundSelection> found = searchSelection(*problem, options);
  if (!found)
    return fail(arguments.instance + ": no selection that is allowed and fits was found");
  // The proof gets what the search left, and is checked as by somebody who has only the file.
  std::optional<double> proofSeconds = secondsLeft();
  if (proofSeconds)
    *proofSeconds *= kProofShare;
  SelectionCertificate certificate = proveBound(*problem, *found, {.seconds = proofSeconds});
  if (llvm::Error error = checkCertificate(*problem, certificate))
    return fail("internal error: " + llvm::toString(std::move(error)));
  if (llvm::Error error = writeOutputs(arguments, certificate))
    return fail(llvm::toString(std::move(error)));
  // Where standard output is a file's, it has nothing else.
  bool taken = arguments.solution == "-" || arguments.certificate == "-";
  printFigures(taken ? llvm::errs() : llvm::outs(), *problem, certificate);
  return 0;
}
