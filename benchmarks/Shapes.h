//===- Shapes.h - Modules of any length -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BENCHMARKS_SHAPES_H
#define TESSERA_BENCHMARKS_SHAPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

/// Programs as long as one likes, of shapes that find out what is not linear: a walk over the rest of the chain, over
/// all readers of a value, over all that is alive.
struct ProgramShape {
  llvm::StringRef name, summary;
  /// A TTNN module, all tensors DRAM interleaved, of at least `ops` ops and hardly more.
  std::string (*module)(size_t ops);
};

llvm::ArrayRef<ProgramShape> programShapes();

} // namespace tessera

#endif // TESSERA_BENCHMARKS_SHAPES_H
