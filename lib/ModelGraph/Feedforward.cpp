//===- Feedforward.cpp - MLP, experts and what chooses them ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Forward functions of the dense MLP, of the router and of the experts
// (facts/deepseek 2.2, 4.2). A mixture is computed densely: all experts of a
// device on all tokens, times weights that are 0 where the router did not
// choose the expert. So shapes are fixed, whatever the router says.
//
//===----------------------------------------------------------------------===//
#include "ForwardParts.h"

#include "tessera/ModelRunner/ConfigHelpers.h"

#include <limits>

using namespace tessera;
using namespace tessera::runner;

// ---- MLP -------------------------------------------------------------------------------------------------

namespace {

/// The program config that an entry such as "w1_pc" makes for so many rows, if there is one.
std::optional<runner::MatmulProgramConfig> programFor(const Config &config, llvm::StringRef op,
                                                      int64_t rows) {
  auto data = config[(op + "_pc").str()].find<ProgramConfigData>();
  if (!data)
    return std::nullopt;
  // A config of the user's may say 0 devices, by which nothing can be divided.
  int64_t in = *data->dim, out = *data->hidden_dim / std::max<int64_t>(*data->num_devices, 1);
  // The way back from the inner dimension.
  if (op == "w2")
    std::swap(in, out);
  return prefillMatmul(rows, in, out, *data->core_grid_size);
}

Tensor gatedMlp(Graph &g, const Tensor &x, const Config &config) {
  auto linear = [&](llvm::StringRef op, const Tensor &in) {
    return op::linear(g, in, config[op], std::nullopt, programFor(config, op, x.extent(2)));
  };
  Tensor gate = linear("w1", x), up = linear("w3", x);
  return linear("w2", op::mul(g, gate, up, config["mul"]));
}

} // namespace

Tensor mlp::forwardPrefill(Graph &g, const Tensor &x, const Config &config) {
  Tensor whole = op::allGather(g, x, config["all_gather"]);
  Tensor made = inChunks(g, whole, config["max_rows"].as<int64_t>(),
                         [&](const Tensor &rows) { return gatedMlp(g, rows, config); });
  return op::reduceScatter(g, made, config["reduce_scatter_async"]);
}

Tensor mlp::forwardDecode(Graph &g, const Tensor &x, const Config &config) {
  Tensor input = op::reshard(g, x, config["input_memory_config"]);
  Tensor whole = op::allGather(g, input, config["all_gather"]);
  Tensor made = op::reduceScatter(g, gatedMlp(g, whole, config), config["reduce_scatter_async"]);
  return op::reshard(g, made, config["output_memory_config"]);
}

// ---- The gate --------------------------------------------------------------------------------------------

namespace {

// TTNN's top-k takes lines of at least so many elements (facts/deepseek 1.5); what is filled up is never among the
// best.
constexpr int64_t kLeastWidth = 64;
constexpr double kLowest = -std::numeric_limits<double>::infinity();

op::TopK topk(Graph &g, const Tensor &scores, const Config &config) {
  return op::topk(g, op::padTo(g, scores, 3, kLeastWidth, kLowest), config);
}

/// A row of a constant for each token, in fp32.
Tensor rowPerToken(Graph &g, const WeightItem &constant, int64_t tokens) {
  Tensor row = op::typecast(g, op::tilize(g, g.weight(constant)), DataType::Float32);
  return op::repeat(g, row, {1, 1, tokens, 1});
}

/// The best groups' scores as they are, -inf for those of the others.
Tensor keepBestGroups(Graph &g, const Tensor &scores, const Config &config) {
  const HfConfig &hf = g.target().hf;
  int64_t tokens = scores.extent(2), size = hf.n_routed_experts / hf.n_group;
  g.name(config["reshape_scores"].name());
  Tensor groups = op::reshape(g, scores, {1, tokens, hf.n_group, size});
  Tensor best = topk(g, groups, config["topk_within_expert_groups"]).values;
  Tensor rank = op::reshape(g, op::sum(g, best, 3), {1, 1, tokens, hf.n_group});
  Tensor chosen = topk(g, rank, config["topk_expert_groups"]).indices;
  auto scatter = config["scatter_top_expert_groups"].as<ScatterConfig>();
  g.name(config["scatter_top_expert_groups"].name());
  Tensor marks =
      op::scatter(g, rowPerToken(g, *scatter.input, tokens), chosen, rowPerToken(g, *scatter.src, tokens), 3);
  g.name(config["mask_groups"].name());
  marks = op::repeat(g, op::reshape(g, marks, {1, tokens, hf.n_group, 1}), {1, 1, 1, size});
  marks = op::reshape(g, marks, scores.shape());
  // Marks are 1 or -inf. A product with them, as published, would turn the sign of negative scores.
  return op::where(g, op::unary(g, "relu", marks), scores, marks);
}

} // namespace

