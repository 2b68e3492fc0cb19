//===- EmbeddedModule.cpp - A module of another program -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module that a program handed over as text, with all that was said while it
// was read and planned. Diagnostics are kept as a list and not printed: where a
// user would see them is for the program to know.
//
//===----------------------------------------------------------------------===//
#include "EmbeddedModule.h"

#include "Common/ModuleFile.h"
#include "Common/Session.h"
#include "tessera/Support/ModuleText.h"

using namespace tessera;
using namespace tessera::embedded;

EmbeddedModule::EmbeddedModule()
    : context(makeContext()), handler(context.get(), [this](mlir::Diagnostic &said) {
        add(said);
        return mlir::success();
      }) {}

Outcome<std::unique_ptr<EmbeddedModule>> EmbeddedModule::read(const std::string &text,
                                                              const std::string &name) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  if (llvm::Error unreadable = checkModuleText(*buffer, /*allowBytecode=*/false))
    return embedded::failure(std::move(unreadable));
  std::unique_ptr<EmbeddedModule> read(new EmbeddedModule());
  read->sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  read->module = parseModule(read->sources, read->context.get(), read->state, &read->resources);
  if (!read->module)
    return read->failure();
  return read;
}

Failure EmbeddedModule::failure() {
  Failure failure{"", take()};
  for (const Diagnostic &each : failure.diagnostics)
    // The first error only: those that follow are often its consequences. All of them are in the list.
    if (each.severity == "error" && failure.message.empty())
      failure.message =
          (each.line ? each.file + ":" + std::to_string(each.line) + ":" + std::to_string(each.column) + ": "
                     : "") +
          each.message;
  // A failure has words even where nobody has said any.
  if (failure.message.empty())
    failure.message = "the module cannot be optimized";
  return failure;
}

void EmbeddedModule::add(mlir::Diagnostic &diagnostic) {
  // In the order of MLIR's enum.
  static constexpr llvm::StringLiteral kSeverities[] = {"note", "warning", "error", "remark"};
  Diagnostic entry{kSeverities[unsigned(diagnostic.getSeverity())].str(), diagnostic.str(), "", 0, 0};
  if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
    entry.file = place.getFilename().str();
    entry.line = place.getLine();
    entry.column = place.getColumn();
  }
  said.push_back(std::move(entry));
}
