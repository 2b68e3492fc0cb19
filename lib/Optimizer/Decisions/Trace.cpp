//===- Trace.cpp - The public compiler's decision trace -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The format is another program's, so that its readers can show our plans: keys
// and their meaning are given. What our policies do not have is filled with what
// comes nearest, and each place says so: runners-up where there are no candidates
// of a beam, spills by cause where no evictions were logged.
//
//===----------------------------------------------------------------------===//
#include "Trace.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

static constexpr int64_t kTraceVersion = 3;

namespace {

/// "l1/height_sharded/8x4"; null of none.
json::Value text(const TensorLayout *layout) {
  if (!layout)
    return nullptr;
  std::string memory = layout->memory ? name(*layout->memory).str() : "host";
  return name(layout->buffer).str() + "/" + memory + "/" + std::to_string(layout->grid.rows) + "x" +
         std::to_string(layout->grid.columns);
}

/// One way to run an op, as a policy or the pricing of runners-up has it.
struct Evaluation {
  std::vector<const TensorLayout *> inputs, outputs;
  std::optional<Nanoseconds> score;
  bool valid = true, reshard = false;
  std::string failure;
};

class TraceWriter {
public:
  TraceWriter(const DecidedPlan &decided, const FunctionDecisions &facts)
      : problem(decided.problem), log(decided.log), facts(facts) {}

  /// Op by op, with keys in the order of trees of JSON: as one tree the trace of 10,000 ops takes a gigabyte.
  RawJson write() {
    RawJson trace;
    trace.text.clear();
    llvm::raw_string_ostream stream(trace.text);
    json::OStream os(stream);
    os.object([&] {
      os.attributeObject("backwardPass", [&] { os.attributeArray("forkResolutions", [&] { forks(os); }); });
      os.attribute("beamWidth", width());
      os.attributeArray("edges", [&] { edges(os); });
      os.attributeArray("finalChoices", [&] {
        for (size_t i = 0; i < facts.ops.size(); ++i)
          os.value(json::Object{
              {"opIndex", int64_t(i)}, {"opName", facts.ops[i].name}, {"chosenLayout", text(made(i))}});
      });
      os.attributeArray("forwardPass", [&] {
        for (size_t i = 0; i < facts.ops.size(); ++i)
          os.value(forwardOf(i, evaluationsOf(i)));
      });
      os.attribute("functionName", facts.function);
      os.attribute("spillManagement", spills());
      os.attribute("totalOps", int64_t(facts.ops.size()));
      os.attribute("version", kTraceVersion);
    });
    return trace;
  }

private:
  const TensorLayout *layoutOf(LayoutId id) const { return id.valid() ? &problem.layout(id) : nullptr; }

  int64_t width() const {
    // Most policies have no beam, and so no width of one: the longest list of candidates stands for it.
    size_t most = 0;
    for (size_t i = 0; i < facts.ops.size(); ++i)
      most = std::max(most, evaluationsOf(i).size());
    return int64_t(most);
  }

  std::vector<Evaluation> evaluationsOf(size_t op) const {
    std::vector<Evaluation> evaluations;
    auto logged = log.candidates.find(OpId(op));
    // Policies without a beam have no candidates to log. The priced alternatives take their place, so that
    // readers of the format find something for every policy.
    if (logged == log.candidates.end())
      for (const RunnerUp &other : facts.ops[op].runnersUp)
        evaluations.push_back(evaluationOf(op, other));
    else
      for (const LoggedCandidate &candidate : logged->second) {
        Evaluation &evaluation = evaluations.emplace_back();
        for (LayoutId input : candidate.inputs)
          evaluation.inputs.push_back(layoutOf(input));
        for (LayoutId output : candidate.config.outputs)
          evaluation.outputs.push_back(layoutOf(output));
        evaluation.score = candidate.score;
        evaluation.reshard = candidate.conversions > 0;
      }
    return evaluations;
  }

  /// `score` is what the plan would take more with it, below nothing if it would take less.
  Evaluation evaluationOf(size_t op, const RunnerUp &other) const {
    Evaluation evaluation;
    for (Index input : other.inputs)
      evaluation.inputs.push_back(&facts.layouts[size_t(input)]);
    for (Index output : other.outputs)
      evaluation.outputs.push_back(&facts.layouts[size_t(output)]);
    evaluation.score = other.delta;
    // A runner-up was priced, so the op model accepted it: room is all that it can lack.
    evaluation.valid = other.lost != Loss::Memory;
    evaluation.failure = evaluation.valid ? "" : other.because;
    const StepFacts &step = facts.steps[size_t(*facts.ops[op].step)];
    for (auto [tensor, input] : llvm::zip(step.reads, other.inputs))
      evaluation.reshard |= facts.tensors[size_t(tensor)].layout != input;
    return evaluation;
  }

