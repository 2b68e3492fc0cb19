//===- Database.cpp - An SQLite database that is made in memory -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A thin layer over SQLite that remembers the first error. A database is
// written row after row, hundreds of thousands of them, and only its end
// matters: insert() does nothing once something has failed, and take() tells
// what it was.
//
//===----------------------------------------------------------------------===//
#include "Database.h"

#include "llvm/ADT/Twine.h"

#include <sqlite3.h>

using namespace tessera::report;

Database::Database() {
  // In memory: the caller writes the bytes, atomically, beside its other files.
  note(sqlite3_open(":memory:", &file));
  // Or SQLite would end a transaction with each row.
  run("BEGIN");
}

Database::~Database() {
  sqlite3_finalize(statement);
  sqlite3_close(file);
}

void Database::note(int code) {
  if (code != SQLITE_OK && code != SQLITE_DONE && error.empty())
    error = file ? sqlite3_errmsg(file) : sqlite3_errstr(code);
}

void Database::run(const std::string &sql) {
  if (ok())
    note(sqlite3_exec(file, sql.c_str(), nullptr, nullptr, nullptr));
}

void Database::create(llvm::StringRef table, llvm::StringRef columns) {
  run(("CREATE TABLE " + table + "(" + columns + ")").str());
}

void Database::prepare(llvm::StringRef table, size_t columns) {
  sqlite3_finalize(std::exchange(statement, nullptr));
  statementTable = table.str();
  std::string sql = "INSERT INTO " + statementTable + " VALUES(?";
  for (size_t i = 1; i < columns; ++i)
    sql += ",?";
  note(sqlite3_prepare_v2(file, (sql + ")").c_str(), -1, &statement, nullptr));
}

void Database::insert(llvm::StringRef table, llvm::ArrayRef<Cell> row) {
  // Rows of a table come together, so its statement is prepared once and bound again.
  if (ok() && table != statementTable)
    prepare(table, row.size());
  if (!ok())
    return;
  for (size_t i = 0; i < row.size(); ++i) {
    int place = int(i) + 1;
    if (auto *number = std::get_if<int64_t>(&row[i]))
      sqlite3_bind_int64(statement, place, *number);
    else if (auto *real = std::get_if<double>(&row[i]))
      sqlite3_bind_double(statement, place, *real);
    else if (auto *text = std::get_if<std::string>(&row[i]))
      // The text outlives the statement's step, so SQLite need not copy it.
      sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    else
      sqlite3_bind_null(statement, place);
  }
  note(sqlite3_step(statement));
  // It says once more what the step has said.
  sqlite3_reset(statement);
}

llvm::Expected<std::string> Database::take() {
  run("COMMIT");
  if (!ok())
    return llvm::createStringError("SQLite: " + error);
  sqlite3_int64 size = 0;
  unsigned char *bytes = sqlite3_serialize(file, "main", &size, 0);
  if (!bytes)
    return llvm::createStringError("SQLite: out of memory");
  std::string copy(reinterpret_cast<const char *>(bytes), size_t(size));
  sqlite3_free(bytes);
  return copy;
}
