//===- CommandTree.h - The commands, their options and what they run ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// CLI11's view of the command line is built once, in CommandTree.cpp. Parsing, help, completion and the
// nearest names of errors all read it, so that none of them can tell anything else.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_COMMANDTREE_H
#define TESSERA_LIB_DRIVER_COMMON_COMMANDTREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

class CommandTree;

/// The values that an option takes, by the label that stands for them in help ("BOARD").
struct OptionValues {
  llvm::StringLiteral label;
  std::vector<std::string> (*names)(); ///< null: files
};

/// Commands that a program may be built without, as the one that scripts/quickstart builds first is: its build then
/// takes a quarter less.
struct CommandPart {
  llvm::StringLiteral parent; ///< the command that they are below; "" for the first word
  void (*add)(CommandTree &tree, CLI::App &parent);
  llvm::ArrayRef<OptionValues> values; ///< that only their options take
};

class CommandTree {
public:
  explicit CommandTree(llvm::ArrayRef<const CommandPart *> parts);

  CLI::App &root() { return app; }
  /// Parses what main() was given. Throws CLI::ParseError.
  void parse(int argc, char **argv);
  /// The command that the last parse reached; the root if none.
  CLI::App &chosen();
  /// The command that these words name, one level each. If one is not known, the command above it, and
  /// `unknown` is that word.
  const CLI::App &find(llvm::ArrayRef<std::string> words, std::string &unknown) const;
  /// Runs the chosen command; returns its ExitCode.
  int run();

  /// A new command. Its options are to be bound to the arguments that are returned with it.
  template <class Arguments>
  std::pair<CLI::App *, Arguments *> add(CLI::App &parent, const char *name, const char *summary,
                                         int (*action)(const Arguments &)) {
    auto arguments = std::make_shared<Arguments>();
    const auto *line = &words;
    auto run = [=] {
      if constexpr (requires { arguments->commandLine; })
        arguments->commandLine = *line;
      return action(*arguments);
    };
    return {add(parent, name, summary, run), arguments.get()};
  }
  CLI::App *add(CLI::App &parent, const char *name, const char *summary, std::function<int()> action);
  /// The commands that a part has below `parent`; if this program is built without it, their names, which say so.
  void addPart(CLI::App &parent);

  /// nullptr if the label stands for anything, such as a number.
  const OptionValues *findValues(llvm::StringRef label) const;

private:
  llvm::ArrayRef<const CommandPart *> parts;
  CLI::App app;
  std::vector<std::string> words;                           ///< of the command line
  std::map<const CLI::App *, std::function<int()>> actions; ///< looked up only
};

/// "tessera ops explain".
std::string fullName(const CLI::App &command);
/// The command of that name below one; nullptr if there is none.
const CLI::App *commandBelow(const CLI::App &command, llvm::StringRef name);
/// Names of the commands below one, in the order of its help.
std::vector<std::string> commandNames(const CLI::App &command);
/// "--output", "-o", ... of all its options.
std::vector<std::string> optionNames(const CLI::App &command);

/// The help of a command, wrapped to the terminal.
std::string helpText(const CLI::App &command);

/// What is wrong with what a command, or one above it, was given, as an error's text.
std::string describe(const CLI::App &command, const CLI::ParseError &error);
/// Prints what is wrong with the command line as one error, and where to read on. Returns kUsageError.
int reportUsageError(CommandTree &tree, const CLI::ParseError &error);

/// Those that options of every program take.
llvm::ArrayRef<OptionValues> commonValues();
/// nullptr if the table does not have the label.
const OptionValues *findValues(llvm::ArrayRef<OptionValues> table, llvm::StringRef label);
/// "n150, n300, ..." for a label of the table.
std::string listOfValues(llvm::StringRef label, llvm::ArrayRef<OptionValues> table = commonValues());

/// Prints what can stand for the last of `words`, the words behind `tessera` so far: one "candidate<tab>what
/// it is" per line, or ":files" if files can. The scripts of completionScript() ask.
void printCompletions(CommandTree &tree, llvm::ArrayRef<std::string> words);
/// The script that makes a shell ask; empty if the shell is not known.
llvm::StringRef completionScript(llvm::StringRef shell);
std::vector<std::string> shellNames();

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_COMMANDTREE_H
