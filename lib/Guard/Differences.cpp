//===- Differences.cpp - What one op says and another does not -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// All is asked from the first op's side: what it says has to be said by the second one, which may say more. So a
// missing default is no difference in one direction and a loss in the other.
//
//===----------------------------------------------------------------------===//
#include "Differences.h"

#include "Allowed.h"

using namespace mlir;

namespace tessera::guard {
namespace {

constexpr StringLiteral kActivation = "activation", kProgramConfig = "matmul_program_config";

/// What a program config says under that key of the activation that it fuses; null if nothing.
const Node::Sequence *fusedValue(Operation *op, StringRef key, Texts &texts) {
  Attribute config = Differences::find(op, kProgramConfig);
  const Node::Sequence *fused = config ? valueOf(texts.treeOf(config), "fused_activation") : nullptr;
  return fused ? valueOf(*fused, key) : nullptr;
}

/// The name of the activation that an op applies by itself or by its program config, or "".
std::string activationOf(Operation *op, Texts &texts) {
  if (auto activation = dyn_cast_or_null<StringAttr>(Differences::find(op, kActivation)))
    return activation.str();
  const Node::Sequence *name = fusedValue(op, "op_type", texts);
  return name && !name->empty() ? name->back().text : "";
}

/// The tokens of a tree.
size_t sizeOf(const Node::Sequence &sequence) {
  size_t size = sequence.size();
  for (const Node &node : sequence)
    for (const Node::Sequence &item : node.items)
      size += sizeOf(item);
  return size;
}

/// Whether the type is a tensor's, with a layout of that kind.
bool hasEncoding(Type type, StringRef kind) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_or_null<OpaqueAttr>(tensor.getEncoding()) : nullptr;
  return layout && layout.getAttrData().starts_with(kind);
}

} // namespace

bool hasOwnLocation(Operation *op) {
  auto place = dyn_cast<FileLineColLoc>(op->getLoc());
  return !place || !place.getFilename().strref().ends_with(kPlaceMark);
}

DictionaryAttr propertiesOf(Operation *op) {
  return dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
}

Attribute Differences::find(Operation *op, StringRef name) {
  DictionaryAttr properties = propertiesOf(op);
  Attribute found = properties ? properties.get(name) : Attribute();
  return found ? found : op->getDiscardableAttr(name);
}

std::string Differences::compare(Attribute was, Attribute is) {
  // Most attributes are the same object, which needs no text.
  if (was == is && !before.namesAliases(was))
    return "";
  auto [entry, isNew] = known.try_emplace({was, is});
  if (isNew)
    entry->second = firstMissing(before.treeOf(was), after.treeOf(is));
  return entry->second;
}

std::string Differences::ofFunctionTypes(TypeAttr was, TypeAttr is) {
  auto one = dyn_cast<FunctionType>(was.getValue()), other = dyn_cast<FunctionType>(is.getValue());
  if (!one || !other) // functions for the host have types of their own
    return compare(was, is);
  std::string missing = ofTypes(one.getInputs(), other.getInputs());
  return missing.empty() ? ofTypes(one.getResults(), other.getResults()) : missing;
}

std::string Differences::ofTypes(ArrayRef<Type> was, ArrayRef<Type> is) {
  for (auto [one, other] : llvm::zip(was, is)) {
    // Arguments and results belong to the caller, so their layouts may not change, but for the one that says
    // the same in TTNN's words.
    bool translated = hasEncoding(one, "metal_layout<") && hasEncoding(other, "ttnn_layout<");
    if (translated && before.plannedSignature(one) == after.plannedSignature(other))
      continue;
    if (std::string missing = compare(TypeAttr::get(one), TypeAttr::get(other)); !missing.empty())
      return missing;
  }
  return was.size() == is.size() ? "" : "another number of types";
}

std::string Differences::ofWrittenTypes(Operation *was, Operation *is) {
  std::string missing;
  auto look = [&](TypeRange written, TypeRange read) {
    for (auto [one, other] : llvm::zip(written, read))
      if (missing.empty())
        missing = compare(TypeAttr::get(one), TypeAttr::get(other));
  };
  look(was->getResultTypes(), is->getResultTypes());
  for (auto [region, same] : llvm::zip(was->getRegions(), is->getRegions()))
    for (auto [block, other] : llvm::zip(region, same))
      look(block.getArgumentTypes(), other.getArgumentTypes());
  return missing;
}

