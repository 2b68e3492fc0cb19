//===- Decisions.h - What was decided, and why, as plain data -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a decisions file holds (docs/decisions-format.md, which says what each member means). Members are named as the keys there; numbers are
// places in the lists of the same function. `fields` lists the members of a struct once, for the writer and the reader.
//
// The room says why. In goes a plan that stands, with its figures and its policy's log (Collect.h); out come these
// facts, as data, as a file (DecisionsFile.h) and in words (DecisionWords.h), and for each op what it would have cost
// otherwise (Variations.h). It changes no plan; only the contest's last step takes single changes from here.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_DECISIONS_H
#define TESSERA_OPTIMIZER_DECISIONS_DECISIONS_H

#include "tessera/Layout/TensorLayout.h"
#include "tessera/OpModel/OpConfig.h"
#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "tessera/Optimizer/Plan/PlanFigures.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::decisions {

using Index = int64_t;

/// Why a runner-up did not win.
enum class Loss : uint8_t {
  Memory, ///< no room, by sums of bytes
  Slower,
  Missed, ///< by sums of bytes it would fit, and be faster: the policy did not find it, or it has no addresses
  Equal,
};
/// Why an activation is read from DRAM.
enum class SpillCause : uint8_t {
  Backend, ///< no layout in L1 is legal for the producer and its readers
  Memory,
  Faster, ///< DRAM takes less time
  Policy, ///< by sums of bytes a layout in L1 fits, and is faster: as Loss::Missed
};
/// How it is read.
enum class SpillWay : uint8_t {
  Single,
  Operand, ///< not as first operand
  Fork,    ///< by several ops
};
/// What rewrites of the graph do to the numbers.
enum class RewriteClass : uint8_t {
  Exact,
  Rounding, ///< rounded fewer times or in another order
};
/// What the device's allocator refuses.
enum class ClashKind : uint8_t { NoRoom, Clash };

/// The words for an enum in the file, in its order.
llvm::ArrayRef<llvm::StringRef> wordsOf(ValueKind);
llvm::ArrayRef<llvm::StringRef> wordsOf(OpRole);
llvm::ArrayRef<llvm::StringRef> wordsOf(PlanStep::Kind);
llvm::ArrayRef<llvm::StringRef> wordsOf(ConversionReason);
llvm::ArrayRef<llvm::StringRef> wordsOf(Loss);
llvm::ArrayRef<llvm::StringRef> wordsOf(SpillCause);
llvm::ArrayRef<llvm::StringRef> wordsOf(SpillWay);
llvm::ArrayRef<llvm::StringRef> wordsOf(RewriteClass);
llvm::ArrayRef<llvm::StringRef> wordsOf(ClashKind);

template <class E>
concept HasWords = std::is_enum_v<E> && requires(E value) { wordsOf(value); };
template <HasWords E>
std::string word(E value) {
  return wordsOf(value)[size_t(value)].str();
}

/// Of the device, what a reader needs to draw memory.
struct DeviceFacts {
  std::string name;
  std::vector<int64_t> grid; ///< rows, columns
  /// L1 of a core, and what of it is reserved at its bottom and at its top; DRAM of a chip, all banks together.
  Bytes l1, l1Reserved, l1Small, dram;
  std::optional<int64_t> dramBanks;
  std::optional<std::vector<int64_t>> mesh; ///< rows, columns of chips; files of older versions do not say

  /// All of which have the same memory.
  int64_t chips() const { return mesh && mesh->size() == 2 ? mesh->front() * mesh->back() : 1; }

  static void fields(auto &self, auto &&visit) {
    visit("name", self.name);
    visit("grid", self.grid);
    visit("l1_bytes", self.l1);
    visit("l1_reserved_bytes", self.l1Reserved);
    visit("l1_small_bytes", self.l1Small);
    visit("dram_bytes", self.dram);
    visit("dram_banks", self.dramBanks);
    visit("mesh", self.mesh);
  }
};

