//===- Records.cpp - Records with something wrong in them -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Records.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <set>
#include <sqlite3.h>

using llvm::StringRef;

namespace tessera::fuzz {
namespace {

using Rows = std::vector<std::vector<std::string>>;

class Database {
public:
  explicit Database(const std::string &path) { sqlite3_open(path.c_str(), &file); }
  ~Database() { sqlite3_close(file); }

  Rows run(const std::string &sql, llvm::ArrayRef<std::string> values = {}) {
    Rows rows;
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(file, sql.c_str(), -1, &statement, nullptr);
    for (size_t i = 0; i != values.size(); ++i)
      sqlite3_bind_text(statement, int(i + 1), values[i].data(), int(values[i].size()), SQLITE_STATIC);
    while (statement && sqlite3_step(statement) == SQLITE_ROW) {
      std::vector<std::string> &row = rows.emplace_back();
      for (int column = 0; column != sqlite3_column_count(statement); ++column) {
        const void *bytes = sqlite3_column_blob(statement, column);
        row.emplace_back(static_cast<const char *>(bytes), size_t(sqlite3_column_bytes(statement, column)));
      }
    }
    sqlite3_finalize(statement);
    return rows;
  }

private:
  sqlite3 *file = nullptr;
};

std::string number(size_t n) { return std::to_string(n); }

} // namespace

std::vector<std::string> textsOf(const std::string &path) {
  Database record(path);
  std::set<std::string> texts;
  for (const char *sql : {"SELECT version FROM model", "SELECT text FROM device", "SELECT * FROM answer"})
    for (const std::vector<std::string> &row : record.run(sql))
      texts.insert(row.begin(), row.end());
  return {texts.begin(), texts.end()};
}

std::string withMutatedField(const std::string &file, const Corpus &fields, Random &random) {
  constexpr llvm::StringLiteral kTables[] = {"answer", "answer", "answer", "answer",
                                             "answer", "device", "model"};
  const std::string path = "changed";
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << file;
  Database record(path);
  std::string table = random.of(kTables).str();
  Rows columns = record.run("SELECT name FROM pragma_table_info('" + table + "')");
  Rows count = record.run("SELECT count(*) FROM " + table);
  if (!columns.empty() && !count.empty()) {
    std::string column = columns[random.below(columns.size())][0];
    std::string row = number(random.below(std::stoul("0" + count[0][0])));
    // Answers have a key of two columns, the others one: a row is named by what it holds in the first unique one.
    std::string key = table == "answer" ? "question" : table == "device" ? "text" : "version";
    Rows chosen = record.run("SELECT " + key + ", " + column + " FROM " + table + " LIMIT 1 OFFSET " + row);
    if (!chosen.empty())
      record.run("UPDATE OR IGNORE " + table + " SET " + column + " = ?1 WHERE " + key + " = ?2",
                 {mutate(chosen[0][1], fields, random), chosen[0][0]});
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : file;
}

} // namespace tessera::fuzz
