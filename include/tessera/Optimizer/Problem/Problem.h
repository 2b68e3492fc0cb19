//===- Problem.h - A function's layout problem as plain data -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A Problem is what a policy sees: ops and tensor values under dense ids, the
// schedule, the legal configurations of each op. It holds no MLIR objects and
// does not depend on policies. Ids follow program order, so iterating by id is iterating
// in schedule order.
//
// The room says what there is to decide, and decides nothing. In comes a function,
// from the IR (Bridge/ProblemBuilder) or as text (ProblemText.h), and what the op model
// says of it. Out goes the Problem with each op's candidates (LegalConfigs.h) and what it
// falls back to (Base.h). Only those who pose a problem call what changes it; every room
// above reads it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_PROBLEM_H
#define TESSERA_OPTIMIZER_PROBLEM_PROBLEM_H

#include "tessera/OpModel/OpCostTable.h"
#include "tessera/Optimizer/Problem/AnalysisOptions.h"
#include "tessera/Support/Ordinal.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Who makes a value, and so who may move it.
enum class ValueKind : uint8_t {
  Argument,   ///< function argument; lies where its declared layout says
  Constant,   ///< argument that is a parameter or constant, or const-eval result (ttcore.load_cached)
  Activation, ///< computed in this function
};

/// One reading of a value: operand `operand` (among tensor operands) of `op`.
struct Use {
  OpId op;
  unsigned operand = 0;
  bool operator==(const Use &) const = default;
};

/// A tensor of the function: what it is, where the input program has it, who makes it and who reads it. Only where it lies is decided,
/// never its shape or its data type.
struct Value {
  TensorDesc tensor;
  LayoutId
      declared; ///< the layout that the input program gives it; where arguments arrive and returned values leave
  LayoutId home; ///< where it lies unless a policy decides otherwise: as declared, or in DRAM (fitBase)
  ValueKind kind = ValueKind::Activation;
  OpId producer; ///< invalid for arguments
  unsigned resultIndex = 0;
  std::vector<Use> uses; ///< in schedule order; the function's return is not among them
  bool returned = false; ///< returned by the function: leaves it in the declared layout
  std::string name;      ///< for people: "%12"
};

/// What may be decided about an op.
enum class OpRole : uint8_t {
  Compute,    ///< the policy decides its configuration
  Conversion, ///< to_layout / to_memory_config of the input program: decided too, and may absorb a reshard
  Sink,       ///< no tensor result; writes in place (fill_cache, paged_update_cache ...)
  Fixed,      ///< unknown to the op model, or pinned: operands and results keep their declared layouts
};

/// An op with all that may be decided about it, and what may not. Two ops of one signature are asked about alike, wherever they stand.
struct Op {
  std::string name;     ///< "ttnn.matmul"
  std::string location; ///< user-visible name (NameLoc), or "<op>_<n>"
  SignatureId signature;
  OpRole role = OpRole::Compute;
  std::vector<ValueId> operands; ///< tensor operands
  std::vector<ValueId> results;  ///< tensor results
  std::vector<OpConfig> legal;   ///< candidates, best first by the analyses' order; never empty
  OpConfig declared;             ///< the configuration of the input program
  /// An override leaves `legal` and nothing else: the declared configuration is not a way out unless it stands there,
  /// and checkPlan refuses every other. Then legal.front() is what the op falls back to (baseConfig).
  bool restricted = false;
  /// The op is out of memory as declared, or as its values lie at home: legal.front() is what it falls back to
  /// (Base.h).
  bool unfit = false;
  /// By operand, the layout in which the base configuration reads it. Empty: as it is at home. A value that is read
  /// twice has one layout.
  std::vector<LayoutId> baseInputs;
  /// A conversion that an override demands: it must change the layout, whatever its operand's turns out to be, and its
  /// result is read as it is made.
  bool mustConvert = false;
  std::vector<OpId> after;      ///< earlier ops whose memory effects must stay before this op
  std::vector<unsigned> writes; ///< operands that it writes, or may write, in place
};

/// The layouts that LegalTensorLayoutAnalysis generates for one tensor (facts/optimizer-design 3.1.2; facts/ir 3.1
/// "Layout pool"): DRAM interleaved, L1 interleaved, then block, height and width sharded over growing grids, within
/// each kind one per distinct shard shape (the smallest grid), every grid dimension filled with at least one tile.
/// Order: interleaved first, then sharded by grid volume, largest first; ties by kind, then rows.
struct LayoutSpace {
  std::vector<LayoutId> interleaved, sharded;
};
LayoutSpace enumerateLayouts(const TensorDesc &tensor, PageLayout page, const DeviceSpec &device,
                             LayoutPool &pool);
/// Those that were asked for, by tensor, page layout and grid of workers.
using LayoutSpaces = std::map<std::tuple<Shape, DataType, PageLayout, GridShape>, LayoutSpace>;

/// Of the shards up to `count` of each kind, in their order: those on most cores.
llvm::SmallVector<LayoutId, 8> largestOfEachKind(const LayoutSpace &space, const LayoutPool &pool,
                                                 unsigned count = 1);

/// A function to plan. Policies change nothing of it; those who pose it do (Bridge/ProblemBuilder, findLegalConfigs, BaseSearch, fitBase).
struct Problem {
  std::string function; ///< symbol name
  DeviceSpec device;
  Bytes l1Budget; ///< L1 per core that circular buffers and tensors share at any point
  Bytes l1Held;   ///< what const-eval results hold all the time: no budget has it
  /// How Op::legal was found (findLegalConfigs); nullopt: it is given.
  std::optional<AnalysisOptions> search;
  /// What findLegalConfigs found under any budget. Copies share it: it has no ids of ops or values.
  std::shared_ptr<struct LegalConfigsMemo> found;
  /// Copies share them, too: they have the same pool of layouts.
  std::shared_ptr<LayoutSpaces> spaces = std::make_shared<LayoutSpaces>();
  LayoutPool *layouts = nullptr;
  SignaturePool *signatures = nullptr;
  std::vector<Op> ops; ///< in program order: the default schedule
  std::vector<Value> values;
  std::vector<ValueId> returned; ///< operands of the function's return that are tensors, in order

