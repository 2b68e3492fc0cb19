//===- WeightConverterTest.cpp - Tensor files against a slow path ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is converted tile by tile must equal, bit by bit, what comes of making the
// whole tensor in fp32 first, by formulas that are written once more here.
//
//===----------------------------------------------------------------------===//
#include "CheckpointFiles.h"

#include "WeightWriter.h"
#include "tessera/Layout/BlockFloat.h"
#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/RunConfig.h"
#include "tessera/ModelRunner/WeightConverter.h"
#include "tessera/ModelRunner/WeightFolder.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <thread>

using namespace tessera;
using namespace tessera::runner;

namespace {

constexpr const char *kTiny = R"({"hidden_size": 256, "intermediate_size": 512, "moe_intermediate_size": 128,
  "num_hidden_layers": 2, "first_k_dense_replace": 1, "num_attention_heads": 8, "q_lora_rank": 64, "kv_lora_rank": 64,
  "qk_nope_head_dim": 32, "qk_rope_head_dim": 32, "v_head_dim": 32, "n_routed_experts": 16, "n_shared_experts": 1,
  "num_experts_per_tok": 4, "n_group": 4, "topk_group": 2, "routed_scaling_factor": 2.5, "vocab_size": 512,
  "max_position_embeddings": 256, "rms_norm_eps": 1e-6, "rope_theta": 10000})";

struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<float> numbers;
  float at(int64_t row, int64_t column) const { return numbers[row * columns + column]; }
};

