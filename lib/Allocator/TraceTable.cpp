//===- TraceTable.cpp - Cells of recorded runs ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A cell that is wrong notes the first complaint and stands for a number that is
// allowed, so readers of rows need no checks of their own. next() then stays at
// the row, and the error has its line.
//
//===----------------------------------------------------------------------===//
#include "TraceTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tessera;

llvm::Error tessera::errorAt(llvm::StringRef file, size_t line, const llvm::Twine &what) {
  return llvm::createStringError(llvm::formatv("{0}:{1}: {2}", file, line, what.str()).str());
}

/// A whole number that fits 64 bits with its sign; nullopt if the text is not one, or below `least`.
static std::optional<int64_t> parseNumber(llvm::StringRef text, int64_t least) {
  int64_t value;
  return text.getAsInteger(10, value) || value < least ? std::nullopt : std::optional(value);
}

llvm::Expected<TraceTable> TraceTable::read(llvm::StringRef folder, llvm::StringRef file,
                                            llvm::ArrayRef<llvm::StringLiteral> names) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, file);
  llvm::Expected<CsvTable> csv = CsvTable::read(path);
  if (!csv)
    return csv.takeError();
  TraceTable table(std::move(*csv), names);
  for (llvm::StringLiteral name : names) {
    std::optional<size_t> column = table.table.column(name);
    if (!column)
      return errorAt(path, 1, "no column '" + name + "'");
    table.where.push_back(*column);
  }
  return table;
}

// Stops at a wrong row instead of past it, so that line() is still its line when error() is asked for.
bool TraceTable::next() { return message.empty() && ++row < table.size(); }

int64_t TraceTable::number(size_t column, int64_t least) {
  // A stand-in that is allowed lets the reader go on to the end of the row without a check after each cell.
  if (std::optional<int64_t> value = parseNumber(text(column), least))
    return *value;
  wrong(column, "a whole number from " + llvm::Twine(least) + " on");
  return least;
}

std::optional<Bytes> TraceTable::maybeBytes(size_t column) {
  return blank(column) ? std::nullopt : std::optional(bytes(column));
}

std::optional<int64_t> TraceTable::optionalNumber(llvm::StringRef name) {
  llvm::StringRef cell = table.column(name) ? table.row(row)[name] : llvm::StringRef();
  std::optional<int64_t> value = parseNumber(cell, 0);
  if (!value && !cell.empty())
    fail("column '" + name + "': expected a whole number from 0 on, got '" + cell + "'");
  return value;
}

void TraceTable::wrong(size_t column, const llvm::Twine &expected) {
  fail("column '" + names[column] + "': expected " + expected + ", got '" + text(column) + "'");
}

void TraceTable::fail(const llvm::Twine &what) {
  // The first counts: later cells of a row may look wrong only because of it.
  if (message.empty())
    message = what.str();
}

llvm::Error TraceTable::error() {
  return message.empty() ? llvm::Error::success() : errorAt(path(), line(), message);
}
