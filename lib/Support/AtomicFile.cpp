//===- AtomicFile.cpp - Files that are whole or untouched ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//  1. Print each file into a temporary beside it, and see it to disk.
//  2. Print what is written in place.
//  3. Rename the temporaries, and see the folders to disk.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace llvm;

namespace tessera {
namespace {

using Printer = function_ref<void(raw_ostream &)>;

Error cannotWrite(StringRef path, std::error_code reason) {
  return createStringError(reason, "cannot write '%s': %s", path.str().c_str(), reason.message().c_str());
}

std::error_code lastError() { return std::error_code(errno, std::generic_category()); }

/// Prints to an open file. The stream does not close the descriptor.
std::error_code print(int descriptor, Printer write) {
  raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
  write(stream);
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error(); // reported by us; the destructor would end the process
  return error;
}

// ---- Temporaries -----------------------------------------------------------------------------------------

/// A descriptor that is closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) : number(std::exchange(other.number, -1)) {}
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  int get() const { return number; }
  explicit operator bool() const { return number >= 0; }

  /// False if another process holds the lock. File systems without locks have none to respect.
  bool lock() const { return ::flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }
  /// Whether `path` still leads to this file.
  bool isAt(const std::string &path) const {
    struct stat open, named;
    return ::fstat(number, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
  }

private:
  int number;
};

/// Removes the temporary of a process that no longer lives. False if it is in use, or none.
bool removeIfStale(const std::string &path) {
  // A link of that name is nobody's temporary, and to open a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 && file.isAt(path) &&
         ::unlink(path.c_str()) == 0;
}

/// A temporary file; removed at the end, or by a signal, unless it took its name.
class Temporary {
public:
  /// Beside `target`, with the permissions that the umask leaves of `mode`.
  static Expected<Temporary> create(StringRef target, mode_t mode) {
    // The names are numbered and not random, so that the next run finds what a killed one has left (removeIfStale).
    constexpr unsigned kMost = 100; // processes that write the same file at the same time
    std::string path;
    for (unsigned n = 0; n != kMost; ++n) {
      path = (target + ".tmp-" + Twine(n)).str();
      removeIfStale(path);
      // Made and never emptied: what is there belongs to another process.
      Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      if (!file && errno != EEXIST)
        return errorCodeToError(lastError());
      // Until it is locked, another process may take it for a stale one.
      if (file && file.lock() && file.isAt(path))
        return Temporary(std::move(file), std::move(path), target.str());
    }
    return errorCodeToError(std::make_error_code(std::errc::file_exists));
  }

  Temporary(Temporary &&other)
      : file(std::move(other.file)), path(std::move(other.path)), target(std::move(other.target)) {
    other.path.clear();
  }
  ~Temporary() {
    if (!path.empty())
      ::unlink(path.c_str());
    forget();
  }

  /// Prints the file and waits until it lies on disk.
  std::error_code fill(Printer write, std::optional<sys::fs::perms> permissions) {
    if (std::error_code error = print(file.get(), write))
      return error;
    if (permissions && ::fchmod(file.get(), *permissions) != 0)
      return lastError();
    // EINVAL: the file system cannot.
    return ::fsync(file.get()) == 0 || errno == EINVAL ? std::error_code() : lastError();
  }

  std::error_code rename() {
    if (::rename(path.c_str(), target.c_str()) != 0)
      return lastError();
    forget();
    return {};
  }

  /// The name, too, must survive a power failure. Where a folder cannot be opened or synced, nothing can be done.
  void syncFolder() const {
    StringRef folder = sys::path::parent_path(target);
    if (Descriptor descriptor(::open(folder.empty() ? "." : folder.str().c_str(), O_RDONLY | O_CLOEXEC));
        descriptor)
      ::fsync(descriptor.get());
  }

private:
  Temporary(Descriptor file, std::string path, std::string target)
      : file(std::move(file)), path(std::move(path)), target(std::move(target)) {
    sys::RemoveFileOnSignal(this->path);
  }
  void forget() {
    if (!path.empty())
      sys::DontRemoveFileOnSignal(path);
    path.clear();
  }

