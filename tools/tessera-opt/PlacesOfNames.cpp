//===- PlacesOfNames.cpp - File, line and column of ops with loc("name") --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PlacesOfNames.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"

#include <mutex>

using namespace mlir;

namespace {

std::string printed(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

/// Where the ops of a text stand, by their written locations.
class TextIndex {
public:
  TextIndex(llvm::MemoryBufferRef text, const DialectRegistry &registry) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
                               llvm::SMLoc());
    // A context of its own, without handlers: what is wrong with the text is said already.
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects();
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    Block block;
    AsmParserState state;
    if (failed(
            parseAsmSourceFile(sources, &block, ParserConfig(&context, /*verifyAfterParse=*/false), &state)))
      return;
    for (const AsmParserState::OperationDefinition &written : state.getOpDefs()) {
      auto [line, column] = sources.getLineAndColumn(written.loc.Start);
      places[printed(written.op->getLoc())].push_back(
          {written.op->getName().getStringRef().str(), line, column});
    }
  }

  /// The line and column of the first op at `location`; of the first that `message` is about, if it names its op. Line
  /// 0 if there is none.
  std::pair<unsigned, unsigned> find(mlir::Location location, StringRef message) const {
    auto entry = places.find(printed(location));
    if (entry == places.end())
      return {};
    for (const Written &op : entry->second)
      if (message.starts_with("'" + op.name + "' "))
        return {op.line, op.column};
    return {entry->second.front().line, entry->second.front().column};
  }

private:
  struct Written {
    std::string name;
    unsigned line, column;
  };
  llvm::StringMap<std::vector<Written>> places;
};

/// Says a message again at the place of its op.
class Placer {
public:
  Placer(MLIRContext *context, llvm::MemoryBufferRef text) : context(context), text(text) {}

  LogicalResult operator()(Diagnostic &diagnostic) {
    std::optional<mlir::Location> at = placed(diagnostic.getLocation(), diagnostic.str());
    if (!at)
      return failure();
    InFlightDiagnostic again = context->getDiagEngine().emit(*at, diagnostic.getSeverity());
    again << diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      again.attachNote(placed(note.getLocation(), note.str()).value_or(note.getLocation())) << note.str();
    return success();
  }

private:
  /// nullopt if the location names a place by itself, or nothing in the text has it.
  std::optional<mlir::Location> placed(mlir::Location location, StringRef message) {
    // The module that MLIR puts around a text without one stands at 0:0.
    if (auto place = dyn_cast<FileLineColLoc>(location); place && place.getLine() == 0)
      return FileLineColLoc::get(place.getFilename(), 1, 1);
    if (location->findInstanceOf<FileLineColRange>() || isa<UnknownLoc>(location))
      return std::nullopt;
    if (!index)
      index.emplace(text, context->getDialectRegistry());
    auto [line, column] = index->find(location, message);
    if (line == 0)
      return std::nullopt;
    return FileLineColLoc::get(context, text.getBufferIdentifier(), line, column);
  }

  MLIRContext *context;
  llvm::MemoryBufferRef text;
  std::optional<TextIndex> index;
};

/// Registers the handler with each context when the parser meets the first function. Handlers are asked latest first,
/// and mlir-opt's own is there before it parses.
class Installer : public DialectExtension<Installer, func::FuncDialect> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Installer)

  explicit Installer(llvm::MemoryBufferRef text) : text(text) {}

  void apply(MLIRContext *context, func::FuncDialect *) const final {
    auto placer = std::make_shared<Placer>(context, text);
    context->getDiagEngine().registerHandler(
        [placer](Diagnostic &diagnostic) { return (*placer)(diagnostic); });
  }

private:
  llvm::MemoryBufferRef text;
};

} // namespace

void tessera::addPlacesOfNames(DialectRegistry &registry, llvm::MemoryBufferRef text) {
  registry.addExtension(TypeID::get<Installer>(), std::make_unique<Installer>(text));
}
