//===- Deallocate.cpp - ttnn.deallocate in and out ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Deallocates say how long tensors live, which a plan changes. So they are taken out
// before its ops are moved, and put in anew behind each last use; only those that say
// more than that are kept, and put back where their tensors end.
//
//===----------------------------------------------------------------------===//
#include "Deallocate.h"

#include "tessera/Dialect/TTNN/TTNN.h"

using namespace mlir;
using namespace tessera;

namespace {

/// What TTNN has placed; tensors of other dialects are theirs to free.
bool isPlaced(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa_and_nonnull<ttnn::TTNNLayoutAttr>(type.getEncoding());
}

} // namespace

TellingDeallocates tessera::stripDeallocates(func::FuncOp function) {
  TellingDeallocates telling;
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (!isa<ttnn::DeallocateOp>(op) || !isPlaced(op.getOperand(0)))
      continue;
    if (!ttnn::saysMore(&op))
      op.erase();
    else
      telling.push_back((op.remove(), &op));
  }
  return telling;
}

namespace {

/// The op after which nothing needs `value`: its last user, directly or within a region. A value without users
/// ends where it begins: at the op that makes it, or for an argument at the first op.
Operation *endOfLife(mlir::Value value, Block &body) {
  Operation *last = value.getDefiningOp() ? value.getDefiningOp() : &body.front();
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = body.findAncestorOpInBlock(*user);
    if (ancestor && last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  return last;
}

/// What keeps a place says itself until when.
bool isFreed(mlir::Value value, Block &body) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return isa<ttnn::DeallocateOp>(user) && user->getBlock() == &body;
  });
}

bool freesItsInput(Operation *op, mlir::Value value) {
  if (!isa<ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op) || op->getOperand(0) != value)
    return false;
  auto config = op->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config");
  return config && config.getDeallocateActivation() && config.getDeallocateActivation().getValue();
}

/// Whether another op of the module names the function. Its arguments are then the caller's, who may read them afterwards.
bool isCalled(func::FuncOp function) {
  Operation *table = SymbolTable::getNearestSymbolTable(function->getParentOp());
  if (!table)
    return false;
  // Nothing is known where an op that no dialect defines has regions; such ops call nothing in what compilers write.
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, table);
  return uses && !uses->empty();
}

/// Makes deallocates, of those that wait first.
class DeallocateMaker {
public:
  explicit DeallocateMaker(func::FuncOp function, const TellingDeallocates &telling)
      : builder(function.getContext()) {
    for (Operation *op : telling)
      // A tensor ends once; a second deallocate of it has no place left.
      if (!waiting.try_emplace(op->getOperand(0), op).second)
        op->erase();
  }
  ~DeallocateMaker() {
    for (auto [value, op] : waiting)
      op->erase();
  }

  OpBuilder &place() { return builder; }
  void make(Location location, mlir::Value value) {
    auto found = waiting.find(value);
    if (found == waiting.end()) {
      ttnn::DeallocateOp::create(builder, location, value, /*force=*/false);
      return;
    }
    builder.insert(found->second);
    waiting.erase(found);
  }

private:
  OpBuilder builder;
  llvm::DenseMap<mlir::Value, Operation *> waiting;
};

} // namespace

void tessera::insertDeallocates(func::FuncOp function, TellingDeallocates telling) {
  Block &body = function.getBody().front();
  SmallVector<mlir::Value> values;
  // Arguments of a function that nobody calls are its own to free, as tt-mlir does; a caller may read them
  // afterwards.
  if (!isCalled(function))
    llvm::append_range(values, body.getArguments());
  for (Operation &op : body)
    llvm::append_range(values, op.getResults());

  // All ends are found before anything is inserted: an insertion between two ops costs their block its op order,
  // and finding it again takes time linear in the block.
  SmallVector<std::pair<mlir::Value, Operation *>> freed;
  SmallVector<mlir::Value> unread; // of a function that does nothing
  for (mlir::Value value : values) {
    if (!isPlaced(value) || isFreed(value, body))
      continue;
    Operation *last = endOfLife(value, body);
    // The only op is the terminator: nothing can stand behind it, so the free stands in front.
    if (value.use_empty() && last == body.getTerminator())
      unread.push_back(value);
    else if (!last->hasTrait<OpTrait::IsTerminator>() && !freesItsInput(last, value))
      freed.push_back({value, last});
  }
  DeallocateMaker deallocates(function, telling);
  for (auto [value, last] : freed) {
    deallocates.place().setInsertionPointAfter(last);
    deallocates.make(last->getLoc(), value);
  }
  deallocates.place().setInsertionPoint(body.getTerminator());
  for (mlir::Value value : unread)
    deallocates.make(value.getLoc(), value);
}
