//===- RecordFile.cpp - A record on disk ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RecordFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <sqlite3.h>

namespace tessera {
namespace {

/// "TSRA" in the file's header, and the version of the tables and of the questions' text.
constexpr int64_t kApplicationId = 0x54535241;
constexpr int64_t kFormat = 1;
/// How long a writer waits for another process, in milliseconds.
constexpr int kBusyTimeout = 10000;

/// Rows take 1 to 2 KB. SQLite gives what is larger than a quarter of a page a page of its own, so 4 KB would
/// be wasteful.
constexpr const char *kPageSize = "PRAGMA page_size = 16384";
constexpr const char *kTables = R"(
PRAGMA application_id = 1414746689;
PRAGMA user_version = 1;
CREATE TABLE model(version TEXT NOT NULL);
CREATE TABLE device(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE answer(
  device INTEGER NOT NULL REFERENCES device(id), question TEXT NOT NULL,
  status TEXT NOT NULL, rule TEXT NOT NULL, message TEXT NOT NULL, output_layouts TEXT NOT NULL,
  cb_l1_peak_bytes INTEGER NOT NULL, tensor_l1_peak_bytes INTEGER NOT NULL, l1_peak_bytes INTEGER NOT NULL,
  output_l1_bytes INTEGER NOT NULL, compute_ns REAL NOT NULL, l1_ns REAL NOT NULL, noc_ns REAL NOT NULL,
  dram_ns REAL NOT NULL, dispatch_ns REAL NOT NULL, total_ns REAL NOT NULL,
  PRIMARY KEY(device, question)) WITHOUT ROWID;
)";
static_assert(kApplicationId == 1414746689 && kFormat == 1, "the pragmas above");

constexpr const char *kSelect = "SELECT status, rule, message, output_layouts, cb_l1_peak_bytes, "
                                "tensor_l1_peak_bytes, l1_peak_bytes, output_l1_bytes, "
                                "compute_ns, l1_ns, noc_ns, dram_ns, dispatch_ns, total_ns FROM answer WHERE "
                                "device = ?1 AND question = ?2";
constexpr const char *kInsert =
    "INSERT OR REPLACE INTO answer(device, question, status, rule, message, output_layouts, "
    "cb_l1_peak_bytes, "
    "tensor_l1_peak_bytes, l1_peak_bytes, output_l1_bytes, compute_ns, l1_ns, noc_ns, dram_ns, dispatch_ns, "
    "total_ns) "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
constexpr std::string RecordRow::*kTexts[] = {&RecordRow::status, &RecordRow::rule, &RecordRow::message,
                                              &RecordRow::outputs};

llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// SQLite reads names like ":memory:" in its own way.
std::string asFileName(llvm::StringRef path) {
  return path.starts_with(":") ? "./" + path.str() : path.str();
}

void bindText(sqlite3_stmt *statement, int index, llvm::StringRef text) {
  sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

std::string columnText(sqlite3_stmt *statement, int index) {
  const unsigned char *text = sqlite3_column_text(statement, index);
  return text ? std::string(reinterpret_cast<const char *>(text),
                            size_t(sqlite3_column_bytes(statement, index)))
              : std::string();
}

} // namespace

void RecordFile::Close::operator()(sqlite3 *file) const { sqlite3_close(file); }
void RecordFile::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

// ---- SQLite ----------------------------------------------------------------------------------------------

llvm::Error RecordFile::failure(llvm::StringRef doing) const {
  return error("cannot " + doing + " '" + path + "': " + sqlite3_errmsg(file.get()));
}

llvm::Error RecordFile::execute(const char *sql) {
  if (sqlite3_exec(file.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK)
    return llvm::Error::success();
  return failure(writing ? "write" : "read");
}

llvm::Expected<RecordFile::Statement> RecordFile::prepare(const char *sql) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(file.get(), sql, -1, &statement, nullptr) != SQLITE_OK)
    return failure("read");
  return Statement(statement);
}

llvm::Expected<std::optional<std::string>> RecordFile::text(const char *sql, llvm::StringRef parameter) {
  llvm::Expected<Statement> statement = prepare(sql);
  if (!statement)
    return statement.takeError();
  if (sqlite3_bind_parameter_count(statement->get()) > 0)
    bindText(statement->get(), 1, parameter);
  switch (sqlite3_step(statement->get())) {
  case SQLITE_ROW:
    return columnText(statement->get(), 0);
  case SQLITE_DONE:
    return std::nullopt;
  default:
    return failure("read");
  }
}

llvm::Expected<int64_t> RecordFile::number(const char *sql) {
  llvm::Expected<Statement> statement = prepare(sql);
  if (!statement)
    return statement.takeError();
  if (sqlite3_step(statement->get()) != SQLITE_ROW)
    return failure("read");
  return sqlite3_column_int64(statement->get(), 0);
}

// ---- Opening ---------------------------------------------------------------------------------------------

llvm::Expected<RecordFile> RecordFile::open(llvm::StringRef path, int flags) {
  RecordFile record(path);
  sqlite3 *file = nullptr;
  int status = sqlite3_open_v2(asFileName(path).c_str(), &file, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  record.file.reset(file);
  record.writing = !(flags & SQLITE_OPEN_READONLY);
  if (status != SQLITE_OK)
    return record.failure(record.writing ? "write" : "read");
  sqlite3_busy_timeout(file, kBusyTimeout);
  return std::move(record);
}

llvm::Expected<bool> RecordFile::isEmpty() {
  llvm::Expected<int64_t> tables = number("SELECT count(*) FROM sqlite_schema");
  if (!tables)
    return tables.takeError();
  return *tables == 0;
}

llvm::Error RecordFile::checkFormat() {
  llvm::Expected<int64_t> application = number("PRAGMA application_id");
  if (!application)
    return application.takeError();
  if (*application != kApplicationId)
    return error("'" + path + "' is no record of op model answers");
  llvm::Expected<int64_t> format = number("PRAGMA user_version");
  if (!format)
    return format.takeError();
  if (*format != kFormat)
    return error("'" + path + "' is a record in format " + llvm::Twine(*format) +
                 "; this version reads format " + llvm::Twine(kFormat));
  return llvm::Error::success();
}

llvm::Error RecordFile::checkModel(llvm::StringRef modelVersion) {
  llvm::Expected<std::optional<std::string>> holds = text("SELECT version FROM model");
  if (!holds)
    return holds.takeError();
  if (*holds == modelVersion)
    return llvm::Error::success();
  return error("'" + path + "' holds the answers of '" + holds->value_or("") + "', not of '" + modelVersion +
               "'; record into another file");
}

llvm::Expected<RecordFile> RecordFile::openToRead(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code reason = llvm::sys::fs::status(path, status))
    return error("cannot read '" + path + "': " + reason.message());
  llvm::Expected<RecordFile> record = open(path, SQLITE_OPEN_READONLY);
  if (!record)
    return record.takeError();
  if (llvm::Error wrong = record->checkFormat())
    return std::move(wrong);
  return record;
}

llvm::Expected<RecordFile> RecordFile::openToWrite(llvm::StringRef path, llvm::StringRef modelVersion) {
  llvm::Expected<RecordFile> record = open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!record)
    return record.takeError();
  for (const char *sql : {kPageSize, "BEGIN IMMEDIATE"})
    if (llvm::Error wrong = record->execute(sql))
      return std::move(wrong);
  llvm::Expected<bool> empty = record->isEmpty();
  if (!empty)
    return empty.takeError();
  if (*empty)
    if (llvm::Error wrong = record->createTables(modelVersion))
      return std::move(wrong);
  if (llvm::Error wrong = record->checkFormat())
    return std::move(wrong);
  if (llvm::Error wrong = record->checkModel(modelVersion))
    return std::move(wrong);
  return record;
}

