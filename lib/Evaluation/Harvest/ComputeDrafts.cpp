//===- ComputeDrafts.cpp - Matmuls, elementwise ops and reductions --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Calls of ops that compute, in the shapes that models have (Draw.h). Shares are
// by what is worth asking: matmuls are many, as each shape, type and place may
// have another kernel, and elementwise ops few each, as they share theirs.
//
//===----------------------------------------------------------------------===//
#include "Drafts.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

// ---- Matmul ---------------------------------------------------------------------------------------------

/// Rows, depth and columns of a model's weights.
struct Gemm {
  Extents left;
  int64_t depth, columns;
};

/// Half of them are of decode steps, whose rows are users; half of prompts, whose rows are tokens.
Gemm gemm(Draw &draw) {
  const Transformer &m = draw.chance(70) ? draw.decoder() : draw.encoder();
  int64_t queries = m.heads * m.headSize, fused = queries + 2 * m.keyValueHeads * m.headSize;
  // The matrices of a block: queries, keys and values at once, queries alone, the way out of attention, and the two of
  // the MLP.
  std::pair<int64_t, int64_t> weight = draw.pick<std::pair<int64_t, int64_t>>({{m.hidden, fused},
                                                                               {m.hidden, queries},
                                                                               {queries, m.hidden},
                                                                               {m.hidden, m.inner},
                                                                               {m.inner, m.hidden}});
  auto [depth, columns] = weight;
  if (draw.chance(50))
    return {{1, 1, draw.users(), depth}, depth, columns};
  return {{draw.pick<int64_t>({1, 1, 1, 8}), draw.tokens(), depth}, depth, columns};
}

std::string weightType(Draw &draw) { return draw.pick<const char *>({"bf16", "bf16", "bfp_bf8", "bfp_bf4"}); }

std::string linearOf(Draw &draw, bool mayHaveBias) {
  Gemm g = gemm(draw);
  // As PyTorch keeps the weights of a layer.
  bool transposed = draw.chance(25);
  Extents weight = transposed ? Extents{g.columns, g.depth} : Extents{g.depth, g.columns};
  Extents result = g.left;
  result.back() = g.columns;
  std::string type = draw.chance(85) ? "bf16" : draw.type();
  std::string operands = tensor(g.left, type, "l1") + ", " + tensor(weight, weightType(draw), "dram");
  if (mayHaveBias && draw.chance(70))
    operands += ", " + tensor({g.columns}, "bf16", "dram");
  std::string attributes =
      transposed ? "transpose_a=false transpose_b=true" : "transpose_a=false transpose_b=false";
  if (draw.chance(10))
    attributes += std::string(" activation=") + draw.pick<const char *>({"relu", "gelu", "silu"});
  return call(operands, tensor(result, type, "l1"), attributes);
}

/// Scores of attention, or what they weigh.
std::string batchedMatmul(Draw &draw) {
  // Products of activations, with heads as batches: other kernels than those with weights.
  Extents q = draw.heads(), k = q, scores = q;
  std::swap(k[2], k[3]);
  scores[3] = q[2];
  const char *plain = "transpose_a=false transpose_b=false";
  // Half of them square, as scores of a prompt are.
  if (draw.chance(50))
    return call(tensor(q, "bf16", "l1") + ", " + tensor(k, "bf16", "l1"), tensor(scores, "bf16", "l1"),
                plain);
  return call(tensor(scores, "bf16", "l1") + ", " + tensor(q, "bf16", "l1"), tensor(q, "bf16", "l1"), plain);
}

constexpr DraftedOp kMatmuls[] = {
    {"matmul", 240, [](Draw &draw) { return draw.chance(25) ? batchedMatmul(draw) : linearOf(draw, false); }},
    {"linear", 140, [](Draw &draw) { return linearOf(draw, true); }},
};

// ---- Elementwise ----------------------------------------------------------------------------------------

