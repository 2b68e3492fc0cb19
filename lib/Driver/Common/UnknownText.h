//===- UnknownText.h - What stands in text that is not understood ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_UNKNOWNTEXT_H
#define TESSERA_LIB_DRIVER_COMMON_UNKNOWNTEXT_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace tessera {

/// An alias in an attribute or type of a dialect that is not registered.
struct AliasInUnknownText {
  std::string alias, dialect; ///< "#dram", "somebodys"
};

/// The first of the module's results, arguments and discardable attributes, if there is one. MLIR keeps such text as it
/// stands and sees no alias in it, so that it refers to nothing in what is printed, unless an alias of that name
/// happens to be printed as well.
std::optional<AliasInUnknownText> findAliasInUnknownText(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_UNKNOWNTEXT_H
