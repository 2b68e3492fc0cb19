//===- ModuleTable.cpp - Modules that stand alone -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Modules that can be made and run by themselves are parts of the whole model,
// and are cut out of it: config, state and weights of a module are those of the
// whole at its keys. So what holds for a module by itself holds in the model,
// and nothing here has to be changed when the model does.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/ModuleTable.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

/// The dense block has its MLP at "mlp"; the mixture's block has two parts there, "moe" and "shared_experts".
constexpr ModuleInfo kModules[] = {
    {"embedding", InLayers::None, "embedding"},
    {"mla_norm", InLayers::All, "mla_norm"},
    {"mla", InLayers::All, "mla"},
    {"q_norm", InLayers::All, "mla.mla1d.q_norm"},
    {"kv_norm", InLayers::All, "mla.mla1d.kv_norm"},
    {"mlp_norm", InLayers::All, "mlp_norm"},
    {"mlp", InLayers::Dense, "mlp"},
    {"moe", InLayers::Mixture, "mlp.moe"},
    {"moe_gate", InLayers::Mixture, "mlp.moe.moe_gate"},
    {"experts", InLayers::Mixture, "mlp.moe.moe_experts"},
    {"shared_experts", InLayers::Mixture, "mlp.shared_experts"},
    {"block", InLayers::All, ""},
    {"norm", InLayers::None, "norm"},
    {"lm_head", InLayers::None, "lm_head"},
};

/// Keys and indices from the root of the model's configs.
std::vector<std::string> keysOf(const HfConfig &hf, const ModulePlace &place) {
  std::vector<std::string> keys;
  if (place.module->layers != InLayers::None) {
    bool moe = place.layer >= hf.denseLayers();
    keys = {moe ? "moe_decoder_block" : "mlp_decoder_block",
            // Blocks of a kind are numbered among themselves.
            "[" + std::to_string(moe ? place.layer - hf.denseLayers() : place.layer) + "]"};
  }
  for (llvm::StringRef key : llvm::split(place.module->keys, '.'))
    if (!key.empty())
      keys.push_back(key.str());
  return keys;
}

} // namespace

llvm::ArrayRef<ModuleInfo> runner::modules() { return kModules; }

const ModuleInfo *runner::findModule(llvm::StringRef name) {
  const auto *found = llvm::find_if(kModules, [&](const ModuleInfo &module) { return module.name == name; });
  return found == std::end(kModules) ? nullptr : found;
}

llvm::Expected<ModulePlace> runner::moduleAt(const HfConfig &hf, const ModuleInfo &module,
                                             std::optional<int64_t> layer) {
  if (module.layers == InLayers::None)
    return ModulePlace{&module};
  int64_t first = module.layers == InLayers::Mixture ? hf.denseLayers() : 0;
  int64_t end = module.layers == InLayers::Dense ? hf.denseLayers() : hf.num_hidden_layers;
  if (first >= end)
    return llvm::createStringError("this model has no '" + module.name + "': none of its layers is " +
                                   (module.layers == InLayers::Dense ? "dense" : "a mixture"));
  int64_t chosen = layer.value_or(first);
  if (chosen < first || chosen >= end)
    return llvm::createStringError("layer " + llvm::Twine(chosen) + " of this model has no '" + module.name +
                                   "'; layers " + llvm::Twine(first) + " to " + llvm::Twine(end - 1) +
                                   " have");
  return ModulePlace{&module, chosen};
}

const Item *runner::itemAt(const Item &tree, llvm::ArrayRef<std::string> place) {
  if (place.empty())
    return &tree;
  size_t index = 0;
  const Item *next = nullptr;
  if (const auto *dict = tree.get<Dict>())
    next = dict->find(place[0]);
  else if (const auto *list = tree.get<Sequence>();
           list && !llvm::StringRef(place[0]).trim("[]").getAsInteger(10, index) &&
           index < list->items.size())
    next = &list->items[index];
  else if (const Object *object = tree.opConfig();
           object && object->type->find(place[0]) != object->fields.size())
    // Only op configs are looked into: to a place, other objects are values.
    next = &object->fields[object->type->find(place[0])];
  return next ? itemAt(*next, place.drop_front()) : nullptr;
}

Item runner::modelConfigOf(const HfConfig &hf, const ModulePlace &place, const Item &whole) {
  std::vector<std::string> keys = keysOf(hf, place);
  if (place.module->layers != InLayers::None)
    keys[1] = "[0]"; // one stands for all of its kind
  return *itemAt(whole, keys);
}

/// The device stands at the root of the whole state; in a part's state it has to be put there again.
Item runner::createState(const Target &target, const MeshDevice &device, const ModulePlace &place) {
  Item whole = model::createState(target, device);
  const Item *own = itemAt(whole, keysOf(target.hf, place));
  Dict state = own && own->get<Dict>() ? *own->get<Dict>() : Dict();
  state["mesh_device"] = device;
  return state;
}

std::vector<WeightTensor> runner::planWeights(const Target &target, const ModulePlace &place) {
  std::vector<std::string> keys = keysOf(target.hf, place);
  std::vector<WeightTensor> own;
  std::vector<WeightTensor> all = planWeights(target);
  // Planned with the whole model and cut out, so that a module's weights cannot differ from those that the model has.
  for (WeightTensor &tensor : all)
    if (tensor.place.size() > keys.size() && std::equal(keys.begin(), keys.end(), tensor.place.begin())) {
      tensor.place.erase(tensor.place.begin(), tensor.place.begin() + std::ptrdiff_t(keys.size()));
      own.push_back(std::move(tensor));
    }
  return own;
}
