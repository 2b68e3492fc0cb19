//===- ProgramMutations.cpp - What rewriting and allocators can do wrongly ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "MutatedPlans.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using simulator::Function;
using simulator::Step;

namespace {

Step freeing(size_t value, bool force = false) {
  Step step;
  step.kind = Step::Kind::Free;
  step.reads = {value};
  step.force = force;
  step.place = "deallocate";
  return step;
}

bool reads(const Step &step, size_t value) {
  return step.kind == Step::Kind::Run && llvm::is_contained(step.reads, value);
}

/// The first step behind `index` that computes with the value; nullopt if there is none.
std::optional<size_t> readerBehind(const Function &function, size_t index, size_t value) {
  for (size_t i = index + 1; i < function.steps.size(); ++i)
    if (reads(function.steps[i], value))
      return i;
  return std::nullopt;
}

/// A step that makes something of an operand; nullopt if another was drawn.
std::optional<size_t> anyStep(const Function &function, Random &random) {
  auto index = size_t(random() % function.steps.size());
  const Step &step = function.steps[index];
  return step.kind == Step::Kind::Run && !step.writes.empty() && !step.reads.empty() ? std::optional(index)
                                                                                     : std::nullopt;
}

/// Puts a step before the one at `index` that hands its bytes on as `as`, and has that one read them.
void reinterpret(Mutant &mutant, size_t index, size_t value, simulator::Value as) {
  Function &function = mutant.function();
  size_t made = function.values.size();
  Step step;
  step.op = toMemoryConfigSignature(as.desc);
  step.kernel = simulator::findKernel(step.op.name);
  step.place = "reinterpreted";
  step.reads = {value};
  step.writes = {made};
  function.values.push_back(std::move(as));
  mutant.unmoved.push_back(made);
  llvm::replace(function.steps[index].reads, value, made);
  function.steps.insert(function.steps.begin() + int64_t(index), std::move(step));
  function.steps.insert(function.steps.begin() + int64_t(index) + 2, freeing(made));
}

// ---- Memory ----------------------------------------------------------------------------------------------

bool freeEarly(const Subject &, Mutant &mutant, Random &random) {
  std::vector<Step> &steps = mutant.function().steps;
  auto index = size_t(random() % steps.size());
  if (steps[index].kind != Step::Kind::Free)
    return false;
  for (size_t i = index; i-- > 0;)
    if (reads(steps[i], steps[index].reads[0])) { // its last reader: the tensor goes right before it
      std::rotate(steps.begin() + int64_t(i), steps.begin() + int64_t(index),
                  steps.begin() + int64_t(index) + 1);
      return true;
    }
  return false;
}

bool freeReturned(const Subject &, Mutant &mutant, Random &random) {
  mutant.function().steps.push_back(freeing(anyOf(mutant.function().returned, random)));
  return true;
}

/// Frees what a view shows while the view is still to be read.
bool freeViewed(const Subject &subject, Mutant &mutant, Random &random) {
  Function &function = mutant.function();
  std::optional<size_t> index = anyStep(function, random);
  if (!index || !function.steps[*index].mayView)
    return false;
  const Step &step = function.steps[*index];
  size_t source = step.reads[0], view = step.writes[0];
  auto layout = [&](size_t value) { return subject.model->layouts().intern(function.values[value].layout); };
  OpConfig config = step.config;
  config.outputs = {layout(view)};
  ValidationResult answer = subject.model->query({step.op, {layout(source)}, config});
  bool isView = answer.ok() && answer.constraints.tensorL1PeakSize == Bytes(0) &&
                function.values[view].layout.isL1() && function.values[source].layout.isL1();
  if (!isView || !readerBehind(function, *index, view))
    return false;
  function.steps.insert(function.steps.begin() + int64_t(*index) + 1, freeing(source, /*force=*/true));
  return true;
}

/// Two results in one kind of memory, one where the other lies.
bool overlap(const Subject &, Mutant &mutant, Random &random) {
  std::vector<size_t> made;
  for (const Step &step : mutant.function().steps)
    made.insert(made.end(), step.writes.begin(), step.writes.end());
  if (made.empty())
    return false;
  auto a = size_t(random() % made.size()), b = size_t(random() % made.size());
  const Function &function = mutant.function();
  if (a <= b || function.values[made[a]].layout.buffer != function.values[made[b]].layout.buffer)
    return false;
  auto maker = llvm::find_if(function.steps,
                             [&](const Step &step) { return llvm::is_contained(step.writes, made[a]); });
  if (!readerBehind(function, size_t(maker - function.steps.begin()), made[b]))
    return false; // nobody would read the one that is overwritten
  mutant.misplaced = {{made[a], made[b]}};
  return true;
}

bool moreBuffers(const Subject &, Mutant &mutant, Random &random) {
  const Step &step = anyOf(mutant.function().steps, random);
  if (step.kind != Step::Kind::Run)
    return false;
  mutant.hungry = {step.op.name, Bytes(int64_t(12 + random() % 10) << 16)}; // of 1.4 MB
  return true;
}

// ---- Layouts ---------------------------------------------------------------------------------------------

bool moveNothing(const Subject &, Mutant &mutant, Random &random) {
  Function &function = mutant.function();
  std::optional<size_t> index = anyStep(function, random);
  if (!index)
    return false;
  const Step &step = function.steps[*index];
  bool converts = llvm::is_contained({"ttnn.to_memory_config", "ttnn.to_layout"}, step.op.name);
  if (!converts || function.values[step.reads[0]].layout == function.values[step.writes[0]].layout)
    return false;
  mutant.unmoved = {step.writes[0]};
  return true;
}

/// A reader takes the shards to lie on the cores the other way round.
bool reverseShards(const Subject &, Mutant &mutant, Random &random) {
  Function &function = mutant.function();
  std::optional<size_t> index = anyStep(function, random);
  if (!index)
    return false;
  size_t value = anyOf(function.steps[*index].reads, random);
  simulator::Value as = function.values[value];
  if (!as.layout.isSharded() || as.layout.coreCount() < CoreCount(2))
    return false;
  CoreRangeSet reversed;
  for (const CoreRange &range : as.layout.cores->ranges)
    for (int64_t y = range.start.y; y <= range.end.y; ++y)
      for (int64_t x = range.start.x; x <= range.end.x; ++x)
        reversed.ranges.push_back({{x, y}, {x, y}});
  std::reverse(reversed.ranges.begin(), reversed.ranges.end());
  as.layout.cores = std::move(reversed);
  reinterpret(mutant, *index, value, std::move(as));
  return true;
}

/// Padding that is not filled: what makes it elements does nothing. Or it is summed over.
bool dropPadding(const Subject &, Mutant &mutant, Random &random) {
  Function &function = mutant.function();
  std::optional<size_t> index = anyStep(function, random);
  if (!index)
    return false;
  const Step &step = function.steps[*index];
  if (step.op.name == "ttnn.pad") {
    mutant.unmoved = {step.writes[0]};
    return true;
  }
  if (!llvm::is_contained({"ttnn.matmul", "ttnn.linear", "ttnn.sum", "ttnn.mean", "ttnn.max"}, step.op.name))
    return false;
  size_t value = step.reads[0];
  simulator::Value as = function.values[value];
  if (!as.layout.isTiled() || as.desc.shape.empty() || as.desc.shape.back() % 32 == 0)
    return false;
  as.desc.shape.back() = alignUp(as.desc.shape.back(), 32);
  if (step.reads.size() > 1) { // the other factor is padded likewise
    simulator::Value other = function.values[step.reads[1]];
    if (other.desc.shape.size() < 2 || !other.layout.isTiled() || step.op.boolean("transpose_a", false) ||
        step.op.boolean("transpose_b", false))
      return false;
    int64_t &rows = other.desc.shape[other.desc.shape.size() - 2];
    rows = alignUp(rows, 32);
    reinterpret(mutant, *index, step.reads[1], std::move(other));
    ++*index;
  }
  reinterpret(mutant, *index, value, std::move(as));
  return true;
}

bool coarserType(const Subject &, Mutant &mutant, Random &random) {
  std::optional<size_t> index = anyStep(mutant.function(), random);
  if (!index)
    return false;
  simulator::Value &value = mutant.function().values[mutant.function().steps[*index].writes[0]];
  if (!value.layout.isTiled() ||
      (value.desc.dtype != DataType::Float32 && value.desc.dtype != DataType::BFloat16))
    return false;
  DataType coarser = value.desc.dtype == DataType::Float32 ? DataType::BFloat16 : DataType::BFP_BFloat8;
  value.desc.dtype = value.layout.dtype = coarser;
  return true;
}

bool wrongAttribute(const Subject &, Mutant &mutant, Random &random) {
  Step &step = anyOf(mutant.function().steps, random);
  if (step.kind != Step::Kind::Run)
    return false;
  for (auto &[name, value] : step.op.attributes)
    if (auto *flag = std::get_if<bool>(&value); flag && (name == "transpose_b" || name == "is_causal")) {
      *flag = !*flag;
      return true;
    } else if (auto *number = std::get_if<int64_t>(&value);
               number && (name == "dimension" || name == "dim")) {
      *number = *number == 0 ? 1 : 0;
      return true;
    } else if (auto *list = std::get_if<std::vector<int64_t>>(&value); list && name == "begins") {
      list->back() = list->back() == 0 ? 1 : 0;
      return true;
    }
  return false;
}

constexpr MutationKind kKinds[] = {
    {"input freed", nullptr, freeEarly},
    {"result freed", nullptr, freeReturned},
    {"source of a view freed", nullptr, freeViewed},
    {"two buffers in one place", nullptr, overlap},
    {"circular buffers over a tensor", nullptr, moreBuffers},
    {"reshard that moves nothing", nullptr, moveNothing},
    {"shards in another order", nullptr, reverseShards},
    {"padding taken for elements", nullptr, dropPadding},
    {"coarser data type", nullptr, coarserType},
    {"another attribute", nullptr, wrongAttribute},
};

} // namespace

llvm::ArrayRef<MutationKind> tessera::programMutations() { return kKinds; }
