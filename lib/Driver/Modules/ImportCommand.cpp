//===- ImportCommand.cpp - tessera import ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The compiler runs in an environment of its own and hands over a module as
// text. It is read here once before it is written, as a version of the compiler
// may write what our dialect does not know, and says from then on which version
// of the vendor's library it is for.
//
//===----------------------------------------------------------------------===//
#include "../Common/ModuleFile.h"
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Library/JaxCompiler.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

/// What the compiler wrote, with the version that it is for; nothing after a diagnostic, if we cannot read it.
static std::optional<std::string> finished(llvm::StringRef text) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "<compiler's module>"),
                             llvm::SMLoc());
  SessionDiagnostics diagnostics(context.get(), sources, /*remarks=*/false);
  mlir::AsmParserState places;
  mlir::FallbackAsmResourceMap resources;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(sources, context.get(), places, &resources);
  if (!module)
    return std::nullopt;
  return printForVersion(*module, kJaxLibrary, resources);
}

/// `find` finds the Python that answers the request.
static int import(const ImportArguments &arguments, JaxRequest request,
                  llvm::Expected<std::string> (*find)()) {
  const DeviceSpec *device = findDeviceOrDiagnose(arguments.device);
  if (!device)
    return kUsageError;
  // A compiler takes minutes, so what can fail at once comes before it.
  if (!canBeMade(arguments.output))
    return kInputError;
  llvm::Expected<std::string> python = find();
  if (!python)
    return inputError(llvm::toString(python.takeError()));
  request.level = arguments.level;
  llvm::Expected<std::string> module = compileWithJax(*python, request, *device);
  if (!module)
    return inputError(llvm::toString(module.takeError()));
  // Else the next command would fail on a file that this one has called done.
  std::optional<std::string> text = finished(*module);
  if (!text)
    return kInputError;
  return writeFiles({{arguments.output, [&](llvm::raw_ostream &os) { os << *text; }}}) ? kSuccess
                                                                                       : kInputError;
}

int tessera::importJax(const ImportArguments &arguments) {
  JaxRequest request;
  request.function = arguments.input;
  request.shapes = arguments.shapes;
  request.parameters = arguments.parameters;
  request.donated = arguments.donated;
  return import(arguments, std::move(request), findJax);
}

int tessera::importTorch(const ImportArguments &arguments) {
  JaxRequest request;
  request.model = arguments.input;
  request.shapes = arguments.shapes;
  return import(arguments, std::move(request), findTorch);
}

int tessera::importStableHlo(const ImportArguments &arguments) {
  const std::string name = arguments.input == "-" ? "standard input" : "'" + arguments.input + "'";
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(arguments.input, /*IsText=*/true);
  if (!file)
    return inputError("cannot read " + name + ": " + file.getError().message());
  JaxRequest request;
  request.stablehlo = (*file)->getBuffer().str();
  if (llvm::StringRef(request.stablehlo).trim().empty())
    return inputError(name + " is empty");
  return import(arguments, std::move(request), findJax);
}
