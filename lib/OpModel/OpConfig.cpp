//===- OpConfig.cpp - How an op is asked to run ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A hash sees what the comparison sees, and nothing else, or equal configurations would be asked about twice. Texts are
// for people: they leave out what a kind has no use for.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpConfig.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera {

llvm::hash_code hash_value(const MatmulProgramConfig &c) {
  return llvm::hash_combine(llvm::hash_combine(c.kind, c.grid, c.in0BlockW, c.outSubblockH, c.outSubblockW,
                                               c.outBlockH, c.outBlockW),
                            llvm::hash_combine(c.perCoreM, c.perCoreN, c.transposeMcast, c.fuseBatch,
                                               c.mcastIn0, llvm::StringRef(c.fusedActivation)));
}

llvm::hash_code hash_value(const Conv2dConfig &c) {
  // -1 is no value of the enumeration or of a flag, so that "not said" hashes apart from all that may be said.
  return llvm::hash_combine(c.shardLayout ? int(*c.shardLayout) : -1, c.actBlockHOverride,
                            c.deallocateActivation, c.reshardIfNotOptimal ? int(*c.reshardIfNotOptimal) : -1,
                            c.slice, c.numSlices);
}

llvm::hash_code hash_value(const AttentionConfig &c) {
  return llvm::hash_combine(c.grid, c.queryChunk, c.keyChunk);
}

llvm::hash_code hash_value(const OpConfig &config) {
  llvm::hash_code hash = llvm::hash_combine_range(config.outputs.begin(), config.outputs.end());
  // The number tells the kinds apart; ops without a config of their own, which are most, take the shortest way.
  if (const auto *matmul = std::get_if<MatmulProgramConfig>(&config.specific))
    return llvm::hash_combine(hash, 1, *matmul);
  if (const auto *conv = std::get_if<Conv2dConfig>(&config.specific))
    return llvm::hash_combine(hash, 2, *conv);
  if (const auto *attention = std::get_if<AttentionConfig>(&config.specific))
    return llvm::hash_combine(hash, 3, *attention);
  return hash;
}

namespace {

std::string describeMatmul(const MatmulProgramConfig &c) {
  using Kind = MatmulProgramConfig::Kind;
  llvm::StringRef kind = c.kind == Kind::Reuse                  ? "reuse"
                         : c.kind == Kind::MultiCast2D          ? "mcast_2d"
                         : c.kind == Kind::MultiCastDramSharded ? "dram_sharded"
                         : c.mcastIn0                           ? "mcast_1d in0"
                                                                : "mcast_1d in1";
  std::string grid;
  // This kind has no use for a grid, whatever the field holds.
  if (c.kind != Kind::MultiCastDramSharded)
    grid = llvm::formatv(" grid {0}x{1}", c.grid.x, c.grid.y).str();
  // Other kinds have no out block, whatever the fields hold.
  bool blocked = c.kind == Kind::MultiCast1D || c.kind == Kind::MultiCast2D;
  std::string parts;
  if (blocked && (c.outBlockH != c.perCoreM || c.outBlockW != c.perCoreN))
    parts = llvm::formatv(" in {0}x{1}", c.outBlockH, c.outBlockW).str();
  std::string activation = c.fusedActivation.empty() ? "" : " + " + c.fusedActivation;
  return llvm::formatv("{0}{1} block {2} per-core {3}x{4}{5}{6}", kind, grid, c.in0BlockW, c.perCoreM,
                       c.perCoreN, parts, activation)
      .str();
}

std::string describeConv2d(const Conv2dConfig &c) {
  std::string text;
  // What is as the backend has it by default is left out.
  auto add = [&](const std::string &part) { text += (text.empty() ? "" : " ") + part; };
  if (c.shardLayout)
    add(name(*c.shardLayout).str());
  if (c.actBlockHOverride)
    add(llvm::formatv("act_block_h {0}", c.actBlockHOverride).str());
  if (c.reshardIfNotOptimal)
    add(*c.reshardIfNotOptimal ? "reshard_if_not_optimal" : "reshard_if_not_optimal false");
  if (c.slice == Conv2dConfig::Slice::DramHeight || c.slice == Conv2dConfig::Slice::DramWidth)
    add(llvm::formatv("{0} slices {1}",
                      c.slice == Conv2dConfig::Slice::DramHeight ? "dram_height" : "dram_width", c.numSlices)
            .str());
  if (c.deallocateActivation)
    add("deallocate_activation");
  return text;
}

} // namespace

std::string describe(const OpSpecificConfig &config) {
  if (const auto *matmul = std::get_if<MatmulProgramConfig>(&config))
    return describeMatmul(*matmul);
  if (const auto *conv = std::get_if<Conv2dConfig>(&config))
    return describeConv2d(*conv);
  if (const auto *attention = std::get_if<AttentionConfig>(&config))
    return llvm::formatv("chunks {0} x {1}", attention->queryChunk, attention->keyChunk).str();
  return "";
}

} // namespace tessera
