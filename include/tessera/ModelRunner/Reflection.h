//===- Reflection.h - Structs of fields, and Items ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A class of configurations is a struct that names its fields once more:
//
//   struct MulConfig {
//     static constexpr llvm::StringLiteral kClass = "MulConfig";
//     static constexpr bool kIsOpConfig = true;
//     std::optional<MemoryConfig> memory_config;
//     std::optional<std::vector<UnaryOpType>> input_tensor_a_activations;
//     TESSERA_FIELDS(memory_config, input_tensor_a_activations)
//   };
//
// From that follow its description (classInfo), its JSON, its printed form, its
// merge and its equality. Fields are spelled as ttnn's keyword arguments.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_REFLECTION_H
#define TESSERA_MODELRUNNER_REFLECTION_H

#include "tessera/Layout/DataType.h"
#include "tessera/Layout/TensorLayout.h"
#include "tessera/ModelRunner/Item.h"

#include <optional>

namespace tessera::runner {

/// A field without a default: None until it is set, an error in a run config if it still is.
template <class T>
struct Required : std::optional<T> {
  using std::optional<T>::optional;
};

// The preprocessor's way to visit a list: each round of TESSERA_EXPAND lets it take further steps; 64 are enough.
#define TESSERA_EXPAND(...) TESSERA_EXPAND3(TESSERA_EXPAND3(TESSERA_EXPAND3(TESSERA_EXPAND3(__VA_ARGS__))))
#define TESSERA_EXPAND3(...) TESSERA_EXPAND2(TESSERA_EXPAND2(TESSERA_EXPAND2(TESSERA_EXPAND2(__VA_ARGS__))))
#define TESSERA_EXPAND2(...) TESSERA_EXPAND1(TESSERA_EXPAND1(TESSERA_EXPAND1(TESSERA_EXPAND1(__VA_ARGS__))))
#define TESSERA_EXPAND1(...) __VA_ARGS__
#define TESSERA_PARENTHESES ()
#define TESSERA_VISIT_FIELDS(name, ...)                                                                      \
  visit(llvm::StringLiteral(#name), self.name);                                                              \
  __VA_OPT__(TESSERA_VISIT_AGAIN TESSERA_PARENTHESES(__VA_ARGS__))
#define TESSERA_VISIT_AGAIN() TESSERA_VISIT_FIELDS
/// The fields of a struct, in order: `visit(name, field)` for each.
#define TESSERA_FIELDS(...)                                                                                  \
  template <class Self, class Visit>                                                                         \
  static void visitFields(Self &self, Visit &&visit) {                                                       \
    TESSERA_EXPAND(TESSERA_VISIT_FIELDS(__VA_ARGS__))                                                        \
  }

/// A struct whose fields can be visited: TESSERA_FIELDS has named them.
template <class T>
concept Reflected = requires { T::kClass; };

/// How a C++ type stands in a tree: toItem, fromItem (false if the item does not fit), and what it is called.
template <class T>
struct ItemTraits;

/// The item that stands for a value; every value has one.
template <class T>
Item toItem(const T &value) {
  return ItemTraits<T>::to(value);
}
/// nullopt if the item is not a T.
template <class T>
std::optional<T> fromItem(const Item &item) {
  T value{};
  if (!ItemTraits<T>::from(item, value))
    return std::nullopt;
  return value;
}

/// Types that are alternatives of an Item.
template <class T>
struct PlainTraits {
  static Item to(const T &value) { return value; }
  static bool from(const Item &item, T &value) {
    const T *found = item.get<T>();
    if (found)
      value = *found;
    return found;
  }
};
template <>
struct ItemTraits<bool> : PlainTraits<bool> {
  static std::string expected() { return "true or false"; }
};
template <>
struct ItemTraits<int64_t> : PlainTraits<int64_t> {
  static std::string expected() { return "a whole number"; }
};
template <>
struct ItemTraits<std::string> : PlainTraits<std::string> {
  static std::string expected() { return "text"; }
};
template <>
struct ItemTraits<FromWeightConfig> : PlainTraits<FromWeightConfig> {
  static std::string expected() { return "a weight"; }
};
template <>
struct ItemTraits<LoadedTensor> : PlainTraits<LoadedTensor> {
  static std::string expected() { return "a loaded weight"; }
};
template <>
struct ItemTraits<MeshDeviceStub> : PlainTraits<MeshDeviceStub> {
  static std::string expected() { return "a mesh device's stand-in"; }
};
template <>
struct ItemTraits<MeshDevice> : PlainTraits<MeshDevice> {
  static std::string expected() { return "a mesh device"; }
};
/// What the trees of a model need no type for, such as a semaphore.
template <>
struct ItemTraits<Item> {
  static Item to(const Item &value) { return value; }
  static bool from(const Item &item, Item &value) {
    value = item;
    return true;
  }
  static std::string expected() { return "anything"; }
};
/// A whole number is one, too: Python and JSON write 1 for 1.0.
template <>
struct ItemTraits<double> {
  static Item to(double value) { return value; }
  static bool from(const Item &item, double &value) {
    if (const int64_t *whole = item.get<int64_t>())
      value = double(*whole);
    else if (const double *number = item.get<double>())
      value = *number;
    else
      return false;
    return true;
  }
  static std::string expected() { return "a number"; }
};

/// Enums are their names.
template <class T, std::optional<T> (*Parse)(llvm::StringRef)>
struct NamedTraits {
  static Item to(T value) { return name(value); }
  static bool from(const Item &item, T &value) {
    const std::string *text = item.get<std::string>();
    std::optional<T> parsed = text ? Parse(*text) : std::nullopt;
    value = parsed.value_or(T());
    return parsed.has_value();
  }
};
template <>
struct ItemTraits<DataType> : NamedTraits<DataType, parseDataType> {
  static std::string expected() { return "a data type"; }
};
template <>
struct ItemTraits<BufferType> : NamedTraits<BufferType, parseBufferType> {
  static std::string expected() { return "a buffer type"; }
};
template <>
struct ItemTraits<MemoryLayout> : NamedTraits<MemoryLayout, parseMemoryLayout> {
  static std::string expected() { return "a memory layout"; }
};
template <>
struct ItemTraits<PageLayout> : NamedTraits<PageLayout, parsePageLayout> {
  static std::string expected() { return "a page layout"; }
};

/// None is what a field holds that is not set, and so not passed to the op.
template <class T>
struct ItemTraits<std::optional<T>> {
  static Item to(const std::optional<T> &value) { return value ? toItem(*value) : Item(); }
  static bool from(const Item &item, std::optional<T> &value) {
    value.reset();
    if (item.isNone())
      return true;
    value = fromItem<T>(item);
    return value.has_value();
  }
  static std::string expected() { return ItemTraits<T>::expected(); }
};
/// In a tree both are None or a value. That a required one must not stay None is asked once, of a whole run config.
template <class T>
struct ItemTraits<Required<T>> : ItemTraits<std::optional<T>> {};

/// From a list as well as from a tuple: ttnn takes either.
template <class T>
struct ItemTraits<std::vector<T>> {
  static Item to(const std::vector<T> &value) {
    Sequence list;
    for (const T &each : value)
      list.items.push_back(toItem(each));
    return list;
  }
  static bool from(const Item &item, std::vector<T> &value) {
    const Sequence *list = item.get<Sequence>();
    value.clear();
    for (const Item &each : list ? list->items : std::vector<Item>()) {
      std::optional<T> element = fromItem<T>(each);
      if (!element)
        return false;
      value.push_back(std::move(*element));
    }
    return list;
  }
  static std::string expected() { return "a list, each " + ItemTraits<T>::expected(); }
};

/// An alternative has no mark of its own in a tree, so that no two of them may fit one item.
template <class... Ts>
struct ItemTraits<std::variant<Ts...>> {
  using Any = std::variant<Ts...>;
  static Item to(const Any &value) {
    return std::visit([](const auto &each) { return toItem(each); }, value);
  }
  static bool from(const Item &item, Any &value) {
    // Types are tried in order, and the first that fits wins.
    auto take = [&](auto &&parsed) { return parsed && (value = std::move(*parsed), true); };
    return (take(fromItem<Ts>(item)) || ...);
  }
  static std::string expected() {
    std::string all;
    ((all += (all.empty() ? "" : " or ") + ItemTraits<Ts>::expected()), ...);
    return all;
  }
};

/// The description of a class.
template <Reflected T>
const ClassInfo &classInfo();

/// By its class and not by its fields: two classes with equal fields are two.
template <Reflected T>
struct ItemTraits<T> {
  static Item to(const T &value) {
    Object object{&classInfo<T>(), {}};
    T::visitFields(value,
                   [&](llvm::StringRef, const auto &field) { object.fields.push_back(toItem(field)); });
    return object;
  }
  static bool from(const Item &item, T &value) {
    const Object *object = item.get<Object>();
    if (!object || object->type != &classInfo<T>())
      return false;
    bool fits = true;
    size_t i = 0;
    T::visitFields(value, [&](llvm::StringRef, auto &field) {
      fits &= ItemTraits<std::remove_cvref_t<decltype(field)>>::from(object->fields[i++], field);
    });
    return fits;
  }
  static std::string expected() { return T::kClass.str(); }
};

namespace detail {
template <class T>
inline constexpr bool isRequired = false;
template <class T>
inline constexpr bool isRequired<Required<T>> = true;

template <class Field>
FieldInfo fieldInfo(llvm::StringRef name, const Field &defaultValue) {
  return {name, isRequired<Field>, toItem(defaultValue),
          [](const Item &item) { return fromItem<Field>(item).has_value(); }, ItemTraits<Field>::expected()};
}
} // namespace detail

/// Made once, from an object with all defaults. Its address is what tells classes apart.
template <Reflected T>
const ClassInfo &classInfo() {
  static const ClassInfo info = [] {
    ClassInfo made{T::kClass, T::kIsOpConfig, {}};
    const T defaults{};
    T::visitFields(defaults, [&](llvm::StringRef name, const auto &field) {
      made.fields.push_back(detail::fieldInfo(name, field));
    });
    return made;
  }();
  return info;
}

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_REFLECTION_H