class WeightConverterTest : public testing::Test {
protected:
  void SetUp() override {
    source.write("config.json", kTiny);
    ASSERT_FALSE(bool(writeRandomCheckpoint({source.at("config.json"), source.at("hf"), 7, 300'000})));
    options.hf = source.at("hf");
    options.out = source.at("out");
    llvm::Expected<HfConfig> hf = readHfFolder(options.hf);
    ASSERT_TRUE(bool(hf));
    options.target.hf = *hf;
    options.target.mesh = {2, 4};
  }

  ConvertResult convert() {
    llvm::Expected<ConvertResult> result = convertWeights(options);
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    return result ? std::move(*result) : ConvertResult();
  }

  /// A tensor of the checkpoint in fp32.
  Matrix read(const Checkpoint &checkpoint, const std::string &name) {
    const SourceTensor &tensor = *checkpoint.find(name);
    int64_t columns = tensor.shape.back(), rows = tensor.shape.size() == 2 ? tensor.shape[0] : 1;
    std::vector<uint8_t> bytes(rows * columns * bytesOf(tensor.type));
    EXPECT_FALSE(bool(checkpoint.read(tensor, 0, rows * columns, bytes.data())));
    Matrix matrix{rows, columns, std::vector<float>(rows * columns)};
    Matrix scales = tensor.type == SourceType::F8_E4M3 ? read(checkpoint, name + "_scale_inv") : Matrix();
    for (int64_t i = 0; i != rows * columns; ++i) {
      int bits = bytes[i];
      if (tensor.type == SourceType::F32)
        matrix.numbers[i] = std::bit_cast<float>(llvm::support::endian::read32le(bytes.data() + 4 * i));
      else if (tensor.type == SourceType::BF16)
        matrix.numbers[i] =
            std::bit_cast<float>(uint32_t(llvm::support::endian::read16le(bytes.data() + 2 * i)) << 16);
      else
        matrix.numbers[i] = float((bits & 0x80 ? -1 : 1) *
                                  ((bits >> 3 & 15) ? std::ldexp(8 + (bits & 7), (bits >> 3 & 15) - 10)
                                                    : std::ldexp(bits & 7, -9))) *
                            scales.at(i / columns / 128, i % columns / 128);
    }
    return matrix;
  }

  /// The matrices of a tensor in fp32, as they are to lie on the mesh.
  std::vector<Matrix> wholeTensor(const Checkpoint &checkpoint, const WeightTensor &tensor) {
    std::vector<Matrix> all;
    for (const std::vector<SourceRows> &parts : tensor.matrices) {
      Matrix stacked{0, sourceColumns(tensor), {}};
      for (const SourceRows &part : parts) {
        Matrix matrix = read(checkpoint, part.tensor);
        auto begin = matrix.numbers.begin() + part.begin * stacked.columns;
        stacked.numbers.insert(stacked.numbers.end(), begin, begin + part.count * stacked.columns);
        stacked.rows += part.count;
      }
      Matrix turned{tensor.height, tensor.width, std::vector<float>(stacked.numbers.size())};
      for (int64_t row = 0; row != turned.rows; ++row)
        for (int64_t column = 0; column != turned.columns; ++column)
          turned.numbers[row * turned.columns + column] =
              tensor.transposed ? stacked.at(column, row) : stacked.at(row, column);
      all.push_back(std::move(turned));
    }
    if (all.empty())
      all.push_back({tensor.height, tensor.width,
                     std::vector<float>(tensor.height * tensor.width, float(tensor.constant))});
    return all;
  }

  std::string shardBytes(const WeightTensor &tensor, llvm::ArrayRef<Matrix> matrices, const Shard &shard) {
    std::string bytes;
    for (int64_t i = shard.batchBegin; i != shard.batchBegin + shard.batch; ++i)
      if (tensor.layout == PageLayout::Tile)
        for (int64_t row = 0; row < shard.height; row += 32)
          for (int64_t column = 0; column < shard.width; column += 32) {
            float tile[1024];
            for (int64_t j = 0; j != 1024; ++j)
              tile[j] =
                  row + j / 32 < shard.height && column + j % 32 < shard.width
                      ? matrices[i].at(shard.rowBegin + row + j / 32, shard.columnBegin + column + j % 32)
                      : 0;
            std::vector<uint8_t> packed(tileBytes(tensor.type).value());
            packTile(tensor.type, tile, packed.data());
            bytes.append(packed.begin(), packed.end());
          }
      else
        for (int64_t row = 0; row != shard.height; ++row)
          for (int64_t column = 0; column != shard.width; ++column) {
            uint32_t bits =
                std::bit_cast<uint32_t>(matrices[i].at(shard.rowBegin + row, shard.columnBegin + column));
            for (int byte = tensor.type == DataType::BFloat16 ? 2 : 0; byte != 4; ++byte)
              bytes += char(bits >> (8 * byte)); // what bf16 holds came from bf16, or is exact in it
          }
    return bytes;
  }

  TemporaryFolder source;
  ConvertOptions options;
};

TEST_F(WeightConverterTest, EqualsTheSlowPath) {
  options.memory = 20'000; // several bands per matrix
  ConvertResult result = convert();
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(options.hf);
  ASSERT_TRUE(bool(checkpoint));
  EXPECT_EQ(result.steps.size(), 35u);
  EXPECT_TRUE(result.unused.empty());
  for (const ConvertStep &step : result.steps) {
    std::string file = readFile(options.out + "/" + step.tensor.file());
    uint64_t dataBegin = 0;
    llvm::Expected<TensorHeader> header = decodeHeader(file, dataBegin);
    ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
    EXPECT_EQ(file.size(), step.fileBytes);
    std::vector<Matrix> matrices = wholeTensor(*checkpoint, step.tensor);
    std::vector<Shard> shards = shardsOf(step.tensor, options.target.mesh);
    for (size_t device = 0; device != shards.size(); ++device)
      EXPECT_TRUE(file.substr(dataBegin + header->offsetOf(header->stored[device]), header->shardBytes) ==
                  shardBytes(step.tensor, matrices, shards[device]))
          << step.tensor.name() << " on device " << device;
  }
}

TEST_F(WeightConverterTest, ShapesOnDevices) {
  ConvertResult result = convert();
  auto shapeOf = [&](llvm::StringRef name) {
    for (const ConvertStep &step : result.steps)
      if (step.tensor.name() == name)
        return headerOf(step.tensor, options.target.mesh).shape;
    return std::vector<int64_t>();
  };
  using Shape = std::vector<int64_t>;
  // As facts/deepseek 2.1 has them, at this size.
  EXPECT_EQ(shapeOf("embedding.embedding.weight"), (Shape{1, 1, 512, 32}));
  EXPECT_EQ(shapeOf("norm.rms_norm_post_all_gather.weight"), (Shape{1, 1, 2, 32}));
  EXPECT_EQ(shapeOf("mlp_decoder_block[0].mla.mla1d.wq_kv_a.input_tensor_b"), (Shape{1, 64, 160}));
  EXPECT_EQ(shapeOf("mlp_decoder_block[0].mla.mla1d.wkv_b1.input_tensor_b"), (Shape{1, 2, 32, 64}));
  EXPECT_EQ(shapeOf("mlp_decoder_block[0].mla.mla1d.wkv_b2.input_tensor_b"), (Shape{1, 8, 64, 32}));
  EXPECT_EQ(shapeOf("mlp_decoder_block[0].mlp.w1.input_tensor_b"), (Shape{1, 256, 128}));
  EXPECT_EQ(shapeOf("mlp_decoder_block[0].mlp.w2.input_tensor_b"), (Shape{1, 128, 256}));
  EXPECT_EQ(shapeOf("moe_decoder_block[0].mlp.moe.moe_experts.w1_experts.input_tensor_b"),
            (Shape{1, 2, 256, 128}));
  EXPECT_EQ(shapeOf("moe_decoder_block[0].mlp.moe.moe_gate.add_score_correction_bias.input_tensor_b"),
            (Shape{1, 1, 1, 16}));
  EXPECT_EQ(shapeOf("lm_head.linear.input_tensor_b"), (Shape{256, 128}));
}

TEST_F(WeightConverterTest, AllThatModelConfigsWaitForIsThere) {
  ConvertResult result = convert();
  llvm::Expected<Item> weights = itemFromJson(*llvm::json::parse(readFile(options.out + "/weights.json")));
  ASSERT_TRUE(bool(weights));
  Item state = model::createState(options.target, {"mesh", options.target.mesh});
  WeightCache cache;
  for (const Dict &config :
       {model::prefillModelConfig(options.target), model::decodeModelConfig(options.target)}) {
    RunConfig run = runConfig(config, *weights, state, {MergeMode::Checked, nullptr, &cache});
    for (const MergeProblem &problem : run.problems)
      ADD_FAILURE() << problem.path << ": " << problem.message;
  }
  EXPECT_EQ(cache.size(), result.steps.size());
}

TEST_F(WeightConverterTest, KeepsWhatIsThere) {
  EXPECT_TRUE(convert().changed);
  EXPECT_FALSE(convert().changed);
  options.types = {{"*.wo.*", DataType::BFP_BFloat4}};
  ConvertResult other = convert();
  for (const ConvertStep &step : other.steps)
    EXPECT_EQ(step.reused, step.tensor.name().find(".wo.") == std::string::npos) << step.tensor.name();
}

TEST_F(WeightConverterTest, ConstantsCountWithAllTheirDigits) {
  options.target.hf.routed_scaling_factor = 0.121;
  convert();
  options.target.hf.routed_scaling_factor = 0.124;
  ConvertResult other = convert();
  EXPECT_TRUE(other.changed);
  for (const ConvertStep &step : other.steps)
    EXPECT_EQ(step.reused, step.tensor.name().find("multiply_expert_scale") == std::string::npos)
        << step.tensor.name();
}

TEST_F(WeightConverterTest, ProcessesShareTheWork) {
  convert();
  std::string alone = options.out;
  options.out = source.at("shared");
  constexpr unsigned kCount = 4;
  std::vector<std::thread> processes;
  std::array<std::string, kCount> errors;
  for (unsigned rank = 0; rank != kCount; ++rank)
    processes.emplace_back([&, rank] {
      ConvertOptions mine = options;
      mine.participant = {rank, kCount, "test"};
      if (llvm::Expected<ConvertResult> result = convertWeights(mine); !result)
        errors[rank] = llvm::toString(result.takeError());
    });
  for (std::thread &process : processes)
    process.join();
  for (const std::string &error : errors)
    EXPECT_EQ(error, "");
  for (const char *file : {"manifest.json", "weights.json", "lm_head/linear.input_tensor_b.tensorbin"})
    EXPECT_EQ(readFile(options.out + "/" + file), readFile(alone + "/" + file)) << file;
  llvm::Expected<WeightFolder> folder = WeightFolder::open(options.out);
  ASSERT_TRUE(bool(folder));
  EXPECT_TRUE(folder->complete());
  EXPECT_TRUE(llvm::cantFail(folder->verify(false)).empty());
}

TEST_F(WeightConverterTest, ReportsAllThatDoesNotFit) {
  options.types = {{"*norm*", DataType::BFP_BFloat8}};
  llvm::Expected<ConvertResult> result = convertWeights(options);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("is row-major, and bfp_bf8 exists in tiles only"),
            std::string::npos);
  options.types = {{"*.w9.*", DataType::BFP_BFloat8}};
  result = convertWeights(options);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("no tensor's name fits '*.w9.*'"), std::string::npos);
  options.types.clear();
  options.target.hf.q_lora_rank = 128;
  options.target.hf.num_hidden_layers = 3;
  result = convertWeights(options);
  ASSERT_FALSE(bool(result));
  std::string error = llvm::toString(result.takeError());
  EXPECT_NE(
      error.find(
          "'model.layers.0.self_attn.q_a_proj.weight' has the shape [64, 256], and should have [128, 256]"),
      std::string::npos)
      << error;
  EXPECT_NE(error.find("'model.layers.2.input_layernorm.weight' is missing"), std::string::npos) << error;
}

TEST_F(WeightConverterTest, VerifySeesEveryChange) {
  convert();
  std::string norm = "norm/rms_norm_post_all_gather.weight.tensorbin",
              bytes = readFile(options.out + "/" + norm);
  auto problems = [&](bool repair = false) {
    llvm::Expected<WeightFolder> folder = WeightFolder::open(options.out);
    EXPECT_TRUE(bool(folder));
    llvm::Expected<std::vector<std::string>> found = folder->verify(repair);
    EXPECT_TRUE(bool(found));
    return *found;
  };
  auto overwrite = [&](const std::string &text) { source.write("out/" + norm, text); };
  EXPECT_TRUE(problems().empty());
  std::string changed = bytes;
  changed.back() ^= 1;
  overwrite(changed);
  EXPECT_EQ(problems(), std::vector<std::string>{norm + ": its bytes are not those that were written"});
  overwrite(bytes.substr(1));
  EXPECT_EQ(problems(), std::vector<std::string>{norm + ": has " + std::to_string(bytes.size() - 1) +
                                                 " bytes instead of " + std::to_string(bytes.size())});
  overwrite(bytes);
  // What stage 3 reads beside the tensors.
  for (const char *file : {"weights.json", "config.json"}) {
    std::string whole = readFile(options.out + "/" + file);
    source.write("out/" + std::string(file), whole.substr(1));
    EXPECT_EQ(problems(),
              std::vector<std::string>{std::string(file) + ": has " + std::to_string(whole.size() - 1) +
                                       " bytes instead of " + std::to_string(whole.size())});
    EXPECT_EQ(problems(/*repair=*/true).size(), 1u);
    convert();
    EXPECT_TRUE(problems().empty());
    EXPECT_EQ(readFile(options.out + "/" + file), whole);
  }
  llvm::Expected<WeightFolder> withSlash = WeightFolder::open(options.out + "/");
  ASSERT_TRUE(bool(withSlash));
  EXPECT_TRUE(llvm::cantFail(withSlash->verify(/*repair=*/false)).empty());
  overwrite(bytes.substr(1));
  source.write("out/stray.tensorbin", "x");
  EXPECT_EQ(problems(/*repair=*/true).size(), 2u);
  EXPECT_EQ(problems(), std::vector<std::string>{"the conversion was not finished"});
  convert();
  EXPECT_TRUE(problems().empty());
  EXPECT_EQ(readFile(options.out + "/" + norm), bytes);
}

TEST_F(WeightConverterTest, ScalesAndWeightsAreNumbers) {
  // Scales follow their tensor in the file; its last one becomes NaN.
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(options.hf);
  ASSERT_TRUE(bool(checkpoint));
  auto damage = [&](const char *name, llvm::StringRef bytes) {
    const SourceTensor &tensor = *checkpoint->find(name);
    std::string path = checkpoint->fileOf(tensor).path, file = readFile(path);
    std::string before = file;
    file.replace(tensor.offset, bytes.size(), bytes);
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << file;
    llvm::Expected<ConvertResult> result = convertWeights(options);
    llvm::raw_fd_ostream(path, error) << before;
    return result ? std::string() : llvm::toString(result.takeError());
  };
  EXPECT_NE(damage("model.layers.0.mlp.up_proj.weight_scale_inv", llvm::StringRef("\0\0\xc0\x7f", 4))
                .find("mlp_decoder_block[0].mlp.w3.input_tensor_b: "
                      "'model.layers.0.mlp.up_proj.weight_scale_inv' is not finite at [0, 0]"),
            std::string::npos);
  EXPECT_NE(damage("model.layers.0.mlp.up_proj.weight", "\x7f")
                .find("has a number that is not finite in rows 0 to 32"),
            std::string::npos);
  // Of many experts, and of two that lie one below the other, the one is named that is wrong.
  EXPECT_NE(damage("model.layers.1.mlp.experts.5.up_proj.weight", "\x7f")
                .find("'model.layers.1.mlp.experts.5.up_proj.weight' has a number that is not finite in rows "
                      "0 to 32"),
            std::string::npos);
  EXPECT_NE(damage("model.layers.0.self_attn.kv_a_proj_with_mqa.weight", "\x7f")
                .find("'model.layers.0.self_attn.kv_a_proj_with_mqa.weight' has a number that is not finite "
                      "in rows 0 to 32"),
            std::string::npos);
  EXPECT_NE(damage("model.norm.weight", "\xff\xff").find("has a number that is not finite"),
            std::string::npos);
  EXPECT_NE(damage("model.norm.weight", "\x80\x7f").find("has a number that is not finite"),
            std::string::npos);
  // 2^120: no fp8 number but 0 stays finite.
  EXPECT_NE(damage("model.layers.0.mlp.up_proj.weight_scale_inv", llvm::StringRef("\0\0\x80\x7b", 4))
                .find("is not finite at [0, 0]"),
            std::string::npos);
  EXPECT_TRUE(convert().changed);
}

TEST(TensorFileTest, TilesOfOtherShapesAreErrors) {
  TensorHeader header;
  header.shape = {1, 64, 64};
  header.type = DataType::BFloat16;
  header.mesh = {1, 1};
  header.stored = {0};
  header.shardBytes = bytesOfShard(header.shape, header.type, header.layout);
  std::string file = encodeHeader(header);
  size_t begin = file.size();
  file.resize(begin + header.offsetOf(1));
  // Of all numbers 32 of the header two are a tile's height and width.
  unsigned refused = 0;
  for (size_t i = 8; i + 4 <= begin; i += 4) {
    if (llvm::support::endian::read32le(file.data() + i) != 32)
      continue;
    std::string changed = file;
    llvm::support::endian::write32le(changed.data() + i, 16);
    uint64_t dataBegin = 0;
    llvm::Expected<TensorHeader> read = decodeHeader(changed, dataBegin);
    std::string error = read ? std::string() : llvm::toString(read.takeError());
    refused += error.find("; those of 32x32 are read") != std::string::npos;
  }
  EXPECT_GE(refused, 2u);
}

TEST(TensorFileTest, CutAndLyingFilesAreErrors) {
  TensorHeader header;
  header.shape = {1, 32, 64};
  header.type = DataType::BFP_BFloat8;
  header.mesh = {1, 2};
  header.columnDim = 2;
  header.stored = {0, 1};
  header.memory = dramShardedWeight(32, 64, 12);
  header.shardBytes = bytesOfShard(header.shape, header.type, header.layout);
  std::string file = encodeHeader(header);
  size_t begin = file.size();
  file.resize(begin + header.offsetOf(2));
  uint64_t dataBegin = 0;
  llvm::Expected<TensorHeader> read = decodeHeader(file, dataBegin);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(dataBegin, begin);
  EXPECT_EQ(std::tie(read->shape, read->type, read->stored, read->columnDim),
            std::tie(header.shape, header.type, header.stored, header.columnDim));
  EXPECT_EQ(toItem(read->memory), toItem(header.memory));
  // Whatever is cut off or changed: an error or a header, never more.
  for (size_t length = 0; length < file.size(); length += length < begin ? 1 : 97) {
    llvm::Expected<TensorHeader> cut = decodeHeader(llvm::StringRef(file).take_front(length), dataBegin);
    EXPECT_FALSE(bool(cut)) << length;
    llvm::consumeError(cut.takeError());
  }
  for (size_t i = 0; i != begin; ++i)
    for (int bit : {0, 3, 7}) {
      std::string changed = file;
      changed[i] ^= char(1 << bit);
      llvm::Expected<TensorHeader> other = decodeHeader(changed, dataBegin);
      if (!other)
        llvm::consumeError(other.takeError());
    }
}

} // namespace
