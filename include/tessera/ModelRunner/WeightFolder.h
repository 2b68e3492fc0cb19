//===- WeightFolder.h - What stage 1 leaves -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   DIR/weights.json     the weight config; there only if all is
//   DIR/config.json      the checkpoint's: the model's sizes
//   DIR/manifest.json    of each tensor: its file, size, hash, and what it was made from; size and hash of the two above
//   DIR/journal.jsonl    the same, one line per tensor, while a conversion is under way
//   DIR/<module>/...     tensor files
//
// Several processes may share a conversion: the first begins and finishes it, each
// of the others has a journal of its own (journal-1.jsonl) and says when it is
// done (session-ID-1). They need a file system that all see, and nothing else.
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

/// One of the processes that share a conversion.
struct Participant {
  unsigned rank = 0, count = 1;
  std::string session; ///< the same for all of them, and for no other conversion
};

/// What is known of a file.
struct ManifestEntry {
  std::string file; ///< within the folder
  std::string key;  ///< BLAKE3 of all that its bytes follow from
  std::string hash; ///< BLAKE3 of its bytes
  uint64_t bytes = 0;
  bool operator==(const ManifestEntry &) const = default;
};

class WeightFolder {
public:
  /// Reads what is there, if anything.
  static llvm::Expected<WeightFolder> open(const std::string &path);

  /// Whether the file lies there with that key and the size that was noted; its bytes are not read.
  bool has(const std::string &file, const std::string &key) const;
  /// Whether the last conversion was finished.
  bool complete() const { return isComplete; }
  const std::map<std::string, ManifestEntry> &entries() const { return noted; }
  std::string pathOf(const std::string &file) const { return path + "/" + file; }

  /// Begins a change: from now on the folder counts as unfinished. An error if it holds tensor files of another origin,
  /// or if another process changes it; it is locked as long as this object lives.
  llvm::Error begin();
  /// With several participants: the first one calls begin() and then this; the others wait for it. They end when
  /// whoever started them ends them, if the first one fails.
  llvm::Error join(const Participant &participant);
  /// All but the first: says that this one's part is done; `error` is empty if it has succeeded.
  llvm::Error leave(const Participant &participant, const std::string &error);
  /// The first: waits for all others, and takes over what they have noted. An error if one of them failed.
  llvm::Error gather(const Participant &participant);
  /// Notes a file that has taken its name. Any thread may.
  llvm::Error note(const ManifestEntry &entry);
  /// Ends a change: writes manifest, weight config and the checkpoint's config.json, removes the journal and all tensor
  /// files that are not in `files`.
  llvm::Error finish(llvm::ArrayRef<std::string> files, const Item &weights, llvm::StringRef config);

  /// What is wrong with the folder: one text per file that is missing, has another size or other bytes, or belongs to
  /// nothing. With `repair` damaged and foreign files are removed, so that the next conversion makes what is missing;
  /// an error if another process converts into the folder.
  llvm::Expected<std::vector<std::string>> verify(bool repair);

private:
  explicit WeightFolder(std::string path) : path(std::move(path)) {}
  /// An error if there is one that is not of its form; no manifest is none.
  llvm::Error readManifest();
  /// What is wrong with a file, if anything.
  std::optional<std::string> problemOf(const ManifestEntry &entry) const;
  /// Entries of all journals, on top of the manifest's. A journal means that the folder is not finished.
  void readJournals();
  void readJournal(const std::string &file);
  /// Names of the folder's files for a while, sorted: journals, and what participants say.
  std::vector<std::string> passingFiles() const;
  /// All that is noted, in the first journal.
  llvm::Error writeJournal();
  /// Until this object is gone; an error if another process has it.
  llvm::Error lock();
  /// Whether a conversion was ever begun here.
  bool isOurs() const;
  /// All tensor files below the folder, and what is left of such that were not finished; sorted.
  std::vector<std::string> tensorFiles() const;

  std::string path;
  bool isComplete = false;
  std::string journal = "journal.jsonl";      ///< that this process appends to
  std::map<std::string, ManifestEntry> noted; ///< by file
  std::vector<ManifestEntry> configs;         ///< weights.json and config.json; they have no key
  std::shared_ptr<int> locked;                ///< the open folder
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
};

/// Whether it names a tensor file of the folder, and does not lead out of it.
bool staysInside(llvm::StringRef file);

/// BLAKE3 of a file's bytes, as hexadecimal text.
llvm::Expected<std::string> hashFile(const std::string &path);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_WEIGHTFOLDER_H
