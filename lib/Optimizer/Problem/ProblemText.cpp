//===- ProblemText.cpp - Problems as text ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One statement per line (docs/problem-format.md):
//
//   statement := device | budget | mock | argument | op | return
//
// Ops are kept as parsed until the whole text is read: the mock's scripts may
// stand anywhere, but layouts need the device, so `device` and `budget` come
// before the first value.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/ProblemText.h"

#include "ProblemLexer.h"
#include "ScriptedOpModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

/// True on success. The first error is kept; parsing stops there.
class ProblemParser {
public:
  ProblemParser(llvm::StringRef text, llvm::StringRef fileName) : lexer(text), fileName(fileName) {
    problem.function = "main";
    problem.device = *findDevice("n150");
    problem.l1Budget = problem.device.usableL1();
    problem.layouts = layouts.get();
    problem.signatures = signatures.get();
  }

  llvm::Expected<ProblemInstance> run() {
    while (complaint.empty() && lexer.peek().kind != Token::Kind::FileEnd) {
      if (lexer.peek().kind == Token::Kind::LineEnd) {
        lexer.take();
        continue;
      }
      if (statement() && lexer.peek().kind != Token::Kind::LineEnd && lexer.peek().kind != Token::Kind::FileEnd)
        fail(lexer.peek(), "expected the end of the line");
    }
    if (complaint.empty())
      if (std::string inconsistent = checkProblem(problem); !inconsistent.empty())
        fail(lexer.peek(), inconsistent);
    if (!complaint.empty())
      return llvm::createStringError(complaint);
    return finish();
  }

private:
  // ---- Errors and basic words ----
  bool fail(const Token &token, const llvm::Twine &message) {
    if (complaint.empty())
      complaint = llvm::formatv("{0}:{1}:{2}: {3}", fileName, token.line, token.column, message.str()).str();
    return false;
  }

  std::optional<Token> word(llvm::StringRef what) {
    if (lexer.peek().kind != Token::Kind::Word) {
      fail(lexer.peek(), "expected " + what);
      return std::nullopt;
    }
    return lexer.take();
  }

  bool mark(char c) {
    if (!lexer.peek().is(c))
      return fail(lexer.peek(), llvm::Twine("expected '") + llvm::Twine(c) + "'");
    lexer.take();
    return true;
  }

  bool take(char c) {
    if (!lexer.peek().is(c))
      return false;
    lexer.take();
    return true;
  }

  bool takeWord(llvm::StringRef text) {
    if (!lexer.peek().isWord(text))
      return false;
    lexer.take();
    return true;
  }

  /// "1300KiB", "2MiB", "800".
  bool bytes(Bytes &out) {
    std::optional<Token> token = word("a size like 1300KiB");
    if (!token)
      return false;
    llvm::StringRef text = token->text;
    int64_t unit = text.consume_back("KiB") ? 1024 : text.consume_back("MiB") ? 1024 * 1024 : 1;
    int64_t number = 0;
    if (text.getAsInteger(10, number) || number < 0 || number > (int64_t(1) << 40))
      return fail(*token, "'" + token->text + "' is not a size like 1300KiB");
    out = Bytes(number * unit);
    return true;
  }

  /// Whole nanoseconds.
  bool time(Nanoseconds &out) {
    std::optional<Token> token = word("a time in nanoseconds");
    int64_t number = 0;
    if (!token)
      return false;
    if (token->text.getAsInteger(10, number) || number < 0)
      return fail(*token, "'" + token->text + "' is not a time in whole nanoseconds");
    out = Nanoseconds(double(number));
    return true;
  }

  bool grid(const Token &token, llvm::StringRef text, GridShape &out) {
    auto [rows, columns] = text.split('x');
    if (rows.getAsInteger(10, out.rows) || columns.getAsInteger(10, out.columns) || out.rows < 1 || out.columns < 1 ||
        out.rows > 1024 || out.columns > 1024)
      return fail(token, "'" + text + "' is not a grid like 8x8");
    return true;
  }

  // ---- Statements ----
  bool statement() {
    Token first = lexer.take();
    if (first.isWord("device"))
      return device(first);
    if (first.isWord("budget"))
      return problem.values.empty() ? bytes(problem.l1Budget) : fail(first, "'budget' must come before the first value");
    if (first.isWord("mock"))
      return mock();
    if (first.isWord("return"))
      return returns();
    if (first.kind != Token::Kind::Word)
      return fail(first, "expected a statement");
    return first.text.starts_with("%") ? definition(first) : op(first, {});
  }

