//===- Session.cpp - What commands on modules have in common --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "tessera/Dialect/Register.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Support/AtomicFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;

std::unique_ptr<mlir::MLIRContext> tessera::makeContext() {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

int tessera::inputError(const llvm::Twine &message) {
  llvm::errs() << "tessera: error: " << message << "\n";
  return kInputError;
}

bool tessera::readInput(const std::string &path, llvm::SourceMgr &sources) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    inputError("cannot read '" + path + "': " + buffer.getError().message());
    return false;
  }
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return true;
}

bool tessera::writeFile(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path.empty())
    return true;
  if (llvm::Error error = writeFileAtomically(path, write)) {
    inputError(llvm::toString(std::move(error)));
    return false;
  }
  return true;
}

bool tessera::writeJson(const std::string &path, const llvm::json::Value &value) {
  return writeFile(path, [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}", value) << "\n"; });
}
