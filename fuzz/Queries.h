//===- Queries.h - Ops in any sizes and places ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_QUERIES_H
#define TESSERA_FUZZ_QUERIES_H

#include "Random.h"

#include <string>
#include <vector>

namespace tessera::fuzz {

/// Arguments of `tessera ops explain`: an op that the model knows, with tensors, attributes and a configuration that need
/// not make sense. Well-formed, so that the model's rules and formulas get to see it.
std::vector<std::string> oddQuery(Random &random);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_QUERIES_H
