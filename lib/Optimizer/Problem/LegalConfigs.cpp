//===- LegalConfigs.cpp - Which configurations an op may have -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalTensorLayouts.h"
#include "tessera/Optimizer/Problem/Numerics.h"
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tessera;

/// An image in shards of that kind, on as many cores as it has tiles for. A convolution's result has other extents: on its cores the image may
/// not fit, where the image's own have room.
static TensorLayout onMostCores(const TensorDesc &image, MemoryLayout kind, GridShape workers) {
  // One without elements has no tiles, and a grid has a core.
  GridShape tiles = physicalShapeInUnits(dramInterleaved(image), image.shape);
  tiles = {std::max<int64_t>(1, tiles.rows), std::max<int64_t>(1, tiles.columns)};
  GridShape grid{std::min(tiles.rows, workers.rows), std::min(tiles.columns, workers.columns)};
  if (kind == MemoryLayout::HeightSharded)
    grid = {std::min(tiles.rows, workers.volume()), 1};
  if (kind == MemoryLayout::WidthSharded)
    grid = {1, std::min(tiles.columns, workers.volume())};
  return l1Sharded(image, kind, grid, workers);
}

/// The kinds of shards in which a convolution's image is worth asking about: its result's, or those in which conv1d works at all.
static llvm::SmallVector<MemoryLayout, 2> kindsOfImage(const Problem &problem, OpId op, LayoutId result) {
  const std::string &name = problem.signature(op).name;
  const TensorLayout &wanted = problem.layout(result);
  if (name == "ttnn.conv1d")
    return {MemoryLayout::HeightSharded, MemoryLayout::BlockSharded};
  if (name == "ttnn.conv2d" && wanted.isL1() && wanted.isSharded())
    return {*wanted.memory};
  return {};
}

bool tessera::forEachPlausibleInputs(const Problem &problem, OpId op, LayoutId result,
                                     llvm::function_ref<bool(llvm::ArrayRef<LayoutId>)> visit) {
  const DeviceSpec &device = problem.device;
  auto placed = [&](const TensorLayout &placement, const Value &value) {
    return problem.layouts->intern(withTensor(placement, value.tensor, device.workerGrid));
  };
  auto interleaved = [&](const Value &value) {
    return placed(l1Interleaved(value.tensor, device.workerGrid, problem.layout(value.declared).page), value);
  };
  auto base = [&](size_t index) { return baseInput(problem, op, index); };
  auto likeResult = [&](const Value &value) { return placed(problem.layout(result), value); };
  auto tryWith = [&](auto &&layoutOfOperand) {
    llvm::SmallVector<LayoutId> inputs;
    for (auto [index, operand] : llvm::enumerate(problem[op].operands)) {
      const Value &value = problem[operand];
      // A constant is converted by a const-eval function, before any policy (Problem/ConstantLayouts). What
      // lies on the host is there for an op that reads the host, as conv2d does with raw weights (facts/ir
      // 1.4).
      bool stays = value.kind == ValueKind::Constant || !problem.layout(value.declared).onDevice();
      inputs.push_back(stays ? base(index) : layoutOfOperand(index, value));
    }
    return visit(inputs);
  };
  return tryWith([&](size_t index, const Value &) { return base(index); }) ||
         tryWith([&](size_t, const Value &value) { return interleaved(value); }) ||
         tryWith([&](size_t, const Value &value) { return likeResult(value); }) ||
         tryWith([&](size_t index, const Value &value) {
           return index == 0 ? likeResult(value) : base(index);
         }) ||
         llvm::any_of(kindsOfImage(problem, op, result), [&](MemoryLayout kind) {
           return tryWith([&](size_t index, const Value &value) {
             return index != 0 ? base(index)
                               : problem.layouts->intern(onMostCores(value.tensor, kind, device.workerGrid));
           });
         });
}

/// A configuration, and what it needs with each of the inputs that were tried so far.
/// Needs are those of the table, which asks in an empty L1, so they hold for every budget.
struct CandidateNeeds {
  OpConfig config;
  ConfigId id{};
  llvm::SmallVector<OpNeeds, 1> needs{};
  bool triedAll = false;
};

/// What was found out about one op's candidates. What fits differs from budget to budget; what is needed does not.
struct OpCandidates {
  std::map<LayoutId, std::vector<CandidateNeeds>> byResult; ///< by the result's layout
  std::map<Bytes, std::vector<OpConfig>> legal;             ///< by budget
};

