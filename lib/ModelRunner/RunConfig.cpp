//===- RunConfig.cpp - Model, weights and state become one configuration --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. Fold the states into one.         3. Merge the result with the weights.
//   2. Merge the model config with it.   4. Checked: look at what came out.
//
// The structure is merged alike in 1 to 3; they differ in what becomes of two
// items that are not both containers, and in whether "mesh_device" names a
// device. Rules: facts/deepseek 1.3.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/RunConfig.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <set>

using namespace tessera;
using namespace tessera::runner;

namespace {

constexpr llvm::StringLiteral kMeshDevice = "mesh_device";

bool isSequenceOrNone(const Item &item) { return item.isNone() || item.get<Sequence>(); }
bool isDictOrNone(const Item &item) { return item.isNone() || item.get<Dict>(); }
/// None counts as empty. Keys of what is returned are referred to as long as a merge runs.
const Dict &dictOf(const Item &item) {
  static const Dict empty;
  return item.isNone() ? empty : *item.get<Dict>();
}

/// The fields of an op config as a dict, None included: what its merge works on.
Dict fieldsOf(const Object &object) {
  Dict dict;
  for (auto [field, item] : llvm::zip_equal(object.type->fields, object.fields))
    dict.entries.emplace_back(field.name.str(), item);
  return dict;
}

class Merger {
public:
  Merger(const MergeOptions &options, RunConfig &result) : options(options), result(result) {}

  Item foldStates(llvm::ArrayRef<Item> states);
  Item mergeState(const Item &model, const Item &state) {
    return mergeWith({&Merger::stateLeaf, /*searchDevice=*/true}, model, state);
  }
  Item mergeWeights(const Item &model, const Item &weights) {
    // By MergeMode.
    constexpr Leaf kLeaves[] = {&Merger::specWeightLeaf, &Merger::publishedWeightLeaf,
                                &Merger::compatWeightLeaf, &Merger::checkedWeightLeaf};
    return mergeWith({kLeaves[size_t(options.mode)], /*searchDevice=*/false}, model, weights);
  }
  /// Reports fields of op configs that do not take what they hold.
  void checkFields(const Item &item);

private:
  using Leaf = Item (Merger::*)(const Item &, const Item &);
  /// One of the merges: what becomes of leaves, and whether devices are looked for.
  struct Step {
    Leaf leaf;
    bool searchDevice;
  };

  bool published() const { return options.mode == MergeMode::Published; }
  /// The two that know one state, and lists of one length.
  bool early() const { return options.mode == MergeMode::Spec || published(); }
  bool checked() const { return options.mode == MergeMode::Checked; }

  Item mergeWith(Step next, const Item &a, const Item &b) {
    step = next;
    device = Item();
    return merge(a, b);
  }

  // ---- Structure ----
  Item merge(const Item &a, const Item &b);
  Item mergeOpConfig(const Object &a, const Item &b);
  Item mergeDicts(const Dict &a, const Dict &b);
  Item mergeSequences(const Sequence *a, const Sequence *b);
  bool canMergeSequences(const Item &a, const Item &b);
  /// A key, or an index in a list. Keys belong to what is merged.
  struct PathPart {
    llvm::StringRef key;
    size_t index = 0;
  };
  Item mergeAt(PathPart part, const Item &a, const Item &b);
  using Entry = std::pair<llvm::StringRef, const Item *>;
  template <class Emit>
  void mergeKeys(llvm::ArrayRef<Entry> a, const Dict &b, Emit emit);

  // ---- Leaves ----
  Item foldLeaf(const Item &a, const Item &b);
  Item stateLeaf(const Item &a, const Item &b);
  Item specWeightLeaf(const Item &a, const Item &b);
  Item publishedWeightLeaf(const Item &a, const Item &b);
  Item compatWeightLeaf(const Item &a, const Item &b);
  Item checkedWeightLeaf(const Item &a, const Item &b);
  MeshDeviceItem resolve(const MeshDeviceItem &item);
  Item keep(const Item &item);
  Item load(const FromWeightConfig &place, const SavedWeight &weight);

  // ---- Reports ----
  std::string pathText() const;
  /// Checked: one report per place; what follows from a first problem is not another mistake.
  Item report(llvm::StringRef error, const llvm::Twine &message) {
    std::string place = pathText();
    if (reported.insert(place).second || !checked())
      result.problems.push_back({place, error.str(), message.str()});
    return Item();
  }
  Item reportConflict(llvm::StringRef what, const Item &a, const Item &b, llvm::StringRef advice = "");

