//===- Numerics.cpp - A plan does not change what is computed -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/Numerics.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/LegalTensorLayouts.h"
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"
#include "tessera/Optimizer/Problem/Words.h"
#include "tessera/Support/AddOnce.h"

using namespace tessera;

bool tessera::keepsSums(const OpSignature &op, const OpSpecificConfig &config,
                        const OpSpecificConfig &declared, const OpModelContext &context) {
  // What a chunk of keys made is rounded to 16 bits when the next is added (docs/numerics.md): longer ones round less often.
  if (isAttention(op)) {
    auto keysOf = [](const OpSpecificConfig &specific) {
      const auto *attention = std::get_if<AttentionConfig>(&specific);
      return attention ? attention->keyChunk : AttentionConfig().keyChunk;
    };
    return keysOf(config) >= keysOf(declared);
  }
  const auto *matmul = std::get_if<MatmulProgramConfig>(&config);
  if (!matmul)
    return true;
  std::optional<ComputeConfig> compute = computeConfigOf(op, config, context.device.arch, context.version);
  // Without packer_l1_acc partial sums go through 16 bits whatever the block.
  if (!compute || compute->fp32Accumulate || !compute->packerL1Accumulate)
    return true;
  const auto *given = std::get_if<MatmulProgramConfig>(&declared);
  // 16-bit sums lose more in wider blocks of K (facts/hardware 4.8). 2 is the least that the backend takes by
  // itself (docs/numerics.md).
  return matmul->in0BlockW <= (given ? given->in0BlockW : 2);
}

std::vector<OpConfig> tessera::configsMaking(const Problem &problem, const OpSignature &op,
                                             const OpSpecificConfig &declared, LayoutId result,
                                             const Conv2dSearchSpace &conv2d, Numerics numerics,
                                             const OpModelContext &context) {
  std::vector<OpConfig> configs;
  for (const OpSpecificConfig &found :
       enumerateOpConfigs(op, problem.layout(result), declared, conv2d, problem.device.workerGrid)) {
    // An op whose kind has nothing to search keeps what the program says of it.
    const OpSpecificConfig &specific = std::holds_alternative<std::monostate>(found) ? declared : found;
    // Other blocks of K, or another kernel, round partial sums elsewhere (facts/hardware 4.8).
    if (numerics != Numerics::Keep || keepsSums(op, specific, declared, context))
      configs.push_back({{result}, specific});
  }
  return configs;
}

namespace {

constexpr double kWorthExactness = 1.02;

/// Tries compute configs on one op after the other.
class Chooser {
public:
  Chooser(const Problem &problem, const OpCostTable &model)
      : problem(problem), model(model), tensorLayouts(problem) {}

  std::optional<ComputeConfig> keep(OpId id) {
    llvm::SmallVector<ComputeConfig, 3> candidates = candidatesFor(id);
    if (candidates.empty())
      return std::nullopt;
    std::optional<Times> limit;
    // The most exact that is not slower. As declared is what runs anyway, so it needs no check and is the
    // limit.
    for (const ComputeConfig &candidate : llvm::ArrayRef(candidates).drop_back()) {
      if (!limit)
        limit = timesOf(id, candidates.back());
      if (runsAsDeclared(id, candidate) && isWithin(timesOf(id, candidate), *limit))
        return candidate;
    }
    return candidates.back();
  }

  /// One pass; a result of 32 bits is still summed up in 32.
  std::optional<ComputeConfig> fast(OpId id) const {
    std::optional<ComputeConfig> config = asDeclared(id);
    if (config)
      config = ComputeConfig{1, config->approximate, config->fp32Accumulate, true};
    return config;
  }

private:
  /// The least time with the result where it is declared, and in L1 some way or other; 0: not legal at all.
  struct Times {
    Nanoseconds declared, l1;
  };

  static bool isWithin(const Times &times, const Times &limit) {
    // Where the declared config has no legal time either, nothing is lost by the more exact one.
    auto within = [](Nanoseconds time, Nanoseconds most) {
      return most.value() <= 0 || (time.value() > 0 && time <= most * kWorthExactness);
    };
    return within(times.declared, limit.declared) && within(times.l1, limit.l1);
  }

  std::optional<ComputeConfig> defaultOf(OpId id, const OpSpecificConfig &specific) const {
    return computeConfigOf(problem.signature(id), specific, problem.device.arch, model.context().version);
  }
  std::optional<ComputeConfig> asDeclared(OpId id) const {
    return defaultOf(id, problem[id].declared.specific);
  }

  /// Most exact first, as declared last.
  llvm::SmallVector<ComputeConfig, 3> candidatesFor(OpId id) const {
    llvm::SmallVector<ComputeConfig, 3> candidates;
    std::optional<ComputeConfig> declared = asDeclared(id), unconfigured = defaultOf(id, std::monostate());
    if (!declared || !unconfigured)
      return candidates;
    auto add = [&](int fidelity, bool fp32) {
      addOnce(candidates, ComputeConfig{fidelity, declared->approximate, fp32, true});
    };
    // `unconfigured` and not `declared`: with a program config the backend multiplies in one pass, which is
    // what went wrong with plans that set program configs and said no more (docs/numerics.md).
    add(exactFidelity(id, *unconfigured), true);
    add(std::min(declared->fidelity, exactFidelity(id, *unconfigured)), true);
    addOnce(candidates, *declared);
    return candidates;
  }

