//===- PlanToIR.cpp - Writing a plan back into its function ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The steps of a plan become the order of the function's block. Ops are moved there
// and not made anew, so that all that they say besides their layouts stays with them;
// only conversions and the holders of kept places are new.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/PlanToIR.h"

#include "ConfigAttributes.h"
#include "Deallocate.h"
#include "PreparedWeights.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/RewriteLocation.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/Transforms/RegionUtils.h"
#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Plan/ConversionEffects.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Emits a plan's steps in order, each op moved to the end of the block as its turn comes.
class PlanWriter {
public:
  PlanWriter(const BuiltProblem &built, const Plan &plan)
      : problem(built.problem), binding(built.binding), plan(plan), terminator(body().getTerminator()),
        builder(terminator), emitted(plan.tensors.size()) {
    collectOutsiders();
    collectReturned();
    // Every other tensor is filled in by the step that writes it: steps read what earlier ones wrote.
    // Arguments are the first tensors of a plan, in their order.
    for (auto [tensor, value] : llvm::enumerate(givenValues(problem)))
      emitted[tensor] = binding.values[value.index()];
  }

  void write() {
    // 1  Places that begin or end with the step (changePlaces).
    // 2  The op, moved to the end of the block with its new operands and types (run), or the op that converts
    // (convert). All that was written stands in front, so operands are there.
    // 3  What is returned, when all is made.
    for (auto [step, effect] : llvm::zip_equal(plan.steps, conversionEffects(problem, plan))) {
      changePlaces(step);
      step.isRun() ? run(step) : convert(step, effect);
    }
    returnTensors();
    // At the end, and the last first: an erased op must have no users, and another conversion may be one.
    for (Operation *op : llvm::reverse(superfluous))
      op->erase();
  }

private:
  Block &body() { return func::FuncOp(binding.function).getBody().front(); }

  /// Ops that are not part of the problem (get_device) keep their place before the op that followed them.
  void collectOutsiders() {
    SmallVector<Operation *> pending;
    llvm::DenseSet<Operation *> inside(binding.ops.begin(), binding.ops.end());
    for (Operation &op : body().without_terminator())
      if (!inside.contains(&op)) {
        pending.push_back(&op);
        waiting.insert(&op);
      } else if (!pending.empty()) {
        outsidersBefore[&op] = std::exchange(pending, {});
      }
  }

  /// An outsider moves once: with the op that it stood before, or with the first op that it feeds.
  void moveOutsider(Operation *op) {
    if (waiting.erase(op))
      op->moveBefore(terminator);
  }

  void moveHere(Operation *op) {
    if (auto found = outsidersBefore.find(op); found != outsidersBefore.end())
      llvm::for_each(found->second, [&](Operation *outsider) { moveOutsider(outsider); });
    op->moveBefore(terminator);
  }

  /// An outsider that feeds `op` may still stand after it if the plan reordered ops.
  void moveOutsideOperands(Operation *op) {
    // In order and once, so that outsiders keep theirs.
    llvm::SetVector<mlir::Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    for (mlir::Value value : read)
      if (Operation *source = value.getDefiningOp())
        moveOutsider(source);
  }

  /// Lets operand `index` of the step's op be `value`, in the op's regions if it stands there.
  void setOperand(const PlanStep &step, size_t index, mlir::Value value) {
    Operation *op = binding.ops[step.op.index()];
    unsigned number = binding.operandNumbers[step.op.index()][index];
    if (number != ProblemBinding::kCaptured)
      return op->setOperand(number, value);
    mlir::Value captured = binding.values[problem[step.op].operands[index].index()];
    captured.replaceUsesWithIf(value, [&](OpOperand &use) { return op->isProperAncestor(use.getOwner()); });
  }

