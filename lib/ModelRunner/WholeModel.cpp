//===- WholeModel.cpp - Embedding, head, blocks and the model -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The configs of the parts put together: embedding, blocks of two kinds, the
// last norm and the head. A model config has one block of each kind, whatever
// the number of layers; the state has an entry per layer. The activations
// between blocks are the residual stream: in decode 32 rows whose width is cut
// over the mesh's columns, and every block begins and ends with its layout,
// which is what the reshards are for.
//
//===----------------------------------------------------------------------===//
#include "ModuleParts.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

Dict embeddingConfig(const Target &target, Mode mode) {
  MemoryConfig memory = interleaved(mode);
  Dict config;
  config["embedding"] = toItem(EmbeddingConfig{.weight = weight(target), .memory_config = memory});
  config["typecast"] = toItem(TypecastConfig{
      .dtype = mode == Mode::Prefill ? DataType::BFloat16 : DataType::Float32, .memory_config = memory});
  config["all_gather"] = toItem(allGather(target, -1, 0, memory));
  if (mode == Mode::Prefill) // the sequence goes over the rows of the mesh
    config["reduce_scatter"] = toItem(reduceScatter(2, 0, memory));
  config["output_memory_config"] = toItem(mode == Mode::Prefill ? kDram : residual(target));
  return config;
}

Dict headConfig(const Target &target, Mode mode) {
  MemoryConfig memory = interleaved(mode);
  Dict config;
  config["all_gather"] = toItem(allGather(target, -1, 1, memory));
  config["linear"] = toItem(linear(target, memory));
  if (mode == Mode::Prefill)
    config["max_rows"] = kPrefillRows;
  config["output_memory_config"] = toItem(memory);
  return config;
}

/// A list of one block, or of none if there is no such layer.
template <class Config>
Item blocks(int64_t count, Config config) {
  Sequence list;
  // One config stands for all blocks of a kind: the merge repeats it for each layer (docs/model-runner.md).
  if (count > 0)
    list.items.push_back(config());
  return list;
}

} // namespace

Dict embedding::prefillModelConfig(const Target &target) { return embeddingConfig(target, Mode::Prefill); }
Dict embedding::decodeModelConfig(const Target &target) { return embeddingConfig(target, Mode::Decode); }
Dict lm_head::prefillModelConfig(const Target &target) { return headConfig(target, Mode::Prefill); }
Dict lm_head::decodeModelConfig(const Target &target) { return headConfig(target, Mode::Decode); }

Dict decoder_block::prefillModelConfig(const Target &target, bool moe) {
  Dict config;
  config["mla_norm"] = distributed_rms_norm::prefillModelConfig(target);
  config["mla"] = mla2d::prefillModelConfig(target);
  config["mlp_norm"] = distributed_rms_norm::prefillModelConfig(target);
  Dict both;
  if (moe) {
    both["moe"] = moe::prefillModelConfig(target);
    both["shared_experts"] = mlp::prefillModelConfig(target, target.hf.sharedExpertSize());
  }
  config["mlp"] = moe ? both : mlp::prefillModelConfig(target, target.hf.intermediate_size);
  return config;
}

Dict decoder_block::decodeModelConfig(const Target &target, bool moe) {
  Item back = toItem(reshard(residual(target)));
  Dict config;
  config["mla_norm_reshard"] = back;
  config["mla_norm"] = distributed_rms_norm::decodeModelConfig(target);
  config["mla_reshard"] = back;
  config["mla"] = mla2d::decodeModelConfig(target);
  config["mlp_norm_reshard"] = back;
  config["mlp_norm"] = distributed_rms_norm::decodeModelConfig(target);
  config["mlp_reshard"] = back;
  Dict both;
  if (moe) {
    both["moe"] = moe::decodeModelConfig(target);
    both["shared_experts"] = mlp::decodeModelConfig(target, target.hf.sharedExpertSize());
  }
  config["mlp"] = moe ? both : mlp::decodeModelConfig(target, target.hf.intermediate_size);
  return config;
}

Dict model::prefillModelConfig(const Target &target) {
  auto block = [&](bool moe) { return [&, moe] { return decoder_block::prefillModelConfig(target, moe); }; };
  Dict config;
  config["embedding"] = embedding::prefillModelConfig(target);
  config["mlp_decoder_block"] = blocks(target.hf.denseLayers(), block(false));
  config["moe_decoder_block"] = blocks(target.hf.moeLayers(), block(true));
  config["norm"] = distributed_rms_norm::prefillModelConfig(target);
  config["lm_head"] = lm_head::prefillModelConfig(target);
  return config;
}

Dict model::decodeModelConfig(const Target &target) {
  auto block = [&](bool moe) { return [&, moe] { return decoder_block::decodeModelConfig(target, moe); }; };
  Dict config;
  config["embedding"] = embedding::decodeModelConfig(target);
  config["mlp_decoder_block"] = blocks(target.hf.denseLayers(), block(false));
  config["moe_decoder_block"] = blocks(target.hf.moeLayers(), block(true));
  config["norm_reshard"] = toItem(reshard(residual(target)));
  config["norm"] = distributed_rms_norm::decodeModelConfig(target);
  config["lm_head"] = lm_head::decodeModelConfig(target);
  return config;
}

Dict model::createState(const Target &target, const MeshDevice &device) {
  const HfConfig &hf = target.hf;
  // Users of a mesh row are spread over its columns; each has blocks for its longest sequence.
  int64_t blocksPerDevice = kUsersPerRow / target.columns() * ceilDiv(target.positionsPerUser(), kTile) + 1;
  Dict mla1d, mla, layer;
  mla1d["kvpe_cache"] =
      toItem(KvCacheConfig{.kv_cache_shape = std::vector<int64_t>{blocksPerDevice, 1, kTile, hf.kvpeDim()},
                           .dtype = DataType::BFP_BFloat8});
  mla["mla1d"] = mla1d;
  layer["mla"] = mla;
  Dict state;
  state["mesh_device"] = device;
  // One entry for each layer: the lists' lengths tell the merge how often to repeat the one block of the model config.
  state["mlp_decoder_block"] = Sequence{std::vector<Item>(hf.denseLayers(), Item(layer))};
  state["moe_decoder_block"] = Sequence{std::vector<Item>(hf.moeLayers(), Item(layer))};
  return state;
}
