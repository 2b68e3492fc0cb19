//===- Csv.h - Tables with named columns ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_EVALUATION_CSV_H
#define TESSERA_LIB_OPMODEL_EVALUATION_CSV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::evaluation {

/// A CSV file (RFC 4180: quotes doubled within quotes, line breaks allowed there) in memory.
class CsvTable {
public:
  /// One record; cells are found by column name.
  class Row {
  public:
    Row(const CsvTable &table, size_t index) : table(table), index(index) {}
    /// The cell, "" if there is no such column.
    llvm::StringRef operator[](llvm::StringRef column) const;
    /// The cell as a number; nullopt if it is blank or none.
    std::optional<double> number(llvm::StringRef column) const;
    std::optional<int64_t> integer(llvm::StringRef column) const;
    /// Line of the file in which the record begins, from 1.
    size_t line() const { return table.lines[index]; }

  private:
    const CsvTable &table;
    size_t index;
  };

  /// Errors name file and line: unreadable file, no header, a column named twice, a record with more or fewer
  /// fields than the header, a quote that is never closed.
  static llvm::Expected<CsvTable> read(llvm::StringRef path);
  static llvm::Expected<CsvTable> parse(llvm::StringRef text, llvm::StringRef path);

  bool has(llvm::ArrayRef<llvm::StringLiteral> names) const;
  size_t size() const { return cells.size(); }
  Row row(size_t index) const { return Row(*this, index); }
  llvm::StringRef path() const { return file; }

private:
  std::string file;
  llvm::StringMap<size_t> columns;
  std::vector<std::vector<std::string>> cells;
  std::vector<size_t> lines;
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_OPMODEL_EVALUATION_CSV_H
