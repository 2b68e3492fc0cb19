//===- Reference.cpp - DeepSeek-V3 in plain loops -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tessera;
using namespace tessera::runner;

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Row sum(const Row &a, const Row &b) {
  Row result(a);
  for (size_t i = 0; i != a.size(); ++i)
    result[i] += b[i];
  return result;
}

Row part(const Row &x, int64_t begin, int64_t count) {
  return Row(x.begin() + begin, x.begin() + begin + count);
}

double dot(const float *a, const float *b, int64_t count) {
  double total = 0;
  for (int64_t i = 0; i != count; ++i)
    total += double(a[i]) * b[i];
  return total;
}

/// Indices of the k largest, the first of equal ones.
std::vector<int64_t> largest(const std::vector<double> &values, int64_t k) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  order.resize(size_t(k));
  return order;
}

void softmax(std::vector<double> &scores) {
  double most = *std::max_element(scores.begin(), scores.end()), total = 0;
  for (double &score : scores)
    total += score = std::exp(score - most);
  for (double &score : scores)
    score /= total;
}

} // namespace

const Row &Reference::tensor(const std::string &name, int64_t count) const {
  auto [found, isNew] = read.try_emplace(name);
  if (isNew)
    found->second = weights(name, count);
  return found->second;
}

Row Reference::norm(const Row &x, const std::string &name) const {
  const Row &weight = tensor(name + ".weight", int64_t(x.size()));
  double factor =
      1 / std::sqrt(dot(x.data(), x.data(), int64_t(x.size())) / double(x.size()) + hf.rms_norm_eps);
  Row result(x);
  for (size_t i = 0; i != x.size(); ++i)
    result[i] = float(x[i] * factor) * weight[i];
  return result;
}

Row Reference::linear(const Row &x, const std::string &name, int64_t out) const {
  auto in = int64_t(x.size());
  const Row &weight = tensor(name + ".weight", out * in);
  Row result(static_cast<size_t>(out));
  for (int64_t i = 0; i != out; ++i)
    result[size_t(i)] = float(dot(x.data(), weight.data() + i * in, in));
  return result;
}

// ---- Feed-forward ----------------------------------------------------------------------------------------

Row Reference::mlp(const Row &x, const std::string &prefix, int64_t inner) const {
  Row gate = linear(x, prefix + ".gate_proj", inner), up = linear(x, prefix + ".up_proj", inner);
  for (size_t i = 0; i != gate.size(); ++i)
    gate[i] = float(gate[i] * sigmoid(gate[i]) * up[i]);
  return linear(gate, prefix + ".down_proj", hf.hidden_size);
}

Reference::Choice Reference::gate(const Row &x, const std::string &prefix) const {
  Row raw = linear(x, prefix + ".gate", hf.n_routed_experts);
  const Row &bias = tensor(prefix + ".gate.e_score_correction_bias", hf.n_routed_experts);
  std::vector<double> scores, choice, groups;
  for (size_t i = 0; i != raw.size(); ++i) {
    scores.push_back(sigmoid(raw[i]));
    choice.push_back(scores.back() + bias[i]);
  }
  int64_t size = hf.n_routed_experts / hf.n_group;
  for (int64_t group = 0; group != hf.n_group; ++group) {
    std::vector<double> members(choice.begin() + group * size, choice.begin() + (group + 1) * size);
    std::vector<int64_t> best = largest(members, 2);
    groups.push_back(members[size_t(best[0])] + members[size_t(best[1])]);
  }
  std::vector<int64_t> kept = largest(groups, hf.topk_group);
  for (int64_t i = 0; i != hf.n_routed_experts; ++i)
    if (std::find(kept.begin(), kept.end(), i / size) == kept.end())
      choice[size_t(i)] = -INFINITY;
  Choice result{largest(choice, hf.num_experts_per_tok), {}};
  std::sort(result.experts.begin(), result.experts.end());
  double total = 1e-20;
  for (int64_t expert : result.experts)
    total += scores[size_t(expert)];
  for (int64_t expert : result.experts)
    result.shares.push_back(float(scores[size_t(expert)] / total * hf.routed_scaling_factor));
  return result;
}

Row Reference::routed(const Row &x, const std::string &prefix) const {
  Choice choice = gate(x, prefix);
  Row result(static_cast<size_t>(hf.hidden_size));
  for (size_t i = 0; i != choice.experts.size(); ++i) {
    Row made = mlp(x, prefix + ".experts." + std::to_string(choice.experts[i]), hf.moe_intermediate_size);
    for (size_t j = 0; j != made.size(); ++j)
      result[j] += choice.shares[i] * made[j];
  }
  return result;
}

