//===- HelpText.cpp - Help that fits the terminal -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Help is read on terminals of any width, and its descriptions are sentences.
// So text is wrapped to the width there is, while examples stay as they are,
// since they are copied.
//
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"

#include "tessera/Support/WrapText.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

/// CLI11's own formatter puts a description on one line, however long.
class HelpFormatter : public CLI::Formatter {
public:
  HelpFormatter() {
    // In the case in which all other words of help stand.
    label("OPTIONS", "options");
    label("SUBCOMMAND", "command");
    label("Positionals", "Arguments");
  }

  /// CLI11 puts two blank lines between groups.
  std::string make_group(std::string group, bool positional,
                         std::vector<const CLI::Option *> options) const override {
    std::string out = wrapText(group + ":", width) + "\n";
    for (const CLI::Option *option : options)
      out += make_option(option, positional);
    return out + (positional ? "\n" : "");
  }

  std::string make_usage(const CLI::App *app, std::string name) const override {
    return wrapText(Formatter::make_usage(app, name), width, 2) + "\n";
  }

  std::string make_description(const CLI::App *app) const override {
    return wrapText(app->get_description(), width) + "\n\n";
  }

  /// Lines that begin with a blank are examples: to be copied, so they stay whole.
  std::string make_footer(const CLI::App *app) const override {
    std::string footer = app->get_footer(), out;
    for (llvm::StringRef line : llvm::split(footer, '\n'))
      out += (line.starts_with(" ") ? line.str() : wrapText(line, width)) + "\n";
    return out;
  }

  std::string make_subcommand(const CLI::App *command) const override {
    return row(command->get_name(), command->get_description());
  }

  std::string make_option(const CLI::Option *option, bool positional) const override {
    std::string name = positional ? option->get_name(true) : spelled(*option);
    if (option->get_type_size() != 0 && !option->get_type_name().empty())
      name += " " + option->get_type_name();
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size)
      name += " ...";
    std::string description = option->get_description();
    size_t sentence = std::min(description.find('\n'), description.size()); // a list may follow
    if (!option->get_default_str().empty())
      description.insert(sentence, " (default: " + option->get_default_str() + ")");
    if (option->get_required() && !positional)
      description.insert(sentence, " (required)");
    return row(name, description);
  }

private:
  /// "-o, --output"; without a short name, as far to the right as if there were one.
  static std::string spelled(const CLI::Option &option) {
    std::string text = option.get_snames().empty() ? "   " : "-" + option.get_snames().front();
    for (const std::string &name : option.get_lnames())
      text += (option.get_snames().empty() ? " --" : ", --") + name;
    return text;
  }

  /// "  name       description"; beneath it on a narrow terminal, or if the name is too long.
  std::string row(const std::string &name, llvm::StringRef description) const {
    // Options of 34 columns would leave too little of a narrow terminal to their descriptions.
    size_t column = width < 80 ? 8 : 34;
    std::string out = "  " + name;
    if (out.size() + 2 > column)
      out += "\n";
    size_t at = out.back() == '\n' ? 0 : out.size();
    out.append(column - at, ' ');
    std::string wrapped = wrapText(description, width - column, 2);
    for (char c : wrapped)
      c == '\n' ? out.append("\n").append(column, ' ') : out.append(1, c);
    return out + "\n";
  }

  size_t width = textWidth();
};

} // namespace

std::string tessera::helpText(const CLI::App &command) {
  return HelpFormatter().make_help(&command, fullName(command), CLI::AppFormatMode::Normal);
}
