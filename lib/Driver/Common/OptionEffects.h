//===- OptionEffects.h - Options that would do nothing --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An option that is given and changes nothing is a mistake of who gives it, and is not seen in the answer. So each is
// refused where nobody who decides asks for it: options of one policy with another one, and all that decides a plan
// where the plan is read from a file.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_OPTIONEFFECTS_H
#define TESSERA_LIB_DRIVER_COMMON_OPTIONEFFECTS_H

#include "CommandTree.h"

namespace tessera {

struct CompareArguments;
struct ComparingArguments;
struct ExportArguments;
struct OptimizeArguments;

/// Who decides when a command runs.
struct Deciders {
  std::vector<std::string> policies;   ///< names; those that are not known are reported by who looks them up
  std::string otherwise;               ///< why nobody does, if there are none
  std::vector<std::string> heard = {}; ///< options that have an effect all the same
};
/// The input's policy, or nobody if that is a decisions file.
Deciders decidersOf(const OptimizeArguments &arguments);
/// Of both plans.
Deciders decidersOf(const ComparingArguments &arguments);
/// The same, or nobody if the module itself is written.
Deciders decidersOf(const ExportArguments &arguments);
/// Those that `tessera compare` runs: the named ones, or all; beside another compiler's plan the default one.
std::vector<std::string> comparedPolicies(const CompareArguments &arguments);

/// Lets the command end in an error, before it runs, if one of `options` is given that does not have an effect with
/// these deciders.
void refuseIdle(CLI::App *command, std::vector<CLI::Option *> options, std::function<Deciders()> deciders);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_OPTIONEFFECTS_H
