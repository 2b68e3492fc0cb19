//===- RawDialects.h - ttnn and ttcore, unread -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_RAWDIALECTS_H
#define TESSERA_LIB_GUARD_RAWDIALECTS_H

namespace mlir {
class DialectRegistry;
}

namespace tessera::guard {

/// Dialects `ttnn` and `ttcore` that know how their ops with a syntax of their own are written, and nothing else: all ops
/// are unregistered, all attributes and types text.
void registerRawDialects(mlir::DialectRegistry &registry);

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_RAWDIALECTS_H
