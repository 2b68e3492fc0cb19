//===- RawModule.cpp - A module read without knowing its ops ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// MLIR's parser reads the text, with dialects that keep what they do not know. Two things stand in its way, which the
// text is changed for beforehand: dialects of MLIR itself that would skip unknown properties, and a device's attribute
// that has no prefix. Changes keep every line and, but for that prefix, every column, so that places in messages are
// the file's.
//
//===----------------------------------------------------------------------===//
#include "RawModule.h"

#include "RawDialects.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using llvm::isAlnum, llvm::isAlpha, llvm::isSpace, llvm::toUpper;

namespace tessera::guard {
namespace {

/// MLIR's own dialects skip properties that they do not know, as it does. So an op of theirs in generic form gets a name
/// that no dialect has: its first letter is written large.
constexpr StringLiteral kReadByMlir[] = {"func.", "llvm.", "builtin."};

/// What an op's attribute may lack in front, because the op's syntax says it.
constexpr StringLiteral kDevice = "ttcore.device", kDevicePrefix = "#ttcore.device";

/// The text as the raw dialects can read it, with all places but those behind a device as they were.
class Preparation {
public:
  explicit Preparation(StringRef text) : text(text) {}

  std::string run() {
    while (at < text.size())
      step();
    out.append(text.substr(copied));
    return std::move(out);
  }
  /// What stands between `{-#` and `#-}`.
  StringRef resources() const { return metadata; }

private:
  void step() {
    char c = text[at];
    // Strings and comments first: what stands in them only looks like the rest.
    if (c == '"')
      return quoted();
    if (text.substr(at).starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else if (text.substr(at).starts_with("{-#"))
      skipMetadata();
    else if (isAlpha(c) || c == '_')
      word();
    else
      ++at;
  }

  void quoted() {
    size_t end = at + 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    StringRef inside = text.slice(at + 1, end);
    bool isOp = text.substr(std::min(end + 1, text.size())).ltrim().starts_with("(");
    if (isOp && llvm::any_of(kReadByMlir, [&](StringRef dialect) { return inside.starts_with(dialect); })) {
      out.append(text.slice(copied, at + 1));
      // One letter for one letter: columns stay what they are in the file.
      out += toUpper(inside.front());
      copied = at + 2;
    }
    at = end + 1;
  }

  void word() {
    size_t end = at;
    while (end < text.size() && (isAlnum(text[end]) || StringRef("_$.").contains(text[end])))
      ++end;
    // As an op of its own, and not as part of an attribute or a type, which begin with # or !.
    bool isDevice = text.slice(at, end) == kDevice && (at == 0 || isSpace(text[at - 1]));
    at = end;
    StringRef behind = text.substr(at).ltrim();
    if (!isDevice || !behind.consume_front("@"))
      return;
    behind = behind.drop_while([](char c) { return isAlnum(c) || StringRef("_$.-").contains(c); }).ltrim();
    if (behind.consume_front("=") && behind.ltrim().starts_with("<")) {
      size_t attribute = size_t(behind.ltrim().data() - text.data());
      out.append(text.slice(copied, attribute));
      out.append(kDevicePrefix);
      copied = attribute;
    }
  }

  void skipMetadata() {
    size_t begin = at + 3, end = text.find("#-}", begin);
    metadata = text.slice(begin, end);
    at = end == StringRef::npos ? text.size() : end + 3;
  }

  StringRef text, metadata;
  size_t at = 0, copied = 0;
  std::string out;
};

std::string placeOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  StringRef file = place.getFilename().getValue();
  file.consume_back(kPlaceMark);
  return (file + ":" + llvm::Twine(place.getLine()) + ":" + llvm::Twine(place.getColumn())).str();
}

/// How long the map is that `text` begins with, `(d0, d1) -> (d0 * 2, d1)`; 0 if there is none.
size_t mapLength(StringRef text) {
  size_t arrow = text.find("->"), depth = 0;
  size_t begin = arrow == StringRef::npos ? arrow : text.find_first_not_of(' ', arrow + 2);
  if (!text.starts_with("(") || begin == StringRef::npos || text[begin] != '(')
    return 0;
  for (size_t at = begin; at != text.size(); ++at) {
    depth += text[at] == '(';
    depth -= text[at] == ')';
    if (depth == 0)
      return at + 1;
  }
  return 0;
}

llvm::Error parse(StringRef text, StringRef file, MLIRContext *context, RawModule &module) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, (file + kPlaceMark).str()), SMLoc());
  std::string first;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    // One message: what the parser says behind its first error follows from that.
    if (first.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first = placeOf(diagnostic.getLocation()) + ": " + diagnostic.str();
    return success();
  });
  AsmParserState state;
  FallbackAsmResourceMap resources;
  // Unverified: what the ops' rules are nobody here knows.
  ParserConfig config(context, /*verifyAfterParse=*/false, &resources);
  if (failed(parseAsmSourceFile(sources, &module.top, config, &state)) || !first.empty())
    return llvm::createStringError(first.empty() ? file.str() + ": cannot be read" : first);
  for (const AsmParserState::AttributeAliasDefinition &alias : state.getAttributeAliasDefs())
    // Locations are compared as what they are and not as text.
    if (alias.value && !isa<LocationAttr>(alias.value))
      module.aliases[("#" + alias.name).str()] = withPlainMaps(textOf(alias.value), context);
  for (const AsmParserState::TypeAliasDefinition &alias : state.getTypeAliasDefs())
    if (alias.value)
      module.aliases[("!" + alias.name).str()] = withPlainMaps(textOf(alias.value), context);
  for (const AsmParserState::OperationDefinition &written : state.getOpDefs())
    // Only where the location does not say it already: a large module has a place for every op.
    if (!written.op->getLoc()->findInstanceOf<FileLineColLoc>()) {
      auto [line, column] = sources.getLineAndColumn(written.loc.Start);
      module.places[written.op] = (file + ":" + llvm::Twine(line) + ":" + llvm::Twine(column)).str();
    }
  return llvm::Error::success();
}

} // namespace

