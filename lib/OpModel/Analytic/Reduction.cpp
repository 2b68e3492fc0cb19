//===- Reduction.cpp - sum, max, argmax, cumsum, sort --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A reduction over width keeps two operand tiles, two tiles of scaler and two
// result tiles; over height one tile of scaler (facts/formulas 5).
// Several dimensions are reduced one after the other, width first.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "ReductionSteps.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

constexpr int64_t kScalerTile = 2048; ///< the scaler is bf16 whatever the operand is

enum Variant : unsigned { Plain, Minimum, Product, GlobalPool };

/// The dimensions to reduce; all of them if the op does not say. A global pool of [N, H, W, C] reduces H and
/// W.
llvm::SmallVector<int64_t, 4> reducedDims(const OpCall &call) {
  llvm::SmallVector<int64_t, 4> dims;
  if (call.row.variant == GlobalPool)
    return {-3, -2};
  for (llvm::StringRef name : {"dim_arg", "dim"}) {
    const AttrValue *value = call.op().attribute(name);
    if (!value)
      continue;
    if (const auto *one = std::get_if<int64_t>(value))
      dims.push_back(*one);
    dims.append(call.op().integers(name).begin(), call.op().integers(name).end());
    if (!dims.empty())
      return dims;
  }
  for (size_t i = 0; i < call.in[0].rank(); ++i)
    dims.push_back(int64_t(i));
  return dims;
}

struct ReducedAxes {
  bool width = false, height = false, outer = false;
};

ReducedAxes reducedAxes(const OpCall &call) {
  ReducedAxes axes;
  size_t rank = call.in[0].rank();
  for (int64_t dim : reducedDims(call)) {
    size_t d = normalizedDim(dim, rank);
    axes.width |= d + 1 == rank;
    axes.height |= d + 2 == rank;
    axes.outer |= d + 2 < rank;
  }
  return axes;
}

bool dimsInRange(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return llvm::all_of(reducedDims(call), [&](int64_t dim) { return normalizedDim(dim, rank) < rank; });
}

bool reducibleType(const OpCall &call) {
  DataType dtype = call.in[0].dtype();
  return dtype == DataType::BFloat16 || dtype == DataType::Float32 || dtype == DataType::BFP_BFloat8 ||
         dtype == DataType::UInt32;
}

/// Since 2026 sum, mean, max and min run as ReductionSteps.cpp says.
bool runsInSteps(const OpCall &call) {
  return call.context.version >= BackendVersion::Newest && call.row.variant != GlobalPool;
}
ReductionSteps stepsOf(const OpCall &call, MemoryUse *use = nullptr) {
  return reductionSteps(call, reducedDims(call), call.row.variant == Minimum, use);
}

bool padsShards(const OpCall &call) { return !runsInSteps(call) || stepsOf(call).padsShards; }
bool fitsShards(const OpCall &call) { return !runsInSteps(call) || stepsOf(call).fitsShards; }

void reductionOutputs(OpCall &call) {
  if (runsInSteps(call) && !call.out[0].decided())
    if (std::optional<TensorLayout> made = stepsOf(call).result)
      return call.setOutput(0, *made);
  outputsLikeOperand0(call);
}

constexpr RuleInfo kShardedOut = {"reduction.sharded_result", "a sharded result needs a sharded operand",
                                  "facts/formulas 5, 14"};

