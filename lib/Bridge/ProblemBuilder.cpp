//===- ProblemBuilder.cpp - From a TTNN function to a Problem -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// 1. Number the values and ops of the function (Numbering).
// 2. Order the ops with memory effects (EffectOrder).
// 3. Give each op its role, by asking the model about the declared layouts (Roles). What a rule refuses gets the form that
//    it falls back to (Base.cpp), if there is one.
// 4. Say how exactly matmuls and convolutions compute (Numerics.cpp).
// 5. Enumerate each op's legal configurations, once per signature (LegalConfigs.cpp).
// 6. Choose what ops fall back to that do not fit as declared (Base.cpp).
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/ProblemBuilder.h"

#include "CalledWrites.h"
#include "ConfigAttributes.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/RewriteLocation.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/OpModel/Conversions.h"
#include "tessera/OpModel/SimilarOps.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/Schedule.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Why a tensor is none that the optimizer can talk about, as far as its type says that at once; "" if it does not.
StringRef unplacedBecause(RankedTensorType type) {
  if (!type.hasStaticShape())
    return "its shape is dynamic: layouts, sizes and times are those of one shape";
  if (!type.getEncoding())
    return "it has no #ttnn.ttnn_layout";
  return "";
}

/// Which tensors the optimizer can talk about, looked up by type: a program has few types and many values. The first
/// tensor of a TTNN op with each reason why not gets a remark, the others are silent.
class Placements {
public:
  /// Null for what is not a tensor, for one without a layout, and for one whose layout does not place it.
  const ttnn::PlacedTensor *of(mlir::Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return nullptr;
    if (StringRef reason = unplacedBecause(type); !reason.empty())
      return sayUnplaced(value, reason);
    if (!isa<ttnn::TTNNLayoutAttr>(type.getEncoding()))
      return nullptr;
    // A null entry is an answer, too: such a type is not asked about, nor told of, again.
    auto [entry, isNew] = byType.try_emplace(type);
    if (!isNew)
      return entry->second.get();
    auto remark =
        [&] {
          reported = true;
          return std::move(
              emitRemark(value.getLoc())
              << "ops on tensors such as this keep their layouts, because its layout does not place it: ");
        };
    FailureOr<ttnn::PlacedTensor> placed =
        ttnn::placedTensor(type, reported ? ttnn::EmitError() : ttnn::EmitError(remark));
    if (succeeded(placed))
      entry->second = std::make_unique<ttnn::PlacedTensor>(std::move(*placed));
    return entry->second.get();
  }

private:
  /// Silent about what no op of TTNN reads or makes: functions for the host have tensors of their own.
  const ttnn::PlacedTensor *sayUnplaced(mlir::Value value, StringRef reason) {
    auto isTtnn = [](Operation *op) { return op && isa_and_nonnull<ttnn::TTNNDialect>(op->getDialect()); };
    if ((isTtnn(value.getDefiningOp()) || llvm::any_of(value.getUsers(), isTtnn)) &&
        said.insert(reason).second)
      emitRemark(value.getLoc()) << "ops on tensors such as this keep their layouts, because " << reason;
    return nullptr;
  }

  llvm::DenseMap<mlir::Type, std::unique_ptr<ttnn::PlacedTensor>> byType;
  llvm::StringSet<> said;
  bool reported = false;
};

bool isParameter(BlockArgument argument, func::FuncOp function) {
  auto kind =
      function.getArgAttrOfType<ttcore::ArgumentTypeAttr>(argument.getArgNumber(), "ttcore.argument_type");
  // A cache is written in place by each run, so it is none of the constants that may be converted ahead.
  if (function.getArgAttr(argument.getArgNumber(), "ttcore.kv_cache"))
    return false;
  return kind && kind.getValue() != ttcore::ArgumentType::Input;
}

/// Ops that stand outside the problem: they have nothing to do with tensors, and nothing of the problem feeds
/// them, so they can keep their place relative to the ops that follow. Regions may use anything.
bool isOutsideProblem(Operation &op, Placements &placements) {
  return op.getNumOperands() == 0 && op.getNumRegions() == 0 &&
         llvm::none_of(op.getResults(), [&](mlir::Value result) { return placements.of(result); });
}

/// Visits the op's operands with their numbers, then the values from outside that its regions use.
void forEachRead(Operation &op, llvm::function_ref<void(mlir::Value, unsigned)> visit) {
  for (OpOperand &operand : op.getOpOperands())
    visit(operand.get(), operand.getOperandNumber());
  llvm::SetVector<mlir::Value> captured;
  getUsedValuesDefinedAbove(op.getRegions(), captured);
  for (mlir::Value value : captured)
    visit(value, ProblemBinding::kCaptured);
}

