//===- Item.h - One node of a model, weight, state or run configuration ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The configurations of the model runner are trees: dicts, lists and tuples of
// op configs, of stand-ins for weights and devices, and of plain values. An Item
// is one node. Its contents are immutable and shared, so copying a tree is cheap
// and no function can change the tree of its caller.
//
//   {"w1": LinearConfig(input_tensor_b=FromWeightConfig(MeshDeviceStub((4, 8))))}
//
// C++ code writes op configs as structs (OpConfigs.h); Reflection.h turns them
// into Items and back.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_ITEM_H
#define TESSERA_MODELRUNNER_ITEM_H

#include "tessera/Device/DeviceSpec.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tessera::runner {

struct Item;

/// Stands for a mesh of that shape until the model's state names the device.
struct MeshDeviceStub {
  GridShape shape;
  bool operator==(const MeshDeviceStub &) const = default;
};

/// A mesh of devices; simulated ones have a name and a shape.
struct MeshDevice {
  std::string name;
  GridShape shape;
  bool operator==(const MeshDevice &) const = default;
};

using MeshDeviceItem = std::variant<MeshDeviceStub, MeshDevice>;

/// Stands for a weight that the weight config names, on that mesh.
struct FromWeightConfig {
  MeshDeviceItem meshDevice;
  bool operator==(const FromWeightConfig &) const = default;
};

struct Sequence;
struct Dict;
struct Object;
struct SavedWeight;
struct LoadedTensor;

/// A node that others may share; equal if what it holds is.
/// Two nodes that are one are equal without a look: most of what a merge compares is.
template <class T>
class Shared {
public:
  explicit Shared(T value) : value(std::make_shared<const T>(std::move(value))) {}
  const T &get() const { return *value; }
  bool operator==(const Shared &other) const { return value == other.value || *value == *other.value; }

private:
  std::shared_ptr<const T> value;
};

/// Containers are incomplete where Item's variant is declared, and large: a pointer stands for each.
template <class T>
inline constexpr bool kIsShared = llvm::is_one_of<T, Sequence, Dict, Object, SavedWeight, LoadedTensor>();

struct Item {
  /// The first one is None: "not passed".
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, MeshDeviceStub, MeshDevice,
                             FromWeightConfig, Shared<Sequence>, Shared<Dict>, Shared<Object>,
                             Shared<SavedWeight>, Shared<LoadedTensor>>;
  Value value;

  Item() = default;
  Item(bool value) : value(value) {}
  Item(int64_t value) : value(value) {}
  Item(int value) : value(int64_t(value)) {}
  Item(double value) : value(value) {}
  Item(std::string value) : value(std::move(value)) {}
  Item(llvm::StringRef value) : value(value.str()) {}
  Item(const char *value) : value(std::string(value)) {}
  Item(MeshDeviceStub value) : value(value) {}
  Item(MeshDevice value) : value(std::move(value)) {}
  Item(MeshDeviceItem value) {
    std::visit([this](auto &device) { this->value = std::move(device); }, value);
  }
  Item(FromWeightConfig value) : value(std::move(value)) {}
  Item(Sequence value);
  Item(Dict value);
  Item(Object value);
  Item(SavedWeight value);
  Item(LoadedTensor value);

  bool isNone() const { return std::holds_alternative<std::monostate>(value); }
  /// nullptr if it is something else.
  template <class T>
  const T *get() const {
    if constexpr (!kIsShared<T>)
      return std::get_if<T>(&value);
    else if (const Shared<T> *shared = std::get_if<Shared<T>>(&value))
      return &shared->get();
    else
      return nullptr;
  }
  /// The op config that it is, or nullptr: other objects are not containers.
  const Object *opConfig() const;

  bool operator==(const Item &) const;
};

/// A list or a tuple.
struct Sequence {
  std::vector<Item> items;
  bool tuple = false;
  bool operator==(const Sequence &) const = default;
};

/// Keys are distinct, and in the order in which they were given. Two dicts are equal in whatever order.
struct Dict {
  std::vector<std::pair<std::string, Item>> entries;

  const Item *find(llvm::StringRef key) const;
  /// The value at a key; None is put there if it is new.
  Item &operator[](llvm::StringRef key);
  bool operator==(const Dict &) const;
};

/// What is known of a field of a class.
struct FieldInfo {
  llvm::StringRef name;
  bool required = false; ///< has no default
  Item defaultValue;
  /// Whether the field's type takes the item. None it always takes: that is `required`'s affair.
  bool (*accepts)(const Item &) = nullptr;
  std::string expected; ///< what it takes, for messages
};

/// What is known of a class of op configs ("LinearConfig") or of ttnn objects in their fields ("MemoryConfig").
struct ClassInfo {
  llvm::StringRef name;
  bool isOpConfig = false;
  std::vector<FieldInfo> fields; ///< in declaration order

  /// Index of a field, or fields.size().
  size_t find(llvm::StringRef field) const;
};

/// An object of a class, with one item per field.
struct Object {
  const ClassInfo *type;
  std::vector<Item> fields;
  bool operator==(const Object &) const = default;
};

/// A weight that lies in a file, and the memory it is meant for.
struct SavedWeight {
  std::string path;
  Item memoryConfig;
  bool operator==(const SavedWeight &) const = default;
};

/// A weight that was loaded.
struct LoadedTensor {
  std::string path;
  MeshDeviceItem device;
  Item memoryConfig;
  bool operator==(const LoadedTensor &) const = default;
};

/// The item as Python's str() prints it in the messages of the published code; devices are `<dev>` there. Text in
/// containers is quoted, as repr() does.
std::string str(const Item &item);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_ITEM_H
