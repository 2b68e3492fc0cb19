//===- Guard.cpp - Whether a module still says all that it said -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Guard/Guard.h"

#include "Numbering.h"

using namespace tessera;
using namespace tessera::guard;

llvm::Expected<std::vector<Loss>>
tessera::findLosses(llvm::MemoryBufferRef before, llvm::MemoryBufferRef after, const GuardOptions &options) {
  // Both in one context: equal attributes are then one object.
  std::unique_ptr<mlir::MLIRContext> context = makeRawContext();
  llvm::Expected<std::unique_ptr<RawModule>> was = readRaw(before, context.get());
  if (!was)
    return was.takeError();
  llvm::Expected<std::unique_ptr<RawModule>> is = readRaw(after, context.get());
  if (!is)
    return is.takeError();
  return Numbering(**was, **is, options).run();
}

std::string tessera::lostBetween(llvm::MemoryBufferRef before, llvm::MemoryBufferRef after,
                                 const GuardOptions &options) {
  llvm::Expected<std::vector<Loss>> losses = findLosses(before, after, options);
  if (!losses)
    return llvm::toString(losses.takeError());
  if (losses->empty())
    return "";
  const Loss &first = losses->front();
  std::string text = first.what + (first.place.empty() ? "" : ", at " + first.place);
  if (losses->size() > 1)
    text += " (the first of " + std::to_string(losses->size()) + ")";
  return text;
}
