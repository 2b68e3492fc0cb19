//===- TTNNAttrs.cpp - Attributes of the ttnn dialect ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// TTNNLayoutAttr has a file of its own; its rules and those of memory configs stand in TTNNLayoutRules.cpp.
//===----------------------------------------------------------------------===//
#include "tessera/Dialect/TTNN/TTNNAttrs.h"
#include "tessera/Dialect/TTCore/AttrSyntax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;

//===- Parts of the syntax -------------------------------------------------===//

/// `1x2`
static ParseResult parseDimPair(AsmParser &parser, int64_t &first, int64_t &second) {
  SMLoc loc = parser.getCurrentLocation();
  auto dims = tessera::parseDims(parser);
  if (failed(dims))
    return failure();
  if (dims->size() != 2)
    return parser.emitError(loc, "expected two dimensions, as in 1x2");
  first = (*dims)[0];
  second = (*dims)[1];
  return success();
}
/// The pair as parseDimPair() reads it.
static void printDimPair(AsmPrinter &printer, int64_t first, int64_t second) {
  tessera::printDims(printer, {first, second});
}

/// `(7,3)`
static ParseResult parseCorePoint(AsmParser &parser, int64_t &x, int64_t &y) {
  return failure(parser.parseLParen() || parser.parseInteger(x) || parser.parseComma() ||
                 parser.parseInteger(y) || parser.parseRParen());
}
/// The point as parseCorePoint() reads it: x, the column, comes first.
static void printCorePoint(AsmPrinter &printer, int64_t x, int64_t y) {
  printer << '(' << x << ',' << y << ')';
}

/// A bare word
static ParseResult parseKeyword(AsmParser &parser, std::string &word) {
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  word = text.str();
  return success();
}
/// In quotes if it is not a bare word, so that nothing is printed that would parse as something else.
static void printKeyword(AsmPrinter &printer, StringRef word) { printer.printKeywordOrString(word); }

#include "tessera/Dialect/TTNN/TTNNEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/TTNN/TTNNAttrs.cpp.inc"

namespace tessera::ttnn {

void TTNNDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/TTNN/TTNNAttrs.cpp.inc"
      >();
}

Attribute TTNNDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  std::string newKey;
  auto parse = [&](StringRef *mnemonic, Attribute &attr) {
    return generatedAttributeParser(parser, mnemonic, type, attr);
  };
  Attribute read = parseAttributeOrKeepText(parser, getNamespace(), type, parse, &newKey);
  auto text = dyn_cast_or_null<OpaqueAttr>(read);
  return text && !newKey.empty() ? NewerStructAttr::get(getContext(), text.getAttrData(), newKey) : read;
}

void TTNNDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  if (auto newer = dyn_cast<NewerStructAttr>(attr)) {
    printer << newer.getText();
    return;
  }
  // It fails for attributes of other dialects only, which do not come here.
  (void)generatedAttributePrinter(attr, printer);
}

//===- Core ranges ---------------------------------------------------------===//

LogicalResult CoreRangeAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t startX,
                                    int64_t startY, int64_t endX, int64_t endY) {
  // Up to here the number of cores of a rectangle, a product of two extents, fits 64 bits.
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (startX < 0 || startY < 0 || startX > endX || startY > endY || endX > kMax || endY > kMax)
    return emitError() << "core range (" << startX << ',' << startY << ")-(" << endX << ',' << endY
                       << ") is not a rectangle from upper left to lower right";
  return success();
}

/// `<>` or `<[range, ...]>`
Attribute CoreRangeSetAttr::parse(AsmParser &parser, Type) {
  SmallVector<CoreRangeAttr> ranges;
  if (parser.parseLess())
    return {};
  auto parseRange = [&] { return parser.parseCustomAttributeWithFallback(ranges.emplace_back()); };
  if (failed(parser.parseOptionalGreater())) {
    SMLoc list = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange) || parser.parseGreater())
      return {};
    // It is written back as <>, and the guard would miss the list.
    if (ranges.empty()) {
      parser.emitError(list, "a set without cores is <>");
      return {};
    }
  }
  return parser.getChecked<CoreRangeSetAttr>(parser.getContext(), ArrayRef<CoreRangeAttr>(ranges));
}

void CoreRangeSetAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (!getCoreRanges().empty()) {
    printer << '[';
    llvm::interleaveComma(getCoreRanges(), printer);
    printer << ']';
  }
  printer << '>';
}

/// Whether a core is in both: the rectangles meet in x and in y. Their ends belong to them.
static bool overlap(CoreRangeAttr a, CoreRangeAttr b) {
  return a.getStartX() <= b.getEndX() && b.getStartX() <= a.getEndX() && a.getStartY() <= b.getEndY() &&
         b.getStartY() <= a.getEndY();
}

LogicalResult CoreRangeSetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<CoreRangeAttr> ranges) {
  // Each pair once; sets have a handful of ranges.
  for (auto [index, range] : llvm::enumerate(ranges))
    for (CoreRangeAttr earlier : ranges.take_front(index))
      if (overlap(earlier, range))
        return emitError() << "core ranges " << earlier << " and " << range << " overlap";
  return success();
}

//===- Memory config -------------------------------------------------------===//

/// `<buffer [, mem_layout] [, #ttnn.shard_spec] [, ndShardSpec = attr]>`
Attribute MemoryConfigAttr::parse(AsmParser &parser, Type) {
  BufferTypeAttr buffer;
  TensorMemoryLayoutAttr memLayout;
  ShardSpecAttr shardSpec;
  Attribute ndShardSpec;
  if (parser.parseLess() || parser.parseCustomAttributeWithFallback(buffer))
    return {};
  // What comes first without a name is the layout, and what follows it the shard spec.
  while (succeeded(parser.parseOptionalComma())) {
    ParseResult parsed = success();
    if (succeeded(parser.parseOptionalKeyword("ndShardSpec")))
      parsed = failure(parser.parseEqual() || parser.parseAttribute(ndShardSpec));
    else if (!memLayout)
      parsed = parser.parseCustomAttributeWithFallback(memLayout);
    else
      parsed = parser.parseCustomAttributeWithFallback(shardSpec);
    if (parsed)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MemoryConfigAttr>(parser.getContext(), buffer, memLayout, shardSpec, ndShardSpec);
}

void MemoryConfigAttr::print(AsmPrinter &printer) const {
  printer << '<' << getBufferType();
  if (getMemLayout()) {
    printer << ", ";
    // Without the dialect's name in front, as the parser of the attribute expects it.
    printer.printStrippedAttrOrType(getMemLayout());
  }
  if (getShardSpec())
    printer << ", " << getShardSpec();
  if (getNdShardSpec())
    printer << ", ndShardSpec = " << getNdShardSpec();
  printer << '>';
}

} // namespace tessera::ttnn
