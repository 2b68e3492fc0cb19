//===- LegalTensorLayouts.h - The layouts of each tensor and scalar type --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_LEGALTENSORLAYOUTS_H
#define TESSERA_OPTIMIZER_PROBLEM_LEGALTENSORLAYOUTS_H

#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// LegalTensorLayoutAnalysis (facts/optimizer-design 3.1.2): the layouts of every shape in every scalar type
/// that ScalarDataTypeAnalysis found (scalarDataTypes: arguments and overrides included), tiled and row-major. Entries are made
/// when they are first asked for: of the pairs, a module uses few.
class LegalTensorLayouts {
public:
  /// The problem must outlive it. What is found stays with the problem (Problem::spaces).
  explicit LegalTensorLayouts(const Problem &problem);

  /// Empty if no tensor of the problem has the element type, or if the page layout cannot hold it.
  const LayoutSpace &of(const TensorDesc &tensor, PageLayout page);

private:
  const Problem &problem;
  std::vector<DataType> scalarTypes;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_LEGALTENSORLAYOUTS_H
