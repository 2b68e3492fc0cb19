//===- Base.cpp - What an op falls back to --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"
#include "tessera/Support/AddOnce.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;

/// A conversion between two homes makes a tensor of its own.
static bool isViewAtHome(const Problem &problem, const Op &op) {
  return mayBeView(problem, op) && (op.role != OpRole::Conversion ||
                                    problem[op.operands.front()].home == problem[op.results.front()].home);
}

BaseSearch::BaseSearch(Problem &problem, const OpCostTable &model)
    : problem(problem), model(model), conversions(model), writtenInPlace(valuesWrittenInPlace(problem)),
      copyable(copyableValues(problem)),
      lastHolders(lastReaders(problem, programOrder(problem),
                              [&](const Op &op) { return isViewAtHome(problem, op); })) {}

static std::vector<LayoutId> layoutsOf(const Problem &problem, llvm::ArrayRef<ValueId> values,
                                       LayoutId Value::*where) {
  std::vector<LayoutId> layouts;
  for (ValueId value : values)
    layouts.push_back(problem[value].*where);
  return layouts;
}

// ---- The base of an op -----------------------------------------------------------------------------------

ValidationResult tessera::declaredAnswer(const Problem &problem, OpId id, const OpCostTable &model) {
  const Op &op = problem[id];
  std::vector<LayoutId> inputs = layoutsOf(problem, op.operands, &Value::declared);
  OpSignature signature = problem.signature(id);
  // Which op a conversion is follows from its layouts, so that is what the model is asked about.
  if (op.role == OpRole::Conversion)
    signature = conversionSignature(problem[op.operands.front()].tensor.shape, problem.layout(inputs.front()),
                                    problem.layout(op.declared.outputs.front()));
  return model.query({signature, inputs, op.declared});
}

/// Out of memory is an answer: the op is known, there is only too little room.
bool tessera::isUnjudged(const ValidationResult &declared) {
  return !declared.ok() && declared.status != ValidationStatus::OutOfMemory;
}

bool tessera::hasNoTime(const ValidationResult &declared) {
  return isUnjudged(declared) && declared.status != ValidationStatus::UnmatchedReferenceConfig;
}

bool tessera::isRefused(const ValidationResult &declared) {
  return declared.status == ValidationStatus::MetalBackendError;
}

/// The op's declared configuration with the results that the backend makes instead, as its answer has them; nullopt if these are of
/// another kind, or none.
static std::optional<OpConfig> asMade(const Problem &problem, const Op &op, const ValidationResult &answer) {
  llvm::ArrayRef<LayoutId> made = answer.constraints.outputLayouts;
  if (answer.status != ValidationStatus::UnmatchedReferenceConfig || made.size() != op.results.size())
    return std::nullopt;
  OpConfig config = op.declared;
  config.outputs.clear();
  for (auto [layout, result] : llvm::zip_equal(made, op.results)) {
    DataType declared = problem.layout(problem[result].declared).dtype;
    if (!layout.valid())
      return std::nullopt;
    TensorLayout suggested = problem.layout(layout);
    // Indices have no sign to the library, and one to compilers.
    if (suggested.dtype == DataType::UInt32 && declared == DataType::Int32)
      suggested.dtype = declared;
    // Another data type would be another value, which is not for a layout to decide.
    if (suggested.dtype != declared)
      return std::nullopt;
    config.outputs.push_back(problem.layouts->intern(suggested));
  }
  return config;
}

std::optional<OpConfig> tessera::configMade(const Problem &problem, OpId id, const OpCostTable &model) {
  const Op &op = problem[id];
  ValidationResult answer = declaredAnswer(problem, id, model);
  if (!isUnjudged(answer))
    return op.declared;
  std::optional<OpConfig> config = asMade(problem, op, answer);
  std::vector<LayoutId> inputs = layoutsOf(problem, op.operands, &Value::declared);
  // Asked once more with the layouts that came back: an answer that refuses its own suggestion is none.
  if (!config || op.role == OpRole::Conversion ||
      isUnjudged(model.query({problem.signature(id), inputs, *config})))
    return std::nullopt;
  return config;
}

StepCost tessera::costInEmptyL1(const Problem &problem, OpId id, llvm::ArrayRef<LayoutId> inputs,
                                const OpConfig &config, const OpCostTable &model, Conversions &conversions,
                                Alone alone) {
  const Op &op = problem[id];
  if (op.role == OpRole::Conversion)
    return conversions.find(problem[op.operands.front()].tensor, inputs.front(), config.outputs.front()).cost;
  return stepCost(model, {problem.signature(id), inputs, config}, alone);
}

void BaseSearch::settleAll() {
  for (size_t i = 0; i < problem.ops.size(); ++i)
    settle(OpId(i));
}

