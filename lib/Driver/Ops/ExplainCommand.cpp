//===- ExplainCommand.cpp - tessera ops explain ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One question to the op model, of an op in a file or of one that is described
// in words. Both become a query before anything is answered, so that an op of a
// file can be copied into words, changed, and asked again.
//
//===----------------------------------------------------------------------===//
#include "../Common/OpsOfFile.h"
#include "../Common/Session.h"
#include "OpAnswer.h"

#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/MadeTensor.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/OpModel/SimilarOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

/// What to ask, and where it comes from.
struct Question {
  const OpQuery query;
  const DeviceSpec &device;
  LayoutPool &layouts;
  Bytes l1Budget;
  OpModelOptions opModel;
  std::string where, note; ///< as in OpAnswer
  std::string wrong = "";  ///< with what the op model would take as it is given; "" if nothing
};

int answerQuestion(const ExplainArguments &arguments, const Question &question) {
  auto backend =
      OpModelBackend::create(question.opModel, {question.device, question.layouts, question.l1Budget});
  if (!backend)
    return inputError(llvm::toString(backend.takeError()));
  OpAnswer answer = ask(*backend, question.query);
  // The model's own rules first: they say where they come from.
  if (answer.result.ok() && !question.wrong.empty())
    return inputError(question.wrong);
  answer.where = question.where;
  answer.note = question.note;
  // Only here, where a person has typed the name.
  if (answer.result.rule == "op.unknown")
    answer.result.message += similarOps(question.query.op.name);
  if (llvm::Error error = backend->finish())
    return inputError(llvm::toString(std::move(error)));
  if (!writeFiles({jsonFile(arguments.json, toJson(answer))}))
    return kInputError;
  // JSON on standard output must stand alone there.
  print(arguments.json == "-" ? llvm::errs() : llvm::outs(), answer);
  return answer.result.ok() ? kSuccess : kInputError;
}

// ---- An op that the command line describes ---------------------------------------------------------------

/// "matmul" is what people type.
std::string fullName(const std::string &op) { return llvm::StringRef(op).contains('.') ? op : "ttnn." + op; }

/// A result that is not described follows from the operands, as in `tessera.query` of Python.
std::string resultsText(const ExplainArguments &arguments) {
  if (!arguments.out.empty())
    return llvm::join(arguments.out, ", ");
  const OpInfo *known = findOp(fullName(arguments.op));
  return known && known->results == 1 ? "?" : "()";
}

std::string queryText(const ExplainArguments &arguments) {
  return fullName(arguments.op) + " " + (arguments.in.empty() ? "()" : llvm::join(arguments.in, ", ")) +
         " -> " + resultsText(arguments) + " ; " + llvm::join(arguments.attributes, " ") + " ; " +
         arguments.config;
}

/// Words may name shards and cores that no tensor or device has: the model takes layouts as given. "" if none does.
std::string wrongLayout(const TextQuery &query, const LayoutPool &layouts, const DeviceSpec &device) {
  std::string wrong;
  auto check = [&](llvm::StringRef what, size_t i, const TensorDesc &tensor, LayoutId id) {
    std::string problem = id.valid() ? checkLayoutFor(layouts[id], tensor.shape, device) : "";
    if (wrong.empty() && !problem.empty())
      wrong = (what + " " + std::to_string(i) + ": " + problem).str();
  };
  for (auto [i, id] : llvm::enumerate(query.inputs))
    check("operand", i, query.signature.operands[i].tensor, id);
  for (auto [i, id] : llvm::enumerate(query.config.outputs))
    check("result", i, query.signature.results[i], id);
  return wrong;
}

int explainDescribed(const ExplainArguments &arguments, const DeviceSpec &device) {
  // Op names have dots, too, so only what exists or is called .mlir counts as a file.
  bool isFile = llvm::StringRef(arguments.op).contains('.') && llvm::sys::fs::exists(arguments.op);
  if (isFile || llvm::StringRef(arguments.op).ends_with(".mlir"))
    return usageError("which op of '" + arguments.op +
                      "'? Name it with --op, by its line or location, or as ttnn.matmul#3");
  LayoutPool layouts;
  auto query = parseQueryText(queryText(arguments), layouts, device);
  if (!query)
    return usageError(llvm::toString(query.takeError()));
  if (std::string wrong = wrongLayout(*query, layouts, device); !wrong.empty())
    return usageError(wrong);
  return answerQuestion(arguments, {query->query(), device, layouts, l1Budget(device, arguments.l1UsageCap),
                                    arguments.opModel, "", "", wrongShape(query->signature)});
}

// ---- An op of a file -------------------------------------------------------------------------------------

/// Tensors of the op that the question leaves out: what has no ttnn layout, the model cannot be told.
std::string leftOut(const OpOfFile &op) {
  auto tensors = [](auto values) {
    return size_t(
        llvm::count_if(values, [](mlir::Value value) { return isa<mlir::TensorType>(value.getType()); }));
  };
  size_t operands = tensors(op.ir()->getOperands()) - op.op().operands.size();
  size_t results = tensors(op.ir()->getResults()) - op.op().results.size();
  if (operands + results == 0)
    return "";
  return llvm::Twine(operands).str() + " operands and " + std::to_string(results) +
         " results without a ttnn layout are left out";
}

/// With the file's own device and budget: the answer is the one that a policy gets.
int explainOfFile(const ExplainArguments &arguments, const DeviceSpec *device) {
  std::unique_ptr<OpsOfFile> file =
      OpsOfFile::read(arguments.op, arguments.allowBytecode, device, arguments.opModel);
  if (!file)
    return kInputError;
  llvm::Expected<const OpOfFile *> selected = file->select(arguments.selected);
  if (!selected)
    return usageError(llvm::toString(selected.takeError()));
  const OpOfFile &op = **selected;
  const Problem &problem = op.function->problem;
  llvm::SmallVector<LayoutId> inputs;
  for (ValueId operand : op.op().operands)
    inputs.push_back(problem[operand].declared);
  return answerQuestion(arguments, {{problem.signature(op.id), inputs, op.op().declared},
                                    file->device(),
                                    file->layouts(),
                                    file->l1Budget(arguments.l1UsageCap),
                                    file->opModel(),
                                    arguments.op + ": " + describe(op),
                                    leftOut(op)});
}

} // namespace

int tessera::explainOp(const ExplainArguments &arguments) {
  const DeviceSpec *device = nullptr;
  if (!arguments.device.empty()) {
    device = findDeviceOrDiagnose(arguments.device);
    if (!device)
      return kUsageError;
  }
  if (!checkOrDiagnose(arguments.opModel) || !checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  if (std::string wrong = checkL1UsageCap(arguments.l1UsageCap); !wrong.empty())
    return usageError(wrong);
  if (!arguments.selected.empty())
    return explainOfFile(arguments, device);
  // Without a file nothing describes a device.
  return explainDescribed(arguments, asOpenedBy(arguments.opModel, device ? *device : *findDevice("n150")));
}
