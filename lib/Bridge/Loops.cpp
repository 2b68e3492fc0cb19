//===- Loops.cpp - Loops over a function ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `ttcore.while_loop` is an op that our dialect does not define: it is read by
// its name and attributes. Its body and its condition are functions. A body
// takes the states, then what is the same in every run, and returns the states;
// the loop's results are some of the last run's states. How often it runs the
// bounds say, if they are numbers: only then is its time known before it runs.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/Loops.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

bool tessera::isLoop(Operation *op) { return op->getName().getStringRef() == "ttcore.while_loop"; }

/// `#ttcore.loop_bound<4>`, or `<0, 2 : i32>` for the number that operand 2 has; nullopt if it is neither. The dialect keeps it as text.
static std::optional<LoopBound> loopBound(Operation *loop, StringRef name) {
  std::string text;
  if (Attribute bound = loop->getAttr(name))
    llvm::raw_string_ostream(text) << bound;
  auto [number, operand] = StringRef(text).split('<').second.split('>').first.split(',');
  LoopBound bound{0, std::nullopt};
  if (number.getAsInteger(10, bound.value))
    return std::nullopt;
  if (operand.empty())
    return bound;
  size_t index = 0;
  if (operand.split(':').first.trim().getAsInteger(10, index) || index >= loop->getNumOperands())
    return std::nullopt;
  return LoopBound{0, index};
}

/// From, to and step; empty if one of them is none.
static llvm::SmallVector<LoopBound, 3> boundsOf(Operation *loop) {
  llvm::SmallVector<LoopBound, 3> bounds;
  for (StringRef name : {"initial", "limit", "step"})
    if (std::optional<LoopBound> bound = loopBound(loop, name))
      bounds.push_back(*bound);
  return bounds.size() == 3 ? bounds : llvm::SmallVector<LoopBound, 3>();
}

/// From 0 to 10 by 3 are four runs: the last step may reach beyond the limit. A loop whose limit lies below its start
/// runs not at all.
std::optional<int64_t> tessera::tripsOf(Operation *loop) {
  llvm::SmallVector<LoopBound, 3> bounds = boundsOf(loop);
  if (bounds.empty() || llvm::any_of(bounds, [](const LoopBound &bound) { return bound.operand; }) ||
      bounds[2].value <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(bounds[1].value - bounds[0].value, bounds[2].value));
}

FlatSymbolRefAttr tessera::bodyOf(Operation *loop) {
  return loop->getAttrOfType<FlatSymbolRefAttr>("body_program");
}

bool tessera::isLoopBody(func::FuncOp function) {
  WalkResult found = function->getParentOp()->walk([&](Operation *op) {
    for (StringRef part : {"body_program", "condition_program"})
      if (auto name = isLoop(op) ? op->getAttrOfType<FlatSymbolRefAttr>(part) : FlatSymbolRefAttr();
          name && name.getAttr() == function.getSymNameAttr())
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// The function of that name; null if there is none.
static func::FuncOp functionNamed(Operation *loop, FlatSymbolRefAttr name) {
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(loop, name) : func::FuncOp();
}

std::optional<FunctionLoop> tessera::functionLoop(Operation *op) {
  FunctionLoop loop{functionNamed(op, bodyOf(op)),
                    functionNamed(op, op->getAttrOfType<FlatSymbolRefAttr>("condition_program")),
                    boundsOf(op),
                    0,
                    {}};
  auto states = op->getAttrOfType<IntegerAttr>("state_count");
  auto outputs = op->getAttrOfType<DenseI32ArrayAttr>("output_indices");
  // The body takes states first and what is the same in each run behind them, and returns the states: anything else is
  // another kind of loop.
  if (!loop.body || !states || !outputs || outputs.size() != int64_t(op->getNumResults()) ||
      loop.body.getNumResults() != states.getValue() ||
      loop.body.getNumArguments() < loop.body.getNumResults())
    return std::nullopt;
  // A step that stands there must go up; one that an operand says is looked at when the loop runs.
  bool isCounted = !loop.bounds.empty() && (loop.bounds[2].operand || loop.bounds[2].value > 0);
  if (loop.condition ? loop.condition.getNumResults() != 1 : !isCounted)
    return std::nullopt;
  loop.states = loop.body.getNumResults();
  for (int32_t output : outputs.asArrayRef()) {
    if (output < 0 || size_t(output) >= loop.states)
      return std::nullopt;
    loop.outputs.push_back(size_t(output));
  }
  return loop;
}
