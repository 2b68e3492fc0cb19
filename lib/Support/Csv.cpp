//===- Csv.cpp - Tables with named columns --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Timings are long tables that several commands read whole before they answer.
// So a cell is a view of the file's text, all cells of a table lie in one
// vector (row by row, without a vector per row), and only a cell that has
// quotes or a carriage return is written out into memory of its own. Every
// error names the line in which the record begins, as an editor counts it: a
// cell in quotes may reach over several lines, so lines are counted by the
// scanner and not by records.
//
//===----------------------------------------------------------------------===//
#include "tessera/Support/Csv.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/StringSaver.h"

#include <cmath>

namespace tessera {
namespace {

llvm::Error failed(llvm::StringRef path, size_t line, const llvm::Twine &what) {
  return llvm::createStringError(llvm::formatv("{0}:{1}: {2}", path, line, what.str()).str());
}

/// Takes records off a text and counts lines.
struct Scanner {
  llvm::StringRef text;
  llvm::StringSaver unquoted;
  size_t line = 1;
  bool unclosed = false; ///< the last record ended within quotes

  /// Adds the next record's fields to `fields`; returns how many.
  size_t record(std::vector<llvm::StringRef> &fields) {
    size_t before = fields.size();
    do
      fields.push_back(field());
    while (text.consume_front(","));
    if (text.consume_front("\n"))
      ++line;
    return fields.size() - before;
  }

private:
  llvm::StringRef field() {
    constexpr llvm::StringLiteral kEnds = ",\n", kSpecial = ",\n\"\r";
    size_t end = std::min(text.find_first_of(kSpecial), text.size());
    // Cells without quotes, nearly all, are used where they stand in the file.
    if (end < text.size() && !kEnds.contains(text[end]))
      return fieldWithQuotes();
    llvm::StringRef cell = text.take_front(end);
    text = text.drop_front(end);
    return cell;
  }

  llvm::StringRef fieldWithQuotes() {
    std::string cell;
    bool quoted = false;
    size_t i = 0;
    for (; i < text.size(); ++i) {
      char c = text[i];
      if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else if (c == '"')
        quoted = !quoted;
      else if (!quoted && (c == ',' || c == '\n'))
        break;
      // Files from Windows end their lines with both; within quotes it is the cell's.
      else if (quoted || c != '\r')
        cell += c;
      line += c == '\n'; // within quotes
    }
    unclosed = quoted;
    text = text.drop_front(i);
    return unquoted.save(cell);
  }
};

} // namespace

llvm::Expected<CsvTable> CsvTable::read(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(file.getError(), "cannot read '%s': %s", path.str().c_str(),
                                   file.getError().message().c_str());
  return parse(std::move(*file), path);
}

llvm::Expected<CsvTable> CsvTable::parse(llvm::StringRef text, llvm::StringRef path) {
  return parse(llvm::MemoryBuffer::getMemBufferCopy(text), path);
}

llvm::Expected<CsvTable> CsvTable::parse(std::unique_ptr<llvm::MemoryBuffer> text, llvm::StringRef path) {
  CsvTable table;
  table.file = path.str();
  table.text = std::move(text);
  table.unquoted = std::make_unique<llvm::BumpPtrAllocator>();
  Scanner scan{table.text->getBuffer(), llvm::StringSaver(*table.unquoted)};
  // Spreadsheets write a byte order mark.
  scan.text.consume_front("\xEF\xBB\xBF");
  // Such a line may be the whole file, and would be quoted as a column's name.
  if (scan.text.contains('\0'))
    return failed(path, 1, "this is no text: it has bytes that are 0");
  std::vector<llvm::StringRef> header;
  scan.record(header);
  if (scan.unclosed)
    return failed(path, 1, "a quote in the header is never closed");
  if (header.size() == 1 && header[0].empty())
    return failed(path, 1, "no header: the first line must name the columns");
  table.names = header;
  for (size_t i = 0; i < header.size(); ++i)
    // A name that stands twice would make Row::operator[] ambiguous: it would read one of the two columns in silence.
    if (!table.columns.try_emplace(header[i], i).second)
      return failed(path, 1, "column '" + header[i] + "' is there twice");
  while (!scan.text.empty()) {
    size_t line = scan.line;
    size_t fields = scan.record(table.cells);
    if (scan.unclosed)
      return failed(path, line, "a quote is never closed");
    // In a table of a single column a record that is empty on purpose cannot be told from a blank line; it is dropped,
    // too.
    // Blank lines, the last one most of all.
    if (fields == 1 && table.cells.back().empty()) {
      table.cells.pop_back();
      continue;
    }
    if (fields != header.size())
      return failed(
          path, line,
          llvm::formatv("{0} fields, but the header names {1} columns", fields, header.size()).str());
    table.lines.push_back(line);
  }
  return table;
}

bool CsvTable::has(llvm::ArrayRef<llvm::StringLiteral> names) const {
  return llvm::all_of(names, [&](llvm::StringRef name) { return columns.contains(name); });
}

std::optional<size_t> CsvTable::column(llvm::StringRef name) const {
  auto it = columns.find(name);
  return it == columns.end() ? std::nullopt : std::optional(it->second);
}

llvm::StringRef CsvTable::Row::cell(size_t column) const {
  // Blanks around a cell are how people align columns.
  return table.cells[index * table.columns.size() + column].trim();
}

llvm::StringRef CsvTable::Row::operator[](llvm::StringRef name) const {
  std::optional<size_t> column = table.column(name);
  return column ? cell(*column) : llvm::StringRef();
}

std::optional<double> CsvTable::Row::number(llvm::StringRef column) const {
  double value;
  if ((*this)[column].getAsDouble(value) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<int64_t> CsvTable::Row::integer(llvm::StringRef column) const {
  std::optional<double> value = number(column);
  // Spreadsheets write whole numbers as 1024.0 or 1e6, too; beyond 1e15 a double no longer tells them apart.
  if (!value || !(*value > -1e15 && *value < 1e15) || *value != double(int64_t(*value)))
    return std::nullopt;
  return int64_t(*value);
}

namespace {

void addCell(std::string &text, llvm::StringRef cell) {
  // Quoted, blanks at an end are kept by readers that trim others; CsvTable trims all.
  if (cell == cell.trim() && cell.find_first_of(",\"\r\n") == llvm::StringRef::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (char c : cell)
    text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

} // namespace

std::string csvText(llvm::ArrayRef<llvm::StringRef> columns, llvm::ArrayRef<std::vector<std::string>> rows) {
  // Formats have many columns that most tables do not need (docs/timings-format.md): one that is blank in all
  // rows is left out.
  std::vector<size_t> kept;
  for (size_t c = 0; c < columns.size(); ++c)
    if (llvm::any_of(rows, [&](const std::vector<std::string> &row) { return !row[c].empty(); }))
      kept.push_back(c);
  std::string text;
  auto addRow = [&](auto cellOf) {
    for (size_t i = 0; i < kept.size(); ++i) {
      text += i ? "," : "";
      addCell(text, cellOf(kept[i]));
    }
    text += '\n';
  };
  addRow([&](size_t c) { return columns[c]; });
  for (const std::vector<std::string> &row : rows)
    addRow([&](size_t c) { return llvm::StringRef(row[c]); });
  return text;
}

} // namespace tessera
