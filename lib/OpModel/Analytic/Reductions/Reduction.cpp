//===- Reduction.cpp - sum, max, product ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A reduction over width keeps two operand tiles, two tiles of scaler and two
// result tiles; over height one tile of scaler (facts/formulas 5).
// Several dimensions are reduced one after the other, width first.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Eltwise/EltwiseTypes.h"
#include "../Family.h"
#include "../Kernels.h"
#include "../Movement/Reshape.h"
#include "../Movement/RowPrograms.h"
#include "../Runtime.h"
#include "../Shards.h"
#include "../Windows/PoolShards.h"
#include "Norm.h"
#include "ReductionSteps.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Plain, Minimum, Product, GlobalPool };

/// The dimensions to reduce; all of them if the op does not say. A global pool of [N, H, W, C] reduces H and
/// W.
llvm::SmallVector<int64_t, 4> reducedDims(const OpCall &call) {
  llvm::SmallVector<int64_t, 4> dims;
  if (call.row.variant == GlobalPool)
    return {-3, -2};
  // The dialect spells it both ways, as one number or as a list; an empty list means all dimensions.
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

/// Which kernels a reduction needs: width and height lie within tiles and have one each, all outer dimensions
/// together are another.
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

/// Averages of whole images, which since 2026 are reduced as rows of pixels.
bool averagesWholeImages(const OpCall &call) {
  return call.row.variant == GlobalPool && call.context.version >= BackendVersion::Newest;
}

bool reducibleType(const OpCall &call) {
  DataType dtype = call.in[0].dtype();
  bool newest = call.context.version >= BackendVersion::Newest, averages = call.row.name == "ttnn.mean";
  if (averagesWholeImages(call)) // of block floats it makes bf16
    return dtype == DataType::BFloat16 || dtype == DataType::Float32;
  if (newest && (dtype == DataType::Int32 || dtype == DataType::UInt32))
    return !averages;
  return dtype == DataType::BFloat16 || dtype == DataType::Float32 || dtype == DataType::BFP_BFloat8 ||
         dtype == DataType::UInt32;
}

/// Since 2026 sum, mean, max and min run as ReductionSteps.cpp says.
bool runsInSteps(const OpCall &call) {
  return answersAsNewest(call) && call.row.variant != GlobalPool && call.row.variant != Product;
}
ReductionSteps stepsOf(const OpCall &call, MemoryUse &use) {
  // Since October 2026 only block floats and u32 are negated for the least of them, and si32 never was since 2026 (asked of ttnn
  // 0.77.0 and 0.81.1).
  DataType dtype = call.in[0].dtype();
  bool unsignedNumbers = dtype == DataType::UInt32;
  bool keepsSign =
      dtype == DataType::Int32 || (answersAsOctober2026(call) && !isBlockFloat(dtype) && !unsignedNumbers);
  bool negates = call.row.variant == Minimum && !keepsSign;
  return reductionSteps(call, reducedDims(call), negates, use);
}
ReductionSteps stepsOf(const OpCall &call) {
  // Rules and results follow from the steps, too, but not from their buffers.
  MemoryUse unasked;
  return stepsOf(call, unasked);
}

bool takesRows(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool interleaved = in.onDevice() && !in.sharded() && !(call.asked(0) && out.sharded());
  return runsInSteps(call) && in.rowMajor() && interleaved;
}

bool tiledOrRows(const OpCall &call) {
  return averagesWholeImages(call) || allOperandsTiled(call) || takesRows(call);
}

bool padsShards(const OpCall &call) { return !runsInSteps(call) || stepsOf(call).padsShards; }
bool fitsShards(const OpCall &call) { return !runsInSteps(call) || stepsOf(call).fitsShards; }

bool stepsHoldFlatResult(const OpCall &call) {
  if (!runsInSteps(call))
    return true;
  std::optional<TensorLayout> made = stepsOf(call).result;
  if (!made && call.out[0].decided())
    made = *call.out[0].layout;
  return !made || holdsFlatResult(call, *made);
}

/// What the last step makes, where the steps say it: a request for something else is corrected to that.
void reductionOutputs(OpCall &call) {
  if (averagesWholeImages(call))
    return wholeImagesOutput(call);
  const TensorRef &out = call.out[0];
  if (runsInSteps(call)) {
    if (std::optional<TensorLayout> made = stepsOf(call).result)
      return call.setOutput(0, *made);
    if (out.decided() && isOneHeightShard(*out.layout))
      return call.setOutput(0, asWidthShard(*out.layout, *out.desc, call.device().workerGrid));
  }
  outputsLikeOperand0(call);
}

constexpr RuleInfo kShardedOut = {"reduction.sharded_result", "a sharded result needs a sharded operand",
                                  "facts/formulas 5, 14"};

constexpr Rule kRules[] = {
    {{"reduction.dim_in_range", "the reduced dimensions must exist", "facts/formulas 5"}, dimsInRange},
    {{"reduction.tiled",
      "reductions need a tiled operand, but for averages of whole images and for rows that lie interleaved "
      "as "
      "the result does (since 2026)",
      "facts/hardware 4.4; asked of ttnn 0.77.0 and 0.81.1 (generic_reductions.cpp)"},
     tiledOrRows},
    {{"reduction.data_type",
      "reductions take bf16, f32, bfp_bf8 or u32; since 2026 sum, max and min also si32, mean no "
      "integers, and averages of whole images bf16 and f32 alone",
      "facts/hardware 4.4; asked of ttnn 0.77.0 and 0.81.1 (reduce_op_device_operation.cpp)"},
     reducibleType},
    {{"reduction.pads_shards",
      "shards of several matrices must be whole tiles, since padding is filled in one matrix only",
      "facts/vendor-library 4"},
     padsShards},
    {{"reduction.fits_shards",
      "an outer dimension is reduced in the shards of the result (of the operand if none are asked for), "
      "which must hold the tensor with that dimension as its height",
      "facts/vendor-library 4"},
     fitsShards},
    {{"reduction.flat_result",
      "shards of a result of one dimension must be as wide as it is with padding, if it has any",
      "asked of ttnn 0.81.1 (tensor_ops.cpp)"},
     stepsHoldFlatResult},
};

bool padsProductShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool padded = in.height % 32 != 0 || in.width % 32 != 0;
  return !answersAsNewest(call) || !in.sharded() || !padded || in.batch == 1;
}

