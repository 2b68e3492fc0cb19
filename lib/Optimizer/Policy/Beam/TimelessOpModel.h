//===- TimelessOpModel.h - Legality and memory, no times ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_TIMELESSOPMODEL_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_TIMELESSOPMODEL_H

#include "tessera/OpModel/OpModel.h"

namespace tessera::beam {

/// Passes queries on, and answers 0 to every question for a runtime without asking: for backends that
/// know no times (facts/optimizer-proposal "Beam Search").
class TimelessOpModel : public OpModel {
public:
  /// `inner` must outlive it.
  explicit TimelessOpModel(const OpModel &inner) : OpModel(inner.context()), inner(inner) {}

  ValidationResult query(const OpQuery &query) const override { return inner.query(query); }
  OpRuntime runtime(const OpQuery &) const override { return {}; }
  llvm::StringRef name() const override { return inner.name(); }

private:
  const OpModel &inner;
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_TIMELESSOPMODEL_H
