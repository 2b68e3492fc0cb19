//===- Texts.cpp - Attributes and types of one module as trees -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Attributes of ttnn and ttcore are kept as text, and one thing can be written in several ways. So they are compared
// as trees of tokens, each made once and kept by the attribute, which MLIR holds once for all ops that have it.
//
//===----------------------------------------------------------------------===//
#include "Texts.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::guard {
namespace {

/// MLIR gives a resource another name if the context has one of that name, as the module that was read first may have.
std::string withOwnResourceNames(std::string text, StringRef resources) {
  for (size_t at = text.find(kResourceUse); at != std::string::npos; at = text.find(kResourceUse, at + 1)) {
    size_t begin = at + kResourceUse.size(), end = text.find('>', begin);
    StringRef name = StringRef(text).slice(begin, end);
    if (resources.contains((name + ":").str()))
      continue;
    // MLIR adds `_` and a number. A name that stands in the module's own resources was checked before: it may end so by
    // itself.
    StringRef stem = name.rtrim("0123456789");
    if (stem != name && stem.consume_back("_") && resources.contains((stem + ":").str()))
      text.replace(begin, name.size(), stem.str());
  }
  return text;
}

const Node *findMemref(const Node::Sequence &layout) {
  for (size_t i = 0; i != layout.size(); ++i) {
    if (!layout[i].isGroup)
      continue;
    if (i > 0 && layout[i - 1].text == "memref")
      return &layout[i];
    for (const Node::Sequence &item : layout[i].items)
      if (const Node *found = findMemref(item))
        return found;
  }
  return nullptr;
}

} // namespace

std::string plainName(StringRef type) {
  if (type == "i8" || type == "i16")
    return "u" + type.drop_front().str();
  type.consume_front("s");
  return type.consume_front("ui") ? "u" + type.str() : type.str();
}

std::string storedType(const Node::Sequence &layout) {
  const Node *memref = findMemref(layout);
  if (!memref || memref->items.empty())
    return "";
  // `2x2x!ttcore.tile<32x32, bf16>` or `64x64xbf16`
  const Node::Sequence &shaped = memref->items.front();
  if (!shaped.empty() && shaped.back().isGroup)
    return shaped.back().items.empty() ? "" : plainName(canonicalText(shaped.back().items.back()));
  return shaped.empty() ? "" : plainName(StringRef(shaped.back().text).rsplit('x').second);
}

bool isTiled(const Node::Sequence &layout) {
  const Node *memref = findMemref(layout);
  return memref && !memref->items.empty() && !memref->items.front().empty() &&
         memref->items.front().back().isGroup;
}

const Node::Sequence &Texts::treeOf(Attribute attribute) {
  // A large module has thousands of ops with a handful of layouts: each attribute is printed and read once.
  // Behind a pointer, as references to it are held while the table grows.
  std::unique_ptr<Node::Sequence> &tree = trees[attribute];
  if (!tree)
    tree = std::make_unique<Node::Sequence>(parseTokens(
        withPlainMaps(withOwnResourceNames(textOf(attribute), module.resources), attribute.getContext()),
        module.aliases));
  return *tree;
}

bool Texts::namesAliases(Attribute attribute) {
  // Attributes of dialects that are not read here are kept as text; in all others MLIR has resolved the
  // aliases. So one that names an alias can be the same object in both modules and yet mean two things.
  auto [entry, isNew] = aliased.try_emplace(attribute, false);
  if (!isNew)
    return entry->second;
  auto mentions = [](StringRef text) { return text.contains('#') || text.contains('!'); };
  WalkResult found = attribute.walk(
      [&](OpaqueAttr part) {
        return mentions(part.getAttrData()) ? WalkResult::interrupt() : WalkResult::advance();
      },
      [&](OpaqueType part) {
        return mentions(part.getTypeData()) ? WalkResult::interrupt() : WalkResult::advance();
      });
  return aliased[attribute] = found.wasInterrupted();
}

std::string Texts::canonical(Type type) {
  return canonicalText(parseTokens(withPlainMaps(textOf(type), type.getContext()), module.aliases));
}

std::string Texts::tensorSignature(RankedTensorType type) {
  std::string text = "tensor<";
  llvm::raw_string_ostream os(text);
  llvm::interleave(type.getShape(), os, "x");
  os << " of " << canonical(type.getElementType());
  // Of a layout only the stored type is part of what a value is: a plan may put the tensor anywhere, but not
  // change what it holds.
  auto layout = dyn_cast_or_null<OpaqueAttr>(type.getEncoding());
  StringRef data = layout ? layout.getAttrData() : "";
  if (data.starts_with("ttnn_layout<") || data.starts_with("metal_layout<"))
    os << ", " << storedType(treeOf(layout));
  else if (type.getEncoding())
    os << ", " << canonicalText(treeOf(type.getEncoding()));
  return text + ">";
}

const std::string &Texts::plannedSignature(Type type) {
  auto [entry, isNew] = planned.try_emplace(type);
  if (!isNew)
    return entry->second;
  std::string text;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    text = tensorSignature(tensor);
  else if (auto tuple = dyn_cast<TupleType>(type))
    for (Type element : tuple.getTypes())
      text += plannedSignature(element) + ", ";
  else
    text = canonical(type);
  return planned[type] = std::move(text);
}

const std::string &Texts::shapeSignature(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return plannedSignature(type);
  std::string &text = shapes[type];
  if (text.empty()) {
    llvm::raw_string_ostream os(text);
    os << "tensor ";
    llvm::interleave(tensor.getShape(), os, "x");
  }
  return text;
}

} // namespace tessera::guard
