//===- ModuleMutator.h - Modules that are valid, but odd ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Mutations of text seldom come past the parser. These change a module as MLIR
// holds it: types, attributes, operands, ops, functions and their nesting. What
// comes out parses, and most rules of ops can only refuse it one by one, so the
// optimizer gets to see much of it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_MODULEMUTATOR_H
#define TESSERA_FUZZ_MODULEMUTATOR_H

#include "Random.h"

#include <string>

namespace tessera::fuzz {

/// The module `text` after a few mutations, in MLIR's generic form; functions may come from `donor`. `text` itself if
/// it does not parse. What parses, but would not verify, is taken.
std::string mutateModule(const std::string &text, const std::string &donor, Random &random);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_MODULEMUTATOR_H