/// The name without what would move a terminal's cursor or change its colours: written as MLIR writes it, "\1B".
std::string withoutControls(StringRef name) {
  std::string text;
  for (char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      text += "\\" + llvm::toHex(StringRef(&c, 1));
    else
      text += c;
  return text;
}

std::string userLocation(Operation *op, llvm::StringMap<unsigned> &counters) {
  // An op's name location is its name for overrides (facts/ir 1.4); others are numbered by kind, in program
  // order.
  if (auto named = op->getLoc()->findInstanceOf<NameLoc>(); named && !named.getName().empty())
    return withoutControls(named.getName());
  StringRef kind = op->getName().stripDialect();
  return (kind + "_" + llvm::Twine(counters[kind]++)).str();
}

/// Step 1: ids for ops and values, and their data.
class Numbering {
public:
  Numbering(BuiltProblem &built, const OpCostTable &model, SignaturePool &signatures, Placements &placements)
      : built(built), problem(built.problem), model(model), signatures(signatures), placements(placements) {}

  void run() {
    Block &body = built.binding.function.getBody().front();
    for (BlockArgument argument : body.getArguments())
      addValue(argument,
               isParameter(argument, built.binding.function) ? ValueKind::Constant : ValueKind::Argument);
    for (Operation &op : body.without_terminator())
      // Deallocates are made anew from the plan's lifetimes (docs/architecture.md).
      if (!isOutsideProblem(op, placements) && !isa<ttnn::DeallocateOp>(op))
        addOp(op);
    for (mlir::Value value : body.getTerminator()->getOperands())
      if (auto found = ids.find(value); found != ids.end()) {
        problem.values[found->second.index()].returned = true;
        problem.returned.push_back(found->second);
      }
  }

private:
  void addValue(mlir::Value value, ValueKind kind, OpId producer = {}, unsigned resultIndex = 0) {
    const ttnn::PlacedTensor *placed = placements.of(value);
    if (!placed)
      return;
    tessera::Value data;
    data.tensor = placed->tensor;
    data.declared = data.home = model.layouts().intern(placed->layout);
    data.kind = kind;
    data.producer = producer;
    data.resultIndex = resultIndex;
    data.name = producer.valid() ? problem.ops[producer.index()].location
                                 : ("%arg" + llvm::Twine(cast<BlockArgument>(value).getArgNumber())).str();
    // Values, their ids and the binding's list grow together: `binding.values[id]` is the IR's value of
    // `problem.values[id]`.
    ids[value] = ValueId(problem.values.size());
    problem.values.push_back(std::move(data));
    built.binding.values.push_back(value);
  }

  void addOp(Operation &op) {
    OpId id(problem.ops.size());
    tessera::Op &data = problem.ops.emplace_back();
    data.name = op.getName().getStringRef().str();
    data.location = userLocation(&op, counters);
    std::vector<unsigned> numbers;
    SmallVector<mlir::Value> operands, results;
    forEachRead(op, [&](mlir::Value value, unsigned number) {
      // Operands that no layout places are not the problem's; the op keeps them as they are.
      auto found = ids.find(value);
      if (found == ids.end())
        return;
      problem.values[found->second.index()].uses.push_back({id, unsigned(data.operands.size())});
      data.operands.push_back(found->second);
      numbers.push_back(number);
      operands.push_back(value);
    });
    // What a const-eval function made is there before the program runs (docs/policies, "Before any policy:
    // constants").
    ValueKind kind = isa<ttcore::LoadCachedOp>(op) ? ValueKind::Constant : ValueKind::Activation;
    unsigned resultIndex = 0;
    for (mlir::Value result : op.getResults()) {
      if (!placements.of(result))
        continue;
      addValue(result, kind, id, resultIndex++);
      tessera::Op &self = problem.ops.back();
      self.results.push_back(ids[result]);
      self.declared.outputs.push_back(problem.values.back().declared);
      results.push_back(result);
    }
    tessera::Op &self = problem.ops.back();
    OpSignature signature = signatureOf(&op, operands, results);
    for (auto [index, operand] : llvm::enumerate(self.operands))
      signature.operands[index].constant = problem[operand].kind == ValueKind::Constant;
    // Configurations are about the first operand, which a conv2d may free: without it there is nothing to say.
    if (!numbers.empty() && numbers.front() == 0)
      self.declared.specific = configOf(&op);
    // What a program config fuses the op computes, however it runs: other configs are to fuse it, too.
    if (const auto *matmul = std::get_if<MatmulProgramConfig>(&self.declared.specific);
        matmul && !matmul->fusedActivation.empty() && signature.string("activation").empty())
      signature.addAttribute("activation", matmul->fusedActivation);
    self.signature = signatures.intern(signature);
    built.binding.ops.push_back(&op);
    built.binding.operandNumbers.push_back(std::move(numbers));
  }

  BuiltProblem &built;
  Problem &problem;
  const OpCostTable &model;
  SignaturePool &signatures;
  Placements &placements;
  llvm::DenseMap<mlir::Value, ValueId> ids;
  llvm::StringMap<unsigned> counters;
};

/// Step 3. An op is Fixed if its layouts may not be decided or the model does not know it.
class Roles {
public:
  Roles(BuiltProblem &built, const OpCostTable &model) : built(built), model(model) {}

  void run() {
    std::vector<std::pair<OpId, ValidationResult>> refused;
    for (size_t i = 0; i < built.problem.ops.size(); ++i)
      if (std::optional<ValidationResult> refusal = setRole(OpId(i)))
        refused.emplace_back(OpId(i), std::move(*refusal));
    for (OpId id : keepViews(built.problem))
      reportView(built.binding.ops[id.index()]);
    // After all roles: a base asks who reads and who writes its values, and whether those may be moved.
    BaseSearch bases(built.problem, model);
    for (const auto &[id, refusal] : refused)
      repair(id, refusal, bases);
  }

private:
  /// Why an op that might be decided is none as it is declared.
  std::optional<ValidationResult> setRole(OpId id) {
    OpRole &role = built.problem.ops[id.index()].role;
    role = OpRole::Fixed;
    Operation *op = built.binding.ops[id.index()];
    reportUnread(op);
    if (op->hasTrait<ttnn::OpTrait::TypesAreTied>()) // it runs as it is declared or not at all
      if (ValidationResult answer = declaredAnswer(built.problem, id, model); isUnjudged(answer))
        report(op, answer, "keeps its layouts");
    if (!isDecidable(built, id))
      return std::nullopt;
    role = decidedRole(built, id);
    ValidationResult answer = declaredAnswer(built.problem, id, model);
    // Out of memory as declared is not a reason to leave an op alone: a policy may find room for it.
    if (!isUnjudged(answer) || configMade(built.problem, id, model))
      return std::nullopt;
    role = OpRole::Fixed;
    return answer;
  }

  /// An op that is known, and refused by a rule, is like any other if there are layouts in which it is legal.
  void repair(OpId id, const ValidationResult &refusal, BaseSearch &bases) {
    OpRole &role = built.problem.ops[id.index()].role;
    if (isRefused(refusal)) {
      role = decidedRole(built, id);
      if (bases.settle(id)) {
        // What a rewrite made was declared by nobody.
        if (ttnn::isMadeByRewrite(built.binding.ops[id.index()]))
          return;
        built.binding.repaired.push_back(id);
        return report(built.binding.ops[id.index()], refusal, "gets other layouts");
      }
      role = OpRole::Fixed;
    }
    report(built.binding.ops[id.index()], refusal, "keeps its layouts");
  }

  void reportUnread(Operation *op) {
    DictionaryAttr unread = ttnn::unreadProperties(op);
    if (!unread)
      return;
    std::string names = llvm::join(llvm::map_range(unread, ttnn::nameOfUnread), ", ");
    // Once for each kind of op and reason: a model of many layers would else repeat itself for pages.
    if (reported.insert((op->getName().getStringRef() + " " + names).str()).second)
      op->emitRemark() << "'" << op->getName()
                       << "' keeps its layouts and configuration: it has properties that "
                       << "Tessera does not know (" << names << ")";
  }

  void reportView(Operation *op) {
    if (reported.insert((op->getName().getStringRef() + " view").str()).second)
      op->emitRemark() << "'" << op->getName()
                       << "' keeps its layouts: what it reads or makes is written in place afterwards, "
                       << "and the other is read after that, so that a view would not give what a copy gives";
  }

  void report(Operation *op, const ValidationResult &answer, llvm::StringRef consequence) {
    if (!reported.insert((op->getName().getStringRef() + answer.rule).str()).second)
      return;
    bool unknown = answer.status == ValidationStatus::NotImplemented;
    // An op of the dialect is spelt right, whether the op model knows it or not. Another one whose name is nearly that of a known op
    // is likely a slip of who wrote the file, and remarks are easily passed over.
    std::string meant =
        unknown && !op->isRegistered() ? similarOps(op->getName().getStringRef()) : std::string();
    InFlightDiagnostic said = meant.empty() ? op->emitRemark() : op->emitWarning();
    said << "'" << op->getName() << "' " << consequence << ": "
         << (unknown ? "the op model does not know it" : answer.message) << meant;
  }

  BuiltProblem &built;
  const OpCostTable &model;
  llvm::StringSet<> reported;
};

/// Step 2. Writers of a value stay behind its earlier readers and writers, readers behind its last writer. An op
/// with effects that no value shows is a barrier. Devices of a mesh meet in the order of the program. Values that the problem does not have (tensors that nothing places,
/// tuples, semaphores) order their users, too: their producers have no other edge to them.
class EffectOrder {
public:
  explicit EffectOrder(BuiltProblem &built)
      : problem(built.problem), binding(built.binding),
        inProblem(binding.values.begin(), binding.values.end()) {}

  void run() {
    for (size_t i = 0; i < problem.ops.size(); ++i) {
      OpId id(i);
      std::vector<OpId> &after = problem.ops[i].after;
      ids[binding.ops[i]] = id;
      orderByBarriers(id, after);
      orderByOperands(id, after);
      orderExchanges(id, after);
      // Most ops have many reasons to stand behind the same few; each is kept once. An op that reads a value twice
      // stands not behind itself.
      llvm::sort(after);
      after.erase(std::unique(after.begin(), after.end()), after.end());
      llvm::erase(after, id);
    }
  }

private:
  /// On a file, or unknown.
  static bool hasHiddenEffects(Operation *op) {
    // Asked for its effects, an op that makes new tensors only looks at all users of its operands, to find no write.
    if (isa<ttcore::LoadCachedOp>(op) || op->hasTrait<ttnn::OpTrait::ValueSemantics>())
      return false;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return true;
    SmallVector<SideEffects::EffectInstance<MemoryEffects::Effect>> effects;
    interface.getEffects(effects);
    return llvm::any_of(effects, [](const auto &effect) {
      return isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()) && !effect.getValue();
    });
  }

  void orderByBarriers(OpId id, std::vector<OpId> &after) {
    if (barrier.valid())
      after.push_back(barrier);
    if (!hasHiddenEffects(binding.ops[id.index()]))
      return sinceBarrier.push_back(id);
    // Behind all that stands between it and the last barrier; through that, behind all before.
    llvm::append_range(after, sinceBarrier);
    barrier = id;
    sinceBarrier.clear();
  }

  /// Devices that do not run the same program (point to point) must meet in the same order on both sides.
  void orderExchanges(OpId id, std::vector<OpId> &after) {
    static constexpr llvm::StringLiteral kMarks[] = {"cluster_axis", "source_target_pairs", "sender_coord"};
    Operation *op = binding.ops[id.index()];
    if (llvm::none_of(kMarks, [&](StringRef mark) { return op->hasAttr(mark); }))
      return;
    // One chain for all exchanges: two devices that wait for each other at different ones would wait for ever.
    if (exchange.valid())
      after.push_back(exchange);
    exchange = id;
  }

  void orderByOperands(OpId id, std::vector<OpId> &after) {
    Operation *ir = binding.ops[id.index()];
    tessera::Op &op = problem.ops[id.index()];
    auto effects = dyn_cast<MemoryEffectOpInterface>(ir);
    bool mayWrite = effects && !ir->hasTrait<ttnn::OpTrait::ValueSemantics>();
    // What tells nothing of its effects and makes nothing must be there for what it writes.
    bool mayWriteAll = !effects && ir->getNumResults() == 0;
    unsigned operand = 0; // of the problem's op
    forEachRead(*ir, [&](mlir::Value value, unsigned number) {
      bool writes = mayWrite && effects.getEffectOnValue<MemoryEffects::Write>(value).has_value();
      writes |= !effects && number != ProblemBinding::kCaptured && called.writes(ir, number);
      if (inProblem.contains(value)) {
        if (writes || mayWriteAll)
          op.writes.push_back(operand);
        ++operand;
      } else if (auto producer = ids.find(value.getDefiningOp()); producer != ids.end()) {
        after.push_back(producer->second);
      }
      histories[value].touch(id, writes, after);
    });
  }

  Problem &problem;
  const ProblemBinding &binding;
  CalledWrites called;
  llvm::DenseMap<mlir::Value, MemoryHistory> histories;
  llvm::DenseSet<mlir::Value> inProblem;
  llvm::DenseMap<Operation *, OpId> ids;
  OpId barrier;
  std::vector<OpId> sinceBarrier;
  OpId exchange; ///< the last one
};

} // namespace

