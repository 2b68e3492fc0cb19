//===- OpsOfFile.cpp - One op of a TTNN file, by a name that a user has ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops are found by whatever people have in front of them: a line of the text, a
// name of a result, a location of the framework, or the kind with a number. A
// module is read here without being planned. Problems are made of it, as these
// are what the op model is asked about, with the layouts that it states.
//
//===----------------------------------------------------------------------===//
#include "OpsOfFile.h"

#include "ModuleFile.h"
#include "Session.h"
#include "tessera/Bridge/ModuleVersion.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Lowering/MetalLayouts.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/MockOpModel.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Optimizer/Problem/OpLabels.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Candidates that an error lists.
constexpr size_t kMostCandidates = 12;
/// Those of them that stand near a line without an op.
constexpr size_t kNearestLines = 4;

/// A line of a file, as in "model.mlir:12:8"; column 0: any.
struct Place {
  StringRef file;
  unsigned line = 0, column = 0;
};

/// nullopt if `text` is not a place. "12" and "12:8" are places in any file.
std::optional<Place> parsePlace(StringRef text) {
  // From the back, as a path may have colons itself.
  SmallVector<unsigned, 2> numbers;
  while (numbers.size() < 2) {
    auto [head, tail] = text.contains(':') ? text.rsplit(':') : std::pair(StringRef(), text);
    unsigned number = 0;
    if (tail.empty() || tail.getAsInteger(10, number))
      break;
    numbers.insert(numbers.begin(), number);
    text = head;
  }
  if (numbers.empty())
    return std::nullopt;
  return Place{text, numbers[0], numbers.size() > 1 ? numbers[1] : 0};
}

/// Whether `wanted` is the path `file` or an end of it: "model.mlir" is "/tmp/model.mlir".
bool isPathOf(StringRef wanted, StringRef file) {
  wanted.consume_front("./");
  file.consume_front("./");
  return wanted.empty() || file == wanted ||
         (file.ends_with(wanted) && file.drop_back(wanted.size()).ends_with("/"));
}

bool isAt(const Place &wanted, StringRef file, unsigned line, unsigned column) {
  return wanted.line == line && (wanted.column == 0 || wanted.column == column) &&
         isPathOf(wanted.file, file);
}

