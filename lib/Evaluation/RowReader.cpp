//===- RowReader.cpp - Rows of tables by our own schemas ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Cells by the columns of a schema. Behind a cell that is wrong reading goes on
// with a value that is allowed, and the first complaint is told at the end of the
// row: one check for each row instead of one for each cell.
//
//===----------------------------------------------------------------------===//
#include "RowReader.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {

// These two are enough: a table with a slip in another column is still meant to be ours, and is to be told of it.
bool isOurs(const CsvTable &table) {
  static constexpr llvm::StringLiteral kCall[] = {"op", "operands"};
  return table.has(kCall);
}

llvm::Error checkColumns(const CsvTable &table, const Schema &schema, llvm::StringRef kind) {
  std::vector<llvm::StringRef> names;
  for (const SchemaColumn &column : schema)
    names.push_back(column.name);
  auto wrong = [&](const llvm::Twine &what) {
    return llvm::createStringError(llvm::formatv("{0}:1: {1}; a table of {2} has the columns {3}",
                                                 table.path(), what.str(), kind, llvm::join(names, ", "))
                                       .str());
  };
  // An unknown column is most often one whose name is misspelt, and would be left out in silence.
  for (llvm::StringRef name : table.columnNames())
    if (!llvm::is_contained(names, name))
      return wrong("unknown column '" + name + "'" + didYouMean(name, names));
  for (const SchemaColumn &column : schema)
    if (column.required && !table.column(column.name))
      return wrong("no column '" + column.name + "'");
  return llvm::Error::success();
}

// By column, since whether a rare one is written depends on all rows.
std::string csvText(const Schema &schema, llvm::ArrayRef<std::vector<std::string>> rows) {
  std::vector<llvm::StringRef> names;
  std::vector<std::vector<std::string>> written(rows.size());
  for (const auto &[index, column] : llvm::enumerate(schema)) {
    auto says = [i = index](const std::vector<std::string> &cells) { return !cells[i].empty(); };
    if (column.rare && llvm::none_of(rows, says))
      continue;
    names.push_back(column.name);
    for (const auto &[cells, from] : llvm::zip_equal(written, rows))
      cells.push_back(from[index]);
  }
  return tessera::csvText(names, written);
}

bool RowReader::flag(llvm::StringRef column, bool otherwise) {
  return choice<bool>(column, otherwise, {{"true", true}, {"false", false}});
}

GridShape RowReader::grid(llvm::StringRef column, GridShape otherwise) {
  constexpr int64_t kMost = 1 << 10; // and few enough to multiply
  auto [rows, columns] = row[column].split('x');
  GridShape grid;
  if (row[column].empty())
    return otherwise;
  if (!rows.getAsInteger(10, grid.rows) && !columns.getAsInteger(10, grid.columns) &&
      std::min(grid.rows, grid.columns) >= 1 && std::max(grid.rows, grid.columns) <= kMost)
    return grid;
  fail(column, llvm::formatv("'{0}' is no grid: rows x columns from 1x1 to {1}x{1}", row[column], kMost));
  return otherwise;
}

void RowReader::failChoice(llvm::StringRef column, llvm::ArrayRef<llvm::StringRef> names) {
  fail(column, "unknown '" + row[column] + "'" + didYouMean(row[column], names) +
                   "; known: " + llvm::join(names, ", "));
}

void RowReader::fail(llvm::StringRef column, const llvm::Twine &what) {
  if (wrong.empty())
    wrong = llvm::formatv("{0}:{1}: column '{2}': {3}", path, row.line(), column, what.str());
}

llvm::Error RowReader::takeError() const {
  return wrong.empty() ? llvm::Error::success() : llvm::createStringError(wrong.c_str());
}

} // namespace tessera::evaluation
