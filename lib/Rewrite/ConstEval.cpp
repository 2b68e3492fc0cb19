//===- ConstEval.cpp - What depends on constants alone, computed once ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// 1  An op is constant if it is pure and its operands are. What makes tensors of
//    nothing (full, zeros, arange) is constant by itself.
// 2  Constant ops of which one reads what the other makes form a group. Those that read
//    the same argument, and no more than that, are groups of their own.
// 3  A group becomes a const-eval function. It takes the constants that the group
//    reads, and gives what others read of it.
//
//===----------------------------------------------------------------------===//
#include "ConstEval.h"

#include "Match.h"
#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tessera::rewrite {

/// Of a constant that rows look at; one that is made of more is none to them.
static constexpr size_t kMostParts = 64;

namespace {

bool isConstantArgument(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto kind = function ? function.getArgAttrOfType<ttcore::ArgumentTypeAttr>(argument.getArgNumber(),
                                                                             "ttcore.argument_type")
                       : ttcore::ArgumentTypeAttr();
  return kind && (kind.getValue() == ttcore::ArgumentType::Parameter ||
                  kind.getValue() == ttcore::ArgumentType::Constant);
}

/// Tuples of results are left to who made them.
bool isLoad(Operation *op) {
  return isa<ttcore::LoadCachedOp>(op) && llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

bool isDevice(mlir::Value value) { return value.getDefiningOp<ttnn::GetDeviceOp>(); }

/// Whether the tensor's layout has a plain form, on the device or on the host, where weights of convolutions lie.
bool isHeld(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && succeeded(ttnn::placedTensor(type));
}

/// Whether the op may run in another function: it computes tensors that have a place, and nothing else happens.
bool mayMove(Operation *op) {
  return op->getName().getDialectNamespace() == "ttnn" && op->getNumRegions() == 0 &&
         op->getNumResults() > 0 && !isa<ttnn::GetDeviceOp>(op) && llvm::all_of(op->getResults(), isHeld) &&
         isMemoryEffectFree(op) && !op->hasAttr("tessera.pin") && !ttnn::saysMore(op);
}

/// One function: which of its ops are constant, in program order.
class Constants {
public:
  Constants(Block &block, llvm::function_ref<bool(Operation *)> mayGo) {
    // The operands first: few ops read constants alone, and whether an op may move asks all uses of all that it reads.
    for (Operation &op : block)
      if (llvm::all_of(op.getOperands(), [&](mlir::Value value) { return isKnown(value); }) && mayMove(&op) &&
          mayGo(&op) && llvm::none_of(op.getResults(), isKept))
        ops.insert(&op);
  }

  bool isKnown(mlir::Value value) const {
    if (isDevice(value))
      return true;
    Operation *op = value.getDefiningOp();
    return ops.contains(op) || (isFromOutside(value) && !isWritten(value));
  }

  /// What const-eval functions take, unless something writes it.
  static bool isFromOutside(mlir::Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? isConstantArgument(argument) : isLoad(value.getDefiningOp());
  }

  llvm::SetVector<Operation *> ops;

private:
  /// The caller may write what it is given, and the next call may.
  static bool isKept(mlir::Value value) {
    return isWritten(value) || llvm::any_of(value.getUsers(), [](Operation *user) {
             return user->hasTrait<OpTrait::IsTerminator>();
           });
  }
};

/// Ops that become one function.
struct Group {
  llvm::SetVector<Operation *> ops; ///< in program order
  llvm::SetVector<mlir::Value> sources, results;
};

std::vector<Group> groupsOf(const Constants &constants) {
  llvm::EquivalenceClasses<Operation *> together;
  for (Operation *op : constants.ops) {
    together.insert(op);
    for (mlir::Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp(); constants.ops.contains(maker))
        together.unionSets(op, maker);
  }
  llvm::MapVector<Operation *, Group> groups;
  for (Operation *op : constants.ops) {
    Group &group = groups[together.getLeaderValue(op)];
    group.ops.insert(op);
    for (mlir::Value operand : op->getOperands())
      if (!isDevice(operand) && !constants.ops.contains(operand.getDefiningOp()))
        group.sources.insert(operand);
    for (mlir::Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !constants.ops.contains(user); }))
        group.results.insert(result);
  }
  std::vector<Group> list;
  for (auto &[leader, group] : groups)
    list.push_back(std::move(group));
  return list;
}

