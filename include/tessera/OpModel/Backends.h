//===- Backends.h - Who answers: --op-model -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   analytic                              the built-in formulas
//   recorded:FILE[,fallthrough]           answers from a record
//   record:FILE[,analytic|plugin:...]     answers from another backend, and records them
//   plugin:FILE[,fallthrough]             answers from a shared library
//
// FILE ends at the first comma. `fallthrough`: what the backend has no answer to goes to the analytic model.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_BACKENDS_H
#define TESSERA_OPMODEL_BACKENDS_H

#include "tessera/OpModel/CachedOpModel.h"
#include "tessera/OpModel/ExternalOpModel.h"

namespace tessera {

/// One row of the table of backends, for people.
struct OpModelBackendInfo {
  llvm::StringRef name;    ///< "recorded"
  llvm::StringRef form;    ///< "recorded:FILE[,fallthrough]"
  llvm::StringRef summary; ///< "answers from a record; ..."
};
llvm::ArrayRef<OpModelBackendInfo> opModelBackends();

/// Why `choice` has none of the forms above, with the forms that it could have had; "" if it has one. Opens
/// nothing.
std::string checkOpModelChoice(llvm::StringRef choice);

/// How a backend was used.
struct OpModelUse {
  std::string name;   ///< OpModel::name()
  size_t queries = 0; ///< queries and runtimes together
  double hitRate = 0; ///< share of them that the cache answered, 0..1
  /// Different questions that the record or the plug-in had no answer to; nullopt for the analytic model.
  std::optional<size_t> unanswered;
};

/// A chosen backend behind its cache, ready to be asked.
class OpModelBackend {
public:
  /// Fails, with a message for people, if `choice` is wrong or its file cannot be used.
  static llvm::Expected<OpModelBackend> create(llvm::StringRef choice, OpModelContext context);

  const OpModel &model() const { return *cached; }
  OpModelUse use() const;
  /// To be called after the last query: writes a record. Fails if that fails, or if answers could not be
  /// read.
  llvm::Error finish();

private:
  explicit OpModelBackend(std::unique_ptr<OpModel> model, ExternalOpModel *external);

  std::unique_ptr<CachedOpModel> cached;
  ExternalOpModel *external; ///< owned by `cached`; null for the analytic model
};

} // namespace tessera

#endif // TESSERA_OPMODEL_BACKENDS_H
