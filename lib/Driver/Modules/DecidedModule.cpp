//===- DecidedModule.cpp - A module with what was decided for it ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// How all commands begin that plan a module and look at what was decided. Some
// of them take a decisions file instead, which is known by the brace that its
// text begins with.
//
// Names as in the module's text are known to the parser only, so they are
// turned into locations before anything is planned: decisions and files of
// decisions have locations.
//
//===----------------------------------------------------------------------===//
#include "DecidedModule.h"

#include "../Common/ModuleFile.h"
#include "../Common/Reproducer.h"
#include "../Common/Session.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Optimizer/Decisions/DecisionsFile.h"
#include "tessera/Support/Version.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tessera;

/// "%5", whether it is asked for as "%5" or, one of several results, as "%5#1".
static bool isResult(const AsmParserState::OperationDefinition &op, StringRef wanted) {
  return llvm::any_of(
      op.resultGroups, [&](const AsmParserState::OperationDefinition::ResultGroupDefinition &group) {
        llvm::SMRange name = group.definition.loc;
        return StringRef(name.Start.getPointer(), size_t(name.End.getPointer() - name.Start.getPointer())) ==
               wanted.split('#').first;
      });
}

llvm::Expected<std::string> ResultNames::opOf(StringRef wanted) const {
  if (!wanted.starts_with("%"))
    return wanted.str();
  std::vector<std::string> found;
  Operation *itsOp = nullptr;
  bool isShared = false;
  // Only functions that are planned: in others nothing is decided that could be asked for.
  ModuleOp(module).walk([&](func::FuncOp function) {
    if (!isForwardDeviceFunction(function) || function.isExternal() || !function.getBody().hasOneBlock())
      return;
    auto named = namedOps(function);
    for (auto &[op, location] : named)
      if (const AsmParserState::OperationDefinition *written = text.getOpDef(op);
          written && isResult(*written, wanted)) {
        found.push_back(location);
        itsOp = op;
        isShared = llvm::count_if(named, [&](auto &other) { return other.second == location; }) > 1;
      }
  });
  if (found.empty())
    return llvm::createStringError("no op makes '" + wanted.str() + "'");
  if (found.size() > 1)
    return llvm::createStringError("several functions have a '" + wanted.str() + "'; made by " +
                                   llvm::join(found, ", ") + ": name the op by that");
  if (!isShared)
    return found.front();
  std::string name = (found.front() + " (" + wanted + ")").str();
  itsOp->setLoc(NameLoc::get(StringAttr::get(itsOp->getContext(), name), itsOp->getLoc()));
  return name;
}

llvm::Error tessera::adjustNothing(OptimizerOptions &, const ResultNames &) { return llvm::Error::success(); }

void tessera::takeAsItStands(OptimizeArguments &arguments) {
  // That policy changes nothing by itself, but follows overrides, and what comes behind any policy.
  arguments.policy = "declared";
  arguments.overrideOutputLayout = arguments.overrideConv2dConfig = arguments.insertMemReconfig = "";
  arguments.l1InterleavedFallback = false;
  // The cap is what our plan is made for. Held to it, another compiler's would give way, and lose time, to a figure that it was
  // never asked to keep.
  arguments.l1UsageCap = 1;
}

std::variant<DecidedModule, ExitCode> tessera::decideModule(const OptimizeArguments &arguments,
                                                            AdjustOptions adjust) {
  DecidedModule decided;
  decided.context = makeContext();
  llvm::SourceMgr sources;
  SessionDiagnostics diagnostics(decided.context.get(), sources, /*remarks=*/false);
  Progress progress(Progress::wanted(arguments.progress, arguments.quiet));
  std::optional<OptimizerOptions> options = optimizerOptions(
      arguments, progress, [&] { return mlir::emitError(UnknownLoc::get(decided.context.get())); });
  if (!options)
    return kUsageError;
  if (!readInput(arguments.input, arguments.allowBytecode, sources))
    return kInputError;
  Reproducer reproducer(arguments.commandLine, mainFile(sources));
  AsmParserState text;
  decided.module = parseModule(sources, decided.context.get(), text);
  if (!decided.module)
    return kInputError;
  if (llvm::Error wrong = adjust(*options, ResultNames(*decided.module, text))) {
    // A name that the module has not is the mistake of who typed it.
    usageError(llvm::toString(std::move(wrong)));
    return kUsageError;
  }
  FailureOr<OptimizationResult> result = optimize(*decided.module, *options);
  progress.clear();
  if (failed(result))
    return kInputError;
  decided.result = std::move(*result);
  return decided;
}

decisions::Decisions tessera::decisionsOf(OptimizationResult &result, const std::string &input) {
  decisions::Decisions all;
  all.generator = versionText().split('\n').first.str();
  all.input = input;
  for (OptimizedFunction &function : result.functions)
    if (function.decisions)
      // Taken out of the result, as they are most of what it holds.
      all.functions.push_back(std::move(*function.decisions));
  return all;
}

/// The text of a decisions file; nullptr if it is something else, for MLIR's reader to look at.
static std::unique_ptr<llvm::MemoryBuffer> decisionsText(const std::string &path) {
  // Standard input and pipes can be read once only, and are the module's.
  if (path == "-" || !llvm::sys::fs::is_regular_file(path))
    return nullptr;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return nullptr;
  StringRef text = (*buffer)->getBuffer().ltrim();
  // A module may have its resources in front of all else, and no JSON text begins like these.
  if (!text.starts_with("{") || text.starts_with("{-#"))
    return nullptr;
  return std::move(*buffer);
}

bool tessera::isDecisionsFile(const std::string &path) { return decisionsText(path) != nullptr; }

std::variant<decisions::Decisions, ExitCode> tessera::readDecisions(const OptimizeArguments &arguments,
                                                                    AdjustOptions adjust) {
  if (std::unique_ptr<llvm::MemoryBuffer> text = decisionsText(arguments.input)) {
    llvm::Expected<decisions::Decisions> read = decisions::decisionsFromText(text->getBuffer());
    if (read)
      return std::move(*read);
    inputError("'" + arguments.input + "': " + llvm::toString(read.takeError()));
    return kInputError;
  }
  auto decided = decideModule(arguments, [&](OptimizerOptions &options, const ResultNames &names) {
    options.decisions = true;
    return adjust(options, names);
  });
  if (auto *code = std::get_if<ExitCode>(&decided))
    return *code;
  return decisionsOf(std::get<DecidedModule>(decided).result, arguments.input);
}

std::variant<decisions::Decisions, ExitCode> tessera::readShownDecisions(const OptimizeArguments &arguments,
                                                                         AdjustOptions adjust) {
  auto read = readDecisions(arguments, adjust);
  if (auto *all = std::get_if<decisions::Decisions>(&read); all && all->functions.empty()) {
    inputError("'" + arguments.input + "' has no function that runs on the device");
    return kInputError;
  }
  return read;
}
