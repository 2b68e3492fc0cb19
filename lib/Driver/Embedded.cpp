//===- Embedded.cpp - What the commands do, for other programs ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What the Python package calls. Requests are texts and numbers, and answers
// are texts, so that no type of ours is part of an interface between languages.
// All that commands print becomes part of an answer or of a failure, as
// standard output and standard error belong to the program that called.
//
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Embedded.h"

#include "Cli/PlanningWords.h"
#include "Common/ModuleFile.h"
#include "Common/Session.h"
#include "EmbeddedModule.h"
#include "Modules/DecidedModule.h"
#include "Ops/OpAnswer.h"

#include "tessera/Device/DeviceNames.h"
#include "tessera/Guard/UnknownText.h"
#include "tessera/Layout/LayoutText.h"
#include "tessera/OpModel/LayoutJson.h"
#include "tessera/OpModel/MadeTensor.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/Optimizer/Decisions/DecisionsFile.h"
#include "tessera/Report/Html.h"
#include "tessera/Support/AtomicFile.h"
#include "tessera/Support/ModuleText.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::embedded;
namespace json = llvm::json;

/// Options are the words of `tessera optimize`, so that both programs have one set of names, defaults and messages.
llvm::Expected<OptimizerOptions> embedded::optionsOf(const OptimizeRequest &request) {
  llvm::Expected<OptimizeArguments> arguments = parsePlanningWords(request.options);
  if (!arguments)
    return arguments.takeError();
  llvm::Expected<OptimizerOptions> options = tessera::optionsOf(*arguments);
  if (options)
    // All of it, as whatever is asked later is answered from these decisions.
    options->decisions = options->trace = true;
  return options;
}

std::vector<std::string> embedded::optionNames() { return planningOptionNames(); }

llvm::Expected<decisions::Decisions> embedded::parsedDecisions(const std::string &text) {
  return decisions::decisionsFromText(text);
}

Failure embedded::failure(llvm::Error error) { return {llvm::toString(std::move(error)), {}}; }

std::string embedded::text(const json::Value &value) {
  std::string out;
  llvm::raw_string_ostream(out) << value;
  return out;
}

/// As the command does: read, plan, verify, print, and let the guard compare what was printed with what was read.
/// Whatever fails is a Failure with the diagnostics of the module, and nothing is returned.
Outcome<Optimized> embedded::optimize(const OptimizeRequest &request) {
  llvm::Expected<OptimizerOptions> options = optionsOf(request);
  if (!options)
    return failure(options.takeError());
  Outcome<std::unique_ptr<EmbeddedModule>> read = EmbeddedModule::read(request.text, request.name);
  if (auto *wrong = std::get_if<Failure>(&read))
    return std::move(*wrong);
  EmbeddedModule &input = *std::get<std::unique_ptr<EmbeddedModule>>(read);
  mlir::OwningOpRef<mlir::ModuleOp> &module = input.module;
  mlir::FallbackAsmResourceMap &resources = input.resources;
  bool locations = hasOwnLocations(*module);   // the names by which people know its ops
  options->print = [&](mlir::ModuleOp graph) { // for the guard, like the output
    mlir::OwningOpRef<mlir::ModuleOp> copy = graph.clone();
    dropPlaces(*copy);
    return printModule(*copy, locations, resources);
  };
  mlir::FailureOr<OptimizationResult> result = tessera::optimize(*module, *options);
  if (mlir::failed(result) || mlir::failed(mlir::verify(*module)))
    return input.failure();
  // The parser's notes of places point into the input and mean nothing in the output. The guard compares the
  // very text that is returned, not the module it was printed from.
  dropPlaces(*module);
  Optimized optimized;
  optimized.ir = printModule(*module, locations, resources);
  GuardOptions guard = guardOptions(*options);
  guard.locations = locations;
  std::string lost = lostOnTheWay(llvm::MemoryBufferRef(request.text, request.name), *result,
                                  llvm::MemoryBufferRef(optimized.ir, "output"), guard);
  if (!lost.empty()) {
    // MLIR does not look into text of unknown dialects: then the input has to change, and not Tessera.
    std::string alias = aliasInUnknownText(*module);
    return failure(llvm::createStringError(
        alias.empty() ? "internal error: the optimized module does not keep all of the input: " + lost
                      : "'" + request.name + "': " + alias));
  }
  optimized.summary = text(toJson(totalOf(result->functions)));
  llvm::raw_string_ostream stream(optimized.decisions);
  json::OStream os(stream);
  write(os, tessera::decisionsOf(*result, request.name));
  optimized.diagnostics = input.take();
  return optimized;
}

