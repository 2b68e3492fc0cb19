//===- ReduceModule.h - The smallest function that still fails ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_REDUCEMODULE_H
#define TESSERA_UNITTESTS_OPTIMIZER_REDUCEMODULE_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace tessera {

/// Takes ops off the one function of a module of TTNN ops for as long as `fails` says so of its text, from the last op to the
/// first and again until none can go: results that nobody reads or returns go with their op, others become arguments; returned
/// values and arguments go, too. `text` must fail.
std::string reduceModule(const std::string &text, llvm::function_ref<bool(const std::string &)> fails);

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_REDUCEMODULE_H