Row Reference::moe(const Row &x, const std::string &prefix) const {
  return sum(routed(x, prefix), mlp(x, prefix + ".shared_experts", hf.sharedExpertSize()));
}

// ---- Attention -------------------------------------------------------------------------------------------

Row Reference::rotated(const Row &x, int64_t position) const {
  const RopeScaling &rope = hf.rope_scaling;
  double width = double(x.size());
  auto correction = [&](double rotations) {
    return width * std::log(double(rope.original_max_position_embeddings) / (2 * M_PI * rotations)) /
           (2 * std::log(hf.rope_theta));
  };
  double low = std::max(0.0, std::floor(correction(rope.beta_fast)));
  double high = std::min(width - 1, std::ceil(correction(rope.beta_slow)));
  Row result(x);
  for (size_t i = 0; i != x.size() / 2; ++i) {
    double extra = std::pow(hf.rope_theta, -2.0 * double(i) / width), inter = extra / rope.factor;
    double ramp = std::min(1.0, std::max(0.0, (double(i) - low) / std::max(high - low, 0.001)));
    double angle = double(position) * (inter * ramp + extra * (1 - ramp));
    result[2 * i] = float(x[2 * i] * std::cos(angle) - x[2 * i + 1] * std::sin(angle));
    result[2 * i + 1] = float(x[2 * i] * std::sin(angle) + x[2 * i + 1] * std::cos(angle));
  }
  return result;
}

double Reference::scale() const {
  double m = 0.1 * hf.rope_scaling.mscale_all_dim * std::log(hf.rope_scaling.factor) + 1;
  return m * m / std::sqrt(double(hf.qk_nope_head_dim + hf.qk_rope_head_dim));
}

Reference::Latent Reference::latent(const Row &x, const std::string &prefix, int64_t position) const {
  Row both = linear(x, prefix + ".kv_a_proj_with_mqa", hf.kv_lora_rank + hf.qk_rope_head_dim);
  return {norm(part(both, 0, hf.kv_lora_rank), prefix + ".kv_a_layernorm"),
          rotated(part(both, hf.kv_lora_rank, hf.qk_rope_head_dim), position)};
}

std::vector<Reference::Latent> Reference::queries(const Row &x, const std::string &prefix,
                                                  int64_t position) const {
  int64_t width = hf.qk_nope_head_dim + hf.qk_rope_head_dim;
  Row low = norm(linear(x, prefix + ".q_a_proj", hf.q_lora_rank), prefix + ".q_a_layernorm");
  Row all = linear(low, prefix + ".q_b_proj", hf.num_attention_heads * width);
  std::vector<Latent> heads;
  for (int64_t head = 0; head != hf.num_attention_heads; ++head)
    heads.push_back({part(all, head * width, hf.qk_nope_head_dim),
                     rotated(part(all, head * width + hf.qk_nope_head_dim, hf.qk_rope_head_dim), position)});
  return heads;
}

Rows Reference::attention(const Rows &x, const std::string &prefix) const {
  int64_t nope = hf.qk_nope_head_dim, values = hf.v_head_dim, heads = hf.num_attention_heads;
  std::vector<Latent> latents;
  Rows made; // of each position: all heads' keys and values
  for (size_t t = 0; t != x.size(); ++t) {
    latents.push_back(latent(x[t], prefix, int64_t(t)));
    made.push_back(linear(latents.back().kv, prefix + ".kv_b_proj", heads * (nope + values)));
  }
  Rows result;
  for (size_t s = 0; s != x.size(); ++s) {
    std::vector<Latent> query = queries(x[s], prefix, int64_t(s));
    Row joined;
    for (int64_t head = 0; head != heads; ++head) {
      int64_t at = head * (nope + values);
      std::vector<double> scores;
      for (size_t t = 0; t <= s; ++t)
        scores.push_back(scale() *
                         (dot(query[size_t(head)].kv.data(), made[t].data() + at, nope) +
                          dot(query[size_t(head)].pe.data(), latents[t].pe.data(), hf.qk_rope_head_dim)));
      softmax(scores);
      for (int64_t i = 0; i != values; ++i) {
        double value = 0;
        for (size_t t = 0; t <= s; ++t)
          value += scores[t] * made[t][size_t(at + nope + i)];
        joined.push_back(float(value));
      }
    }
    result.push_back(linear(joined, prefix + ".o_proj", hf.hidden_size));
  }
  return result;
}

