//===- KnownConversions.h - A table over layouts ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_KNOWNCONVERSIONS_H
#define TESSERA_LIB_OPMODEL_KNOWNCONVERSIONS_H

#include "tessera/OpModel/Conversions.h"
#include "tessera/Support/InternPool.h"

#include <deque>

namespace tessera {

/// Conversions that were worked out, for one budget.
struct OpCostTable::KnownConversions {
  using Key = std::tuple<unsigned, unsigned, unsigned>; ///< tensor, from, to

  // Shape and data type decide what a conversion costs, not which value it is: equal ones of all layers share an
  // entry.
  InternPool<TensorDesc, ConvertedId> tensors;
  std::mutex mutex; ///< of what follows
  // By ids, which are those of one run: nothing of this outlives it.
  llvm::DenseMap<Key, const Conversion *> known;
  std::deque<Conversion> made; ///< a deque, so that references stay valid
};

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_KNOWNCONVERSIONS_H
