//===- WeightFolder.cpp - What stage 1 leaves -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The header says which files there are. The order of what is done to them
// decides what a killed process leaves: begin() writes the journal before it
// removes the manifest, note() follows a file's rename, and finish() removes
// the journal last. So from begin() on there is a manifest or a journal at any
// moment, what either names was whole when it was noted, and a folder with a
// journal is known to be unfinished.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/WeightFolder.h"

#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/Support/AtomicFile.h"
#include "tessera/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;
namespace fs = llvm::sys::fs;

namespace {

constexpr const char *kManifest = "manifest.json", *kJournal = "journal.jsonl", *kWeights = "weights.json",
                     *kConfig = "config.json";

json::Object toJson(const ManifestEntry &entry) {
  json::Object object{{"file", entry.file}, {"bytes", int64_t(entry.bytes)}, {"blake3", entry.hash}};
  if (!entry.key.empty())
    object["key"] = entry.key;
  return object;
}

/// A tensor file's with its key, or one of the two configs' without; nullopt for anything else.
std::optional<ManifestEntry> entryFromJson(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object || !object->getString("file") || !object->getString("blake3") || !object->getInteger("bytes"))
    return std::nullopt;
  ManifestEntry entry{object->getString("file")->str(), object->getString("key").value_or("").str(),
                      object->getString("blake3")->str(), uint64_t(*object->getInteger("bytes"))};
  // A manifest may come from elsewhere: what it names is removed or read, so it must not lead out of the folder.
  bool ours = entry.key.empty() ? entry.file == kWeights || entry.file == kConfig : staysInside(entry.file);
  return ours ? std::optional(entry) : std::nullopt;
}

uint64_t sizeOf(const std::string &path) {
  uint64_t bytes = 0;
  // A size that no noted file has stands for one that cannot be read.
  return fs::file_size(path, bytes) ? ~uint64_t(0) : bytes;
}

llvm::Error removeFile(const std::string &path) {
  std::error_code error = fs::remove(path);
  return error ? llvm::createStringError("cannot remove '" + path + "': " + error.message())
               : llvm::Error::success();
}

} // namespace

/// A name ".." is only a part of a path between two slashes: "a..b.tensorbin" is a name like any other.
bool runner::staysInside(llvm::StringRef file) {
  return file.ends_with(".tensorbin") && !file.starts_with("/") &&
         !llvm::StringRef(("/" + file).str()).contains("/../");
}

