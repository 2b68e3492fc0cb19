//===- OptimizerText.h - Options of a plan as people write them -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The command line, the pass and other programs all ask in words. They are read here and nowhere else, so that all of them know the
// same words, refuse others in the same way, and check the same things in the same order.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_OPTIMIZERTEXT_H
#define TESSERA_OPTIMIZER_OPTIMIZERTEXT_H

#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Optimizer/Policy/PolicyText.h"

namespace tessera {

/// What of OptimizerOptions has words. As it stands here it is what holds if nobody asks for anything.
struct OptimizerText {
  PolicyText policy;
  std::string numerics = "keep";
  std::string rewrites; ///< as RewriteSelection::parse takes it
  std::string overrideOutputLayout, overrideConv2dConfig, insertMemReconfig; ///< as parseOverrides takes them
  std::string device;                                                        ///< "": the module's own
};

/// `rest` with all that the text says; what has no words is taken from it. Fails on the first thing that is wrong with either: a word that
/// nobody knows, a cap that is not a share, a number that must not be negative, an op model that is not spelled right. Policies are
/// not looked up: `optimize` does that.
llvm::Expected<OptimizerOptions> parseOptions(const OptimizerText &text, OptimizerOptions rest);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_OPTIMIZERTEXT_H
