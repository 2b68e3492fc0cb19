//===- Elimination.h - What messages leave open, solved exactly -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_ELIMINATION_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_ELIMINATION_H

#include "Graph.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

namespace tessera {

/// Proves steps 2 and 3 of a certificate: what its prices and gifts leave of nodes and edges. Whole numbers of 1/scale throughout, so that
/// the result is what a check finds by other code.
class Elimination {
public:
  /// `priced`: of all states, in 1/scale. The arguments must outlive it.
  Elimination(const SelectionGraph &graph, llvm::ArrayRef<SelectionSum> priced,
              const SelectionCertificate &certificate);

  /// Which order, and how large a table (SelectionCertificate::order, ::table): the node of the smallest table first. Tables are smaller
  /// the more entries all of them would have.
  void choose(SelectionCertificate &certificate) const;
  /// What prices and gifts prove by themselves.
  SelectionCost linear() const { return linearBound; }
  /// The bound that the certificate proves with its order.
  SelectionCost bound();

private:
  /// A function of the states of some nodes: at least 0, at most `room`.
  struct Function {
    std::vector<SelectionNode> scope; ///< ascending, the last one varies fastest
    std::vector<int64_t> values;      ///< by states that are left
  };

  /// In 1/scale; what is above `forbidden` counts as that.
  SelectionSum entry(SelectionCost cost) const;
  /// With the gifts of both ends.
  SelectionSum pair(uint32_t edge, SelectionState from, SelectionState to) const;
  void measureEdge(uint32_t edge);
  bool dropStates();
  bool settle();
  SelectionCost proven() const;
  size_t sizeOf(SelectionNode node) const { return alive[node].size(); }
  /// What costs `room` is ruled out, however much more it costs: so tables need no more than 64 bits.
  int64_t saturated(SelectionSum sum) const {
    return int64_t(std::min<SelectionSum>(std::max<SelectionSum>(sum, 0), room));
  }
  /// Above the least, which is in `sum`.
  Function nodeFunction(SelectionNode node) const;
  Function edgeFunction(uint32_t edge) const;
  /// Sizes alone, no values: so several sizes of tables can be tried before one is filled.
  double sweep(std::vector<SelectionNode> &order, size_t table) const;
  void eliminate(SelectionNode node);
  /// One table. It goes to whichever of its nodes is eliminated first.
  void eliminate(SelectionNode node, llvm::ArrayRef<Function> group);

  const SelectionGraph &graph;
  const SelectionProblem &problem;
  const SelectionCertificate &certificate;
  std::vector<SelectionSum> own;                  ///< by state: less its gifts
  std::vector<std::vector<SelectionState>> alive; ///< by node: the states that are left
  std::vector<bool> isFirst;                      ///< by edge: the first one between its nodes
  std::vector<SelectionSum> ownLeast, edgeLeast;  ///< by node, by edge
  std::vector<SelectionSum> least; ///< by state: all that is known of selections that have it, beyond `sum`
  SelectionCost linearBound = 0;
  SelectionSum sum = 0;                      ///< of what all selections cost at least
  SelectionSum room = 0;                     ///< from there to the cutoff
  std::vector<size_t> place;                 ///< by node: in the order
  std::vector<std::vector<Function>> tables; ///< by node: what is added up when it goes
  std::vector<bool> isGone;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_ELIMINATION_H
