//===- CommandTree.cpp - The commands, their options and what they run ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The list of all commands, in the order of help, and the two that are about
// commands themselves. Parts of the program may be left out when it is built;
// their commands are listed all the same, and say how to get them.
//
//===----------------------------------------------------------------------===//
#include "CommandOptions.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Support/NearestNames.h"
#include "tessera/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

constexpr const char *kAbout =
    "Tessera decides where every tensor of a TTNN program lives on a Tenstorrent chip: which memory, how it "
    "is sharded over which cores, which configuration each op runs with, and where tensors are resharded or "
    "spilled. It needs no chip.";

constexpr const char *kExamples = R"(Examples:

  tessera optimize model.mlir -o optimized.mlir          decide, check, rewrite, and say what changed
  tessera optimize model.mlir --device p150 --json -     decide for another board, summary as JSON
  tessera explain model.mlir --op matmul_3               why an op got its layout, and what others would cost
  tessera report model.mlir -o report.html               memory, time, layouts and why, drawn in one HTML file
  tessera diff model.mlir greedy                         what another policy would do otherwise
  tessera export model.mlir --perfetto t.json            for Perfetto, ttnn-visualizer, Model Explorer, or as CSV
  tessera candidates model.mlir --op matmul_3            the ways to run an op, with time and L1
  tessera compare model.mlir                             all policies side by side
  tessera ops ttnn.matmul                                which layouts an op accepts, and why
  tessera layout --shape 53x63 --grid 3x2 --tile         where the elements of a tensor lie, and what is padding
  tessera replay optimized.mlir                          addresses as the device's allocator gives them
  tessera verify model.mlir optimized.mlir               whether both compute the same, on a simulated device
  tessera judge optimized.mlir                           what the vendor's own library says of a plan, without a chip
  tessera help optimize                                  what a command does, and its options

Exit codes: 0 done; 1 the input or an output file is at fault, or the answer is no: an op is not legal, a replay disagrees, modules compute something else; 2 the command line is at fault; 3 an internal check failed, nothing was written; 4 out of memory.)";

// ---- help, completion -----------------------------------------------------------------------------------

struct HelpArguments {
  std::vector<std::string> command;
};

/// Words that are no command are a mistake on the command line, so nothing goes to standard output: a pager behind
/// it would show the wrong help.
int printHelp(CommandTree &tree, const HelpArguments &arguments) {
  std::string unknown;
  const CLI::App &command = tree.find(arguments.command, unknown);
  if (unknown.empty()) {
    llvm::outs() << helpText(command);
    return kSuccess;
  }
  // find() stops above the word that is not known, so what is below that command is what it may have meant.
  std::vector<std::string> names = commandNames(command);
  llvm::errs() << "tessera: error: no help on '" << unknown << "'"
               << didYouMean(unknown, llvm::SmallVector<llvm::StringRef>(names.begin(), names.end()))
               << "; known: " << llvm::join(names, ", ") << "\n";
  return kUsageError;
}

void addHelp(CommandTree &tree) {
  auto arguments = std::make_shared<HelpArguments>();
  CLI::App *command = tree.add(tree.root(), "help", "Say what a command does and which options it has",
                               [&tree, arguments] { return printHelp(tree, *arguments); });
  command->footer("Examples:\n\n  tessera help\n  tessera help optimize\n  tessera help ops explain");
  addValue(command, "command", "COMMAND", arguments->command,
           "The command; without it, all commands are listed");
}

struct CompletionArguments {
  std::string shell;
};

int printCompletionScript(const CompletionArguments &arguments) {
  llvm::StringRef script = completionScript(arguments.shell);
  if (!script.empty()) {
    llvm::outs() << script;
    return kSuccess;
  }
  std::vector<std::string> shells = shellNames();
  llvm::errs() << "tessera: error: no completions for '" << arguments.shell << "'"
               << didYouMean(arguments.shell,
                             llvm::SmallVector<llvm::StringRef>(shells.begin(), shells.end()))
               << "; known: " << llvm::join(shells, ", ") << "\n";
  return kUsageError;
}

void addCompletion(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "completion", "Print the script that completes tessera's command line in a shell",
               printCompletionScript);
  command->footer(
      "The script asks tessera itself what fits, so it need not be renewed with tessera. Examples:\n\n"
      "  source <(tessera completion bash)                                       this bash; or in ~/.bashrc\n"
      "  tessera completion zsh > \"${fpath[1]}/_tessera\"                         every zsh from now on\n"
      "  tessera completion fish > ~/.config/fish/completions/tessera.fish       every fish");
  addValue(command, "shell", "SHELL", arguments->shell, "One of " + listOfValues("SHELL"))->required();
}

// ---- parts that this program is built without -----------------------------------------------------------

struct PartCommand {
  llvm::StringLiteral parent;
  const char *name;
};
/// What all parts add, in the order of help.
/// A program without a part cannot ask it, so the names stand here once more.
constexpr PartCommand kPartCommands[] = {
    {"", "weights"},      {"", "config"},     {"", "model"},         {"", "generate"},
    {"ops", "cliffs"},    {"ops", "counts"},  {"ops", "evaluate"},   {"ops", "harvest"},
    {"ops", "calibrate"}, {"ops", "convert"}, {"ops", "parameters"},
};

constexpr const char *kAbsent = "Not in this program, which is what scripts/quickstart builds first; 'cmake "
                                "--build --preset release' builds all of it";