std::vector<std::pair<Operation *, std::string>> tessera::namedOps(func::FuncOp function) {
  // What no layout places is told of when the problem is built.
  ScopedDiagnosticHandler silence(function.getContext(), [](Diagnostic &) { return success(); });
  Placements placements;
  llvm::StringMap<unsigned> counters;
  std::vector<std::pair<Operation *, std::string>> ops;
  for (Operation &op : function.getBody().front().without_terminator())
    if (!isOutsideProblem(op, placements) && !isa<ttnn::DeallocateOp>(op))
      ops.emplace_back(&op, userLocation(&op, counters));
  return ops;
}

bool tessera::isDecidable(const BuiltProblem &built, OpId id) {
  const Problem &problem = built.problem;
  Operation *op = built.binding.ops[id.index()];
  auto tensorsIn = [](TypeRange types) { return size_t(llvm::count_if(types, llvm::IsaPred<TensorType>)); };
  auto onHost = [&](ValueId value) { return !problem.layout(problem[value].declared).onDevice(); };
  // 1  The problem has all of the op's tensors: one without a layout could not be moved with the others.
  // 2  Its results lie on the device: what touches the host is the program's affair.
  // 3  Its body or its callee says where tensors lie, its types are tied to each other, the user pins it, or it says
  // what nobody here understands or plans: then it stays as it is.
  bool hasTensor = !problem[id].operands.empty() || !problem[id].results.empty();
  return hasTensor && tensorsIn(op->getOperandTypes()) == problem[id].operands.size() &&
         tensorsIn(op->getResultTypes()) == problem[id].results.size() && op->getNumRegions() == 0 &&
         llvm::none_of(problem[id].results, onHost) && !isa<ttcore::LoadCachedOp, func::CallOp>(op) &&
         !op->hasTrait<ttnn::OpTrait::TypesAreTied>() && !op->hasAttr(kPinAttribute) &&
         !ttnn::unreadProperties(op) &&
         !(isa<ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(op) && ttnn::saysMore(op)) && !hasUnsearchedKeys(op);
}

