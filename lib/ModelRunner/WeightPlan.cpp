//===- WeightPlan.cpp - Which tensor files a model needs ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Which tensor files a model has: for each its place in the weight config, the
// matrices of the checkpoint that it is made of, the type and layout that the
// op takes, and how the mesh cuts it. The places follow the model config of
// WholeModel.cpp, key by key, as the merge joins both; the cuts follow
// facts/deepseek 2.1. Layers come in order and ops in a fixed order within
// each, so that the list, the numbers of participants' files and the manifest
// are the same on every run.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/WeightPlan.h"

#include <limits>

using namespace tessera;
using namespace tessera::runner;

namespace {

using enum ShardBy;
using Place = std::vector<std::string>;

Place operator/(Place place, llvm::StringRef key) {
  place.push_back(key.str());
  return place;
}

class Planner {
public:
  explicit Planner(const Target &target) : target(target), hf(target.hf) {}

  std::vector<WeightTensor> plan() {
    addEmbedding();
    for (int64_t layer = 0; layer != hf.num_hidden_layers; ++layer)
      addLayer(layer);
    addNorm({"norm"}, "model.norm");
    addHead();
    return std::move(tensors);
  }

private:
  /// All of a matrix of the checkpoint as ttnn.linear takes it: [in, out].
  WeightTensor &addLinear(Place place, const std::string &source, int64_t in, int64_t out, DataType type) {
    // The checkpoint stores [out, in].
    WeightTensor &tensor = add(std::move(place) / "input_tensor_b", type, in, out);
    tensor.matrices = {{{source + ".weight", 0, out, out}}};
    tensor.transposed = true;
    tensor.rank = 3;
    return tensor;
  }
  WeightTensor &add(Place place, DataType type, int64_t height, int64_t width) {
    WeightTensor &tensor = tensors.emplace_back();
    tensor.place = std::move(place);
    tensor.type = type;
    tensor.height = height;
    tensor.width = width;
    return tensor;
  }
  WeightTensor &addRowMajor(Place place, DataType type, int64_t height, int64_t width) {
    WeightTensor &tensor = add(std::move(place), type, height, width);
    tensor.layout = PageLayout::RowMajor;
    return tensor;
  }
  /// A vector, folded into rows of a tile's width as the norms take it.
  WeightTensor &addVector(Place place, const std::string &source, int64_t length) {
    WeightTensor &tensor =
        addRowMajor(std::move(place) / "weight", DataType::BFloat16, length / kTile, kTile);
    tensor.matrices = {{{source + ".weight", 0, length / kTile, length / kTile, /*isVector=*/true}}};
    return tensor;
  }
  void addConstant(Place place, int64_t count, double value) {
    addRowMajor(std::move(place), DataType::BFloat16, 1, count).constant = value;
  }

