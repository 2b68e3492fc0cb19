//===- Csv.h - Tables with named columns ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_CSV_H
#define TESSERA_SUPPORT_CSV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A CSV file (RFC 4180: quotes doubled within quotes, line breaks allowed there) in memory. Cells are parts of the
/// file's text, which the table keeps; only those with quotes are copied.
class CsvTable {
public:
  /// One record; cells are found by column name. Refers to the table.
  class Row {
  public:
    Row(const CsvTable &table, size_t index) : table(table), index(index) {}
    /// The cell, "" if there is no such column.
    llvm::StringRef operator[](llvm::StringRef column) const;
    /// The cell of a column that CsvTable::column found.
    llvm::StringRef cell(size_t column) const;
    /// The cell as a number; nullopt if it is blank or none.
    std::optional<double> number(llvm::StringRef column) const;
    /// The cell as a whole number, also if it is written as 1024.0 or 1e6; nullopt beyond 1e15.
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

  /// Whether there are columns of all these names.
  bool has(llvm::ArrayRef<llvm::StringLiteral> names) const;
  /// Where the column of that name stands; nullopt if there is none.
  std::optional<size_t> column(llvm::StringRef name) const;
  /// All columns, in their order in the file.
  llvm::ArrayRef<llvm::StringRef> columnNames() const { return names; }
  /// Records, the header not counted.
  size_t size() const { return lines.size(); }
  Row row(size_t index) const { return Row(*this, index); }
  llvm::StringRef path() const { return file; }

private:
  static llvm::Expected<CsvTable> parse(std::unique_ptr<llvm::MemoryBuffer> text, llvm::StringRef path);

  std::string file;
  std::unique_ptr<llvm::MemoryBuffer> text;
  std::unique_ptr<llvm::BumpPtrAllocator> unquoted; ///< cells that are not written as they read
  std::vector<llvm::StringRef> names;               ///< of the columns
  llvm::StringMap<size_t> columns;
  std::vector<llvm::StringRef> cells; ///< row by row
  std::vector<size_t> lines;          ///< by row
};

/// A table as CsvTable reads it, a cell per column in every row. Columns that are blank in every row are left out.
std::string csvText(llvm::ArrayRef<llvm::StringRef> columns, llvm::ArrayRef<std::vector<std::string>> rows);

} // namespace tessera

#endif // TESSERA_SUPPORT_CSV_H
