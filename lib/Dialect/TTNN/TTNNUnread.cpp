//===- TTNNUnread.cpp - Properties that ops do not have ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops of other versions of the compiler may have properties that ours do not
// know, or structs with keys that ours do not have. They are kept in one dictionary beside the known ones (`unread`),
// printed among them as if nothing had happened, and told of, since nobody can
// say whether a plan would contradict them: an op with any of them keeps its
// layouts and its configuration.
//
//===----------------------------------------------------------------------===//
#include "TTNNOpsVerify.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNNInterfaces.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::ttnn {

/// The argument of TTNN_Op.
static constexpr StringLiteral kUnread = "unread";

Attribute splitKnown(Attribute all, ArrayRef<StringRef> known, DictionaryAttr &unread) {
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(all);
  if (!dictionary)
    return all;
  SmallVector<NamedAttribute> read, rest; // both stay sorted
  for (NamedAttribute property : dictionary) {
    bool isRead =
        llvm::is_contained(known, property.getName().strref()) && !isa<NewerStructAttr>(property.getValue());
    (isRead ? read : rest).push_back(property);
  }
  if (rest.empty())
    return all;
  unread = DictionaryAttr::getWithSorted(all.getContext(), rest);
  return DictionaryAttr::getWithSorted(all.getContext(), read);
}

Attribute joinUnread(MLIRContext *context, Attribute known, DictionaryAttr unread) {
  NamedAttrList all;
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(known))
    for (NamedAttribute property : dictionary)
      if (property.getName() != kUnread)
        all.push_back(property);
  if (unread)
    all.append(unread.begin(), unread.end());
  return all.empty() ? DictionaryAttr() : all.getDictionary(context);
}

DictionaryAttr unreadProperties(Operation *op) {
  if (!op->hasTrait<OpTrait::KeepsUnread>())
    return {};
  SmallVector<StringRef> known;
  for (StringAttr name : op->getName().getRegisteredInfo()->getAttributeNames())
    known.push_back(name);
  DictionaryAttr unread;
  splitKnown(op->getPropertiesAsAttribute(), known, unread);
  return unread;
}

std::string nameOfUnread(NamedAttribute property) {
  std::string name = property.getName().str();
  if (auto newer = dyn_cast<NewerStructAttr>(property.getValue()))
    name += "." + newer.getKey().str();
  return name;
}

bool saysMore(Operation *op) { return !op->getDiscardableAttrs().empty() || unreadProperties(op); }

//===- Keys of older files -------------------------------------------------===//

namespace {

/// What the type of an op's result says of one retired key; null if it says nothing of it.
using Said = Attribute (*)(RankedTensorType type);

Attribute saidDataType(RankedTensorType type) {
  // Without a layout nothing says how the elements are stored, and the guard would call the key a loss.
  MemRefType stored = memrefOf(type);
  std::optional<DataType> said = stored ? dataType(stored.getElementType()) : std::nullopt;
  return said ? ttcore::DataTypeAttr::get(type.getContext(), ttcore::toAttrDataType(*said)) : Attribute();
}
Attribute saidPageLayout(RankedTensorType type) {
  TTNNLayoutAttr layout = layoutOf(type);
  return layout ? LayoutAttr::get(type.getContext(), layout.getLayout()) : Attribute();
}

constexpr std::pair<StringLiteral, Said> kRetired[] = {{"dtype", saidDataType}, {"layout", saidPageLayout}};

bool saysNothingNew(NamedAttribute property, RankedTensorType type) {
  return llvm::any_of(kRetired, [&](const auto &retired) {
    return property.getName() == retired.first && property.getValue() == retired.second(type);
  });
}

} // namespace

/// Older files say data type and page layout of some results twice, by a property and by the type. Where both agree the
/// property goes, and the op can be decided; where they differ it stays unread.
void dropRetiredProperties(Operation *op) {
  DictionaryAttr unread = unreadProperties(op);
  auto type =
      unread && op->getNumResults() > 0 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr;
  if (!type)
    return;
  NamedAttrList kept(cast<DictionaryAttr>(op->getPropertiesAsAttribute()));
  for (NamedAttribute property : unread)
    if (saysNothingNew(property, type))
      kept.erase(property.getName());
  LogicalResult set =
      op->setPropertiesFromAttribute(kept.getDictionary(op->getContext()), [op] { return op->emitError(); });
  assert(succeeded(set) && "these properties were the op's before");
  (void)set;
}

} // namespace tessera::ttnn
