//===- HfConfig.cpp - A checkpoint's config.json --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a model's config.json says, and what it may say. The modules compute one
// kind of model, so keys that would change the computation are compared with
// the one value that is supported, rather than ignored: a model that runs and
// answers something else is the worst outcome. All that is wrong is collected
// and reported as one error, since whoever tries another model's config wants
// to know at once how far off it is. Bounds on sizes are far beyond any model.
// They are there so that products of two stay within 64 bits and a config of a
// few bytes cannot ask for more tensors than memory holds.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/HfConfig.h"

#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

/// No size of a model is near this; bytes of any tensor fit 64 bits.
constexpr int64_t kLargest = int64_t(1) << 24;

/// Whole numbers have to be from 1 to kLargest, but for these: plans of all tensors fit memory.
struct Limits {
  llvm::StringLiteral key;
  int64_t least, most;
};
constexpr Limits kLimits[] = {{"first_k_dense_replace", 0, 1024},
                              {"n_routed_experts", 1, 4096},
                              {"n_shared_experts", 1, 4096},
                              {"num_attention_heads", 1, 4096},
                              {"num_hidden_layers", 0, 1024}};

/// Numbers have to be above 0, but for these.
constexpr llvm::StringLiteral kMayBeZero[] = {"rope_scaling.mscale", "rope_scaling.mscale_all_dim",
                                              "rope_parameters.mscale", "rope_parameters.mscale_all_dim"};

/// A key that changes what a model computes, and the one value, as JSON, that the modules have. An absent key means
/// that.
struct FixedKey {
  llvm::StringLiteral key, value;
};
constexpr FixedKey kFixedOfModel[] = {{"attention_bias", "false"},    {"hidden_act", "\"silu\""},
                                      {"index_topk", "null"}, // attention to some tokens only (DeepSeek-V3.2)
                                      {"moe_layer_freq", "1"},        {"norm_topk_prob", "true"},
                                      {"rope_interleave", "true"},    {"scoring_func", "\"sigmoid\""},
                                      {"topk_method", "\"noaux_tc\""}};
constexpr FixedKey kFixedOfScaling[] = {{"rope_type", "\"yarn\""}, {"type", "\"yarn\""}};

bool isAbsent(const json::Value *value) { return !value || value->kind() == json::Value::Null; }

/// Reads fields by their names in the struct (visitFields), so that a field that is added is read and checked without
/// another line here. `prefix` is what stands in front of a key in messages: "rope_scaling.".
class ConfigReader {
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
  void check(const json::Object &object, llvm::ArrayRef<FixedKey> keys, const std::string &prefix) {
    for (const FixedKey &fixed : keys)
      // Compared as text: the values are of several kinds, and the message prints them anyway.
      if (const json::Value *value = object.get(fixed.key);
          !isAbsent(value) && llvm::formatv("{0}", *value).str() != fixed.value)
        wrong.push_back(llvm::formatv("'{0}{1}' is {2}, and only {3} is supported", prefix, fixed.key, *value,
                                      fixed.value));
  }
  /// An object that may be missing.
  const json::Object *object(const json::Object &in, llvm::StringRef name) {
    const json::Value *value = in.get(name);
    if (isAbsent(value))
      return nullptr;
    if (!value->getAsObject())
      wrong.push_back(llvm::formatv("'{0}' is {1}, and should be an object", name, *value));
    return value->getAsObject();
  }
  void readFlag(const json::Object &object, llvm::StringRef name, bool &field) {
    const json::Value *value = object.get(name);
    if (isAbsent(value))
      return;
    if (!value->getAsBoolean())
      wrong.push_back(llvm::formatv("'{0}' is {1}, and should be true or false", name, *value));
    field = value->getAsBoolean().value_or(false);
  }
  void readBlock(const json::Object &quantization, int64_t &rows, int64_t &columns) {
    const json::Value *value = quantization.get("weight_block_size");
    if (isAbsent(value))
      return;
    auto size = [&](const json::Array &array, size_t index) {
      // What is too large becomes 0, which the one check below refuses.
      int64_t number = array[index].getAsInteger().value_or(0);
      return number <= kLargest ? number : 0;
    };
    const json::Array *array = value->getAsArray();
    if (!array || array->size() != 2 || size(*array, 0) <= 0 || size(*array, 1) <= 0)
      wrong.push_back("'quantization_config.weight_block_size' should be two whole numbers above 0");
    else
      rows = size(*array, 0), columns = size(*array, 1);
  }
  std::vector<std::string> wrong;

private:
  void readField(const json::Value &value, const std::string &name, int64_t &field) {
    const Limits *own = llvm::find_if(kLimits, [&](const Limits &each) { return each.key == name; });
    Limits limits = own == std::end(kLimits) ? Limits{"", 1, kLargest} : *own;
    std::optional<int64_t> whole = value.getAsInteger();
    if (!whole || *whole < limits.least || *whole > limits.most)
      wrong.push_back(llvm::formatv("'{0}' is {1}, and should be a whole number from {2} to {3}", name, value,
                                    limits.least, limits.most));
    // A wrong field is reported and read on with 0, so that one error names all that is wrong.
    field = whole.value_or(0);
  }
  void readField(const json::Value &value, const std::string &name, double &field) {
    std::optional<double> number = value.getAsNumber();
    bool zero = llvm::is_contained(kMayBeZero, name);
    if (!number || !std::isfinite(*number) || !(zero ? *number >= 0 : *number > 0))
      wrong.push_back(llvm::formatv("'{0}' is {1}, and should be a number {2} 0", name, value,
                                    zero ? "of at least" : "above"));
    field = number.value_or(0);
  }
};

