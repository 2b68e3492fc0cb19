//===- Reference.h - DeepSeek-V3 in plain loops ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What the model's modules are compared with: the formulas of facts/deepseek 4.2,
// row by row in fp32 with sums in double, and none of the code of the forward
// functions. It is checked itself against what PyTorch computes
// (scripts/model-vectors).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_MODELGRAPH_REFERENCE_H
#define TESSERA_UNITTESTS_MODELGRAPH_REFERENCE_H

#include "tessera/ModelRunner/HfConfig.h"

#include <functional>
#include <map>
#include <set>

namespace tessera::runner {

using Row = std::vector<float>;
using Rows = std::vector<Row>;

class Reference {
public:
  /// Elements of a tensor of the checkpoint, so many of them.
  using Weights = std::function<Row(const std::string &name, int64_t count)>;
  Reference(HfConfig hf, Weights weights) : hf(std::move(hf)), weights(std::move(weights)) {}

  Row norm(const Row &x, const std::string &name) const;
  /// x times the transposed matrix, as checkpoints hold them.
  Row linear(const Row &x, const std::string &name, int64_t out) const;
  Row mlp(const Row &x, const std::string &prefix, int64_t inner) const;
  struct Choice {
    std::vector<int64_t> experts; ///< ascending
    Row shares;
  };
  Choice gate(const Row &x, const std::string &prefix) const;
  /// Without the shared experts.
  Row routed(const Row &x, const std::string &prefix) const;
  Row moe(const Row &x, const std::string &prefix) const;

  /// What the cache keeps of a token.
  struct Latent {
    Row kv, pe;
  };
  Latent latent(const Row &x, const std::string &prefix, int64_t position) const;
  /// Causal, of rows at positions 0, 1, ...; keys and values of each head are made from the latents.
  Rows attention(const Rows &x, const std::string &prefix) const;
  /// The same with queries brought to the latents instead.
  Rows absorbedAttention(const Rows &x, const std::string &prefix) const;

  Rows block(const Rows &x, int64_t layer) const;
  Row embed(int64_t id) const;
  Row head(const Row &x) const;
  /// Of all tokens.
  Rows logits(const std::vector<int64_t> &ids) const;

  const HfConfig &config() const { return hf; }

private:
  const Row &tensor(const std::string &name, int64_t count) const;
  Row rotated(const Row &x, int64_t position) const;
  double scale() const;
  /// Of each head: the queries' part without and with position.
  std::vector<Latent> queries(const Row &x, const std::string &prefix, int64_t position) const;

  HfConfig hf;
  Weights weights;
  mutable std::map<std::string, Row> read;
};

/// The weights that scripts/model-vectors computes with.
Row namedWeights(const std::string &name, int64_t rows, int64_t columns);

/// Pearson's correlation of all elements.
double correlation(const std::vector<float> &a, const std::vector<float> &b);
std::vector<float> flat(const Rows &rows);

} // namespace tessera::runner

#endif // TESSERA_UNITTESTS_MODELGRAPH_REFERENCE_H