/// Piece by piece, since a tensor file may have gigabytes.
llvm::Expected<std::string> runner::hashFile(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return llvm::createStringError("cannot read '" + path + "': " + strerror(errno));
  llvm::BLAKE3 hash;
  std::vector<uint8_t> buffer(1 << 20);
  ssize_t count = 0;
  while ((count = ::read(descriptor, buffer.data(), buffer.size())) > 0)
    hash.update(llvm::ArrayRef(buffer).take_front(count));
  ::close(descriptor);
  if (count < 0)
    return llvm::createStringError("cannot read '" + path + "': " + strerror(errno));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

// ---- Reading ---------------------------------------------------------------------------------------------

/// The state is read once: what others change afterwards is seen by gather() alone.
llvm::Expected<WeightFolder> WeightFolder::open(const std::string &path) {
  WeightFolder folder(path);
  if (llvm::Error error = folder.readManifest())
    return std::move(error);
  folder.isComplete = !folder.noted.empty() && fs::exists(folder.pathOf(kWeights));
  folder.readJournals();
  return folder;
}

llvm::Error WeightFolder::readManifest() {
  auto buffer = llvm::MemoryBuffer::getFile(pathOf(kManifest));
  if (!buffer)
    return llvm::Error::success();
  llvm::Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  if (!value)
    return llvm::createStringError(pathOf(kManifest) + ": " + llvm::toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  const json::Array *tensors = object ? object->getArray("tensors") : nullptr;
  if (!tensors)
    return llvm::createStringError(pathOf(kManifest) + ": there is no array 'tensors'");
  for (const json::Value &each : *tensors) {
    std::optional<ManifestEntry> entry = entryFromJson(each);
    if (!entry || entry->key.empty())
      return llvm::createStringError(pathOf(kManifest) +
                                     ": an entry of 'tensors' is not of the form {file, bytes, blake3, key}");
    noted[entry->file] = *entry;
  }
  if (const json::Array *array = object->getArray("configs"))
    for (const json::Value &each : *array) {
      std::optional<ManifestEntry> entry = entryFromJson(each);
      if (!entry || !entry->key.empty())
        return llvm::createStringError(pathOf(kManifest) +
                                       ": an entry of 'configs' is not of the form {file, bytes, blake3}");
      configs.push_back(*entry);
    }
  return llvm::Error::success();
}

/// Files of a conversion that is under way or was killed: journals, and by which participants wait for each other.
/// Sorted, since directories have no order.
std::vector<std::string> WeightFolder::passingFiles() const {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator i(path, error), end; !error && i != end; i.increment(error))
    if (llvm::StringRef name = llvm::sys::path::filename(i->path());
        (name.starts_with("journal") && name.ends_with(".jsonl")) || name.starts_with("session-"))
      files.push_back(name.str());
  llvm::sort(files);
  return files;
}

void WeightFolder::readJournals() {
  for (const std::string &file : passingFiles())
    if (llvm::StringRef(file).ends_with(".jsonl"))
      readJournal(file);
}

/// The last line may be a part of one: a conversion was killed then.
void WeightFolder::readJournal(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(pathOf(file));
  if (!buffer)
    return;
  isComplete = false;
  for (llvm::StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    llvm::Expected<json::Value> value = parseJson(line);
    std::optional<ManifestEntry> entry = value ? entryFromJson(*value) : std::nullopt;
    if (!value)
      llvm::consumeError(value.takeError());
    if (entry && !entry->key.empty())
      noted[entry->file] = *entry;
  }
}

/// By its size and not its hash: to read all bytes would take as long as to write them. verify() hashes.
bool WeightFolder::has(const std::string &file, const std::string &key) const {
  auto entry = noted.find(file);
  return entry != noted.end() && entry->second.key == key && sizeOf(pathOf(file)) == entry->second.bytes;
}

/// Names within the folder, unfinished ones as well.
std::vector<std::string> WeightFolder::tensorFiles() const {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator i(path, error), end; !error && i != end; i.increment(error))
    if (fs::is_regular_file(i->path())) {
      // The folder may have been named with a slash at its end, and LLVM adds none then.
      llvm::StringRef name = llvm::StringRef(i->path()).drop_front(path.size()).ltrim('/');
      // Temporary names of files that were never finished have more behind it.
      if (name.contains(".tensorbin"))
        files.push_back(name.str());
    }
  llvm::sort(files);
  return files;
}

// ---- Changing --------------------------------------------------------------------------------------------

bool WeightFolder::isOurs() const { return fs::exists(pathOf(kManifest)) || fs::exists(pathOf(kJournal)); }

/// What is noted so far is kept; the journal is whole before the files that claim completeness go.
llvm::Error WeightFolder::begin() {
  if (std::error_code error = fs::create_directories(path))
    return llvm::createStringError("cannot create '" + path + "': " + error.message());
  if (llvm::Error error = lock())
    return error;
  // Tensor files that belong to nothing are removed in the end, so they must not be anybody else's.
  if (!isOurs() && !tensorFiles().empty())
    return llvm::createStringError(
        "'" + path + "' holds tensor files that were not converted here; choose another folder");
  if (llvm::Error error = writeJournal())
    return error;
  isComplete = false;
  for (const std::string &file :
       passingFiles()) // of a conversion that was killed; the journal has what they noted
    if (file != kJournal)
      if (llvm::Error error = removeFile(pathOf(file)))
        return error;
  for (const char *file : {kWeights, kManifest})
    if (llvm::Error error = removeFile(pathOf(file)))
      return error;
  return llvm::Error::success();
}

