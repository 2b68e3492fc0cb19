//===- Session.h - What commands on modules have in common ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_SESSION_H
#define TESSERA_LIB_DRIVER_SESSION_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/OpModel/OpModelOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace tessera {

/// A context that reads what tt-mlir writes: single-threaded, unregistered dialects allowed, diagnostics
/// without the op's text.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Print `tessera: error: <message>` and return kInputError or kUsageError.
int inputError(const llvm::Twine &message);
int usageError(const llvm::Twine &message);

/// The built-in device of that name; nullptr after a diagnostic.
const DeviceSpec *findDeviceOrDiagnose(llvm::StringRef name);

/// False after a diagnostic if the options are not well-formed.
bool checkOrDiagnose(const OpModelOptions &options);

/// Diagnostics while a module is worked on: what has no place in the input is about another file, and printed
/// as `tessera: error:` or `tessera: warning:`. Remarks are dropped unless wanted. To be created after the
/// handler that prints the rest.
class SessionDiagnostics : public mlir::ScopedDiagnosticHandler {
public:
  SessionDiagnostics(mlir::MLIRContext *context, bool remarks);
};

/// Reads a module's file ("-": standard input) into `sources`, if MLIR can take it. False after a diagnostic.
bool readInput(const std::string &path, bool allowBytecode, llvm::SourceMgr &sources);

/// Writes a file atomically; does nothing for an empty path. False after a diagnostic.
bool writeFile(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> write);
bool writeJson(const std::string &path, const llvm::json::Value &value);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_SESSION_H
