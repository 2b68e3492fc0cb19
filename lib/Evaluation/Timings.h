//===- Timings.h - Figures of timings -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_TIMINGS_H
#define TESSERA_LIB_EVALUATION_TIMINGS_H

#include "tessera/Evaluation/Evaluation.h"

namespace tessera::evaluation {

/// Counts `timings` by their prediction; those without one not at all.
TimingFigures figuresOf(llvm::ArrayRef<Timing> timings,
                        llvm::function_ref<std::optional<double>(const Timing &)> prediction);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_TIMINGS_H
