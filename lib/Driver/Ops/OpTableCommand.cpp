//===- OpTableCommand.cpp - tessera ops table -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A table of what ops accept, by trying. Shapes, types and grids are such that
// all layouts are possible at all; what is refused then is refused by a rule.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/Support/TextTable.h"

using namespace tessera;

namespace {

/// Memory layouts that are tried, with the letter that stands for them.
struct MemoryLayoutColumn {
  char letter;
  llvm::StringLiteral name, text;
};
/// A tensor of 256x256 is eight tiles high and wide, which all of these grids divide.
constexpr MemoryLayoutColumn kColumns[] = {{'D', "DRAM", "dram"},
                                           {'L', "L1", "l1"},
                                           {'H', "height-sharded", "hs8"},
                                           {'W', "width-sharded", "ws8"},
                                           {'B', "block-sharded", "bs4x4"}};

/// Whether the op takes 256x256 operands where the texts say and gives a result there.
bool accepts(const OpInfo &op, llvm::StringRef first, llvm::StringRef others, llvm::StringRef result,
             const OpModel &model) {
  std::string text = op.name.str();
  for (unsigned i = 0; i < op.minOperands; ++i)
    text += (i ? ", 256x256@" : " 256x256@") + (i ? others : first).str();
  text += " ->";
  for (unsigned i = 0; i < op.results; ++i)
    text += (i ? ", 256x256@" : " 256x256@") + result.str();
  auto query = parseQueryText(text, model.layouts(), model.device());
  if (!query) {
    // An op that takes no such operands is a line of dashes, and no error.
    llvm::consumeError(query.takeError());
    return false;
  }
  return model.query(query->query()).ok();
}

/// Letters of the result layouts that go with an operand 0 at `place`; other operands in DRAM, or there too.
std::string accepted(const OpInfo &op, const MemoryLayoutColumn &place, const OpModel &model) {
  std::string letters;
  for (const MemoryLayoutColumn &result : kColumns)
    // The other operands either way, since some ops want weights in DRAM and others all operands alike.
    if (accepts(op, place.text, "dram", result.text, model) ||
        (op.minOperands > 1 && accepts(op, place.text, place.text, result.text, model)))
      letters += result.letter;
  return letters.empty() ? "-" : letters;
}

} // namespace

/// Asked of the op model and written down nowhere, so that the table cannot be behind the rules.
int tessera::printOpTable(const OpTableArguments &arguments) {
  const DeviceSpec *device = findDeviceOrDiagnose(arguments.device);
  if (!device || !checkOrDiagnose(arguments.opModel))
    return kUsageError;
  LayoutPool layouts;
  DeviceSpec opened = asOpenedBy(arguments.opModel, *device);
  auto backend = OpModelBackend::create(arguments.opModel, {opened, layouts, l1Budget(opened)});
  if (!backend)
    return inputError(llvm::toString(backend.takeError()));
  std::vector<TextTable::Column> columns{{"op"}};
  for (const MemoryLayoutColumn &place : kColumns)
    columns.push_back({place.name.str()});
  TextTable table(std::move(columns));
  for (const OpInfo &op : knownOps()) {
    std::vector<std::string> cells{op.name.str()};
    for (const MemoryLayoutColumn &place : kColumns)
      cells.push_back(accepted(op, place, backend->model()));
    table.add(std::move(cells));
  }
  if (llvm::Error error = backend->finish())
    return inputError(llvm::toString(std::move(error)));
  llvm::outs()
      << "Result layouts that go with each layout of operand 0, for 256x256 bf16 tiles without attributes:\n"
         "D DRAM, L L1 interleaved, H height-, W width-, B block-sharded; - none. `tessera ops explain` "
         "asks anything else.\n\n";
  table.print(llvm::outs());
  return kSuccess;
}