/// Four bits are multiplied where no dimension is named.
bool productType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  if (!answersAsNewest(call))
    return true;
  return !isWhole(type) && (type != DataType::BFP_BFloat4 || !call.op().attribute("dim_arg"));
}
/// A result that is left open is made like the operand.
bool productInterleaved(const OpCall &call) {
  bool follows = !call.asked(0) && call.in[0].sharded();
  return !answersAsNewest(call) || (outputsInterleaved(call) && !follows);
}

/// A product of all elements, which a tensor of one dimension has no other than.
bool wholeProductInterleaved(const OpCall &call) {
  bool all = reducedDims(call).size() == call.in[0].rank();
  return !answersAsNewest(call) || !all || !call.in[0].sharded();
}

constexpr Rule kProductRules[] = {
    {{"reduction.tiled", "reductions need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"reduction.dim_in_range", "the reduced dimensions must exist", "facts/formulas 5"}, dimsInRange},
    {kShardedOut, noShardedOutputFromInterleaved},
    {{"product.type", "a product takes no integers, and bfp_bf4 over all dimensions only (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (prod_nc_device_operation.cpp)"},
     productType},
    {{"product.whole_interleaved", "a product of all elements takes an interleaved operand (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (prod_all_device_operation.cpp)"},
     wholeProductInterleaved},
    {{"product.pads_shards",
      "shards of several matrices must be whole tiles (since 2026), since padding is filled in one matrix "
      "only",
      "asked of ttnn 0.81.1 (fill_pad_program_factory.cpp)"},
     padsProductShards},
    {{"product.result_interleaved",
      "the result must be interleaved, and is not of itself if the operand is sharded (since 2026)",
      "asked of ttnn 0.81.1 (tensor_spec.cpp)"},
     productInterleaved},
};

void memory(const OpCall &call, MemoryUse &use) {
  if (averagesWholeImages(call))
    return wholeImagesMemory(call, use);
  if (runsInSteps(call)) {
    stepsOf(call, use);
    return;
  }
  const TensorRef &in = call.in[0], &out = call.out[0];
  ReducedAxes axes = reducedAxes(call);
  auto step = [&](llvm::StringRef program, int64_t scalers) {
    use.program(program);
    use.buffer("operand", 2, in.tile);
    use.buffer("scaler", scalers, kScalerTile);
    use.buffer("result", 2, out.tile);
  };
  if (axes.outer) {
    // Until 2026 an outer dimension became the height by a swap, and was reduced there.
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
  // The negated operand lives beside the maximum and what comes of that.
  use.tensors(call.perCore(in) + 2 * call.perCore(out));
}

constexpr int64_t kConvertedTile = 2048; ///< of block floats as bf16

/// Bytes per core of interleaved tiles in L1.
int64_t tilesInL1(const OpCall &call, const Shape &shape, DataType type) {
  return call.perCoreInterleaved(makeTensorRef(TensorDesc{shape, type}, nullptr));
}

/// Block floats become bf16 and back where elements of a tile are touched one by one.
void convertBlockFloats(const OpCall &call, MemoryUse &use) {
  use.program("convert");
  use.buffer("tiles in", 2, call.in[0].tile);
  use.buffer("tiles out", 2, kConvertedTile);
}

/// Elements beyond the shape become ones, a tile at a time.
/// A product of padding that is left as nought would be nought. Block floats are filled as bf16 and stay beside the operand to the end.
void fillProductPadding(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t masks = (in.height % 32 != 0) + (in.width % 32 != 0);
  use.program("fill padding");
  use.buffer("operand and result", masks > 0 ? 4 : 0, rowTileOf(in));
  use.buffer("masks", masks, rowTileOf(in));
  if (masks == 0 || !isBlockFloat(in.dtype()))
    return;
  convertBlockFloats(call, use);
  auto bytes = [&](DataType type) {
    int64_t tile = tileBytes(type).value();
    return !in.l1()       ? 0
           : in.sharded() ? in.shardTiles().volume() * tile
                          : tilesInL1(call, in.desc->shape, type);
  };
  MemoryUse::Made wide = use.make(bytes(DataType::BFloat16));
  use.make(bytes(in.dtype()));
  use.free(wide);
}

/// A product of all elements is one tile of the row of tiles that one core writes. The host takes that row, and a tensor of one element
/// comes back before the row goes (asked of ttnn 0.77.0 and 0.81.1).
void productOfAll(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  constexpr int64_t rowOfTiles = 32 * 32, f32Tile = 4096;
  fillProductPadding(call, use);
  use.program("product");
  use.buffer("operand", 2, in.tile);
  use.buffer("result", 2, isBlockFloat(in.dtype()) ? f32Tile : in.tile);
  if (!out.l1())
    return;
  // Of block floats both are f32, and converted in the end.
  bool blockFloat = isBlockFloat(in.dtype());
  MemoryUse::Made row =
      use.make(tilesInL1(call, {32, rowOfTiles}, blockFloat ? DataType::Float32 : in.dtype()));
  use.make(blockFloat ? f32Tile : 0);
  use.free(blockFloat ? row : std::nullopt);
}

/// The dimension goes to the front, or back from there: a permutation, of block floats between two conversions. What these make is
/// returned unless it is the op's result.
MemoryUse::Made turnProduct(const OpCall &call, const Shape &from, bool fromL1, const Shape &to,
                            bool isResult, MemoryUse &use) {
  bool l1 = call.out[0].l1();
  DataType type = call.in[0].dtype();
  auto bytes = [&](const Shape &shape, DataType as) { return tilesInL1(call, shape, as); };
  if (!isBlockFloat(type))
    return use.make(l1 && !isResult ? bytes(to, type) : 0);
  MemoryUse::Made wide = use.make(fromL1 ? bytes(from, DataType::BFloat16) : 0);
  MemoryUse::Made turned = use.make(l1 ? bytes(to, DataType::BFloat16) : 0);
  if (isResult) // made beside both
    return std::nullopt;
  MemoryUse::Made narrow = use.make(l1 ? bytes(to, type) : 0);
  use.free(wide);
  use.free(turned);
  return narrow;
}

/// Of one dimension, by programs that need more than the product itself: the permutations, and a reshape where the dimension is left out.
void productPrograms(const OpCall &call, bool width, bool turned, bool reshapes, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool blockFloat = isBlockFloat(in.dtype());
  int64_t tile = rowTileOf(in);
  constexpr int64_t tileRows = 32, sides = 2, pieceBytes = 16; // a row of a tile's face
  use.program("product");
  use.buffer("operand, intermediate and result", 4, in.tile);
  if (turned && blockFloat)
    convertBlockFloats(call, use);
  if (turned && width) {
    use.program("turn");
    use.buffer("tiles in and out", 4, tile);
    use.buffer("piece of a row", 1, tile / (tileRows * sides));
  }
  if (!reshapes)
    return;
  use.program("reshape");
  use.buffer("pieces", std::min(tileRows, out.height) * (width ? std::min(tileRows, out.width) : sides),
             pieceBytes);
  use.buffer("operand", 1, tile);
  use.scratchpad(call, "result", 1, tile);
  int64_t masks = (out.height % 32 != 0) + (out.width % 32 != 0);
  if (!blockFloat || masks == 0)
    return;
  use.program("fill padding");
  use.buffer("operand, result and masks", 4 + masks, tile);
}

/// Since 2026 outer dimensions of up to four are multiplied where they lie. Height and width go to the front first: the others keep their
/// order, and go back behind it by one permutation, of columns by two (asked of ttnn 0.77.0 and 0.81.1).
void productSteps(const OpCall &call, size_t dim, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool width = dim + 1 == in.rank(), turned = dim + 2 >= in.rank();
  // A row of its own is one without the dimension as well.
  bool reshapes = turned && out.rank() != in.rank() && (width || out.height != 1);
  fillProductPadding(call, use);
  productPrograms(call, width, turned, reshapes, use);
  if (!turned)
    return;

  Shape kept(in.desc->shape), front(in.desc->shape);
  kept[dim] = 1;
  front.erase(front.begin() + ptrdiff_t(dim));
  front.insert(front.begin(), 4 - in.rank(), 1);
  front.insert(front.begin(), in.desc->shape[dim]);
  Shape product(front);
  product[0] = 1;
  // In the order in which they live: the operand with the dimension in front, what is multiplied, what goes back.
  turnProduct(call, in.desc->shape, in.l1(), front, false, use);
  if (!out.l1())
    return;
  MemoryUse::Made multiplied = use.make(tilesInL1(call, product, in.dtype()));
  MemoryUse::Made between = turnProduct(call, product, true, kept, !width && !reshapes, use);
  if (!reshapes)
    return;
  // What is reshaped is made before those two go.
  use.make(width ? tilesInL1(call, kept, in.dtype()) : 0);
  use.free(multiplied);
  use.free(width ? between : std::nullopt);
}

void productMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  llvm::SmallVector<int64_t, 4> dims = reducedDims(call);
  if (answersAsNewest(call) && dims.size() == 1 && in.rank() >= 2 && in.rank() <= 4)
    return productSteps(call, normalizedDim(dims.front(), in.rank()), use);
  if (answersAsNewest(call) && dims.size() == in.rank())
    return productOfAll(call, use);
  // Older backends, and several dimensions but not all.
  use.buffer("operand, intermediate and result", 6, in.tile);
  if (!out.l1())
    return use.tensors(0);
  // The operand with the reduced dimension first, and two copies of the reduced row.
  TensorDesc permuted = *in.desc;
  if (permuted.shape.size() < 4)
    // The kernel knows four dimensions.
    permuted.shape.insert(permuted.shape.begin(), 4 - permuted.shape.size(), 1);
  std::swap(permuted.shape[0], permuted.shape[permuted.shape.size() - 2]);
  use.tensors(call.perCoreInterleaved(makeTensorRef(permuted, nullptr)) + 2 * call.perCore(out));
}

constexpr PathCost kReduceTiles = {P::ReduceTile, P::ReduceMove, P::ReduceMove};

/// Tiles that the busiest core goes through: one output tile needs all its operand tiles on one core, dimension after dimension.
int64_t reducedTiles(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (runsInSteps(call))
    return stepsOf(call).tilesOfCore;
  llvm::SmallVector<int64_t, 4> dims = reducedDims(call);
  bool product = answersAsNewest(call) && call.row.variant == Product;
  // One core multiplies all elements. A single dimension is in front, so that the others have the places.
  if (product && dims.size() == in.rank())
    return in.tiles();
  if (product && dims.size() == 1) {
    TensorDesc others = *in.desc;
    others.shape.erase(others.shape.begin() + ptrdiff_t(normalizedDim(dims.front(), in.rank())));
    return ceilDiv(makeTensorRef(others, nullptr).tiles(), call.cores()) * in.dim(dims.front());
  }
  // 64 x 1024 reduced to 64 x 1 has 64 tiles in and 2 out: 32 operand tiles for each, and two cores that are busy.
  return ceilDiv(out.tiles(), call.cores()) * std::max<int64_t>(1, in.tiles() / out.tiles());
}

/// An outer dimension that is reduced as the height is brought there and back, line by line: block floats as bf16.
OpRuntime swapsTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  OpRuntime time;
  const TensorLayout *layout = in.layout;
  const ReductionSteps steps = stepsOf(call);
  for (const auto &[before, after] : steps.swaps) {
    // From the second on all lies where the result does.
    TensorDesc from{before, in.dtype()}, to{after, in.dtype()};
    TensorRef source = makeTensorRef(from, layout), target = makeTensorRef(to, out.layout);
    addTime(time, permuteLinesTime(call, source, target));
    if (isBlockFloat(in.dtype())) {
      addTime(time, castTime(call, source, in.tile, rowTileOf(in)));
      addTime(time, castTime(call, target, rowTileOf(in), in.tile));
    }
    layout = out.layout;
  }
  return time;
}

/// Dimensions that are not kept are reshaped away, which is a view where the last two stay.
OpRuntime dropTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (call.op().boolean("keep_dim", true))
    return OpRuntime();
  TensorDesc desc = *in.desc;
  for (int64_t dim : reducedDims(call))
    desc.shape[normalizedDim(dim, in.rank())] = 1;
  TensorRef kept = makeTensorRef(desc, out.layout);
  return kept.width == out.width && kept.height == out.height ? OpRuntime()
                                                              : reshapeTilesTime(call, kept, out);
}

OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Work work = streamWork(call, reducedTiles(call), kReduceTiles);
  // Only what moves goes by bytes: adding up takes a tile as long whatever its type.
  work.noc *= byteFactor(*call.parameters, in.tile);
  ReducedAxes axes = reducedAxes(call);
  // A swap before and one after an outer dimension, and a negation on each side of a maximum that stands for a
  // minimum.
  // In steps swaps have a time of their own.
  work.programs = int(axes.width) + int(axes.height || axes.outer) +
                  (axes.outer && !runsInSteps(call) ? 2 : 0) + (call.row.variant == Minimum ? 2 : 0);
  work.programs = std::max(1, work.programs);
  OpRuntime time = timeOf(call, work);
  // Since 2026 padding is filled first, whatever is reduced, but for averages of whole images.
  if (answersAsNewest(call) && call.row.variant != GlobalPool && in.tiled()) {
    addTime(time, fillTime(call, in));
    addTime(time, dropTime(call));
  }
  if (axes.outer && runsInSteps(call))
    addTime(time, swapsTime(call));
  // No row of evidence has rows reduced: as if they were tilized before.
  if (in.rowMajor() && runsInSteps(call))
    addTime(time, tilizePlane(call, planeOf(in), call.out[0].dram()));
  return time;
}

// Outer dimensions and whole images are in no golden, nor are shards.
bool reductionConfirmed(const OpCall &call) {
  return everythingInterleaved(call) && call.in[0].tiled() && !reducedAxes(call).outer &&
         call.row.variant != GlobalPool;
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kReduction = {"reduction", kOperands,          kRules,        reductionOutputs, memory,
                           runtime,     reductionConfirmed, countReduction};
const Family kProduct = {"product",     kOperands, kProductRules,        outputsLikeOperand0,
                         productMemory, runtime,   everythingInterleaved};

const OpRow kRows[] = {
    {"ttnn.global_avg_pool2d", &kReduction, 1, 1, 1, 0, GlobalPool},
    {"ttnn.max", &kReduction, 1, 1},
    {"ttnn.mean", &kReduction, 1, 1},
    {"ttnn.min", &kReduction, 1, 1, 1, 0, Minimum},
    {"ttnn.prod", &kProduct, 1, 1, 1, 0, Product},
    {"ttnn.sum", &kReduction, 1, 1},
};

} // namespace

Rows reductionRows() { return kRows; }

/// For counting: nullopt of what does not run in steps, and of a minimum, whose negations the counts leave to the
/// formula.
std::optional<ReductionSteps> stepsOfReduction(const OpCall &call) {
  if (!runsInSteps(call) || call.row.variant == Minimum)
    return std::nullopt;
  return stepsOf(call);
}

} // namespace tessera::analytic
