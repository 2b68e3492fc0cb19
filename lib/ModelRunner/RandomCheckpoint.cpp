//===- RandomCheckpoint.cpp - Checkpoints of any size for tests -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/RandomCheckpoint.h"

#include "tessera/Layout/BlockFloat.h"
#include "tessera/ModelRunner/Checkpoint.h"
#include "tessera/Support/AtomicFile.h"
#include "tessera/Support/Json.h"

#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

// ---- Which tensors there are -----------------------------------------------------------------------------

struct RandomTensor {
  std::string name;
  SourceType type;
  int64_t rows, columns; ///< rows 0: a vector
  double mean, deviation;
};

/// With Spread::Even deviations follow from widths such that what flows has a mean square of 1, as behind a norm, and
/// such that attention and MLP of every layer add about as much to the residual stream as the embedding put there.
/// Those of Spread::Trained are of trained weights; random ones that small add less than 1 % per layer, and any layer
/// could be another's without a token changing.
class TensorNames {
public:
  TensorNames(const HfConfig &hf, Spread spread) : hf(hf), even(spread == Spread::Even) {
    add("model.embed_tokens.weight", SourceType::BF16, hf.vocab_size, hf.hidden_size, {stream(), .02});
    for (int64_t layer = 0; layer != hf.num_hidden_layers; ++layer)
      addLayer("model.layers." + std::to_string(layer) + ".", layer >= hf.denseLayers());
    addNorm("model.norm.weight", hf.hidden_size, 1, 1e-4);
    if (!hf.tieWordEmbeddings)
      add("lm_head.weight", SourceType::BF16, hf.vocab_size, hf.hidden_size,
          {kLogits * unit(hf.hidden_size), .02});
  }
  std::vector<RandomTensor> tensors;

private:
  /// Of logits: the likeliest of 512 tokens then stands out.
  static constexpr double kLogits = 3;
  struct Deviation {
    double even, trained;
  };

  /// Of a matrix with so many columns: a row of mean square 1 becomes another one.
  static double unit(int64_t columns) { return 1 / std::sqrt(double(columns)); }
  /// Of the residual stream in front of the first layer. A tied embedding is the head, too, which its deviation must
  /// suit.
  double stream() const { return hf.tieWordEmbeddings ? kLogits * unit(hf.hidden_size) : 1; }

  void add(std::string name, SourceType type, int64_t rows, int64_t columns, Deviation deviation) {
    tensors.push_back({std::move(name), type, rows, columns, 0, even ? deviation.even : deviation.trained});
  }
  /// `gain`: how much larger rows come out than they go in.
  void addProjection(std::string name, int64_t rows, int64_t columns, double trained, double gain = 1) {
    add(std::move(name) + ".weight", SourceType::F8_E4M3, rows, columns, {gain * unit(columns), trained});
  }
  /// Mean and deviation of trained ones.
  void addNorm(std::string name, int64_t length, double mean, double deviation) {
    tensors.push_back(
        {std::move(name), SourceType::BF16, 0, length, even ? 1 : mean, even ? 0.1 : deviation});
  }
  /// Deviations of trained gate, up and down. silu(gate) * up has a root mean square of 0.6 for normal numbers.
  void addMlp(const std::string &prefix, int64_t inner, double gate, double up, double down, double share) {
    addProjection(prefix + "gate_proj", inner, hf.hidden_size, gate);
    addProjection(prefix + "up_proj", inner, hf.hidden_size, up);
    addProjection(prefix + "down_proj", hf.hidden_size, inner, down, share * stream() / 0.6);
  }
  void addLayer(const std::string &prefix, bool moe) {
    addNorm(prefix + "input_layernorm.weight", hf.hidden_size, 1, 1e-4);
    std::string attention = prefix + "self_attn.";
    int64_t heads = hf.num_attention_heads;
    addProjection(attention + "q_a_proj", hf.q_lora_rank, hf.hidden_size, .0187);
    addNorm(attention + "q_a_layernorm.weight", hf.q_lora_rank, .444, .083);
    // Scores far enough apart that positions do not all count alike.
    addProjection(attention + "q_b_proj", heads * hf.qkHeadDim(), hf.q_lora_rank, .0085, 1.5);
    addProjection(attention + "kv_a_proj_with_mqa", hf.kvpeDim(), hf.hidden_size, .0390);
    addNorm(attention + "kv_a_layernorm.weight", hf.kv_lora_rank, .007, .0076);
    addProjection(attention + "kv_b_proj", heads * (hf.qk_nope_head_dim + hf.v_head_dim), hf.kv_lora_rank,
                  .0049);
    // A mean over positions is smaller than what it is of.
    addProjection(attention + "o_proj", hf.hidden_size, heads * hf.v_head_dim, .0059, 1.5 * stream());
    addNorm(prefix + "post_attention_layernorm.weight", hf.hidden_size, 1, 1e-4);
    if (!moe)
      return addMlp(prefix + "mlp.", hf.intermediate_size, .0035, .0035, .0055, 1);
    add(prefix + "mlp.gate.weight", SourceType::BF16, hf.n_routed_experts, hf.hidden_size,
        {unit(hf.hidden_size), .0068});
    add(prefix + "mlp.gate.e_score_correction_bias", SourceType::F32, 0, hf.n_routed_experts, {.01, .01});
    // Chosen experts have equal shares of the scaling factor, nearly; with the shared experts they make 1.
    double share = std::sqrt(double(hf.num_experts_per_tok) / 2) / hf.routed_scaling_factor;
    for (int64_t expert = 0; expert != hf.n_routed_experts; ++expert)
      addMlp(prefix + "mlp.experts." + std::to_string(expert) + ".", hf.moe_intermediate_size, .0036, .0035,
             .0056, share);
    addMlp(prefix + "mlp.shared_experts.", hf.sharedExpertSize(), .0040, .0038, .0060, std::sqrt(0.5));
  }

