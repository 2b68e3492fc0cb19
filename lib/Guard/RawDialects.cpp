//===- RawDialects.cpp - ttnn and ttcore, unread ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops in generic form need no parser. Those that are printed in a syntax of their own have one here each, which turns
// the syntax into what generic form would have said, and no check: so a module in either form gives the same ops.
//
//===----------------------------------------------------------------------===//
#include "RawDialects.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace tessera::guard {
namespace {

// ---- Ops with a syntax of their own: facts/ir 1.4 and 1.5 ------------------------------------------------------

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

/// `(types) -> types`, the types of operands and results.
ParseResult parseFunctionType(OpAsmParser &parser, const Operands &operands, OperationState &op) {
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  return failure(parser.parseType(type) || parser.addTypesToList(type.getResults(), op.types) ||
                 parser.resolveOperands(operands, type.getInputs(), loc, op.operands));
}

ParseResult parseSymbol(OpAsmParser &parser, StringRef key, OperationState &op, bool isReference) {
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  op.addAttribute(key, isReference ? Attribute(FlatSymbolRefAttr::get(name)) : name);
  return success();
}

/// `[key]`
ParseResult parseIndex(OpAsmParser &parser, StringRef key, OperationState &op) {
  Attribute index;
  if (parser.parseLSquare() || parser.parseAttribute(index) || parser.parseRSquare())
    return failure();
  op.addAttribute(key, index);
  return success();
}

/// `attributes {..} {region}`
ParseResult parseModule(OpAsmParser &parser, OperationState &op) {
  return failure(parser.parseOptionalAttrDictWithKeyword(op.attributes) ||
                 parser.parseRegion(*op.addRegion()));
}

/// `@name = #ttcore.device<..>`
ParseResult parseDevice(OpAsmParser &parser, OperationState &op) {
  Attribute device;
  if (parseSymbol(parser, "sym_name", op, false) || parser.parseEqual() || parser.parseAttribute(device) ||
      parser.parseOptionalAttrDict(op.attributes))
    return failure();
  op.addAttribute("device_attr", device);
  return success();
}

/// `(@function, [%a, %b]) {..} : (types) -> types`
ParseResult parseLoadCached(OpAsmParser &parser, OperationState &op) {
  Operands inputs;
  return failure(parser.parseLParen() || parseSymbol(parser, "callee", op, true) || parser.parseComma() ||
                 parser.parseOperandList(inputs, OpAsmParser::Delimiter::Square) || parser.parseRParen() ||
                 parser.parseOptionalAttrDict(op.attributes) || parser.parseColon() ||
                 parseFunctionType(parser, inputs, op));
}

/// `@name = type [3] {..}`
ParseResult parseGlobal(OpAsmParser &parser, OperationState &op) {
  Type type;
  int64_t index = 0;
  if (parseSymbol(parser, "sym_name", op, false) || parser.parseEqual() || parser.parseType(type))
    return failure();
  op.addAttribute("type", TypeAttr::get(type));
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseInteger(index) || parser.parseRSquare())
      return failure();
    // As generic form has it: `3 : si32`.
    op.addAttribute("index", parser.getBuilder().getIntegerAttr(
                                 IntegerType::get(parser.getContext(), 32, IntegerType::Signed), index));
  }
  return parser.parseOptionalAttrDict(op.attributes);
}

/// `@name {..} : type`
ParseResult parseGetGlobal(OpAsmParser &parser, OperationState &op) {
  return failure(parseSymbol(parser, "sym_name", op, true) || parser.parseOptionalAttrDict(op.attributes) ||
                 parser.parseColonTypeList(op.types));
}

/// `%dict["key"] = %a, %b {..} : types`
ParseResult parseSetKeyValue(OpAsmParser &parser, OperationState &op) {
  Operands all(1);
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  return failure(parser.parseOperand(all.front()) || parseIndex(parser, "key", op) || parser.parseEqual() ||
                 parser.parseOperandList(all) || parser.parseOptionalAttrDict(op.attributes) ||
                 parser.parseColonTypeList(types) || parser.resolveOperands(all, types, loc, op.operands));
}