bool BaseSearch::settle(OpId id) {
  Op &op = problem.ops[id.index()];
  // What nobody may change reads what it is declared to read; if a value is at home elsewhere by now, it is
  // converted for this op.
  if (op.role == OpRole::Fixed || op.restricted || op.mustConvert) {
    std::vector<LayoutId> declared = layoutsOf(problem, op.operands, &Value::declared);
    if (op.baseInputs.empty() && declared != layoutsOf(problem, op.operands, &Value::home))
      op.baseInputs = std::move(declared);
    return true;
  }
  op.unfit = false;
  op.baseInputs.clear();
  // The usual case, and the one in which the base plan is the input program.
  if (runsAsDeclared(id))
    return true;
  // Layers repeat: the search runs once per situation, not once per op.
  auto [entry, isNew] = known.try_emplace(keyOf(id));
  if (isNew)
    entry->second = cheapest(id, configsOf(id));
  // Where nothing helps, what the op makes as it is declared says best what is missing: of one that takes no notice of the layouts of its
  // results that is room for those, which a wider cap has.
  Base base = entry->second.value_or(Base{configMade(problem, id, model).value_or(op.declared),
                                          layoutsOf(problem, op.operands, &Value::declared)});
  op.unfit = true;
  op.baseInputs = base.inputs;
  llvm::erase(op.legal, base.config);
  // Policies take the front as what they fall back to (baseConfig).
  op.legal.insert(op.legal.begin(), base.config);
  return entry->second.has_value();
}

bool BaseSearch::runsAsDeclared(OpId id) {
  const Op &op = problem[id];
  std::vector<LayoutId> home = layoutsOf(problem, op.operands, &Value::home);
  // Its results are at home elsewhere: as declared it would need conversions behind it.
  if (!llvm::equal(layoutsOf(problem, op.results, &Value::home), op.declared.outputs))
    return false;
  // The op may free a copy that is made for it, but not what others still read.
  if (freesInput(op.declared) && !ownsInput(id, home.front()))
    return false;
  if (op.role == OpRole::Conversion)
    return conversions.find(problem[op.operands.front()].tensor, home.front(), op.declared.outputs.front())
        .cost.legal;
  const OpCost &cost = model.row({problem.signature(id), home, op.declared});
  return model.fits(cost) || fitsAlone(cost, problem.l1Budget, model.context());
}

Words BaseSearch::keyOf(OpId id) {
  const Op &op = problem[id];
  Words key;
  key.add(op.signature, op.role, model.idOf(op.declared));
  // The place of the first use tells `add(a, a)` from `add(a, b)`: a value that is read twice is converted
  // once.
  for (ValueId operand : op.operands)
    key.add(problem[operand].home, problem[operand].declared, bool(copyable[operand.index()]),
            firstOperand(op, operand));
  if (!op.operands.empty())
    // The search asks these things too, so they are part of what is remembered.
    key.add(ownsInput(id, problem[op.operands.front()].home));
  for (ValueId result : op.results)
    key.add(problem[result].home, isRead(problem[result]), bool(writtenInPlace[result.index()]));
  // Legal configurations are among those that are tried, and differ from budget to budget.
  for (const OpConfig &config : op.legal)
    key.add(model.idOf(config));
  return key;
}

/// All results move together. Without the op's own configuration too: it may ask for shards.
std::vector<OpConfig> BaseSearch::configsOf(OpId id) const {
  const Op &op = problem[id];
  // DRAM last among the places: it frees most L1, and costs most.
  std::vector<LayoutId> dram, rows;
  for (ValueId result : op.results) {
    const TensorDesc &tensor = problem[result].tensor;
    dram.push_back(inDram(problem, result));
    // What tiles forbid rows may allow.
    rows.push_back(isBlockFloat(tensor.dtype)
                       ? dram.back()
                       : problem.layouts->intern(dramInterleaved(tensor, PageLayout::RowMajor)));
  }
  std::vector<std::vector<LayoutId>> places = {layoutsOf(problem, op.results, &Value::home),
                                               layoutsOf(problem, op.results, &Value::declared), dram};
  // Rows only for what a rule refuses, as its tiles may be the reason. Where room is what is missing, DRAM is
  // the answer.
  if (isRefused(declaredAnswer(problem, id, model)))
    places.push_back(rows);
  std::vector<OpConfig> all;
  for (const std::vector<LayoutId> &place : places)
    for (const OpSpecificConfig &specific : {op.declared.specific, OpSpecificConfig()})
      addOnce(all, OpConfig{{place.begin(), place.end()}, specific});
  for (const OpConfig &config : op.legal)
    addOnce(all, config);
  return all;
}

// ---- Search ----------------------------------------------------------------------------------------------

