//===- AnalyticOpModel.cpp - The formulas, put to a query ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A query goes through five steps, each of which may end it:
//
//   1. find the op's row                     unknown: NotImplemented
//   2. common rules, then the family's       broken: MetalBackendError, with the rule
//   3. output layouts                        other than requested: UnmatchedReferenceConfig
//   4. circular buffers and tensors
//   5. does it fit?                          no: OutOfMemory
//
// Nothing is allocated and no text is built on the way to Success.
//
//===----------------------------------------------------------------------===//
#include "../Pressure.h"
#include "Family.h"
#include "Runtime.h"
#include "tessera/OpModel/Temporaries.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera {
namespace analytic {

void MemoryUse::program(llvm::StringRef name) {
  // Programs run one after the other, so an op needs what its hungriest one does, and not their sum
  // (facts/formulas 1).
  peakWithScratchpads = withScratchpads();
  peak = circularBuffers();
  addedPeak = addedBuffers();
  fullest = current = added = scratch = 0;
  programName = name;
}

void MemoryUse::otherCores() {
  // Buffers on different cores of one program never meet on a core; the op needs what the fullest core holds.
  fullest = std::max(fullest, current);
  current = 0;
}

void MemoryUse::buffer(llvm::StringRef holds, int64_t pages, int64_t pageBytes) {
  if (pages <= 0)
    return;
  current += pages * pageBytes;
  added += pages * pageBytes;
  if (list)
    list->push_back({programName, holds, pages, Bytes(pages * pageBytes)});
}

MemoryUse::Made MemoryUse::make(int64_t bytes, std::optional<int64_t> buffers) {
  if (bytes <= 0)
    return std::nullopt;
  made.push_back({Bytes(bytes)});
  if (buffers)
    made.back().buffers = Bytes(*buffers);
  live += bytes;
  livePeak = std::max(livePeak, live);
  return made.size() - 1;
}

void MemoryUse::free(Made block) {
  if (!block)
    return;
  // The block lives until the next one is made, as an op frees what a program has read before it asks for more
  // (facts/allocator 8).
  made[*block].until = uint16_t(made.size());
  live -= made[*block].size.value();
}

void MemoryUse::makeResult(size_t i, int64_t bytes) {
  made.push_back({Bytes(0), MadeBlock::kToTheEnd, int16_t(i)});
  results += bytes;
  live += bytes;
  livePeak = std::max(livePeak, live);
}

int64_t MemoryUse::peakOfMade(int64_t allocated) const {
  // Results that makeResult has not placed are allocated after all temporaries, beside those that are not
  // freed.
  return std::max(livePeak, live + allocated - results);
}

/// Another step follows the one that is under way: what that made is no result.
void Chain::follow() {
  if (!made)
    return;
  MemoryUse::Made temporary = use.make(*made);
  for (MemoryUse::Made each : read)
    use.free(each);
  read.clear();
  if (!std::exchange(kept, false))
    read.push_back(temporary);
  made.reset();
}

void Chain::step(int64_t bytes) {
  follow();
  made = bytes;
}

void Chain::beside(int64_t bytes) {
  follow();
  read.push_back(use.make(bytes));
}

void MemoryUse::scratchpad(const OpCall &call, llvm::StringRef holds, int64_t pages, int64_t pageBytes) {
  if (answersAsOctober2026(call))
    scratch += std::max<int64_t>(pages, 0) * pageBytes;
  else
    buffer(holds, pages, pageBytes);
}

namespace {

std::string shapeText(const TensorDesc &desc) {
  std::string text;
  for (int64_t dim : desc.shape)
    text += std::to_string(dim) + "x";
  return text + name(desc.dtype).str();
}

/// "in0 32x64xbf16 l1/height_sharded/8x1, in1 ...; out ...".
std::string given(const OpCall &call) {
  std::string text;
  for (size_t i = 0; i < call.in.size(); ++i) {
    llvm::ArrayRef<llvm::StringRef> names = call.row.family->operandNames;
    std::string label = i < names.size() ? names[i].str() : "operand " + std::to_string(i);
    text += (i ? ", " : "") + label + " " + shapeText(*call.in[i].desc) + " " + describe(*call.in[i].layout);
  }
  for (size_t i = 0; i < call.out.size(); ++i) {
    text += i ? ", " : text.empty() ? "result " : "; result ";
    text += shapeText(*call.out[i].desc) + " ";
    text += call.out[i].decided() ? describe(*call.out[i].layout) : "of the backend's choice";
  }
  return text;
}

enum class Messages : uint8_t { Left, Written };

ValidationResult broken(const OpCall &call, const Rule &rule, Messages messages) {
  ValidationResult result;
  result.status = ValidationStatus::MetalBackendError;
  result.rule = rule.info.id.str();
  // Text takes longer than the answer itself, and the table of op costs reads none.
  if (messages == Messages::Left)
    return result;
  std::string config = describe(call.query.config.specific);
  result.message = llvm::formatv("{0}: {1}{2}; given: {3}{4}{5}", call.row.name, rule.info.requirement,
                                 rule.legal ? " (" + rule.legal(call) + ")" : "", given(call),
                                 config.empty() ? "" : "; config ", config)
                       .str();
  return result;
}

const Rule *firstBroken(const OpCall &call) {
  // Common rules first: families divide by sizes and look up layouts that these have checked.
  for (const Rule &rule : commonRules())
    if (!rule.holds(call))
      return &rule;
  for (const Rule &rule : call.row.family->rules)
    if (!rule.holds(call))
      return &rule;
  return nullptr;
}

/// The first result that the backend would lay out differently than requested.
std::optional<size_t> firstUnmatched(const OpCall &call) {
  for (size_t i = 0; i < call.out.size() && i < call.query.config.outputs.size(); ++i)
    if (call.query.config.outputs[i].valid() && call.query.config.outputs[i] != call.out[i].id)
      return i;
  return std::nullopt;
}

void measure(const OpCall &call, MemoryUse &use, OpConstraints &constraints) {
  call.row.family->memory(call, use);
  int64_t outputs = use.inPlace, allocated = 0;
  for (const TensorRef &out : call.out) {
    outputs += call.reportedPerCore(out);
    allocated += call.perCore(out);
    constraints.outputLayouts.push_back(out.id);
  }
  // A family may state its peak; else it follows from what is made and freed in which order.
  int64_t tensors = use.tensorPeak.value_or(use.peakOfMade(allocated));
  constraints.cbL1PeakSize = Bytes(use.circularBuffers());
  constraints.tensorL1PeakSize = Bytes(tensors);
  // The sum of both peaks is a safe bound. Ops of several programs, whose peaks do not meet, say the peak
  // themselves (facts/formulas 1).
  constraints.peakL1MemorySize = Bytes(use.together.value_or(use.circularBuffers() + tensors) +
                                       use.withScratchpads() - use.circularBuffers());
  constraints.outputL1BufferSize = Bytes(outputs);
  constraints.safetyMargin = Bytes(safetyMargin(call, constraints));
}

ValidationResult unanswerable(ValidationStatus status, llvm::StringRef rule, std::string message) {
  ValidationResult result;
  result.status = status;
  result.rule = rule.str();
  result.message = std::move(message);
  return result;
}

/// Since October 2026 the library looks whether a program's buffers fit a core when it makes the program, whatever else lies
/// there; not yet of those ops (facts/vendor-library 6).
bool overrunsL1(const OpCall &call, const MemoryUse &use) {
  static constexpr llvm::StringLiteral kUnchecked[] = {"ttnn.conv2d",
                                                       "ttnn.scaled_dot_product_attention_decode",
                                                       "ttnn.paged_scaled_dot_product_attention_decode"};
  return answersAsOctober2026(call) && use.circularBuffers() > call.usableL1() &&
         !llvm::is_contained(kUnchecked, call.row.name);
}

/// Steps 1 and 2: true if the call is legal, with its outputs decided; else `result` says why not.
bool resolve(OpCall &call, ValidationResult &result, Messages messages) {
  if (const Rule *rule = firstBroken(call)) {
    result = broken(call, *rule, messages);
    return false;
  }
  call.row.family->outputs(call);
  // A family that cannot decide (no operand to follow) leaves the result in DRAM.
  outputsInDram(call);
  return true;
}

ValidationResult answer(const OpModelContext &context, const OpQuery &query, MemoryUse &use,
                        OpRuntime *runtime, Messages messages = Messages::Written,
                        ProgramCounts *counts = nullptr) {
  const OpRow *row = findRow(query.op.name);
  if (!row)
    return unanswerable(ValidationStatus::NotImplemented, "op.unknown",
                        "the model does not know " + query.op.name);
  if (!idsValid(query, context))
    return layoutsMissing(query);
  OpCall call(context, *row, query);
  ValidationResult result;
  if (!resolve(call, result, messages))
    return result;
  // Time does not depend on whether the op fits: explain shows it for calls that are out of memory, too.
  if (runtime)
    *runtime = runtimeOf(call);
  if (counts && (!row->family->counts || !row->family->counts(call, *counts)))
    counts->clear();

  measure(call, use, result.constraints);
  result.status = ValidationStatus::Success;
  if (overrunsL1(call, use)) {
    applyPressure(result, Bytes(0), Bytes(0), Bytes(call.usableL1()));
    return result;
  }
  // Measured all the same: a caller may take the layout that the backend makes instead, and needs its figures.
  if (std::optional<size_t> i = firstUnmatched(call)) {
    result.status = ValidationStatus::UnmatchedReferenceConfig;
    result.rule = "op.output_layout";
    if (messages == Messages::Written)
      result.message =
          llvm::formatv("{0}: result {1} was requested as {2}, the backend makes {3}", query.op.name, *i,
                        describe(context.layouts[query.config.outputs[*i]]), describe(*call.out[*i].layout))
              .str();
    return result;
  }
  applyPressure(result, residentL1(query, result.constraints, context), query.additionalL1, context.l1Budget);
  return result;
}

class AnalyticOpModel final : public OpModel {
public:
  using OpModel::OpModel;

