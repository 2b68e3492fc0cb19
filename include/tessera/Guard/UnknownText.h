//===- UnknownText.h - What stands in text that is not understood ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_GUARD_UNKNOWNTEXT_H
#define TESSERA_GUARD_UNKNOWNTEXT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tessera {

/// What is wrong with an alias in an attribute or type of a dialect that is not registered, for people: of the first of the module's results,
/// arguments and discardable attributes; "" if there is none. MLIR keeps such text as it stands and sees no alias in it, so that it refers to
/// nothing in what is printed, unless an alias of that name happens to be printed as well.
std::string aliasInUnknownText(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_GUARD_UNKNOWNTEXT_H
