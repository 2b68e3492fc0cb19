//===- SelectionCertificate.h - How far from the best, with the proof -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_SELECTIONCERTIFICATE_H
#define TESSERA_OPTIMIZER_SELECTION_SELECTIONCERTIFICATE_H

#include "tessera/Optimizer/Selection/SelectionSearch.h"

namespace tessera {

/// A selection, what it costs, and what proves that none costs less than `bound`. Three steps, each with whole numbers, so that a check
/// rounds nothing:
///
///   1. Prices and gifts. For prices of at least 0 and any gifts, a selection that fits costs at least
///
///        sum over nodes of  cost + prices x usage - gifts to its edges
///        + sum over edges of  cost + gifts of its two nodes
///        - capacity x sum of the prices
///
///      since gifts cancel out and what fits uses no more than the capacity. Prices and gifts are in 1/scale. A cost above `forbidden` counts
///      as that, which is less and so proves no more. All that follows is about these sums; the least of each term makes `linear`.
///   2. Only selections that cost less than `cutoff` matter. A state goes if it costs that with the least of all other nodes and edges,
///      where edges and nodes next to it have their least beside it; again, until no state goes.
///   3. Elimination of node after node in `order` (bucket elimination: Dechter 1999): its functions, in the order in which they came
///      about (its own cost, its edges, tables), are added up in a table over the states that are left of it and its neighbours, of
///      which the least over its own stays as a new function. A function that would make the table larger than `table` entries begins a
///      table of its own (mini-buckets: Dechter and Rish 2003), which proves less.
///
/// What is left at the end, or the cutoff if that is less, is the bound.
struct SelectionCertificate {
  SelectionCost cost = 0;
  SelectionUsage peak = 0;
  SelectionCost bound = 0;
  int64_t scale = 1;
  SelectionCost forbidden = 0;
  Selection states;
  /// Of a unit of usage at a time, in 1/scale; at least 0. Times without one cost nothing.
  struct Price {
    int64_t time;
    int64_t price;
  };
  std::vector<Price> prices; ///< in the order of times
  /// Of an edge's two nodes to it, in 1/scale; any sign.
  struct Gifts {
    std::vector<int64_t> from, to; ///< by state of the edge's nodes
  };
  std::vector<Gifts> gifts; ///< by edge
  SelectionCost linear = 0; ///< what prices and gifts prove by themselves
  SelectionCost cutoff = 0;
  std::vector<SelectionNode> order; ///< each node once
  int64_t table = 1;

  /// How much less the best may cost, as a part of the bound; 0 if both are 0.
  double gap() const { return cost == bound ? 0 : double(cost - bound) / std::max(1.0, double(bound)); }
};

/// Passes after which bounds of the contest's instances hardly move.
inline constexpr int kProofPasses = 200;

/// How much is put into a proof. Whatever it is, what comes out is proven.
struct ProofOptions {
  /// Of messages, at most.
  int passes = kProofPasses;
  /// For messages; nullopt: no limit of time.
  std::optional<double> seconds = std::nullopt;
  /// What is known to be possible, if that is not what the selection costs.
  std::optional<SelectionCost> cutoff = std::nullopt;
};

/// Proves what messages at these prices and an elimination prove.
SelectionCertificate proveBound(const SelectionProblem &problem, const FoundSelection &found,
                                const ProofOptions &options = {});

/// Success if the selection is allowed, fits, and costs what is said, and the bound is what is said. Else the error says what is
/// not. It shares no code with those who made it but the problem.
llvm::Error checkCertificate(const SelectionProblem &problem, const SelectionCertificate &certificate);

/// As one JSON object on a line; docs/certified.md lists the keys. Reading fails on a key that is missing or of another
/// form, and checks no claim.
std::string certificateToJson(const SelectionCertificate &certificate);
llvm::Expected<SelectionCertificate> certificateFromJson(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_SELECTIONCERTIFICATE_H
