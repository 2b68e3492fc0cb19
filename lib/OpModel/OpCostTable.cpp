//===- OpCostTable.cpp - What an op costs, asked once ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows are found by ids. In front of them lies a direct-mapped table of hints: reading
// one needs no lock. Those who have no ids look there by a cheap hash that uses
// the *address* of the asked signature instead of its contents. A hint is
// believed only after its key compared equal member by member, so a reused
// address costs a miss, never a wrong answer.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpCostTable.h"

#include "KnownConversions.h"
#include "Pressure.h"
#include "tessera/Support/InternPool.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"

#include <algorithm>
#include <deque>
#include <map>

namespace tessera {
namespace {

/// A question by ids. It refers to the asker's list of layouts, and is not kept.
struct RowKey {
  SignatureId signature;
  llvm::ArrayRef<LayoutId> inputs;
  ConfigId config;
};

/// There are many: what can be looked up is not kept here.
struct Row {
  SignatureId signature;
  ConfigId config;
  llvm::ArrayRef<LayoutId> inputs; ///< of the table
  const OpCost *cost = nullptr;

  RowKey key() const { return {signature, inputs, config}; }
};

/// Rows by their keys.
struct RowInfo : llvm::DenseMapInfo<const Row *> {
  static unsigned getHashValue(const RowKey &key) {
    constexpr uint64_t kMix = 0x9E3779B97F4A7C15; // 2^64 / golden ratio
    uint64_t hash = (uint64_t(key.signature.index()) << 32 | key.config.index()) * kMix;
    for (LayoutId layout : key.inputs)
      hash = (std::rotl(hash, 29) ^ layout.index()) * kMix;
    return unsigned(hash ^ hash >> 32);
  }
  static unsigned getHashValue(const Row *row) { return getHashValue(row->key()); }
  static bool isEqual(const Row *a, const Row *b) { return a == b; }
  static bool isEqual(const RowKey &key, const Row *row) {
    return row != getEmptyKey() && row != getTombstoneKey() && row->signature == key.signature &&
           row->config == key.config && row->inputs == key.inputs;
  }
};

} // namespace

struct OpCostTable::Rows {
  /// From so many rows on there are hints: a table that is made for a few questions costs little.
  static constexpr size_t kRowsForHints = 256;
  // Half a megabyte of pointers: two rows in one place cost a look-up, no more.
  static constexpr size_t kHints = size_t(1) << 16;
  using Hints = std::array<std::atomic<const Row *>, kHints>;
  std::unique_ptr<Hints> allHints;
  std::atomic<Hints *> hints = nullptr; ///< of `allHints`, once they are there

  std::unique_ptr<OpModel> owned; ///< null: the source is somebody else's
  const OpModel *source = nullptr;
  bool timeless = false;

  SignaturePool signatures;
  InternPool<OpConfig, ConfigId> configs;
  std::mutex mutex;
  std::deque<Row> rows; ///< a deque, so that references stay valid
  std::deque<OpCost> costs;
  std::map<std::tuple<ValidationStatus, std::string, std::string>, OpCost> refusals;
  llvm::DenseSet<const Row *, RowInfo> byKey;
  llvm::BumpPtrAllocator layouts;
  llvm::DenseSet<llvm::ArrayRef<LayoutId>> inputs; ///< in `layouts`; configurations have many in common

  std::map<Bytes, KnownConversions> conversions; ///< by budget

  std::atomic<size_t> hits = 0, misses = 0;

  const Row *find(const RowKey &key) const {
    auto found = byKey.find_as(key);
    return found == byKey.end() ? nullptr : *found;
  }

  /// By contents: the address alone would do for one that is still there, not for one whose memory was used again.
  bool answers(const Row &row, const OpQuery &query) const {
    const OpSignature &asked = signatures[row.signature];
    return row.inputs == query.inputs && configs[row.config] == query.config &&
           (&asked == &query.op || asked == query.op);
  }

