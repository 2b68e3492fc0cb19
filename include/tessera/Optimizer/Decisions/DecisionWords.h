//===- DecisionWords.h - The parts of a decision in words ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_DECISIONWORDS_H
#define TESSERA_OPTIMIZER_DECISIONS_DECISIONWORDS_H

#include "tessera/Optimizer/Decisions/L1Shares.h"
#include "tessera/Support/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace tessera {

/// The parts of a function in words.
/// Commands, reports and the reasons in the file take their words from here, so that one thing has one name. It only
/// looks up: that all numbers name entries was seen to when a file was read (decisionsFromText), or holds as collected.
class DecisionWords {
  using Index = decisions::Index;

public:
  explicit DecisionWords(const decisions::FunctionDecisions &f) : f(f) {}

  /// By numbers of entries that exist, as those of a file that was read do.
  const decisions::OpFacts &op(Index index) const { return f.ops[size_t(index)]; }
  const decisions::StepFacts &step(Index index) const { return f.steps[size_t(index)]; }
  const decisions::TensorFacts &tensor(Index index) const { return f.tensors[size_t(index)]; }
  std::string layout(Index index) const { return describe(f.layouts[size_t(index)]); }
  std::string layoutOf(Index tensorIndex) const { return layout(tensor(tensorIndex).layout); }
  const decisions::ValueFacts &valueOf(Index tensorIndex) const {
    return f.values[size_t(tensor(tensorIndex).value)];
  }

  /// "reshard"; a file may leave the reason out.
  static std::string reasonOf(const decisions::StepFacts &data) {
    return data.reason ? decisions::word(*data.reason) : "conversion";
  }

  /// "rms_norm_2", "reshard for matmul_3".
  std::string stepName(Index index) const {
    const decisions::StepFacts &data = step(index);
    return stepName(data, data.op ? op(*data.op).called() : "?");
  }

  /// The same where ops have no facts yet; `of` is what its op is called.
  static std::string stepName(const decisions::StepFacts &data, const std::string &of) {
    if (data.isRun())
      return of;
    return data.reason ? conversionText(*data.reason, of) : "conversion of " + of;
  }

  /// "the argument %arg0", "what rms_norm_2 makes".
  std::string value(Index tensorIndex) const {
    const decisions::ValueFacts &data = valueOf(tensorIndex);
    if (data.producer && data.name == op(*data.producer).location)
      return "what " + op(*data.producer).called() + " makes"; // values without a name of their own have its
    return data.producer ? data.name + " of " + op(*data.producer).called()
                         : (data.kind == ValueKind::Constant ? "the constant " : "the argument ") + data.name;
  }

  /// "what reshape_0 makes, a view of what rms_norm_2 makes", "circular buffers".
  std::string share(const decisions::L1Share &share) const {
    if (!share.tensor)
      return decisions::word(share.holder);
    std::optional<Index> viewed = tensor(*share.tensor).viewOf;
    return value(*share.tensor) + (viewed ? ", a view of " + value(*viewed) : "");
  }

  /// "1x32x128xbf16".
  static std::string shape(const decisions::ValueFacts &data) {
    std::string text;
    for (int64_t extent : data.shape)
      text += std::to_string(extent) + "x";
    return text + data.dtype;
  }

  /// "ttnn.matmul", "reshard".
  std::string stepKind(Index index) const {
    const decisions::StepFacts &data = step(index);
    return data.isRun() ? op(*data.op).name : reasonOf(data);
  }

  /// "as rms_norm_2 makes it", "converted for it from dram/interleaved".
  std::string origin(Index tensorIndex, Index reader) const {
    const decisions::TensorFacts &data = tensor(tensorIndex);
    if (!data.madeBy)
      return "as it comes";
    const decisions::StepFacts &maker = step(*data.madeBy);
    if (maker.isRun())
      return "as it is made";
    bool forOthers = llvm::any_of(data.readers, [&](Index other) { return other < reader; });
    return (forOthers ? "converted before" : "converted") + (" from " + layoutOf(maker.reads.front())) +
           " in " + formatNanoseconds(maker.time.total);
  }

  /// "-1.20 us"; what changes nothing is "+".
  static std::string signedTime(Nanoseconds time) {
    std::string text = formatNanoseconds(Nanoseconds(std::abs(time.value())));
    return (time.value() < 0 ? "-" : "+") + text;
  }

  /// In words, with the warning that they overlap: their sum is not the step's time.
  static std::string parts(const decisions::TimeParts &time) {
    return llvm::formatv("compute {0}, L1 {1}, NoC {2}, DRAM {3}, dispatch {4}; parts overlap",
                         formatNanoseconds(time.compute), formatNanoseconds(time.l1),
                         formatNanoseconds(time.noc), formatNanoseconds(time.dram),
                         formatNanoseconds(time.dispatch));
  }