moe_gate::Choice moe_gate::forward(Graph &g, const Tensor &x, const Config &config) {
  Tensor scores = op::unary(g, "sigmoid", op::linear(g, x, config["gate_proj"], DataType::Float32));
  Tensor biased = op::binaryWithWeight(g, "add", scores, config["add_score_correction_bias"]);
  Tensor experts = topk(g, keepBestGroups(g, biased, config), config["topk_experts"]).indices;
  // The bias has a say in the choice only (facts/deepseek 4.2).
  Tensor chosen = op::gather(g, scores, experts, 3);
  // Weights of the chosen experts sum up to 1 before they are scaled (norm_topk_prob, which readHfConfig asks for).
  // 1e-20 keeps scores that are all 0 from a division by 0.
  Tensor sum = op::binary(g, "add", op::sum(g, chosen, 3), g.full({{1, 1, 1, 1}, DataType::Float32}, 1e-20));
  Tensor shares = op::binary(g, "divide", chosen, sum);
  return {op::binaryWithWeight(g, "multiply", shares, config["multiply_expert_scale"]), experts};
}

// ---- Experts ---------------------------------------------------------------------------------------------

Tensor experts::forward(Graph &g, const Tensor &x, const Config &config) {
  Tensor gate = op::linear(g, x, config["w1_experts"]), up = op::linear(g, x, config["w3_experts"]);
  return op::linear(g, op::mul(g, gate, up, config["mul_experts"]), config["w2_experts"]);
}

namespace {

/// Every device computes its experts for the tokens of all mesh rows; weights are 0 where an expert was not chosen. So
/// tokens are gathered and results summed where the published code dispatches and combines: a device computes no less
/// there, as all its experts run on all tokens that arrive (facts/deepseek 2.2).
Tensor mixture(Graph &g, const Tensor &x, const Config &config) {
  int64_t count = g.target().hf.n_routed_experts;
  Tensor own = op::allGather(g, x, config["revert_tp"]);
  moe_gate::Choice choice = moe_gate::forward(g, own, config["moe_gate"]);
  g.name(config["all_to_all_dispatch"].name());
  Tensor none = g.full({{1, 1, own.extent(2), count}, DataType::Float32}, 0);
  Tensor weights = op::typecast(g, op::scatter(g, none, choice.experts, choice.weights, 3), x.type());
  Tensor tokens = op::allGather(g, own, 2, 0);
  weights = op::permute(g, op::allGather(g, weights, 2, 0), {0, 3, 2, 1});
  // Device (r, c) holds the experts from (r * columns + c) * share on (facts/deepseek 2.1).
  weights = op::meshPartition(g, op::meshPartition(g, weights, 1, 0), 1, 1);
  g.name(config["activations_repeat"].name());
  tokens = op::repeat(g, tokens, *config["activations_repeat"].as<RepeatConfig>().repeat_dims);
  Tensor made = experts::forward(g, tokens, config["moe_experts"]);
  made = op::sum(g, op::mul(g, made, weights, config["mul_experts_output_with_weights"]), 1);
  g.name(config["all_to_all_combine"].name());
  return op::reduceScatter(g, op::reduceScatter(g, made, 2, 0), config["final_output_reduce_scatter"]);
}

} // namespace

Tensor moe::forwardPrefill(Graph &g, const Tensor &x, const Config &config) { return mixture(g, x, config); }
Tensor moe::forwardDecode(Graph &g, const Tensor &x, const Config &config) { return mixture(g, x, config); }