  void addEmbedding() {
    WeightTensor &tensor =
        addRowMajor({"embedding", "embedding", "weight"}, DataType::BFloat16, hf.vocab_size, hf.hidden_size);
    tensor.matrices = {{{kEmbedding + ".weight", 0, hf.vocab_size, hf.vocab_size}}};
    tensor.rows = tensor.columns = Width;
    // As published: columns of the mesh are cut first, so that a gather along rows puts neighbours together
    // (facts/deepseek 2.1).
    tensor.columnsFirst = true;
  }
  void addHead() {
    WeightTensor &tensor = addLinear({"lm_head", "linear"}, hf.tieWordEmbeddings ? kEmbedding : "lm_head",
                                     hf.hidden_size, hf.vocab_size, DataType::BFP_BFloat4);
    tensor.rank = 2;
    tensor.columns = Width;
  }
  void addNorm(Place place, const std::string &source) {
    // Folded into rows of a tile, the vector's parts for the columns of the mesh are rows.
    addVector(std::move(place) / "rms_norm_post_all_gather", source, hf.hidden_size).columns = Height;
  }
  /// Dense layers come first, then those with experts; each kind counts from 0 in the config.
  void addLayer(int64_t layer) {
    bool moe = layer >= hf.denseLayers();
    Place block = {moe ? "moe_decoder_block" : "mlp_decoder_block",
                   "[" + std::to_string(moe ? layer - hf.denseLayers() : layer) + "]"};
    std::string source = "model.layers." + std::to_string(layer) + ".";
    addNorm(block / "mla_norm", source + "input_layernorm");
    addAttention(block / "mla" / "mla1d", source + "self_attn.");
    addNorm(block / "mlp_norm", source + "post_attention_layernorm");
    if (!moe)
      return addMlp(block / "mlp", source + "mlp.", hf.intermediate_size);
    addGate(block / "mlp" / "moe" / "moe_gate", source + "mlp.gate");
    addExperts(block / "mlp" / "moe" / "moe_experts", source + "mlp.experts.");
    addMlp(block / "mlp" / "shared_experts", source + "mlp.shared_experts.", hf.sharedExpertSize());
  }
  /// Gate and up are cut along their columns and down along its rows: each chip multiplies what it made, and one sum
  /// over chips ends the block.
  void addMlp(Place place, const std::string &source, int64_t inner) {
    auto add = [&](llvm::StringRef op, const char *projection, int64_t in, int64_t out, ShardBy by) {
      WeightTensor &tensor = addLinear(place / op, source + projection, in, out, DataType::BFP_BFloat4);
      tensor.columns = by;
      int64_t columns = target.columns();
      tensor.memory = dramShardedWeight(by == Height ? in / columns : in, by == Width ? out / columns : out,
                                        target.dramBanks);
    };
    add("w1", "gate_proj", hf.hidden_size, inner, Width);
    add("w2", "down_proj", inner, hf.hidden_size, Height);
    add("w3", "up_proj", hf.hidden_size, inner, Width);
  }
  /// One tensor for each projection of all experts, batch by batch: a chip then has its experts as one piece.
  void addExperts(Place place, const std::string &source) {
    auto add = [&](llvm::StringRef op, const char *projection, int64_t in, int64_t out, DataType type) {
      WeightTensor &tensor = addLinear(place / op, "", in, out, type);
      tensor.matrices.clear();
      for (int64_t expert = 0; expert != hf.n_routed_experts; ++expert)
        tensor.matrices.push_back(
            {{source + std::to_string(expert) + "." + projection + ".weight", 0, out, out}});
      tensor.batch = hf.n_routed_experts;
      tensor.rank = 4;
      // Whole experts over all devices, row by row of the mesh: of 256 on 4x8 devices the first one has experts 0 to 7.
      tensor.rows = tensor.columns = Batch;
    };
    add("w1_experts", "gate_proj", hf.hidden_size, hf.moe_intermediate_size, DataType::BFP_BFloat4);
    add("w2_experts", "down_proj", hf.moe_intermediate_size, hf.hidden_size, DataType::BFP_BFloat4);
    // Published in bfp8 where the other two are bfp4 (facts/deepseek 2.1).
    add("w3_experts", "up_proj", hf.hidden_size, hf.moe_intermediate_size, DataType::BFP_BFloat8);
  }
  void addGate(const Place &place, const std::string &source) {
    addLinear(place / "gate_proj", source, hf.hidden_size, hf.n_routed_experts, DataType::BFloat16).rank = 4;
    WeightTensor &bias = addRowMajor(place / "add_score_correction_bias" / "input_tensor_b",
                                     DataType::Float32, 1, hf.n_routed_experts);
    bias.matrices = {{{source + ".e_score_correction_bias", 0, 1, 1, /*isVector=*/true}}};
    addConstant(place / "multiply_expert_scale" / "input_tensor_b", hf.num_experts_per_tok,
                hf.routed_scaling_factor);
    // What groups that are not chosen keep: no expert of theirs can win.
    addConstant(place / "scatter_top_expert_groups" / "input", hf.n_group,
                -std::numeric_limits<double>::infinity());
    // Ones in the place of the chosen groups: a score times 1 stays.
    addConstant(place / "scatter_top_expert_groups" / "src", hf.topk_group, 1);
  }
  /// The two products that read the hidden state are one matrix, their outputs side by side: queries' latent first,
  /// then keys' and values' with the rotary part (facts/deepseek 2.1).
  void addAttention(const Place &place, const std::string &source) {
    constexpr DataType kType = DataType::BFP_BFloat8;
    int64_t heads = hf.num_attention_heads, latent = hf.kvpeDim();
    WeightTensor &down = addLinear(place / "wq_kv_a", "", hf.hidden_size, hf.q_lora_rank + latent, kType);
    down.matrices = {{{source + "q_a_proj.weight", 0, hf.q_lora_rank, hf.q_lora_rank},
                      {source + "kv_a_proj_with_mqa.weight", 0, latent, latent}}};
    down.columns = Height;
    addVector(place / "q_norm" / "rms_norm", source + "q_a_layernorm", hf.q_lora_rank);
    addVector(place / "kv_norm" / "rms_norm", source + "kv_a_layernorm", hf.kv_lora_rank);
    // Cut by heads, which its columns are.
    addLinear(place / "wq_b", source + "q_b_proj", hf.q_lora_rank, heads * hf.qkHeadDim(), kType).columns =
        Width;
    addHeads(place / "wkv_b1", source, 0, hf.qk_nope_head_dim, /*transposed=*/false).columns = Batch;
    // Not cut: attention has left each device with all heads, in prefill by a gather, in decode of its own users.
    addHeads(place / "wkv_b2", source, hf.qk_nope_head_dim, hf.v_head_dim, /*transposed=*/true);
    addLinear(place / "wo", source + "o_proj", heads * hf.v_head_dim, hf.hidden_size, kType).columns = Width;
  }
  /// Of each head's rows of kv_b_proj, those for the keys or those for the values.
  /// kv_b_proj makes keys and values of the latent, head by head: 128 rows for the keys, then 128 for the values in
  /// published models. Attention on latents multiplies queries by the first half and what comes out by the second,
  /// so they are tensors of their own.
  WeightTensor &addHeads(Place place, const std::string &source, int64_t begin, int64_t count,
                         bool transposed) {
    int64_t height = transposed ? hf.kv_lora_rank : count, width = transposed ? count : hf.kv_lora_rank;
    WeightTensor &tensor = add(std::move(place) / "input_tensor_b", DataType::BFP_BFloat8, height, width);
    int64_t rows = hf.qk_nope_head_dim + hf.v_head_dim; // of a head
    for (int64_t head = 0; head != hf.num_attention_heads; ++head)
      tensor.matrices.push_back(
          {{source + "kv_b_proj.weight", head * rows + begin, count, hf.num_attention_heads * rows}});
    tensor.batch = hf.num_attention_heads;
    tensor.transposed = transposed;
    return tensor;
  }

