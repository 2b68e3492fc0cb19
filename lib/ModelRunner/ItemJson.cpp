//===- ItemJson.cpp - Configurations as JSON ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/ItemJson.h"

#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

/// LLVM's objects have no order.
std::vector<llvm::StringRef> sortedKeys(const json::Object &object) {
  std::vector<llvm::StringRef> keys;
  for (const auto &entry : object)
    keys.push_back(entry.first);
  llvm::sort(keys);
  return keys;
}

// Cases of the published merge are kept as JSON, and so are weight configs. Python's values that JSON has no word
// for are objects with one marked key: {"$tuple": [1, 2]} is (1, 2), {"$stub": [4, 8]} a mesh of 4 x 8 without
// devices, {"$op": "LinearConfig", "f": {...}} an object of a class with the fields that are not as by default.
// ---- Reading ---------------------------------------------------------------------------------------------

/// JSON has no tuples, devices or op configs: an object with a key that begins with '$' stands for each of these
/// (ItemJson.h lists them). `place` grows and shrinks with the recursion, so that an error names where it is.
class ItemReader {
public:
  explicit ItemReader(Dialect dialect) : dialect(dialect) {}

  llvm::Expected<Item> read(const json::Value &value) {
    if (const json::Array *array = value.getAsArray())
      return readSequence(*array, /*tuple=*/false);
    if (const json::Object *object = value.getAsObject())
      return readObject(*object);
    if (auto text = value.getAsString())
      return Item(*text);
    if (auto flag = value.getAsBoolean())
      return Item(*flag);
    // Whole before broken numbers: 1 is to come back as a whole number, and fields of op configs tell the two apart.
    if (auto whole = value.getAsInteger())
      return Item(*whole);
    if (auto number = value.getAsNumber())
      return Item(*number);
    return Item();
  }

private:
  using Form = llvm::Expected<Item> (ItemReader::*)(const json::Value &);

  /// What stands at a key or an index, e.g. ".w1" or "[0]".
  llvm::Expected<Item> readAt(const llvm::Twine &step, const json::Value &value) {
    size_t length = place.size();
    std::string text = step.str();
    // A place begins without the dot that stands between two keys.
    place += place.empty() ? llvm::StringRef(text).ltrim('.').str() : text;
    llvm::Expected<Item> item = read(value);
    place.resize(length);
    return item;
  }

  llvm::Error wrong(const llvm::Twine &message) const {
    return llvm::createStringError(place + (place.empty() ? "" : ": ") + message);
  }

  llvm::Expected<Item> readSequence(const json::Array &array, bool tuple) {
    Sequence sequence{{}, tuple};
    for (auto [index, each] : llvm::enumerate(array)) {
      llvm::Expected<Item> item = readAt("[" + llvm::Twine(index) + "]", each);
      if (!item)
        return item;
      sequence.items.push_back(std::move(*item));
    }
    return Item(std::move(sequence));
  }

  llvm::Expected<Item> readObject(const json::Object &object) {
    if (const json::Value *type = object.get("$op"))
      return readClass(*type, object, /*opConfig=*/true);
    if (const json::Value *type = object.get("$value"))
      return readClass(*type, object, /*opConfig=*/false);
    constexpr std::pair<llvm::StringLiteral, Form> kForms[] = {
        {"$tuple", &ItemReader::readTuple}, {"$stub", &ItemReader::readStub},
        {"$dev", &ItemReader::readDevice},  {"$fwc", &ItemReader::readWeight},
        {"$sw", &ItemReader::readSaved},    {"$tensor", &ItemReader::readTensor},
        {"$W", &ItemReader::readPath}};
    // A marked object means one thing; other keys beside the mark are a mistake in the file, not entries of a
    // dictionary.
    for (auto [key, form] : kForms)
      if (const json::Value *value = object.get(key))
        return object.size() == 1 ? (this->*form)(*value)
                                  : llvm::Expected<Item>(wrong("'" + key + "' stands beside other keys"));
    return readDict(object);
  }

