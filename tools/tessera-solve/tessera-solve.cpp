//===- tessera-solve.cpp - A policy on a problem text ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   tessera-solve [--policy NAME|all] [--json] [--schedule NAME] [--spill STRATEGY] [--beam-...]
//                 [--chains-as-designed] instance.problem
//
//   tessera-solve --iopddl FILE [--time-limit SECONDS] [-o SOLUTION] [--certificate FILE]
//   tessera-solve --iopddl FILE --check-certificate FILE
//
// The first solves one instance (docs/problem-format.md) and prints the plan, its cost
// beside the declared program's, its L1 peak, and what the plan checker says.
// Exit code 0: the plans are legal and, where that is promised, not slower than
// the base plan, which policies fall back to. 1: one is not, or the input cannot be read.
//
// The others are about instances of the ASPLOS 2025 contest on intra-operator
// parallelism (docs/certified.md): one selects states and proves how far from
// the best they are, one checks such a proof. Exit code 1: no selection that
// fits was found, the proof is wrong, or an input cannot be read.
//
//===----------------------------------------------------------------------===//
#include "Solve.h"
#include "SolveContest.h"

#include "tessera/Support/ToolProcess.h"

#include "llvm/Support/CommandLine.h"

using namespace tessera;
namespace cl = llvm::cl;

static cl::OptionCategory category("tessera-solve");
static cl::opt<std::string> input(cl::Positional, cl::desc("<instance.problem, or - for standard input>"),
                                  cl::init("-"), cl::cat(category));
static cl::opt<std::string> policyName("policy", cl::desc("The policy to run, or all"),
                                       cl::value_desc("name"), cl::init("greedy"), cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("Print the plan as JSON instead of text"), cl::cat(category));

static cl::opt<int64_t> beamWidth("beam-width", cl::desc("Policy beam: candidates kept per op"),
                                  cl::value_desc("number"), cl::init(BeamOptions().width), cl::cat(category));
static cl::opt<std::string> beamObjective("beam-objective", cl::desc("Policy beam: time or cores"),
                                          cl::value_desc("name"), cl::init("time"), cl::cat(category));
static cl::opt<std::string>
    beamWithout("beam-without",
                cl::desc("Policy beam: parts to leave out: reshards, forks, polish, incumbent, repeats"),
                cl::value_desc("part,..."), cl::cat(category));
static cl::opt<std::string>
    spill("spill", cl::desc("Which values leave L1: policy, farthest-last-use, cost, dp, none"),
          cl::value_desc("strategy"), cl::init("policy"), cl::cat(category));

static cl::opt<std::string>
    schedule("schedule",
             cl::desc("In which order ops run: ir, dfs, memory, auto; default: dfs for "
                      "the df-sharding policies, auto for optimal and for beam by time, ir for the others"),
             cl::value_desc("name"), cl::cat(category));

static cl::opt<bool> chainsAsDesigned(
    "chains-as-designed",
    cl::desc("Policies of chains: ask for no time, so that the plan may be slower than the declared program"),
    cl::cat(category));

static cl::opt<std::string>
    contestFile("iopddl", cl::desc("Solve an instance of the contest on intra-operator parallelism instead"),
                cl::value_desc("file.json or file.json.gz"), cl::cat(category));
static cl::opt<double> timeLimit("time-limit",
                                 cl::desc("With --iopddl: seconds that reading, search and proof may take; "
                                          "default: a fixed number of steps"),
                                 cl::value_desc("seconds"), cl::init(0), cl::cat(category));
static cl::opt<std::string> solutionFile("o", cl::desc("With --iopddl: where the states of the nodes go"),
                                         cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> certificateFile("certificate",
                                            cl::desc("With --iopddl: where the proof of the bound goes"),
                                            cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> checkedFile("check-certificate",
                                        cl::desc("With --iopddl: check this proof instead of solving"),
                                        cl::value_desc("file"), cl::cat(category));

static std::string shown(const cl::Option &option) {
  if (option.ArgStr.empty())
    return option.HelpStr.str();
  return ((option.ArgStr.size() > 1 ? "--" : "-") + option.ArgStr).str();
}

/// What is wrong with the first option that is given and that would do nothing; "" if there is none.
static std::string idleOption() {
  const cl::Option *ofContest[] = {&timeLimit, &solutionFile, &certificateFile, &checkedFile};
  const cl::Option *ofProblem[] = {&input,       &policyName, &asJson,   &beamWidth,       &beamObjective,
                                   &beamWithout, &spill,      &schedule, &chainsAsDesigned};
  const cl::Option *ofSolving[] = {&timeLimit, &solutionFile, &certificateFile};
  struct Clash {
    bool holds;
    llvm::ArrayRef<const cl::Option *> idle;
    llvm::StringLiteral why;
  };
  const Clash clashes[] = {{contestFile.empty(), ofContest, "without --iopddl"},
                           {!contestFile.empty(), ofProblem, "with --iopddl"},
                           {!checkedFile.empty(), ofSolving, "with --check-certificate"}};
  for (const Clash &clash : clashes)
    for (const cl::Option *option : clash.idle)
      if (clash.holds && option->getNumOccurrences() > 0)
        return shown(*option) + " has no effect " + clash.why.str();
  return "";
}

int main(int argc, char **argv) {
  ToolProcess process(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "runs a policy on a problem instance and checks its plan\n");
  // A file that was asked for and is not there would be missed much later.
  if (std::string idle = idleOption(); !idle.empty())
    return process.finish(fail(idle));
  if (!contestFile.empty()) {
    std::optional<double> seconds;
    if (timeLimit.getNumOccurrences() > 0)
      seconds = timeLimit;
    return process.finish(solveContest({contestFile, seconds, solutionFile, certificateFile, checkedFile}));
  }
  return process.finish(solveInstance(
      {input,
       policyName,
       asJson,
       {.beam = {beamWidth, beamObjective, beamWithout}, .optimal = {}, .schedule = schedule, .spill = spill},
       chainsAsDesigned}));
}