void addAbsent(CommandTree &tree, CLI::App &parent, const char *name) {
  // Listed all the same: whoever read of the command should be told why it is not here.
  CLI::App *command = tree.add(parent, name, "Not in this program", [&parent, name] {
    llvm::errs() << "tessera: error: no '" << fullName(parent) << " " << name << "'. " << kAbsent << "\n";
    return kUsageError;
  });
  command->footer(kAbsent);
  // Whatever is behind it is for the program that has it.
  command->prefix_command();
}

} // namespace

CommandTree::CommandTree(llvm::ArrayRef<const CommandPart *> parts) : parts(parts), app(kAbout, "tessera") {
  app.footer(kExamples);
  // Without a command tessera prints its help, as those expect who call it for the first time.
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", versionText().rtrim().str(),
                       "Print the versions of Tessera and LLVM, and the tt-mlir that is matched");
  app.set_help_flag("-h,--help", "Print this help");
  // Help lists commands in this order: what plans and what tells of plans, then what runs and asks, then the rest.
  addOptimize(*this);
  addExplainPlan(*this);
  addCandidates(*this);
  addReport(*this);
  addDiff(*this);
  addExport(*this);
  addCompare(*this);
  addCertify(*this);
  add(app, "policies", "List the policies that can decide", listPolicies)
      ->footer("docs/policies.md says how they decide. Example:\n\n  tessera optimize model.mlir --policy "
               "df-sharding -o optimized.mlir");
  add(app, "rewrites", "List the rewrites of the graph that may be made before it is planned", listRewrites)
      ->footer(
          "docs/rewrites.md says how they are chosen. Example:\n\n  tessera optimize model.mlir --rewrites "
          "all,-late-reshape -o optimized.mlir");
  add(app, "devices", "List the boards that Tessera knows, with the figures it uses", listDevices)
      ->footer("Example:\n\n  tessera optimize model.mlir --device p150 -o optimized.mlir");
  addOps(*this);
  addLayout(*this);
  addPart(app);
  addReplay(*this);
  addRun(*this);
  addVerify(*this);
  addJudge(*this);
  addImport(*this);
  addSetup(*this);
  addDoctor(*this);
  addHelp(*this);
  addCompletion(*this);
}

/// Throws what CLI11 throws; main() makes diagnostics of it.
void CommandTree::parse(int argc, char **argv) {
  words.assign(argv, argv + argc);
  // The words are kept beside CLI11's view of them: a reproducer quotes the line as it was typed.
  app.parse(argc, argv);
}

CLI::App &CommandTree::chosen() {
  CLI::App *command = &app;
  // Without a filter CLI11 lists what was parsed, one command on each level at most.
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().front();
  return *command;
}

const CLI::App &CommandTree::find(llvm::ArrayRef<std::string> words, std::string &unknown) const {
  const CLI::App *command = &app;
  for (const std::string &word : words) {
    const CLI::App *next = commandBelow(*command, word);
    if (!next) {
      // Words behind it could be looked up nowhere.
      unknown = word;
      break;
    }
    command = next;
  }
  return *command;
}

/// Commands are listed in the order in which they are added. `action` gives the exit code.
CLI::App *CommandTree::add(CLI::App &parent, const char *name, const char *summary,
                           std::function<int()> action) {
  CLI::App *command = parent.add_subcommand(name, summary);
  command->group("Commands");
  // By pointer, as CLI11 keeps a command where it is made.
  actions[command] = std::move(action);
  return command;
}

/// Where help has the commands of parts below `parent`: those of the part that this program has, or what stands in
/// for them.
void CommandTree::addPart(CLI::App &parent) {
  // The root is named after the program, and parts call it "".
  llvm::StringRef below = parent.get_parent() ? llvm::StringRef(parent.get_name()) : "";
  for (const CommandPart *part : parts)
    if (part->parent == below)
      return part->add(*this, parent);
  for (const PartCommand &command : kPartCommands)
    if (command.parent == below)
      addAbsent(*this, parent, command.name);
}

const OptionValues *CommandTree::findValues(llvm::StringRef label) const {
  // Those of every program first: no part gives one of their labels another meaning.
  const OptionValues *found = tessera::findValues(commonValues(), label);
  for (const CommandPart *part : parts)
    found = found ? found : tessera::findValues(part->values, label);
  return found;
}

int CommandTree::run() {
  auto action = actions.find(&chosen());
  // A group ("tessera weights") has no action of its own.
  if (action != actions.end())
    return action->second();
  llvm::outs() << helpText(app);
  return kSuccess;
}

std::string tessera::fullName(const CLI::App &command) {
  return command.get_parent() ? fullName(*command.get_parent()) + " " + command.get_name()
                              : command.get_name();
}

const CLI::App *tessera::commandBelow(const CLI::App &command, llvm::StringRef name) {
  // With a filter, even an empty one, CLI11 lists all commands and not those that were parsed.
  for (const CLI::App *each : command.get_subcommands({}))
    if (each->get_name() == name)
      return each;
  return nullptr;
}

std::vector<std::string> tessera::commandNames(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::App *each : command.get_subcommands({}))
    names.push_back(each->get_name());
  return names;
}

/// All spellings of each option, for completion and for "did you mean".
std::vector<std::string> tessera::optionNames(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::Option *option : command.get_options({})) {
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}
