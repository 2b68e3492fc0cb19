//===- Item.cpp - One node of a configuration -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Items are values of Python, as configs hold them. Merging copies them all the
// time, so containers are shared and a copy is a pointer; they are changed only
// while they are built. Their text is Python's repr, because errors quote items
// and the cases of the published merge compare messages (MergeCases.cpp).
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/Item.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tessera;
using namespace tessera::runner;

Item::Item(Sequence value) : value(Shared(std::move(value))) {}
Item::Item(Dict value) : value(Shared(std::move(value))) {}
Item::Item(Object value) : value(Shared(std::move(value))) {}
Item::Item(SavedWeight value) : value(Shared(std::move(value))) {}
Item::Item(LoadedTensor value) : value(Shared(std::move(value))) {}

const Object *Item::opConfig() const {
  const Object *object = get<Object>();
  return object && object->type->isOpConfig ? object : nullptr;
}

bool Item::operator==(const Item &other) const { return value == other.value; }

const Item *Dict::find(llvm::StringRef key) const {
  auto found = llvm::find_if(entries, [&](const auto &entry) { return entry.first == key; });
  return found == entries.end() ? nullptr : &found->second;
}

Item &Dict::operator[](llvm::StringRef key) {
  // Entries keep the order in which they came, as Python's do, and are few: a search is cheap.
  if (const Item *found = find(key))
    return const_cast<Item &>(*found);
  return entries.emplace_back(key.str(), Item()).second;
}

bool Dict::operator==(const Dict &other) const {
  // Keys are distinct, so equal sizes and one direction suffice; Python's dicts compare without order, too.
  return entries.size() == other.entries.size() && llvm::all_of(entries, [&](const auto &entry) {
           const Item *theirs = other.find(entry.first);
           return theirs && *theirs == entry.second;
         });
}

size_t ClassInfo::find(llvm::StringRef field) const {
  return llvm::find_if(fields, [&](const FieldInfo &info) { return info.name == field; }) - fields.begin();
}

// ---- Text ------------------------------------------------------------------------------------------------

namespace {

std::string repr(const Item &item);

/// Control characters that have a letter of their own.
constexpr char kEscaped[] = {'\n', '\t', '\r'};

/// As Python quotes: double quotes only where the text has single ones and no double ones.
std::string quoted(llvm::StringRef text) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    if (const auto *named = llvm::find(kEscaped, c); named != std::end(kEscaped))
      (out += '\\') += "ntr"[named - kEscaped];
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += llvm::formatv("\\x{0:x-2}", unsigned(c));
    else if (c == quote || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out + quote;
}

template <class Range, class Print>
std::string joined(const Range &range, Print print) {
  std::string out;
  for (const auto &each : range)
    out += (out.empty() ? "" : ", ") + print(each);
  return out;
}

std::string reprFields(const Object &object) {
  size_t i = 0;
  return joined(object.type->fields,
                [&](const FieldInfo &field) { return field.name.str() + "=" + repr(object.fields[i++]); });
}

/// With so many digits in all, as "1.5e-06".
std::string scientific(int digits, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*e", digits - 1, value);
  return text;
}

/// As Python prints: the fewest digits that read back as the same number, without a power of ten from 0.0001 to below 1e16.
std::string printed(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  constexpr int most = 17;
  int digits = 1;
  while (digits < most && std::strtod(scientific(digits, value).c_str(), nullptr) != value)
    ++digits;
  std::string text = scientific(digits, value);
  int power = 0;
  llvm::StringRef(text).rsplit('e').second.ltrim('+').getAsInteger(10, power);
  if (power < -4 || power >= 16)
    return text;
  text.clear();
  // A whole number has ".0".
  llvm::raw_string_ostream(text) << llvm::format("%.*f", std::max(1, digits - 1 - power), value);
  return text;
}

struct Repr {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return printed(value); }
  std::string operator()(const std::string &text) const { return quoted(text); }
  // As the dataclasses of the published code print themselves.
  std::string operator()(const MeshDeviceStub &stub) const {
    return llvm::formatv("MeshDeviceStub(mesh_shape=({0}, {1}))", stub.shape.rows, stub.shape.columns);
  }
  // A device prints an address there, which no case can compare.
  std::string operator()(const MeshDevice &) const { return "<dev>"; }
  std::string operator()(const FromWeightConfig &weight) const {
    return "FromWeightConfig(mesh_device=" + std::visit(*this, weight.meshDevice) + ")";
  }
  std::string operator()(const Shared<Sequence> &sequence) const {
    std::string items = joined(sequence.get().items, repr);
    if (!sequence.get().tuple)
      return "[" + items + "]";
    return "(" + items + (sequence.get().items.size() == 1 ? ",)" : ")");
  }
  std::string operator()(const Shared<Dict> &dict) const {
    return "{" +
           joined(dict.get().entries,
                  [](const auto &entry) { return quoted(entry.first) + ": " + repr(entry.second); }) +
           "}";
  }
  std::string operator()(const Shared<Object> &object) const {
    return object.get().type->name.str() + "(" + reprFields(object.get()) + ")";
  }
  std::string operator()(const Shared<SavedWeight> &weight) const {
    return "SavedWeight(path=" + quoted(weight.get().path) +
           ", memory_config=" + repr(weight.get().memoryConfig) + ")";
  }
  std::string operator()(const Shared<LoadedTensor> &tensor) const {
    return "<tensor " + tensor.get().path + ">";
  }
};

std::string repr(const Item &item) { return std::visit(Repr(), item.value); }

} // namespace

/// As Python's str(): a text is itself, without quotes; all else is its repr.
std::string runner::str(const Item &item) {
  const std::string *text = item.get<std::string>();
  return text ? *text : repr(item);
}
