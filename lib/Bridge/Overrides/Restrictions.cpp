//===- Restrictions.cpp - What an override leaves of an op's choices ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. every layout that the op's result could have, filtered by what is wanted
//   2. the configurations that the model accepts in them (legalConfigsIn)
//   3. the base configuration: as declared if that is among them, else the one
//      that takes least time with the conversions that it needs around it
//
//===----------------------------------------------------------------------===//
#include "OverrideSteps.h"

#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

namespace {

class Restriction {
public:
  Restriction(BuiltProblem &built, OpId id, const WantedResults &wanted, const OpCostTable &model,
              const AnalysisOptions &options)
      : problem(built.problem), id(id), op(built.problem.ops[id.index()]), all(wanted),
        number(wanted.empty() ? 0 : wanted.begin()->first),
        wanted(wanted.empty() ? LayoutWords() : wanted.begin()->second), model(model), options(options),
        bases(built.problem, model) {}

  /// False if nothing is left.
  bool apply() {
    std::vector<LayoutId> layouts = candidates(pages());
    llvm::erase_if(layouts, [&](LayoutId layout) { return !isWanted(wanted, problem.layout(layout)); });
    // An override that asks for shards is no less legal for a search that was told to try none.
    std::vector<OpConfig> configs = legalConfigsIn(
        problem, id, number, layouts, std::max<int64_t>(options.maxLegalLayouts, 1), model, options);
    llvm::erase_if(configs, [&](const OpConfig &config) { return !areWanted(problem, all, config.outputs); });
    std::optional<Base> base = bases.cheapest(id, configs);
    if (!base)
      return false;
    bool asDeclared = llvm::equal(base->inputs, declaredInputs(problem, id));
    // The base stands first, which is where policies look for it.
    op.legal = {std::move(base->config)};
    for (OpConfig &config : configs)
      add(std::move(config));
    op.baseInputs = asDeclared ? std::vector<LayoutId>() : std::move(base->inputs);
    op.restricted = true;
    return true;
  }

  /// What any override of the result could ask for.
  std::vector<LayoutId> legalLayouts() {
    llvm::SetVector<LayoutId, std::vector<LayoutId>, std::set<LayoutId>> legal;
    for (const OpConfig &config :
         legalConfigsIn(problem, id, number, candidates({PageLayout::Tile, PageLayout::RowMajor}),
                        std::numeric_limits<int64_t>::max(), model, options))
      // A layout that no conversion leads to and from would be no help to name.
      if (!legal.contains(config.outputs[number]) && bases.cheapest(id, config))
        legal.insert(config.outputs[number]);
    return legal.takeVector();
  }

private:
  const tessera::Value &result() const { return problem[op.results[number]]; }

  /// What the override leaves open stays as the program has it, but for --row-major-enabled.
  SmallVector<PageLayout> pages() const {
    if (wanted.page)
      return {*wanted.page};
    if (std::optional<PageLayout> page =
            parsePageLayout(problem.signature(id).string("conv2d_config.output_layout")))
      return {*page};
    SmallVector<PageLayout> pages = {problem.layout(result().declared).page};
    if (options.rowMajorEnabled && pages.front() == PageLayout::Tile)
      pages.push_back(PageLayout::RowMajor);
    return pages;
  }

  /// A search need not find the declared layout.
  std::vector<LayoutId> candidates(ArrayRef<PageLayout> pages) {
    std::vector<LayoutId> all = candidateLayouts(problem, result(), wanted, pages);
    addOnce(all, result().declared);
    return all;
  }

  /// A conv2d that may free its input may also keep it, unless the override says otherwise.
  void add(OpConfig config) {
    OpConfig keeping = config;
    addOnce(op.legal, std::move(config));
    auto *conv2d = std::get_if<Conv2dConfig>(&keeping.specific);
    if (!conv2d || problem.signature(id).attribute("conv2d_config.deallocate_activation"))
      return;
    conv2d->deallocateActivation = false;
    addOnce(op.legal, std::move(keeping));
  }

  Problem &problem;
  OpId id;
  tessera::Op &op;
  const WantedResults &all;
  unsigned number;    ///< of the result that is looked at first
  LayoutWords wanted; ///< of that one
  const OpCostTable &model;
  const AnalysisOptions &options;
  BaseSearch bases;
};

} // namespace

/// Searches among the op's configurations as one that the model knows, whatever it says to the declared one.
template <class Search>
static auto asDecided(BuiltProblem &built, OpId id, Search search) {
  tessera::Op &op = built.problem.ops[id.index()];
  // A fixed op has no configurations to search; as what it would be, it has.
  OpRole declared = std::exchange(op.role, decidedRole(built, id));
  auto found = search();
  if (!op.restricted)
    op.role = declared;
  return found;
}

bool tessera::restrictOp(BuiltProblem &built, OpId id, const WantedResults &wanted, const OpCostTable &model,
                         const AnalysisOptions &options) {
  if (built.problem[id].results.empty() || !isDecidable(built, id))
    return false;
  return asDecided(built, id, [&] { return Restriction(built, id, wanted, model, options).apply(); });
}

LogicalResult tessera::overrideLayouts(BuiltProblem &built, OpId id, StringRef name,
                                       const WantedResults &wanted, const OpCostTable &model,
                                       const AnalysisOptions &options) {
  Problem &problem = built.problem;
  const tessera::Op &op = problem[id];
  SmallVector<LayoutId> declared =
      llvm::map_to_vector(op.results, [&](ValueId result) { return problem[result].declared; });
  // An op that nobody may move honours the override if it lies so already.
  bool keepsThem = op.role == OpRole::Fixed && areWanted(problem, wanted, declared);
  if (restrictOp(built, id, wanted, model, options) || keepsThem)
    return success();
  unsigned result = wanted.begin()->first;
  std::vector<LayoutId> legal = {declared[result]};
  // Once more with nothing wanted, to name what could be had instead.
  if (isDecidable(built, id))
    legal = asDecided(built, id,
                      [&] { return Restriction(built, id, {{result, {}}}, model, options).legalLayouts(); });
  InFlightDiagnostic error = built.binding.ops[id.index()]->emitError()
                             << "override-output-layout: '" << name;
  if (op.results.size() > 1 && !name.contains('#'))
    error << "#" << result;
  return error << "' cannot produce this layout"
               << (wanted.size() > 1 ? " together with those of its other results" : "")
               << "; legal: " << listLayouts(problem, legal);
}