std::optional<Base> BaseSearch::cheapest(OpId id, llvm::ArrayRef<OpConfig> configs) {
  const Op &op = problem[id];
  // As declared, if that works where the operands are now at home: nothing asks for another base.
  if (llvm::is_contained(configs, op.declared) && runsAsDeclared(id))
    if (std::optional<Base> declared =
            baseWith(id, op.declared, layoutsOf(problem, op.operands, &Value::home), Alone::Allowed))
      return declared;
  std::optional<Base> best;
  auto search = [&](llvm::ArrayRef<OpConfig> among, auto inputsFor) {
    // What exceeds the cap by itself forbids all else in L1 around it, so it is taken only if nothing keeps the
    // cap.
    for (Alone alone : {Alone::Refused, Alone::Allowed})
      for (const OpConfig &config : best ? llvm::ArrayRef<OpConfig>() : among)
        for (const std::vector<LayoutId> &inputs : inputsFor(config))
          if (std::optional<Base> base = baseWith(id, config, inputs, alone);
              base && (!best || base->time < best->time))
            best = std::move(base);
  };
  search(configs, [&](const OpConfig &config) { return inputsOf(id, config); });
  // Step by step further from the program: each step has many more layouts to ask about than the one before,
  // and most ops need none of them.
  if (!best) {
    const std::vector<std::vector<LayoutId>> others = inOtherShards(id);
    search(configs, [&](const OpConfig &) -> const auto & { return others; });
  }
  // Only for what no layout at home helps: there are many forms.
  if (best || !isRefused(declaredAnswer(problem, id, model)))
    return best;
  for (const OpConfig &config : configs)
    search(config, [&](const OpConfig &) { return inLegalForms(id, config); });
  // A convolution is not refused for the height of its blocks, so what a program says of that was not asked for with these forms.
  if (!best)
    for (const OpConfig &config : inLowerBlocks(id, configs))
      search(config, [&](const OpConfig &) { return inLegalForms(id, config); });
  // An op whose operands and results both must be sharded, each in its own way, is legal in none of these: there the backend says what
  // it makes of the operands.
  if (!best)
    for (const std::vector<LayoutId> &inputs : inLegalForms(id, op.declared))
      if (std::optional<OpConfig> made =
              asMade(problem, op, model.query({problem.signature(id), inputs, op.declared})))
        search(*made, [&](const OpConfig &) { return std::vector<std::vector<LayoutId>>{inputs}; });
  return best;
}

std::vector<OpConfig> BaseSearch::inLowerBlocks(OpId id, llvm::ArrayRef<OpConfig> configs) const {
  const auto *declared = std::get_if<Conv2dConfig>(&problem[id].declared.specific);
  std::vector<OpConfig> lower;
  for (const OpConfig &config : configs)
    for (int64_t rows : Conv2dSearchSpace().actBlockHOverride)
      if (declared && rows != 0 && config.specific == problem[id].declared.specific) {
        Conv2dConfig blocks = *declared;
        blocks.actBlockHOverride = rows;
        lower.push_back({config.outputs, blocks});
      }
  return lower;
}

std::vector<std::vector<LayoutId>> BaseSearch::inputsOf(OpId id, const OpConfig &config) const {
  llvm::ArrayRef<ValueId> operands = problem[id].operands;
  std::vector<std::vector<LayoutId>> all = {layoutsOf(problem, operands, &Value::home)};
  auto add = [&](llvm::ArrayRef<LayoutId> inputs) {
    if (llvm::none_of(all, [&](const std::vector<LayoutId> &known) { return inputs.equals(known); }))
      all.emplace_back(inputs);
    return false;
  };
  const std::vector<LayoutId> home = all.front(), declared = layoutsOf(problem, operands, &Value::declared);
  std::vector<LayoutId> dram;
  for (ValueId operand : operands)
    dram.push_back(problem.layout(problem[operand].home).onDevice() ? inDram(problem, operand)
                                                                    : problem[operand].home);
  for (const std::vector<LayoutId> &place : {declared, dram}) {
    add(place);
    for (ValueId moved : operands) {
      std::vector<LayoutId> one(home.begin(), home.end());
      setInput(problem[id], moved, place[firstOperand(problem[id], moved)], one);
      // One operand moved at a time: that frees room with the fewest conversions.
      add(one);
    }
  }
  if (!config.outputs.empty())
    forEachPlausibleInputs(problem, id, config.outputs.front(), add);
  return all;
}