/// Whether a part of the op's location is that place. The parser's own notes of where ops stand are such
/// parts.
bool comesFrom(mlir::Location location, const Place &wanted) {
  return location
      ->walk([&](mlir::Location part) {
        auto place = dyn_cast<FileLineColRange>(part);
        bool found = place && isAt(wanted, place.getFilename().getValue(), place.getStartLine(),
                                   place.getStartColumn());
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::vector<std::string> namesOf(StringRef first, mlir::Location location) {
  std::vector<std::string> names{first.str()};
  location->walk([&](mlir::Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && !llvm::is_contained(names, named.getName().str()))
      names.push_back(named.getName().str());
    return WalkResult::advance();
  });
  return names;
}

/// `loc("name")` -> `name`.
StringRef unquoted(StringRef text) {
  text = text.trim();
  if (text.consume_front("loc("))
    text.consume_back(")");
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.drop_front().drop_back();
  return text;
}

} // namespace

struct OpsOfFile::Content {
  std::unique_ptr<MLIRContext> context = makeContext();
  llvm::SourceMgr sources;
  std::string path;
  AsmParserState text; ///< where ops stand and how their results are called; empty for bytecode
  OwningOpRef<ModuleOp> module;
  LayoutPool layouts;
  SignaturePool signatures;
  OpModelOptions opModel;
  DeviceSpec device;
  std::vector<std::unique_ptr<BuiltProblem>> functions;
};

OpsOfFile::OpsOfFile() : content(std::make_unique<Content>()) {}
OpsOfFile::~OpsOfFile() = default;
ArrayRef<std::unique_ptr<BuiltProblem>> OpsOfFile::functions() const { return content->functions; }
const DeviceSpec &OpsOfFile::device() const { return content->device; }
const OpModelOptions &OpsOfFile::opModel() const { return content->opModel; }
StringRef OpsOfFile::version() const { return versionOfModule(*content->module); }
GridShape OpsOfFile::mesh() const {
  GridShape mesh = content->device.mesh;
  content->module->walk([&](ttcore::DeviceOp used) {
    ttcore::DeviceAttr device = used.getDeviceAttr();
    ArrayRef<int64_t> shape = device.getMeshShape();
    if (shape.size() == 2)
      mesh = {shape[0], shape[1]};
    // Chips without a mesh are a row of them.
    else if (!device.getChipIds().empty())
      mesh = {1, int64_t(device.getChipIds().size())};
  });
  return mesh;
}
LayoutPool &OpsOfFile::layouts() const { return content->layouts; }
Bytes OpsOfFile::l1Budget(double cap) const { return l1BudgetOf(*content->module, content->device, cap); }

llvm::SourceMgr &OpsOfFile::sources() const { return content->sources; }
const AsmParserState &OpsOfFile::text() const { return content->text; }

std::unique_ptr<OpsOfFile> OpsOfFile::read(const std::string &path, bool allowBytecode,
                                           const DeviceSpec *device, const OpModelOptions &opModel) {
  return read(path, allowBytecode, device, [&](ModuleOp) { return opModel; });
}

std::unique_ptr<OpsOfFile> OpsOfFile::read(const std::string &path, bool allowBytecode,
                                           const DeviceSpec *device, ChooseOpModel opModel) {
  std::unique_ptr<OpsOfFile> file(new OpsOfFile());
  Content &content = *file->content;
  content.path = path;
  if (!readInput(path, allowBytecode, content.sources))
    return nullptr;
  SessionDiagnostics diagnostics(content.context.get(), content.sources, /*remarks=*/false);
  return file->parse(device, opModel) ? std::move(file) : nullptr;
}

std::unique_ptr<OpsOfFile> OpsOfFile::ofText(StringRef text, StringRef name) {
  std::unique_ptr<OpsOfFile> file(new OpsOfFile());
  Content &content = *file->content;
  content.path = name.str();
  // A copy: whoever asks may change the text, as an editor does.
  content.sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
  // Silent, as an editor asks while the text is being written: half a module is no error then.
  ScopedDiagnosticHandler silent(content.context.get(), [](Diagnostic &) { return success(); });
  return file->parse(nullptr, [](ModuleOp) { return OpModelOptions(); }) ? std::move(file) : nullptr;
}

bool OpsOfFile::parse(const DeviceSpec *device, ChooseOpModel opModel) {
  content->module = parseModule(content->sources, content->context.get(), content->text);
  if (!content->module)
    return false;
  FailureOr<std::optional<DeviceSpec>> described = deviceOfModule(*content->module);
  if (failed(described))
    return false;
  content->opModel = answeringFor(versionOfModule(*content->module), opModel(*content->module));
  content->device = asOpenedBy(content->opModel, deviceFor(*described, device));
  // Problems know TTNN's layouts only.
  mapMetalLayouts(*content->module, content->device);
  // Only what is in the file is of interest here, so no layouts are searched and the model need not be right.
  MockOpModel accepting({content->device, content->layouts, tessera::l1Budget(content->device)});
  AnalysisOptions options;
  options.maxLegalLayouts = 0;
  content->module->walk([&](func::FuncOp function) {
    // A problem is one list of ops, which a body of several blocks is not.
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    content->functions.push_back(
        std::make_unique<BuiltProblem>(buildProblem(function, accepting, content->signatures, options)));
    list(*content->functions.back());
  });
  return true;
}

void OpsOfFile::list(const BuiltProblem &function) {
  OpNumbers numbers;
  for (const OpOfFile &op : all)
    // Numbers go on from function to function, so that `ttnn.matmul#3` is one op of the file.
    numbers.next(op.op().name);
  for (size_t i = 0; i < function.problem.ops.size(); ++i) {
    OpOfFile op{&function, OpId(i), "", "", 0, {}};
    op.indexed = numbers.next(op.op().name);
    op.names = namesOf(op.op().location, op.ir()->getLoc());
    if (const AsmParserState::OperationDefinition *written = content->text.getOpDef(op.ir())) {
      op.line = content->sources.getLineAndColumn(written->loc.Start).first;
      // Results that are written as `%5:2` have one name, and the op is found by that.
      if (!written->resultGroups.empty()) {
        llvm::SMRange name = written->resultGroups.front().definition.loc;
        op.result = std::string(name.Start.getPointer(), name.End.getPointer());
      }
    }
    all.push_back(std::move(op));
  }
}

OpQuery tessera::declaredQuery(const OpOfFile &op, llvm::SmallVectorImpl<LayoutId> &inputs) {
  inputs.clear();
  for (ValueId operand : op.op().operands)
    inputs.push_back(op.function->problem[operand].declared);
  return {op.function->problem.signature(op.id), inputs, op.op().declared};
}

std::string tessera::describe(const OpOfFile &op) {
  std::string text = (op.line ? "line " + std::to_string(op.line) + ", " : "") + op.indexed;
  for (const std::string &name : op.names)
    text += ", " + name;
  return op.result.empty() ? text : text + ", " + op.result;
}

/// "\n  line 12, ttnn.matmul#3 ..." for each of the first few.
static std::string listed(ArrayRef<const OpOfFile *> candidates) {
  std::string text;
  for (const OpOfFile *op : candidates.take_front(kMostCandidates))
    text += "\n  " + describe(*op);
  if (candidates.size() > kMostCandidates)
    text += "\n  and " + std::to_string(candidates.size() - kMostCandidates) + " more";
  return text;
}

/// Ops that might have been meant: of that kind, or near that line, or any.
static SmallVector<const OpOfFile *> suggestions(ArrayRef<OpOfFile> all, StringRef name,
                                                 std::optional<Place> place) {
  SmallVector<const OpOfFile *> sameKind, any;
  for (const OpOfFile &op : all) {
    any.push_back(&op);
    if (op.op().name == name.split('#').first)
      sameKind.push_back(&op);
  }
  if (!sameKind.empty())
    return sameKind;
  if (!place)
    return any;
  // The nearest lines first; of the same distance, in the order of the file.
  auto rank = [&](const OpOfFile *op) {
    return std::pair(std::abs(int64_t(op->line) - int64_t(place->line)), op - all.data());
  };
  llvm::sort(any, [&](const OpOfFile *a, const OpOfFile *b) { return rank(a) < rank(b); });
  any.truncate(std::min(any.size(), kNearestLines));
  return any;
}

/// "; did you mean ..." by the names of ops and their kinds; "" if the kind is right and only its number is
/// not.
static std::string nearestNames(ArrayRef<OpOfFile> all, StringRef name) {
  name = name.split('#').first;
  llvm::SetVector<StringRef> known;
  for (const OpOfFile &op : all) {
    known.insert(op.op().name);
    known.insert(op.names.begin(), op.names.end());
  }
  return known.contains(name) ? "" : didYouMean(name, known.getArrayRef());
}

llvm::Expected<const OpOfFile *> OpsOfFile::select(StringRef wanted) const {
  StringRef name = unquoted(wanted);
  std::optional<Place> place = parsePlace(name);
  auto isWanted = [&](const OpOfFile &op) {
    // A line of the text and a line that `loc(...)` names are both what a user may mean: the one stands before
    // him in the file, the other in the framework's source.
    bool onLine = place && place->column == 0 && op.line && isAt(*place, content->path, op.line, 0);
    return llvm::is_contained(op.names, name) || op.indexed == name || op.op().name == name ||
           (!op.result.empty() && op.result == name) || onLine ||
           (place && comesFrom(op.ir()->getLoc(), *place));
  };
  SmallVector<const OpOfFile *> found;
  for (const OpOfFile &op : all)
    if (isWanted(op))
      found.push_back(&op);
  // Never the first of several: a figure of another op than was meant looks as good as the right one.
  if (found.size() == 1)
    return found.front();
  std::string shown = "'" + content->path + "'";
  if (found.empty() && all.empty())
    return llvm::createStringError(shown + " has no ops on tensors");
  if (found.empty())
    return llvm::createStringError("no op of " + shown + " is '" + wanted.str() + "'" +
                                   nearestNames(all, name) + "; there are" +
                                   listed(suggestions(all, name, place)));
  return llvm::createStringError(std::to_string(found.size()) + " ops of " + shown + " are '" + wanted.str() +
                                 "': name one of" + listed(found));
}