/// All that legal configurations depend on, and what they are.
struct tessera::LegalConfigsMemo {
  OpCostTable model; ///< with any budget
  AnalysisOptions options;
  std::vector<DataType> types; ///< scalarDataTypes
  ByWords<OpCandidates> byOp;  ///< by all that an op's part in a problem says about its candidates
};

namespace {

/// The problem's memo, or a new one if that is of something else.
LegalConfigsMemo &memoOf(Problem &problem, const OpCostTable &model, const AnalysisOptions &options) {
  std::vector<DataType> types = scalarDataTypes(problem);
  // Anything else that an answer depends on stands in the key of the op (keyOf). A memo of another table, of
  // other options or of other data types would answer another question.
  LegalConfigsMemo *memo = problem.found.get();
  if (!memo || !memo->model.shares(model) || memo->options != options || memo->types != types)
    problem.found =
        std::make_shared<LegalConfigsMemo>(LegalConfigsMemo{model, options, std::move(types), {}});
  return *problem.found;
}

/// Asks the model about one op after the other.
class ConfigSearch {
public:
  ConfigSearch(const Problem &problem, const OpCostTable &model, const AnalysisOptions &options,
               LegalConfigsMemo &memo)
      : problem(problem), model(model), options(options), memo(memo), conversions(model),
        tensorLayouts(problem) {}

  /// For other ops in the same situation the same was found before, in this problem, in one of another budget, or in another
  /// schedule.
  const std::vector<OpConfig> &legalFor(OpId id) {
    begin(id);
    // One answer per budget: a plan for less L1 (Plan/TighterBudgets) drops what does not fit, and finds other
    // blocks of a matmul useful. `byResult` is shared by all budgets and is what takes the time to fill.
    auto [entry, isNew] = known->legal.try_emplace(model.context().l1Budget);
    if (isNew)
      entry->second = search(id);
    return entry->second;
  }

  /// `layouts` of one of the op's results, of which up to `cap` sharded ones of each kind give configurations.
  std::vector<OpConfig> legalIn(OpId id, unsigned result, llvm::ArrayRef<LayoutId> layouts, int64_t cap) {
    begin(id);
    std::vector<OpConfig> configs;
    addLayouts(configs, id, result, layouts, cap);
    return configs;
  }

private:
  void begin(OpId id) { known = &memo.byOp[keyOf(id)]; }

  /// Adds what `layouts` of one of the op's results give. The largest grids come first, whatever their kind, and a reader may want the kind that
  /// has none of these: so each kind has a share of the cap for itself, and takes it where the cap is used up by others.
  void addLayouts(std::vector<OpConfig> &configs, OpId id, unsigned result, llvm::ArrayRef<LayoutId> layouts,
                  int64_t cap) {
    int64_t all = 0;
    std::array<int64_t, size_t(MemoryLayout::NDSharded) + 1> ofKind{};
    for (LayoutId layout : layouts) {
      // Refused ones do not count: the cap bounds what policies search, not what is tried.
      auto add = [&] {
        return problem[id].results.size() == 1 ? addLayout(configs, id, layout)
                                               : addPlacement(configs, id, result, layout);
      };
      if (!problem.layout(layout).isSharded()) {
        add();
        continue;
      }
      int64_t &its = ofKind[size_t(*problem.layout(layout).memory)];
      // `add` comes last: it asks the model, which is all the time that this search takes.
      if ((all < cap || its < shareOfKind(cap)) && add()) {
        ++its;
        ++all;
      }
    }
  }

  Words keyOf(OpId id) {
    // Values enter with their layouts and not with their ids, so that the equal layers of a language model
    // share an entry. What the op's readers do is left out, but for whether its input may be freed.
    const Op &op = problem[id];
    Words key;
    key.add(tableId(id), op.role, model.idOf(op.declared), mayFreeInput(id));
    for (ValueId result : op.results)
      key.add(problem[result].declared);
    for (auto [index, operand] : llvm::enumerate(op.operands))
      key.add(problem[operand].kind, problem[operand].declared, baseInput(problem, id, index));
    return key;
  }