  /// The row that is hinted at in `place`, if it `answers`; else the one that `search` finds.
  template <class Answers, class Search>
  const OpCost *hinted(size_t place, Answers answers, Search search) {
    // Read without the lock, which all threads would else wait for: a hint may have been left by anybody, so the row itself says
    // whether it answers.
    Hints *all = hints.load(std::memory_order_acquire);
    if (!all)
      return search().cost;
    std::atomic<const Row *> &hint = (*all)[place % kHints];
    if (const Row *row = hint.load(std::memory_order_acquire); row && answers(*row)) {
      hits.fetch_add(1, std::memory_order_relaxed);
      return row->cost;
    }
    const Row &row = search();
    hint.store(&row, std::memory_order_release);
    return row.cost;
  }

  /// The row of that key, asked of the source if it is the first time.
  const Row &at(const RowKey &key) {
    {
      std::lock_guard lock(mutex);
      if (const Row *row = find(key)) {
        hits.fetch_add(1, std::memory_order_relaxed);
        return *row;
      }
    }
    // Computed without the lock: two threads may do the same work, both get the same answer.
    misses.fetch_add(1, std::memory_order_relaxed);
    OpCost cost = costOf({signatures[key.signature], key.inputs, configs[key.config], Bytes(0)});
    std::lock_guard lock(mutex);
    if (const Row *row = find(key))
      return *row;
    const OpCost &its = kept(std::move(cost));
    rows.push_back({key.signature, key.config, kept(key.inputs), &its});
    byKey.insert(&rows.back());
    // Stored for good once it is there: readers hold no lock, so it must never move.
    if (rows.size() == kRowsForHints) {
      allHints = std::make_unique<Hints>();
      hints.store(allHints.get(), std::memory_order_release);
    }
    return rows.back();
  }

  /// A copy in memory that never moves; equal lists share one.
  llvm::ArrayRef<LayoutId> kept(llvm::ArrayRef<LayoutId> asked) {
    auto found = inputs.find(asked);
    return found == inputs.end() ? *inputs.insert(asked.copy(layouts)).first : *found;
  }

  const OpCost &kept(OpCost cost) {
    const ValidationResult &answer = cost.answer;
    // One that has figures all the same: other layouts come out than were asked for.
    if (cost.judged || answer.constraints != OpConstraints() || cost.runtime != OpRuntime())
      return costs.emplace_back(std::move(cost));
    // Refusals say one of few things, so equal ones share an entry.
    OpCost refusal;
    refusal.answer = answer;
    return refusals.try_emplace({answer.status, answer.rule, answer.message}, std::move(refusal))
        .first->second;
  }

