//===- tessera-solve.cpp - A policy on a problem text ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   tessera-solve [--policy NAME|all] [--json] [--schedule NAME] [--spill STRATEGY] [--beam-...]
//                 [--chains-as-designed] instance.problem
//
// Solves one instance (docs/problem-format.md) and prints the plan, its cost
// beside the declared program's, its L1 peak, and what the plan checker says.
// Exit code 0: the plans are legal and, where that is promised, not slower than
// the declared program. 1: one is not, or the input cannot be read.
//
//===----------------------------------------------------------------------===//
#include "Solve.h"

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
                      "the df-sharding policies, ir for the others"),
             cl::value_desc("name"), cl::cat(category));

static cl::opt<bool> chainsAsDesigned(
    "chains-as-designed",
    cl::desc("Policies of chains: ask for no time, so that the plan may be slower than the declared program"),
    cl::cat(category));

int main(int argc, char **argv) {
  ToolProcess process(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "runs a policy on a problem instance and checks its plan\n");
  return process.finish(solveInstance({input,
                                       policyName,
                                       asJson,
                                       {beamWidth, beamObjective, beamWithout},
                                       schedule,
                                       spill,
                                       chainsAsDesigned}));
}