  void run(const PlanStep &step) {
    Operation *op = binding.ops[step.op.index()];
    for (auto [index, read] : llvm::enumerate(step.reads))
      setOperand(step, index, emitted[read.index()]);
    moveOutsideOperands(op);
    moveHere(op);
    for (auto [index, written] : llvm::enumerate(step.writes)) {
      ValueId value = problem[step.op].results[index];
      mlir::Value result = binding.values[value.index()];
      // An unchanged layout keeps its type object, so that an unchanged program prints unchanged.
      if (problem[value].declared != plan[written].layout)
        result.setType(typeWith(cast<RankedTensorType>(result.getType()), plan[written].layout));
      emitted[written.index()] = result;
    }
    // After the types are set: whether there is anything left to convert shows by them.
    if (problem[step.op].role == OpRole::Conversion)
      replaceConversion(step, op);
    if (plan.configs[step.op.index()].specific != problem[step.op].declared.specific)
      applyConfig(op, plan.configs[step.op.index()].specific);
    // On all, not only on those that end with a configuration of ours: legality and times are those of the signature, which says it.
    if (const std::optional<StatedNumerics> &stated = binding.numerics[step.op.index()])
      applyComputeConfig(op, stated->config);
    // A user's query is read where the kernel's grid has the user, and a board may have more columns than the plan knows of.
    if (readsItsInput(step) && readsElsewhere(step) &&
        problem.layout(plan[step.reads.front()].layout).isSharded())
      stateGrid(op, problem.device);
    // Outputs are part of a configuration, so an op that only lies elsewhere is configured as well.
    bool isConfigured = plan.configs[step.op.index()] != problem[step.op].declared;
    if (isConfigured)
      agreeOnOutputLayout(op);
    if (isa<ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op) && readsItsInput(step)) {
      const TensorLayout &input = problem.layout(plan[step.reads.front()].layout);
      // What an override says is the program's by now, and no choice of the plan.
      if (isConfigured || readsElsewhere(step) || problem[step.op].restricted ||
          !PreparedWeights::arePreparedFor(op, input))
        weights.fit(op, input);
    }
  }

  /// Whether the op's first operand is one of the problem's: it has a layout.
  bool readsItsInput(const PlanStep &step) const {
    llvm::ArrayRef<unsigned> numbers = binding.operandNumbers[step.op.index()];
    return !numbers.empty() && numbers.front() == 0;
  }

  /// Whether the op's first operand lies otherwise than the program has it.
  bool readsElsewhere(const PlanStep &step) const {
    return problem[problem[step.op].operands.front()].declared != plan[step.reads.front()].layout;
  }

  /// Places end with the step that makes their tensors, and others begin: an empty tensor holds each, and is freed right before.
  void changePlaces(const PlanStep &step) {
    builder.setInsertionPoint(terminator);
    for (const KeptPlace &place : plan.kept)
      if (llvm::is_contained(step.writes, place.tensor)) {
        mlir::Value &holder = emitted[place.tensor.index()];
        ttnn::DeallocateOp::create(builder, holder.getLoc(), holder, /*force=*/false);
      }
    for (const KeptPlace &place : plan.kept)
      if (llvm::is_contained(step.writes, place.since))
        emitted[place.tensor.index()] = makeHolder(plan[place.tensor]);
  }

  /// An empty tensor that takes the room of the one that is to lie there, so that the allocator gives it to nobody
  /// else. It is freed right before its tensor is made, which then finds the place free. Nothing computes with it.
  mlir::Value makeHolder(const PlanTensor &tensor) {
    mlir::Value value = binding.values[tensor.value.index()];
    RankedTensorType type = typeWith(cast<RankedTensorType>(value.getType()), tensor.layout);
    Location loc = NameLoc::get(builder.getStringAttr(problem[tensor.value].name + "_place"), value.getLoc());
    OperationState state(loc, ttnn::EmptyOp::getOperationName(), device(), TypeRange(type));
    state.addAttribute("shape", ttnn::ShapeAttr::get(builder.getContext(), type.getShape()));
    return builder.create(state)->getResult(0);
  }

  /// The function's own, or one like that of another function.
  mlir::Value device() {
    // The mesh is the module's, so any op that names it says how.
    ttnn::GetDeviceOp like;
    func::FuncOp function = binding.function;
    function->getParentOfType<ModuleOp>()->walk([&](ttnn::GetDeviceOp each) {
      like = each;
      return each->getBlock() == &body() ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (like && like->getBlock() == &body()) {
      moveOutsider(like);
      return like.getDevice();
    }
    if (!made)
      made =
          ttnn::GetDeviceOp::create(builder, function.getLoc(), ttnn::DeviceType::get(builder.getContext()),
                                    like ? like.getMeshShapeAttr() : ttnn::MeshShapeAttr(),
                                    like ? like.getMeshOffsetAttr() : ttnn::MeshOffsetAttr());
    return made.getDevice();
  }

  /// A conversion op of the input program may have nothing left to convert, or be a case for another op.
  void replaceConversion(const PlanStep &step, Operation *op) {
    mlir::Value input = op->getOperand(0), result = op->getResult(0);
    const PlanTensor &source = plan[step.reads.front()], &target = plan[step.writes.front()];
    // As it was: an op that nobody changed is kept, with all that it says. A copy that a rewrite offered, and the plan
    // did not want, was nobody's.
    if (source.layout == problem[source.value].declared && target.layout == problem[target.value].declared &&
        !(input.getType() == result.getType() && ttnn::isMadeByRewrite(op)))
      return;
    if (kindOf(op) == narrowConversion(problem.layout(source.layout), problem.layout(target.layout)) &&
        input.getType() != result.getType())
      return;
    mlir::Value made =
        input.getType() == result.getType()
            ? input
            : makeConversion(op->getLoc(), cast<RankedTensorType>(result.getType()), input, source, target);
    result.replaceAllUsesWith(made);
    emitted[step.writes.front().index()] = made;
    superfluous.push_back(op);
  }

  static ConversionKind kindOf(Operation *conversion) {
    return isa<ttnn::ToLayoutOp>(conversion) ? ConversionKind::Layout : ConversionKind::MemoryConfig;
  }

  RankedTensorType typeWith(RankedTensorType type, LayoutId layout) const {
    return RankedTensorType::get(type.getShape(), type.getElementType(),
                                 ttnn::toAttr(type.getContext(), problem.layout(layout)));
  }

  void convert(const PlanStep &step, const std::optional<ConversionEffect> &effect) {
    TensorId source = step.reads.front(), target = step.writes.front();
    mlir::Value input = emitted[source.index()];
    RankedTensorType type = typeWith(cast<RankedTensorType>(input.getType()), plan[target].layout);
    // What converts nothing has no effect, and is not written.
    emitted[target.index()] =
        effect ? makeConversion(conversionLocation(*effect), type, input, plan[source], plan[target]) : input;
  }

  mlir::Value makeConversion(Location loc, RankedTensorType type, mlir::Value input, const PlanTensor &source,
                             const PlanTensor &target) {
    builder.setInsertionPoint(terminator);
    switch (*narrowConversion(problem.layout(source.layout), problem.layout(target.layout))) {
    case ConversionKind::MemoryConfig:
      return ttnn::ToMemoryConfigOp::create(builder, loc, type, input);
    case ConversionKind::Layout:
      return ttnn::ToLayoutOp::create(builder, loc, type, input);
    case ConversionKind::Typecast:
      return ttnn::TypecastOp::create(builder, loc, type, input);
    }
    llvm_unreachable("every kind has its op");
  }

  Location conversionLocation(const ConversionEffect &effect) {
    // The endings that tt-mlir gives such ops (facts/ir 1.4): its overrides name ops by them.
    // By ConversionReason.
    static constexpr StringLiteral kEndings[] = {"_mem_reconfig", "_spill", "_reshard", "_spill"};
    if (!effect.op.valid())
      return func::FuncOp(binding.function).getLoc();
    std::string name = problem[effect.op].location + kEndings[size_t(effect.reason)].str();
    return NameLoc::get(builder.getStringAttr(name), binding.ops[effect.op.index()]->getLoc());
  }

  /// Which operands of the return are the problem's; to be asked before values are replaced.
  void collectReturned() {
    for (OpOperand &operand : terminator->getOpOperands())
      if (size_t next = returned.size();
          next < problem.returned.size() && operand.get() == binding.values[problem.returned[next].index()])
        returned.push_back(&operand), declaredTypes.push_back(operand.get().getType());
  }

  void returnTensors() {
    for (auto [operand, type, tensor] : llvm::zip_equal(returned, declaredTypes, plan.returned)) {
      mlir::Value value = emitted[tensor.index()];
      // The caller's type may say more than where the tensor lies: one of rank 0 may have the map of another rank (facts/dialect 10).
      if (plan[tensor].layout == problem[plan[tensor].value].declared)
        value.setType(type);
      operand->set(value);
    }
    func::FuncOp function = binding.function;
    function.setType(
        FunctionType::get(function.getContext(), function.getArgumentTypes(), terminator->getOperandTypes()));
  }

  const Problem &problem;
  const ProblemBinding &binding;
  const Plan &plan;
  Operation *terminator;
  OpBuilder builder;
  std::vector<mlir::Value> emitted; ///< by TensorId
  llvm::DenseMap<Operation *, SmallVector<Operation *>> outsidersBefore;
  llvm::DenseSet<Operation *> waiting; ///< outsiders that have not moved yet
  SmallVector<Operation *> superfluous;
  PreparedWeights weights;
  ttnn::GetDeviceOp made;            ///< in a function that had none
  SmallVector<OpOperand *> returned; ///< parallel to Problem::returned
  SmallVector<Type> declaredTypes;   ///< of these, as the program has them
};

} // namespace

void tessera::applyPlan(const BuiltProblem &built, const Plan &plan) {
  func::FuncOp function = built.binding.function;
  TellingDeallocates telling = stripDeallocates(function);
  PlanWriter(built, plan).write();
  insertDeallocates(function, std::move(telling));
}

void tessera::dropHolders(ModuleOp module) {
  SmallVector<ttnn::EmptyOp> holders;
  module.walk([&](ttnn::EmptyOp empty) {
    // An empty tensor that something reads, or that says more, is the program's own.
    auto onlyFrees = [](Operation *user) {
      return isa<ttnn::DeallocateOp>(user) && user->getDiscardableAttrs().empty();
    };
    if (!empty->use_empty() && empty->getDiscardableAttrs().empty() &&
        llvm::all_of(empty->getUsers(), onlyFrees))
      holders.push_back(empty);
  });
  for (ttnn::EmptyOp holder : holders) {
    for (Operation *freed : llvm::make_early_inc_range(holder->getUsers()))
      freed->erase();
    holder.erase();
  }
}
