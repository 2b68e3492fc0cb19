//===- CommandOptions.h - What each command takes -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_COMMANDOPTIONS_H
#define TESSERA_LIB_DRIVER_COMMON_COMMANDOPTIONS_H

#include "CommandTree.h"

#include "tessera/OpModel/OpModelOptions.h"
#include "tessera/Optimizer/Policy/BeamOptions.h"

#include <limits>

namespace tessera {

struct ChainFlags;
struct OptimizeArguments;

/// One function per command: its name, options and help, and what it runs.
void addOptimize(CommandTree &tree);
void addCompare(CommandTree &tree);
void addCertify(CommandTree &tree);
void addExplainPlan(CommandTree &tree);
void addCandidates(CommandTree &tree);
void addReport(CommandTree &tree);
void addDiff(CommandTree &tree);
void addExport(CommandTree &tree);
void addLayout(CommandTree &tree);
void addReplay(CommandTree &tree);
void addRun(CommandTree &tree);
void addVerify(CommandTree &tree);
void addJudge(CommandTree &tree);
/// `tessera import` and the commands below it.
void addImport(CommandTree &tree);
/// `tessera setup` and the commands below it.
void addSetup(CommandTree &tree);
void addDoctor(CommandTree &tree);
/// `tessera ops` and the commands below it.
void addOps(CommandTree &tree);

// ---- What options have in common -------------------------------------------------------------------------

/// `-o ""` is most often a variable of a script that is not set, rather than a request for no output; so is `--device ""`.
CLI::Validator notEmpty(llvm::StringRef label);

/// A value of the kind that `label` stands for in help.
template <class Value>
CLI::Option *addValue(CLI::App *command, const char *names, llvm::StringRef label, Value &value,
                      const std::string &help) {
  CLI::Option *option = command->add_option(names, value, help)->type_name(label.str());
  // Text is what a user writes: overrides, of which there may be none.
  return label == "TEXT" ? option : option->check(notEmpty(label));
}

/// What is there or not; `--quiet=no` is an error.
CLI::Option *addFlag(CLI::App *command, const char *names, bool &value, const char *help);

/// What a number must be. Messages say it in words, not in types.
CLI::Validator wholeNumber(int64_t least = std::numeric_limits<int64_t>::min(),
                           int64_t most = std::numeric_limits<int64_t>::max());
CLI::Validator number();

/// The module.
void addInput(CLI::App *command, std::string &input);
/// What policies may look at: --tensor-l1-usage-cap, --max-legal-layouts, --beam-..., --spill.
void addSearchLimits(CLI::App *command, double &l1UsageCap, int64_t &maxLegalLayouts, BeamText &beam,
                     std::string &spill);
/// All that decides a plan beside the module and the policy: what `tessera optimize` has and every command that plans.
/// Returned: those of them that change a plan.
std::vector<CLI::Option *> addPlanning(CLI::App *command, OptimizeArguments &arguments);
/// --policy; a decisions file has its own if `orFile`.
CLI::Option *addPolicy(CLI::App *command, std::string &policy, bool orFile);
/// --bound.
CLI::Option *addBound(CLI::App *command, bool &bound);
/// --schedule.
void addSchedule(CLI::App *command, std::string &schedule);
/// --drop-slow-chains and --chains-as-designed.
void addChainFlags(CLI::App *command, ChainFlags &chains);
/// --allow-bytecode.
void addAllowBytecode(CLI::App *command, bool &allow);
/// --device; `otherwise` is what decides without it, "" if the option has a default of its own.
CLI::Option *addDevice(CLI::App *command, std::string &device, const std::string &otherwise);
/// --tensor-l1-usage-cap.
void addL1UsageCap(CLI::App *command, double &l1UsageCap);
/// --progress.
CLI::Option *addProgress(CLI::App *command, bool &progress);
/// --top.
CLI::Option *addTop(CLI::App *command, int64_t &top, const std::string &what);
/// --json.
void addJson(CLI::App *command, std::string &path, const std::string &what);

/// --inputs and --max-mem of runs on a simulated device.
CLI::Option *addSimulatedInputs(CLI::App *command, std::string &inputs);
CLI::Option *addSimulatedMemory(CLI::App *command, std::string &memory);
/// --arithmetic of such runs.
CLI::Option *addArithmetic(CLI::App *command, std::string &arithmetic);

/// --version and --workers of commands that ask the vendor's library.
void addLibrary(CLI::App *command, std::string &version, unsigned &workers);
/// The same of who asks about a module, which may say its version itself; `otherwise` goes on with what the default is
/// where it does not.
void addModuleLibrary(CLI::App *command, std::string &version, unsigned &workers, llvm::StringRef otherwise);
/// --version, of the vendor's library; sets `version` to `otherwise`.
CLI::Option *addLibraryVersion(CLI::App *command, std::string &version, llvm::StringRef otherwise);

enum class Caching { InMemory, OnDiskToo };
/// The options of every command that asks the op model.
void addOpModel(CLI::App *command, OpModelOptions &options, Caching caching);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_COMMANDOPTIONS_H
