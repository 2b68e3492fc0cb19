//===- RecordFile.h - A record on disk ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_RECORDFILE_H
#define TESSERA_LIB_OPMODEL_BACKENDS_RECORDFILE_H

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace tessera {

/// One row of table `answer`, as it is stored; see docs/op-model-backends.md.
struct RecordRow {
  std::string status, rule, message, outputs;
  int64_t sizes[5] = {}; ///< cb, tensor, together, output, safety margin; in bytes
  double times[6] = {};  ///< compute, l1, noc, dram, dispatch, total; in ns
};

/// What a file of answers is for. The tables are the same; the file's header says which of the two it is.
enum class RecordKind : uint8_t {
  Record, ///< answers to keep: those of another model are never mixed in, and nothing is ever removed
  Cache,  ///< answers that can be had again: for another model it starts anew
};

/// An open SQLite file that is known to be of its kind. Not thread-safe.
class RecordFile {
public:
  /// A record, to be read. Errors name the file: it is not there, cannot be read, is none, or is in another format.
  static llvm::Expected<RecordFile> openToRead(llvm::StringRef path);
  /// Also creates the file and, in an empty one, the tables for answers of `modelVersion`. All that is
  /// written takes effect with commit(), or not at all.
  static llvm::Expected<RecordFile> openToWrite(llvm::StringRef path, RecordKind kind,
                                                llvm::StringRef modelVersion);
  /// What openToWrite() would say, without creating or changing a file.
  static llvm::Error checkWritable(llvm::StringRef path, RecordKind kind, llvm::StringRef modelVersion);
  /// A cache, to be read; nullopt if there is none yet, or only one with the answers of another model.
  static llvm::Expected<std::optional<RecordFile>> openCache(llvm::StringRef path,
                                                             llvm::StringRef modelVersion);

  /// The device all questions that follow are about; in a cache, the scope (DiskCache.h).
  llvm::Error selectDevice(llvm::StringRef deviceText);
  /// The answer to a question; nullopt if there is none.
  llvm::Expected<std::optional<RecordRow>> find(llvm::StringRef question);
  /// Adds or replaces answers about the selected device, in the order of their questions: equal runs write equal
  /// files.
  llvm::Error write(const std::map<std::string, RecordRow> &rows);
  /// Makes all that was written since openToWrite() part of the file, at once.
  llvm::Error commit();

private:
  struct Close {
    void operator()(sqlite3 *file) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  RecordFile(llvm::StringRef path, RecordKind kind) : path(path.str()), kind(kind) {}
  /// `flags` are SQLite's. Nothing is known of the content yet.
  static llvm::Expected<RecordFile> open(llvm::StringRef path, RecordKind kind, int flags);
  /// "cannot <doing> 'FILE': ", with SQLite's reason for what failed last.
  llvm::Error failure(llvm::StringRef doing) const;
  /// Statements without parameters and results.
  llvm::Error execute(const std::string &sql);
  llvm::Expected<Statement> prepare(const char *sql);
  /// The first column of the first row as text; nullopt without a row.
  llvm::Expected<std::optional<std::string>> text(const char *sql, llvm::StringRef parameter = "");
  /// The first column of the only row.
  llvm::Expected<int64_t> number(const char *sql);
  /// No tables yet: a file of no bytes, or one that was created and never written.
  llvm::Expected<bool> isEmpty();
  /// That the header says this kind of file, in the format that is known here.
  llvm::Error checkFormat();
  /// Whose answers it holds; nullopt if it says nothing.
  llvm::Expected<std::optional<std::string>> modelVersion();
  llvm::Error checkModel(llvm::StringRef modelVersion);
  /// In an empty file, within the transaction of openToWrite().
  llvm::Error createTables(llvm::StringRef modelVersion);
  /// One row about the selected device, by kInsert.
  llvm::Error insert(sqlite3_stmt *statement, const std::string &question, const RecordRow &row);

  std::string path;
  RecordKind kind;
  /// Whether it was opened to be written: what messages say of a failure.
  bool writing = false;
  std::unique_ptr<sqlite3, Close> file;
  Statement lookup;              ///< declared after `file`: finalized before it is closed
  std::optional<int64_t> device; ///< nullopt: the record knows nothing of this device
};

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_RECORDFILE_H
