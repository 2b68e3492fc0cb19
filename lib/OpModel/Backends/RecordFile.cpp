//===- RecordFile.cpp - A record on disk ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// SQLite, since several runs may share a file: readers see what was there when they began, and a writer's rows come in
// one transaction or not at all. Everything that a statement is made of is text of this file; what comes from outside
// is bound to parameters.
//
//===----------------------------------------------------------------------===//
#include "RecordFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <sqlite3.h>

namespace tessera {
namespace {

/// What stands in the file's header, by RecordKind, and how messages call such a file.
struct KindInfo {
  int64_t applicationId;
  llvm::StringLiteral noun, advice;
};
// Different in the header, so that a record that took hours is never started anew as a cache.
constexpr KindInfo kKinds[] = {{0x54535241 /* TSRA */, "record", ""},
                               {0x54534341 /* TSCA */, "cache", "; delete it, or name another file"}};
/// The version of the tables and of the questions' text.
constexpr int64_t kFormat = 2;
/// How long a writer waits for another process, in milliseconds.
constexpr int kBusyTimeout = 10000;

/// Rows take 1 to 2 KB. SQLite gives what is larger than a quarter of a page a page of its own, so 4 KB would
/// be wasteful.
constexpr const char *kPageSize = "PRAGMA page_size = 16384";
/// AUTOINCREMENT: a reader of a cache that another process starts anew meets no other scope under its id.
constexpr const char *kTables = R"(
CREATE TABLE model(version TEXT NOT NULL);
CREATE TABLE device(id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE);
CREATE TABLE answer(
  device INTEGER NOT NULL REFERENCES device(id), question TEXT NOT NULL,
  status TEXT NOT NULL, rule TEXT NOT NULL, message TEXT NOT NULL, output_layouts TEXT NOT NULL,
  cb_l1_peak_bytes INTEGER NOT NULL, tensor_l1_peak_bytes INTEGER NOT NULL, l1_peak_bytes INTEGER NOT NULL,
  output_l1_bytes INTEGER NOT NULL, safety_margin_bytes INTEGER NOT NULL, compute_ns REAL NOT NULL,
  l1_ns REAL NOT NULL, noc_ns REAL NOT NULL, dram_ns REAL NOT NULL, dispatch_ns REAL NOT NULL,
  total_ns REAL NOT NULL,
  PRIMARY KEY(device, question)) WITHOUT ROWID;
)";
// Rows, not tables: the file stays valid for who is reading it.
constexpr const char *kStartAnew = "DELETE FROM answer; DELETE FROM device; DELETE FROM model";
constexpr const char *kInsertModel = "INSERT INTO model VALUES(?1)";

constexpr const char *kSelect = "SELECT status, rule, message, output_layouts, cb_l1_peak_bytes, "
                                "tensor_l1_peak_bytes, l1_peak_bytes, output_l1_bytes, safety_margin_bytes, "
                                "compute_ns, l1_ns, noc_ns, dram_ns, dispatch_ns, total_ns FROM answer WHERE "
                                "device = ?1 AND question = ?2";
constexpr const char *kInsert =
    "INSERT OR REPLACE INTO answer(device, question, status, rule, message, output_layouts, "
    "cb_l1_peak_bytes, "
    "tensor_l1_peak_bytes, l1_peak_bytes, output_l1_bytes, safety_margin_bytes, compute_ns, l1_ns, noc_ns, "
    "dram_ns, dispatch_ns, "
    "total_ns) "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
// In the order of the columns, of kSelect and of kInsert: text first, then sizes, then times.
constexpr std::string RecordRow::*kTexts[] = {&RecordRow::status, &RecordRow::rule, &RecordRow::message,
                                              &RecordRow::outputs};

llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

const KindInfo &infoOf(RecordKind kind) { return kKinds[size_t(kind)]; }

/// SQLite reads names like ":memory:" in its own way.
std::string asFileName(llvm::StringRef path) {
  return path.starts_with(":") ? "./" + path.str() : path.str();
}

void bindText(sqlite3_stmt *statement, int index, llvm::StringRef text) {
  // Not copied: the text outlives the step that follows.
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
  int code = sqlite3_errcode(file.get());
  // Only a cache may be deleted without loss, so its advice says so and that of a record is empty.
  bool unusable = code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
  return error("cannot " + doing + " '" + path + "': " + sqlite3_errmsg(file.get()) +
               (unusable ? llvm::StringRef(infoOf(kind).advice) : ""));
}

llvm::Error RecordFile::execute(const std::string &sql) {
  if (sqlite3_exec(file.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK)
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

llvm::Expected<RecordFile> RecordFile::open(llvm::StringRef path, RecordKind kind, int flags) {
  RecordFile record(path, kind);
  sqlite3 *file = nullptr;
  // Without SQLite's own locks: whoever holds the file asks from one thread at a time. A file that does not open has a
  // handle all the same, which knows the reason.
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
  const KindInfo &info = infoOf(kind);
  // The kind first: a file of something else has no format to complain of.
  llvm::Expected<int64_t> application = number("PRAGMA application_id");
  if (!application)
    return application.takeError();
  if (*application != info.applicationId)
    return error("'" + path + "' is not a " + info.noun + " of op model answers");
  llvm::Expected<int64_t> format = number("PRAGMA user_version");
  if (!format)
    return format.takeError();
  if (*format != kFormat)
    return error("'" + path + "' is a " + info.noun + " in format " + llvm::Twine(*format) +
                 "; this version reads format " + llvm::Twine(kFormat) + info.advice);
  return llvm::Error::success();
}

llvm::Expected<std::optional<std::string>> RecordFile::modelVersion() {
  return text("SELECT version FROM model");
}

/// A record says whose answers it holds, so another model's are refused; a cache is only a way to save time, and is
/// started anew.
llvm::Error RecordFile::checkModel(llvm::StringRef wanted) {
  llvm::Expected<std::optional<std::string>> holds = modelVersion();
  if (!holds)
    return holds.takeError();
  if (*holds == wanted)
    return llvm::Error::success();
  if (kind == RecordKind::Record)
    return error("'" + path + "' holds the answers of '" + holds->value_or("") + "', not of '" + wanted +
                 "'; record into another file");
  if (llvm::Error wrong = execute(kStartAnew))
    return wrong;
  return text(kInsertModel, wanted).takeError();
}

llvm::Expected<RecordFile> RecordFile::openToRead(llvm::StringRef path) {
  // Asked of the system first, which knows why; SQLite says only that it could not.
  llvm::sys::fs::file_status status;
  if (std::error_code reason = llvm::sys::fs::status(path, status))
    return error("cannot read '" + path + "': " + reason.message());
  llvm::Expected<RecordFile> record = open(path, RecordKind::Record, SQLITE_OPEN_READONLY);
  if (!record)
    return record.takeError();
  if (llvm::Error wrong = record->checkFormat())
    return std::move(wrong);
  return record;
}

llvm::Expected<std::optional<RecordFile>> RecordFile::openCache(llvm::StringRef path,
                                                                llvm::StringRef modelVersion) {
  // Nothing to read yet is not an error: the run fills the cache.
  if (!llvm::sys::fs::exists(path))
    return std::nullopt;
  llvm::Expected<RecordFile> cache = open(path, RecordKind::Cache, SQLITE_OPEN_READONLY);
  if (!cache)
    return cache.takeError();
  llvm::Expected<bool> empty = cache->isEmpty();
  if (!empty)
    return empty.takeError();
  // As a run leaves a new file that ended before it wrote.
  if (*empty)
    return std::nullopt;
  if (llvm::Error wrong = cache->checkFormat())
    return std::move(wrong);
  llvm::Expected<std::optional<std::string>> holds = cache->modelVersion();
  if (!holds)
    return holds.takeError();
  // Answers of other sources: none for this run. The file starts anew when it is written, not when it is read.
  if (*holds != modelVersion)
    return std::nullopt;
  return std::move(*cache);
}

llvm::Expected<RecordFile> RecordFile::openToWrite(llvm::StringRef path, RecordKind kind,
                                                   llvm::StringRef modelVersion) {
  llvm::Expected<RecordFile> record = open(path, kind, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!record)
    return record.takeError();
  // The write lock from the first statement on: two runs that both read first and write then would block each other.
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

/// Before the run rather than after it, when the answers would be lost.
llvm::Error RecordFile::checkWritable(llvm::StringRef path, RecordKind kind, llvm::StringRef modelVersion) {
  if (llvm::sys::fs::exists(path)) {
    // SQLite would take a device for an empty file, and leave a journal beside it.
    if (!llvm::sys::fs::is_regular_file(path))
      return error("cannot write '" + path + "': not a regular file");
    llvm::Expected<RecordFile> record = openToWrite(path, kind, modelVersion); // closing it rolls back
    return record.takeError();
  }
  // A file that is not there yet needs a folder that takes it; it is not made for the test.
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (std::error_code reason =
          llvm::sys::fs::access(folder.empty() ? "." : folder, llvm::sys::fs::AccessMode::Write))
    return error("cannot write '" + path + "': " + reason.message());
  return llvm::Error::success();
}

llvm::Error RecordFile::createTables(llvm::StringRef modelVersion) {
  // In the transaction that is open: a file is either empty or has header, tables and model.
  std::string header = "PRAGMA application_id = " + std::to_string(infoOf(kind).applicationId) +
                       "; PRAGMA user_version = " + std::to_string(kFormat) + ";";
  if (llvm::Error wrong = execute(header + kTables))
    return wrong;
  return text(kInsertModel, modelVersion).takeError();
}

// ---- Rows ------------------------------------------------------------------------------------------------

llvm::Error RecordFile::selectDevice(llvm::StringRef deviceText) {
  if (writing)
    if (llvm::Error wrong = text("INSERT OR IGNORE INTO device(text) VALUES(?1)", deviceText).takeError())
      return wrong;
  // By its whole text: a board of that name with another figure is another device, and has no answers.
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
  // Bound anew each time; the statement itself is prepared once for a device.
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

/// In the order of kInsert's parameters.
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