  OpCost costOf(const OpQuery &query) const {
    const OpModelContext &context = source->context();
    OpCost cost;
    cost.answer = timeless ? source->query(query) : source->figures(query, cost.runtime);
    const OpConstraints &c = cost.answer.constraints;
    cost.time = cost.runtime.total;
    cost.ok = cost.answer.ok();
    cost.judged = cost.ok || cost.answer.status == ValidationStatus::OutOfMemory;
    cost.operands = operandL1Bytes(query, context);
    cost.resident = residentL1(query, c, context);
    // What does not depend on a budget is added up here once; whether it fits is one comparison for each budget
    // that asks.
    cost.needed = c.peakL1MemorySize + c.safetyMargin + cost.resident;
    Bytes outputs; // whole shards: an unevenly sharded output takes more than its pages (OpModel's contract)
    cost.asRequested = true;
    for (auto [index, layout] : llvm::enumerate(query.config.outputs)) {
      // An output that is left open is never "as requested": whoever plans with the row could not say where the result
      // lies.
      bool known = layout.valid() && layout.index() < context.layouts.size();
      outputs += known ? l1BytesPerCore(context.layouts[layout], context.device) : Bytes(0);
      cost.asRequested &= known && (index >= c.outputLayouts.size() || c.outputLayouts[index] == layout);
    }
    cost.own = c.peakL1MemorySize + c.safetyMargin + std::max(Bytes(0), outputs - c.outputL1BufferSize);
    return cost;
  }
};

OpCostTable::OpCostTable(OpModelContext context, std::shared_ptr<Rows> rows)
    : OpModel(std::move(context)), rows(std::move(rows)) {}

OpCostTable::OpCostTable(const OpModel &source) : OpCostTable(source.context(), std::make_shared<Rows>()) {
  rows->source = &source;
}

OpCostTable::OpCostTable(std::unique_ptr<OpModel> source) : OpCostTable(*source) {
  rows->owned = std::move(source);
}

/// Answers do not depend on a budget, so that all budgets share the rows; what fits is asked of a row each time.
OpCostTable OpCostTable::withBudget(Bytes budget) const {
  OpModelContext other = ctx;
  other.l1Budget = budget;
  return OpCostTable(std::move(other), rows);
}

/// For questions about an op by itself: what lies in L1 beside it does not count.
OpCostTable OpCostTable::alone() const {
  OpCostTable other = *this;
  other.ignoresOthers = true;
  return other;
}

/// For policies that must not see times: rows without any, so that none can be used by mistake.
OpCostTable OpCostTable::timeless() const {
  if (rows->timeless)
    return *this;
  // Rows of its own, since those with times must not be found by who is not to see any.
  OpCostTable other(ctx, std::make_shared<Rows>());
  other.rows->source = rows->source;
  other.ignoresOthers = ignoresOthers;
  other.rows->timeless = true;
  return other;
}

llvm::StringRef OpCostTable::name() const { return rows->source->name(); }

SignatureId OpCostTable::idOf(const OpSignature &signature) const {
  return rows->signatures.intern(signature);
}
ConfigId OpCostTable::idOf(const OpConfig &config) const { return rows->configs.intern(config); }
const OpConfig &OpCostTable::operator[](ConfigId id) const { return rows->configs[id]; }

const OpCost &OpCostTable::row(SignatureId signature, llvm::ArrayRef<LayoutId> inputs,
                               ConfigId config) const {
  RowKey key{signature, inputs, config};
  return *rows->hinted(
      RowInfo::getHashValue(key), [&](const Row &row) { return RowInfo::isEqual(key, &row); },
      [&]() -> const Row & { return rows->at(key); });
}

const OpCost &OpCostTable::row(const OpQuery &query) const {
  size_t place = llvm::hash_combine(llvm::hash_combine_range(query.inputs.begin(), query.inputs.end()),
                                    query.config, &query.op);
  return *rows->hinted(
      place, [&](const Row &row) { return rows->answers(row, query); },
      [&]() -> const Row & { return rows->at({idOf(query.op), query.inputs, idOf(query.config)}); });
}

ValidationResult OpCostTable::query(const OpQuery &query) const {
  const OpCost &cost = row(query);
  ValidationResult result = cost.answer;
  if (!result.ok() && result.message.empty())
    // Rows keep no text (OpModel::figures); whoever asks for a whole answer wants to read it.
    result = rows->source->query({query.op, query.inputs, query.config});
  Bytes others = ignoresOthers ? Bytes(0) : query.additionalL1;
  if (others > Bytes(0) || ctx.l1Budget != rows->source->context().l1Budget)
    applyPressure(result, cost.resident, others, ctx.l1Budget);
  return result;
}

bool OpCostTable::fits(const OpNeeds &needs) const {
  // The source has the last word on its own budget.
  bool same = ctx.l1Budget == rows->source->context().l1Budget;
  return same ? needs.ok : needs.judged && needs.needed <= ctx.l1Budget;
}

/// By budget, as conversions take another way where there is less room. References stay valid: a map moves nothing.
OpCostTable::KnownConversions &OpCostTable::conversions() const {
  std::lock_guard lock(rows->mutex);
  return rows->conversions[ctx.l1Budget];
}

TableStatistics OpCostTable::statistics() const {
  return {rows->hits.load(std::memory_order_relaxed), rows->misses.load(std::memory_order_relaxed)};
}

bool fitsAlone(const OpCost &cost, Bytes budget, const OpModelContext &context) {
  // The op's own tensors still keep the cap: only its circular buffers and temporaries may go beyond it.
  return cost.judged && cost.resident + cost.answer.constraints.outputL1BufferSize <= budget &&
         cost.needed <= context.l1Alone;
}

} // namespace tessera
