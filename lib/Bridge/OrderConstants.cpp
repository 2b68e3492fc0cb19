//===- OrderConstants.cpp - Const-eval that holds little at once ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Const-eval functions of a large model hold all weights at once, and twice, if
// they run as written. This finds an order by operands alone in which an op
// follows its producer at once if that takes no memory, measures the peak of
// both orders in bytes on the device, and keeps the better one. Which op is
// next follows from the order of the program and of its uses, so that the
// result is the same on every run.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/OrderConstants.h"

#include "Deallocate.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;

bool tessera::isConstEval(func::FuncOp function) {
  auto type = function->getAttrOfType<StringAttr>("tt.function_type");
  return type && type == "const_eval";
}

/// Erases those functions that no op of the module names. They must be of one module.
void tessera::eraseUnused(llvm::ArrayRef<func::FuncOp> functions) {
  if (functions.empty())
    return;
  // One walk over the table for all of them.
  auto uses = SymbolTable::getSymbolUses(&functions.front()->getParentOp()->getRegion(0));
  if (!uses)
    return;
  llvm::DenseSet<StringAttr> used;
  for (SymbolTable::SymbolUse use : *uses)
    used.insert(use.getSymbolRef().getRootReference());
  for (func::FuncOp function : functions)
    if (!used.contains(function.getSymNameAttr()))
      function.erase();
}

namespace {

/// What a value takes of the device's memories, padding of tiles included.
Bytes bytesOnDevice(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto attr = type ? dyn_cast_if_present<ttnn::TTNNLayoutAttr>(type.getEncoding()) : nullptr;
  if (!attr)
    return Bytes(0);
  FailureOr<TensorLayout> layout = ttnn::toTensorLayout(attr);
  // The host's memory is not what runs short.
  if (failed(layout) || layout->buffer == BufferType::SystemMemory)
    return Bytes(0);
  return totalBytes(*layout, type.getShape());
}

/// The ops that make and read; where tensors end is decided anew.
auto working(Block &body) {
  return llvm::make_filter_range(body, [](Operation &op) { return !isa<ttnn::DeallocateOp>(op); });
}
auto readersOf(mlir::Value value) {
  return llvm::make_filter_range(value.getUsers(),
                                 [](Operation *op) { return !isa<ttnn::DeallocateOp>(op); });
}

/// Which tensors lie there while ops run one after the other. Arguments are the caller's and lie there anyway.
class Holding {
public:
  explicit Holding(Block &body) {
    for (Operation &op : working(body))
      for (mlir::Value result : op.getResults()) {
        // Once per value: to ask a layout for its bytes costs more than all that is done with them here.
        bytes[result] = bytesOnDevice(result);
        readers[result] = unsigned(llvm::range_size(readersOf(result)));
      }
  }

  /// Bytes that lie there more after `op` than before; below 0 if its last operands are larger than its results.
  Bytes growth(Operation *op) const {
    Bytes sum(0);
    for (mlir::Value result : op->getResults())
      sum += bytes.lookup(result);
    for (mlir::Value operand : distinctOperands(op))
      if (readers.lookup(operand) == usesBy(op, operand))
        sum -= bytes.lookup(operand);
    return sum;
  }

  void run(Operation *op) {
    // Results lie there beside the operands while the op runs, so the peak is taken before any operand ends.
    for (mlir::Value result : op->getResults())
      now += bytes.lookup(result);
    most = std::max(most, now);
    for (mlir::Value operand : distinctOperands(op))
      if ((readers[operand] -= usesBy(op, operand)) == 0)
        now -= bytes.lookup(operand);
  }

  Bytes peak() const { return most; }

private:
  static llvm::SmallSetVector<mlir::Value, 4> distinctOperands(Operation *op) {
    return {op->operand_begin(), op->operand_end()};
  }
  static unsigned usesBy(Operation *op, mlir::Value operand) {
    return unsigned(llvm::count(op->getOperands(), operand));
  }

  llvm::DenseMap<mlir::Value, Bytes> bytes;
  llvm::DenseMap<mlir::Value, unsigned> readers; // that have not run yet
  Bytes now, most;
};

/// The order of `OrderConstants.h`.
class Order {
public:
  explicit Order(Block &body) : holding(body) {
    for (Operation &op : working(body)) {
      unsigned waits = 0;
      // Once for each operand, also of one value: its users are listed once for each use.
      for (mlir::Value operand : op.getOperands())
        waits += operand.getDefiningOp() != nullptr;
      missing[&op] = waits;
    }
    for (Operation &op : working(body))
      if (!done.contains(&op))
        run(&op);
  }

  ArrayRef<Operation *> ops() const { return order; }
  Bytes peak() const { return holding.peak(); }

private:
  /// Runs an op whose operands are there, and then what can run now and costs nothing, the latest first: what has just been made
  /// is what there is most of.
  void run(Operation *first) {
    SmallVector<Operation *> ready{first};
    while (!ready.empty()) {
      Operation *op = ready.pop_back_val();
      if (!done.insert(op).second)
        continue;
      order.push_back(op);
      holding.run(op);
      for (mlir::Value result : op->getResults())
        for (Operation *user : readersOf(result))
          if (--missing[user] == 0 && !user->hasTrait<OpTrait::IsTerminator>() &&
              holding.growth(user) <= Bytes(0))
            ready.push_back(user);
    }
  }

  Holding holding;
  llvm::DenseMap<Operation *, unsigned> missing; // operands that are not made yet
  llvm::DenseSet<Operation *> done;
  SmallVector<Operation *> order;
};

Bytes peakAsItIs(Block &body) {
  Holding holding(body);
  for (Operation &op : working(body))
    holding.run(&op);
  return holding.peak();
}

/// Whether operands are all that orders the ops.
bool onlyOperandsMatter(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    // What writes in place has to stay behind who reads the old elements, which none of its operands says. An op that nobody knows may.
    return op.isRegistered() && op.getNumRegions() == 0 && !isa<ttnn::TTNNInPlaceOpInterface>(op);
  });
}

} // namespace

void tessera::orderConstEval(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return;
  Block &body = function.getBody().front();
  if (!onlyOperandsMatter(body))
    return;
  Order order(body);
  // Greedy orders may be worse than the one that was written, which then stays.
  if (order.peak() >= peakAsItIs(body))
    return;
  TellingDeallocates telling = stripDeallocates(function);
  for (Operation *op : order.ops())
    op->moveBefore(&body, body.end());
  insertDeallocates(function, telling);
}