  /// "attention, split-heads (rounding) for softmax_1, matmul_2 and 3 more": what stands for which ops of the input.
  static std::string rewritten(const decisions::RewrittenFacts &part) {
    constexpr size_t most = 4;
    std::string text = llvm::join(part.rewrites, ", ") + " (" + decisions::word(part.exactness) + ") for ";
    for (const decisions::ReplacedFacts &op : llvm::ArrayRef(part.from).take_front(most))
      text += (&op == part.from.data() ? "" : ", ") + op.location;
    return part.from.size() > most ? text + " and " + std::to_string(part.from.size() - most) + " more"
                                   : text;
  }

  /// "1.20 ms -> 300 us": what these ops took, in the plan of the input's graph, and what takes their place now.
  static std::string gain(const decisions::RewrittenFacts &part) {
    return formatNanoseconds(part.before) + " -> " + formatNanoseconds(part.after);
  }

  /// Why a conversion takes its value out of L1, in words; "" of all other steps.
  std::string spillWhy(Index index) const {
    const decisions::StepFacts &data = step(index);
    if (data.isRun() || data.reason != ConversionReason::Spill)
      return "";
    if (const decisions::SpillFacts *spill = spillAt(index))
      return why(*spill);
    // Not the plan's choice: a stop of a value that goes on, a constant, or what an op writes where it lies.
    llvm::ArrayRef<Index> readers = tensor(data.writes.front()).readers;
    if (!readers.empty() && !step(readers.front()).isRun())
      return "on its way to " + layoutOf(step(readers.front()).writes.front());
    return "what reads it wants it there";
  }

  /// The cause of a conversion that moved its value to DRAM; nullptr if it does not, or the value stays there for other reasons than the
  /// plan's.
  const decisions::SpillFacts *spillAt(Index index) const {
    const decisions::StepFacts &data = step(index);
    if (data.isRun() || data.reason != ConversionReason::Spill)
      return nullptr;
    // A way of several conversions ends in the tensor that is read, and each of them is about the same value.
    Index moved = tensor(data.writes.front()).value;
    auto found = llvm::find_if(f.spills, [&](const decisions::SpillFacts &spill) {
      return spill.value == moved && spill.step && *spill.step >= index;
    });
    return found == f.spills.end() ? nullptr : &*found;
  }

  /// The one cause for which a value is read from DRAM, with the bytes that are missing and what would help.
  std::string why(const decisions::SpillFacts &spill) const {
    using enum decisions::SpillCause;
    switch (spill.cause) {
    case Backend:
      return "no layout in L1 is legal for it and what reads it";
    case Memory:
      return missing(spill) + helpAt(*spill.atStep, spill.missing);
    case Faster:
      return "L1 would not be faster: " + difference(spill) +
             (spill.atStep ? ", and " + missing(spill) : std::string());
    case Policy:
      return "L1 has room and would be faster, " + difference(spill) + ": not found, or without addresses";
    }
    return "";
  }

  /// What the runner-up did not win by.
  static std::string verdict(const decisions::RunnerUp &other) {
    if (other.lost == decisions::Loss::Missed)
      return "would be faster; not found, or without addresses";
    return other.because;
  }

  const decisions::FunctionDecisions &f;

private:
  static std::string difference(const decisions::SpillFacts &spill) {
    Nanoseconds delta = spill.delta.value_or(Nanoseconds(0));
    return std::llround(delta.value()) == 0 ? "the plan would take the same time"
                                            : "the plan would take " + signedTime(delta);
  }

  std::string missing(const decisions::SpillFacts &spill) const {
    return formatBytes(spill.missing) + " of L1 are missing at " +
           (spill.atStep ? stepName(*spill.atStep) : "?");
  }

  /// The largest tensor beside the op there, if it alone would make room.
  std::string helpAt(Index index, Bytes missing) const {
    const decisions::StepFacts &data = step(index);
    std::optional<decisions::L1Share> largest;
    for (const decisions::L1Share &share : decisions::l1Shares(f, index))
      if (share.tensor && !llvm::is_contained(data.reads, *share.tensor) &&
          !llvm::is_contained(data.writes, *share.tensor) && (!largest || share.bytes > largest->bytes))
        largest = share;
    if (!largest)
      return ", where no tensor lies beside the op's own";
    return largest->bytes >= missing ? "; there would be room without " + value(*largest->tensor) + ", " +
                                           formatBytes(largest->bytes)
                                     : "; no tensor beside the op there is as large";
  }
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_DECISIONS_DECISIONWORDS_H
