//===- ConfigCheck.cpp - Model configs that were changed by hand ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A config that a user changed is compared with the one that we would make.
// Forward functions take shapes from some entries and only pass others on; the
// first kind has to be as it was, of the second any value of the right kind
// will do. All that is wrong is collected, each with its place
// ("moe_decoder_block[1].mla.mla1d.kvpe_cache.kv_cache_shape[0]").
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "tessera/ModelRunner/OpConfigs.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

/// Fields and entries that anyone may change: forward functions read shapes from the others.
constexpr llvm::StringLiteral kFree[] = {
    "memory_config", "program_config", "compute_kernel_config", "input_memory_config", "output_memory_config",
    "topology", "num_links", "epsilon", "scale", "max_rows", "dtype", "largest", "sorted",
    "input_tensor_a_activations",
    // Of the device's memory, which a state may name.
    "multi_device_global_semaphore", "barrier_semaphore", "persistent_output_tensor",
    "persistent_output_buffers", "subdevice_id"};

class Comparison {
public:
  std::vector<std::string> wrong;

  void compare(const Item &given, const Item &own, const std::string &place, llvm::StringRef key) {
    // A device is whichever the state names, and a weight whichever file the weight config does.
    if (given == own || (given.get<MeshDevice>() && own.get<MeshDevice>()) ||
        (given.get<LoadedTensor>() && own.get<LoadedTensor>()))
      return;
    const auto *givenDict = given.get<Dict>(), *ownDict = own.get<Dict>();
    const auto *givenList = given.get<Sequence>(), *ownList = own.get<Sequence>();
    const auto *givenObject = given.get<Object>(), *ownObject = own.get<Object>();
    if (llvm::is_contained(kFree, key))
      checkFree(given, own, place);
    else if (givenDict && ownDict)
      compareDicts(*givenDict, *ownDict, place);
    else if (givenList && ownList && givenList->items.size() == ownList->items.size())
      for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(givenList->items, ownList->items)))
        compare(std::get<0>(pair), std::get<1>(pair), place + "[" + std::to_string(index) + "]", "");
    else if (givenObject && ownObject && givenObject->type == ownObject->type)
      for (size_t i = 0; i != ownObject->fields.size(); ++i)
        compareField(*givenObject, *ownObject, i, place);
    else if (place.empty())
      wrong.push_back("this is no model config, which is an object as 'tessera config' writes it");
    else
      wrong.push_back(place + " should be " + str(own) + ", as the model's shapes follow from it");
  }

private:
  void compareDicts(const Dict &given, const Dict &own, const std::string &place) {
    auto inside = [&](const std::string &key) { return place + (place.empty() ? "" : ".") + key; };
    for (const auto &[key, value] : own.entries)
      if (const Item *found = given.find(key))
        compare(*found, value, inside(key), key);
      else
        wrong.push_back(inside(key) + " is missing");
    for (const auto &[key, value] : given.entries)
      if (!own.find(key))
        checkAdded(given, key, value, inside(key));
  }

  /// What may be added is how a linear layer's program config follows from the rows.
  void checkAdded(const Dict &given, llvm::StringRef key, const Item &value, const std::string &place) {
    const Object *object = value.opConfig();
    // The name of the op that it belongs to is left, "w1" of "w1_pc".
    const Item *op = key.consume_back("_pc") ? given.find(key) : nullptr;
    std::optional<LinearConfig> linear = op ? fromItem<LinearConfig>(*op) : std::nullopt;
    if (!linear || !object || object->type != &classInfo<ProgramConfigData>()) {
      wrong.push_back(place + " is not an entry of this model");
      return;
    }
    checkFields(*object, place);
    for (auto [field, item] : llvm::zip_equal(object->type->fields, object->fields))
      if (item.isNone())
        wrong.push_back(place + "." + field.name.str() + " is missing");
    if (linear->program_config)
      wrong.push_back(place + " and a program_config of '" + key.str() + "': only one of them can be");
  }

  /// What a field takes, its class says.
  void compareField(const Object &given, const Object &own, size_t index, const std::string &place) {
    const FieldInfo &field = own.type->fields[index];
    std::string at = place + "." + field.name.str();
    if (!field.accepts(given.fields[index]))
      refuse(*own.type, field, given.fields[index], at);
    else
      compare(given.fields[index], own.fields[index], at, field.name);
  }

  /// Names the innermost field that does not take what it holds.
  void refuse(const ClassInfo &type, const FieldInfo &field, const Item &item, const std::string &place) {
    size_t before = wrong.size();
    if (const Object *object = item.get<Object>())
      checkFields(*object, place);
    if (wrong.size() == before)
      wrong.push_back(place + ": " + type.name.str() + " takes " + field.expected + " here, not " +
                      str(item));
  }
  void checkFields(const Object &object, const std::string &place) {
    for (auto [field, item] : llvm::zip_equal(object.type->fields, object.fields))
      if (!field.accepts(item))
        refuse(*object.type, field, item, place + "." + field.name.str());
  }

  /// What stands in a dict has no class that says what it may be: something of the kind that the module has there.
  void checkFree(const Item &given, const Item &own, const std::string &place) {
    std::optional<double> number = fromItem<double>(own), other = fromItem<double>(given);
    // A module's own entry tells whether the number is a count.
    bool whole = own.get<int64_t>();
    if (number && (!other || !(*other > 0) || (whole && !given.get<int64_t>())))
      wrong.push_back(place + " should be a " + (whole ? "whole " : "") + "number above 0");
    const auto *givenObject = given.get<Object>(), *ownObject = own.get<Object>();
    if (!ownObject || given.isNone())
      return;
    if (!givenObject || givenObject->type->isOpConfig)
      wrong.push_back(place + " should be a " + ownObject->type->name.str() + ", not " + str(given));
    // A matmul may run with another program than the module's.
    else if (givenObject->type != ownObject->type && !givenObject->type->name.ends_with("ProgramConfig"))
      wrong.push_back(place + " should be a " + ownObject->type->name.str() + ", not " + str(given));
    else
      checkFields(*givenObject, place);
  }
};

} // namespace

std::vector<std::string> runner::checkConfig(const Item &given, const Item &own) {
  Comparison comparison;
  comparison.compare(given, own, "", "");
  return std::move(comparison.wrong);
}
