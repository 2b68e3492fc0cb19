//===- NotUnderstood.cpp - What of a module is carried unread --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/NotUnderstood.h"

#include "tessera/Dialect/TTNN/TTNN.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

bool isOurs(StringRef dialect) { return dialect == "ttnn" || dialect == "ttcore"; }

/// `ttnn.name` of a text `name<...>`.
std::string nameOf(StringRef dialect, StringRef text) {
  return (dialect + "." + text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })).str();
}

class Collector {
public:
  void add(Operation *op) {
    std::string name = "'" + op->getName().getStringRef().str() + "'";
    if (!op->isRegistered())
      note(op, "op " + name);
    if (DictionaryAttr unread = ttnn::unreadProperties(op))
      for (NamedAttribute property : unread)
        note(op, "property '" + ttnn::nameOfUnread(property) + "' of " + name);
    addOpaque(op, op->getAttrDictionary());
    // Of operands nothing is looked at: a value's type is told of where the value is made, a function's arguments by
    // its type.
    for (Type type : op->getResultTypes())
      addOpaque(op, TypeAttr::get(type));
  }
  std::vector<NotUnderstood> take() {
    std::vector<NotUnderstood> list;
    for (auto &[what, entry] : found)
      list.push_back({entry.first, what, entry.second});
    return list;
  }

private:
  void note(Operation *op, const std::string &what) {
    // One line per thing, with its first place and a count: a module that uses an unknown property has it at
    // every op of a kind.
    auto &entry = found.try_emplace(what, op, 0).first->second;
    ++entry.second;
  }

  /// Types and attributes are many fewer than ops: each is looked into once.
  const std::vector<std::string> &opaqueParts(Attribute attribute) {
    auto [entry, isNew] = known.try_emplace(attribute);
    if (!isNew)
      return entry->second;
    std::vector<std::string> parts;
    attribute.walk(
        [&](OpaqueAttr part) {
          if (isOurs(part.getDialectNamespace()))
            parts.push_back("attribute #" + nameOf(part.getDialectNamespace(), part.getAttrData()));
        },
        [&](OpaqueType part) {
          if (isOurs(part.getDialectNamespace()))
            parts.push_back("type !" + nameOf(part.getDialectNamespace(), part.getTypeData()));
        });
    return known[attribute] = std::move(parts);
  }
  void addOpaque(Operation *op, Attribute attribute) {
    for (const std::string &part : opaqueParts(attribute))
      note(op, part);
  }

  // In the order in which things were first seen, which is that of the program.
  llvm::MapVector<std::string, std::pair<Operation *, size_t>, llvm::StringMap<unsigned>> found;
  llvm::DenseMap<Attribute, std::vector<std::string>> known;
};

} // namespace

std::vector<NotUnderstood> tessera::listNotUnderstood(Operation *root) {
  Collector collector;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { collector.add(op); });
  return collector.take();
}