/// Tiles may be elements of memrefs.
struct OpaqueElement : MemRefElementTypeInterface::ExternalModel<OpaqueElement, OpaqueType> {};

std::unique_ptr<MLIRContext> makeRawContext() {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, LLVM::LLVMDialect>();
  registerRawDialects(registry);
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  OpaqueType::attachInterface<OpaqueElement>(*context);
  return context;
}

std::string withPlainMaps(std::string text, MLIRContext *context) {
  // What is no map after all stays as it is, without a message: the texts were read before.
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) { return success(); });
  // Maps stand by themselves, or first in a layout.
  for (StringRef holder : {"affine_map<", "ttnn_layout<"})
    for (size_t at = text.find(holder); at != std::string::npos; at = text.find(holder, at)) {
      at += holder.size();
      size_t length = mapLength(StringRef(text).drop_front(at));
      std::string whole = "affine_map<" + text.substr(at, length) + ">";
      if (auto map = length ? dyn_cast_or_null<AffineMapAttr>(parseAttribute(whole, context)) : nullptr)
        text.replace(at, length, textOf(map.getValue()));
    }
  return text;
}

llvm::Expected<std::unique_ptr<RawModule>> readRaw(llvm::MemoryBufferRef text, MLIRContext *context) {
  auto module = std::make_unique<RawModule>();
  Preparation preparation(text.getBuffer());
  std::string prepared = preparation.run();
  module->resources = preparation.resources().str();
  for (StringRef rest = text.getBuffer().split(kResourceUse).second; !rest.empty();
       rest = rest.split(kResourceUse).second)
    module->usedResources.insert(rest.take_until([](char c) { return c == '>'; }).trim('"'));
  if (llvm::Error error = parse(prepared, text.getBufferIdentifier(), context, *module))
    return std::move(error);
  return std::move(module);
}

std::string placeOf(RawModule &module, Operation *op) {
  std::string place = placeOf(op->getLoc());
  if (!place.empty())
    return place;
  auto found = module.places.find(op);
  return found == module.places.end() ? "" : found->second;
}

/// With the first letter as the file has it.
std::string nameOf(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  for (StringRef dialect : kReadByMlir)
    if (StringRef(name).drop_front().starts_with(dialect.drop_front()) &&
        name.front() == llvm::toUpper(dialect.front()))
      name.front() = dialect.front();
  return name;
}

} // namespace tessera::guard
