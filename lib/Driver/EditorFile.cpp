//===- EditorFile.cpp - What an editor is told about a module -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module as an editor has it: text that may be half written, asked about at a
// place. Nothing here is fatal, and nothing is planned. What ops cost comes
// from the op model as it is, since an editor asks again whenever the text
// changes.
//
//===----------------------------------------------------------------------===//
#include "tessera/Driver/EditorFile.h"

#include "Common/OpsOfFile.h"
#include "Common/UnknownOps.h"
#include "Ops/OpAnswer.h"
#include "tessera/Dialect/TTNN/TTNNInterfaces.h"
#include "tessera/Layout/LayoutText.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Simulator/DenseTensor.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/ModuleText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

struct EditorFile::Content {
  bool readable = true;
  std::unique_ptr<OpsOfFile> ops; ///< null if the text is no module
  std::optional<OpModelBackend> backend;
  /// Where each op and each value of a problem comes from.
  llvm::DenseMap<mlir::Operation *, const OpOfFile *> opOf;
  llvm::DenseMap<mlir::Value, std::pair<const BuiltProblem *, ValueId>> valueOf;
  std::vector<EditorDiagnostic> diagnostics;
};

namespace {

/// One line of a Markdown list: what it is, shape and type, and where it lies in words.
std::string bullet(const llvm::Twine &name, const TensorDesc &tensor, const TensorLayout &layout,
                   const DeviceSpec &device) {
  return ("- " + name + ": " + simulator::describe(tensor) + ", " + inWords(layout, device) + "\n").str();
}

/// In Markdown. Of an op without a time the reason is what helps.
std::string ofOp(const OpOfFile &op, const OpModelBackend &backend) {
  llvm::SmallVector<LayoutId> inputs;
  OpAnswer answer = ask(backend, declaredQuery(op, inputs));
  const OpModelContext &context = answer.model.context();
  const Problem &problem = op.function->problem;
  std::string said = "`" + op.op().name + "` on " + context.device.name + ": ";
  if (isMeasured(answer))
    said += formatNanoseconds(answer.runtime.total) + ", bound by " + boundBy(answer.runtime).str() + "\n\n";
  else
    said += "no time: " +
            (answer.result.message.empty() ? name(answer.result.status).str() : answer.result.message) +
            "\n\n";
  for (auto [index, operand] : llvm::enumerate(op.op().operands))
    said += bullet("operand " + llvm::Twine(index), problem[operand].tensor,
                   context.layouts[problem[operand].declared], context.device);
  for (auto [index, result] : llvm::enumerate(op.op().results))
    said += bullet("result " + llvm::Twine(index), problem[result].tensor,
                   context.layouts[problem[result].declared], context.device);
  if (isMeasured(answer))
    said += "- L1 per core: " + formatBytes(answer.result.constraints.cbL1PeakSize) +
            " of circular buffers, " + formatBytes(operandL1Bytes(answer.query, context)) + " of operands, " +
            formatBytes(answer.result.constraints.outputL1BufferSize) + " of results; there are " +
            formatBytes(context.l1Budget) + "\n";
  return said;
}

/// Lines and columns of what lies between two pointers into the text.
std::pair<EditorPlace, EditorPlace> spanOf(const llvm::SourceMgr &sources, llvm::SMRange range) {
  auto place = [&](llvm::SMLoc at) {
    // LLVM counts lines and columns from 1, editors from 0.
    auto [line, column] = sources.getLineAndColumn(at);
    return EditorPlace{line - 1, column - 1};
  };
  return {place(range.Start), place(range.End)};
}

/// Ranges are half-open: a place right behind a name is not on it.
bool holds(llvm::SMRange range, llvm::SMLoc at) {
  return range.isValid() && range.Start.getPointer() <= at.getPointer() &&
         at.getPointer() < range.End.getPointer();
}

/// The name of a definition that stands there, where it is defined or used; nothing if none does.
llvm::SMRange nameAt(const mlir::AsmParserState::SMDefinition &definition, llvm::SMLoc at) {
  if (holds(definition.loc, at))
    return definition.loc;
  const auto *use = llvm::find_if(definition.uses, [&](llvm::SMRange range) { return holds(range, at); });
  return use == definition.uses.end() ? llvm::SMRange() : *use;
}

/// Which of several results is used: 1 for `%0#1`.
unsigned numberBehind(llvm::SMRange name) {
  // The text ends with a zero, as all that LLVM reads does.
  const char *end = name.Start.getPointer();
  while (llvm::isAlnum(*end) || llvm::StringRef("%$._-").contains(*end))
    ++end;
  unsigned number = 0;
  return *end == '#' && !llvm::StringRef(end + 1).take_while(llvm::isDigit).getAsInteger(10, number) ? number
                                                                                                     : 0;
}

/// The value whose name stands there, if one does.
mlir::Value valueAt(const mlir::AsmParserState &text, llvm::SMLoc at) {
  // The definition and all uses: a hover tells the same wherever the name stands.
  for (const auto &written : text.getOpDefs())
    for (const auto &group : written.resultGroups)
      if (llvm::SMRange name = nameAt(group.definition, at); name.isValid())
        if (unsigned number = group.startIndex + numberBehind(name); number < written.op->getNumResults())
          return written.op->getResult(number);
  for (const auto &written : text.getBlockDefs())
    for (auto [index, argument] : llvm::enumerate(written.arguments))
      if (nameAt(argument, at).isValid())
        return written.block->getArgument(index);
  return nullptr;
}

} // namespace