  llvm::Expected<Item> readDict(const json::Object &object) {
    Dict dict;
    // Sorted, so that of several mistakes the same one is reported on every run.
    for (llvm::StringRef key : sortedKeys(object)) {
      llvm::Expected<Item> item = readAt("." + key, *object.get(key));
      if (!item)
        return item;
      dict.entries.emplace_back(key.str(), std::move(*item));
    }
    return Item(std::move(dict));
  }

  /// Fields that are not named keep their defaults, as arguments of a constructor do.
  llvm::Expected<Item> readClass(const json::Value &name, const json::Object &object, bool opConfig) {
    llvm::StringRef mark = opConfig ? "$op" : "$value";
    for (llvm::StringRef key : sortedKeys(object))
      if (key != mark && key != "f")
        return wrong("'" + key + "' stands beside '" + mark + "', which has its fields in 'f'");
    const json::Object *fields = object.getObject("f");
    if (object.get("f") && !fields)
      return wrong("'f' takes an object");
    llvm::StringRef text = name.getAsString().value_or("");
    const ClassInfo *type = findClass(text, dialect);
    if (!type || type->isOpConfig != opConfig)
      return wrong("unknown class '" + text + "'" + didYouMean(text, classNames(dialect)));
    Object made{type, {}};
    for (const FieldInfo &field : type->fields)
      made.fields.push_back(field.defaultValue);
    for (llvm::StringRef field : fields ? sortedKeys(*fields) : std::vector<llvm::StringRef>())
      if (llvm::Error error = readField(made, field, *fields->get(field)))
        return std::move(error);
    return Item(std::move(made));
  }

  llvm::Error readField(Object &object, llvm::StringRef name, const json::Value &value) {
    // Only the later code has that argument; cases for both dialects name it apart.
    if (name == "$dimB") {
      if (dialect == Dialect::Spec)
        return llvm::Error::success();
      name = "dim";
    }
    size_t index = object.type->find(name);
    if (index == object.fields.size())
      return wrong(object.type->name + " has no field '" + name + "'");
    llvm::Expected<Item> item = readAt("." + name, value);
    if (!item)
      return item.takeError();
    object.fields[index] = std::move(*item);
    return llvm::Error::success();
  }

  llvm::Expected<Item> readTuple(const json::Value &value) {
    const json::Array *items = value.getAsArray();
    return items ? readSequence(*items, /*tuple=*/true) : wrong("'$tuple' takes an array");
  }

  static std::optional<GridShape> readShape(const json::Value &value) {
    const json::Array *array = value.getAsArray();
    if (!array || array->size() != 2 || !(*array)[0].getAsInteger() || !(*array)[1].getAsInteger())
      return std::nullopt;
    return GridShape{*(*array)[0].getAsInteger(), *(*array)[1].getAsInteger()};
  }

  llvm::Expected<Item> readStub(const json::Value &value) {
    std::optional<GridShape> shape = readShape(value);
    return shape ? llvm::Expected<Item>(MeshDeviceStub{*shape}) : wrong("'$stub' takes [rows, columns]");
  }

  llvm::Expected<Item> readDevice(const json::Value &value) {
    const json::Array *array = value.getAsArray();
    std::optional<GridShape> shape = array && array->size() == 2 ? readShape((*array)[1]) : std::nullopt;
    if (!shape || !(*array)[0].getAsString())
      return wrong("'$dev' takes [name, [rows, columns]]");
    return Item(MeshDevice{(*array)[0].getAsString()->str(), *shape});
  }

  llvm::Expected<Item> readWeight(const json::Value &value) {
    llvm::Expected<Item> device = read(value);
    if (!device)
      return device;
    std::optional<MeshDeviceItem> mesh = fromItem<MeshDeviceItem>(*device);
    return mesh ? llvm::Expected<Item>(FromWeightConfig{*mesh}) : wrong("'$fwc' takes a $stub or a $dev");
  }

  llvm::Expected<Item> readSaved(const json::Value &value) {
    const json::Array *array = value.getAsArray();
    if (!array || array->size() != 2 || !(*array)[0].getAsString())
      return wrong("'$sw' takes [path, memory config]");
    llvm::Expected<Item> memory = read((*array)[1]);
    if (!memory)
      return memory;
    return Item(SavedWeight{(*array)[0].getAsString()->str(), std::move(*memory)});
  }

