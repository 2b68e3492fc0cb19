//===- ModuleFile.cpp - A module with the places of its ops ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A location of MLIR may be a name and no place in a file. Diagnostics need the
// place and decisions the name, so the parser's own record of where things
// stand is put beside the name, in a location with a mark. Whoever prints a
// module drops what has the mark, and the text has the locations that came in.
//
//===----------------------------------------------------------------------===//
#include "ModuleFile.h"

#include "tessera/Bridge/ModuleVersion.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Tells our fused locations from those that a file has itself.
constexpr StringLiteral kMark = "tessera.place";

const llvm::MemoryBuffer &mainBuffer(const llvm::SourceMgr &sources) {
  return *sources.getMemoryBuffer(sources.getMainFileID());
}

/// The parser gives a place to whatever has no loc(...), and what a loc(...) says may have one as well.
bool hasPlace(mlir::Location location) { return bool(location->findInstanceOf<FileLineColRange>()); }

/// The mark of a location that we made, nullptr of any other.
ArrayAttr markOf(FusedLoc location) {
  auto mark = dyn_cast_or_null<ArrayAttr>(location.getMetadata());
  bool ours = mark && mark.size() == 2 && mark[0] == StringAttr::get(location.getContext(), kMark) &&
              isa<LocationAttr>(mark[1]);
  return ours ? mark : nullptr;
}

/// Gives locations their places.
class Places {
public:
  Places(const llvm::SourceMgr &sources, MLIRContext *context)
      : sources(sources), file(StringAttr::get(context, mainBuffer(sources).getBufferIdentifier())) {}

  mlir::Location add(mlir::Location location, SMLoc at) const {
    if (hasPlace(location) || !at.isValid())
      return location;
    MLIRContext *context = file.getContext();
    auto [line, column] = sources.getLineAndColumn(at);
    // The location stands in the mark as it is, and in front so that names in it are found.
    return FusedLoc::get({location, FileLineColLoc::get(file, line, column)},
                         ArrayAttr::get(context, {StringAttr::get(context, kMark), LocationAttr(location)}),
                         context);
  }

private:
  const llvm::SourceMgr &sources;
  StringAttr file;
};

void addPlaces(const llvm::SourceMgr &sources, MLIRContext *context, const AsmParserState &text) {
  Places places(sources, context);
  for (const AsmParserState::OperationDefinition &written : text.getOpDefs())
    written.op->setLoc(places.add(written.op->getLoc(), written.loc.Start));
  for (const AsmParserState::BlockDefinition &written : text.getBlockDefs())
    for (auto [argument, definition] : llvm::zip(written.block->getArguments(), written.arguments))
      argument.setLoc(places.add(argument.getLoc(), definition.loc.Start));
}

/// Lets one error through. What follows it is about the same mistake: generated parsers of attributes say in their own
/// terms that a part failed, and a character that no token has is reported each time it is looked at.
class FirstError : public ScopedDiagnosticHandler {
public:
  explicit FirstError(MLIRContext *context) : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      // A failure hands the diagnostic on to the handler before this one, which prints it; a success ends it here.
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Error && std::exchange(said, true));
    });
  }

  bool wasSaid() const { return said; }

private:
  bool said = false;
};

/// MLIR takes a symbol without a name in the generic form, and prints what it does not take.
LogicalResult verifySymbolNames(ModuleOp module) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!name || !name.empty())
      return WalkResult::advance();
    op->emitOpError("has an empty symbol name, which MLIR cannot write; a name has one character at least");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace

StringRef tessera::mainFile(const llvm::SourceMgr &sources) { return mainBuffer(sources).getBuffer(); }

OwningOpRef<ModuleOp> tessera::parseModule(const llvm::SourceMgr &sources, MLIRContext *context,
                                           AsmParserState &text, FallbackAsmResourceMap *resources) {
  FirstError oneError(context);
  const llvm::MemoryBuffer &file = mainBuffer(sources);
  // Bytecode has no text in which anything could have a place.
  if (isBytecode(file.getMemBufferRef()))
    return parseSourceFile<ModuleOp>(sources, ParserConfig(context, /*verifyAfterParse=*/true, resources));
  // The verifier's diagnostics need places, so it runs after they are there.
  ParserConfig unverified(context, /*verifyAfterParse=*/false, resources);
  Block block;
  // The parser takes what stands before a string that no quote ends, and calls that a success.
  if (failed(parseAsmSourceFile(sources, &block, unverified, &text)) || oneError.wasSaid())
    return nullptr;
  addPlaces(sources, context, text);
  // What stands at the top of a file need not be a module: then one is made around it, as MLIR's own reader does.
  OwningOpRef<ModuleOp> module = mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, context, FileLineColLoc::get(context, file.getBufferIdentifier(), 1, 1));
  if (!module || failed(verify(*module)) || failed(verifySymbolNames(*module)))
    return nullptr;
  return module;
}

bool tessera::hasOwnLocations(ModuleOp module) {
  return module
      .walk([&](Operation *op) {
        // The module's says for which version of the library it is, and names nothing.
        bool byParser = op == module || isa<FileLineColLoc, UnknownLoc>(withoutPlace(op->getLoc()));
        return byParser ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

std::string tessera::printModule(ModuleOp module, bool locations, FallbackAsmResourceMap &resources) {
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState state(module, locations ? OpPrintingFlags().enableDebugInfo() : OpPrintingFlags());
  state.attachFallbackResourcePrinter(resources);
  module.print(os, state);
  if (StringRef version = versionOfModule(module); !locations && !version.empty()) {
    // MLIR prints all locations or none. Behind the module there are resources at most, which begin a line.
    size_t end = std::min(text.find("\n\n{-#"), StringRef(text).rtrim().size());
    OwningOpRef<ModuleOp> empty = ModuleOp::create(UnknownLoc::get(module.getContext()));
    setVersionOfModule(*empty, version);
    std::string mark;
    llvm::raw_string_ostream(mark) << ' ' << empty->getLoc();
    text.insert(end, mark);
  }
  os << "\n";
  return text;
}

std::string tessera::printForVersion(ModuleOp module, StringRef version, FallbackAsmResourceMap &resources) {
  dropPlaces(module);
  setVersionOfModule(module, version);
  return printModule(module, /*locations=*/true, resources);
}

mlir::Location tessera::withoutPlace(mlir::Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  ArrayAttr mark = fused ? markOf(fused) : nullptr;
  return mark ? mlir::Location(cast<LocationAttr>(mark[1])) : location;
}

void tessera::dropPlaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FusedLoc location) -> std::optional<Attribute> {
    if (ArrayAttr mark = markOf(location))
      return mark[1];
    return std::nullopt;
  });
  // Attributes are left alone: only ops and arguments of blocks were given marks.
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false, /*replaceLocs=*/true);
}
