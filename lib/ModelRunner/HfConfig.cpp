//===- HfConfig.cpp - A checkpoint's config.json --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/HfConfig.h"

#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

/// No size of a model is near these; bytes of any tensor fit 64 bits, and plans of all tensors fit memory.
constexpr int64_t kLargest = int64_t(1) << 24, kMostLayers = 1024, kMostExperts = 4096, kMostHeads = 4096;

class Reader {
public:
  template <class Fields>
  void read(const json::Object &object, Fields &fields, const std::string &prefix) {
    Fields::visitFields(fields, [&](llvm::StringRef name, auto &field) {
      const json::Value *value = object.get(name);
      if (!value)
        wrong.push_back("'" + prefix + name.str() + "' is missing");
      else
        readField(*value, prefix + name.str(), field);
    });
  }
  std::vector<std::string> wrong;

private:
  void readField(const json::Value &value, const std::string &name, int64_t &field) {
    std::optional<int64_t> whole = value.getAsInteger();
    if (!whole || *whole < 0 || *whole > kLargest)
      wrong.push_back(
          llvm::formatv("'{0}' is {1}, and should be a whole number from 0 to {2}", name, value, kLargest));
    field = whole.value_or(0);
  }
  void readField(const json::Value &value, const std::string &name, double &field) {
    std::optional<double> number = value.getAsNumber();
    if (!number || !(*number > 0))
      wrong.push_back(llvm::formatv("'{0}' is {1}, and should be a number above 0", name, value));
    field = number.value_or(0);
  }
};

llvm::Error errorOf(const std::vector<std::string> &wrong) {
  return wrong.empty() ? llvm::Error::success() : llvm::createStringError(llvm::join(wrong, "; "));
}

std::optional<std::vector<int64_t>> readBlock(const json::Array &array) {
  std::vector<int64_t> sizes;
  for (const json::Value &value : array)
    sizes.push_back(value.getAsInteger().value_or(0));
  bool fine =
      sizes.size() == 2 && sizes[0] > 0 && sizes[1] > 0 && sizes[0] <= kLargest && sizes[1] <= kLargest;
  return fine ? std::optional(sizes) : std::nullopt;
}

/// What must hold on any mesh.
void checkCounts(const HfConfig &config, std::vector<std::string> &wrong) {
  auto require = [&](bool holds, const char *what) {
    if (!holds)
      wrong.push_back(what);
  };
  for (int64_t size :
       {config.hidden_size, config.intermediate_size, config.moe_intermediate_size, config.vocab_size,
        config.num_attention_heads, config.q_lora_rank, config.kv_lora_rank, config.qk_nope_head_dim,
        config.qk_rope_head_dim, config.v_head_dim, config.n_routed_experts, config.n_shared_experts})
    // The checks below divide by these and would only repeat the mistake.
    if (size == 0)
      return wrong.push_back("sizes and numbers of heads and experts should be above 0");
  require(config.num_hidden_layers <= kMostLayers && config.n_routed_experts <= kMostExperts &&
              config.num_attention_heads <= kMostHeads && config.n_shared_experts <= kMostExperts,
          "there should be at most 1024 layers, 4096 experts and 4096 heads");
  require(config.first_k_dense_replace <= config.num_hidden_layers,
          "'first_k_dense_replace' should be at most 'num_hidden_layers'");
  require(config.n_group > 0 && config.n_routed_experts % std::max<int64_t>(config.n_group, 1) == 0,
          "'n_group' should divide 'n_routed_experts'");
  require(config.topk_group > 0 && config.topk_group <= config.n_group,
          "'topk_group' should be from 1 to 'n_group'");
  // The best two of a group count for it.
  require(config.n_routed_experts >= 2 * config.n_group, "a group should have at least two experts");
  require(config.num_experts_per_tok > 0 && config.num_experts_per_tok <= config.n_routed_experts,
          "'num_experts_per_tok' should be from 1 to 'n_routed_experts'");
  require(config.n_group == 0 ||
              config.num_experts_per_tok <= config.topk_group * (config.n_routed_experts / config.n_group),
          "'num_experts_per_tok' should be at most the experts of 'topk_group' groups");
}

} // namespace

llvm::Expected<HfConfig> runner::readHfConfig(const json::Value &json) {
  const json::Object *object = json.getAsObject();
  if (!object)
    return llvm::createStringError("not an object");
  HfConfig config;
  Reader reader;
  reader.read(*object, config, "");
  if (const json::Object *scaling = object->getObject("rope_scaling"))
    reader.read(*scaling, config.rope_scaling, "rope_scaling.");
  if (const json::Object *quantization = object->getObject("quantization_config"))
    if (const json::Array *block = quantization->getArray("weight_block_size")) {
      std::optional<std::vector<int64_t>> sizes = readBlock(*block);
      if (!sizes)
        reader.wrong.push_back("'weight_block_size' should be two whole numbers above 0");
      else
        config.blockRows = (*sizes)[0], config.blockColumns = (*sizes)[1];
    }
  // Relations between fields that could not be read would be reports about zeros.
  if (reader.wrong.empty())
    checkCounts(config, reader.wrong);
  if (llvm::Error error = errorOf(reader.wrong))
    return std::move(error);
  return config;
}

llvm::Expected<HfConfig> runner::readHfFolder(llvm::StringRef folder) {
  std::string path = (folder + "/config.json").str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  llvm::Expected<json::Value> json = parseJson((*buffer)->getBuffer());
  llvm::Expected<HfConfig> config = json ? readHfConfig(*json) : llvm::Expected<HfConfig>(json.takeError());
  if (!config)
    return llvm::createStringError(path + ": " + llvm::toString(config.takeError()));
  return config;
}

/// Constraints: facts/deepseek 4.1.
llvm::Error runner::checkMesh(const HfConfig &config, GridShape mesh) {
  std::vector<std::string> wrong;
  auto divides = [&](int64_t by, const char *what, int64_t value) {
    if (by <= 0 || value % by != 0)
      wrong.push_back(llvm::formatv("{0} ({1}) is not a multiple of {2}", what, value, by));
  };
  divides(kTile * mesh.volume(), "hidden_size", config.hidden_size);
  divides(kTile * mesh.columns, "intermediate_size", config.intermediate_size);
  divides(kTile * mesh.columns, "the shared experts' moe_intermediate_size", config.sharedExpertSize());
  divides(mesh.columns, "num_attention_heads", config.num_attention_heads);
  divides(mesh.columns, "vocab_size", config.vocab_size);
  divides(mesh.columns, "the number of users per mesh row", kUsersPerRow);
  divides(mesh.volume(), "n_routed_experts", config.n_routed_experts);
  for (auto [what, value] :
       {std::pair("q_lora_rank", config.q_lora_rank), std::pair("kv_lora_rank", config.kv_lora_rank),
        std::pair("qk_nope_head_dim", config.qk_nope_head_dim),
        std::pair("qk_rope_head_dim", config.qk_rope_head_dim), std::pair("v_head_dim", config.v_head_dim)})
    divides(kTile, what, value);
  if (wrong.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("the model does not divide over a {0}x{1} mesh: ", mesh.rows, mesh.columns) +
      llvm::join(wrong, "; "));
}