  json::Object scoreOf(const Evaluation &evaluation) const {
    // The fields are those of the public compiler's score (facts/ir 4.3, 4.9), recomputed from the layouts: our
    // policies score in nanoseconds, which is the field that is added.
    // All results have to be there for either to be said.
    bool isL1 = !evaluation.outputs.empty(), isSharded = isL1;
    int64_t dram = 0, cores = 0, l1 = 0;
    for (const TensorLayout *layout : evaluation.inputs)
      if (layout && layout->isDram())
        dram += bytesPerCore(*layout, problem.device).value();
    for (const TensorLayout *layout : evaluation.outputs) {
      isL1 &= layout && layout->isL1();
      isSharded &= layout && layout->isSharded();
      if (layout) {
        cores = std::max(cores, layout->coreCount().value());
        l1 += l1BytesPerCore(*layout, problem.device).value();
      }
    }
    json::Object score{{"isL1", isL1},           {"isSharded", isSharded},
                       {"inputDramBytes", dram}, {"requiresReshard", evaluation.reshard},
                       {"coreCount", cores},     {"outputL1Usage", l1}};
    if (evaluation.score)
      score["ns"] = int64_t(std::llround(evaluation.score->value()));
    return score;
  }

  static json::Array texts(llvm::ArrayRef<const TensorLayout *> layouts) {
    json::Array array;
    for (const TensorLayout *layout : layouts)
      array.push_back(text(layout));
    return array;
  }

  static json::Value outputOf(const Evaluation &evaluation) {
    return text(evaluation.outputs.empty() ? nullptr : evaluation.outputs.front());
  }

  json::Value forwardOf(size_t index, llvm::ArrayRef<Evaluation> evaluations) const {
    const OpFacts &op = facts.ops[index];
    // The format has a list of all that was evaluated and a beam of what was valid. No refused ways are kept, so
    // both come from the same list, and what lost for memory is the only thing that is not valid.
    json::Array all, beam, sets;
    for (auto [rank, evaluation] : llvm::enumerate(evaluations)) {
      json::Object entry{{"hint", outputOf(evaluation)},
                         {"inputs", texts(evaluation.inputs)},
                         {"valid", evaluation.valid},
                         {"output", outputOf(evaluation)}};
      if (evaluation.valid) {
        entry["score"] = scoreOf(evaluation);
        beam.push_back(json::Object{{"rank", int64_t(beam.size())},
                                    {"outputLayout", outputOf(evaluation)},
                                    {"score", scoreOf(evaluation)}});
      } else {
        entry["failureReason"] = evaluation.failure;
      }
      all.push_back(std::move(entry));
    }
    for (size_t operand = 0; operand < op.operands.size(); ++operand)
      sets.push_back(candidatesOf(op, operand, evaluations));
    auto more = log.considered.find(OpId(index));
    int64_t considered = more != log.considered.end() ? int64_t(more->second) : op.considered;
    // The format asks how many hints of a result there were, and how many of these were fallbacks: legal
    // configurations are what comes nearest, and none of them is a fallback.
    return json::Object{
        {"opIndex", int64_t(index)},
        {"opName", op.name},
        {"opLocation", op.location},
        {"inputCandidateSets", std::move(sets)},
        {"outputHints",
         json::Object{{"primaryCount", int64_t(problem.ops[index].legal.size())}, {"fallbackCount", 0}}},
        {"crossProductSize", considered},
        {"evaluations", std::move(all)},
        {"beam", std::move(beam)},
        {"usedDramFallback", usesDram(index)},
        {"isInplace", !problem.ops[index].writes.empty()}};
  }

  /// Layouts of one operand that were looked at: as the plan reads it first, then all others, which count as
  /// reshards.
  json::Value candidatesOf(const OpFacts &op, size_t operand, llvm::ArrayRef<Evaluation> evaluations) const {
    const StepFacts &step = facts.steps[size_t(*op.step)];
    const TensorFacts &read = facts.tensors[size_t(step.reads[operand])];
    const TensorLayout *now = &facts.layouts[size_t(read.layout)];
    json::Array candidates{text(now)};
    int64_t reshards = 0;
    for (const Evaluation &evaluation : evaluations)
      // A policy's log may list operands by distinct value; then the sets of the rest stay as they are.
      if (evaluation.inputs.size() == op.operands.size() && evaluation.inputs[operand])
        if (json::Value other = text(evaluation.inputs[operand]); !llvm::is_contained(candidates, other)) {
          candidates.push_back(std::move(other));
          ++reshards;
        }
    return json::Object{{"operandIndex", int64_t(operand)},
                        {"fromProducerBeam", int64_t(candidates.size()) - reshards},
                        {"fromReshard", reshards},
                        {"candidates", std::move(candidates)}};
  }

  /// The first result as its producer makes it.
  const TensorLayout *made(size_t op) const {
    const StepFacts &step = facts.steps[size_t(*facts.ops[op].step)];
    return step.writes.empty() ? nullptr
                               : &facts.layouts[size_t(facts.tensors[size_t(step.writes.front())].layout)];
  }
  bool usesDram(size_t op) const { return made(op) && made(op)->isDram(); }

