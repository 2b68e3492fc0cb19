//===- Drafts.h - Calls before their tensors are placed -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A draft is a call as 'tessera ops explain' takes it, without the op's name:
//
//   1x32x2048xbf16@l1, 2048xbf16@dram -> 1x32x2048xbf16@l1 ; epsilon=1e-05
//
// Tensors written @l1 are activations: the search may place them anywhere, and so
// does CallMaker. All others lie as written: weights, indices, caches.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_HARVEST_DRAFTS_H
#define TESSERA_LIB_EVALUATION_HARVEST_DRAFTS_H

#include "Draw.h"

namespace tessera::evaluation {

/// How an op is called by models.
struct DraftedOp {
  llvm::StringRef name; ///< without "ttnn."
  unsigned calls;       ///< of a harvest of scale 1
  std::string (*draft)(Draw &draw);
  bool statesResult = false; ///< where the result lies is what is asked for: never left to the backend
};

llvm::ArrayRef<DraftedOp> matmulDrafts();
llvm::ArrayRef<DraftedOp> eltwiseDrafts();
llvm::ArrayRef<DraftedOp> movementDrafts();
llvm::ArrayRef<DraftedOp> windowDrafts();
llvm::ArrayRef<DraftedOp> attentionDrafts();
llvm::ArrayRef<DraftedOp> reductionDrafts();

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_HARVEST_DRAFTS_H
