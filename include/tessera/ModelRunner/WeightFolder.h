//===- WeightFolder.h - What stage 1 leaves -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   DIR/weights.json     the weight config; there only if all is
//   DIR/manifest.json    of each tensor: its file, size, hash, and what it was made from
//   DIR/journal.jsonl    the same, one line per tensor, while a conversion is under way
//   DIR/<module>/...     tensor files
//
// A file takes its name when it is whole, and its line in the journal after that.
// So whatever moment a conversion is killed at, all that the journal names is
// there, and the next one makes the rest.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_WEIGHTFOLDER_H
#define TESSERA_MODELRUNNER_WEIGHTFOLDER_H

#include "tessera/ModelRunner/Item.h"

#include "llvm/Support/Error.h"

#include <map>
#include <mutex>

namespace tessera::runner {

/// What is known of a file.
struct ManifestEntry {
  std::string file;   ///< within the folder
  std::string key;    ///< BLAKE3 of all that its bytes follow from
  std::string hash;   ///< BLAKE3 of its bytes
  uint64_t bytes = 0;
  bool operator==(const ManifestEntry &) const = default;
};

class WeightFolder {
public:
  /// Reads what is there, if anything.
  static llvm::Expected<WeightFolder> open(const std::string &path);

  /// Whether the file lies there with that key and the size that was noted; its bytes are not read.
  bool has(const std::string &file, const std::string &key) const;
  /// Whether the last conversion came to its end.
  bool complete() const { return isComplete; }
  const std::map<std::string, ManifestEntry> &entries() const { return noted; }
  std::string pathOf(const std::string &file) const { return path + "/" + file; }

  /// Begins a change: from now on the folder counts as unfinished. An error if it holds tensor files of another origin, or
  /// if another process changes it; it is locked as long as this object lives.
  llvm::Error begin();
  /// Notes a file that has taken its name. Any thread may.
  llvm::Error note(const ManifestEntry &entry);
  /// Ends a change: writes manifest and weight config, removes the journal and all tensor files that are not in `files`.
  llvm::Error finish(llvm::ArrayRef<std::string> files, const Item &weights);

  /// What is wrong with the folder: one text per file that is missing, has another size or other bytes, or belongs to
  /// nothing. With `repair` damaged and foreign files are removed, so that the next conversion makes what is missing.
  llvm::Expected<std::vector<std::string>> verify(bool repair);

private:
  explicit WeightFolder(std::string path) : path(std::move(path)) {}
  llvm::Error readManifest();
  void readJournal();
  llvm::Error writeJournal();
  llvm::Error lock();
  /// Whether a conversion was ever begun here.
  bool isOurs() const;
  /// All tensor files below the folder, and what is left of such that were not finished; sorted.
  std::vector<std::string> tensorFiles() const;

  std::string path;
  bool isComplete = false;
  std::map<std::string, ManifestEntry> noted; ///< by file
  std::shared_ptr<int> locked; ///< the open folder
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
};

/// BLAKE3 of a file's bytes, as hexadecimal text.
llvm::Expected<std::string> hashFile(const std::string &path);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_WEIGHTFOLDER_H