/// File systems without locks have none to respect.
llvm::Error WeightFolder::lock() {
  if (locked)
    return llvm::Error::success();
  int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return llvm::createStringError("cannot read '" + path + "': " + strerror(errno));
  std::shared_ptr<int> opened(new int(descriptor), [](int *open) {
    ::close(*open);
    delete open;
  });
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return llvm::createStringError("another process converts weights into '" + path + "'");
  locked = std::move(opened);
  return llvm::Error::success();
}

llvm::Error WeightFolder::writeJournal() {
  return writeFileAtomically(pathOf(kJournal), [&](llvm::raw_ostream &os) {
    for (const auto &[file, entry] : noted)
      os << json::Value(toJson(entry)) << "\n";
  });
}

/// May be called from several threads: a note is one line, whole or not there.
llvm::Error WeightFolder::note(const ManifestEntry &entry) {
  std::string line = llvm::formatv("{0}\n", json::Value(toJson(entry)));
  std::lock_guard lock(*mutex);
  noted[entry.file] = entry;
  int descriptor = ::open(pathOf(journal).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  // One write per line, and on the disk before the tensor counts as done; a pipe or the like cannot be synced (EINVAL).
  bool done = descriptor >= 0 && ::write(descriptor, line.data(), line.size()) == ssize_t(line.size());
  done = done && (::fsync(descriptor) == 0 || errno == EINVAL);
  llvm::Error error =
      done ? llvm::Error::success()
           : llvm::createStringError("cannot write '" + pathOf(journal) + "': " + strerror(errno));
  if (descriptor >= 0)
    ::close(descriptor);
  return error;
}

/// `files`: all that the model has, each noted before. `weights` and `config` are the two texts that a run reads.
llvm::Error WeightFolder::finish(llvm::ArrayRef<std::string> files, const Item &weights,
                                 llvm::StringRef config) {
  json::Array tensors;
  std::map<std::string, ManifestEntry> wanted;
  for (const std::string &file : files) {
    wanted[file] = noted[file];
    tensors.push_back(toJson(noted[file]));
  }
  // What earlier conversions with other settings left goes before the manifest claims that all is there.
  for (const std::string &file : tensorFiles())
    if (!wanted.count(file))
      if (llvm::Error error = removeFile(pathOf(file)))
        return error;
  noted = std::move(wanted);
  auto textOf = [](const json::Value &value) { return llvm::formatv("{0:2}\n", value).str(); };
  std::vector<std::pair<const char *, std::string>> texts = {{kConfig, config.str()},
                                                             {kWeights, textOf(itemToJson(weights))}};
  configs.clear();
  json::Array others;
  for (const auto &[file, text] : texts) {
    auto hash = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(text));
    configs.push_back({file, "", llvm::toHex(hash, /*LowerCase=*/true), text.size()});
    others.push_back(toJson(configs.back()));
  }
  // The manifest is the last text, and hashes the others: it says that all is there, and what it was.
  texts.emplace_back(kManifest, textOf(json::Object{{"format", "tessera weights"},
                                                    {"version", 1},
                                                    {"configs", std::move(others)},
                                                    {"tensors", std::move(tensors)}}));
  std::vector<OutputFile> outputs;
  for (const auto &[file, text] : texts)
    outputs.push_back({pathOf(file), [&text](llvm::raw_ostream &os) { os << text; }});
  if (llvm::Error error = writeFilesAtomically(outputs))
    return error;
  // The journals go last: if this process is killed before that, the next one finds them and knows that the folder is
  // not finished.
  isComplete = true;
  for (const std::string &file : passingFiles())
    if (llvm::Error error = removeFile(pathOf(file)))
      return error;
  return llvm::Error::success();
}

// ---- Several processes -----------------------------------------------------------------------------------