  const Op &operator[](OpId id) const { return ops[id.index()]; }
  const Value &operator[](ValueId id) const { return values[id.index()]; }
  const TensorLayout &layout(LayoutId id) const { return (*layouts)[id]; }
  const OpSignature &signature(OpId id) const { return (*signatures)[ops[id.index()].signature]; }
  /// Where the op stands in program order.
  SchedulePos position(OpId id) const { return SchedulePos(id.index()); }
  /// One past the last op.
  SchedulePos end() const { return SchedulePos(ops.size()); }
};

/// The element types of all tensors, arguments and what overrides changed included, in order of first appearance
/// (ScalarDataTypeAnalysis, facts/optimizer-design 3.1.1). LegalTensorLayouts has layouts in these only.
std::vector<DataType> scalarDataTypes(const Problem &problem);

/// Whether the op's base is not its declared configuration, but the first legal one.
bool hasOwnBase(const Op &op);
/// What the op falls back to where no decision is better: the declared configuration, the first that an override
/// leaves, or what takes the place of a declared one that does not fit; and the layouts that it reads then.
const OpConfig &baseConfig(const Op &op);
LayoutId baseInput(const Problem &problem, OpId op, size_t operand);
/// That of a value which the op reads: one layout, however often.
LayoutId baseInput(const Problem &problem, OpId op, ValueId value);

/// The values that an op reads, each once, in the order of its operands.
llvm::SmallVector<ValueId, 4> distinctValues(const Op &op);
/// The first operand that is the value, which the op reads.
size_t firstOperand(const Op &op, ValueId value);
/// The ops that read the value, each once, in schedule order.
llvm::SmallVector<OpId, 4> readingOps(const Value &value);

/// Whether an op or the function's return reads the value.
bool isRead(const Value &value);

/// Where a value goes that leaves L1: its declared layout if that is in DRAM, else DRAM interleaved.
LayoutId inDram(const Problem &problem, ValueId value);

/// Whether an override, if the op has one, leaves this configuration.
bool isAllowed(const Op &op, const OpConfig &config);
/// Whether it also leaves it with the op's operands in these layouts (Op::mustConvert).
bool isAllowed(const Op &op, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs);

/// Whether an override restricts any op.
bool hasOverrides(const Problem &problem);

/// Whether a demanded conversion (Op::mustConvert) makes the value: then no other may follow it.
bool isDemanded(const Problem &problem, ValueId value);

/// What is inconsistent in the problem itself (dangling ids, uses that do not match operands, an op without a
/// legal configuration), or "" if nothing.
std::string checkProblem(const Problem &problem);

/// Whether an op that the op model does not know may need circular buffers: not if it is a constant that was
/// computed in an earlier run, or a transfer from or to the host.
bool mayUseCircularBuffers(const Problem &problem, OpId op);

/// Whether the first result of `op` may share the memory of its first operand, in some layouts: an op that has nothing to move hands on
/// what it reads (facts/formulas 13). A buffer that is freed under one name is gone under all.
bool mayBeView(const Problem &problem, const Op &op);
/// By ValueId: the first value of its memory, which all that may be views of each other share. Itself, if it is no view.
std::vector<ValueId> memories(const Problem &problem);
/// By OpId: the ops that may make a view, where the function computes something else with one than with a copy. Behind the op one of the two
/// tensors is written in place, and the other read after that: through a view what was written, from a copy what was there before.
/// Whether it is a view follows from where its tensors lie, so such an op keeps its layouts (keepViews).
std::vector<bool> viewsThatShow(const Problem &problem);
/// Makes those Fixed. To be called when roles and writes are known, and bases are not. Returns them.
std::vector<OpId> keepViews(Problem &problem);

/// By ValueId: the last op that reads the value; its producer if none does, and the end if the function returns it. `schedule` holds every
/// op once, producers first.
std::vector<SchedulePos> lastUses(const Problem &problem, llvm::ArrayRef<OpId> schedule);

/// By ValueId: the last op that reads the value or something that may be a view of it; values that the function
/// returns or does not own (arguments, constants, views of them) are read by the end. `schedule` holds every op once,
/// producers first. The first form asks `isView` whether an op's first result is a view of its first operand, the others
/// mayBeView; the last one goes by program order.
std::vector<SchedulePos> lastReaders(const Problem &problem, llvm::ArrayRef<OpId> schedule,
                                     llvm::function_ref<bool(const Op &)> isView);
std::vector<SchedulePos> lastReaders(const Problem &problem, llvm::ArrayRef<OpId> schedule);
std::vector<SchedulePos> lastReaders(const Problem &problem);
/// Every op once, in program order.
std::vector<OpId> programOrder(const Problem &problem);
/// The values that no op makes, arguments and constants, in the order of ids.
std::vector<ValueId> givenValues(const Problem &problem);

/// By ValueId: whether an op may write the value in place, or what may be a view of it, or what it is a view of where that shows. Such
/// a value must not be read through a copy made before the last write to its memory.
std::vector<bool> valuesWrittenInPlace(const Problem &problem);
/// By ValueId: whether the value may be read through a copy. Not what is written in place, nor what an override demands to be read as
/// it is made (isDemanded).
std::vector<bool> copyableValues(const Problem &problem);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_PROBLEM_H
