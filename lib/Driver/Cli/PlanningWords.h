//===- PlanningWords.h - Options that decide a plan, as words ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_CLI_PLANNINGWORDS_H
#define TESSERA_LIB_DRIVER_CLI_PLANNINGWORDS_H

#include "tessera/Driver/Commands.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// What these options of `tessera optimize` give ("--beam-width=16", "--strict"), for who has no command line:
/// --policy, --bound and all that decides a plan, with the same checks. An error is what that command would say.
llvm::Expected<OptimizeArguments> parsePlanningWords(std::vector<std::string> words);
/// "--beam-width", ...: the options that it takes.
std::vector<std::string> planningOptionNames();

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_CLI_PLANNINGWORDS_H
