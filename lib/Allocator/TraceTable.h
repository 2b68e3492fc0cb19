//===- TraceTable.h - Cells of recorded runs ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_ALLOCATOR_TRACETABLE_H
#define TESSERA_LIB_ALLOCATOR_TRACETABLE_H

#include "tessera/Support/Csv.h"
#include "tessera/Support/Units.h"

namespace tessera {

/// "a/b.csv:12: <what>".
llvm::Error errorAt(llvm::StringRef file, size_t line, const llvm::Twine &what);

/// A table whose columns are known. Rows are read in order; the first cell that is wrong ends up in error(), what is
/// read after it means nothing.
class TraceTable {
public:
  /// Reads `folder`/`file`. `names` are the columns, numbered in their order. An error if one is not there.
  static llvm::Expected<TraceTable> read(llvm::StringRef folder, llvm::StringRef file,
                                         llvm::ArrayRef<llvm::StringLiteral> names);

  /// Goes to the next row; false at the end or after a wrong cell.
  bool next();
  /// Of the current row, for messages; the header is line 1.
  size_t line() const { return table.row(row).line(); }
  /// As it was opened, folder included.
  llvm::StringRef path() const { return table.path(); }

  /// Cells of the row, by number of the column.
  llvm::StringRef text(size_t column) const { return table.row(row).cell(where[column]); }
  /// Blank is a value of its own in these tables: "no tensor in L1", "does not say".
  bool blank(size_t column) const { return text(column).empty(); }
  /// A whole number from `least` on.
  int64_t number(size_t column, int64_t least = 0);
  Bytes bytes(size_t column, int64_t least = 0) { return Bytes(number(column, least)); }
  /// nullopt if the cell is blank.
  std::optional<Bytes> maybeBytes(size_t column);
  /// The number in a column that the table need not have; nullopt if it has none, or the cell is blank.
  std::optional<int64_t> optionalNumber(llvm::StringRef name);
  /// "column 'dir': expected u or d, got 'x'".
  void wrong(size_t column, const llvm::Twine &expected);
  /// What is wrong with the row as a whole. Only the first message of a table is kept.
  void fail(const llvm::Twine &what);

  /// To be returned when the rows are read.
  llvm::Error error();

private:
  TraceTable(CsvTable table, llvm::ArrayRef<llvm::StringLiteral> names)
      : table(std::move(table)), names(names) {}

  CsvTable table;
  std::vector<llvm::StringLiteral> names;
  std::vector<size_t> where; ///< of the columns
  // Before the first row: next() wraps around to 0.
  size_t row = ~size_t(0);
  std::string message; ///< what is wrong with the current row
};

} // namespace tessera

#endif // TESSERA_LIB_ALLOCATOR_TRACETABLE_H
