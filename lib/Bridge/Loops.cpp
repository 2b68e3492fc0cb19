//===- Loops.cpp - Loops over a function ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/Loops.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

bool tessera::isLoop(Operation *op) { return op->getName().getStringRef() == "ttcore.while_loop"; }

/// `#ttcore.loop_bound<4>`, an attribute that the dialect keeps as text; nullopt if it is no number.
static std::optional<int64_t> loopBound(Operation *loop, StringRef name) {
  std::string text;
  if (Attribute bound = loop->getAttr(name))
    llvm::raw_string_ostream(text) << bound;
  StringRef number = StringRef(text).split('<').second.split('>').first;
  int64_t value = 0;
  return number.getAsInteger(10, value) ? std::nullopt : std::optional(value);
}

std::optional<int64_t> tessera::tripsOf(Operation *loop) {
  std::optional<int64_t> initial = loopBound(loop, "initial"), limit = loopBound(loop, "limit"),
                         step = loopBound(loop, "step");
  if (!initial || !limit || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*limit - *initial, *step));
}

FlatSymbolRefAttr tessera::bodyOf(Operation *loop) {
  return loop->getAttrOfType<FlatSymbolRefAttr>("body_program");
}

bool tessera::isLoopBody(func::FuncOp function) {
  WalkResult found = function->getParentOp()->walk([&](Operation *op) {
    FlatSymbolRefAttr body = isLoop(op) ? bodyOf(op) : FlatSymbolRefAttr();
    return body && body.getAttr() == function.getSymNameAttr() ? WalkResult::interrupt()
                                                               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

std::optional<CountedLoop> tessera::countedLoop(Operation *loop) {
  std::optional<int64_t> trips = tripsOf(loop);
  FlatSymbolRefAttr name = bodyOf(loop);
  auto body = name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(loop, name) : func::FuncOp();
  auto states = loop->getAttrOfType<IntegerAttr>("state_count");
  auto outputs = loop->getAttrOfType<DenseI32ArrayAttr>("output_indices");
  if (!trips || !body || !states || !outputs || outputs.size() != int64_t(loop->getNumResults()) ||
      body.getNumResults() != states.getValue() || body.getNumArguments() < body.getNumResults())
    return std::nullopt;
  CountedLoop counted{body, *trips, body.getNumResults(), {}};
  for (int32_t output : outputs.asArrayRef()) {
    if (output < 0 || size_t(output) >= counted.states)
      return std::nullopt;
    counted.outputs.push_back(size_t(output));
  }
  return counted;
}