std::vector<std::vector<LayoutId>> BaseSearch::inOtherShards(OpId id) const {
  llvm::ArrayRef<ValueId> operands = problem[id].operands;
  std::vector<std::vector<LayoutId>> all;
  for (ValueId moved : operands) {
    const Value &value = problem[moved];
    const TensorLayout &declared = problem.layout(value.declared);
    if (!declared.isSharded() || !declared.isL1())
      continue;
    for (LayoutId shards :
         enumerateLayouts(value.tensor, declared.page, problem.device, *problem.layouts).sharded)
      // The others at home or as the program has them: shards may go with one of these only.
      for (LayoutId Value::*others : {&Value::home, &Value::declared}) {
        std::vector<LayoutId> inputs = layoutsOf(problem, operands, others);
        setInput(problem[id], moved, shards, inputs);
        all.push_back(std::move(inputs));
      }
  }
  return all;
}

std::vector<LayoutId> BaseSearch::formsOf(ValueId id) const {
  const Value &value = problem[id];
  const TensorLayout &declared = problem.layout(value.declared);
  if (!declared.onDevice() || !copyable[id.index()])
    return {};
  std::vector<LayoutId> forms;
  for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
    if (page == PageLayout::RowMajor && isBlockFloat(declared.dtype))
      continue;
    LayoutSpace space = enumerateLayouts(value.tensor, page, problem.device, *problem.layouts);
    llvm::append_range(forms, space.interleaved);
    llvm::append_range(forms, space.sharded);
  }
  return forms;
}

std::vector<std::vector<LayoutId>> BaseSearch::inLegalForms(OpId id, const OpConfig &config) {
  llvm::ArrayRef<ValueId> operands = problem[id].operands;
  std::vector<std::vector<LayoutId>> legal, front = {layoutsOf(problem, operands, &Value::home)};
  std::set<std::string> broken;
  auto ask = [&](std::vector<LayoutId> inputs, std::vector<std::vector<LayoutId>> &next) {
    ValidationResult answer = model.query({problem.signature(id), inputs, config});
    if (!isRefused(answer))
      legal.push_back(std::move(inputs));
    else if (broken.insert(answer.rule).second)
      next.push_back(std::move(inputs));
  };
  // Breadth first, so that as few operands as possible are moved. One layout per broken rule goes on: rules are
  // tried in order, so others that break the same one are no nearer. All combinations would be far too many.
  for (size_t moves = 0; moves < operands.size() && legal.empty() && !front.empty(); ++moves) {
    std::vector<std::vector<LayoutId>> next;
    for (const std::vector<LayoutId> &from : front)
      for (ValueId moved : operands)
        for (LayoutId form : formsOf(moved)) {
          std::vector<LayoutId> inputs = from;
          setInput(problem[id], moved, form, inputs);
          ask(std::move(inputs), next);
        }
    front = std::move(next);
  }
  return legal;
}

std::optional<Base> BaseSearch::baseWith(OpId id, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs,
                                         Alone alone) {
  const Op &op = problem[id];
  for (auto [operand, input] : llvm::zip_equal(op.operands, inputs))
    if (isDemanded(problem, operand) && input != problem[operand].declared)
      return std::nullopt;
  if ((freesInput(config) && !ownsInput(id, inputs.front())) ||
      (op.mustConvert && inputs.front() == config.outputs.front()))
    return std::nullopt;
  StepCost own = costInEmptyL1(problem, id, inputs, config, model, conversions, alone);
  // Conversions belong to the price: a fast kernel that reads what nobody makes is no base.
  std::optional<Nanoseconds> around = own.legal ? conversionsAround(id, config, inputs) : std::nullopt;
  if (!around)
    return std::nullopt;
  return Base{config, std::vector<LayoutId>(inputs), *around + own.time};
}

/// Whether the first operand, read in `layout`, is the op's to free: a copy that is made for it, or what nobody else
/// sees.
bool BaseSearch::ownsInput(OpId id, LayoutId layout) const {
  ValueId input = problem[id].operands.front();
  return layout != problem[input].home || lastHolders[input.index()] == problem.position(id);
}

/// Nanoseconds; nullopt if one of them is not possible.
std::optional<Nanoseconds> BaseSearch::conversionsAround(OpId id, const OpConfig &config,
                                                         llvm::ArrayRef<LayoutId> inputs) {
  const Op &op = problem[id];
  Nanoseconds time;
  auto convert = [&](ValueId value, LayoutId from, LayoutId to) {
    if (from == to)
      return true;
    const StepCost &cost = conversions.find(problem[value].tensor, from, to).cost;
    time += cost.time;
    return cost.legal && copyable[value.index()];
  };
  for (auto [index, operand] : llvm::enumerate(op.operands)) {
    size_t first = firstOperand(op, operand);
    if (first == index ? !convert(operand, problem[operand].home, inputs[index])
                       : inputs[first] != inputs[index])
      return std::nullopt;
  }
  for (auto [result, made] : llvm::zip_equal(op.results, config.outputs))
    if (isRead(problem[result]) && !convert(result, made, problem[result].home))
      return std::nullopt;
  return time;
}