/// A plan's figures with its time and its peak of L1.
struct Totals : PlanFigures {
  /// For one run. Of the input all of `time` is `ops`, as its conversions are ops.
  Nanoseconds time, ops, conversions;
  Bytes peakL1;
  /// Nullopt of the input, whose steps are not listed.
  std::optional<Index> peakStep;

  static void fields(auto &self, auto &&visit) {
    visit("time_ns", self.time);
    visit("ops_ns", self.ops);
    visit("conversions_ns", self.conversions);
    visit("peak_l1_bytes", self.peakL1);
    visit("peak_step", self.peakStep);
    visit("l1_sharded", self.l1Sharded);
    visit("l1_interleaved", self.l1Interleaved);
    visit("dram", self.dram);
    visit("host", self.host);
    visit("reshards", self.reshards);
    visit("spills", self.spills);
    visit("returns", self.returns);
    visit("reloads", self.reloads);
  }
};

/// VALUE of the file. Shapes are logical extents, without padding.
struct ValueFacts {
  /// "%arg0", or the location of the op that makes it.
  std::string name;
  std::vector<int64_t> shape;
  std::string dtype;
  ValueKind kind = ValueKind::Activation;
  std::optional<Index> producer; ///< op
  Index declared = 0;            ///< layout
  bool returned = false;

  static void fields(auto &self, auto &&visit) {
    visit("name", self.name);
    visit("shape", self.shape);
    visit("dtype", self.dtype);
    visit("kind", self.kind);
    visit("producer", self.producer);
    visit("declared", self.declared);
    visit("returned", self.returned);
  }
};

/// Half-open.
using Addresses = std::optional<std::vector<int64_t>>;

/// TENSOR of the file. Bytes of L1 are per core, 0 unless it lies there; `total` is over all cores or in DRAM, padding
/// included.
struct TensorFacts {
  Index value = 0, layout = 0;
  std::optional<Index> madeBy; ///< step
  /// Alive at steps `begin` to `end` - 1: before `madeBy` where its place is kept, to the last step if it is returned.
  Index begin = 0, end = 0;
  std::vector<Index> readers; ///< steps
  bool returned = false;
  Bytes l1, total;
  /// In each bank, as the replay of the device's allocator has it; nullopt if the tensor lies elsewhere or found no
  /// room.
  Addresses address, dramAddress;
  Addresses placeAddress;      ///< of the place that is kept before the tensor is made
  std::optional<Index> viewOf; ///< tensor in whose buffer it lies

  bool liveAt(Index step) const { return begin <= step && step < end; }
  /// In L1, at a step at which it is alive.
  const Addresses &addressAt(Index step) const { return madeBy && step < *madeBy ? placeAddress : address; }
  static void fields(auto &self, auto &&visit) {
    visit("value", self.value);
    visit("layout", self.layout);
    visit("made_by", self.madeBy);
    visit("begin", self.begin);
    visit("end", self.end);
    visit("readers", self.readers);
    visit("returned", self.returned);
    visit("l1_bytes", self.l1);
    visit("total_bytes", self.total);
    visit("address", self.address);
    visit("dram_address", self.dramAddress);
    visit("place_address", self.placeAddress);
    visit("view_of", self.viewOf);
  }
};

/// TimeParts::boundBy of an op that is refused or not known: all its times are 0.
inline constexpr llvm::StringLiteral kUnknownTime = "unknown";

/// A step's time as the op model has it. Parts overlap on the device, so they do not add up to `total`.
struct TimeParts {
  Nanoseconds total, compute, l1, noc, dram, dispatch;
  /// The largest part by name, "nothing" where there is none (boundBy), or kUnknownTime.
  std::string boundBy;

  static void fields(auto &self, auto &&visit) {
    visit("total_ns", self.total);
    visit("compute_ns", self.compute);
    visit("l1_ns", self.l1);
    visit("noc_ns", self.noc);
    visit("dram_ns", self.dram);
    visit("dispatch_ns", self.dispatch);
    visit("bound_by", self.boundBy);
  }
};

