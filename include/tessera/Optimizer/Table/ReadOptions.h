//===- ReadOptions.h - How the operands of an op may be read --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// For each value that an op reads the layouts in which it may be read, and
// combinations of one for each. What an option costs, and how many combinations
// are worth a question, is for the policy to say; which there are is the same
// for all:
//
//   options        as the value is there, and converted (conversionTargets)
//   combinations   the policy's own; all activations placed alike; the base inputs
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_TABLE_READOPTIONS_H
#define TESSERA_OPTIMIZER_TABLE_READOPTIONS_H

#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "tessera/Optimizer/Table/Forms.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera {

/// One way to read a value. Policies add to it what they know of the way.
struct ReadOption {
  LayoutId layout;
  double cost = 0; ///< what combinations are ordered by
};

/// One option for each value that an op reads, by number.
struct Combination {
  llvm::SmallVector<unsigned, 4> options;
  double cost = 0;
  unsigned order = 0; ///< in which it was added
};

/// Of one op at a time. `Option` is a ReadOption.
/// Example: an op of two operands that has 3 and 4 options could be asked about 12 times; policies ask about those
/// combinations alone that they add.
template <class Option>
class ReadOptions {
public:
  /// Options per value.
  static constexpr size_t kMost = 32;

  /// Both must outlive this object.
  ReadOptions(const Problem &problem, Oracle &oracle) : problem(problem), oracle(oracle) {}

  /// Forgets the op before. The caller adds to options() each way in which a value is there before any is converted.
  void begin(OpId id) {
    op = id;
    distinct = distinctValues(problem[op]);
    positionOf = placesOf(problem[op]);
    all.assign(distinct.size(), {});
    there.assign(distinct.size(), {});
    combined.clear();
  }

  /// Those that the op reads, each once.
  llvm::ArrayRef<ValueId> values() const { return distinct; }
  /// By operand: the position of its value.
  llvm::ArrayRef<unsigned> positions() const { return positionOf; }
  /// By position.
  std::vector<Option> &operator[](size_t value) { return all[value]; }
  const std::vector<Option> &operator[](size_t value) const { return all[value]; }
  std::vector<Combination> &combinations() { return combined; }
  const std::vector<Combination> &combinations() const { return combined; }

  /// A layout in which the value is there before any conversion.
  void addThere(size_t value, Option option) {
    there[value].push_back(option.layout);
    all[value].push_back(std::move(option));
  }

  /// Calls `convert` with each layout to which the value may be converted, until it has kMost options.
  template <class Convert>
  void addTargets(size_t value, llvm::ArrayRef<ConfigId> configs, bool reshards, Convert convert) {
    llvm::SmallVector<LayoutId, 16> others;
    for (size_t other = 0; other < there.size(); ++other)
      if (other != value)
        llvm::append_range(others, there[other]);
    for (LayoutId target :
         conversionTargets(oracle, problem, {op, distinct[value], configs, others, reshards}))
      if (all[value].size() < kMost)
        convert(target);
  }

  /// The option in that layout.
  std::optional<unsigned> find(size_t value, LayoutId layout) const {
    auto found = llvm::find_if(all[value], [&](const Option &option) { return option.layout == layout; });
    return found == all[value].end() ? std::nullopt : std::optional(unsigned(found - all[value].begin()));
  }

  /// Unless it is there already.
  void add(llvm::ArrayRef<unsigned> chosen) {
    if (llvm::any_of(combined, [&](const Combination &c) { return llvm::equal(c.options, chosen); }))
      return;
    Combination combination;
    combination.options.assign(chosen.begin(), chosen.end());
    for (auto [options, option] : llvm::zip_equal(all, chosen))
      combination.cost += options[option].cost;
    append(std::move(combination));
  }

  /// Without a look at whether it is there: for callers that make each once.
  void append(Combination combination) {
    combination.order = unsigned(combined.size());
    combined.push_back(std::move(combination));
  }

  /// All activations placed alike: like a result, or like one of them; the others by their first option. Constants do not move with
  /// their readers. Calls `combine` with each.
  template <class Combine>
  void forEachPlacement(llvm::ArrayRef<ConfigId> configs, Combine combine) {
    llvm::SmallVector<LayoutId, 16> everywhere;
    for (const auto &layouts : there)
      llvm::append_range(everywhere, layouts);
    for (LayoutId placement : sharedPlacements(oracle, problem, configs, everywhere))
      combine(choose([&](size_t value) {
        bool moves = problem[distinct[value]].kind != ValueKind::Constant;
        return moves ? oracle.placedLike(placement, distinct[value]) : LayoutId();
      }));
  }

  /// What is certainly legal.
  void addBase() {
    add(choose([&](size_t value) { return baseInput(problem, op, distinct[value]); }));
  }

private:
  /// The option in `layoutOf` of each value, or its first where there is none.
  template <class LayoutOf>
  llvm::SmallVector<unsigned, 4> choose(LayoutOf layoutOf) {
    llvm::SmallVector<unsigned, 4> chosen(distinct.size(), 0);
    for (size_t value = 0; value < distinct.size(); ++value)
      if (LayoutId layout = layoutOf(value); layout.valid())
        chosen[value] = find(value, layout).value_or(0);
    return chosen;
  }

  const Problem &problem;
  Oracle &oracle;
  OpId op;
  llvm::SmallVector<ValueId, 4> distinct;
  llvm::SmallVector<unsigned, 8> positionOf;
  std::vector<std::vector<Option>> all;              ///< by position
  std::vector<llvm::SmallVector<LayoutId, 4>> there; ///< by position
  std::vector<Combination> combined;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_TABLE_READOPTIONS_H
