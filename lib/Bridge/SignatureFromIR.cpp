//===- SignatureFromIR.cpp - An op's signature as plain data --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops of one signature are asked about once, so it holds all that the op model may
// look at, as plain data, and nothing that tells alike ops apart: neither an op's own
// name nor its place, nor its layouts. What says how an op runs is its OpConfig.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/ProblemBuilder.h"

#include "ConfigAttributes.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Attributes that configure how an op runs rather than what it computes; they reach the model as OpConfig.
bool isConfiguration(Operation *op, StringRef name) {
  return name == "matmul_program_config" || name == "conv2d_slice_config" ||
         (name == "program_config" && isa<ttnn::ScaledDotProductAttentionOp>(op));
}

/// The plain form of a number, string or list; nullopt for anything else.
std::optional<AttrValue> plainValue(Attribute attribute) {
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return AttrValue(boolean.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    // Wider numbers come from modules that nobody checked; what has no plain form is left to the caller, as
    // text.
    if (integer.getValue().getSignificantBits() > 64)
      return std::nullopt;
    return AttrValue(integer.getType().isUnsignedInteger() ? int64_t(integer.getValue().getZExtValue())
                                                           : integer.getValue().getSExtValue());
  }
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return AttrValue(number.getValueAsDouble());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return AttrValue(text.str());
  if (auto list = dyn_cast<DenseI32ArrayAttr>(attribute))
    return AttrValue(std::vector<int64_t>(list.asArrayRef().begin(), list.asArrayRef().end()));
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute))
    return AttrValue(std::vector<int64_t>(list.asArrayRef().begin(), list.asArrayRef().end()));
  if (auto shape = dyn_cast<ttnn::ShapeAttr>(attribute))
    return AttrValue(std::vector<int64_t>(shape.getShape().begin(), shape.getShape().end()));
  // A list of anything else than numbers is text as a whole: half a list would be another attribute.
  if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    std::vector<int64_t> integers;
    for (Attribute element : list) {
      auto integer = dyn_cast<IntegerAttr>(element);
      if (!integer || integer.getValue().getSignificantBits() > 64)
        return std::nullopt;
      integers.push_back(integer.getType().isUnsignedInteger() ? int64_t(integer.getValue().getZExtValue())
                                                               : integer.getValue().getSExtValue());
    }
    return AttrValue(std::move(integers));
  }
  return std::nullopt;
}

std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

/// A field of a struct that was printed: numbers and flags are told by their spelling, as their types are not in the
/// text.
AttrValue plainText(StringRef text) {
  int64_t integer = 0;
  if (text == "true" || text == "false")
    return text == "true";
  if (!text.getAsInteger(10, integer))
    return integer;
  return text.str();
}

void addAttribute(OpSignature &signature, StringRef name, Attribute attribute) {
  if (llvm::is_contained(kActivationLists, name))
    if (auto list = dyn_cast<ArrayAttr>(attribute)) {
      if (!list.empty()) // no activations are no attribute, however the op says so
        signature.addAttribute(name.str(), activationsText(list));
      return;
    }
  if (std::optional<AttrValue> value = plainValue(attribute)) {
    signature.addAttribute(name.str(), std::move(*value));
    return;
  }
  // The values of constants do not matter to the model, and may be megabytes of text.
  if (isa<ElementsAttr>(attribute))
    return;
  std::string text = textOf(attribute);
  bool hasFields = false;
  bool flattened = forEachField(text, [&](StringRef key, StringRef value) {
    hasFields = true;
    signature.addAttribute((name + "." + key).str(), plainText(value));
  });
  // A struct that says nothing is not the same as none: an empty compute config stands for the struct's defaults.
  if (!flattened || !hasFields)
    signature.addAttribute(name.str(), std::move(text));
}

/// What a search leaves as it stands of an attention's program config: how exponentials are taken, and on which cores.
void addAttentionKeys(OpSignature &signature, Operation *op) {
  auto attention = dyn_cast<ttnn::ScaledDotProductAttentionOp>(op);
  ttnn::SDPAProgramConfigAttr config = attention ? attention.getProgramConfigAttr() : nullptr;
  if (!config)
    return;
  if (config.getExpApproxMode())
    signature.addAttribute("program_config.exp_approx_mode", config.getExpApproxMode().getValue());
  if (config.getSubCoreGrids())
    signature.addAttribute("program_config.sub_core_grids", textOf(config.getSubCoreGrids()));
  if (config.getMaxCoresPerHeadBatch())
    signature.addAttribute("program_config.max_cores_per_head_batch",
                           int64_t(*config.getMaxCoresPerHeadBatch()));
}

/// Arguments of the library's function that the op has no attribute for, and its runtime gives (tt-mlir: pool2d.cpp).
void addRuntimeArguments(OpSignature &signature) {
  for (StringRef pool : {"ttnn.avg_pool2d", "ttnn.max_pool2d", "ttnn.max_pool2d_with_indices"})
    if (signature.name == pool)
      signature.addAttribute("output_layout", std::string("row_major"));
}

TensorDesc describeTensor(mlir::Value value) {
  FailureOr<TensorDesc> desc = ttnn::tensorDesc(cast<RankedTensorType>(value.getType()));
  return succeeded(desc) ? *desc : TensorDesc();
}

} // namespace

OpSignature tessera::signatureOf(Operation *op, ArrayRef<mlir::Value> tensorOperands,
                                 ArrayRef<mlir::Value> tensorResults) {
  OpSignature signature;
  signature.name = op->getName().getStringRef().str();
  for (auto [index, operand] : llvm::enumerate(tensorOperands)) {
    OperandDesc desc;
    desc.tensor = describeTensor(operand);
    // The same value twice takes its L1 once.
    desc.sameAs = unsigned(llvm::find(tensorOperands, operand) - tensorOperands.begin());
    signature.operands.push_back(std::move(desc));
  }
  for (mlir::Value result : tensorResults)
    signature.results.push_back(describeTensor(result));
  if (auto inherent = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    // Properties only: what anybody may attach to an op says nothing of what it computes.
    for (NamedAttribute attribute : inherent)
      if (!isConfiguration(op, attribute.getName()))
        addAttribute(signature, attribute.getName(), attribute.getValue());
  addAttentionKeys(signature, op);
  addRuntimeArguments(signature);
  return signature;
}
