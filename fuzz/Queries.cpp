//===- Queries.cpp - Ops in any sizes and places --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Queries.h"

#include "OddTypes.h"

#include "tessera/OpModel/OpTable.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tessera::fuzz {
namespace {

// clang-format off: tables of words
constexpr llvm::StringLiteral kTypes[] = {"", "", "", "", "xf32", "xbf16", "xbfp_bf8", "xu32", "xsi32", "xu8"};
constexpr llvm::StringLiteral kPlaces[] = {"dram",   "dram",   "dram/rm",  "l1",       "l1/rm",    "host",
                                           "host/rm", "hs1",   "hs8",      "hs64",     "hs8/rm",   "ws1",
                                           "ws8",    "ws32",   "ws64/rm",  "bs1x1",    "bs8x8",    "bs2x4",
                                           "bs8x8/rm", "wsdram8", "wsdram12", "l1/height_sharded/8x1",
                                           "8x8:l1:block_sharded:tile", "dram/width_sharded/1x12/row_major", "l1/8x8", "sram"};

/// What the formulas read; a name that means nothing to an op does no harm.
constexpr llvm::StringLiteral kIntegers[] = {
    "dim", "dim0", "dim1", "dimension", "num_groups", "groups", "in_channels", "out_channels", "channels", "batch_size",
    "input_height", "input_width", "input_length", "num_heads", "num_kv_heads", "stride", "padding", "dilation",
    "kernel_size", "sliding_window_size", "cluster_axis", "all_gather_dim", "scatter_dim", "k", "repeats",
    "conv2d_config.act_block_h_override", "conv2d_config.act_block_w_div", "scale_h", "num_links"};
constexpr llvm::StringLiteral kLists[] = {"permutation", "padding", "begins", "ends", "step", "stride", "dilation",
                                          "kernel_size", "output_padding", "shape", "dim_arg", "repeat_dims",
                                          "scale_factor", "operandSegmentSizes"};
constexpr llvm::StringLiteral kFlags[] = {
    "transpose_a", "transpose_b", "keep_dim", "ceil_mode", "is_causal", "transpose_key", "numericStable", "use_multicore",
    "compute_config.fp32_dest_acc_en", "compute_config.packer_l1_acc", "conv2d_config.enable_act_double_buffer",
    "conv2d_config.deallocate_activation", "conv2d_config.reshard_if_not_optimal"};
constexpr llvm::StringLiteral kTexts[] = {
    "compute_config.math_fidelity=lofi", "compute_config.math_fidelity=hifi4", "activation=relu", "activation=gelu",
    "conv2d_config.shard_layout=height_sharded", "conv2d_config.shard_layout=block_sharded",
    "conv2d_config.weights_dtype=bfp_bf8", "topology=ring", "topology=linear", "mode=nearest", "mode=bilinear"};
// clang-format on
constexpr llvm::StringLiteral kShards[] = {"height_sharded", "height_sharded", "block_sharded",
                                           "width_sharded",  "interleaved",    "depth_sharded"};
constexpr llvm::StringLiteral kSlices[] = {"height", "height", "width", "depth"};
constexpr llvm::StringLiteral kConfigs[] = {"reuse", "mcast2d", "mcast1d_in0", "mcast1d_in1", "dram_sharded"};

/// Mostly a size that the query already has, so that tensors fit each other.
using Extents = std::vector<int64_t>;

std::string number(Random &random, const Extents &extents) {
  if (random.oneIn(3))
    return std::to_string(int64_t(random.below(8)) - 2);
  return std::to_string(random.oneIn(8) ? oddExtent(random) : random.of(extents));
}

std::string list(Random &random, const Extents &extents) {
  std::vector<std::string> numbers;
  for (size_t n = random.below(6); n != 0; --n)
    numbers.push_back(number(random, extents));
  return "[" + llvm::join(numbers, ",") + "]";
}

std::string tensor(Random &random, const Extents &extents, size_t rank) {
  std::vector<std::string> dims;
  for (size_t d = 0; d != rank; ++d)
    dims.push_back(std::to_string(random.oneIn(3) && d + 2 < rank ? 1 : random.of(extents)));
  std::string shape = dims.empty() ? "scalar" : llvm::join(dims, "x");
  return shape + random.of(kTypes).str() + "@" + random.of(kPlaces).str();
}

std::string attribute(Random &random, const Extents &extents) {
  switch (random.below(4)) {
  case 0:
    return random.of(kTexts).str();
  case 1:
    return random.of(kFlags).str() + (random.oneIn(2) ? "=true" : "=false");
  case 2:
    return random.of(kLists).str() + "=" + list(random, extents);
  default:
    return random.of(kIntegers).str() + "=" + number(random, extents);
  }
}

std::string config(Random &random) {
  auto small = [&] {
    return std::to_string(random.oneIn(8) ? oddExtent(random) : int64_t(random.below(17)));
  };
  if (random.oneIn(3))
    return "conv shard=" + random.of(kShards).str() + " act_block_h=" + small() +
           " slice=" + random.of(kSlices).str() + " slices=" + small();
  return random.of(kConfigs).str() + " grid=" + small() + "x" + small() + " k=" + small() + " m=" + small() +
         " n=" + small() + " sub=" + small() + "x" + small();
}

} // namespace

std::vector<std::string> oddQuery(Random &random) {
  const OpInfo &op = random.of(knownOps());
  Extents extents;
  for (size_t n = 1 + random.below(3); n != 0; --n)
    extents.push_back(oddExtent(random));
  size_t rank = random.below(6), more = std::min(op.maxOperands - op.minOperands, 4u);
  auto anyRank = [&] { return random.oneIn(4) ? random.below(9) : rank; };

  std::vector<std::string> arguments = {op.name.str()};
  if (size_t operands = op.minOperands + random.below(more + 1); operands != 0) {
    arguments.push_back("--in");
    for (std::string same = tensor(random, extents, anyRank()); operands != 0; --operands)
      arguments.push_back(random.oneIn(3) ? same : tensor(random, extents, anyRank()));
  }
  arguments.push_back("--out");
  for (size_t results = std::max(op.results, 1u); results != 0; --results)
    arguments.push_back(arguments.size() > 3 && random.oneIn(2) ? arguments[2]
                                                                : tensor(random, extents, anyRank()));
  if (size_t attributes = random.below(8)) {
    arguments.push_back("--attr");
    while (attributes-- != 0)
      arguments.push_back(attribute(random, extents));
  }
  if (random.oneIn(3))
    arguments.insert(arguments.end(), {"--config", config(random)});
  if (random.oneIn(4))
    arguments.insert(arguments.end(), {"--device", random.oneIn(2) ? "p150" : "galaxy"});
  return arguments;
}

} // namespace tessera::fuzz