  const std::string kEmbedding = "model.embed_tokens";
  const Target &target;
  const HfConfig &hf;
  std::vector<WeightTensor> tensors;
};

/// Puts an item where the keys lead; lists grow by one at their end.
Item withItemAt(const Item &tree, llvm::ArrayRef<std::string> place, const Item &item) {
  if (place.empty())
    return item;
  size_t index = 0;
  if (llvm::StringRef(place[0]).drop_front().drop_back().getAsInteger(10, index) || place[0][0] != '[') {
    Dict dict = tree.isNone() ? Dict() : *tree.get<Dict>();
    dict[place[0]] = withItemAt(dict[place[0]], place.drop_front(), item);
    return dict;
  }
  Sequence list = tree.isNone() ? Sequence() : *tree.get<Sequence>();
  list.items.resize(std::max(list.items.size(), index + 1));
  list.items[index] = withItemAt(list.items[index], place.drop_front(), item);
  return list;
}

} // namespace

/// "mlp_decoder_block[0].mlp.w1.input_tensor_b", as the config reads.
std::string WeightTensor::name() const {
  std::string text;
  for (const std::string &key : place)
    text += (text.empty() || key[0] == '[' ? "" : ".") + key;
  return text;
}

/// "mlp_decoder_block_0/mlp/w1.input_tensor_b.tensorbin": a folder per key, and the last key with a dot.
std::string WeightTensor::file() const {
  std::string text;
  for (const std::string &key : place)
    if (key[0] == '[')
      text += "_" + key.substr(1, key.size() - 2);
    else
      text += (text.empty() ? "" : &key == &place.back() ? "." : "/") + key;
  return text + ".tensorbin";
}

/// Row by row of the mesh. A dimension that neither axis cuts is the same on all devices.
std::vector<Shard> runner::shardsOf(const WeightTensor &tensor, GridShape mesh) {
  std::vector<Shard> shards;
  for (int64_t row = 0; row != mesh.rows; ++row)
    for (int64_t column = 0; column != mesh.columns; ++column) {
      Shard shard{0, tensor.batch, 0, tensor.height, 0, tensor.width};
      auto cut = [&](ShardBy by, int64_t parts, int64_t part) {
        int64_t &begin = by == Batch ? shard.batchBegin : by == Height ? shard.rowBegin : shard.columnBegin;
        int64_t &length = by == Batch ? shard.batch : by == Height ? shard.height : shard.width;
        length /= parts; // checkMesh has seen that it divides
        begin += part * length;
      };
      // The same dimension on both axes of the mesh: it is cut over all devices (facts/deepseek 2.1).
      if (tensor.rows == tensor.columns && tensor.rows != Nothing) {
        cut(tensor.rows, mesh.volume(),
            tensor.columnsFirst ? column * mesh.rows + row : row * mesh.columns + column);
      } else {
        if (tensor.rows != Nothing)
          cut(tensor.rows, mesh.rows, row);
        if (tensor.columns != Nothing)
          cut(tensor.columns, mesh.columns, column);
      }
      shards.push_back(shard);
    }
  return shards;
}

/// All shards have one shape, so that of the first says it.
TensorDesc runner::shardDesc(const WeightTensor &tensor, GridShape mesh) {
  Shard shard = shardsOf(tensor, mesh).front();
  TensorDesc desc{Shape(tensor.rank, 1), tensor.type};
  std::tie(desc.shape[tensor.rank - 2], desc.shape[tensor.rank - 1]) = std::pair(shard.height, shard.width);
  if (tensor.rank > 2)
    desc.shape[tensor.rank - 3] = shard.batch;
  return desc;
}

std::vector<WeightTensor> runner::planWeights(const Target &target) { return Planner(target).plan(); }

Item runner::weightConfig(llvm::ArrayRef<WeightTensor> tensors) {
  Item config = Dict();
  for (const WeightTensor &tensor : tensors)
    config = withItemAt(config, tensor.place, SavedWeight{tensor.file(), toItem(tensor.memory)});
  return config;
}
