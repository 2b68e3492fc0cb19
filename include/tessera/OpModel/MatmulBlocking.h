//===- MatmulBlocking.h - How the backend cuts a matmul along K -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_MATMULBLOCKING_H
#define TESSERA_OPMODEL_MATMULBLOCKING_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// The order in which a matmul sums along K.
struct MatmulBlocking {
  int64_t blockK = 1;  ///< in0_block_w, in tiles: summed in registers, partial sums go to L1 and back
  int64_t kBlocks = 1; ///< 1 also for the kernel that goes tile by tile: all of K stays in registers
  bool operator==(const MatmulBlocking &) const = default;
};

/// As the program config of the query says, or as the backend chooses without one. The query is of ttnn.matmul or ttnn.linear,
/// with a layout per operand.
MatmulBlocking matmulBlocking(const OpModelContext &context, const OpQuery &query);

/// Without a program config the backend chooses kernel and blocks by how much of L1 is free when the op runs (facts/formulas 7.1). The config that
/// says what it chooses with nothing in L1; nullopt if it chooses the same however little is free, or what no config says. The query is one of
/// matmulBlocking's.
std::optional<MatmulProgramConfig> choiceThatNeedsRoom(const OpModelContext &context, const OpQuery &query);

} // namespace tessera

#endif // TESSERA_OPMODEL_MATMULBLOCKING_H
