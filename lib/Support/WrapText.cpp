//===- WrapText.cpp - Text that fits its lines ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/WrapText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace llvm;

namespace tessera {
namespace {

/// One line, appended to `out`. Its own leading blanks are kept and, with `indent` more, are the margin of the lines
/// that continue it. `column` is where the line begins on the screen: what the caller printed in front of it counts.
void wrapLine(StringRef line, size_t width, size_t indent, size_t column, std::string &out) {
  StringRef words = line.ltrim(' ');
  size_t margin = line.size() - words.size();
  out.append(margin, ' ');
  column += margin;
  margin += indent;
  for (bool first = true; !words.empty(); first = false) {
    StringRef word = words.take_until([](char c) { return c == ' '; });
    words = words.drop_front(word.size()).ltrim(' ');
    // A word that is too long for any line stands alone and whole, so that it can be copied.
    if (!first && column + 1 + word.size() > width) {
      out.append("\n").append(margin, ' ');
      column = margin;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
}

/// $COLUMNS; 0 without it.
size_t wantedColumns() {
  std::optional<std::string> wanted = sys::Process::GetEnv("COLUMNS");
  size_t columns = 0;
  return wanted && !StringRef(*wanted).getAsInteger(10, columns) ? columns : 0;
}

} // namespace

std::string wrapText(StringRef text, size_t width, size_t indent, size_t first) {
  std::string out;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i != lines.size(); ++i) {
    if (i > 0)
      out += '\n';
    wrapLine(lines[i], width, indent, i == 0 ? first : 0, out);
  }
  return out;
}

size_t streamWidth(const raw_ostream &os) {
  int stream = &os == &outs() ? STDOUT_FILENO : &os == &errs() ? STDERR_FILENO : -1;
  if (stream < 0 || !isatty(stream))
    return 0;
  if (size_t wanted = wantedColumns())
    return wanted;
  // Not sys::Process::StandardOutColumns, which knows $COLUMNS only.
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

size_t textWidth() {
  size_t columns = streamWidth(outs());
  if (columns == 0)
    columns = wantedColumns();
  // Longer lines are hard to read, and shorter ones leave help no room.
  return columns == 0 ? 100 : std::clamp<size_t>(columns, 40, 120);
}

} // namespace tessera