constexpr Rule kRules[] = {
    {{"reduction.tiled", "reductions need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"reduction.data_type", "reductions take bf16, f32, bfp_bf8 or u32", "facts/hardware 4.4"},
     reducibleType},
    {{"reduction.dim_in_range", "the reduced dimensions must exist", "facts/formulas 5"}, dimsInRange},
    {{"reduction.pads_shards",
      "shards of several matrices must be whole tiles, since padding is filled in one matrix only",
      "facts/vendor-library 4b"},
     padsShards},
    {{"reduction.fits_shards",
      "an outer dimension is reduced in the shards of the result (of the operand if none are asked for), "
      "which must hold the "
      "tensor with that dimension as its height",
      "facts/vendor-library 4b"},
     fitsShards},
};
constexpr Rule kProductRules[] = {
    {{"reduction.tiled", "reductions need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"reduction.dim_in_range", "the reduced dimensions must exist", "facts/formulas 5"}, dimsInRange},
    {kShardedOut, noShardedOutputFromInterleaved},
};

void memory(const OpCall &call, MemoryUse &use) {
  if (runsInSteps(call))
    return use.tensors(stepsOf(call, &use).tensorPeak);
  const TensorRef &in = call.in[0], &out = call.out[0];
  ReducedAxes axes = reducedAxes(call);
  auto step = [&](llvm::StringRef program, int64_t scalers) {
    use.program(program);
    use.buffer("operand", 2, in.tile);
    use.buffer("scaler", scalers, kScalerTile);
    use.buffer("result", 2, out.tile);
  };
  if (axes.outer) {
    use.program("transpose");
    use.buffer("operand and result", 4, in.tile);
  }
  if (axes.width)
    step("reduce width", 2);
  if (axes.height || axes.outer)
    step("reduce height", 1);
  if (call.row.variant != Minimum)
    return;
  // min = -max(-x)
  use.program("negate");
  use.buffer("operand and result", 4, in.tile);
  use.tensors(call.perCore(in) + 2 * call.perCore(out));
}

void productMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  use.buffer("operand, intermediate and result", 6, in.tile);
  if (!out.l1())
    return use.tensors(0);
  // The operand with the reduced dimension first, and two copies of the reduced row.
  TensorDesc permuted = *in.desc;
  if (permuted.shape.size() < 4)
    permuted.shape.insert(permuted.shape.begin(), 4 - permuted.shape.size(), 1);
  std::swap(permuted.shape[0], permuted.shape[permuted.shape.size() - 2]);
  use.tensors(call.perCoreInterleaved(makeTensorRef(permuted, nullptr)) + 2 * call.perCore(out));
}

constexpr PathCost kReduceTiles = {P::ReduceTile, P::ReduceMove, P::ReduceMove};

/// Cores that share the work: one output tile needs all its operand tiles on one core.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t perOutput = std::max<int64_t>(1, in.tiles() / std::max<int64_t>(1, out.tiles()));
  int64_t tiles = ceilDiv(out.tiles(), call.cores()) * perOutput;
  Work work = streamWork(call, tiles, kReduceTiles);
  work.noc *= byteFactor(*call.parameters, in.tile);
  ReducedAxes axes = reducedAxes(call);
  work.programs = int(axes.width) + int(axes.height || axes.outer) + (axes.outer ? 2 : 0) +
                  (call.row.variant == Minimum ? 2 : 0);
  work.programs = std::max(1, work.programs);
  return timeOf(call, work);
}

// ---- argmax ---------------------------------------------------------------------------------------------

bool rowMajorOperand(const OpCall &call) { return call.in[0].rowMajor(); }

bool overWidth(const OpCall &call) {
  if (!call.op().attribute("dim"))
    return true;
  size_t rank = call.in[0].rank();
  return normalizedDim(call.op().integer("dim", -1), rank) + 1 == rank;
}

constexpr Rule kArgmaxRules[] = {
    {{"argmax.row_major", "argmax needs a row-major operand", "facts/hardware 4.4, facts/ir 4.6"},
     rowMajorOperand},
    {{"argmax.interleaved", "argmax takes interleaved tensors only", "facts/hardware 4.4"},
     everythingInterleaved},
    {{"argmax.over_width", "argmax works over the last dimension or all of them", "facts/formulas 5"},
     overWidth},
};

void argmaxMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  constexpr int64_t indexBytes = 4, pageBytes = 32;
  int64_t indices = call.op().boolean("keep_dim", false) ? 1 : in.height;
  // Both are rows of a tensor; until October 2025 they were aligned like the pages of one.
  auto row = [&](int64_t bytes) {
    return call.context.version <= BackendVersion::September2025 ? alignUp(bytes, pageBytes) : bytes;
  };
  use.buffer("row", 1, row(in.rowBytes()));
  use.buffer("indices", 1, row(indices * indexBytes));
}

OpRuntime argmaxRuntime(const OpCall &call) {
  // Rows are shared out among the cores.
  Work work;
  addDramTraffic(call, work);
  work.compute =
      double(ceilDiv(call.in[0].rows(), call.cores())) * double(call.in[0].width) * call[P::ArgmaxElement];
  return timeOf(call, work);
}

// ---- cumsum, cumprod ------------------------------------------------------------------------------------
void cumulativeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  use.buffer("operand, carry and result", 16, in.tile);
  // The scanned dimension is moved to the front: [64, 1024] becomes [64, 1, 1, 1024].
  TensorDesc permuted = *in.desc;
  if (permuted.shape.size() < 4)
    permuted.shape.insert(permuted.shape.begin(), 4 - permuted.shape.size(), 1);
  size_t shift = permuted.shape.size() - in.rank();
  size_t dim = normalizedDim(call.op().integer("dim", 0), in.rank());
  if (dim < in.rank())
    std::swap(permuted.shape[0], permuted.shape[dim + shift]);
  int64_t copy = call.perCoreInterleaved(makeTensorRef(permuted, nullptr));
  int64_t front = (in.l1() ? copy : 0) + (out.l1() ? copy : 0);
  use.tensors(std::max(front, (out.l1() ? copy : 0) + call.perCore(out)));
}