Rows Reference::absorbedAttention(const Rows &x, const std::string &prefix) const {
  int64_t nope = hf.qk_nope_head_dim, values = hf.v_head_dim, rank = hf.kv_lora_rank;
  const Row &up = tensor(prefix + ".kv_b_proj.weight", hf.num_attention_heads * (nope + values) * rank);
  std::vector<Latent> latents;
  for (size_t t = 0; t != x.size(); ++t)
    latents.push_back(latent(x[t], prefix, int64_t(t)));
  Rows result;
  for (size_t s = 0; s != x.size(); ++s) {
    std::vector<Latent> query = queries(x[s], prefix, int64_t(s));
    Row joined;
    for (int64_t head = 0; head != hf.num_attention_heads; ++head) {
      const float *rows = up.data() + head * (nope + values) * rank;
      Row absorbed(static_cast<size_t>(rank));
      for (int64_t i = 0; i != nope; ++i)
        for (int64_t j = 0; j != rank; ++j)
          absorbed[size_t(j)] += query[size_t(head)].kv[size_t(i)] * rows[i * rank + j];
      std::vector<double> scores;
      for (size_t t = 0; t <= s; ++t)
        scores.push_back(scale() *
                         (dot(absorbed.data(), latents[t].kv.data(), rank) +
                          dot(query[size_t(head)].pe.data(), latents[t].pe.data(), hf.qk_rope_head_dim)));
      softmax(scores);
      Row mixed(static_cast<size_t>(rank));
      for (size_t t = 0; t <= s; ++t)
        for (int64_t j = 0; j != rank; ++j)
          mixed[size_t(j)] += float(scores[t] * latents[t].kv[size_t(j)]);
      for (int64_t i = 0; i != values; ++i)
        joined.push_back(float(dot(mixed.data(), rows + (nope + i) * rank, rank)));
    }
    result.push_back(linear(joined, prefix + ".o_proj", hf.hidden_size));
  }
  return result;
}

// ---- The model -------------------------------------------------------------------------------------------

Rows Reference::block(const Rows &x, int64_t layer) const {
  std::string prefix = "model.layers." + std::to_string(layer);
  Rows normed;
  for (const Row &row : x)
    normed.push_back(norm(row, prefix + ".input_layernorm"));
  Rows result = attention(normed, prefix + ".self_attn");
  for (size_t i = 0; i != x.size(); ++i) {
    result[i] = sum(x[i], result[i]);
    Row between = norm(result[i], prefix + ".post_attention_layernorm");
    result[i] =
        sum(result[i], layer < hf.first_k_dense_replace ? mlp(between, prefix + ".mlp", hf.intermediate_size)
                                                        : moe(between, prefix + ".mlp"));
  }
  return result;
}

Row Reference::embed(int64_t id) const {
  return part(tensor("model.embed_tokens.weight", hf.vocab_size * hf.hidden_size), id * hf.hidden_size,
              hf.hidden_size);
}

Row Reference::head(const Row &x) const {
  return linear(x, hf.tieWordEmbeddings ? "model.embed_tokens" : "lm_head", hf.vocab_size);
}

Rows Reference::logits(const std::vector<int64_t> &ids) const {
  Rows x;
  for (int64_t id : ids)
    x.push_back(embed(id));
  for (int64_t layer = 0; layer != hf.num_hidden_layers; ++layer)
    x = block(x, layer);
  for (Row &row : x)
    row = head(norm(row, "model.norm"));
  return x;
}

// ---- Comparing -------------------------------------------------------------------------------------------

Row runner::namedWeights(const std::string &name, int64_t rows, int64_t columns) {
  uint64_t key = 0;
  for (char letter : name)
    key = (key * 31 + uint64_t(uint8_t(letter))) % 65521;
  Row values;
  for (int64_t i = 1; i <= rows * columns; ++i) {
    uint64_t bits = (uint64_t(i) * 2654435761U + key * 40503) & 0xffffffff;
    bits = ((bits ^ bits >> 15) * 73244475) & 0xffffffff;
    double value = double((bits ^ bits >> 16) % 4096) / 4096 - 0.5;
    bool isNorm = name.find("norm") != std::string::npos;
    values.push_back(float(isNorm     ? 1 + 0.2 * value
                           : rows > 1 ? value * 4 / std::sqrt(double(columns))
                                      : value));
  }
  return values;
}

double runner::correlation(const std::vector<float> &a, const std::vector<float> &b) {
  double meanA = std::accumulate(a.begin(), a.end(), 0.0) / double(a.size());
  double meanB = std::accumulate(b.begin(), b.end(), 0.0) / double(b.size());
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i != a.size(); ++i) {
    ab += (a[i] - meanA) * (b[i] - meanB);
    aa += (a[i] - meanA) * (a[i] - meanA);
    bb += (b[i] - meanB) * (b[i] - meanB);
  }
  return ab / std::sqrt(aa * bb);
}

std::vector<float> runner::flat(const Rows &rows) {
  std::vector<float> all;
  for (const Row &row : rows)
    all.insert(all.end(), row.begin(), row.end());
  return all;
}