  llvm::Expected<Item> readTensor(const json::Value &value) {
    const json::Array *array = value.getAsArray();
    if (!array || array->size() != 3 || !(*array)[0].getAsString() || !(*array)[1].getAsString())
      return wrong("'$tensor' takes [path, device's name, memory config]");
    llvm::Expected<Item> memory = read((*array)[2]);
    if (!memory)
      return memory;
    // Its shape is not told; tensors of cases are compared by the device's name.
    return Item(LoadedTensor{(*array)[0].getAsString()->str(),
                             MeshDevice{(*array)[1].getAsString()->str(), {}}, std::move(*memory)});
  }

  /// A path as the dialect has it: a text in the early code, an object in the later one.
  llvm::Expected<Item> readPath(const json::Value &value) {
    auto path = value.getAsString();
    if (!path)
      return wrong("'$W' takes a path");
    return dialect == Dialect::Spec ? Item(*path) : Item(SavedWeight{path->str(), {}});
  }

  Dialect dialect;
  std::string place; ///< of what is read, as in a merge's messages
};

// ---- Writing ---------------------------------------------------------------------------------------------

json::Array toJson(GridShape shape) { return json::Array{shape.rows, shape.columns}; }
json::Value form(llvm::StringRef key, json::Value value) { return json::Object{{key, std::move(value)}}; }

/// The reverse. What JSON has a word for is written as it is, all else with its mark.
struct Writer {
  json::Value operator()(std::monostate) const { return nullptr; }
  json::Value operator()(bool value) const { return value; }
  json::Value operator()(int64_t value) const { return value; }
  json::Value operator()(double value) const { return value; }
  json::Value operator()(const std::string &text) const { return text; }
  json::Value operator()(const MeshDeviceStub &stub) const { return form("$stub", toJson(stub.shape)); }
  json::Value operator()(const MeshDevice &device) const {
    return form("$dev", json::Array{device.name, toJson(device.shape)});
  }
  json::Value operator()(const FromWeightConfig &weight) const {
    return form("$fwc", std::visit(*this, weight.meshDevice));
  }
  json::Value operator()(const Shared<Sequence> &sequence) const {
    json::Array items;
    for (const Item &item : sequence.get().items)
      items.push_back(itemToJson(item));
    return sequence.get().tuple ? form("$tuple", std::move(items)) : json::Value(std::move(items));
  }
  json::Value operator()(const Shared<Dict> &dict) const {
    json::Object object;
    for (const auto &[key, item] : dict.get().entries)
      object[key] = itemToJson(item);
    return object;
  }
  json::Value operator()(const Shared<Object> &shared) const {
    const Object &object = shared.get();
    json::Object fields;
    for (auto [field, item] : llvm::zip_equal(object.type->fields, object.fields))
      // None is what a field is without a value, unless its class says otherwise.
      if (!item.isNone() || !field.defaultValue.isNone())
        fields[field.name] = itemToJson(item);
    return json::Object{{object.type->isOpConfig ? "$op" : "$value", object.type->name},
                        {"f", std::move(fields)}};
  }
  json::Value operator()(const Shared<SavedWeight> &weight) const {
    return form("$sw", json::Array{weight.get().path, itemToJson(weight.get().memoryConfig)});
  }
  json::Value operator()(const Shared<LoadedTensor> &shared) const {
    const LoadedTensor &tensor = shared.get();
    const MeshDevice *device = std::get_if<MeshDevice>(&tensor.device);
    return form("$tensor", json::Array{tensor.path, device ? json::Value(device->name) : json::Value(nullptr),
                                       itemToJson(tensor.memoryConfig)});
  }
};

} // namespace

llvm::Expected<Item> runner::itemFromJson(const json::Value &json, Dialect dialect) {
  return ItemReader(dialect).read(json);
}

json::Value runner::itemToJson(const Item &item) { return std::visit(Writer(), item.value); }