  /// In the order of ops and operands. An op that reads a value twice has two edges.
  void edges(json::OStream &os) const {
    for (auto [index, op] : llvm::enumerate(facts.ops))
      for (auto [operand, value] : llvm::enumerate(op.operands)) {
        const ValueFacts &read = facts.values[size_t(value)];
        // An argument comes from no op, so that there is no edge.
        if (!read.producer)
          continue;
        const StepFacts &step = facts.steps[size_t(*op.step)];
        const TensorFacts &tensor = facts.tensors[size_t(step.reads[operand])];
        // By who makes the tensor that is read: if no op does, a conversion of the plan stands between.
        bool converted = tensor.madeBy && !facts.steps[size_t(*tensor.madeBy)].isRun();
        json::Object edge{{"producerOpIndex", *read.producer},
                          {"consumerOpIndex", int64_t(index)},
                          {"operandIndex", int64_t(operand)},
                          {"producerResultIndex", int64_t(problem.values[size_t(value)].resultIndex)},
                          {"hasReshard", converted}};
        if (converted)
          edge["reshardLayout"] = text(&facts.layouts[size_t(tensor.layout)]);
        os.value(std::move(edge));
      }
  }

  void forks(json::OStream &os) const {
    for (const tessera::Value &value : problem.values) {
      json::Array consumers;
      for (OpId reader : readingOps(value))
        consumers.push_back(int64_t(reader.index()));
      // A value that one op reads twice is no fork.
      if (consumers.size() < 2 || !value.producer.valid())
        continue;
      size_t op = value.producer.index();
      os.value(json::Object{{"opName", facts.ops[op].name},
                            {"opLocation", facts.ops[op].location},
                            {"opIndex", int64_t(op)},
                            {"chosenCandidateIndex", chosenIndex(op)},
                            {"numConsumers", int64_t(consumers.size())},
                            {"consumerOpIndices", std::move(consumers)}});
    }
  }

  /// The place of what was taken among the evaluations; -1 if it is not there.
  int64_t chosenIndex(size_t op) const {
    for (auto [rank, evaluation] : llvm::enumerate(evaluationsOf(op)))
      // By layout, since the format names candidates by it; several configurations may make the same.
      if (!evaluation.outputs.empty() && evaluation.outputs.front() && made(op) &&
          *evaluation.outputs.front() == *made(op))
        return int64_t(rank);
    return -1;
  }

  /// `op`: the one that there was no room for.
  json::Value event(size_t op, const std::string &victim, Bytes freed, const std::string &details) const {
    const StepFacts &step = facts.steps[size_t(*facts.ops[op].step)];
    Bytes total = step.l1.total();
    // The plan that stands has the sum behind the eviction; before it there was as much more as it freed.
    return json::Object{{"position", int64_t(op)},
                        {"opName", facts.ops[op].name},
                        {"action", "eviction"},
                        {"occupiedL1Before", (total + freed).value()},
                        {"occupiedL1After", total.value()},
                        {"opL1Usage", step.l1.buffers.value()},
                        {"victimName", victim},
                        {"details", details}};
  }

  json::Value spills() const {
    json::Array events;
    for (const LoggedEviction &eviction : log.evictions)
      events.push_back(event(eviction.cause.index(), problem[eviction.victim].name, eviction.freed,
                             std::to_string(eviction.excess.value()) + " bytes too many"));
    // A policy that logs no evictions has its spills by cause instead: those for lack of memory are what the
    // format calls so.
    if (log.evictions.empty())
      for (const SpillFacts &spill : facts.spills)
        if (spill.cause == SpillCause::Memory)
          if (std::optional<Index> op = facts.steps[size_t(*spill.atStep)].op)
            events.push_back(event(size_t(*op), facts.values[size_t(spill.value)].name, Bytes(0),
                                   std::to_string(spill.missing.value()) + " bytes are missing"));
    // What is left at the end, as the format asks for it: what the function returns in L1, and arguments there.
    Bytes occupied;
    int64_t live = 0;
    if (!facts.steps.empty())
      for (Index tensor : facts.holdersAt(Index(facts.steps.size()) - 1)) {
        ++live;
        occupied += facts.tensors[size_t(tensor)].l1;
      }
    return json::Object{{"budget", facts.budget.value()},    {"scheduleSize", int64_t(facts.ops.size())},
                        {"totalSpills", facts.after.spills}, {"finalOccupied", occupied.value()},
                        {"finalLiveTensors", live},          {"events", std::move(events)}};
  }

  const Problem &problem;
  const DecisionLog &log;
  const FunctionDecisions &facts;
};

} // namespace

RawJson decisions::decisionTrace(const DecidedPlan &decided, const FunctionDecisions &facts) {
  return TraceWriter(decided, facts).write();
}