  /// A conv2d may free its input only if it is an activation that nothing reads afterwards.
  bool mayFreeInput(OpId id) const {
    const Op &op = problem[id];
    if (op.operands.empty())
      return false;
    const Value &input = problem[op.operands.front()];
    // Arguments and constants are not the function's to free (facts/ir 5, "Deallocate"). Views of the input are
    // not looked at here: a policy that frees checks its own order of ops, and takes the same configuration
    // without freeing where it must.
    return input.kind == ValueKind::Activation && !input.returned && input.uses.size() == 1;
  }

  std::vector<OpConfig> search(OpId id) {
    std::vector<OpConfig> configs;
    if (problem[id].results.empty())
      return configs;
    const Value &result = problem[problem[id].results.front()];
    PageLayout declaredPage = problem.layout(result.declared).page;
    addPage(configs, id, tensorLayouts.of(result.tensor, declaredPage), options.maxLegalLayouts);
    // Of several results each keeps its pages (placedAlike).
    if (problem[id].results.size() > 1)
      return configs;
    if (declaredPage == PageLayout::RowMajor) {
      // Most rows of an input are workarounds of the public compiler, around convolutions above all.
      addPage(configs, id, tensorLayouts.of(result.tensor, PageLayout::Tile), options.maxLegalLayouts);
    } else if (!isBlockFloat(result.tensor.dtype)) {
      // Rows are what reshapes and slices of the last dimensions are fast on, so they are always candidates. Shards of
      // rows are those of convolutions, whose kernel makes rows, and of all ops if they are asked for. They come beside
      // the shards of tiles, half as many: upstream halves the cap for both (facts/ir 3.1), so that who asked for more
      // would lose tiles that he had.
      bool inShards = options.rowMajorEnabled || problem[id].name == "ttnn.conv2d";
      int64_t cap = inShards ? options.maxLegalLayouts / 2 : 0;
      addPage(configs, id, tensorLayouts.of(result.tensor, PageLayout::RowMajor), cap);
    }
    return configs;
  }

  void addPage(std::vector<OpConfig> &configs, OpId id, const LayoutSpace &space, int64_t cap) {
    addLayouts(configs, id, 0, space.interleaved, cap);
    addLayouts(configs, id, 0, space.sharded, cap);
  }

  /// Adds the op's configurations with its result in `layout` that the model accepts for some plausible inputs.
  bool addLayout(std::vector<OpConfig> &configs, OpId id, LayoutId layout) {
    // An override may insist on freeing what the op may not free: then it reads a copy.
    Conv2dSearchSpace conv2d = options.conv2d;
    if (!mayFreeInput(id))
      conv2d.deallocateActivation = {false};
    auto [entry, isNew] = known->byResult.try_emplace(layout);
    std::vector<CandidateNeeds> &candidates = entry->second;
    if (isNew)
      for (OpConfig &config : configsMaking(problem, problem.signature(id), problem[id].declared.specific,
                                            layout, conv2d, options.numerics, model.context()))
        candidates.push_back({std::move(config)});
    // None at all: the op's own configuration contradicts the layout, in slices too.
    if (candidates.empty())
      return false;
    size_t before = configs.size();
    // A matmul has up to 75 configurations for one layout, attention up to 26, of which most are beaten by others; of any
    // other op each is a choice of its own (act_block_h of a convolution, for instance).
    if (isMatmul(problem.signature(id)) || isAttention(problem.signature(id)))
      addUseful(configs, id, candidates);
    else
      for (CandidateNeeds &candidate : candidates)
        if (acceptsSomeInputs(id, candidate))
          configs.push_back(candidate.config);
    const bool fits = configs.size() > before;
    if (fits && !isLargeImage(id))
      return true;
    // In one piece an image that fits only in blocks may take several times as long as slices of it in rows.
    constexpr int64_t mostSlices = 8;
    return addSliced(configs, id, layout, conv2d, fits ? mostSlices : 0) || fits;
  }

  void askAll(OpId id, std::vector<CandidateNeeds> &candidates) {
    if (candidates.front().triedAll)
      return;
    SignatureId signature = tableId(id);
    for (CandidateNeeds &candidate : candidates) {
      candidate.id = model.idOf(candidate.config);
      candidate.triedAll = true;
    }
    // All candidates are asked about the same inputs in the same order: `needs` of two candidates can only be
    // compared place by place, and markFront compares them.
    auto visit = [&](llvm::ArrayRef<LayoutId> inputs) {
      for (CandidateNeeds &candidate : candidates)
        candidate.needs.push_back(model.row(signature, inputs, candidate.id));
      return false;
    };
    LayoutId result = candidates.front().config.outputs.front();
    forEachPlausibleInputs(problem, id, result, visit);
    // A result that is not sharded does not say how the first operand might be; its shards fix the blocks of K.
    if (isMatmul(problem.signature(id)) && !problem.layout(result).isSharded())
      forEachKindOfFirstInput(id, visit);
  }

