//===- TextTable.cpp - Aligned tables for people --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/TextTable.h"

#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace tessera {
namespace {

/// Columns on a terminal; bytes where the text is not valid UTF-8.
size_t displayWidth(StringRef text) {
  int width = sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : size_t(width);
}

} // namespace

void TextTable::add(std::vector<std::string> row) {
  row.resize(columns.size());
  cells.push_back(std::move(row));
}

void TextTable::print(raw_ostream &os) const {
  std::vector<size_t> widths;
  for (size_t c = 0; c != columns.size(); ++c) {
    size_t width = displayWidth(columns[c].header);
    for (const std::vector<std::string> &row : cells)
      width = std::max(width, displayWidth(row[c]));
    widths.push_back(width);
  }

  // Blanks are owed until text follows them, so that lines do not end in any.
  auto printLine = [&](auto &&textOf) {
    size_t owed = 0;
    for (size_t c = 0; c != columns.size(); ++c) {
      StringRef text = textOf(c);
      size_t fill = widths[c] - displayWidth(text);
      if (columns[c].align == Align::Right)
        owed += fill;
      if (!text.empty()) {
        os.indent(owed) << text;
        owed = 0;
      }
      owed += 2 + (columns[c].align == Align::Left ? fill : 0);
    }
    os << '\n';
  };
  std::vector<std::string> rules;
  for (size_t width : widths)
    rules.emplace_back(width, '-');
  printLine([&](size_t c) { return StringRef(columns[c].header); });
  printLine([&](size_t c) { return StringRef(rules[c]); });
  for (const std::vector<std::string> &row : cells)
    printLine([&](size_t c) { return StringRef(row[c]); });
}

} // namespace tessera
