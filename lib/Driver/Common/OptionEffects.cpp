//===- OptionEffects.cpp - Options that would do nothing ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An option that has no effect is refused rather than ignored: who tunes the
// width of a beam for a policy that has no beam would believe the result to say
// something. Whether it has one depends on the policy and on the kind of input,
// so it can be said only when the whole line has been read.
//
//===----------------------------------------------------------------------===//
#include "OptionEffects.h"

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Optimizer/Policy/Policy.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

/// Options that only some policies have, by what the table of policies says of these.
struct PolicyOption {
  llvm::StringLiteral name;
  bool PolicyInfo::*who;
};
constexpr PolicyOption kPolicyOptions[] = {
    {"--beam-width", &PolicyInfo::hasObjective},     {"--beam-objective", &PolicyInfo::hasObjective},
    {"--beam-without", &PolicyInfo::hasObjective},   {"--gap", &PolicyInfo::provesBound},
    {"--time-limit", &PolicyInfo::provesBound},      {"--drop-slow-chains", &PolicyInfo::hasChains},
    {"--chains-as-designed", &PolicyInfo::hasChains}};

/// Why the option does nothing; "" if it does something.
std::string idleBecause(const std::string &option, const Deciders &deciders) {
  if (deciders.policies.empty())
    return llvm::is_contained(deciders.heard, option) ? "" : deciders.otherwise;
  const PolicyOption *known =
      llvm::find_if(kPolicyOptions, [&](const PolicyOption &each) { return each.name == option; });
  // What no policy has for itself has an effect whoever decides. A name that is no policy's is the error of who looks
  // it up, not one of options.
  bool has =
      known == std::end(kPolicyOptions) || llvm::any_of(deciders.policies, [&](const std::string &name) {
        const PolicyInfo *policy = findPolicy(name);
        return !policy || policy->*known->who;
      });
  if (has)
    return "";
  std::vector<std::string> those;
  for (const PolicyInfo &policy : policies())
    if (policy.*known->who)
      those.push_back(policy.name.str());
  return "it is about policy " + llvm::join(those, ", ") + ", not " + llvm::join(deciders.policies, ", ");
}

/// Adds who decides the plan of an input.
void addDecider(Deciders &deciders, const std::string &input, const std::string &policy) {
  if (!isDecisionsFile(input))
    deciders.policies.push_back(policy);
  // One reason is enough for a message.
  else if (deciders.otherwise.empty())
    deciders.otherwise = "'" + input + "' is a decisions file, which has its plan";
}

} // namespace

Deciders tessera::decidersOf(const OptimizeArguments &arguments) {
  Deciders deciders;
  addDecider(deciders, arguments.input, arguments.policy);
  return deciders;
}

Deciders tessera::decidersOf(const ComparingArguments &arguments) {
  Deciders deciders = decidersOf(static_cast<const OptimizeArguments &>(arguments));
  // In the order in which ReportCommand.cpp looks at it: a policy, a board, a file. For another board the input itself
  // is planned.
  if (findPolicy(arguments.against))
    deciders.policies.push_back(arguments.against);
  else if (!arguments.against.empty())
    addDecider(deciders, findDevice(arguments.against) ? arguments.input : arguments.against,
               arguments.policy);
  return deciders;
}

Deciders tessera::decidersOf(const ExportArguments &arguments) {
  if (arguments.python.empty())
    return decidersOf(static_cast<const OptimizeArguments &>(arguments));
  // The device that the program opens is none of the plan's.
  return {{}, "--python writes the module as it stands", {"--device"}};
}

std::vector<std::string> tessera::comparedPolicies(const CompareArguments &arguments) {
  if (arguments.policies.empty() && !arguments.against.empty())
    return {arguments.policy};
  if (arguments.policies.empty())
    return findValues(commonValues(), "POLICY")->names();
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(arguments.policies).split(names, ',');
  return {names.begin(), names.end()};
}

void tessera::refuseIdle(CLI::App *command, std::vector<CLI::Option *> options,
                         std::function<Deciders()> deciders) {
  // The last callback: the policy may stand behind the options on the line.
  command->final_callback([options = std::move(options), deciders = std::move(deciders)] {
    Deciders who = deciders();
    for (const CLI::Option *option : options) {
      std::string why = option->count() > 0 ? idleBecause(option->get_name(), who) : "";
      if (!why.empty())
        throw CLI::ValidationError(option->get_name() + " has no effect: " + why,
                                   CLI::ExitCodes::ValidationError);
    }
  });
}
