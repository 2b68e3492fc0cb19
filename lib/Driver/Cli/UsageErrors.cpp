//===- UsageErrors.cpp - What is wrong with a command line ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// CLI11 says what it could not do. A user needs to know what to type, so its
// errors are worded anew: with the nearest name that there is, and the command
// whose help has the rest.
//
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

std::string nearest(llvm::StringRef wanted, const std::vector<std::string> &known) {
  llvm::SmallVector<llvm::StringRef> names(known.begin(), known.end());
  return didYouMean(wanted, names);
}

/// The first word that no command took.
std::string describeExtra(const CLI::App &command) {
  const CLI::App *root = &command;
  // Words that nobody took are kept by the command that met them, so they are asked for from the top.
  while (root->get_parent())
    root = root->get_parent();
  std::vector<std::string> extras = root->remaining(/*recurse=*/true);
  // CLI11 lists what belongs to an unknown option before it.
  auto option =
      llvm::find_if(extras, [](llvm::StringRef word) { return word.size() > 1 && word.starts_with("-"); });
  // In front of a command an option counts only if nothing stands before it: else the word before is the mistake.
  if (option != extras.end() && (command.get_parent() || option == extras.begin())) {
    std::string name = llvm::StringRef(*option).split('=').first.str();
    return "unknown option '" + name + "'" + nearest(name, optionNames(command));
  }
  if (!command.get_parent())
    return "unknown command '" + extras.front() + "'" + nearest(extras.front(), commandNames(command));
  return "unexpected argument '" + extras.front() + "'";
}

/// A group of commands, as `tessera setup` is, without one of its own: CLI11 names neither the word nor the commands.
std::string describeGroup(const CLI::App &group) {
  const CLI::App *root = &group;
  while (root->get_parent())
    root = root->get_parent();
  std::vector<std::string> extras = root->remaining(/*recurse=*/true), names = commandNames(group);
  std::string wrong = extras.empty() ? "which command of '" + fullName(group) + "'?"
                                     : "'" + fullName(group) + "' has no '" + extras.front() + "'" +
                                           nearest(extras.front(), names);
  return wrong + (extras.empty() ? " There are " : "; known: ") + llvm::join(names, ", ");
}

/// CLI11's messages for a missing value, a repeated option and the value of a flag name types or count; none
/// says what to do.
std::string describeMismatch(llvm::StringRef message) {
  auto [name, rest] = message.split(": ");
  // By their texts, as CLI11 has one kind of error for all three.
  if (rest.ends_with(" missing"))
    return name.str() + " needs a value";
  if (rest.starts_with("At Most"))
    return name.str() + " is given more than once";
  if (message.ends_with("flag override"))
    return "--" + message.split(" was given").first.str() + " takes no value";
  return message.str();
}

/// What can be said as a word or as an option is called as the line of usage has it: "plan" and not "--against".
std::string describeMissing(const CLI::App &command, llvm::StringRef message) {
  auto [name, rest] = message.split(" ");
  const CLI::Option *option = command.get_option_no_throw(name.str());
  if (!option || option->get_name(/*positional=*/true).empty())
    return message.str();
  return option->get_name(/*positional=*/true) + " " + rest.str();
}

} // namespace

std::string tessera::describe(const CLI::App &command, const CLI::ParseError &error) {
  switch (CLI::ExitCodes(error.get_exit_code())) {
  case CLI::ExitCodes::ExtrasError:
    return describeExtra(command);
  case CLI::ExitCodes::RequiredError:
    return command.get_require_subcommand_min() > 0 ? describeGroup(command)
                                                    : describeMissing(command, error.what());
  case CLI::ExitCodes::ArgumentMismatch:
    return describeMismatch(error.what());
  default:
    return error.what();
  }
}

int tessera::reportUsageError(CommandTree &tree, const CLI::ParseError &error) {
  const CLI::App &command = tree.chosen();
  llvm::errs() << "tessera: error: " << describe(command, error) << "\n";
  if (command.get_parent())
    llvm::errs() << "tessera: note: 'tessera help"
                 << llvm::StringRef(fullName(command)).drop_front(strlen("tessera"))
                 << "' shows how it is used\n";
  else
    llvm::errs() << "tessera: note: 'tessera help' lists the commands\n";
  return kUsageError;
}
