//===- Register.h - All dialects of TTNN modules ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_REGISTER_H
#define TESSERA_DIALECT_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace tessera {

/// Registers ttcore, ttnn and what modules of tt-mlir hold besides: func, and llvm for functions hoisted to
/// the host. Contexts that read such modules should also allow unregistered dialects.
void registerTesseraDialects(mlir::DialectRegistry &registry);

} // namespace tessera

#endif // TESSERA_DIALECT_REGISTER_H