llvm::Error RecordFile::checkWritable(llvm::StringRef path, llvm::StringRef modelVersion) {
  if (llvm::sys::fs::exists(path)) {
    llvm::Expected<RecordFile> record = openToWrite(path, modelVersion); // closing it rolls back
    return record.takeError();
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (std::error_code reason =
          llvm::sys::fs::access(folder.empty() ? "." : folder, llvm::sys::fs::AccessMode::Write))
    return error("cannot write '" + path + "': " + reason.message());
  return llvm::Error::success();
}

llvm::Error RecordFile::createTables(llvm::StringRef modelVersion) {
  if (llvm::Error wrong = execute(kTables))
    return wrong;
  return text("INSERT INTO model VALUES(?1)", modelVersion).takeError();
}

// ---- Rows ------------------------------------------------------------------------------------------------

llvm::Error RecordFile::selectDevice(llvm::StringRef deviceText) {
  if (writing)
    if (llvm::Error wrong = text("INSERT OR IGNORE INTO device(text) VALUES(?1)", deviceText).takeError())
      return wrong;
  llvm::Expected<std::optional<std::string>> id = text("SELECT id FROM device WHERE text = ?1", deviceText);
  if (!id)
    return id.takeError();
  device.reset();
  int64_t number = 0;
  if (*id && !llvm::StringRef(**id).getAsInteger(10, number))
    device = number;
  llvm::Expected<Statement> statement = prepare(kSelect);
  if (!statement)
    return statement.takeError();
  lookup = std::move(*statement);
  return llvm::Error::success();
}

llvm::Expected<std::optional<RecordRow>> RecordFile::find(llvm::StringRef question) {
  if (!device)
    return std::nullopt;
  sqlite3_stmt *statement = lookup.get();
  sqlite3_bind_int64(statement, 1, *device);
  bindText(statement, 2, question);
  std::optional<RecordRow> row;
  int status = sqlite3_step(statement);
  if (status == SQLITE_ROW) {
    row.emplace();
    int column = 0;
    for (auto text : kTexts)
      (*row).*text = columnText(statement, column++);
    for (int64_t &size : row->sizes)
      size = sqlite3_column_int64(statement, column++);
    for (double &time : row->times)
      time = sqlite3_column_double(statement, column++);
  }
  // Formatted before the reset, which lets a writer in but forgets the reason.
  llvm::Error wrong =
      status == SQLITE_ROW || status == SQLITE_DONE ? llvm::Error::success() : failure("read");
  sqlite3_reset(statement);
  if (wrong)
    return std::move(wrong);
  return row;
}

llvm::Error RecordFile::insert(sqlite3_stmt *statement, const std::string &question, const RecordRow &row) {
  int index = 1;
  sqlite3_bind_int64(statement, index++, *device);
  bindText(statement, index++, question);
  for (auto text : kTexts)
    bindText(statement, index++, row.*text);
  for (int64_t size : row.sizes)
    sqlite3_bind_int64(statement, index++, size);
  for (double time : row.times)
    sqlite3_bind_double(statement, index++, time);
  if (sqlite3_step(statement) != SQLITE_DONE)
    return failure("write");
  sqlite3_reset(statement);
  return llvm::Error::success();
}

llvm::Error RecordFile::write(const std::map<std::string, RecordRow> &rows) {
  if (!device)
    return error("cannot write '" + path + "': the device has no number");
  llvm::Expected<Statement> statement = prepare(kInsert);
  if (!statement)
    return statement.takeError();
  for (const auto &[question, row] : rows)
    if (llvm::Error wrong = insert(statement->get(), question, row))
      return wrong;
  return llvm::Error::success();
}

llvm::Error RecordFile::commit() { return execute("COMMIT"); }

} // namespace tessera