/// Conversions of the input program that a plan may replace by others: the dialect lets the shape differ too.
static bool isConversion(const BuiltProblem &built, OpId id) {
  if (!isa<ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(built.binding.ops[id.index()]))
    return false;
  const Problem &problem = built.problem;
  const tessera::Value &from = problem[problem[id].operands.front()],
                       &to = problem[problem[id].results.front()];
  return from.tensor.shape == to.tensor.shape &&
         narrowConversion(problem.layout(from.declared), problem.layout(to.declared));
}

OpRole tessera::decidedRole(const BuiltProblem &built, OpId id) {
  if (built.problem[id].results.empty())
    return OpRole::Sink;
  return isConversion(built, id) ? OpRole::Conversion : OpRole::Compute;
}

bool tessera::isForwardDeviceFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return false;
  auto type = function->getAttrOfType<StringAttr>("tt.function_type");
  return !type || type == "forward_device";
}

BuiltProblem tessera::buildProblem(func::FuncOp function, const OpCostTable &model, SignaturePool &signatures,
                                   const AnalysisOptions &options) {
  BuiltProblem built;
  built.binding.function = function;
  built.problem.function = function.getSymName().str();
  built.problem.device = model.device();
  built.problem.l1Budget = model.context().l1Budget;
  built.problem.l1Held = model.context().l1Held;
  built.problem.layouts = &model.layouts();
  built.problem.signatures = &signatures;
  Placements placements;
  // In the order of the steps above: roles need the order of effects, numerics change signatures before
  // anything is asked about them, and bases are settled when it is known which configurations are legal.
  Numbering(built, model, signatures, placements).run();
  EffectOrder(built).run();
  Roles(built, model).run();
  built.binding.numerics = stateNumerics(built.problem, model, options.numerics);
  findLegalConfigs(built.problem, model, options);
  BaseSearch(built.problem, model).settleAll();
  return built;
}

Problem tessera::asDeclared(const BuiltProblem &built) {
  Problem problem = built.problem;
  for (auto [op, stated] : llvm::zip_equal(problem.ops, built.binding.numerics))
    if (stated)
      op.signature = stated->asDeclared;
  return problem;
}

BuiltProblem tessera::rebuiltProblem(func::FuncOp function, const OpCostTable &model,
                                     SignaturePool &signatures, const AnalysisOptions &options) {
  ScopedDiagnosticHandler handler(function.getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  return buildProblem(function, model, signatures, options);
}