/// Diagnostics are made here, each time that the text changes; a hover asks about one op.
EditorFile::EditorFile(llvm::StringRef text, llvm::StringRef name) : content(std::make_unique<Content>()) {
  // MLIR's parser would not survive such a text, and with it the editor's server.
  if (std::optional<ModuleTextFault> fault = findModuleTextFault(text)) {
    content->readable = false;
    EditorPlace place{fault->line - 1, fault->column - 1};
    content->diagnostics.push_back({place, {place.line, place.column + 1}, true, fault->message});
    return;
  }
  content->ops = OpsOfFile::ofText(text, name);
  if (!content->ops)
    return;
  const OpsOfFile &ops = *content->ops;
  auto backend =
      OpModelBackend::create(ops.opModel(), {ops.device(), ops.layouts(), ops.l1Budget(kDefaultL1UsageCap)});
  content->backend.emplace(llvm::cantFail(std::move(backend))); // the built-in one reads nothing
  for (const OpOfFile &op : ops.ops()) {
    content->opOf[op.ir()] = &op;
    const mlir::AsmParserState::OperationDefinition *written = ops.text().getOpDef(op.ir());
    // A diagnostic without a place could not be shown.
    if (!written)
      continue;
    auto [begin, end] = spanOf(ops.sources(), written->loc);
    // A typing mistake may be a key of a newer compiler: nothing else says that nobody heeds it.
    if (mlir::DictionaryAttr unread = ttnn::unreadProperties(op.ir()))
      for (mlir::NamedAttribute property : unread)
        content->diagnostics.push_back(
            {begin, end, false, "Tessera does not know its property '" + ttnn::nameOfUnread(property) + "'"});
    if (std::optional<std::string> why = whyWithoutTime(op, content->backend->model()))
      content->diagnostics.push_back({begin, end, false, *why});
  }
  for (const std::unique_ptr<BuiltProblem> &function : ops.functions())
    for (auto [index, value] : llvm::enumerate(function->binding.values))
      content->valueOf[value] = {function.get(), ValueId(index)};
}

EditorFile::~EditorFile() = default;
EditorFile::EditorFile(EditorFile &&) = default;
EditorFile &EditorFile::operator=(EditorFile &&) = default;
bool EditorFile::isReadable() const { return content->readable; }
const std::vector<EditorDiagnostic> &EditorFile::diagnostics() const { return content->diagnostics; }

/// "" where nothing is known of what stands there.
std::string EditorFile::hover(EditorPlace place) const {
  if (!content->ops)
    return "";
  const OpsOfFile &ops = *content->ops;
  llvm::SourceMgr &sources = ops.sources();
  llvm::SMLoc at = sources.FindLocForLineAndColumn(sources.getMainFileID(), place.line + 1, place.column + 1);
  if (!at.isValid())
    return "";
  // On the name of an op, the op; else what the value is whose name stands there.
  for (const auto &written : ops.text().getOpDefs())
    if (const OpOfFile *op = holds(written.loc, at) ? content->opOf.lookup(written.op) : nullptr)
      return ofOp(*op, *content->backend);
  mlir::Value value = valueAt(ops.text(), at);
  auto found = value ? content->valueOf.find(value) : content->valueOf.end();
  if (found == content->valueOf.end())
    return "";
  auto [function, id] = found->second;
  const tessera::Value &known = function->problem[id];
  return bullet("`" + llvm::Twine(known.name) + "`", known.tensor, ops.layouts()[known.declared],
                ops.device());
}