std::optional<Failure>
embedded::writeFiles(const std::vector<std::pair<std::string, std::string>> &textsByPath) {
  std::vector<OutputFile> files;
  for (const auto &[path, text] : textsByPath) {
    // The later one would be all that is left.
    for (const OutputFile &earlier : files)
      if (sameFile(earlier.path, path))
        return Failure{"two outputs both write '" + path + "'", {}};
    files.push_back({path, [&text](llvm::raw_ostream &os) { os << text; }});
  }
  if (llvm::Error error = writeFilesAtomically(files))
    return failure(std::move(error));
  return std::nullopt;
}

/// Of texts of decisions files, `against` may be empty: a report needs no module and plans nothing.
Outcome<std::string> embedded::report(const std::string &decisions, const std::string &against) {
  llvm::Expected<decisions::Decisions> plan = parsedDecisions(decisions);
  if (!plan)
    return failure(plan.takeError());
  std::optional<decisions::Decisions> compared;
  if (!against.empty()) {
    llvm::Expected<decisions::Decisions> other = parsedDecisions(against);
    if (!other)
      return failure(other.takeError());
    compared = std::move(*other);
  }
  std::string html;
  llvm::raw_string_ostream os(html);
  report::writeHtml(os, {std::move(*plan), std::move(compared)});
  return html;
}

/// `words` as overrides and queries write layouts, such as "8x8:l1:block_sharded:tile".
Outcome<std::string> embedded::layout(const std::string &tensor, const std::string &words,
                                      const std::string &device) {
  llvm::Expected<const DeviceSpec *> spec = deviceNamed(device);
  if (!spec)
    return failure(spec.takeError());
  llvm::Expected<TensorDesc> desc = parseTensorDesc(tensor);
  if (!desc)
    return failure(desc.takeError());
  llvm::Expected<TensorLayout> layout = parseLayoutFor(words, *desc, **spec);
  if (!layout)
    return failure(layout.takeError());
  json::Value value = toJson(*layout);
  json::Object &object = *value.getAsObject();
  object["bytes_per_core"] = bytesPerCore(*layout, **spec).value();
  object["total_bytes"] = totalBytes(*layout, desc->shape).value();
  object["core_count"] = layout->coreCount().value();
  return text(value);
}

/// What `tessera ops` answers about one call, by the built-in model.
Outcome<std::string> embedded::query(const std::string &text, const std::string &device, double l1UsageCap) {
  llvm::Expected<const DeviceSpec *> spec = deviceNamed(device);
  if (!spec)
    return failure(spec.takeError());
  if (std::string wrong = checkL1UsageCap(l1UsageCap); !wrong.empty())
    return Failure{wrong, {}};
  LayoutPool layouts;
  // What is left of L1 depends on the version of the backend.
  DeviceSpec opened = asOpenedBy(OpModelOptions(), **spec);
  llvm::Expected<TextQuery> query = parseQueryText(text, layouts, opened);
  if (!query)
    return failure(query.takeError());
  llvm::Expected<OpModelBackend> backend =
      OpModelBackend::create(OpModelOptions(), {opened, layouts, l1Budget(opened, l1UsageCap)});
  if (!backend)
    return failure(backend.takeError());
  OpAnswer answer = ask(*backend, query->query());
  // The model's own rules first: they say where they come from.
  if (std::string wrong = wrongShape(query->signature); answer.result.ok() && !wrong.empty())
    return failure(llvm::createStringError(wrong));
  return embedded::text(toJson(answer));
}
