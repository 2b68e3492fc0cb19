//===- ConfigCheckTest.cpp - Configs that someone has changed -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TinyModel.h"

#include "tessera/ModelRunner/ItemJson.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

/// A value in JSON, and its place.
struct Place {
  std::string name;
  json::Value *value;
};

/// All that stands in a config, but what a mark such as "$op" belongs to.
void collect(json::Value &value, const std::string &name, std::vector<Place> &places) {
  if (!name.empty())
    places.push_back({name, &value});
  if (json::Array *array = value.getAsArray())
    for (auto [i, each] : llvm::enumerate(*array))
      collect(each, name + "[" + std::to_string(i) + "]", places);
  json::Object *object = value.getAsObject();
  if (object && (object->get("$op") || object->get("$value")))
    object = object->getObject("f");
  if (!object || (object->size() == 1 && object->begin()->first.str().starts_with("$")))
    return;
  for (auto &[key, each] : *object)
    collect(each, name + (name.empty() ? "" : ".") + key.str(), places);
}

Target tiny(TinyModel &model) { return {model.hf(), model.mesh(), {8, 8}, 12, 32, 96}; }

/// Whatever stands anywhere, it is followed or refused with its place.
TEST(ConfigCheckTest, ValuesOfOtherTypesAreRefusedWithTheirPlace) {
  Target target = tiny(TinyModel::on({1, 2}));
  size_t refused = 0;
  for (Phase phase : {Phase::Prefill, Phase::Decode}) {
    Item own = modelConfigOf(target, phase);
    json::Value config = itemToJson(own);
    std::vector<Place> places;
    collect(config, "", places);
    ASSERT_GT(places.size(), 500u);
    for (const json::Value &bad :
         {json::Value("gelu"), json::Value(json::Array{"gelu"}), json::Value(-1.5),
          json::Value(json::Object{{"a", 1}}),
          json::Value(json::Object{{"$value", "MemoryConfig"}, {"f", json::Object{{"buffer_type", 7}}}})})
      for (const Place &place : places) {
        if (bad.getAsNumber() && place.value->getAsNumber())
          continue;
        json::Value kept = std::exchange(*place.value, bad);
        llvm::Expected<Item> read = itemFromJson(config);
        *place.value = std::move(kept);
        std::string error =
            read ? llvm::join(checkConfig(*read, own), "; ") : llvm::toString(read.takeError());
        llvm::StringRef field = place.name; // a list is one value
        while (field.consume_back("]"))
          field = field.take_front(field.rfind('['));
        EXPECT_TRUE(llvm::StringRef(error).contains(field)) << place.name << ": " << error;
        ++refused;
      }
  }
  EXPECT_GT(refused, 5000u);
}

TEST(ConfigCheckTest, AnActivationsNameIsTtnns) {
  Target target = tiny(TinyModel::on({1, 2}));
  json::Value config = itemToJson(modelConfigOf(target, Phase::Decode));
  json::Object &mul = *config.getAsObject()
                           ->getArray("mlp_decoder_block")
                           ->front()
                           .getAsObject()
                           ->getObject("mlp")
                           ->getObject("mul")
                           ->getObject("f");
  mul["input_tensor_a_activations"] = json::Array{"gelu"};
  llvm::Expected<Item> item = itemFromJson(config);
  ASSERT_TRUE(bool(item));
  EXPECT_EQ(
      checkConfig(*item, modelConfigOf(target, Phase::Decode)),
      std::vector<std::string>{"mlp_decoder_block[0].mlp.mul.input_tensor_a_activations: MulConfig takes a "
                               "list, each a unary op (SILU, ...) here, not ['gelu']"});
}

} // namespace
