//===- CommandLine.cpp - The tessera command line -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"

#include "tessera/Driver/Commands.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

int tessera::runCommandLine(int argc, char **argv, llvm::ArrayRef<const CommandPart *> parts) {
  CommandTree tree(parts);
  // A program can be started with no words at all, not even its name.
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // Completion comes first: the words after it are not finished and would not parse.
  if (!words.empty() && words.front() == "__complete") {
    printCompletions(tree, llvm::ArrayRef(words).drop_front());
    return kSuccess;
  }
  // CLI11 reports requests for help and errors by exceptions; none leaves this function.
  try {
    tree.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << helpText(tree.chosen());
    return kSuccess;
  } catch (const CLI::CallForVersion &version) {
    llvm::outs() << version.what() << "\n";
    return kSuccess;
  } catch (const CLI::ParseError &error) {
    return reportUsageError(tree, error);
  }
  return tree.run();
}