template <const char *attributes>
std::string unary(Draw &draw) {
  std::string t = tensor(draw.activation(), draw.type(), "l1");
  return call(t, t, attributes);
}

/// Of integers: the library takes bits of no other types.
std::string bitwiseUnary(Draw &draw) {
  std::string t = tensor(draw.activation(), "si32", "l1");
  return call(t, t);
}

/// The other operand's shape: the same, or a broadcast one.
Extents otherShape(Draw &draw, const Extents &shape) {
  Extents other = shape;
  switch (draw.below(8)) {
  case 0: // a row
    std::fill(other.begin(), other.end() - 1, 1);
    return other;
  case 1: // a column
    other.back() = 1;
    return other;
  case 2: // a number
    return Extents(shape.size(), 1);
  default:
    return other;
  }
}

std::string binaryOf(Draw &draw, const std::string &type) {
  Extents shape = draw.activation();
  Extents other = otherShape(draw, shape);
  // What broadcasts is often a bias or a scale, which lies in DRAM as weights do.
  bool small = other != shape && draw.chance(60);
  return call(tensor(shape, type, "l1") + ", " + tensor(other, type, small ? "dram" : "l1"),
              tensor(shape, type, "l1"));
}
std::string binary(Draw &draw) { return binaryOf(draw, draw.type()); }
std::string bitwiseBinary(Draw &draw) { return binaryOf(draw, "si32"); }

std::string where(Draw &draw) {
  Extents shape = draw.activation();
  std::string t = tensor(shape, "bf16", "l1");
  return call(t + ", " + t + ", " + tensor(otherShape(draw, shape), "bf16", "l1"), t);
}

constexpr char kNothing[] = "", kClamp[] = "min=0.0 max=6.0", kSlope[] = "slope=0.01", kSquare[] = "rhs=2.0";

// Few calls of each: they share their kernels, and differ by a function.
constexpr DraftedOp kEltwise[] = {
    {"add", 50, binary},
    {"multiply", 50, binary},
    {"subtract", 20, binary},
    {"divide", 20, binary},
    {"maximum", 12, binary},
    {"minimum", 12, binary},
    {"pow_tensor", 10, binary},
    {"remainder", 10, binary},
    {"atan2", 8, binary},
    {"eq", 10, binary},
    {"ne", 8, binary},
    {"ge", 8, binary},
    {"gt", 10, binary},
    {"le", 8, binary},
    {"lt", 8, binary},
    {"logical_and", 8, binary},
    {"logical_or", 8, binary},
    {"logical_xor", 8, binary},
    {"bitwise_and", 8, bitwiseBinary},
    {"bitwise_or", 8, bitwiseBinary},
    {"where", 30, where},
    {"bitwise_not", 6, bitwiseUnary},
    {"relu", 16, unary<kNothing>},
    {"silu", 16, unary<kNothing>},
    {"gelu", 16, unary<kNothing>},
    {"exp", 16, unary<kNothing>},
    {"sigmoid", 16, unary<kNothing>},
    {"tanh", 12, unary<kNothing>},
    {"rsqrt", 10, unary<kNothing>},
    {"sqrt", 8, unary<kNothing>},
    {"reciprocal", 8, unary<kNothing>},
    {"neg", 8, unary<kNothing>},
    {"abs", 8, unary<kNothing>},
    {"cos", 8, unary<kNothing>},
    {"sin", 8, unary<kNothing>},
    {"log", 8, unary<kNothing>},
    {"log1p", 6, unary<kNothing>},
    {"erf", 6, unary<kNothing>},
    {"mish", 6, unary<kNothing>},
    {"cbrt", 6, unary<kNothing>},
    {"floor", 6, unary<kNothing>},
    {"sign", 6, unary<kNothing>},
    {"expm1", 6, unary<kNothing>},
    {"hardsigmoid", 6, unary<kNothing>},
    {"relu6", 6, unary<kNothing>},
    {"logical_not", 6, unary<kNothing>},
    {"clamp_scalar", 8, unary<kClamp>},
    {"leaky_relu", 8, unary<kSlope>},
    {"pow_scalar", 8, unary<kSquare>},
};

