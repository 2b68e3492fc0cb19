//===- CallMaker.cpp - Calls as models and the search make them -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A draft (Drafts.h) says what is called. Where its activations lie is drawn from
// what the search would try: layouts of LegalTensorLayouts for the result, the
// operands as forEachPlausibleInputs() has them, configurations of
// enumerateOpConfigs(). A share lies anywhere, since conversions and branches put
// operands in places that no search has chosen for this op.
//
//===----------------------------------------------------------------------===//
#include "Drafts.h"

#include "tessera/Evaluation/Harvest.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/Optimizer/Problem/LegalTensorLayouts.h"
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"

#include "llvm/Support/xxhash.h"

#include <cmath>

namespace tessera {
namespace evaluation {
namespace {

/// An activation: Drafts.h.
bool moves(const TensorLayout &layout) { return layout.isL1() && layout.isInterleaved(); }

class CallMaker {
public:
  CallMaker(const DeviceSpec &device, BackendVersion backend, Draw &draw)
      : device(device), backend(backend), draw(draw) {}

  KernelQuery make(const DraftedOp &op) {
    TextQuery text =
        llvm::cantFail(parseQueryText(("ttnn." + op.name + " " + op.draft(draw)).str(), pool, device));
    KernelQuery query{device, std::move(text.signature), {}, {}, {}, backend};
    for (LayoutId id : text.inputs)
      query.inputs.push_back(pool[id]);
    placeResults(query, text.config.outputs, op.statesResult);
    placeOperands(query);
    chooseConfig(query);
    return query;
  }

private:
  // ---- Layouts --------------------------------------------------------------------------------------------

  /// One of the layouts that the search has for the tensor, more often than not one on many cores.
  TensorLayout anywhere(const TensorDesc &tensor, PageLayout page) {
    LayoutSpace space = enumerateLayouts(tensor, page, device, pool);
    if (space.interleaved.empty())
      return dramInterleaved(tensor, page);
    if (space.sharded.empty() || draw.chance(30))
      return pool[draw.of(llvm::ArrayRef(space.interleaved))];
    constexpr size_t kKept = 8; // AnalysisOptions::maxLegalLayouts
    size_t among = draw.chance(60) ? std::min(kKept, space.sharded.size()) : space.sharded.size();
    return pool[space.sharded[draw.below(among)]];
  }

  TensorLayout placedLike(const TensorLayout &other, const TensorDesc &tensor, PageLayout page) const {
    if (other.isSharded() && other.isL1())
      return l1Sharded(tensor, *other.memory, other.grid, device.workerGrid, page);
    return other.isL1() ? l1Interleaved(tensor, device.workerGrid, page) : dramInterleaved(tensor, page);
  }

  /// The first result anywhere, others like it; or all as the backend chooses.
  void placeResults(KernelQuery &query, llvm::ArrayRef<LayoutId> drafted, bool stated) {
    // An op without a result to place has its lead from an operand.
    bool free = drafted.empty() || !drafted.front().valid();
    if (free || !moves(pool[drafted.front()])) {
      lead = query.inputs.empty() ? TensorLayout() : leadOfOperands(query);
      return;
    }
    // Results decide and operands follow, as in the search: it asks which inputs go with a result.
    lead = anywhere(query.signature.results.front(), pool[drafted.front()].page);
    // Left to the backend, whose choice is a question of its own.
    if (!stated && draw.chance(25))
      return;
    for (auto [tensor, id] : llvm::zip(query.signature.results, drafted))
      query.outputs.push_back(query.outputs.empty() ? lead : placedLike(lead, tensor, pool[id].page));
  }

  TensorLayout leadOfOperands(const KernelQuery &query) {
    for (auto [operand, layout] : llvm::zip(query.signature.operands, query.inputs))
      if (moves(layout))
        return anywhere(operand.tensor, layout.page);
    return dramInterleaved(query.signature.operands.front().tensor);
  }

  /// How the operands lie, in relation to the lead.
  void placeOperands(KernelQuery &query) {
    // Of ten calls two read all from DRAM, one all from L1, three what lies like the lead, two the first operand like
    // the lead and the others from DRAM, and two anything.
    size_t way = draw.below(10), index = 0;
    for (auto [operand, layout] : llvm::zip(query.signature.operands, query.inputs)) {
      if (!moves(layout))
        continue;
      bool first = index++ == 0;
      if (way < 2)
        layout = dramInterleaved(operand.tensor, layout.page);
      else if (way < 3)
        layout = l1Interleaved(operand.tensor, device.workerGrid, layout.page);
      else if (way < 6 || (way < 8 && first))
        layout = placedLike(lead, operand.tensor, layout.page);
      else if (way < 8)
        layout = dramInterleaved(operand.tensor, layout.page);
      else
        layout = anywhere(operand.tensor, layout.page);
    }
  }

  // ---- Configurations -------------------------------------------------------------------------------------

  void chooseConfig(KernelQuery &query) {
    if (query.outputs.empty())
      return;
    std::vector<OpSpecificConfig> configs = enumerateOpConfigs(query.signature, query.outputs.front(), {},
                                                               Conv2dSearchSpace(), device.workerGrid);
    if (!configs.empty())
      query.specific = draw.of(llvm::ArrayRef(configs));
  }

  const DeviceSpec &device;
  BackendVersion backend;
  Draw &draw;
  LayoutPool pool;
  TensorLayout lead; ///< what the other tensors lie like
};

std::vector<DraftedOp> allDrafts() {
  std::vector<DraftedOp> all;
  for (auto drafts :
       {matmulDrafts, eltwiseDrafts, movementDrafts, windowDrafts, attentionDrafts, reductionDrafts})
    llvm::append_range(all, drafts());
  return all;
}

bool isWanted(const HarvestOptions &options, llvm::StringRef op) {
  return options.ops.empty() || llvm::any_of(options.ops, [&](llvm::StringRef wanted) {
           wanted.consume_front("ttnn.");
           return wanted == op;
         });
}

} // namespace
} // namespace evaluation

std::vector<llvm::StringRef> harvestedOps() {
  std::vector<llvm::StringRef> names;
  for (const evaluation::DraftedOp &op : evaluation::allDrafts())
    names.push_back(op.name);
  llvm::sort(names);
  return names;
}

std::vector<NamedCall> makeCalls(const HarvestOptions &options) {
  std::vector<NamedCall> calls;
  for (const evaluation::DraftedOp &op : evaluation::allDrafts()) {
    if (!evaluation::isWanted(options, op.name))
      continue;
    // Each op has a stream of its own, so that another op's calls change none of its.
    evaluation::Draw draw(options.seed ^ llvm::xxh3_64bits(op.name));
    size_t count = std::ceil(op.calls * options.scale);
    for (size_t i = 0; i < count; ++i) {
      std::string id = options.device.name + "/" + std::to_string(options.seed) + "/" + op.name.str() + "#" +
                       std::to_string(i);
      calls.push_back({std::move(id), evaluation::CallMaker(options.device, options.backend, draw).make(op)});
    }
  }
  return calls;
}

} // namespace tessera
