//===- Forward.h - The beam of every op, in schedule order ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_FORWARD_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_FORWARD_H

#include "../Common/Lookahead.h"
#include "Ways.h"

namespace tessera::beam {

/// The forward phase (facts/optimizer-proposal "Beam Search"): for each op in
/// schedule order the best `width` candidates, over all ways to read its operands from its producers' candidates.
class Forward {
public:
  /// `lookahead` tells what layouts are worth to later ops; null under the objective Cores.
  Forward(const Problem &problem, Oracle &oracle, Lookahead *lookahead, const PolicyOptions &options);

  /// By OpId. Never empty: an op for which nothing is legal runs as the base plan has it.
  Beams run();

  /// Whether `a` is better. A strict weak order over one op's candidates.
  bool isBetter(const Candidate &a, const Candidate &b) const;

private:
  /// A configuration with what its results are worth.
  struct RatedConfig {
    ConfigId config;
    size_t results = 0; ///< configurations of the same result layouts have the same number
    Price worth{};
    int residency = 0;
    int64_t cores = 0;
  };

  /// The beam of the next op: searched, or that of an earlier op in the same situation.
  void appendBeam(OpId op, Beams &beams);
  void keepWidth(Beam &beam) const;
  Beam beamOf(OpId op, const Beams &beams);
  /// All that the op's beam depends on; after rateConfigs.
  Words situationOf(OpId op, const Beams &beams) const;
  /// Whether somebody reads the value behind the op, itself or through a view.
  bool isReadLater(ValueId value, OpId op) const;
  /// Fills the scratch below. Before anything that asks what the op may run with.
  void rateConfigs(OpId op);
  std::optional<RatedConfig> rate(OpId op, ConfigId config);
  /// Nullopt if the op model refuses it.
  std::optional<Candidate> tryCandidate(OpId op, const Combination &combination, const RatedConfig &config);
  Candidate baseCandidate(OpId op) const;

  const Problem &problem;
  Oracle &oracle;
  Lookahead *lookahead;
  const PolicyOptions &options;
  Ways ways;
  std::vector<SchedulePos> lastHolder; ///< by ValueId: lastReaders()
  ByWords<size_t> known;               ///< by situation: the number of its beam
  // Of the op at hand.
  std::vector<RatedConfig> configs;
  std::vector<ConfigId> configIds;
  size_t resultGroups = 0;
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_FORWARD_H