  /// Of a matmul's configurations with the same result, those that are for some plausible inputs the fastest with as much L1
  /// as they take; those that take least L1 first, so that they are taken where times are equal.
  void addUseful(std::vector<OpConfig> &configs, OpId id, std::vector<CandidateNeeds> &candidates) {
    askAll(id, candidates);
    std::vector<std::optional<Bytes>> least(
        candidates.size()); // that a useful one takes where it needs least
    std::vector<Way> ways;
    // Each set of inputs has a front of its own. Which of them a policy will come with is not known yet, so
    // what is best for one of them is kept.
    for (size_t tried = 0; tried < candidates.front().needs.size(); ++tried) {
      ways.clear();
      for (auto [index, candidate] : llvm::enumerate(candidates))
        if (StepCost cost = stepCost(model, candidate.needs[tried]); cost.legal)
          ways.push_back({cost.own, cost.time, index});
      // The index ends every tie, so the list does not depend on the sort.
      llvm::sort(ways, [](const Way &a, const Way &b) {
        return std::tuple(a.own, a.time, a.index) < std::tuple(b.own, b.time, b.index);
      });
      markFront(ways, least);
    }
    // Policies take the first of equal times, so less L1 comes first.
    llvm::SmallVector<size_t> order;
    for (size_t index = 0; index < least.size(); ++index)
      if (least[index])
        order.push_back(index);
    llvm::sort(order,
               [&](size_t a, size_t b) { return std::tuple(*least[a], a) < std::tuple(*least[b], b); });
    for (size_t index : order)
      configs.push_back(candidates[index].config);
  }

  /// The base inputs, but the first operand in shards of each kind, on as many cores as can be.
  void forEachKindOfFirstInput(OpId id, llvm::function_ref<bool(llvm::ArrayRef<LayoutId>)> visit) {
    const Value &first = problem[problem[id].operands.front()];
    // Neither moves for the sake of one op; forEachPlausibleInputs leaves them, too.
    if (first.kind == ValueKind::Constant || !problem.layout(first.declared).onDevice())
      return;
    OperandLayouts inputs = baseInputs(problem, id);
    // One of each is enough to rank kernels; all of them would multiply the questions of each matmul.
    for (LayoutId layout :
         largestOfEachKind(tensorLayouts.of(first.tensor, PageLayout::Tile), *problem.layouts)) {
      inputs.front() = layout;
      visit(inputs);
    }
  }

  struct Way {
    Bytes own;
    Nanoseconds time;
    size_t index;
  };

  /// Of ways by ascending L1 those that are worth more L1 than the last that was, and the fastest.
  static void markFront(llvm::ArrayRef<Way> ways, llvm::MutableArrayRef<std::optional<Bytes>> useful) {
    // Smaller gains are less than what the model is sure of, and would make the lists long.
    constexpr double kWorthwhile = 0.97, kFastest = 0.99;
    if (ways.empty())
      return;
    auto mark = [&](const Way &way) {
      std::optional<Bytes> &least = useful[way.index];
      least = least ? std::min(*least, way.own) : way.own;
    };
    const Way *last = &ways.front(), *fastest = last;
    mark(*last);
    for (const Way &way : ways) {
      if (way.time < fastest->time)
        fastest = &way;
      // The list ascends in L1: whoever needs more must be faster than the last one kept.
      if (way.time < last->time * kWorthwhile)
        mark(*(last = &way));
    }
    // The steps of 3 % may leave out the fastest by a little less than that. Where L1 is free it costs nothing
    // to take.
    if (fastest->time < last->time * kFastest)
      mark(*fastest);
  }

  /// Whether each core has so many rows of tiles of a convolution's result that slices of it leave none idle.
  bool isLargeImage(OpId id) const {
    const OpSignature &signature = problem.signature(id);
    if (signature.name != "ttnn.conv2d")
      return false;
    constexpr int64_t tile = 32, rowsOfCore = 4;
    llvm::ArrayRef<int64_t> shape = signature.results.front().shape;
    int64_t pixels = llvm::product_of(shape.drop_back());
    return pixels >= rowsOfCore * tile * int64_t(problem.device.workerGrid.volume());
  }

