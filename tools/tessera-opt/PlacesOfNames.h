//===- PlacesOfNames.h - File, line and column of ops with loc("name") ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TOOLS_TESSERAOPT_PLACESOFNAMES_H
#define TESSERA_TOOLS_TESSERAOPT_PLACESOFNAMES_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tessera {

/// Gives messages about ops whose written location names no file, such as loc("matmul_3"), the place where the op
/// stands in `text`, in every context that is made with `registry`. mlir-opt itself prints these messages without a
/// place. `text` has to outlive the contexts. Only a message makes it read the text again.
void addPlacesOfNames(mlir::DialectRegistry &registry, llvm::MemoryBufferRef text);

} // namespace tessera

#endif // TESSERA_TOOLS_TESSERAOPT_PLACESOFNAMES_H