// ---- Norms and reductions -------------------------------------------------------------------------------

/// Half of them square, as scores of a prompt are.
std::string softmax(Draw &draw) {
  Extents shape = draw.chance(70) ? draw.heads() : draw.activation();
  if (draw.chance(50))
    shape.back() = shape[shape.size() - 2];
  std::string t = tensor(shape, draw.chance(80) ? "bf16" : draw.type(), "l1");
  return call(t, t, std::string("dimension=-1 numericStable=") + (draw.chance(50) ? "true" : "false"));
}

/// Scale and bias have one shape, so one text serves for both.
std::string normOf(Draw &draw, bool mayHaveBias) {
  Extents shape = draw.activation();
  std::string type = draw.chance(80) ? "bf16" : draw.type(), scale = tensor({shape.back()}, "bf16", "dram");
  std::string operands = tensor(shape, type, "l1") + ", " + scale;
  if (mayHaveBias && draw.chance(80))
    operands += ", " + scale;
  return call(operands, tensor(shape, type, "l1"), "epsilon=1e-05");
}

std::string reduction(Draw &draw) {
  Extents shape = draw.activation();
  // Rows most often; columns and batches take other kernels.
  size_t dim = draw.chance(60) ? shape.size() - 1 : draw.below(shape.size());
  bool keep = draw.chance(75);
  Extents result = shape;
  if (keep)
    result[dim] = 1;
  else
    result.erase(result.begin() + dim);
  std::string type = draw.type();
  return call(tensor(shape, type, "l1"), tensor(result, type, "l1"),
              llvm::formatv("dim_arg=[{0}] keep_dim={1}", dim, keep ? "true" : "false"));
}

std::string cumsum(Draw &draw) {
  Extents shape = draw.activation();
  std::string t = tensor(shape, draw.pick<const char *>({"bf16", "f32"}), "l1");
  return call(t, t, "dim=" + std::to_string(draw.below(shape.size())));
}

std::string sort(Draw &draw) {
  Extents shape = {draw.pick<int64_t>({1, 32, 64, 256}), draw.pick<int64_t>({32, 64, 128, 1024, 4096})};
  return call(tensor(shape, "bf16", "l1"), tensor(shape, "bf16", "l1") + ", " + tensor(shape, "u16", "l1"),
              std::string("dim=-1 descending=") + (draw.chance(50) ? "true" : "false") + " stable=false");
}

/// Among experts of a router up to the words of Llama 3: the best, two, or a tile of them.
std::string topk(Draw &draw) {
  Extents shape = {1, 1, draw.users(), draw.pick<int64_t>({64, 128, 1024, 8192, 32000, 128256})},
          best = shape;
  best.back() = draw.pick<int64_t>({1, 2, 32});
  return call(tensor(shape, "bf16", "l1"), tensor(best, "bf16", "l1") + ", " + tensor(best, "u16", "l1"),
              "k=" + std::to_string(best.back()) + " dim=-1 largest=true sorted=true");
}

constexpr DraftedOp kReductions[] = {
    {"softmax", 70, softmax},
    {"rms_norm", 70, [](Draw &draw) { return normOf(draw, false); }},
    {"layer_norm", 70, [](Draw &draw) { return normOf(draw, true); }},
    {"sum", 30, reduction},
    {"mean", 30, reduction},
    {"max", 30, reduction},
    {"min", 20, reduction},
    {"cumsum", 12, cumsum},
    {"sort", 20, sort},
    {"topk", 20, topk},
};

} // namespace

llvm::ArrayRef<DraftedOp> matmulDrafts() { return kMatmuls; }
llvm::ArrayRef<DraftedOp> eltwiseDrafts() { return kEltwise; }
llvm::ArrayRef<DraftedOp> reductionDrafts() { return kReductions; }

} // namespace tessera::evaluation