  /// A convolution that is out of memory in one piece works from DRAM to DRAM slice by slice: with as few slices as fit, or any number of them up
  /// to `most`.
  bool addSliced(std::vector<OpConfig> &configs, OpId id, LayoutId layout, const Conv2dSearchSpace &space,
                 int64_t most) {
    const OpSignature &signature = problem.signature(id);
    const TensorLayout &wanted = model.layouts()[layout];
    // Slices work from DRAM to DRAM (facts/ir 1.3, conv2d_slice_config), so only such a result can be asked of
    // them.
    if (signature.name != "ttnn.conv2d" || wanted.isL1() || wanted.isSharded())
      return false;
    int64_t fewest = 0;
    Conv2dSearchSpace ofSlices = searchSpaceOf(signature, space);
    // A program names blocks that fit in one piece; those of slices may be higher.
    if (most > 0)
      ofSlices.actBlockHOverride = space.actBlockHOverride;
    // Ascending in slices. Each slice has its own launches and leaves cores idle (docs/spilling), so the first
    // number that fits is enough; along height and width it may fit in both ways.
    for (const Conv2dConfig &sliced :
         slicedConv2dConfigs(signature, ofSlices, problem[id].declared.specific)) {
      if (most > 0 ? sliced.numSlices > most : fewest > 0 && sliced.numSlices > fewest)
        break;
      CandidateNeeds candidate{{{layout}, sliced}};
      if (!acceptsSomeInputs(id, candidate))
        continue;
      configs.push_back(std::move(candidate.config));
      fewest = sliced.numSlices;
    }
    return fewest > 0;
  }

  /// Asks no further than to the first inputs with which the candidate fits.
  bool acceptsSomeInputs(OpId id, CandidateNeeds &candidate) {
    // A conversion has no kernel of its own: what it takes is what any conversion between the two layouts
    // takes.
    LayoutId result = candidate.config.outputs.front();
    if (problem[id].role == OpRole::Conversion) {
      const Value &operand = problem[problem[id].operands.front()];
      return conversions.find(operand.tensor, baseInput(problem, id, 0), result).cost.legal;
    }
    // Under another budget the same needs were seen. Only if none of them fits the next inputs are asked about.
    if (llvm::any_of(candidate.needs, [&](const OpNeeds &needs) { return model.fits(needs); }))
      return true;
    if (candidate.triedAll)
      return false;
    if (!candidate.id.valid())
      candidate.id = model.idOf(candidate.config);
    bool onlyInTiles = problem.layout(result).isTiled() &&
                       !problem.layout(problem[problem[id].results.front()].declared).isTiled();
    SignatureId signature = tableId(id);
    // The inputs come in the same order each time, so those that were asked about before are the first ones.
    size_t refused = candidate.needs.size(), tried = 0;
    bool found = forEachPlausibleInputs(problem, id, result, [&](llvm::ArrayRef<LayoutId> inputs) {
      if (tried++ < refused)
        return false;
      bool asks = !onlyInTiles || inTiles(id, inputs);
      // An entry for each set of inputs, refused ones too: the places have to match the order of visits.
      candidate.needs.push_back(asks ? OpNeeds(model.row(signature, inputs, candidate.id)) : OpNeeds());
      return model.fits(candidate.needs.back());
    });
    candidate.triedAll = !found;
    return found;
  }

  SignatureId tableId(OpId id) {
    SignatureId signature = problem[id].signature;
    auto [entry, isNew] = tableIds.try_emplace(signature);
    if (isNew)
      entry->second = model.idOf((*problem.signatures)[signature]);
    return entry->second;
  }

  /// Whether all that is not constant is read in tiles. An op that was given rows may make tiles only if it takes them: the
  /// model knows better what an op reads than what it writes (argmax reads and writes rows).
  bool inTiles(OpId id, llvm::ArrayRef<LayoutId> inputs) const {
    for (auto [operand, layout] : llvm::zip_equal(problem[id].operands, inputs))
      if (problem[operand].kind != ValueKind::Constant && !problem.layout(layout).isTiled())
        return false;
    return true;
  }

