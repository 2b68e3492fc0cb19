//===- OpTable.cpp - All ops and rules -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Families know ops and rules, this file only collects them: printing, checking and answering look at the same rows,
// so that what `tessera ops` tells is what the model does.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpTable.h"

#include "Family.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

namespace tessera {
namespace analytic {
namespace {

/// The one list of families. A new family adds its function here.
/// Functions, not tables: tables of other files may not be there yet when this one is made, but are when it is first
/// asked.
constexpr Rows (*kFamilies[])() = {
    eltwiseUnaryRows,     eltwiseBinaryRows, eltwiseTernaryRows,
    matmulRows,           argmaxRows,        reductionRows,
    cumulativeRows,       normRows,          batchNormRows,
    reshapeRows,          rearrangeRows,     conversionRows,
    attentionRows,        cacheRows,         creationRows,
    collectiveRows,       convRows,          poolRows,
    embeddingRows,        quantizationRows,  headsRows,
    gatherRows,           groupNormRows,     normPartsRows,
    trainingRows,         samplingRows,      conv3dRows,
    repeatRows,           sortRows,          permuteRows,
    upsampleRows,         sparseMatmulRows,  expertsRows,
    attentionPrefillRows,
};

struct Tables {
  llvm::StringMap<const OpRow *> rows;
  std::vector<RuleInfo> rules;
  llvm::StringMap<size_t> ruleIndex;
  std::vector<std::vector<llvm::StringRef>> ruleIds; ///< by op
  std::vector<OpInfo> ops;

  Tables() {
    // In the order of families the rules are listed, by name the ops: findOp() searches the latter by halves.
    std::vector<const OpRow *> sorted;
    addRules(commonRules());
    for (Rows (*family)() : kFamilies)
      for (const OpRow &row : family()) {
        rows[row.name] = &row;
        sorted.push_back(&row);
        addRules(row.family->rules);
      }
    llvm::sort(sorted, [](const OpRow *a, const OpRow *b) { return a->name < b->name; });
    ruleIds.reserve(sorted.size());
    for (const OpRow *row : sorted)
      addOp(*row);
  }

private:
  void addRules(llvm::ArrayRef<Rule> more) {
    for (const Rule &rule : more)
      // Families share rules, which then have one ID and are listed once.
      if (ruleIndex.try_emplace(rule.info.id, rules.size()).second)
        rules.push_back(rule.info);
  }

  void addOp(const OpRow &row) {
    // OpInfo refers to these, so they live as long as the table.
    std::vector<llvm::StringRef> &ids = ruleIds.emplace_back();
    for (const Rule &rule : commonRules())
      ids.push_back(rule.info.id);
    for (const Rule &rule : row.family->rules)
      ids.push_back(rule.info.id);
    ops.push_back({row.name, row.family->name, row.minOperands, row.maxOperands, row.results, ids});
  }
};

const Tables &tables() {
  // Made once, by whoever asks first; many threads may.
  static const Tables all;
  return all;
}

} // namespace

const OpRow *findRow(llvm::StringRef name) {
  static const Tables &all = tables();
  auto it = all.rows.find(name);
  return it == all.rows.end() ? nullptr : it->second;
}

} // namespace analytic

llvm::ArrayRef<OpInfo> knownOps() { return analytic::tables().ops; }

const OpInfo *findOp(llvm::StringRef name) {
  llvm::ArrayRef<OpInfo> ops = knownOps();
  const auto *it = std::lower_bound(ops.begin(), ops.end(), name,
                                    [](const OpInfo &op, llvm::StringRef key) { return op.name < key; });
  return it != ops.end() && it->name == name ? it : nullptr;
}

llvm::ArrayRef<RuleInfo> legalityRules() { return analytic::tables().rules; }

const RuleInfo *findRule(llvm::StringRef id) {
  const auto &all = analytic::tables();
  auto it = all.ruleIndex.find(id);
  return it == all.ruleIndex.end() ? nullptr : &all.rules[it->second];
}

} // namespace tessera
