//===- RandomPatterns.h - Programs that rewrites find something in --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_RANDOMPATTERNS_H
#define TESSERA_UNITTESTS_OPTIMIZER_RANDOMPATTERNS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tessera {

class PatternText;

/// Who writes what one rewrite looks for.
struct PatternWriter {
  llvm::StringLiteral rewrite;
  /// In how many ways it can be off such that the rewrite must not be made.
  size_t nearMisses;
  /// `off` is 0 for what is to be found, else a way to be off, from 1.
  void (*write)(PatternText &text, size_t off);
};

/// One for each rewrite, in the order of rewrites().
llvm::ArrayRef<PatternWriter> patternWriters();

/// A random program with what a rewrite looks for.
struct PatternProgram {
  std::string text;
  /// None: one or two rewrites find something. Else the one that must not be made: one thing is off.
  llvm::StringRef nearMissOf;
  size_t off = 0; ///< in which way
};

/// Extents, types, what stands between the ops of a pattern and around it are random; the pattern itself goes round with the
/// seed, so that all get their turn. Every third program is a near miss. The same for the same seed.
PatternProgram randomPattern(uint64_t seed);

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_RANDOMPATTERNS_H