  /// An op has one memory config for all its results: all in DRAM, all in L1 interleaved, or each cut for itself over the cores
  /// that one layout of one of them has. False if the model refuses it.
  bool addPlacement(std::vector<OpConfig> &configs, OpId id, unsigned result, LayoutId layout) {
    CandidateNeeds candidate{{placedAlike(id, result, layout), problem[id].declared.specific}};
    bool accepted = !candidate.config.outputs.empty() && acceptsSomeInputs(id, candidate);
    if (accepted)
      configs.push_back(std::move(candidate.config));
    return accepted;
  }

  /// By result of the op: where `layout` has one of them, on the same cores, in the pages that they are declared in. Empty if one
  /// of them cannot lie there.
  llvm::SmallVector<LayoutId, 1> placedAlike(OpId id, unsigned result, LayoutId layout) {
    const TensorLayout &placement = problem.layout(layout);
    llvm::SmallVector<LayoutId, 1> all;
    for (auto [index, value] : llvm::enumerate(problem[id].results)) {
      const TensorDesc &tensor = problem[value].tensor;
      PageLayout page = problem.layout(problem[value].declared).page;
      // The kernel takes one memory config for all its results (facts/ir 1.2); shards are cut by each result's
      // own shape.
      TensorLayout alike = placement.isSharded() ? withTensor(placement, tensor, problem.device.workerGrid)
                           : placement.isL1()    ? l1Interleaved(tensor, problem.device.workerGrid, page)
                                                 : dramInterleaved(tensor, page);
      if (index == result)
        alike = placement;
      else if (alike.page != page || !checkLayoutFor(alike, tensor.shape, problem.device).empty())
        return {};
      all.push_back(model.layouts().intern(alike));
    }
    return all;
  }

  const Problem &problem;
  OpCostTable model;
  const AnalysisOptions &options;
  LegalConfigsMemo &memo;
  OpCandidates *known = nullptr; ///< of the op at hand
  Conversions conversions;
  std::map<SignatureId, SignatureId> tableIds; ///< the problem's, the table's
  LegalTensorLayouts tensorLayouts;
};

/// A conversion of the input may have nothing to convert: its result may be in whatever layout the operand's producer
/// makes. Producers have their configurations before.
void addPassingThrough(const Problem &problem, Op &conversion) {
  const Value &operand = problem[conversion.operands.front()];
  // Arguments and constants stay where the program put them, which is the base of the conversion already.
  if (!operand.producer.valid())
    return;
  // Without a change of the data type: that would be a typecast, which the program did not ask for.
  DataType dtype = problem.layout(problem[conversion.results.front()].declared).dtype;
  for (const OpConfig &made : problem[operand.producer].legal) {
    LayoutId layout = made.outputs[operand.resultIndex];
    if (!layout.valid() || !problem.layout(layout).onDevice() || problem.layout(layout).dtype != dtype)
      continue;
    OpConfig config = conversion.declared;
    config.outputs = {layout};
    addOnce(conversion.legal, std::move(config));
  }
}

} // namespace

void tessera::findLegalConfigs(Problem &problem, const OpCostTable &model, const AnalysisOptions &options) {
  problem.search = options;
  ConfigSearch search(problem, model, options, memoOf(problem, model, options));
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    Op &op = problem.ops[i];
    // Overrides have filled their lists already (Bridge/Overrides), and mean them to be complete.
    if (op.restricted || op.mustConvert)
      continue;
    // The base first: it is the one configuration that is known to be possible, and policies fall back to the front.
    OpConfig base = baseConfig(op);
    op.legal = {base};
    if (op.role == OpRole::Fixed || op.role == OpRole::Sink)
      continue;
    // An op that takes no notice of the layouts of its results makes others than it declares. A policy has to
    // plan with those, or its plan says what will not be there.
    if (std::optional<OpConfig> made = configMade(problem, OpId(i), model); made && *made != op.declared)
      op.legal.push_back(*made);
    for (const OpConfig &config : search.legalFor(OpId(i)))
      addOnce(op.legal, config);
    if (op.role == OpRole::Conversion)
      addPassingThrough(problem, op);
  }
}

std::vector<OpConfig> tessera::legalConfigsIn(const Problem &problem, OpId op, unsigned result,
                                              llvm::ArrayRef<LayoutId> layouts, int64_t maxSharded,
                                              const OpCostTable &model, const AnalysisOptions &options) {
  LegalConfigsMemo memo{model, options, {}, {}};
  return ConfigSearch(problem, model, options, memo).legalIn(op, result, layouts, maxSharded);
}
