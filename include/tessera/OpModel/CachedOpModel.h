//===- CachedOpModel.h - Every question is asked once ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_CACHEDOPMODEL_H
#define TESSERA_OPMODEL_CACHEDOPMODEL_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

struct CacheStatistics {
  size_t hits = 0, misses = 0;
  /// Share of questions that were answered from memory, 0 if none was asked.
  double hitRate() const { return hits + misses ? double(hits) / double(hits + misses) : 0.0; }
};

/// Remembers every answer of another model, keyed by signature, input layouts and configuration; additionalL1
/// is applied to the remembered answer. Thread-safe: answers do not depend on the order of questions.
class CachedOpModel final : public OpModel {
public:
  explicit CachedOpModel(std::unique_ptr<OpModel> inner);
  ~CachedOpModel() override;

  ValidationResult query(const OpQuery &query) const override;
  OpRuntime runtime(const OpQuery &query) const override;
  llvm::StringRef name() const override { return inner->name(); }

  /// Queries and runtimes together, since construction.
  CacheStatistics statistics() const;

private:
  struct Entry;
  struct Table;
  const Entry &lookup(const OpQuery &query) const;

  std::unique_ptr<OpModel> inner;
  std::unique_ptr<Table> table;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_CACHEDOPMODEL_H
