//===- MadeBlock.h - What an op makes in L1, in order ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_ALLOCATOR_MADEBLOCK_H
#define TESSERA_ALLOCATOR_MADEBLOCK_H

#include "tessera/Support/Units.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <optional>

namespace tessera {

/// A tensor that an op makes in L1: a temporary, or one of its results that something is made after.
///
/// An op that is a chain of three programs, and frees what one made once the next has read it:
///
///   number   0            1            2            (the result follows)
///   until    2            3            kToTheEnd
struct MadeBlock {
  static constexpr uint16_t kToTheEnd = std::numeric_limits<uint16_t>::max();
  Bytes size;                 ///< per bank; of a result nothing: its layout says it
  uint16_t until = kToTheEnd; ///< freed once the op has made that many
  int16_t result = -1;        ///< which of the op's results; -1: a temporary
  /// Circular ones of the programs that run before the next is made; nullopt: the op's hungriest program may be among them.
  std::optional<Bytes> buffers = std::nullopt;
  bool isResult() const { return result >= 0; }
  bool operator==(const MadeBlock &) const = default;
};
/// In the order in which they are made. Results that are not among them are made after the last.
using MadeBlocks = llvm::SmallVector<MadeBlock, 0>;

} // namespace tessera

#endif // TESSERA_ALLOCATOR_MADEBLOCK_H