  ValidationResult query(const OpQuery &query) const override {
    MemoryUse use;
    return answer(ctx, query, use, nullptr);
  }

  ValidationResult figures(const OpQuery &query, OpRuntime &time) const override {
    MemoryUse use;
    return answer(ctx, query, use, &time, Messages::Left);
  }

  OpRuntime runtime(const OpQuery &query) const override {
    const OpRow *row = findRow(query.op.name);
    if (!row || !idsValid(query, ctx))
      return OpRuntime();
    OpCall call(ctx, *row, query);
    // A call that a rule refuses has no time; formulas may divide by what rules have checked.
    if (firstBroken(call))
      return OpRuntime();
    row->family->outputs(call);
    outputsInDram(call);
    return runtimeOf(call);
  }

  llvm::StringRef name() const override { return "analytic"; }
};

} // namespace
} // namespace analytic

std::unique_ptr<OpModel> createAnalyticOpModel(OpModelContext context) {
  return std::make_unique<analytic::AnalyticOpModel>(std::move(context));
}

MadeBlocks madeBlocks(const OpQuery &query, const OpConstraints &answer, const OpModelContext &context) {
  Bytes temporaries = temporariesL1(answer, context);
  const auto *conv = std::get_if<Conv2dConfig>(&query.config.specific);
  if (temporaries <= Bytes(0) && !(conv && conv->deallocateActivation))
    return {};
  analytic::MemoryUse use;
  ValidationResult ours =
      analytic::answer(context, query, use, /*runtime=*/nullptr, analytic::Messages::Left);
  // The answer may come from another backend. If its peak is another than ours, our order of blocks is not its
  // order.
  if (use.made.empty() || ours.constraints.tensorL1PeakSize != answer.tensorL1PeakSize)
    return temporaries > Bytes(0) ? MadeBlocks{{temporaries}} : MadeBlocks();
  return MadeBlocks(use.made.begin(), use.made.end());
}

Explanation explain(const OpModelContext &context, const OpQuery &query) {
  Explanation explanation;
  if (const analytic::OpRow *row = analytic::findRow(query.op.name))
    explanation.family = row->family->name;
  analytic::MemoryUse use(&explanation.buffers);
  explanation.result = analytic::answer(context, query, use, &explanation.runtime,
                                        analytic::Messages::Written, &explanation.counts);
  explanation.addedBuffers = Bytes(use.addedBuffers());
  explanation.operands = operandL1Bytes(query, context);
  return explanation;
}

} // namespace tessera