  /// Passes that with sums of 32 bits leave no larger an error than `declared`. Three do what four do unless an operand
  /// has more than the 8 bits of bf16, and on Wormhole four with sums of 32 bits may go wrong (tt-metal #38306). Two do
  /// what four do with sums of 16 bits from 512 products on.
  int exactFidelity(OpId id, const ComputeConfig &declared) const {
    const OpSignature &op = problem.signature(id);
    if (declared.fidelity < 4)
      return std::max(2, declared.fidelity);
    bool f32 = llvm::any_of(
        op.operands, [](const OperandDesc &operand) { return operand.tensor.dtype == DataType::Float32; });
    if (f32 || declared.fp32Accumulate)
      return problem.device.arch == Arch::WormholeB0 ? 3 : 4;
    return productsPerResult(op) >= 512 ? 2 : 3;
  }

  /// Of a convolution.
  static int64_t productsPerResult(const OpSignature &conv) {
    int64_t products = conv.integer("in_channels", 0) / std::max<int64_t>(1, conv.integer("groups", 1));
    for (int64_t extent : conv.integers("kernel_size"))
      products *= extent;
    return products;
  }

  /// A declared configuration that the compute config makes illegal would be none to fall back to.
  bool runsAsDeclared(OpId id, const ComputeConfig &config) const {
    auto judged = [&](const OpSignature &op) {
      return model.row({op, declaredInputs(problem, id), problem[id].declared}).judged;
    };
    return judged(withComputeConfig(problem.signature(id), config)) || !judged(problem.signature(id));
  }

  Times timesOf(OpId id, const ComputeConfig &config) {
    OpSignature op = withComputeConfig(problem.signature(id), config);
    // Two places, since a plan may put the result in either. A config that is fast in DRAM only, where
    // bandwidth hides passes, would cost in L1.
    Times times;
    const Value &result = problem[problem[id].results.front()];
    times.declared = timeIn(id, op, result.declared);
    for (LayoutId layout : sampleInL1(result))
      if (Nanoseconds time = timeIn(id, op, layout); time.value() > 0)
        times.l1 = times.l1.value() > 0 ? std::min(times.l1, time) : time;
    return times;
  }

  /// Interleaved, and of each kind of shards the one on most cores: what policies take most.
  llvm::SmallVector<LayoutId> sampleInL1(const Value &result) {
    const LayoutSpace &space = tensorLayouts.of(result.tensor, problem.layout(result.declared).page);
    llvm::SmallVector<LayoutId> sample;
    for (LayoutId layout : space.interleaved)
      if (problem.layout(layout).isL1())
        sample.push_back(layout);
    llvm::append_range(sample, largestOfEachKind(space, *problem.layouts));
    return sample;
  }

  /// The least time with the result in `layout`, 0 if there is no way to make it there.
  Nanoseconds timeIn(OpId id, const OpSignature &op, LayoutId layout) const {
    Nanoseconds least;
    SignatureId signature = model.idOf(op);
    // As the search for legal configurations has it: a time that no plan may use is no limit.
    for (const OpConfig &config : configsMaking(problem, op, problem[id].declared.specific, layout, {},
                                                Numerics::Keep, model.context())) {
      ConfigId known = model.idOf(config);
      forEachPlausibleInputs(problem, id, layout, [&](llvm::ArrayRef<LayoutId> inputs) {
        StepCost cost = stepCost(model, model.row(signature, inputs, known));
        if (cost.legal && (least.value() <= 0 || cost.time < least))
          least = cost.time;
        return false;
      });
    }
    return least;
  }

  const Problem &problem;
  const OpCostTable &model;
  LegalTensorLayouts tensorLayouts;
};

/// All that a choice depends on, as plain numbers: layers repeat.
Words keyOf(const Problem &problem, OpId id, const OpCostTable &model) {
  const Op &op = problem[id];
  Words key;
  key.add(op.signature, model.idOf(op.declared));
  for (ValueId operand : op.operands)
    key.add(problem[operand].kind, problem[operand].declared);
  return key;
}

/// conv3d has no configuration to choose, and sums in 32 bits by itself.
bool takesConfig(const Op &op, const OpSignature &signature) {
  return op.role == OpRole::Compute && op.results.size() == 1 && !statesComputeConfig(signature) &&
         signature.name != "ttnn.conv3d";
}

} // namespace

std::vector<std::optional<StatedNumerics>> tessera::stateNumerics(Problem &problem, const OpCostTable &model,
                                                                  Numerics numerics) {
  std::vector<std::optional<StatedNumerics>> stated(problem.ops.size());
  if (numerics == Numerics::AsCompiled)
    return stated;
  Chooser chooser(problem, model);
  ByWords<std::optional<ComputeConfig>> known;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    Op &op = problem.ops[i];
    OpId id(i);
    if (!takesConfig(op, problem.signature(id)))
      continue;
    auto [entry, isNew] = known.try_emplace(keyOf(problem, id, model));
    if (isNew)
      entry->second = numerics == Numerics::Fast ? chooser.fast(id) : chooser.keep(id);
    if (!entry->second)
      continue;
    stated[i] = {op.signature, *entry->second};
    // In the signature, before anything is searched: legality, circular buffers and times are then those of
    // what will run.
    op.signature = problem.signatures->intern(withComputeConfig(problem.signature(id), *entry->second));
  }
  return stated;
}
