//===- AskTtnn.cpp - Questions to the vendor's library --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"
#include "TtnnFiles.h"

#include "tessera/Library/TtnnLibrary.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
namespace json = llvm::json;

/// The lines of what the server wrote, the first of which is what it says of itself.
static llvm::Expected<TtnnAnswers> readAnswers(llvm::StringRef text, size_t expected) {
  TtnnAnswers out;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    llvm::Expected<json::Value> value = json::parse(line);
    if (!value)
      return value.takeError();
    out.answers.push_back(std::move(*value));
  }
  if (out.answers.size() != expected + 1 || !out.answers.front().getAsObject())
    return llvm::createStringError("ttnn gave " + std::to_string(out.answers.size()) + " answers to " +
                                   std::to_string(expected + 1) + " questions");
  out.about = std::move(*out.answers.front().getAsObject());
  out.answers.erase(out.answers.begin());
  return out;
}

llvm::Expected<TtnnAnswers> tessera::askTtnn(const TtnnLibrary &library, const MockChip &chip,
                                             llvm::ArrayRef<std::string> requests) {
  llvm::Expected<std::string> package = unpackPackage();
  if (!package)
    return package.takeError();
  std::string chips = joined(ttnnFolder(), "chips");
  std::string input = "{\"about\":true}\n";
  for (const std::string &request : requests)
    input += request + "\n";
  llvm::Expected<std::string> output =
      runChild({library.python, "-I", *package, "serve", "--arch", chip.arch, "--grid",
                std::to_string(chip.rows) + "x" + std::to_string(chip.columns), "--dram-banks",
                std::to_string(chip.dramBanks), "--folder", chips},
               input);
  if (!output)
    return output.takeError();
  return readAnswers(*output, requests.size());
}