/// L1 at a step, per core, as the plan checker counts it. `temporaries` are part of `tensors`, and below zero where
/// results do not count in full at the op's peak (L1Shares.h).
struct StepL1 {
  Bytes tensors, buffers, margin, temporaries;

  /// What is held against the budget.
  Bytes total() const { return tensors + buffers + margin; }
  static void fields(auto &self, auto &&visit) {
    visit("tensors_bytes", self.tensors);
    visit("buffers_bytes", self.buffers);
    visit("margin_bytes", self.margin);
    visit("temporaries_bytes", self.temporaries);
  }
};

/// One circular buffer, of the built-in op model alone. Those of one program are there together; programs of an op run
/// one after the other, so that sizes of all need not add up to StepL1::buffers.
struct BufferFacts {
  /// Which of the op's programs has it, and what is in it, in the op model's words.
  std::string program, holds;
  int64_t pages = 0;
  Bytes bytes;

  static void fields(auto &self, auto &&visit) {
    visit("program", self.program);
    visit("holds", self.holds);
    visit("pages", self.pages);
    visit("bytes", self.bytes);
  }
};

/// STEP of the file. Of a conversion `op` is the one that it is made for, or whose result it moves; nullopt of a
/// returned argument's.
struct StepFacts {
  PlanStep::Kind kind = PlanStep::Kind::Run;
  std::optional<Index> op;
  /// What a conversion does, whatever the policy made it for; nullopt of a run.
  std::optional<ConversionReason> reason;
  std::vector<Index> reads, writes; ///< tensors
  OpSpecificConfig config;
  std::string configText;
  TimeParts time;
  StepL1 l1;
  /// Without those that lie in a tensor.
  std::vector<BufferFacts> circularBuffers;
  /// Of temporaries the largest range; nullopt if there are none.
  Addresses buffersAddress, temporariesAddress;

  bool isRun() const { return kind == PlanStep::Kind::Run; }
  static void fields(auto &self, auto &&visit) {
    visit("kind", self.kind);
    visit("op", self.op);
    visit("reason", self.reason);
    visit("reads", self.reads);
    visit("writes", self.writes);
    visit("config", self.config);
    visit("config_text", self.configText);
    visit("time", self.time);
    visit("l1", self.l1);
    visit("circular_buffers", self.circularBuffers);
    visit("buffers_address", self.buffersAddress);
    visit("temporaries_address", self.temporariesAddress);
  }
};

/// The op run otherwise, all other ops as the plan has them. Differences are what the plan's time would change by,
/// below zero if it were faster.
struct RunnerUp {
  std::vector<Index> outputs, inputs; ///< layouts
  OpSpecificConfig config;
  std::string configText;
  /// Of the op alone.
  Nanoseconds op;
  /// As StepCost::own.
  Bytes own;
  /// `delta` is the sum of the others: the op, conversions of its operands, its readers with conversions for them.
  Nanoseconds delta, deltaOp, deltaInputs, deltaReaders;
  /// Memory before all else: what has no room has lost, whatever time it takes.
  Loss lost = Loss::Slower;
  /// Of Loss::Memory, the first step without room, and how much is missing there; else nullopt and 0.
  std::optional<Index> step;
  Bytes missing;
  /// The same as a sentence.
  std::string because;

  static void fields(auto &self, auto &&visit) {
    visit("outputs", self.outputs);
    visit("inputs", self.inputs);
    visit("config", self.config);
    visit("config_text", self.configText);
    visit("op_ns", self.op);
    visit("own_bytes", self.own);
    visit("delta_ns", self.delta);
    visit("delta_op_ns", self.deltaOp);
    visit("delta_inputs_ns", self.deltaInputs);
    visit("delta_readers_ns", self.deltaReaders);
    visit("lost", self.lost);
    visit("step", self.step);
    visit("missing_bytes", self.missing);
    visit("because", self.because);
  }
};

