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

#include "MockScripts.h"
#include "ProblemWords.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

/// True on success. The first error is kept; parsing stops there.
class ProblemParser : ProblemWords {
public:
  ProblemParser(llvm::StringRef text, llvm::StringRef fileName) : ProblemWords(text, fileName) {
    problem.function = "main";
    // What holds if the text says nothing of it.
    problem.device = *findDevice("n150");
    problem.l1Budget = tessera::l1Budget(problem.device);
    problem.layouts = layouts.get();
    problem.signatures = signatures.get();
  }

  /// The whole text, one statement per line; blank lines stand anywhere.
  llvm::Expected<ProblemInstance> run() {
    while (complaint.empty() && lexer.peek().kind != Token::Kind::FileEnd) {
      if (lexer.peek().kind == Token::Kind::LineEnd) {
        lexer.take();
        continue;
      }
      // One error is told: what stands behind it may follow from it.
      if (statement())
        lineEnd();
    }
    if (complaint.empty())
      // What text can express and a program cannot be is refused here, so that policies never see it.
      if (std::string inconsistent = checkProblem(problem); !inconsistent.empty())
        fail(lexer.peek(), inconsistent);
    if (!complaint.empty())
      return llvm::createStringError(complaint);
    return finish();
  }

private:
  // ---- Statements ----
  /// What a line begins with says what it is; an op without results begins with its name.
  bool statement() {
    Token first = lexer.take();
    if (first.isWord("device"))
      return device(first);
    if (first.isWord("budget"))
      return problem.values.empty() ? bytes(problem.l1Budget)
                                    : fail(first, "'budget' must come before the first value");
    if (first.isWord("mock"))
      return mocks.parse(*this);
    if (first.isWord("return"))
      return returns();
    if (first.kind != Token::Kind::Word)
      return fail(first, "expected a statement");
    return first.text.starts_with("%") ? definition(first) : op(first, {});
  }

  /// "device n300", or "device grid 2x2" for a toy on which a plan can be followed by hand.
  bool device(const Token &first) {
    if (!problem.values.empty())
      return fail(first, "'device' must come before the first value");
    std::optional<Token> name = word("a device name or 'grid'");
    if (!name)
      return false;
    if (name->text == "grid") {
      std::optional<Token> shape = word("a grid like 8x8");
      problem.device.name = "toy";
      problem.device.l1Size =
          problem.device.l1UnreservedBase; // what fits by its bytes fits: a toy has no addresses
      return shape && grid(*shape, shape->text, problem.device.workerGrid);
    }
    llvm::Expected<const DeviceSpec *> known = deviceNamed(name->text);
    if (!known)
      return fail(*name, llvm::toString(known.takeError()));
    // With the device's budget, so a 'budget' of the text has to stand behind it.
    problem.device = **known;
    problem.l1Budget = tessera::l1Budget(problem.device);
    return true;
  }