  bool device(const Token &first) {
    if (!problem.values.empty())
      return fail(first, "'device' must come before the first value");
    std::optional<Token> name = word("a device name or 'grid'");
    if (!name)
      return false;
    if (name->text == "grid") {
      std::optional<Token> shape = word("a grid like 8x8");
      problem.device.name = "toy";
      return shape && grid(*shape, shape->text, problem.device.workerGrid);
    }
    const DeviceSpec *known = findDevice(name->text);
    if (!known)
      return fail(*name, "unknown device '" + name->text + "'");
    problem.device = *known;
    problem.l1Budget = known->usableL1();
    return true;
  }

  /// mock default|<op> {item}
  bool mock() {
    std::optional<Token> name = word("an op name or 'default'");
    if (!name)
      return false;
    OpScript script = defaultScript;
    for (auto &[known, existing] : scripts)
      if (known == name->text)
        script = existing;
    while (lexer.peek().kind == Token::Kind::Word)
      if (!mockItem(script))
        return false;
    if (name->text == "default") {
      defaultScript = script;
      return true;
    }
    llvm::erase_if(scripts, [&](const auto &entry) { return entry.first == name->text; });
    scripts.emplace_back(name->text.str(), std::move(script));
    return true;
  }

  bool mockItem(OpScript &script) {
    Token item = lexer.take();
    if (item.text == "buffers")
      return bytes(script.behaviour.circularBuffers);
    if (item.text == "dram_buffers")
      return bytes(script.behaviour.circularBuffersWithDramOutput.emplace());
    if (item.text == "time")
      return time(script.time);
    if (item.text == "dram")
      return time(script.perDram);
    if (item.text == "interleaved")
      return time(script.perInterleaved);
    const std::pair<llvm::StringRef, bool *> switches[] = {{"view", &script.behaviour.aliasesInput},
                                                           {"same_placement", &script.samePlacement},
                                                           {"interleaved_inputs", &script.noShardedInputs},
                                                           {"dram_inputs", &script.dramInputs}};
    for (auto [name, flag] : switches)
      if (item.text == name)
        return *flag = true;
    for (ValidationStatus status : {ValidationStatus::OutOfMemory, ValidationStatus::MetalBackendError,
                                    ValidationStatus::NotImplemented, ValidationStatus::UnmatchedReferenceConfig})
      if (item.text == name(status)) {
        script.behaviour.forced = status;
        return true;
      }
    return fail(item, "unknown mock behaviour '" + item.text + "'");
  }

  // ---- Values ----
  bool tensorType(TensorDesc &out) {
    std::optional<Token> token = word("a tensor type like 32x64xbf16");
    if (!token)
      return false;
    llvm::SmallVector<llvm::StringRef> parts;
    token->text.split(parts, 'x');
    std::optional<DataType> dtype = parseDataType(parts.pop_back_val());
    for (llvm::StringRef part : parts) {
      int64_t extent = 0;
      if (part.getAsInteger(10, extent) || extent < 0 || extent > (int64_t(1) << 32))
        dtype.reset();
      out.shape.push_back(extent);
    }
    if (!dtype)
      return fail(*token, "'" + token->text + "' is not a tensor type like 32x64xbf16");
    out.dtype = *dtype;
    return true;
  }