  const HfConfig &hf;
  bool even;
};

// ---- Values ----------------------------------------------------------------------------------------------

/// splitmix64 at a place of its sequence, so that any element can be made by itself.
uint64_t randomBits(uint64_t key, uint64_t index) {
  uint64_t bits = key + (index + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

/// Nearly normal, exact on any machine: a sum of four uniform numbers of variance 1/12 each, minus their mean.
float randomNormal(uint64_t bits) {
  int32_t sum = 0;
  for (int i = 0; i != 4; ++i)
    sum += int32_t(bits >> (16 * i) & 0xffff);
  // 1.7320508 is the root of 3: four numbers of variance 1/12 make a third, and the result shall have variance 1.
  return float(sum - 2 * 0xffff) * float(1.7320508 / 65536);
}

class TensorBytes {
public:
  TensorBytes(const RandomTensor &tensor, const HfConfig &hf, uint64_t seed)
      : tensor(tensor), hf(hf), key(randomBits(seed, llvm::xxh3_64bits(tensor.name))),
        rows(std::max<int64_t>(tensor.rows, 1)), scaleColumns(ceilDiv(tensor.columns, hf.blockColumns)) {}

  void write(llvm::raw_ostream &os) {
    if (tensor.type == SourceType::F8_E4M3)
      return writeBlocks(&os);
    for (int64_t i = 0; i != rows * tensor.columns; ++i)
      if (tensor.type == SourceType::BF16)
        llvm::support::endian::write<uint16_t>(os, toBFloat16(at(i)), llvm::endianness::little);
      else
        llvm::support::endian::write<uint32_t>(os, std::bit_cast<uint32_t>(at(i)), llvm::endianness::little);
  }
  void writeScales(llvm::raw_ostream &os) {
    // The numbers are made a second time: their scales are a tensor of their own, which may be in another file.
    writeBlocks(nullptr);
    for (float scale : scales)
      llvm::support::endian::write<uint32_t>(os, std::bit_cast<uint32_t>(scale), llvm::endianness::little);
  }

private:
  float at(int64_t index) const {
    return float(tensor.mean) + float(tensor.deviation) * randomNormal(randomBits(key, index));
  }

  /// A row of blocks at a time: first the scales, then, if there is where to, the numbers.
  void writeBlocks(llvm::raw_ostream *os) {
    for (int64_t begin = 0; begin < rows; begin += hf.blockRows) {
      int64_t end = std::min(begin + hf.blockRows, rows);
      std::vector<float> numbers((end - begin) * tensor.columns), largest(scaleColumns);
      for (size_t i = 0; i != numbers.size(); ++i) {
        numbers[i] = at(begin * tensor.columns + i);
        float &most = largest[i % tensor.columns / hf.blockColumns];
        most = std::max(most, std::fabs(numbers[i]));
      }
      for (float &most : largest)
        // 448 is the largest number of e4m3: each block uses the format's whole range (facts/deepseek 4.3).
        scales.push_back(most = most > 0 ? most / 448 : 1);
      std::vector<char> bytes(os ? numbers.size() : 0);
      for (size_t i = 0; i != bytes.size(); ++i)
        bytes[i] = char(toFloat8(numbers[i] / largest[i % tensor.columns / hf.blockColumns]));
      if (os)
        os->write(bytes.data(), bytes.size());
    }
  }

  const RandomTensor &tensor;
  const HfConfig &hf;
  uint64_t key;
  int64_t rows, scaleColumns;
  std::vector<float> scales;
};

// ---- Files -----------------------------------------------------------------------------------------------

/// A tensor as it stands in a file: with its scales, if it has any, as another one.
struct Stored {
  const RandomTensor *tensor;
  bool scales;
  std::string name() const { return tensor->name + (scales ? "_scale_inv" : ""); }
  std::vector<int64_t> shape(const HfConfig &hf) const {
    if (scales)
      return {ceilDiv(tensor->rows, hf.blockRows), ceilDiv(tensor->columns, hf.blockColumns)};
    return tensor->rows ? std::vector<int64_t>{tensor->rows, tensor->columns}
                        : std::vector<int64_t>{tensor->columns};
  }
  SourceType type() const { return scales ? SourceType::F32 : tensor->type; }
  uint64_t bytes(const HfConfig &hf) const {
    uint64_t bytes = bytesOf(type());
    for (int64_t extent : shape(hf))
      bytes *= extent;
    return bytes;
  }
};

std::string headerText(llvm::ArrayRef<Stored> stored, const HfConfig &hf) {
  json::Object header;
  uint64_t offset = 0;
  for (const Stored &each : stored) {
    uint64_t end = offset + each.bytes(hf);
    header[each.name()] = json::Object{{"dtype", name(each.type())},
                                       {"shape", json::Array(each.shape(hf))},
                                       {"data_offsets", json::Array{int64_t(offset), int64_t(end)}}};
    offset = end;
  }
  std::string text = llvm::formatv("{0}", json::Value(std::move(header)));
  // Blanks behind the JSON, so that the data begins at a multiple of 8 bytes.
  text.resize(alignUp(int64_t(text.size()), 8), ' ');
  return text;
}

/// Straight to the file, tensor by tensor: no more than a row of blocks is in memory, so that a checkpoint of any size
/// can be made.
llvm::Error writeShard(const std::string &path, llvm::ArrayRef<Stored> stored, const HfConfig &hf,
                       uint64_t seed) {
  return writeFileAtomically(path, [&](llvm::raw_ostream &os) {
    std::string header = headerText(stored, hf);
    llvm::support::endian::write<uint64_t>(os, header.size(), llvm::endianness::little);
    os << header;
    for (const Stored &each : stored) {
      TensorBytes bytes(*each.tensor, hf, seed);
      each.scales ? bytes.writeScales(os) : bytes.write(os);
    }
  });
}

/// Consecutive tensors, as many as fit a file.
std::vector<std::vector<Stored>> cut(llvm::ArrayRef<RandomTensor> tensors, const HfConfig &hf,
                                     uint64_t most) {
  std::vector<std::vector<Stored>> files(1);
  uint64_t bytes = 0;
  for (const RandomTensor &tensor : tensors)
    for (bool scales : {false, true}) {
      Stored stored{&tensor, scales};
      if (scales && tensor.type != SourceType::F8_E4M3)
        continue;
      // A tensor that is larger than a file may be has a file to itself.
      if (!files.back().empty() && bytes + stored.bytes(hf) > most) {
        files.emplace_back();
        bytes = 0;
      }
      bytes += stored.bytes(hf);
      files.back().push_back(stored);
    }
  return files;
}

} // namespace

uint8_t runner::toFloat8(float number) {
  uint32_t bits = std::bit_cast<uint32_t>(number), sign = bits >> 24 & 0x80;
  float magnitude = std::min(std::fabs(number), 448.0f);
  if (magnitude < 0x1p-6f) // subnormal: multiples of 2^-9; rounds to even like all arithmetic
    return uint8_t(sign | uint32_t(std::nearbyint(magnitude * 512)));
  uint32_t word = std::bit_cast<uint32_t>(magnitude);
  // Half of the last kept bit less one, and one more for odd numbers: ties go to even, and a carry into the exponent is
  // right as it is.
  word += 0x7ffff + (word >> 20 & 1);
  // The two biases, 127 and 7, are 120 apart, counted here in steps of the exponent behind three bits of mantissa.
  return uint8_t(sign | ((word >> 20) - (120 << 3)));
}

llvm::Error runner::writeRandomCheckpoint(const RandomCheckpointOptions &options) {
  auto buffer = llvm::MemoryBuffer::getFile(options.config);
  if (!buffer)
    return llvm::createStringError("cannot read '" + options.config + "': " + buffer.getError().message());
  llvm::Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  llvm::Expected<HfConfig> hf = value ? readHfConfig(*value) : llvm::Expected<HfConfig>(value.takeError());
  if (!hf)
    return llvm::createStringError(options.config + ": " + llvm::toString(hf.takeError()));
  if (std::error_code error = llvm::sys::fs::create_directories(options.out))
    return llvm::createStringError("cannot create '" + options.out + "': " + error.message());
  TensorNames names(*hf, options.spread);
  // The index is written after the files that it names, with the config: if this is interrupted, a folder without an
  // index is no checkpoint, and nobody takes a part of one for the whole.
  std::vector<std::vector<Stored>> files = cut(names.tensors, *hf, options.shardBytes);
  json::Object map;
  uint64_t total = 0;
  for (size_t i = 0; i != files.size(); ++i) {
    std::string file = llvm::formatv("model-{0:D5}-of-{1:D5}.safetensors", i + 1, files.size());
    for (const Stored &each : files[i]) {
      map[each.name()] = file;
      total += each.bytes(*hf);
    }
    if (llvm::Error error = writeShard(options.out + "/" + file, files[i], *hf, options.seed))
      return error;
  }
  json::Value index = json::Object{{"metadata", json::Object{{"total_size", int64_t(total)}}},
                                   {"weight_map", std::move(map)}};
  return writeFilesAtomically(
      {{options.out + "/config.json", [&](llvm::raw_ostream &os) { os << (*buffer)->getBuffer(); }},
       {options.out + "/model.safetensors.index.json",
        [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}", index) << "\n"; }}});
}