llvm::Error errorOf(const std::vector<std::string> &wrong) {
  return wrong.empty() ? llvm::Error::success() : llvm::createStringError(llvm::join(wrong, "; "));
}

/// The key of the rotary embedding's scaling. Newer files have one object for it and for `rope_theta`, which is copied to
/// where older ones have it: left alone, a model with both kinds of keys would not be stretched.
llvm::StringRef rotaryKey(json::Object &object) {
  const json::Object *found = object.getObject("rope_parameters");
  if (!found)
    return "rope_scaling";
  json::Object rope = *found;
  if (const json::Value *theta = rope.get("rope_theta"))
    object["rope_theta"] = *theta;
  if (rope.getString("rope_type") == llvm::StringRef("default"))
    object.erase("rope_parameters");
  return "rope_parameters";
}

/// What must hold on any mesh.
void checkCounts(const HfConfig &config, std::vector<std::string> &wrong) {
  auto require = [&](bool holds, const char *what) {
    if (!holds)
      wrong.push_back(what);
  };
  require(config.first_k_dense_replace <= config.num_hidden_layers,
          "'first_k_dense_replace' should be at most 'num_hidden_layers'");
  require(config.n_routed_experts % config.n_group == 0, "'n_group' should divide 'n_routed_experts'");
  require(config.topk_group <= config.n_group, "'topk_group' should be from 1 to 'n_group'");
  require(config.n_routed_experts >= 2 * config.n_group,
          "'n_routed_experts' should be at least twice 'n_group': the best two of a group count for it");
  require(config.num_experts_per_tok <= config.n_routed_experts,
          "'num_experts_per_tok' should be from 1 to 'n_routed_experts'");
  require(config.num_experts_per_tok <= config.topk_group * (config.n_routed_experts / config.n_group),
          "'num_experts_per_tok' should be at most the experts of 'topk_group' groups");
}

} // namespace

llvm::Expected<HfConfig> runner::readHfConfig(const json::Value &json) {
  if (!json.getAsObject())
    return llvm::createStringError("not an object");
  json::Object object = *json.getAsObject();
  const llvm::StringRef rotary = rotaryKey(object);
  HfConfig config;
  ConfigReader reader;
  reader.read(object, config, "");
  reader.check(object, kFixedOfModel, "");
  reader.readFlag(object, "tie_word_embeddings", config.tieWordEmbeddings);
  if (const json::Object *scaling = reader.object(object, rotary)) {
    const std::string prefix = (rotary + ".").str();
    size_t before = reader.wrong.size();
    reader.check(*scaling, kFixedOfScaling, prefix);
    if (reader.wrong.size() == before) // another kind has other keys
      reader.read(*scaling, config.rope_scaling, prefix);
  }
  if (const json::Object *quantization = reader.object(object, "quantization_config"))
    reader.readBlock(*quantization, config.blockRows, config.blockColumns);
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
  // By all devices and not only the columns: the embedding's rows are cut along their width over the whole mesh.
  divides(kTile * mesh.volume(), "hidden_size", config.hidden_size);
  divides(kTile * mesh.columns, "intermediate_size", config.intermediate_size);
  divides(kTile * mesh.columns, "the shared experts' moe_intermediate_size", config.sharedExpertSize());
  divides(mesh.columns, "num_attention_heads", config.num_attention_heads);
  divides(mesh.columns, "vocab_size", config.vocab_size);
  // In decode each column attends to its share of a row's users.
  divides(mesh.columns, "the number of users per mesh row", kUsersPerRow);
  divides(mesh.volume(), "n_routed_experts", config.n_routed_experts);
  // These are widths of matrices that norms and attention take in whole tiles.
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

std::optional<GridShape> runner::largestMesh(const HfConfig &config, GridShape most) {
  std::optional<GridShape> largest;
  for (int64_t columns = most.columns; columns > 0; --columns)
    for (int64_t rows = most.rows; rows > 0; --rows)
      // Only a larger one is checked, so of equals the one with most columns stays.
      if (GridShape mesh{rows, columns}; !largest || mesh.volume() > largest->volume()) {
        llvm::Error error = checkMesh(config, mesh);
        if (!error)
          largest = mesh;
        llvm::consumeError(std::move(error));
      }
  return largest;
}