  /// `dram`, `l1`, `host`, `l1/<kind>/<grid>`, each optionally with `/row_major`.
  bool layout(const Token &token, llvm::StringRef text, const TensorDesc &tensor, LayoutId &out) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, '/');
    PageLayout page = PageLayout::Tile;
    if (parts.size() > 1 && parts.back() == "row_major") {
      page = PageLayout::RowMajor;
      parts.pop_back();
    }
    TensorLayout layout;
    GridShape workers = problem.device.workerGrid;
    if (parts.size() == 1 && parts[0] == "dram")
      layout = dramInterleaved(tensor, page);
    else if (parts.size() == 1 && parts[0] == "host")
      layout = systemMemory(tensor);
    else if (parts.size() == 1 && parts[0] == "l1")
      layout = l1Interleaved(tensor, workers, page);
    else if (parts.size() == 3 && parts[0] == "l1") {
      std::optional<MemoryLayout> kind = parseMemoryLayout(parts[1]);
      GridShape shards;
      if (!kind || *kind == MemoryLayout::Interleaved || *kind == MemoryLayout::NDSharded)
        return fail(token, "'" + parts[1] + "' is not height_sharded, width_sharded or block_sharded");
      if (!grid(token, parts[2], shards))
        return false;
      bool fits = *kind == MemoryLayout::BlockSharded
                      ? shards.rows <= workers.rows && shards.columns <= workers.columns
                      : shards.volume() <= workers.volume() &&
                            (*kind == MemoryLayout::HeightSharded ? shards.columns : shards.rows) == 1;
      if (!fits)
        return fail(token, "grid " + parts[2] + " does not fit " + parts[1] + " on the device");
      layout = l1Sharded(tensor, *kind, shards, workers, page);
    } else {
      return fail(token, "'" + text + "' is not a layout like dram or l1/height_sharded/8x1");
    }
    if (std::string wrong = checkLayoutFor(layout, tensor.shape, problem.device); !wrong.empty())
      return fail(token, "'" + text + "' does not fit the tensor: " + wrong);
    out = layouts->intern(layout);
    return true;
  }

  bool newValue(const Token &name, TensorDesc tensor, ValueKind kind) {
    if (!names.try_emplace(name.text, ValueId(problem.values.size())).second)
      return fail(name, "'" + name.text + "' is defined twice");
    Value &value = problem.values.emplace_back();
    value.tensor = std::move(tensor);
    value.kind = kind;
    value.name = name.text.str();
    return true;
  }

  /// %a = argument ..., or %a, %b = op(...)
  bool definition(const Token &first) {
    llvm::SmallVector<Token> results = {first};
    while (take(',')) {
      std::optional<Token> next = word("a value name like %a");
      if (!next)
        return false;
      results.push_back(*next);
    }
    if (!mark('='))
      return false;
    std::optional<Token> kind = word("'argument', 'constant' or an op name");
    if (!kind)
      return false;
    if (kind->text != "argument" && kind->text != "constant")
      return op(*kind, results);
    if (results.size() != 1)
      return fail(results[1], "an argument is one value");
    TensorDesc tensor;
    if (!tensorType(tensor) ||
        !newValue(first, tensor, kind->text == "argument" ? ValueKind::Argument : ValueKind::Constant))
      return false;
    std::optional<Token> where = word("a layout");
    return where && layout(*where, where->text, tensor, problem.values.back().declared);
  }

  // ---- Ops ----
  bool op(const Token &name, llvm::ArrayRef<Token> results) {
    OpId id(problem.ops.size());
    Op &data = problem.ops.emplace_back();
    data.name = name.text.str();
    data.role = results.empty() ? OpRole::Sink : OpRole::Compute;
    data.location = results.empty() ? locationOf(name.text) : results.front().text.drop_front().str();
    OpSignature signature;
    signature.name = data.name;
    if (!operands(id, signature) || !resultTypes(id, results, signature))
      return false;
    data.signature = signatures->intern(signature);
    for (ValueId result : data.results)
      data.declared.outputs.push_back(layouts->intern(dramInterleaved(problem[result].tensor)));
    while (lexer.peek().kind == Token::Kind::Word)
      if (!opItem(data))
        return false;
    for (auto [result, declared] : llvm::zip_equal(data.results, data.declared.outputs))
      problem.values[result.index()].declared = declared;
    if (data.legal.empty())
      defaultConfigs(data);
    return true;
  }

  std::string locationOf(llvm::StringRef opName) {
    llvm::StringRef stem = opName.rsplit('.').second.empty() ? opName : opName.rsplit('.').second;
    return (stem + "_" + llvm::Twine(counters[stem]++)).str();
  }

  bool operands(OpId id, OpSignature &signature) {
    if (!mark('('))
      return false;
    Op &data = problem.ops.back();
    while (!lexer.peek().is(')')) {
      std::optional<Token> name = word("a value name like %a");
      if (!name)
        return false;
      auto found = names.find(name->text);
      if (found == names.end())
        return fail(*name, "'" + name->text + "' is not defined above");
      ValueId value = found->second;
      OperandDesc &operand = signature.operands.emplace_back();
      operand.tensor = problem[value].tensor;
      operand.constant = problem[value].kind == ValueKind::Constant;
      operand.sameAs = unsigned(llvm::find(data.operands, value) - data.operands.begin());
      problem.values[value.index()].uses.push_back({id, unsigned(data.operands.size())});
      data.operands.push_back(value);
      if (!take(',') && !lexer.peek().is(')'))
        return fail(lexer.peek(), "expected ',' or ')'");
    }
    return mark(')');
  }

  bool resultTypes(OpId id, llvm::ArrayRef<Token> results, OpSignature &signature) {
    if (results.empty())
      return true;
    if (!mark(':'))
      return false;
    for (auto [index, result] : llvm::enumerate(results)) {
      TensorDesc tensor;
      if ((index > 0 && !mark(',')) || !tensorType(tensor) || !newValue(result, tensor, ValueKind::Activation))
        return false;
      signature.results.push_back(tensor);
      problem.values.back().producer = id;
      problem.values.back().resultIndex = unsigned(index);
      problem.ops.back().results.push_back(ValueId(problem.values.size() - 1));
    }
    return true;
  }

  bool opItem(Op &data) {
    Token item = lexer.take();
    if (item.text == "declared")
      return config(data, data.declared);
    if (item.text == "legal")
      return legal(data);
    if (item.text == "after")
      return after(data);
    const std::pair<llvm::StringRef, OpRole> roles[] = {
        {"fixed", OpRole::Fixed}, {"conversion", OpRole::Conversion}, {"sink", OpRole::Sink}};
    for (auto [name, role] : roles)
      if (item.text == name) {
        data.role = role;
        return true;
      }
    return fail(item, "unknown property '" + item.text + "' of an op");
  }

  /// One layout per result, joined by '+'; `/frees_input` asks conv2d to free its input.
  bool config(const Op &data, OpConfig &out) {
    std::optional<Token> token = word("a layout");
    if (!token)
      return false;
    llvm::StringRef text = token->text;
    out = OpConfig();
    if (text.consume_back("/frees_input")) {
      Conv2dConfig conv2d;
      conv2d.deallocateActivation = true;
      out.specific = conv2d;
    }
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, '+');
    if (parts.size() != data.results.size())
      return fail(*token, "expected one layout per result, joined by '+'");
    for (auto [part, result] : llvm::zip_equal(parts, data.results))
      if (!layout(*token, part, problem[result].tensor, out.outputs.emplace_back()))
        return false;
    return true;
  }

  /// `[config, ...]`, or `all`, or `all <number of sharded ones>`.
  bool legal(Op &data) {
    if (takeWord("all"))
      return allLayouts(data);
    if (!mark('['))
      return false;
    do {
      if (!config(data, data.legal.emplace_back()))
        return false;
    } while (take(','));
    return mark(']');
  }

  bool allLayouts(Op &data) {
    if (data.results.size() != 1)
      return fail(lexer.peek(), "'legal all' is for ops with one result");
    size_t cap = ~size_t(0);
    if (lexer.peek().kind == Token::Kind::Word && llvm::isDigit(lexer.peek().text.front())) {
      Token number = lexer.take();
      if (number.text.getAsInteger(10, cap))
        return fail(number, "'" + number.text + "' is not a number");
    }
    const Value &value = problem[data.results.front()];
    LayoutSpace space = enumerateLayouts(value.tensor, PageLayout::Tile, problem.device, *layouts);
    space.sharded.resize(std::min(cap, space.sharded.size()));
    for (llvm::ArrayRef<LayoutId> group : {llvm::ArrayRef(space.interleaved), llvm::ArrayRef(space.sharded)})
      for (LayoutId layout : group)
        data.legal.emplace_back().outputs = {layout};
    return true;
  }

  /// The declared configuration, and everything in L1 interleaved.
  void defaultConfigs(Op &data) {
    data.legal.push_back(data.declared);
    if (data.role == OpRole::Fixed || data.results.empty())
      return;
    OpConfig &l1 = data.legal.emplace_back();
    for (ValueId result : data.results)
      l1.outputs.push_back(layouts->intern(l1Interleaved(problem[result].tensor, problem.device.workerGrid)));
  }

  bool after(Op &data) {
    do {
      std::optional<Token> name = word("the location of an earlier op");
      if (!name)
        return false;
      auto earlier = llvm::find_if(problem.ops, [&](const Op &op) { return op.location == name->text; });
      if (earlier == problem.ops.end() || &*earlier == &data)
        return fail(*name, "no earlier op is called '" + name->text + "'");
      data.after.push_back(OpId(earlier - problem.ops.begin()));
    } while (take(','));
    return true;
  }

  bool returns() {
    do {
      std::optional<Token> name = word("a value name like %a");
      if (!name)
        return false;
      auto found = names.find(name->text);
      if (found == names.end())
        return fail(*name, "'" + name->text + "' is not defined above");
      problem.values[found->second.index()].returned = true;
      problem.returned.push_back(found->second);
    } while (take(','));
    return true;
  }

  ProblemInstance finish() {
    auto model = std::make_unique<ScriptedOpModel>(OpModelContext{problem.device, *layouts, problem.l1Budget});
    model->setDefault(defaultScript);
    for (auto &[name, script] : scripts)
      model->setScript(name, script);
    return {std::move(layouts), std::move(signatures), std::move(model), std::move(problem)};
  }

  ProblemLexer lexer;
  llvm::StringRef fileName;
  std::string complaint;
  std::unique_ptr<LayoutPool> layouts = std::make_unique<LayoutPool>();
  std::unique_ptr<SignaturePool> signatures = std::make_unique<SignaturePool>();
  Problem problem;
  llvm::StringMap<ValueId> names;
  llvm::StringMap<unsigned> counters;
  OpScript defaultScript;
  std::vector<std::pair<std::string, OpScript>> scripts; ///< by op name, in the order of the text
};

} // namespace

llvm::Expected<ProblemInstance> tessera::parseProblem(llvm::StringRef text, llvm::StringRef fileName) {
  return ProblemParser(text, fileName).run();
}
