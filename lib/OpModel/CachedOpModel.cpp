//===- CachedOpModel.cpp - Every question is asked once -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two tables. The main one is keyed by the interned signature and is the truth.
// In front of it lies a direct-mapped table of hints, indexed by a cheap hash
// that uses the *address* of the asked signature instead of its contents. A hint
// is believed only after its key compared equal member by member, so a reused
// address costs a miss, never a wrong answer; and reading it needs no lock.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/CachedOpModel.h"

#include "Pressure.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace tessera {

struct CachedOpModel::Entry {
  const OpSignature *signature;
  llvm::SmallVector<LayoutId, 4> inputs;
  OpConfig config;
  ValidationResult result; ///< with additionalL1 = 0
  Bytes resident;
  OpRuntime runtime;

  bool answers(const OpQuery &query) const {
    return llvm::ArrayRef<LayoutId>(inputs) == query.inputs && config == query.config &&
           (signature == &query.op || *signature == query.op);
  }
};

struct CachedOpModel::Table {
  static constexpr size_t kHints = size_t(1) << 14;
  std::array<std::atomic<const Entry *>, kHints> hints{};

  SignaturePool signatures;
  std::mutex mutex;
  std::deque<Entry> entries; ///< a deque, so that references stay valid
  std::unordered_multimap<size_t, const Entry *> byKey;

  std::atomic<size_t> hits = 0, misses = 0;

  const Entry *find(size_t key, const OpQuery &query) const {
    auto [begin, end] = byKey.equal_range(key);
    for (auto it = begin; it != end; ++it)
      if (it->second->answers(query))
        return it->second;
    return nullptr;
  }
};

namespace {

size_t hashPlacement(const OpQuery &query) {
  return llvm::hash_combine(llvm::hash_combine_range(query.inputs.begin(), query.inputs.end()), query.config);
}

} // namespace

CachedOpModel::CachedOpModel(std::unique_ptr<OpModel> model)
    : OpModel(model->context()), inner(std::move(model)), table(std::make_unique<Table>()) {}
CachedOpModel::~CachedOpModel() = default;

const CachedOpModel::Entry &CachedOpModel::lookup(const OpQuery &query) const {
  size_t placement = hashPlacement(query);
  std::atomic<const Entry *> &hint =
      table->hints[size_t(llvm::hash_combine(placement, &query.op)) % Table::kHints];
  const Entry *entry = hint.load(std::memory_order_acquire);
  if (entry && entry->answers(query)) {
    table->hits.fetch_add(1, std::memory_order_relaxed);
    return *entry;
  }

  SignatureId signature = table->signatures.intern(query.op);
  size_t key = llvm::hash_combine(placement, signature);
  {
    std::lock_guard lock(table->mutex);
    entry = table->find(key, query);
  }
  if (entry) {
    table->hits.fetch_add(1, std::memory_order_relaxed);
    hint.store(entry, std::memory_order_release);
    return *entry;
  }

  // Computed without the lock: two threads may do the same work, both get the same answer.
  table->misses.fetch_add(1, std::memory_order_relaxed);
  OpQuery unloaded{query.op, query.inputs, query.config, Bytes(0)};
  ValidationResult result = inner->query(unloaded);
  Bytes resident = residentL1(unloaded, result.constraints, ctx);
  OpRuntime runtime = inner->runtime(unloaded);

  std::lock_guard lock(table->mutex);
  if (entry = table->find(key, query); !entry) {
    table->entries.push_back({&table->signatures[signature],
                              {query.inputs.begin(), query.inputs.end()},
                              query.config,
                              std::move(result),
                              resident,
                              runtime});
    entry = &table->entries.back();
    table->byKey.emplace(key, entry);
  }
  hint.store(entry, std::memory_order_release);
  return *entry;
}

ValidationResult CachedOpModel::query(const OpQuery &query) const {
  const Entry &entry = lookup(query);
  ValidationResult result = entry.result;
  if (query.additionalL1 > Bytes(0))
    applyPressure(result, entry.resident, query.additionalL1, ctx.l1Budget);
  return result;
}

OpRuntime CachedOpModel::runtime(const OpQuery &query) const { return lookup(query).runtime; }

CacheStatistics CachedOpModel::statistics() const {
  return {table->hits.load(std::memory_order_relaxed), table->misses.load(std::memory_order_relaxed)};
}

std::unique_ptr<OpModel> createCachedOpModel(std::unique_ptr<OpModel> inner) {
  return std::make_unique<CachedOpModel>(std::move(inner));
}

} // namespace tessera
