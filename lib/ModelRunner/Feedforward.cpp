//===- Feedforward.cpp - MLP, experts and what chooses them ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Configs of the dense MLP, of the router and of the experts. In the MLP gate
// and up are cut along their columns over the mesh's columns, and down along
// its rows, so that between them nothing is exchanged: one gather in front, one
// sum behind. Experts lie whole on the devices, some on each, and it is the
// tokens that travel (facts/deepseek 2.2).
//
//===----------------------------------------------------------------------===//
#include "ModuleParts.h"

using namespace tessera;
using namespace tessera::runner;

// ---- MLP -------------------------------------------------------------------------------------------------

Dict mlp::prefillModelConfig(const Target &target, int64_t intermediate) {
  int64_t hidden = target.hf.hidden_size, inner = intermediate / target.columns();
  auto matmul = [&](int64_t k, int64_t n) {
    LinearConfig config = linear(target, kDram);
    config.compute_kernel_config = kLoFi;
    config.program_config = prefillMatmul(target.rows(), k, n, target.workerGrid);
    return toItem(config);
  };
  Dict config;
  config["max_rows"] = kPrefillRows;
  config["input_memory_config"] = toItem(kDram);
  // The residual stream is cut over the columns, and a matmul's rows need all of it.
  config["all_gather"] = toItem(allGather(target, -1, 1, kDram));
  config["w1"] = matmul(hidden, inner);
  config["w3"] = matmul(hidden, inner);
  // SiLU stands here and nowhere else; the published decode applies it twice (docs/model-runner.md).
  config["mul"] = toItem(MulConfig{kDram, std::vector{UnaryOpType::SILU}});
  config["w2"] = matmul(inner, hidden);
  config["reduce_scatter_async"] = toItem(reduceScatter(3, 1, kDram));
  config["output_memory_config"] = toItem(kDram);
  return config;
}

Dict mlp::decodeModelConfig(const Target &target, int64_t intermediate) {
  int64_t hidden = target.hf.hidden_size, inner = intermediate / target.columns();
  int64_t all = target.workerGrid.volume();
  int64_t inCores = activationCores(hidden, all), innerCores = activationCores(inner, all);
  int64_t outCores = activationCores(target.hiddenPerDevice(), all);
  auto matmul = [&](int64_t k, int64_t n, int64_t from, int64_t to) {
    LinearConfig config = linear(target, kL1WidthSharded);
    config.compute_kernel_config = kLoFi;
    // 32 rows make little arithmetic: the time is that of reading the weights, which this kernel streams from all banks
    // at once.
    config.program_config = dramShardedMatmul(kUsersPerRow, k, n, from, to);
    return toItem(config);
  };
  Dict config;
  config["input_memory_config"] = toItem(residual(target));
  config["all_gather"] =
      toItem(allGather(target, -1, 1, widthSharded(kUsersPerRow, hidden, inCores, target.workerGrid)));
  config["w1"] = matmul(hidden, inner, inCores, innerCores);
  config["w3"] = matmul(hidden, inner, inCores, innerCores);
  config["mul"] = toItem(MulConfig{kL1WidthSharded, std::vector{UnaryOpType::SILU}});
  config["w2"] = matmul(inner, hidden, innerCores, outCores);
  config["reduce_scatter_async"] = toItem(reduceScatter(3, 1, residual(target)));
  config["output_memory_config"] = toItem(residual(target));
  return config;
}

// ---- Experts ---------------------------------------------------------------------------------------------

