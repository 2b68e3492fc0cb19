//===- Session.h - What commands on modules have in common ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_SESSION_H
#define TESSERA_LIB_DRIVER_COMMON_SESSION_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/OpModel/OpModelOptions.h"
#include "tessera/Support/AtomicFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera {

/// A context that reads what tt-mlir writes: single-threaded, unregistered dialects allowed, diagnostics
/// without the op's text.
/// Single-threaded, as diagnostics come in the order of the text then.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Where messages go that are about no module: standard error, or what listens on this thread.
llvm::raw_ostream &errorStream();
/// Keeps what errorStream() is told on this thread, for programs that have no standard error to show.
class CapturedErrors {
public:
  CapturedErrors();
  ~CapturedErrors();
  CapturedErrors(const CapturedErrors &) = delete;
  CapturedErrors &operator=(const CapturedErrors &) = delete;
  /// All that was said.
  std::string text() const { return said; }

private:
  std::string said;
  llvm::raw_string_ostream stream{said};
  llvm::raw_ostream *before;
};

/// Print `tessera: error: <message>` and return kInputError or kUsageError.
int inputError(const llvm::Twine &message);
int usageError(const llvm::Twine &message);

/// The built-in device of that name; nullptr after a diagnostic.
const DeviceSpec *findDeviceOrDiagnose(llvm::StringRef name);

/// "512M" as bytes; nullopt after a diagnostic.
std::optional<uint64_t> readSizeOrDiagnose(llvm::StringRef option, llvm::StringRef text);

/// False after a diagnostic if the options are not well-formed.
bool checkOrDiagnose(const OpModelOptions &options);

/// How a command prints diagnostics: those about `sources` with their place, all others, which are about the command
/// line or another file, as `tessera: error:` or `tessera: warning:`. Remarks, if wanted, are a line each.
class SessionDiagnostics {
public:
  SessionDiagnostics(mlir::MLIRContext *context, llvm::SourceMgr &sources, bool remarks);

private:
  mlir::SourceMgrDiagnosticHandler withPlace;
  mlir::ScopedDiagnosticHandler first; ///< asked first
};

/// Reads a module's file ("-": standard input) into `sources`, if MLIR can take it. False after a diagnostic.
bool readInput(const std::string &path, bool allowBytecode, llvm::SourceMgr &sources);

/// An output of a command, as the user asks for it: the option, and its file. No file: not wanted.
struct OutputOption {
  llvm::StringRef option;
  std::string path;
};
/// False after a diagnostic if two of them, or one of them and what the op model writes, would overwrite one another.
bool checkOutputs(std::vector<OutputOption> outputs, const OpModelOptions &opModel);

/// Whether a file can be made there, which is to show before minutes of work. False after a diagnostic.
bool canBeMade(const std::string &file);

/// A file that is written with the others; "-" is standard output, "" is not wanted.
OutputFile jsonFile(const std::string &path, llvm::json::Value value);
/// Writes all files or none; those without a path are not wanted. False after a diagnostic.
bool writeFiles(std::vector<OutputFile> files);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_SESSION_H
