//===- Completion.cpp - What can come next on a command line --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Shells ask the program itself what fits behind the words so far, as it has
// all names in tables already. A script with lists of its own would be behind
// after every change. Scripts hold only what is the shell's own: how it takes
// an answer, and how it lists files.
//
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"

#include "tessera/Driver/Commands.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

// ---- Where the cursor stands -----------------------------------------------------------------------------

/// What the words before the cursor lead to.
struct Cursor {
  const CLI::App *command;
  const CLI::Option *option = nullptr; ///< whose value comes next; null if none is open
  size_t positionals = 0;              ///< taken by the command so far
  bool commandsOnly = false;           ///< behind `tessera help`
};

bool isOption(llvm::StringRef word) { return word.size() > 1 && word.starts_with("-"); }

void advance(Cursor &cursor, const std::string &word) {
  // Bash cuts `--name=value` into three words.
  if (cursor.option && word == "=")
    return;
  if (isOption(word)) {
    const CLI::Option *option =
        cursor.command->get_option_no_throw(llvm::StringRef(word).split('=').first.str());
    // A flag takes no value, and `--name=value` has brought its own.
    bool open = option && option->get_expected_max() > 0 && !llvm::StringRef(word).contains('=');
    cursor.option = open ? option : nullptr;
    return;
  }
  if (cursor.option) {
    // An option that takes any number of values stays open.
    if (cursor.option->get_expected_max() < CLI::detail::expected_max_vector_size)
      cursor.option = nullptr;
    return;
  }
  if (const CLI::App *below = commandBelow(*cursor.command, word)) {
    // `tessera help optimize` names a command without being one.
    bool help = below->get_name() == "help" && !cursor.commandsOnly;
    cursor.command = help ? cursor.command : below;
    cursor.commandsOnly |= help;
    cursor.positionals = 0;
    return;
  }
  ++cursor.positionals;
}

/// The positional that comes next, nullptr if there is none.
const CLI::Option *nextPositional(const Cursor &cursor) {
  size_t skip = cursor.positionals;
  for (const CLI::Option *option : cursor.command->get_options({}))
    if (option->get_positional() && skip-- == 0)
      return option;
  return nullptr;
}

// ---- What fits there -------------------------------------------------------------------------------------

/// Up to where a description begins to go into detail.
llvm::StringRef summaryOf(llvm::StringRef description) {
  return description.take_front(description.find_first_of(":;.\n("));
}

class Candidates {
public:
  /// `before` stands in front of `typed` in the same word.
  Candidates(const CommandTree &tree, llvm::StringRef typed, llvm::StringRef before = "")
      : tree(tree), typed(typed), before(before) {}

  void add(const llvm::Twine &candidate, llvm::StringRef what = "") {
    std::string text = candidate.str();
    if (llvm::StringRef(text).starts_with(typed))
      llvm::outs() << before << text << "\t" << what.rtrim() << "\n";
  }

  /// What a label of help stands for: "FILE", "OP or FILE", "POLICY,...".
  void addValues(llvm::StringRef label) {
    bool list = label.consume_back(",...");
    // To the shell the list so far is one word, which a candidate has to begin with.
    std::string begun = list && typed.contains(',') ? typed.rsplit(',').first.str() + "," : "";
    for (llvm::StringRef part : llvm::split(label, " or "))
      if (const OptionValues *kind = tree.findValues(part)) {
        if (!kind->names) {
          llvm::outs() << ":files\n";
          continue;
        }
        for (const std::string &name : kind->names())
          add(begun + name);
      }
  }

  void addOptions(const CLI::App &command) {
    for (const CLI::Option *option : command.get_options({}))
      // One candidate per option, by the name that explains itself.
      for (const std::string &name : option->get_lnames())
        add("--" + name, summaryOf(option->get_description()));
  }

  void addCommands(const CLI::App &command) {
    for (const CLI::App *each : command.get_subcommands({}))
      add(each->get_name(), each->get_description());
  }

private:
  const CommandTree &tree;
  llvm::StringRef typed, before;
};

// ---- Shells ----------------------------------------------------------------------------------------------

/// Bash itself lists files, as it knows how names with blanks are quoted.
constexpr llvm::StringLiteral kBash = R"(_tessera() {
  local line typed=${COMP_WORDS[COMP_CWORD]#=}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$typed")
    else
      COMPREPLY+=("${line%%$'\t'*}")
    fi
  done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tessera tessera
)";

/// A colon divides candidates from descriptions there, so colons in candidates are escaped.
constexpr llvm::StringLiteral kZsh = R"(#compdef tessera
_tessera() {
  local line files
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=yes
    else
      line="${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}"
      candidates+=("${line%:}")
    fi
  done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#candidates )) && _describe tessera candidates
  [[ -n $files ]] || return 0
  [[ $words[CURRENT] == --*=* ]] && compset -P '*='
  _files
}
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi
)";

/// The form of the answers is that of fish.
constexpr llvm::StringLiteral kFish = R"(function __tessera_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' "$typed")
    for line in ($words[1] __complete $words[2..-1] "$typed" 2>/dev/null)
        if test "$line" = :files
            for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$typed"))
                echo "$option$path"
            end
        else
            echo $line
        end
    end
end
complete -c tessera -f -a '(__tessera_complete)'
)";

struct Shell {
  llvm::StringLiteral name, script;
};
constexpr Shell kShells[] = {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};

} // namespace

void tessera::printCompletions(CommandTree &tree, llvm::ArrayRef<std::string> words) {
  if (words.empty())
    return;
  Cursor cursor{&tree.root()};
  for (const std::string &word : words.drop_back())
    advance(cursor, word);
  llvm::StringRef typed = words.back();
  // The value of `--name=` is not begun yet, where bash cuts.
  if (cursor.option && typed == "=")
    typed = "";
  // The other shells see one word, which a candidate has to begin with.
  if (isOption(typed) && typed.contains('=')) {
    auto [name, value] = typed.split('=');
    advance(cursor, name.str());
    if (cursor.option)
      Candidates(tree, value, (name + "=").str()).addValues(cursor.option->get_type_name());
    return;
  }
  Candidates candidates(tree, typed);
  if (isOption(typed) || typed == "-")
    return candidates.addOptions(*cursor.command);
  // After an option that waits for its value only values make sense.
  if (cursor.option)
    return candidates.addValues(cursor.option->get_type_name());
  candidates.addCommands(*cursor.command);
  if (const CLI::Option *positional = nextPositional(cursor); positional && !cursor.commandsOnly)
    candidates.addValues(positional->get_type_name());
}

llvm::StringRef tessera::completionScript(llvm::StringRef shell) {
  for (const Shell &each : kShells)
    if (each.name == shell)
      return each.script;
  return "";
}

std::vector<std::string> tessera::shellNames() {
  std::vector<std::string> names;
  for (const Shell &shell : kShells)
    names.push_back(shell.name.str());
  return names;
}