/// `%from[key] {..} : (types) -> types`
ParseResult parseElement(OpAsmParser &parser, OperationState &op, StringRef key) {
  Operands from(1);
  return failure(parser.parseOperand(from.front()) || parseIndex(parser, key, op) ||
                 parser.parseOptionalAttrDict(op.attributes) || parser.parseColon() ||
                 parseFunctionType(parser, from, op));
}
ParseResult parseGetKeyValue(OpAsmParser &parser, OperationState &op) {
  return parseElement(parser, op, "key");
}
ParseResult parseGetTupleElement(OpAsmParser &parser, OperationState &op) {
  return parseElement(parser, op, "index");
}

/// `%a, %b {..} : tuple<..>`
ParseResult parseTuple(OpAsmParser &parser, OperationState &op) {
  Operands values;
  TupleType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(values) || parser.parseOptionalAttrDict(op.attributes) ||
      parser.parseColonType(type) || parser.resolveOperands(values, type.getTypes(), loc, op.operands))
    return failure();
  op.addTypes(type);
  return success();
}

/// `ins(%a : type)` or `outs(..)`
ParseResult parseSegment(OpAsmParser &parser, StringRef keyword, OperationState &op, int32_t &length) {
  Operands values;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(keyword) || parser.parseLParen() || parser.parseOperandList(values) ||
      parser.parseColonTypeList(types) || parser.parseRParen() ||
      parser.resolveOperands(values, types, loc, op.operands))
    return failure();
  length = int32_t(values.size());
  return success();
}

/// `@function ins(..) outs(..) {..} : types`
ParseResult parseSubgraph(OpAsmParser &parser, OperationState &op) {
  // Generic form has the lengths as an attribute, which this syntax leaves to be counted.
  std::array<int32_t, 2> segments{};
  if (parseSymbol(parser, "d2m_func", op, true) || parseSegment(parser, "ins", op, segments[0]) ||
      parseSegment(parser, "outs", op, segments[1]) || parser.parseOptionalAttrDict(op.attributes))
    return failure();
  op.addAttribute("operandSegmentSizes", parser.getBuilder().getDenseI32ArrayAttr(segments));
  return parser.parseOptionalColonTypeList(op.types);
}

/// `(%a, %b) {..} : (types) -> (types)`
ParseResult parseKernel(OpAsmParser &parser, OperationState &op) {
  Operands inputs;
  return failure(parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) ||
                 parser.parseOptionalAttrDict(op.attributes) || parser.parseColon() ||
                 parseFunctionType(parser, inputs, op));
}

using ParseOp = ParseResult (*)(OpAsmParser &, OperationState &);
constexpr std::pair<StringLiteral, ParseOp> kSyntax[] = {{"ttcore.device_module", parseModule},
                                                         {"ttcore.cpu_module", parseModule},
                                                         {"ttcore.device", parseDevice},
                                                         {"ttcore.load_cached", parseLoadCached},
                                                         {"ttcore.global", parseGlobal},
                                                         {"ttcore.get_global", parseGetGlobal},
                                                         {"ttcore.set_key_value", parseSetKeyValue},
                                                         {"ttcore.get_key_value", parseGetKeyValue},
                                                         {"ttcore.tuple", parseTuple},
                                                         {"ttcore.get_tuple_element", parseGetTupleElement},
                                                         {"ttnn.d2m_subgraph", parseSubgraph},
                                                         {"ttnn.tt_lang_op", parseKernel}};

// ---- The dialects -----------------------------------------------------------------------------------------

/// Attributes and types are what stands between `#ttnn.` and the end.
template <class Self>
class RawDialect : public Dialect {
public:
  explicit RawDialect(MLIRContext *context)
      : Dialect(Self::getDialectNamespace(), context, TypeID::get<Self>()) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    // The parser has matched the brackets; what stands between them is kept as it is, so nothing can be lost in
    // reading it.
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec());
  }
  std::optional<ParseOpHook> getParseOperationHook(StringRef name) const override {
    // All other ops of the dialects are in generic form, which MLIR reads without knowing them.
    for (const auto &[known, parse] : kSyntax)
      if (known == name)
        return ParseOpHook(parse);
    return std::nullopt;
  }
};

class RawTTNN : public RawDialect<RawTTNN> {
public:
  using RawDialect::RawDialect;
  static StringRef getDialectNamespace() { return "ttnn"; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RawTTNN)
};
class RawTTCore : public RawDialect<RawTTCore> {
public:
  using RawDialect::RawDialect;
  static StringRef getDialectNamespace() { return "ttcore"; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RawTTCore)
};

} // namespace

void registerRawDialects(DialectRegistry &registry) { registry.insert<RawTTNN, RawTTCore>(); }

} // namespace tessera::guard
