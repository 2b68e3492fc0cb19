//===- DecodeLayers.h - Layers of a language model that decodes -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BENCHMARKS_DECODELAYERS_H
#define TESSERA_BENCHMARKS_DECODELAYERS_H

#include <string>

namespace tessera {

/// A TTNN module of whole decode layers, at least `ops` ops.
std::string decodeLayers(size_t ops);

} // namespace tessera

#endif // TESSERA_BENCHMARKS_DECODELAYERS_H
