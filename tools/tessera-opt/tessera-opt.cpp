//===- tessera-opt.cpp - Passes on modules, by mlir-opt's conventions ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PlacesOfNames.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Guard/Guard.h"
#include "tessera/Guard/UnknownText.h"
#include "tessera/Lowering/Passes.h"
#include "tessera/Optimizer/Passes.h"
#include "tessera/Support/AtomicFile.h"
#include "tessera/Support/ModuleText.h"
#include "tessera/Support/ToolProcess.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

static llvm::cl::opt<bool> allowBytecode("allow-bytecode",
                                         llvm::cl::desc("Read MLIR bytecode, which is trusted to be whole"));

static int fail(const llvm::Twine &message) {
  llvm::errs() << message << "\n";
  return 1;
}

/// That our reader loses something of one module's text, "" if it does not. Text that does not parse, and bytecode, are others' to judge.
static std::string lostInReading(llvm::MemoryBufferRef text, const mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::FallbackAsmResourceMap resources;
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/true, &resources);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text.getBuffer(), config);
  if (!module || mlir::isBytecode(text))
    return "";
  std::string read;
  llvm::raw_string_ostream os(read);
  mlir::AsmState state(*module);
  state.attachFallbackResourcePrinter(resources);
  module->print(os, state);
  tessera::GuardOptions asRead;
  asRead.planned = false;
  std::string lost = tessera::lostBetween(text, llvm::MemoryBufferRef(read, "as read"), asRead);
  if (lost.empty())
    return "";
  // MLIR does not look into text of unknown dialects: then the input has to change, and not Tessera.
  if (std::string alias = tessera::aliasInUnknownText(*module); !alias.empty())
    return "error: '" + text.getBufferIdentifier().str() + "': " + alias;
  return "internal error: not all of the module was read: " + lost;
}

/// The same of a file that may hold several, at the marker that mlir-opt splits at.
static std::string lostInFile(const llvm::MemoryBuffer &file, const mlir::DialectRegistry &registry,
                              llvm::StringRef marker) {
  llvm::SmallVector<llvm::StringRef> parts = {file.getBuffer()};
  if (!marker.empty()) {
    parts.clear();
    file.getBuffer().split(parts, marker);
  }
  for (llvm::StringRef part : parts)
    if (std::string lost = lostInReading({part, file.getBufferIdentifier()}, registry); !lost.empty())
      return lost;
  return "";
}

/// mlir-opt on a file that MLIR's parser can take.
static int run(const mlir::MlirOptMainConfig &config, llvm::StringRef input, llvm::StringRef output,
               mlir::DialectRegistry &registry) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &problem);
  if (!file)
    return fail("tessera-opt: error: " + problem);
  if (llvm::Error error = tessera::checkModuleText(*file, allowBytecode))
    return fail(llvm::toString(std::move(error)));
  // Before any pass: what the reader drops, no pass could bring back.
  if (std::string lost = lostInFile(*file, registry, config.inputSplitMarker()); !lost.empty())
    return fail("tessera-opt: " + lost);
  tessera::addPlacesOfNames(registry, *file);
  // Atomically, as the input may be the output as well, and is read where it lies.
  bool judged = true;
  llvm::Error unwritten = tessera::tryWriteFileAtomically(output, [&](llvm::raw_ostream &os) {
    judged = succeeded(mlir::MlirOptMain(os, std::move(file), registry, config));
    return judged ? llvm::Error::success() : llvm::createStringError("no output");
  });
  std::string reason = llvm::toString(std::move(unwritten));
  // What is wrong with the input has been said, at its place.
  if (!judged)
    return 1;
  return reason.empty() ? 0 : fail("tessera-opt: error: " + reason);
}

int main(int argc, char **argv) {
  tessera::ToolProcess process(argc, argv);
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  tessera::registerTesseraLoweringPasses();
  tessera::registerTesseraOptimizerPasses();
  mlir::registerTransformsPasses();

  // What we don't know always passes through; mlir-opt's switch for it stays valid.
  llvm::SmallVector<char *> args(argv, argv + argc);
  char allow[] = "--allow-unregistered-dialect";
  if (llvm::none_of(
          args, [](llvm::StringRef arg) { return arg.ltrim('-').starts_with("allow-unregistered-dialect"); }))
    args.insert(args.begin() + 1, allow);
  args.push_back(nullptr);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      static_cast<int>(args.size()) - 1, args.data(), "Tessera's passes on modules of TTNN ops\n", registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  return process.finish(run(config, input, output, registry));
}