  // ---- Values ----
  /// Values are numbered as they turn up; a name stands for one value only.
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
    Value &value = problem.values.back();
    if (!where || !layout(*where, where->text, tensor, value.declared))
      return false;
    value.home = value.declared;
    return true;
  }

  // ---- Ops ----
  /// NAME(OPERANDS) : TYPES PROPERTIES, of an op whose results, if any, stood in front.
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
    // As in a module that nobody has planned: everything in DRAM, until a property says otherwise.
    for (ValueId result : data.results)
      data.declared.outputs.push_back(layouts->intern(dramInterleaved(problem[result].tensor)));
    // Properties may name results and operands, so both have to be there.
    while (lexer.peek().kind == Token::Kind::Word)
      if (!opItem(data))
        return false;
    for (auto [result, declared] : llvm::zip_equal(data.results, data.declared.outputs))
      problem.values[result.index()].declared = problem.values[result.index()].home = declared;
    // Behind the properties, so that only what the text leaves open is filled in.
    if (data.legal.empty())
      defaultConfigs(data);
    if (data.writes.empty())
      defaultWrites(data);
    return true;
  }

  std::string locationOf(llvm::StringRef opName) {
    // What makes no value has no result to be named by: "fill_cache_0".
    llvm::StringRef stem = opName.rsplit('.').second.empty() ? opName : opName.rsplit('.').second;
    return (stem + "_" + llvm::Twine(counters[stem]++)).str();
  }

  /// The value of that name, which must be of a line above: programs are straight, so nothing is used before.
  std::optional<ValueId> definedValue() {
    std::optional<Token> name = word("a value name like %a");
    if (!name)
      return std::nullopt;
    if (auto found = names.find(name->text); found != names.end())
      return found->second;
    fail(*name, "'" + name->text + "' is not defined above");
    return std::nullopt;
  }

  /// (%a, %b), with the uses that the values get by it.
  bool operands(OpId id, OpSignature &signature) {
    if (!mark('('))
      return false;
    Op &data = problem.ops.back();
    while (!lexer.peek().is(')')) {
      std::optional<ValueId> known = definedValue();
      if (!known)
        return false;
      ValueId value = *known;
      OperandDesc &operand = signature.operands.emplace_back();
      operand.tensor = problem[value].tensor;
      operand.constant = problem[value].kind == ValueKind::Constant;
      // An operand is its own first unless it was given before; it is not in the list yet, so the search ends
      // at its place then.
      operand.sameAs = unsigned(llvm::find(data.operands, value) - data.operands.begin());
      problem.values[value.index()].uses.push_back({id, unsigned(data.operands.size())});
      data.operands.push_back(value);
      if (!take(',') && !lexer.peek().is(')'))
        return fail(lexer.peek(), "expected ',' or ')'");
    }
    return mark(')');
  }

  /// ": TYPE, TYPE", one per result; the values come into being here.
  bool resultTypes(OpId id, llvm::ArrayRef<Token> results, OpSignature &signature) {
    if (results.empty())
      return true;
    if (!mark(':'))
      return false;
    for (auto [index, result] : llvm::enumerate(results)) {
      TensorDesc tensor;
      if ((index > 0 && !mark(',')) || !tensorType(tensor) ||
          !newValue(result, tensor, ValueKind::Activation))
        return false;
      signature.results.push_back(tensor);
      problem.values.back().producer = id;
      problem.values.back().resultIndex = unsigned(index);
      problem.ops.back().results.push_back(ValueId(problem.values.size() - 1));
    }
    return true;
  }

  /// A word behind the types, which says what it sets and reads what belongs to it.
  bool opItem(Op &data) {
    using Reader = bool (ProblemParser::*)(Op &);
    constexpr std::pair<llvm::StringLiteral, Reader> kProperties[] = {
        {"declared", &ProblemParser::declared},
        {"legal", &ProblemParser::legal},
        {"only", &ProblemParser::only},
        {"reads", &ProblemParser::reads},
        {"must_convert", &ProblemParser::mustConvert},
        {"fixed", &ProblemParser::as<OpRole::Fixed>},
        {"conversion", &ProblemParser::as<OpRole::Conversion>},
        {"sink", &ProblemParser::as<OpRole::Sink>},
        {"after", &ProblemParser::after},
        {"writes", &ProblemParser::writes}};
    Token item = lexer.take();
    for (auto [name, read] : kProperties)
      if (item.text == name)
        return (this->*read)(data);
    std::string known =
        llvm::join(llvm::map_range(kProperties, [](const auto &property) { return property.first; }), ", ");
    return fail(item, "unknown property '" + item.text + "' of an op; known: " + known);
  }

  bool declared(Op &data) { return config(data, data.declared); }
  bool mustConvert(Op &data) { return data.mustConvert = true; }
  /// As `legal`, and the op is restricted to these: the model is not asked whether it knows it.
  bool only(Op &data) {
    data.restricted = true;
    return legal(data);
  }
  template <OpRole role>
  bool as(Op &data) {
    data.role = role;
    return true;
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

  /// `[layout, ...]`, one per operand.
  bool reads(Op &data) {
    if (!mark('['))
      return false;
    for (auto [index, operand] : llvm::enumerate(data.operands)) {
      std::optional<Token> token;
      if ((index > 0 && !mark(',')) || !(token = word("a layout")) ||
          !layout(*token, token->text, problem[operand].tensor, data.baseInputs.emplace_back()))
        return false;
    }
    return mark(']');
  }

  /// Every layout that the result can have on this device, tiled: interleaved ones first, then so many sharded
  /// ones.
  bool allLayouts(Op &data) {
    if (data.results.size() != 1)
      return fail(lexer.peek(), "'legal all' is for ops with one result");
    // Without a number there is no limit.
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

  /// A sink writes the cache and whatever its caller may look at; of an unknown op without results that is all it
  /// reads.
  void defaultWrites(Op &data) {
    bool unknown = data.role == OpRole::Fixed && data.results.empty();
    if (data.role != OpRole::Sink && !unknown)
      return;
    for (auto [index, operand] : llvm::enumerate(data.operands))
      if (unknown || index == 0 || problem[operand].kind != ValueKind::Activation)
        data.writes.push_back(index);
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

  /// Ops that must have run before, though no value leads from them to this one.
  bool after(Op &data) {
    do {
      std::optional<Token> name = word("the location of an earlier op");
      if (!name)
        return false;
      auto earlier = llvm::find_if(problem.ops, [&](const Op &op) { return op.location == name->text; });
      // The op itself is in the list already, as its properties are read last.
      if (earlier == problem.ops.end() || &*earlier == &data)
        return fail(*name, "no earlier op is called '" + name->text + "'");
      data.after.push_back(OpId(earlier - problem.ops.begin()));
    } while (take(','));
    return true;
  }

  /// Operands that the op writes in place, named by their values.
  bool writes(Op &data) {
    do {
      std::optional<Token> name = word("an operand of the op like %a");
      if (!name)
        return false;
      auto found = names.find(name->text);
      auto operand = found == names.end() ? data.operands.end() : llvm::find(data.operands, found->second);
      if (operand == data.operands.end())
        return fail(*name, "'" + name->text + "' is not an operand of this op");
      data.writes.push_back(unsigned(operand - data.operands.begin()));
    } while (take(','));
    return true;
  }

  /// A value may be returned twice, and is then two results.
  bool returns() {
    do {
      std::optional<ValueId> value = definedValue();
      if (!value)
        return false;
      problem.values[value->index()].returned = true;
      problem.returned.push_back(*value);
    } while (take(','));
    return true;
  }

  /// Asks the mock device what a compiler asks the real one, and hands everything over.
  ProblemInstance finish() {
    std::unique_ptr<OpModel> model = mocks.createModel({problem.device, *layouts, problem.l1Budget});
    for (size_t i = 0; i < problem.ops.size(); ++i)
      if (Op &op = problem.ops[i]; !op.restricted && isUnjudged(declaredAnswer(problem, OpId(i), *model)))
        // As for a module: what the model cannot judge keeps its layouts, whatever the text says of its role.
        op.role = OpRole::Fixed;
    keepViews(problem);
    // Last, since what an op falls back to is asked of the whole mock device.
    BaseSearch(problem, *model).settleAll();
    return {std::move(layouts), std::move(signatures), std::move(model), std::move(problem)};
  }

  /// A layout of `tensor`, which must fit.
  bool layout(const Token &token, llvm::StringRef text, const TensorDesc &tensor, LayoutId &out) {
    TensorLayout parsed;
    if (!ProblemWords::layout(token, text, tensor, problem.device, parsed))
      return false;
    out = layouts->intern(parsed);
    return true;
  }

  std::unique_ptr<LayoutPool> layouts = std::make_unique<LayoutPool>();
  std::unique_ptr<SignaturePool> signatures = std::make_unique<SignaturePool>();
  Problem problem;
  llvm::StringMap<ValueId> names;
  llvm::StringMap<unsigned> counters;
  MockScripts mocks;
};

} // namespace

llvm::Expected<ProblemInstance> tessera::parseProblem(llvm::StringRef text, llvm::StringRef fileName) {
  return ProblemParser(text, fileName).run();
}
