//===- UnknownText.cpp - What stands in text that is not understood -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Attributes of dialects that are not known are carried as text. An alias in
// such text means something only beside its definition, which MLIR does not
// print for text that it has not read: what is written then could be read by
// nobody. It is looked for when something was lost, to say that the input has
// to change and not Tessera.
//
//===----------------------------------------------------------------------===//
#include "tessera/Guard/UnknownText.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

/// The first alias, `#dram` or `!t`, in the text of an attribute or type; "" if there is none.
static StringRef aliasIn(StringRef text) {
  auto isName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '-'; };
  for (bool quoted = false; !text.empty(); text = text.drop_front()) {
    // What is quoted is text, whatever it looks like.
    quoted ^= text.front() == '"';
    if (quoted || (text.front() != '#' && text.front() != '!'))
      continue;
    StringRef name = text.drop_front().take_while(isName), rest = text.drop_front(1 + name.size());
    // `#dialect.name` and `#dialect<...>` stand for themselves.
    if (!name.empty() && !rest.starts_with(".") && !rest.starts_with("<"))
      return text.take_front(1 + name.size());
  }
  return "";
}

std::string tessera::aliasInUnknownText(ModuleOp module) {
  std::string found;
  auto look = [&](StringRef text, StringAttr dialect) {
    if (StringRef alias = aliasIn(text); found.empty() && !alias.empty())
      found = ("the alias '" + alias + "' in text of the unknown dialect '" + dialect.getValue() +
               "' would be lost; write out what it stands for")
                  .str();
  };
  AttrTypeWalker walker;
  walker.addWalk([&](OpaqueAttr attr) { look(attr.getAttrData(), attr.getDialectNamespace()); });
  walker.addWalk([&](OpaqueType type) { look(type.getTypeData(), type.getDialectNamespace()); });
  module->walk([&](Operation *op) {
    // Operands are results of other ops, or arguments of their blocks.
    for (mlir::Type type : op->getResultTypes())
      walker.walk(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (mlir::Type type : block.getArgumentTypes())
          walker.walk(type);
    walker.walk(op->getDiscardableAttrDictionary());
  });
  return found;
}
