//===- ResultCache.h - What costly ops computed before --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A program and what eight policies make of it multiply the same matrices nine
// times. Kernels are functions of their operands' elements and of an op's
// attributes: what an op computed from the same elements before is what it would
// compute again. Operands are still read from memory, results still written to it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_RESULTCACHE_H
#define TESSERA_SIMULATOR_RESULTCACHE_H

#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpSignature.h"
#include "tessera/Simulator/Compare.h"

#include <map>

namespace tessera::simulator {

/// An op on certain values. Of its configuration only what changes values counts.
struct ComputedOp {
  std::string name, activation;
  std::vector<std::pair<std::string, AttrValue>> attributes;
  std::vector<TensorDesc> operands;
  TensorDesc result;
  bool operator==(const ComputedOp &) const = default;
};

/// What is kept stays until the end: the runs that come first are those that later ones repeat. Not for several threads
/// at a time.
class ResultCache {
public:
  /// Keeps results up to that many bytes; those that come later are not kept.
  explicit ResultCache(Bytes capacity) : left(capacity) {}

  /// Whether computing a result takes so much longer than reading and comparing the operands that keeping it pays.
  static bool pays(const OpSignature &op, llvm::ArrayRef<TensorDesc> operands, const TensorDesc &result);

  /// nullptr if it is not there.
  const DenseTensor *find(const ComputedOp &op, const std::vector<Fingerprint> &operands) const;
  void add(ComputedOp op, std::vector<Fingerprint> operands, const DenseTensor &result);

private:
  Bytes left;
  std::map<std::vector<Fingerprint>, std::vector<std::pair<ComputedOp, DenseTensor>>> results;
};

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_RESULTCACHE_H
