//===- PlanningWords.cpp - Options that decide a plan, as words ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A program that calls Tessera gives options as the words that a user would
// type. They are read by the same options, so that names, checks and defaults
// are those of `tessera optimize`, and so are the errors.
//
//===----------------------------------------------------------------------===//
#include "PlanningWords.h"

#include "../Common/CommandOptions.h"
#include "../Common/OptionEffects.h"

using namespace tessera;

namespace {

/// A command that is never run: its options check the words as those of `tessera optimize` do, since they are the same.
struct PlanningCommand {
  PlanningCommand() {
    std::vector<CLI::Option *> deciding = addPlanning(&app, arguments);
    refuseIdle(&app, deciding, [this] { return Deciders{{arguments.policy}, ""}; });
    options = std::move(deciding);
    options.push_back(addPolicy(&app, arguments.policy, /*orFile=*/false));
    options.push_back(addBound(&app, arguments.bound));
  }

  CLI::App app{"", "optimize"};
  OptimizeArguments arguments;
  std::vector<CLI::Option *> options;
};

} // namespace

llvm::Expected<OptimizeArguments> tessera::parsePlanningWords(std::vector<std::string> words) {
  PlanningCommand command;
  std::reverse(words.begin(), words.end()); // as CLI11 wants them
  try {
    command.app.parse(std::move(words));
  } catch (const CLI::ParseError &error) {
    return llvm::createStringError(describe(command.app, error));
  }
  return command.arguments;
}

std::vector<std::string> tessera::planningOptionNames() {
  std::vector<std::string> names;
  for (const CLI::Option *option : PlanningCommand().options)
    names.push_back(option->get_name());
  return names;
}