constexpr Rule kCumulativeRules[] = {
    {{"cumulative.tiled", "cumulative ops need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"cumulative.sharded_result", "a sharded result needs a sharded operand", "facts/formulas 5"},
     noShardedOutputFromInterleaved},
};

/// Measured along dimension 0; two more programs permute for other dimensions.
constexpr StreamCost kScan = {P::ScanStart, P::ScanDram, P::ScanL1};

OpRuntime cumulativeRuntime(const OpCall &call) {
  OpRuntime time = streamTime(call, busiestTiles(call), kScan);
  time.dispatch += call.device().launch * 2;
  time.total += call.device().launch * 2;
  return time;
}

// ---- sort, topk -----------------------------------------------------------------------------------------
bool sortsWidth(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return normalizedDim(call.op().integer("dim", -1), rank) + 1 >= rank;
}

/// Result i as the query asks for it.
TensorRef requested(const OpCall &call, size_t i) {
  llvm::ArrayRef<LayoutId> ids = call.query.config.outputs;
  if (i >= ids.size() || !ids[i].valid())
    return call.out[i];
  return makeTensorRef(*call.out[i].desc, &call.context.layouts[ids[i]], ids[i]);
}

/// Sorting another dimension than the last ends in the operand's memory config whatever was asked for
/// (facts/formulas 2).
void sortOutputs(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i) {
    if (!sortsWidth(call) && call.out[i].decided() && !samePlacement(call.out[i], call.in[0]))
      call.out[i].layout = nullptr;
    call.followIfUndecided(i, call.in[0]);
  }
}

void sortMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  constexpr int64_t indexTile = 2048;
  bool overWidth = sortsWidth(call);
  int64_t width = overWidth ? in.tileCols : ceilDiv(in.height, 32);
  use.buffer("values", 6 + width, in.tile);
  use.buffer("indices", 6 + width, indexTile);
  use.buffer("synchronisation", 1, 1024);
  int64_t outputs = 0, sorted = 0;
  for (size_t i = 0; i < call.out.size(); ++i) {
    outputs += call.perCore(call.out[i]);
    sorted += call.perCore(requested(call, i));
  }
  // Another dimension is brought to the end and back: the results exist twice, first where they were asked
  // for.
  use.tensors(overWidth ? outputs : sorted + outputs);
}

/// Newer backends shard the results of an interleaved operand of sort (facts/formulas 16, point
/// 5), not of topk (5).
bool sortedResultInterleaved(const OpCall &call) {
  bool shards = call.row.name == "ttnn.sort" && call.context.version >= BackendVersion::Newest;
  return shards || noShardedOutputFromInterleaved(call);
}

constexpr Rule kSortRules[] = {
    {{"sort.tiled", "sort and topk need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"sort.interleaved", "sort and topk take interleaved operands only", "facts/hardware 4.4"},
     allOperandsInterleaved},
    {{"sort.sharded_result", "an interleaved operand cannot give sharded results", "facts/formulas 14"},
     sortedResultInterleaved},
};

constexpr PathCost kSortTiles = {P::SortTile, P::SortL1, P::SortDram};

OpRuntime sortRuntime(const OpCall &call) {
  // A bitonic network over each row of tiles: log2(n) * (log2(n) + 1) / 2 passes.
  const TensorRef &in = call.in[0];
  double stages = 1;
  for (int64_t size = in.width; size > 1; size = ceilDiv(size, 2))
    ++stages;
  Work work = streamWork(call, ceilDiv(in.tileRows, call.cores()) * in.tileCols, kSortTiles);
  work.compute *= stages * (stages + 1) / 2;
  return timeOf(call, work);
}

bool reductionConfirmed(const OpCall &call) {
  return everythingInterleaved(call) && !reducedAxes(call).outer && call.row.variant != GlobalPool;
}
bool scanConfirmed(const OpCall &call) {
  return everythingInterleaved(call) && call.row.name == "ttnn.moreh_cumsum";
}
bool sortConfirmed(const OpCall &call) { return outputsInterleaved(call) && call.row.name == "ttnn.sort"; }

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kReduction = {"reduction", kOperands,         kRules, reductionOutputs, memory,
                           runtime,     reductionConfirmed};
const Family kProduct = {"product",     kOperands, kProductRules,        outputsLikeOperand0,
                         productMemory, runtime,   everythingInterleaved};
const Family kArgmax = {"argmax",     kOperands,    kArgmaxRules, outputsInDramRowMajor,
                        argmaxMemory, argmaxRuntime};
const Family kCumulative = {"cumulative",     kOperands,         kCumulativeRules, outputsLikeOperand0,
                            cumulativeMemory, cumulativeRuntime, scanConfirmed};
const Family kSort = {"sort", kOperands, kSortRules, sortOutputs, sortMemory, sortRuntime, sortConfirmed};

const OpRow kRows[] = {
    {"ttnn.argmax", &kArgmax, 1, 1},
    {"ttnn.cumprod", &kCumulative, 1, 1},
    {"ttnn.cumsum", &kCumulative, 1, 1},
    {"ttnn.global_avg_pool2d", &kReduction, 1, 1, 1, 0, GlobalPool},
    {"ttnn.max", &kReduction, 1, 1},
    {"ttnn.mean", &kReduction, 1, 1},
    {"ttnn.min", &kReduction, 1, 1, 1, 0, Minimum},
    {"ttnn.moreh_cumsum", &kCumulative, 1, 1},
    {"ttnn.prod", &kProduct, 1, 1, 1, 0, Product},
    {"ttnn.sort", &kSort, 1, 1, 2},
    {"ttnn.sum", &kReduction, 1, 1},
    {"ttnn.topk", &kSort, 1, 1, 2},
};

} // namespace

Rows reductionRows() { return kRows; }

} // namespace tessera::analytic
