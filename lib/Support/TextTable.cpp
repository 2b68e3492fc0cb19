//===- TextTable.cpp - Aligned tables for people --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Widths are those of the widest cell. Only on a terminal are they bounded:
// then columns of text give way, the widest first, and their cells are wrapped,
// while numbers stay whole, since half a number reads as another one. In a file
// or a pipe nothing is wrapped, so that grep finds a row on one line.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/TextTable.h"

#include "tessera/Support/WrapText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace tessera {
namespace {

/// Between two columns.
constexpr size_t kGap = 2;
/// A column of text is not made narrower: words would be cut everywhere.
constexpr size_t kNarrowest = 12;

/// Columns on a terminal; bytes where the text is not valid UTF-8.
size_t displayWidth(StringRef text) {
  int width = sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : size_t(width);
}

/// The bytes of `text` that fill at most `width` columns, one character at least; characters stay whole.
size_t bytesThatFit(StringRef text, size_t width) {
  size_t fit = 0;
  while (fit < text.size()) {
    size_t next = fit + 1;
    while (next < text.size() && (text[next] & 0xC0) == 0x80)
      ++next;
    if (fit > 0 && displayWidth(text.take_front(next)) > width)
      break;
    fit = next;
  }
  return fit;
}

/// A cell in lines of at most `width` columns, broken behind a blank or a mark that parts words, else anywhere.
SmallVector<StringRef> linesOf(StringRef text, size_t width) {
  SmallVector<StringRef> lines;
  while (displayWidth(text) > width) {
    size_t fit = bytesThatFit(text, width);
    // One more, as a blank at the end of a line is not printed.
    size_t at = text.take_front(fit + 1).find_last_of(" ");
    if (at == StringRef::npos || at == 0) {
      size_t mark = text.take_front(fit).find_last_of("/,;:_-");
      at = mark == StringRef::npos || mark == 0 ? fit : mark + 1;
    }
    lines.push_back(text.take_front(at).rtrim(' '));
    text = text.drop_front(at).ltrim(' ');
  }
  lines.push_back(text);
  return lines;
}

} // namespace

void TextTable::add(std::vector<std::string> row) {
  // A row that ends early has blanks.
  row.resize(columns.size());
  cells.push_back(std::move(row));
}

/// Narrows the widest columns of text until all fit, or none can be narrowed any more.
static void fit(std::vector<size_t> &widths, ArrayRef<TextTable::Column> columns, size_t width) {
  auto total = [&] { return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1)); };
  // The header of a column is never cut: a column that nobody can name is worse than a line that the terminal wraps.
  // A blank at a time, so that several that are too wide end equally wide.
  while (total() > width) {
    size_t widest = widths.size();
    for (size_t c = 0; c != widths.size(); ++c) {
      bool narrows = columns[c].align == Align::Left &&
                     widths[c] > std::max(kNarrowest, displayWidth(columns[c].header));
      if (narrows && (widest == widths.size() || widths[c] > widths[widest]))
        widest = c;
    }
    if (widest == widths.size())
      return;
    --widths[widest];
  }
}

void TextTable::print(raw_ostream &os) const { print(os, streamWidth(os)); }

void TextTable::print(raw_ostream &os, size_t width) const {
  std::vector<size_t> widths;
  for (size_t c = 0; c != columns.size(); ++c) {
    size_t width = displayWidth(columns[c].header);
    for (const std::vector<std::string> &row : cells)
      width = std::max(width, displayWidth(row[c]));
    widths.push_back(width);
  }
  if (width > 0 && !widths.empty())
    fit(widths, columns, width);

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
      owed += kGap + (columns[c].align == Align::Left ? fill : 0);
    }
    os << '\n';
  };
  std::vector<std::string> rules;
  for (size_t width : widths)
    rules.emplace_back(width, '-');
  printLine([&](size_t c) { return StringRef(columns[c].header); });
  printLine([&](size_t c) { return StringRef(rules[c]); });
  for (const std::vector<std::string> &row : cells) {
    std::vector<SmallVector<StringRef>> lines;
    for (size_t c = 0; c != columns.size(); ++c)
      lines.push_back(linesOf(row[c], widths[c]));
    size_t most = 1;
    for (const auto &cell : lines)
      most = std::max<size_t>(most, cell.size());
    for (size_t i = 0; i != most; ++i)
      printLine([&](size_t c) { return i < lines[c].size() ? lines[c][i] : StringRef(); });
  }
}

} // namespace tessera