std::string Differences::ofValues(StringRef name, Attribute was, Attribute is) {
  if (options.planned && name == "function_type")
    return ofFunctionTypes(cast<TypeAttr>(was), cast<TypeAttr>(is));
  // Between two modules of which neither is a plan nothing may change.
  const AllowedChange *change = options.planned ? allowedChange(name) : nullptr;
  if (!change)
    return compare(was, is);
  if (change->keys.empty() || options.conv2dConfigsAreGiven)
    return "";
  return firstMissing(withoutKeys(before.treeOf(was), change->keys),
                      withoutKeys(after.treeOf(is), change->keys));
}

bool Differences::mayBeGone(Operation *was, NamedAttribute property) {
  StringRef name = property.getName();
  if (isElidedDefault(nameOf(was), property))
    return true;
  if (!options.planned)
    return false;
  if (name == kActivation) // ofActivations looks where it went
    return true;
  if (const AllowedChange *change = allowedChange(name))
    return change->keys.empty();
  auto type = was->getNumResults() > 0 ? dyn_cast<RankedTensorType>(was->getResult(0).getType()) : nullptr;
  auto layout = type ? dyn_cast_or_null<OpaqueAttr>(type.getEncoding()) : nullptr;
  // A `dtype` or `layout` that only repeats what the type of the result says may go. One that says something
  // else has a meaning of its own and must stay.
  if (!repeatsType(name) || !layout)
    return false;
  // `#ttcore.supportedDataTypes<bf16>`, `#ttnn.layout<tile>`
  const Node::Sequence &value = before.treeOf(property.getValue()), &placed = before.treeOf(layout);
  std::string said = value.back().items.size() == 1 ? canonicalText(value.back().items.front()) : "";
  return name == "dtype" ? plainName(said) == storedType(placed)
                         : said == (isTiled(placed) ? "tile" : "row_major");
}

std::string Differences::ofDictionaries(Operation *was, Operation *is, DictionaryAttr said) {
  for (NamedAttribute attribute : said) {
    if (options.planned && attribute.getName() == kCallee && nameOf(was) == kLoadCached)
      continue; // Numbering looks at what it runs
    Attribute now = find(is, attribute.getName());
    if (!now && mayBeGone(was, attribute))
      continue;
    if (!now)
      return "'" + attribute.getName().str() + "'";
    if (std::string missing = ofValues(attribute.getName(), attribute.getValue(), now); !missing.empty())
      return "'" + attribute.getName().str() + "': " + missing;
  }
  return "";
}

/// A plan may move an activation from the op into its program config, where it means the same. Parameters stand in a config alone.
std::string Differences::ofActivations(Operation *was, Operation *is) {
  std::string said = activationOf(was, before), now = activationOf(is, after);
  if (said != now)
    return "activation '" + said + "', which became '" + now + "'";
  const Node::Sequence none, *params = fusedValue(was, "params", before),
                             *kept = fusedValue(is, "params", after);
  std::string missing = firstMissing(params ? *params : none, kept ? *kept : none);
  return missing.empty() ? "" : "parameters of the activation '" + said + "', " + missing;
}

std::string Differences::betweenAttributes(Operation *was, Operation *is) {
  std::string missing = ofDictionaries(was, is, was->getDiscardableAttrDictionary());
  return missing.empty() ? "" : "attribute " + missing;
}

/// How much an op says, in tokens: Numbering has those that say more found before those that say less.
size_t Differences::weightOf(Operation *was) {
  // Not the types, in which nothing but layouts differs among ops of one key.
  size_t weight = 0;
  for (DictionaryAttr said : {propertiesOf(was), was->getDiscardableAttrDictionary()})
    for (NamedAttribute attribute : said ? said.getValue() : ArrayRef<NamedAttribute>())
      weight += 1 + sizeOf(before.treeOf(attribute.getValue()));
  return weight;
}

/// A module's location without the mark which says for which version of the library it is: a plan may be for another one.
static Location withoutVersion(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto mark = fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
  bool ours = mark && mark.size() == 2 && mark[0] == StringAttr::get(location.getContext(), "tessera.ttnn");
  return ours ? fused.getLocations().front() : location;
}

std::string Differences::between(Operation *was, Operation *is) {
  if (DictionaryAttr properties = propertiesOf(was))
    if (std::string missing = ofDictionaries(was, is, properties); !missing.empty())
      return "property " + missing;
  if (std::string missing = betweenAttributes(was, is); !missing.empty())
    return missing;
  if (!options.planned && !options.dataTypesAreGiven)
    if (std::string missing = ofWrittenTypes(was, is); !missing.empty())
      return "type: " + missing;
  if (options.locations && hasOwnLocation(was) &&
      withoutVersion(was->getLoc()) != withoutVersion(is->getLoc()))
    return "location";
  // The attribute may be gone if the program config has taken the activation over, so it is compared wherever
  // it stands.
  return ofActivations(was, is);
}

} // namespace tessera::guard
