//===- Backends.h - Who answers: --op-model -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   analytic[:CALIBRATION]                   the built-in formulas
//   recorded:FILE[,fallthrough]              answers from a record
//   ttnn[:VERSION]                           answers from the vendor's library, times from the formulas
//   record:FILE[,analytic|mock|ttnn|plugin:...]   answers from another backend, and records them
//   plugin:FILE[,fallthrough]                answers from a shared library
//   mock                                     accepts everything, with fixed figures
//
// FILE ends at the first comma. `fallthrough`: what the backend has no answer to goes to the analytic model.
// A cache file (docs/op-model-backends.md) may stand in front of all but the two that are files of answers themselves.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_BACKENDS_H
#define TESSERA_OPMODEL_BACKENDS_H

#include "tessera/OpModel/Foresight.h"
#include "tessera/OpModel/OpCostTable.h"
#include "tessera/OpModel/OpModelOptions.h"
#include "llvm/Support/Error.h"

namespace tessera {

class DiskCachedOpModel;
class ExternalOpModel;

/// One row of the table of backends, for people.
struct OpModelBackendInfo {
  llvm::StringRef name;    ///< "recorded"
  llvm::StringRef form;    ///< "recorded:FILE[,fallthrough]"
  llvm::StringRef summary; ///< "answers from a record; ..."
};
llvm::ArrayRef<OpModelBackendInfo> opModelBackends();

/// The backend's version that the options ask for, or that belongs to the library which answers; the default if that is unknown.
const BackendVersionInfo &backendVersionOf(const OpModelOptions &options);
/// `device` as that version opens it.
DeviceSpec asOpenedBy(const OpModelOptions &options, const DeviceSpec &device);
/// Unless the options name a version of the backend: the one that belongs to the vendor's library, asked for as `library`.
void answerAsLibrary(OpModelOptions &options, llvm::StringRef library);
/// Unless the options name a version of the backend or of the library, or answer by a file that somebody made: those of
/// `version`, a name of backendVersions() or a library; what is neither changes nothing.
OpModelOptions answeringFor(llvm::StringRef version, OpModelOptions options);
/// The vendor's library that answers as that version; "" if none is known.
llvm::StringRef libraryOf(llvm::StringRef version);
/// What is wrong with the options, and what would be right; "" if nothing is. Opens nothing.
std::string checkOpModelOptions(const OpModelOptions &options);
/// The file that a well-formed choice writes answers into; "" if it writes none.
std::string recordFile(llvm::StringRef choice);

/// How a cache file was used. Questions that the cache in memory answered do not get here.
struct DiskCacheUse {
  std::string file;
  size_t hits = 0, misses = 0; ///< different questions
  size_t added = 0;            ///< answers written by finish()
  std::string problem;         ///< why the file could not be read or written; "" if all went well
  /// Share of the questions that the file answered, 0 if there were none.
  double hitRate() const { return hits + misses ? double(hits) / double(hits + misses) : 0.0; }
};

/// How a backend was used.
struct OpModelUse {
  std::string name;           ///< OpModel::name()
  std::string backendVersion; ///< a name of backendVersions()
  size_t queries = 0;         ///< queries and runtimes together
  double hitRate = 0;         ///< share of them that the cache in memory answered, 0..1
  /// Different questions that the record or the plug-in had no answer to; nullopt for the other models.
  std::optional<size_t> unanswered;
  std::optional<DiskCacheUse> disk; ///< nullopt without a cache file
};

/// A chosen backend behind its caches, ready to be asked.
class OpModelBackend {
public:
  /// The options decide the version and the calibration, the context all else. Fails, with a message for
  /// people, if the options are wrong or a file cannot be used. `foresight` serves backends that take long over an answer
  ///.
  static llvm::Expected<OpModelBackend> create(const OpModelOptions &options, OpModelContext context,
                                               Foresight foresight = {});

  /// All answers of this backend, of all who ask it.
  const OpCostTable &model() const { return *table; }
  /// Complete after finish().
  OpModelUse use() const;
  /// To be called after the last query: writes a record, and the cache file. Fails if a record cannot be
  /// written, or if answers could not be read. A cache file that cannot be written or read is not a failure:
  /// use().disk says what is wrong with it.
  llvm::Error finish();

private:
  OpModelBackend() = default;

  std::string backendVersion;
  std::unique_ptr<Calibration> calibration; ///< read by the models below; null: the built-in one
  std::unique_ptr<OpModelBackend> library;  ///< asked about OpModelOptions::doubted; null: nobody is
  std::unique_ptr<OpCostTable> table;
  ExternalOpModel *external = nullptr; ///< owned by `table`, like `disk`; null if not used
  DiskCachedOpModel *disk = nullptr;
};

/// Whether it was the vendor's library (ttnn) that refused.
bool refusedByLibrary(const ValidationResult &answer);

} // namespace tessera

#endif // TESSERA_OPMODEL_BACKENDS_H
