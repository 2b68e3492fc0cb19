//===- Residency.h - What L1 costs where it is full -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_RESIDENCY_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_RESIDENCY_H

#include "Translation.h"
#include "tessera/Optimizer/Selection/SelectionSearch.h"
#include "tessera/Optimizer/Table/Oracle.h"

namespace tessera::optimal {

/// A price per byte of L1 at each op, in the order of the program, and what states of a translation cost with it. What a state holds is
/// a guess: an op's needs and operands while it runs, what it makes until the last reader has run, copies of shared values likewise, but for
/// forks (Translation).
/// Nothing is proven with it: where windows are tried, this says what they may cost, and the draft what holds.
class Residency {
public:
  /// Both must outlive it.
  Residency(const Translation &translation, Oracle &oracle);

  /// By state of the problem, at the prices times the factor.
  std::vector<double> costs(double factor);
  /// By position of an op, which is in the order of the program here.
  void setPrices(llvm::ArrayRef<TimePrice> given);
  /// False until there are prices above 0: costs are then the same at any factor.
  bool hasPrices() const { return pricesBefore.back() > 0; }

private:
  /// How the op is to run in the forms of the way, at these prices.
  const Way &cheapest(OpId op, const Way &way, double factor) const;
  void addOp(OpId op, double factor, std::vector<double> &costs);
  /// Of a shared value: what is made, and the other copy, to the last reader.
  void addCopies(ValueId value, double factor, std::vector<double> &costs);
  Bytes bytesOf(ValueId value, Form form);
  size_t lastReader(ValueId value) const;
  /// Of a byte that is held from behind the first op to the last one, which counts.
  double priceBehind(size_t first, size_t last) const;

  const Translation &translation;
  const Problem &problem;
  Oracle &oracle;
  std::vector<double> prices;       ///< by OpId
  std::vector<double> pricesBefore; ///< by OpId and one more: of all before it
};

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_RESIDENCY_H
