//===- ModuleText.h - Modules that MLIR's parser can take -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// MLIR's parser, printer and verifiers recurse for every bracket and for every
// operator of an affine expression, and print an alias as what it stands for
// where it has no name of its own. So a file of a few kilobytes can overflow
// the stack or print for ever:
//
//   [[[[ ... ]]]]                       one call per bracket
//   !t1 = tuple<!t0>   !t2 = tuple<!t1>         ... and no bracket stands in another
//   !t1 = tuple<!t0, !t0>   !t2 = tuple<!t1, !t1>   ... twice as long per line
//
// It also makes room for as many results as a use asks for (`%0#4000000000`)
// before it looks how many there are, and asks the type `index` of `array<index: 1>`
// for a width that it does not have.
//
// Bytecode is worse off: MLIR 22 trusts it, and a damaged file corrupts memory.
// Modules are therefore looked at before MLIR sees them.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_MODULETEXT_H
#define TESSERA_SUPPORT_MODULETEXT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>

namespace tessera {

/// Brackets and operators that may stand inside one another, aliases read as what they stand for. Published modules
/// nest less than 20 deep; MLIR 22 fails at some 8,000 with the usual stack of 8 MiB.
constexpr unsigned kDeepestModule = 256;

/// What MLIR's parser cannot take in a text, and where: line and column count from 1.
struct ModuleTextFault {
  unsigned line = 0, column = 0;
  std::string message;
};

/// Whether MLIR can parse and print the text: a fault if it nests beyond kDeepestModule, its aliases stand for out of
/// all proportion more than it is long, its values are asked for more results than it can name, it has arrays of
/// `index`, or begins with a byte order mark. Linear in the length of the text. Text that is not MLIR may pass: the parser refuses it.
std::optional<ModuleTextFault> findModuleTextFault(llvm::StringRef text);

/// The same of a file: an error "file:line:column: error: ...", also for bytecode unless that is allowed.
llvm::Error checkModuleText(llvm::MemoryBufferRef file, bool allowBytecode);

} // namespace tessera

#endif // TESSERA_SUPPORT_MODULETEXT_H
