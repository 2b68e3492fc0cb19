//===- Database.h - An SQLite database that is made in memory -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REPORT_DATABASE_H
#define TESSERA_LIB_REPORT_DATABASE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace tessera::report {

/// What a row holds; monostate is NULL.
using Cell = std::variant<std::monostate, int64_t, double, std::string>;

/// Rows are collected in one transaction. The first error stays; all later calls do nothing.
class Database {
public:
  Database();
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  /// `columns` as SQL: "operation_id int, name text".
  void create(llvm::StringRef table, llvm::StringRef columns);
  /// Requires as many cells as the table has columns, and text that lives until the call returns.
  void insert(llvm::StringRef table, llvm::ArrayRef<Cell> row);
  /// Ends the transaction; the file's bytes.
  llvm::Expected<std::string> take();

private:
  void run(const std::string &sql);
  /// Makes the statement that inserts into a table of so many columns.
  void prepare(llvm::StringRef table, size_t columns);
  bool ok() const { return error.empty(); }
  /// Keeps the first error.
  void note(int code);

  sqlite3 *file = nullptr;
  sqlite3_stmt *statement = nullptr; ///< of the table that was last inserted into
  std::string statementTable, error;
};

} // namespace tessera::report

#endif // TESSERA_LIB_REPORT_DATABASE_H