/// OP of the file. `considered` counts all ways that were priced, of which a few are listed; 0 if nobody asked.
struct OpFacts {
  std::string name, location;
  std::optional<std::string> label; ///< opLabels, where that is another than the location
  OpRole role = OpRole::Compute;
  std::vector<Index> operands, results; ///< values
  /// Where it runs. In a file that was read it is never nullopt.
  std::optional<Index> step;
  int64_t considered = 0;
  /// Eight at most, the best first, and as far as these go one of each kind of memory.
  std::vector<RunnerUp> runnersUp;

  static void fields(auto &self, auto &&visit) {
    visit("name", self.name);
    visit("location", self.location);
    visit("label", self.label);
    visit("role", self.role);
    visit("operands", self.operands);
    visit("results", self.results);
    visit("step", self.step);
    visit("considered", self.considered);
    visit("runners_up", self.runnersUp);
  }

  /// What people call it, apart from all others of the function.
  const std::string &called() const { return label ? *label : location; }
};

/// An activation that an op reads from DRAM, and what stood against L1. `delta` is nullopt where no layout in L1 is
/// legal; `step` where its producer writes to DRAM.
struct SpillFacts {
  /// What is read, and the tensor in DRAM that it is read from.
  Index value = 0, tensor = 0;
  std::optional<Index> step;
  SpillCause cause = SpillCause::Backend;
  SpillWay way = SpillWay::Single;
  /// Where the best layout in L1 has no room, and how much is missing, even if it would gain nothing.
  std::optional<Index> atStep;
  Bytes missing;
  std::optional<Nanoseconds> delta;
  /// Operands that read the tensor, conversions included.
  int64_t edges = 0;
  /// "left L1 for softmax_3", "chain failure"; "" if the policy noted nothing.
  std::string policyReason;

  static void fields(auto &self, auto &&visit) {
    visit("value", self.value);
    visit("tensor", self.tensor);
    visit("step", self.step);
    visit("cause", self.cause);
    visit("way", self.way);
    visit("at_step", self.atStep);
    visit("missing_bytes", self.missing);
    visit("delta_ns", self.delta);
    visit("edges", self.edges);
    visit("policy_reason", self.policyReason);
  }
};

/// Spills by cause, and what the refactoring proposal counts (facts/optimizer-proposal "Empirical Findings").
struct SpillCounts {
  int64_t backend = 0, memory = 0, faster = 0, policy = 0; ///< SpillFacts::cause
  int64_t edges = 0;                                       ///< operands that read an activation from DRAM
  int64_t possibleEdges = 0; ///< of these, where a layout in L1 is legal and fits
  int64_t possibleForks = 0; ///< values that several ops read from DRAM, likewise

  SpillCounts &operator+=(const SpillCounts &other);
};
/// By SpillFacts::cause. What fits in L1 and is legal there counts as possible, whether it gains or not.
SpillCounts countSpills(llvm::ArrayRef<SpillFacts> spills);

/// An op of the input that a rewrite replaced.
struct ReplacedFacts {
  /// "ttnn.softmax", its location, "1x32x128xbf16".
  std::string name, location, makes;

  static void fields(auto &self, auto &&visit) {
    visit("name", self.name);
    visit("location", self.location);
    visit("makes", self.makes);
  }
};

/// Ops of the input and what rewrites put for them. `made` lists ops of the plan; what became a constant is none.
struct RewrittenFacts {
  /// By name. Rewrites that take what others made are one part with these.
  std::vector<std::string> rewrites;
  RewriteClass exactness = RewriteClass::Exact;
  std::vector<ReplacedFacts> from;
  std::vector<Index> made; ///< ops
  /// What `from` takes in the plan of the input's graph, and `made` in this one; conversions for these ops included.
  Nanoseconds before, after;

