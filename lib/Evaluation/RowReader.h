//===- RowReader.h - Rows of tables by our own schemas --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_ROWREADER_H
#define TESSERA_LIB_EVALUATION_ROWREADER_H

#include "tessera/Layout/TensorLayout.h"
#include "tessera/Support/Csv.h"

#include <utility>

namespace tessera::evaluation {

/// A column of a schema: docs/timings-format.md says what its cells hold.
struct SchemaColumn {
  llvm::StringLiteral name;
  bool required = false;
  bool rare = false; ///< not written where it is blank in every row
};
using Schema = std::vector<SchemaColumn>;

/// Whether a table is meant to be by one of our schemas; others may be foreign ones that we import.
bool isOurs(const CsvTable &table);
/// All required columns are there, and no others than the schema's.
llvm::Error checkColumns(const CsvTable &table, const Schema &schema, llvm::StringRef kind);
/// A table by the schema: a cell per column in every row.
std::string csvText(const Schema &schema, llvm::ArrayRef<std::vector<std::string>> rows);

/// Reads the cells of one row and remembers the first that is wrong.
/// Values come back in any case, so that a reader needs no branch per cell: whoever is done asks takeError() once
/// per row.
class RowReader {
public:
  RowReader(CsvTable::Row row, llvm::StringRef path) : row(row), path(path) {}

  size_t line() const { return row.line(); }
  llvm::StringRef operator[](llvm::StringRef column) const { return row[column]; }
  std::string text(llvm::StringRef column) const { return row[column].str(); }
  /// `otherwise` if the cell is blank.
  bool flag(llvm::StringRef column, bool otherwise);
  /// "8x7": rows and columns.
  GridShape grid(llvm::StringRef column, GridShape otherwise);
  /// One of the names, which the message lists.
  template <class Value>
  Value choice(llvm::StringRef column, Value otherwise,
               llvm::ArrayRef<std::pair<llvm::StringRef, Value>> choices) {
    std::vector<llvm::StringRef> names;
    for (const auto &[name, value] : choices) {
      if (row[column] == name)
        return value;
      names.push_back(name);
    }
    if (!row[column].empty())
      failChoice(column, names);
    return otherwise;
  }

  /// Reading goes on after a mistake, and the first of a row is told: what follows may follow from it.
  void fail(llvm::StringRef column, const llvm::Twine &what);
  llvm::Error takeError() const;

private:
  void failChoice(llvm::StringRef column, llvm::ArrayRef<llvm::StringRef> names);

  CsvTable::Row row;
  llvm::StringRef path;
  std::string wrong;
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_ROWREADER_H