  Descriptor file;
  std::string path, target;
};

// ---- Where a file goes -----------------------------------------------------------------------------------

/// What stands behind a path.
struct Place {
  bool inPlace = false;                      ///< no rename: standard output, devices, pipes
  SmallString<128> target;                   ///< links followed
  std::optional<sys::fs::perms> permissions; ///< of the old file
};

/// Where a file comes to lie that does not exist: `path`, or what a link of that name leads to. real_path() knows files
/// alone that exist.
SmallString<128> throughLinks(StringRef path) {
  constexpr unsigned kMost = 40; // as many as Linux follows
  SmallString<128> target = path;
  char link[PATH_MAX];
  for (unsigned n = 0; n != kMost; ++n) {
    ssize_t length = ::readlink(target.c_str(), link, sizeof(link));
    if (length < 0)
      break;
    StringRef next(link, size_t(length));
    // A relative one counts from the folder that holds the link.
    if (sys::path::is_absolute(next))
      target.clear();
    else
      sys::path::remove_filename(target);
    sys::path::append(target, next);
  }
  return target;
}

Expected<Place> placeOf(StringRef path) {
  Place place;
  place.target = path;
  place.inPlace = path == "-";
  if (place.inPlace)
    return place;
  sys::fs::file_status status;
  // What is not there yet has neither a kind nor permissions to keep.
  if (std::error_code error = sys::fs::status(path, status)) {
    if (error == std::errc::too_many_symbolic_link_levels)
      return cannotWrite(path, error);
    place.target = throughLinks(path);
    return place;
  }
  if (sys::fs::is_directory(status))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  place.inPlace = !sys::fs::is_regular_file(status);
  if (place.inPlace)
    return place;
  place.permissions = status.permissions();
  // Through a symbolic link: a rename must replace what it leads to, not the link.
  if (std::error_code error = sys::fs::real_path(path, place.target))
    return cannotWrite(path, error);
  return place;
}

Error writeInPlace(StringRef path, Printer write) {
  if (path == "-") {
    // What was printed before stands before.
    outs().flush();
    // By the descriptor and not by outs(), which remembers an error: ToolProcess::finish would report it a second time.
    if (std::error_code error = print(/*descriptor=*/1, write))
      return createStringError("cannot write to standard output: " + error.message());
    return Error::success();
  }
  Descriptor file(::open(path.str().c_str(), O_WRONLY | O_CLOEXEC));
  if (!file)
    return cannotWrite(path, lastError());
  if (std::error_code error = print(file.get(), write))
    return cannotWrite(path, error);
  return Error::success();
}

/// `path` without links and detours, as far as it exists.
/// The last part of a path that does not exist yet is kept as it is, so that `out/../a` and `a` are the same before
/// either has been written.
SmallString<128> resolved(StringRef path) {
  SmallString<128> full;
  if (!sys::fs::real_path(path, full))
    return full;
  SmallString<128> target = throughLinks(path);
  StringRef folder = sys::path::parent_path(target);
  if (sys::fs::real_path(folder.empty() ? "." : folder, full))
    return target;
  sys::path::append(full, sys::path::filename(target));
  return full;
}

} // namespace

Error writeFilesAtomically(ArrayRef<OutputFile> files) {
  std::vector<Temporary> temporaries;
  std::vector<const OutputFile *> renamed, inPlace;
  for (const OutputFile &file : files) {
    Expected<Place> place = placeOf(file.path);
    if (!place)
      return place.takeError();
    if (place->inPlace) {
      inPlace.push_back(&file);
      continue;
    }
    // The umask takes its part off, as of any new file.
    Expected<Temporary> temporary = Temporary::create(place->target, 0666);
    if (!temporary)
      return cannotWrite(file.path, errorToErrorCode(temporary.takeError()));
    if (std::error_code error = temporary->fill(file.write, place->permissions))
      return cannotWrite(file.path, error);
    temporaries.push_back(std::move(*temporary));
    renamed.push_back(&file);
  }
  // Pipes and terminals cannot be renamed into place, so they come when nothing but a rename can fail any more.
  for (const OutputFile *file : inPlace)
    if (Error error = writeInPlace(file->path, file->write))
      return error;
  for (size_t i = 0; i != temporaries.size(); ++i)
    if (std::error_code error = temporaries[i].rename())
      return cannotWrite(renamed[i]->path, error);
  for (const Temporary &temporary : temporaries)
    temporary.syncFolder();
  return Error::success();
}

Error writeFileAtomically(StringRef path, std::function<void(raw_ostream &)> write) {
  return writeFilesAtomically(OutputFile{path.str(), std::move(write)});
}

Error tryWriteFileAtomically(StringRef path, function_ref<Error(raw_ostream &)> write) {
  Error failed = Error::success();
  auto print = [&](raw_ostream &os) { failed = joinErrors(std::move(failed), write(os)); };
  Expected<Place> place = placeOf(path);
  if (!place)
    return joinErrors(std::move(failed), place.takeError());
  if (place->inPlace)
    return joinErrors(writeInPlace(path, print), std::move(failed));
  Expected<Temporary> temporary = Temporary::create(place->target, 0666);
  if (!temporary)
    return joinErrors(std::move(failed), cannotWrite(path, errorToErrorCode(temporary.takeError())));
  std::error_code error = temporary->fill(print, place->permissions);
  // The printer's own error says more than what came of it.
  if (failed)
    return failed;
  if (!error)
    error = temporary->rename();
  if (error)
    return joinErrors(std::move(failed), cannotWrite(path, error));
  temporary->syncFolder();
  return failed;
}

bool sameFile(StringRef a, StringRef b) {
  if (a == "-" || b == "-")
    return a == b;
  sys::fs::file_status left, right;
  // What is not there yet is known by its path alone.
  if (sys::fs::status(a, left) || sys::fs::status(b, right))
    return resolved(a) == resolved(b);
  return left.getUniqueID() == right.getUniqueID() && left.type() != sys::fs::file_type::character_file;
}

} // namespace tessera