namespace {

/// The session is in the name, so that what a killed run of other processes left is not taken for a sign of this
/// one.
std::string sessionFile(const Participant &participant, unsigned rank) {
  return "session-" + participant.session + "-" + std::to_string(rank);
}

void waitFor(const std::string &path) {
  // Participants share a file system and nothing else (WeightFolder.h), so there is nobody to be woken by.
  while (!fs::exists(path))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

} // namespace

/// The first process says that the folder is begun, all others wait for it; from then on each has a journal of its
/// own, as appending to one from several hosts is not safe.
llvm::Error WeightFolder::join(const Participant &participant) {
  std::string begun = pathOf(sessionFile(participant, 0));
  if (participant.rank == 0)
    return writeFileAtomically(begun, [](llvm::raw_ostream &) {});
  waitFor(begun);
  journal = "journal-" + std::to_string(participant.rank) + ".jsonl";
  return llvm::Error::success();
}

/// An empty file says that all went well, any other has the reason.
llvm::Error WeightFolder::leave(const Participant &participant, const std::string &error) {
  return writeFileAtomically(pathOf(sessionFile(participant, participant.rank)),
                             [&](llvm::raw_ostream &os) { os << error; });
}

/// By the first process. Waits for all others, however long they take, since nothing tells one that was killed from
/// one that is slow.
llvm::Error WeightFolder::gather(const Participant &participant) {
  std::vector<std::string> errors;
  for (unsigned rank = 1; rank != participant.count; ++rank) {
    std::string done = pathOf(sessionFile(participant, rank));
    waitFor(done);
    auto buffer = llvm::MemoryBuffer::getFile(done);
    if (!buffer || !(*buffer)->getBuffer().empty())
      errors.push_back(buffer ? (*buffer)->getBuffer().str() : "cannot read '" + done + "'");
  }
  // Also after an error: what the others have made is kept for the next conversion.
  readJournals();
  return errors.empty() ? llvm::Error::success() : llvm::createStringError(llvm::join(errors, "; "));
}

/// The cheapest question first: that a file is there, how long it is, and only then its hash.
std::optional<std::string> WeightFolder::problemOf(const ManifestEntry &entry) const {
  std::string file = pathOf(entry.file);
  if (!fs::exists(file))
    return entry.file + ": is missing";
  if (sizeOf(file) != entry.bytes)
    return llvm::formatv("{0}: has {1} bytes instead of {2}", entry.file, sizeOf(file), entry.bytes);
  llvm::Expected<std::string> hash = hashFile(file);
  if (!hash)
    return entry.file + ": " + llvm::toString(hash.takeError());
  return *hash == entry.hash ? std::nullopt
                             : std::optional(entry.file + ": its bytes are not those that were written");
}

/// What is wrong, one line each. `repair` removes what is damaged or belongs to nothing; nothing is made anew here.
llvm::Expected<std::vector<std::string>> WeightFolder::verify(bool repair) {
  std::vector<std::string> problems, damaged;
  if (!isOurs())
    return std::vector<std::string>{"there are no converted weights"};
  // What another process converts is half written, and not to be removed.
  if (repair)
    if (llvm::Error error = lock())
      return std::move(error);
  if (!isComplete)
    problems.push_back("the conversion was not finished");
  auto check = [&](const ManifestEntry &entry) {
    if (std::optional<std::string> problem = problemOf(entry)) {
      problems.push_back(*problem);
      damaged.push_back(entry.file);
    }
  };
  // Of an unfinished folder the two texts are those of an earlier conversion, or not there.
  if (isComplete)
    llvm::for_each(configs, check);
  llvm::for_each(llvm::make_second_range(noted), check);
  for (const std::string &file : tensorFiles())
    if (!noted.count(file)) {
      problems.push_back(file + ": belongs to no tensor");
      damaged.push_back(file);
    }
  if (!repair || damaged.empty())
    return problems;
  bool unfinished = false;
  for (const std::string &file : damaged) {
    // A damaged tensor or text leaves the folder unfinished; a file that belonged to nothing does not.
    unfinished |= noted.erase(file) != 0 || !llvm::StringRef(file).ends_with(".tensorbin");
    if (llvm::Error error = removeFile(pathOf(file)))
      return std::move(error);
  }
  // A journal without the damaged tensors makes the next conversion write just these.
  if (unfinished)
    if (llvm::Error error = begin())
      return std::move(error);
  return problems;
}