/// Where the results can be loaded: behind all that the function takes. Null if something reads one before.
Operation *placeOf(const Group &group) {
  // The first op may stand before the last load that the group reads from.
  Operation *place = group.ops.front();
  for (mlir::Value source : group.sources)
    if (Operation *maker = source.getDefiningOp(); maker && place->isBeforeInBlock(maker))
      place = maker->getNextNode();
  for (mlir::Value result : group.results)
    for (Operation *user : result.getUsers())
      if (user != place && user->isBeforeInBlock(place) && !group.ops.contains(user))
        return nullptr;
  return place;
}

func::FuncOp constEvalFunction(func::FuncOp function, const Group &group) {
  OpBuilder b(function); // before its reader
  auto typesOf = [](auto &values) { return TypeRange(mlir::ValueRange(values.getArrayRef())); };
  auto made = func::FuncOp::create(b, function.getLoc(), (function.getSymName() + "_const_eval").str(),
                                   b.getFunctionType(typesOf(group.sources), typesOf(group.results)));
  made.setPrivate();
  made->setAttr("tt.function_type", b.getStringAttr("const_eval"));
  Block *body = made.addEntryBlock();
  b.setInsertionPointToEnd(body);
  IRMapping inside;
  for (auto [source, argument] : llvm::zip_equal(group.sources, body->getArguments()))
    inside.map(source, argument);
  for (Operation *op : group.ops) {
    for (mlir::Value operand : op->getOperands())
      if (isDevice(operand) && !inside.contains(operand))
        inside.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
    b.clone(*op, inside);
  }
  llvm::SmallVector<mlir::Value> returned;
  for (mlir::Value result : group.results)
    returned.push_back(inside.lookup(result));
  // What lies in between is freed; arguments are the caller's.
  for (Operation *op : group.ops)
    for (mlir::Value result : op->getResults())
      if (!group.results.contains(result))
        ttnn::DeallocateOp::create(b, op->getLoc(), inside.lookup(result), /*force=*/false);
  func::ReturnOp::create(b, function.getLoc(), returned);
  return made;
}

} // namespace

bool isConstant(mlir::Value value) {
  llvm::SmallSetVector<mlir::Value, 8> all; // the value, and what it is made of
  all.insert(value);
  for (size_t i = 0; i < all.size(); ++i) {
    if (Constants::isFromOutside(all[i]))
      continue;
    Operation *op = all[i].getDefiningOp();
    // Rows ask this of every op, so nobody walks back through a long program.
    if (!op || i >= kMostParts)
      return false;
    for (mlir::Value operand : op->getOperands())
      if (!isDevice(operand))
        all.insert(operand);
  }
  // Last, since it takes a look at all readers.
  return llvm::all_of(all, [](mlir::Value part) {
    return (Constants::isFromOutside(part) || mayMove(part.getDefiningOp())) && !isWritten(part);
  });
}

void hoistConstants(func::FuncOp function, llvm::function_ref<bool(Operation *)> mayGo,
                    llvm::function_ref<void(Operation *load, ArrayRef<Operation *> were)> made) {
  Constants constants(function.getBody().front(), mayGo);
  SymbolTable symbols(function->getParentOp());
  for (Group &group : groupsOf(constants)) {
    Operation *place = group.results.empty() ? nullptr : placeOf(group);
    if (!place)
      continue;
    func::FuncOp evaluated = constEvalFunction(function, group);
    evaluated->remove();
    symbols.insert(evaluated, Block::iterator(function)); // which makes its name unique
    OpBuilder b(place);
    auto load = ttcore::LoadCachedOp::create(b, group.ops.front()->getLoc(), evaluated.getResultTypes(),
                                             evaluated.getSymName(), group.sources.getArrayRef());
    made(load, group.ops.getArrayRef());
    for (auto [was, is] : llvm::zip_equal(group.results.takeVector(), load->getResults()))
      mlir::Value(was).replaceUsesWithIf(is,
                                         [&](OpOperand &use) { return !group.ops.contains(use.getOwner()); });
    for (Operation *op : llvm::reverse(group.ops))
      op->erase();
  }
}

} // namespace tessera::rewrite
