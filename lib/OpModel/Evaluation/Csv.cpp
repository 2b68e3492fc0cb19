//===- Csv.cpp - Tables with named columns --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Csv.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

namespace tessera::evaluation {
namespace {

llvm::Error failed(llvm::StringRef path, size_t line, const llvm::Twine &what) {
  return llvm::createStringError(llvm::formatv("{0}:{1}: {2}", path, line, what.str()).str().c_str());
}

/// Takes records off a text and counts lines.
struct Scanner {
  llvm::StringRef text;
  size_t line = 1;
  bool unclosed = false; ///< the last record ended within quotes

  std::vector<std::string> record() {
    std::vector<std::string> fields(1);
    bool quoted = false;
    size_t i = 0;
    for (; i < text.size(); ++i) {
      char c = text[i];
      line += c == '\n';
      if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        fields.back() += text[++i];
      else if (c == '"')
        quoted = !quoted;
      else if (quoted)
        fields.back() += c;
      else if (c == ',')
        fields.emplace_back();
      else if (c == '\n')
        break;
      else if (c != '\r')
        fields.back() += c;
    }
    unclosed = quoted;
    text = text.drop_front(std::min(i + 1, text.size()));
    return fields;
  }
};

} // namespace

llvm::Expected<CsvTable> CsvTable::read(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(file.getError(), "cannot read '%s': %s", path.str().c_str(),
                                   file.getError().message().c_str());
  return parse((*file)->getBuffer(), path);
}

llvm::Expected<CsvTable> CsvTable::parse(llvm::StringRef text, llvm::StringRef path) {
  CsvTable table;
  table.file = path.str();
  Scanner scan{text};
  scan.text.consume_front("\xEF\xBB\xBF");
  std::vector<std::string> header = scan.record();
  if (scan.unclosed)
    return failed(path, 1, "a quote in the header is never closed");
  if (header.size() == 1 && header[0].empty())
    return failed(path, 1, "no header: the first line must name the columns");
  for (size_t i = 0; i < header.size(); ++i)
    if (!table.columns.try_emplace(header[i], i).second)
      return failed(path, 1, "column '" + header[i] + "' is there twice");
  while (!scan.text.empty()) {
    size_t line = scan.line;
    std::vector<std::string> fields = scan.record();
    if (scan.unclosed)
      return failed(path, line, "a quote is never closed");
    if (fields.size() == 1 && fields[0].empty())
      continue;
    if (fields.size() != header.size())
      return failed(
          path, line,
          llvm::formatv("{0} fields, but the header names {1} columns", fields.size(), header.size()).str());
    table.cells.push_back(std::move(fields));
    table.lines.push_back(line);
  }
  return table;
}

bool CsvTable::has(llvm::ArrayRef<llvm::StringLiteral> names) const {
  return llvm::all_of(names, [&](llvm::StringRef name) { return columns.contains(name); });
}

llvm::StringRef CsvTable::Row::operator[](llvm::StringRef column) const {
  auto it = table.columns.find(column);
  return it == table.columns.end() ? llvm::StringRef()
                                   : llvm::StringRef(table.cells[index][it->second]).trim();
}

std::optional<double> CsvTable::Row::number(llvm::StringRef column) const {
  double value;
  if ((*this)[column].getAsDouble(value) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<int64_t> CsvTable::Row::integer(llvm::StringRef column) const {
  std::optional<double> value = number(column);
  if (!value || !(*value > -1e15 && *value < 1e15) || *value != double(int64_t(*value)))
    return std::nullopt;
  return int64_t(*value);
}

} // namespace tessera::evaluation