  static void fields(auto &self, auto &&visit) {
    visit("rewrites", self.rewrites);
    visit("class", self.exactness);
    visit("from", self.from);
    visit("made", self.made);
    visit("before_ns", self.before);
    visit("after_ns", self.after);
  }
};

/// What has no room on the device's allocator, though it may fit by sums of bytes. `step` is nullopt of an argument.
struct ClashFacts {
  std::optional<Index> step;
  ClashKind kind = ClashKind::NoRoom;
  /// The one that finds no room, or those that lie where the op's circular buffers go.
  std::vector<Index> tensors;
  Bytes missing;

  static void fields(auto &self, auto &&visit) {
    visit("step", self.step);
    visit("kind", self.kind);
    visit("tensors", self.tensors);
    visit("missing_bytes", self.missing);
  }
};

/// JSON of others, which is passed on unread.
struct RawJson {
  std::string text = "null"; ///< on one line
};

/// FUNCTION of the file: all that readers of it draw, with no other source.
struct FunctionDecisions {
  std::string function, policy, opModel;
  std::optional<std::string> origin; ///< Plan::origin, if there is something to say
  DeviceFacts device;
  /// What circular buffers, tensors and margin may hold together at a step, per core.
  Bytes budget;
  Totals before, after;
  /// Each once, numbered as they are first named.
  std::vector<TensorLayout> layouts;
  /// Arguments first.
  std::vector<ValueFacts> values;
  std::vector<OpFacts> ops;
  std::vector<TensorFacts> tensors;
  /// In the order of execution; ops stand in that of the program.
  std::vector<StepFacts> steps;
  std::vector<SpillFacts> spills;
  std::vector<ClashFacts> clashes;
  std::optional<std::vector<RewrittenFacts>> rewrites; ///< nullopt: the graph is the input's
  RawJson trace;                                       ///< the public compiler's

  static void fields(auto &self, auto &&visit) {
    visit("function", self.function);
    visit("policy", self.policy);
    visit("origin", self.origin);
    visit("op_model", self.opModel);
    visit("device", self.device);
    visit("budget_bytes", self.budget);
    visit("before", self.before);
    visit("after", self.after);
    visit("layouts", self.layouts);
    visit("values", self.values);
    visit("ops", self.ops);
    visit("tensors", self.tensors);
    visit("steps", self.steps);
    visit("spills", self.spills);
    visit("clashes", self.clashes);
    visit("rewrites", self.rewrites);
    visit("trace", self.trace);
  }

  /// Of how many ops the time is unknown.
  int64_t unknownTimes() const;
  /// The rewrites that made the op; nullptr if it is of the input.
  const RewrittenFacts *rewrittenAs(Index op) const;
  /// The tensors that hold L1 at a step, in the order of their numbers.
  std::vector<Index> holdersAt(Index step) const;
};

/// The whole file. A key that changes its meaning makes another version; one that is added does not.
struct Decisions {
  static constexpr int64_t kVersion = 1;
  /// "tessera 0.1.0", and the module's file.
  std::string generator, input;
  std::vector<FunctionDecisions> functions;

  static void fields(auto &self, auto &&visit) {
    visit("generator", self.generator);
    visit("input", self.input);
    visit("functions", self.functions);
  }
};

/// Rounds all times as the file has them, so that what is drawn from a module is what is drawn from its file.
void toWholeNanoseconds(FunctionDecisions &function);

/// One op, or one step, as in the file.
llvm::json::Value toJson(const OpFacts &op);
llvm::json::Value toJson(const StepFacts &step);
llvm::json::Value toJson(const TensorFacts &tensor);
llvm::json::Value toJson(const SpillFacts &spill);
llvm::json::Value toJson(const RewrittenFacts &rewritten);

/// The file, on one line; keys are sorted.
void write(llvm::json::OStream &os, const Decisions &decisions);

} // namespace tessera::decisions

#endif // TESSERA_OPTIMIZER_DECISIONS_DECISIONS_H