  const MergeOptions &options;
  RunConfig &result;
  Step step{};
  Item device; ///< of the innermost part of the state that names one; None: no device
  std::vector<PathPart> path;
  std::set<std::string> reported;
};

// ---- Structure -------------------------------------------------------------------------------------------

Item Merger::merge(const Item &a, const Item &b) {
  if (a.isNone() && b.isNone())
    return Item();
  // Op configs before dicts: their class has a say in which keys may be.
  if (const Object *op = a.opConfig())
    return mergeOpConfig(*op, b);
  if (isSequenceOrNone(a) && isSequenceOrNone(b) && canMergeSequences(a, b))
    return mergeSequences(a.get<Sequence>(), b.get<Sequence>());
  if (options.mode == MergeMode::Spec && a.get<Sequence>() && b.get<Sequence>())
    return report("ValueError", "lists and tuples have to be of the same kind and length, not " +
                                    llvm::Twine(a.get<Sequence>()->items.size()) + " and " +
                                    llvm::Twine(b.get<Sequence>()->items.size()) + " items");
  if (isDictOrNone(a) && isDictOrNone(b))
    return mergeDicts(dictOf(a), dictOf(b));
  return (this->*step.leaf)(a, b);
}

Item Merger::mergeAt(PathPart part, const Item &a, const Item &b) {
  path.push_back(part);
  Item merged = merge(a, b);
  path.pop_back();
  return merged;
}

/// Calls `emit` with each key and what is merged there: the keys of a in their order, then those that only b has.
template <class Emit>
void Merger::mergeKeys(llvm::ArrayRef<Entry> a, const Dict &b, Emit emit) {
  const Item none;
  const Item *found = step.searchDevice ? b.find(kMeshDevice) : nullptr;
  // A part of the state that names a device names it for all that lies below, and only there.
  Item outer = device;
  if (found)
    device = *found; // None, too: there is no device below then
  // The key itself is no part of the result: it only says where its subtree lies.
  auto inB = [&](llvm::StringRef key) { return found && key == kMeshDevice ? nullptr : b.find(key); };
  for (auto [key, item] : a) {
    const Item *other = inB(key);
    emit(key, mergeAt({key}, *item, other ? *other : none));
  }
  for (const auto &[key, item] : b.entries)
    if (inB(key) && !llvm::is_contained(llvm::make_first_range(a), key))
      emit(key, mergeAt({key}, none, item));
  device = outer;
}

/// Only side a is unwrapped: two op configs are two values for one place.
Item Merger::mergeOpConfig(const Object &a, const Item &b) {
  if (!isDictOrNone(b))
    // As its fields, since that is how the published code prints such a pair.
    return (this->*step.leaf)(fieldsOf(a), b);
  llvm::SmallVector<Entry, 16> fields;
  for (auto [field, item] : llvm::zip_equal(a.type->fields, a.fields))
    fields.emplace_back(field.name, &item);
  Object object{a.type, {}};
  object.fields.reserve(a.fields.size());
  llvm::SmallVector<llvm::StringRef> unknown;
  mergeKeys(fields, dictOf(b), [&](llvm::StringRef name, Item item) {
    if (object.fields.size() != a.fields.size())
      object.fields.push_back(std::move(item)); // the class's own come first, in order
    else
      unknown.push_back(name);
  });
  for (llvm::StringRef name : unknown) // as the constructor would say, after all that is below
    report("TypeError",
           (a.type->name + ".__init__() got an unexpected keyword argument '" + name + "'").str());
  return object;
}

Item Merger::mergeDicts(const Dict &a, const Dict &b) {
  llvm::SmallVector<Entry, 16> entries;
  for (const auto &[key, item] : a.entries)
    entries.emplace_back(key, &item);
  Dict merged;
  mergeKeys(entries, b,
            [&](llvm::StringRef key, Item item) { merged.entries.emplace_back(key.str(), std::move(item)); });
  return merged;
}

/// The later dialect repeats a single item for all of the other side: one layer's config serves all layers. Whether a
/// list of one may meet a tuple depends on the side it is on, there; Checked asks for the same container.
bool Merger::canMergeSequences(const Item &a, const Item &b) {
  const Sequence *left = a.get<Sequence>(), *right = b.get<Sequence>();
  if (!left || !right)
    return true;
  bool sameType = left->tuple == right->tuple;
  if (sameType && left->items.size() == right->items.size())
    return true;
  if (early())
    return false;
  if (checked())
    return sameType && ((left->items.size() == 1 && !right->items.empty()) ||
                        (right->items.size() == 1 && !left->items.empty()));
  return left->items.size() == 1 || (right->items.size() == 1 && sameType);
}

Item Merger::mergeSequences(const Sequence *a, const Sequence *b) {
  if (published() && a && !b && a->items.empty()) // the published code takes an empty list for a missing one
    return report("TypeError", "object of type 'NoneType' has no len()");
  // A side that is missing is None throughout; a single item is repeated to the length of the other side.
  size_t left = a ? a->items.size() : 1, right = b ? b->items.size() : left;
  size_t length = left == 1 ? right : left;
  auto at = [](const Sequence *sequence, size_t i) {
    return !sequence ? Item() : sequence->items[sequence->items.size() == 1 ? 0 : i];
  };
  Sequence merged{{}, a ? a->tuple : b->tuple};
  for (size_t i = 0; i != length; ++i)
    merged.items.push_back(mergeAt({llvm::StringRef(), i}, at(a, i), at(b, i)));
  return merged;
}

// ---- States ----------------------------------------------------------------------------------------------

Item Merger::foldStates(llvm::ArrayRef<Item> states) {
  if (states.empty())
    return report("TypeError", "reduce() of empty iterable with no initial value");
  // "A" knows one state only, and its signature says so.
  if (early() && states.size() != 1)
    return report("TypeError", "create_run_config() takes 3 positional arguments but " +
                                   llvm::Twine(states.size() + 2) + " were given");
  Item all = states.front();
  for (const Item &state : states.drop_front())
    all = mergeWith({&Merger::foldLeaf, /*searchDevice=*/false}, all, state);
  return all;
}

Item Merger::foldLeaf(const Item &a, const Item &b) {
  if (a.isNone() || b.isNone())
    return a.isNone() ? b : a;
  return reportConflict("partial model state", a, b);
}

/// The device that a stand-in stands for.
MeshDeviceItem Merger::resolve(const MeshDeviceItem &item) {
  const MeshDeviceStub *stub = std::get_if<MeshDeviceStub>(&item);
  if (!stub)
    return item;
  const MeshDevice *found = device.get<MeshDevice>();
  if (!found)
    report("ValueError", "MeshDevice expected but not found under the 'mesh_device' key in the model state");
  else if (found->shape != stub->shape)
    report("ValueError", "MeshDevice has the wrong shape for a given FromWeightConfig");
  return found ? MeshDeviceItem(*found) : item;
}

Item Merger::stateLeaf(const Item &a, const Item &b) {
  if (a.isNone())
    return b;
  if (!b.isNone())
    return reportConflict("model_weight and state config", a, b);
  if (const FromWeightConfig *weight = a.get<FromWeightConfig>())
    return FromWeightConfig{resolve(weight->meshDevice)};
  if (const MeshDeviceStub *stub = a.get<MeshDeviceStub>())
    return resolve(*stub);
  return a;
}

// ---- Weights ---------------------------------------------------------------------------------------------

/// What no weight goes to.
Item Merger::keep(const Item &item) {
  if (!item.get<MeshDeviceStub>())
    return item;
  return report("AssertionError",
                "MeshDeviceStub should have been replaced by a real MeshDevice from the model state");
}

Item Merger::load(const FromWeightConfig &place, const SavedWeight &weight) {
  std::string key = weight.path;
  if (const MeshDevice *mesh = std::get_if<MeshDevice>(&place.meshDevice); mesh && checked())
    key += "\n" + mesh->name + "\n" + str(weight.memoryConfig);
  // A cache serves one file to all places that name it. The published key is the path alone, which gives a second
  // device the tensor of the first; only Checked departs from that.
  if (options.cache)
    if (auto found = options.cache->find(key); found != options.cache->end())
      return found->second;
  // Without a loader a note stands for the tensor: configurations can be looked at on a machine without devices.
  Item tensor = options.load ? options.load(weight, place.meshDevice)
                             : Item(LoadedTensor{weight.path, place.meshDevice, weight.memoryConfig});
  if (options.cache)
    options.cache->emplace(key, tensor);
  return tensor;
}

/// "If the items are not containers, then it is required that only one of them is not None"; a weight is a path.
Item Merger::specWeightLeaf(const Item &a, const Item &b) {
  if (const FromWeightConfig *place = a.get<FromWeightConfig>()) {
    if (const SavedWeight *weight = b.get<SavedWeight>())
      return load(*place, *weight);
    if (b.isNone())
      return report("ValueError", "the model config waits for a weight, and the weight config has none");
  }
  return a.isNone() ? b : publishedWeightLeaf(a, b);
}

Item Merger::publishedWeightLeaf(const Item &a, const Item &b) {
  if (const FromWeightConfig *place = a.get<FromWeightConfig>())
    if (const std::string *weight = b.get<std::string>())
      return load(*place, {*weight, {}});
  return b.isNone() ? keep(a) : reportConflict("model and weight config", a, b);
}

Item Merger::compatWeightLeaf(const Item &a, const Item &b) {
  const SavedWeight *weight = b.get<SavedWeight>();
  if (const FromWeightConfig *place = a.get<FromWeightConfig>())
    return weight ? load(*place, *weight) : Item();
  if (a.isNone() && weight) {
    result.warnings.push_back("Cached weight " + weight->path +
                              " is not needed by the model config, ignoring it.");
    return Item();
  }
  return b.isNone() ? keep(a)
                    : reportConflict("model and weight config", a, b, " Try recalculating cached weights.");
}

Item Merger::checkedWeightLeaf(const Item &a, const Item &b) {
  const SavedWeight *weight = b.get<SavedWeight>();
  if (const FromWeightConfig *place = a.get<FromWeightConfig>()) {
    if (weight)
      return load(*place, *weight);
    return report("ValueError", b.isNone()
                                    ? "the model config waits for a weight, and the weight config has none"
                                    : "the model config waits for a weight, and the weight config has " +
                                          str(b) + ", which is not a SavedWeight");
  }
  if (a.isNone() && !b.isNone())
    return report("ValueError",
                  "the weight config has " + str(b) + ", and the model config does not wait for a weight");
  return b.isNone() ? keep(a) : reportConflict("model and weight config", a, b);
}

// ---- Reports ---------------------------------------------------------------------------------------------

std::string Merger::pathText() const {
  std::string text;
  for (const PathPart &part : path)
    if (part.key.data()) // keys may be empty
      text += (text.empty() ? "" : ".") + part.key.str();
    else
      text += "[" + std::to_string(part.index) + "]";
  return text;
}

/// The text of the published code, to the word: its cases compare messages. The full stop in front of an advice is
/// theirs.
Item Merger::reportConflict(llvm::StringRef what, const Item &a, const Item &b, llvm::StringRef advice) {
  return report("ValueError", "Unsupported " + what + " items to merge: " + str(a) + " and " + str(b) +
                                  (advice.empty() ? "" : ".") + advice);
}

void Merger::checkFields(const Item &item) {
  auto at = [&](PathPart part, const Item &below) {
    path.push_back(part);
    checkFields(below);
    path.pop_back();
  };
  if (const Dict *dict = item.get<Dict>())
    for (const auto &[key, below] : dict->entries)
      at({key}, below);
  if (const Sequence *sequence = item.get<Sequence>())
    for (auto [i, below] : llvm::enumerate(sequence->items))
      at({llvm::StringRef(), i}, below);
  const Object *op = item.opConfig();
  for (size_t i = 0; op && i != op->fields.size(); ++i) {
    const FieldInfo &field = op->type->fields[i];
    path.push_back({field.name});
    if (!field.accepts(op->fields[i]))
      report("TypeError", op->type->name + " takes " + field.expected + " here, not " + str(op->fields[i]));
    else if (field.required && op->fields[i].isNone())
      report("TypeError", op->type->name + " requires " + field.expected + " here");
    path.pop_back();
  }
}

} // namespace

RunConfig runner::runConfig(const Item &model, const Item &weights, llvm::ArrayRef<Item> states,
                            const MergeOptions &options) {
  RunConfig result;
  Merger merger(options, result);
  Item state = merger.foldStates(states);
  Item waiting = merger.mergeState(model, state);
  result.config = merger.mergeWeights(waiting, weights);
  if (options.mode == MergeMode::Checked)
    merger.checkFields(result.config);
  // No half-merged config: whoever ignored the problems would run with it.
  if (!result.problems.empty())
    result.config = Item();
  return result;
}
