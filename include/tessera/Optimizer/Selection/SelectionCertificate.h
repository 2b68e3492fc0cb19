//===- SelectionCertificate.h - How far from the best, with the proof -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_SELECTIONCERTIFICATE_H
#define TESSERA_OPTIMIZER_SELECTION_SELECTIONCERTIFICATE_H

#include "tessera/Optimizer/Selection/SelectionSearch.h"

namespace tessera {

/// A selection, what it costs, and what proves that none costs less than `bound`. For prices of at least 0 and any gifts, a
/// selection that fits costs at least
///
///   sum over nodes of the least  cost + prices x usage - gifts to its edges
///   + sum over edges of the least  cost + gifts of its two nodes
///   - capacity x sum of the prices
///
/// since gifts cancel out and what fits uses no more than the capacity. Prices and gifts are whole numbers of 1/scale, so that
/// a check rounds nothing. A forbidden cost counts as `forbidden`, which is less and so proves no more.
struct SelectionCertificate {
  SelectionCost cost = 0;
  SelectionUsage peak = 0;
  SelectionCost bound = 0;
  int64_t scale = 1;
  SelectionCost forbidden = 0;
  Selection states;
  struct Price {
    int64_t time;
    int64_t price;
  };
  std::vector<Price> prices; ///< in the order of times
  struct Gifts {
    std::vector<int64_t> from, to; ///< by state of the edge's nodes
  };
  std::vector<Gifts> gifts; ///< by edge

  /// How much less the best may cost, as a part of the bound; 0 if both are 0.
  double gap() const { return cost == bound ? 0 : double(cost - bound) / std::max(1.0, double(bound)); }
};

/// Passes after which bounds of the contest's instances hardly move.
inline constexpr int kProofPasses = 200;

/// Proves what messages at these prices prove, in at most so many passes or seconds (nullopt: no limit of time).
SelectionCertificate proveBound(const SelectionProblem &problem, const FoundSelection &found,
                                int passes = kProofPasses, std::optional<double> seconds = std::nullopt);

/// Success if the selection is allowed, fits, and costs what is said, and the bound is what is said. Else the error says what is
/// not. It shares no code with those who made it but the problem.
llvm::Error checkCertificate(const SelectionProblem &problem, const SelectionCertificate &certificate);

std::string certificateToJson(const SelectionCertificate &certificate);
llvm::Expected<SelectionCertificate> certificateFromJson(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_SELECTIONCERTIFICATE_H
