//===- EmbeddedModule.h - A module of another program ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_EMBEDDEDMODULE_H
#define TESSERA_LIB_DRIVER_EMBEDDEDMODULE_H

#include "tessera/Driver/Embedded.h"
#include "tessera/Optimizer/Optimizer.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace tessera::embedded {

/// A module that was read from text, in a context of its own, and what is said of it meanwhile. Members in the order in
/// which they depend on each other.
class EmbeddedModule {
public:
  /// Bytecode is refused: it has no names of properties, so that the guard could not compare it (docs/guard.md).
  static Outcome<std::unique_ptr<EmbeddedModule>> read(const std::string &text, const std::string &name);

  /// All that was said.
  std::vector<Diagnostic> take() { return std::move(said); }
  /// The same as a failure; its message is the first error, as those that follow are often its consequences.
  Failure failure();

private:
  EmbeddedModule();
  void add(mlir::Diagnostic &diagnostic);

  llvm::SourceMgr sources;
  std::vector<Diagnostic> said;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::ScopedDiagnosticHandler handler;

public:
  mlir::AsmParserState state;
  mlir::FallbackAsmResourceMap resources;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

Failure failure(llvm::Error error);
/// On one line.
std::string text(const llvm::json::Value &value);
/// What a request asks for; the first thing that is wrong with it.
llvm::Expected<OptimizerOptions> optionsOf(const OptimizeRequest &request);
/// Of a decisions file's text.
llvm::Expected<decisions::Decisions> parsedDecisions(const std::string &text);

} // namespace tessera::embedded

#endif // TESSERA_LIB_DRIVER_EMBEDDEDMODULE_H