namespace {

Dict expertsConfig(const Target &target, Mode mode) {
  MemoryConfig memory = interleaved(mode);
  Dict config;
  config["input_memory_config"] = toItem(memory);
  for (const char *name : {"w1_experts", "w2_experts", "w3_experts"})
    config[name] = toItem(linear(target, memory));
  config["mul_experts"] = toItem(MulConfig{memory, std::vector{UnaryOpType::SILU}});
  config["permute"] =
      toItem(PermuteConfig{.dims = std::vector<int64_t>{1, 0, 2, 3}, .memory_config = memory});
  config["num_experts_per_device"] = target.hf.n_routed_experts / target.mesh.volume();
  config["output_memory_config"] = toItem(memory);
  return config;
}

/// An expert group's best two count for it, and the groups are then ranked among each other.
Dict gateConfig(const Target &target, Mode mode) {
  const HfConfig &hf = target.hf;
  MemoryConfig memory = interleaved(mode);
  LinearConfig gate = linear(target, memory);
  gate.compute_kernel_config = kHiFi2;
  BinaryOpConfig binary{
      .input_tensor_b = weight(target), .memory_config = memory, .dtype = DataType::BFloat16};
  Dict config;
  config["input_memory_config"] = toItem(memory);
  config["gate_proj"] = toItem(gate);
  config["add_score_correction_bias"] = toItem(binary);
  config["reshape_scores"] = toItem(
      ReshapeConfig{.shape = std::vector<int64_t>{1, -1, hf.n_group, hf.n_routed_experts / hf.n_group}});
  // The router of DeepSeek-V3 ("noaux_tc"): a group's score is the sum of its two best experts', only the best
  // `topk_group` groups stay, and of their experts the best `num_experts_per_tok` are chosen. The bias takes part in
  // the choice and not in the weights (facts/deepseek 4.2).
  config["topk_within_expert_groups"] = toItem(TopKConfig{.k = 2, .dim = -1});
  config["topk_expert_groups"] = toItem(TopKConfig{.k = hf.topk_group, .dim = -1});
  // Both sides are weights: -inf for all groups, and ones that are scattered where a group was chosen (WeightPlan.cpp).
  config["scatter_top_expert_groups"] =
      toItem(ScatterConfig{.input = weight(target), .dim = 3, .src = weight(target)});
  config["mask_groups"] = toItem(MulConfig{.memory_config = memory});
  config["topk_experts"] = toItem(TopKConfig{.k = hf.num_experts_per_tok, .dim = -1});
  config["multiply_expert_scale"] = toItem(binary);
  config["output_memory_config"] = toItem(memory);
  return config;
}

Dict moeConfig(const Target &target, Mode mode, Dict gate, Dict experts) {
  MemoryConfig memory = interleaved(mode);
  Dict config;
  config["input_memory_config"] = toItem(mode == Mode::Prefill ? kDram : residual(target));
  config["revert_tp"] = toItem(allGather(target, -1, 1, memory));
  config["moe_gate"] = std::move(gate);
  // Tokens are exchanged along axis 0, the rows of the mesh; the columns of a row share a token and its sum
  // (facts/deepseek 2.2).
  config["all_to_all_dispatch"] =
      toItem(AllToAllDispatchConfig{.cluster_axis = 0, .memory_config = memory, .num_links = 1});
  // Once for each expert of the device: experts run as one batched matmul, on all tokens that arrived (facts/deepseek
  // 2.2).
  config["activations_repeat"] = toItem(RepeatConfig{
      .repeat_dims = std::vector<int64_t>{1, target.hf.n_routed_experts / target.mesh.volume(), 1, 1}});
  config["moe_experts"] = std::move(experts);
  config["all_to_all_combine"] =
      toItem(AllToAllCombineConfig{.cluster_axis = 0, .memory_config = memory, .num_links = 1});
  config["mul_experts_output_with_weights"] = toItem(MulConfig{.memory_config = memory});
  config["final_output_reduce_scatter"] =
      toItem(reduceScatter(3, 1, mode == Mode::Prefill ? kDram : residual(target)));
  config["output_memory_config"] = toItem(mode == Mode::Prefill ? kDram : residual(target));
  return config;
}

} // namespace

Dict experts::prefillModelConfig(const Target &target) { return expertsConfig(target, Mode::Prefill); }
Dict experts::decodeModelConfig(const Target &target) { return expertsConfig(target, Mode::Decode); }
Dict moe_gate::prefillModelConfig(const Target &target) { return gateConfig(target, Mode::Prefill); }
Dict moe_gate::decodeModelConfig(const Target &target) { return gateConfig(target, Mode::Decode); }
Dict moe::prefillModelConfig(const Target &target) {
  return moeConfig(target, Mode::Prefill, moe_gate::prefillModelConfig(target),
                   experts::prefillModelConfig(target));
}
Dict moe::decodeModelConfig(const Target &target) {
  return moeConfig(target, Mode::Decode, moe_gate::decodeModelConfig(target),
                   experts::decodeModelConfig(target));
}
