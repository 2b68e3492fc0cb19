//===- Match.cpp - What rows look for ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Most of these look back from a value to the ops that made it, past what changes nothing for the row that asks. How
// much may be looked through differs from row to row, and decides whether a rewrite is exact: `throughPages` and
// `throughWidening` pass what keeps every bit, `throughTypecasts` also what rounds.
//
//===----------------------------------------------------------------------===//
#include "Match.h"

#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;

namespace tessera::rewrite {

int64_t integerOf(const llvm::APInt &number, Type type) {
  const bool hasNoSign = type.isUnsignedInteger() || type.isInteger(1);
  return hasNoSign ? int64_t(number.getLimitedValue(uint64_t(std::numeric_limits<int64_t>::max())))
                   : number.getSExtValue();
}

int64_t integerOf(IntegerAttr attribute) { return integerOf(attribute.getValue(), attribute.getType()); }

RankedTensorType typeOf(mlir::Value value) { return cast<RankedTensorType>(value.getType()); }
ArrayRef<int64_t> shapeOf(mlir::Value value) { return typeOf(value).getShape(); }

/// By its type alone, so that whoever asks may remember the answer by type.
bool isPlaced(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  // Of no element there is nothing to do less of, nor an extent to divide by.
  if (!type || !type.hasStaticShape() || llvm::is_contained(type.getShape(), 0))
    return false;
  // More elements fit onto no chip; and what rewrites make of fewer, rows of parts for example, has extents that layouts can say.
  constexpr int64_t kMostElements = int64_t(1) << 32;
  if (type.getNumElements() > kMostElements)
    return false;
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type);
  return succeeded(placed) && placed->layout.onDevice();
}

bool isFloat(mlir::Value value) { return isa<FloatType>(typeOf(value).getElementType()); }

bool isBF16(mlir::Value value) {
  FailureOr<ttnn::PlacedTensor> placed = typeOf(value).getElementType().isBF16()
                                             ? ttnn::placedTensor(typeOf(value))
                                             : FailureOr<ttnn::PlacedTensor>(failure());
  return succeeded(placed) && placed->layout.dtype == DataType::BFloat16;
}

Traced operandOf(Operation *op, unsigned number) { return {op->getOperand(number), op}; }

Traced throughTypecasts(Traced traced) {
  // Casts to and from whole numbers change what an element is, not only its last bits.
  while (auto cast = traced.maker<ttnn::TypecastOp>()) {
    if (!isFloat(cast.getInput()) || !isFloat(traced.value))
      break;
    traced = traced.before();
  }
  return traced;
}

/// bf16 to f32 keeps every bit: each number of the one is a number of the other.
Traced throughWidening(Traced traced) {
  while (auto cast = traced.maker<ttnn::TypecastOp>()) {
    if (!isBF16(cast.getInput()) || !typeOf(cast.getResult()).getElementType().isF32())
      break;
    traced = traced.before();
  }
  return traced;
}

static bool showsOperand(Operation *op) {
  return isa_and_nonnull<ttnn::ReshapeOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(op);
}

/// Of views of views the tensor that they show: a write to any of them writes to it.
mlir::Value storageOf(mlir::Value value) {
  while (showsOperand(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

bool isReturned(mlir::Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() || (showsOperand(user) && isReturned(user->getResult(0)));
  });
}

/// What no interface describes, as a call, a loop over a function or an op that nobody knows, may write all that it is given. Functions of the
/// host, which have no body here, make what they give.
static bool mayWriteOperands(Operation *op) {
  if (isa<MemoryEffectOpInterface>(op))
    return false;
  auto call = dyn_cast<func::CallOp>(op);
  auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr()) : nullptr;
  return !callee || !callee.isExternal();
}

void forEachWrite(Operation *op, llvm::function_ref<void(mlir::Value)> written) {
  // What has values alone writes nothing; to ask it for its effects would look at all uses of all that it reads.
  if (op->hasTrait<ttnn::OpTrait::ValueSemantics>())
    return;
  if (mayWriteOperands(op))
    llvm::for_each(op->getOperands(), written);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      forEachWrite(&inner, written);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  llvm::SmallVector<MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  for (const MemoryEffects::EffectInstance &effect : all)
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      written(effect.getValue());
}

/// In one block. MLIR numbers all ops of a block to answer that, and anew after each insertion; most pairs are near
/// each other, and found without.
bool standsBefore(Operation *a, Operation *b) {
  // Ops to look at on either side, all at once: beyond that the numbers of a whole block are cheaper than the walk.
  constexpr unsigned kNear = 512;
  if (a == b)
    return false;
  Operation *up = a, *down = a;
  for (unsigned distance = 0; distance < kNear; ++distance) {
    // Where one way ends, it is the other one that leads to `b`.
    if (down = down->getNextNode(); !down || down == b)
      return down;
    if (up = up->getPrevNode(); !up || up == b)
      return !up;
  }
  return a->isBeforeInBlock(b);
}

/// Whether the op hands on its operand's memory where it has nothing to do, as kViews in lib/Optimizer/Problem has them, and casts to the type
/// that is there.
static bool mayHandOn(Operation *op) {
  if (!op)
    return false;
  if (showsOperand(op) || isa<ttnn::PadOp>(op))
    return true;
  if (isa<ttnn::PermuteOp, ttnn::TransposeOp>(op))
    return sameButForUnits(shapeOf(op->getOperand(0)), shapeOf(op->getResult(0)));
  return isa<ttnn::RepeatOp, ttnn::RepeatInterleaveOp, ttnn::SliceStaticOp, ttnn::SliceDynamicOp,
             ttnn::ConcatOp, ttnn::TypecastOp>(op) &&
         op->getOperand(0).getType() == op->getResult(0).getType();
}

mlir::Value memoryOf(mlir::Value value) {
  while (mayHandOn(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

// All permutes, transposes and casts, too.
static bool mayBeView(Operation *op) {
  return mayHandOn(op) || isa<ttnn::PermuteOp, ttnn::TransposeOp, ttnn::TypecastOp>(op);
}

bool isWritten(mlir::Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (mayBeView(user))
      return isWritten(user->getResult(0));
    // As in forEachWrite: what has values alone writes nothing. Tables that all layers share have very many readers.
    if (user->hasTrait<ttnn::OpTrait::ValueSemantics>())
      return false;
    llvm::SmallVector<MemoryEffects::EffectInstance> all;
    if (auto effects = dyn_cast<MemoryEffectOpInterface>(user))
      effects.getEffectsOnValue(value, all);
    return mayWriteOperands(user) || llvm::any_of(all, [](const auto &effect) {
             return isa<MemoryEffects::Write>(effect.getEffect());
           });
  });
}

/// Calls `written` with what each op from the first on, up to `end`, writes, by what it is a view of: a write to any view of a tensor is a write
/// to it. With null if an op writes what nobody knows: what a call or a loop gives may be what it was given.
static void forEachWritten(Operation *first, Operation *end, llvm::function_ref<void(mlir::Value)> written) {
  for (Operation *op = first; op && op != end; op = op->getNextNode())
    forEachWrite(op, [&](mlir::Value value) {
      mlir::Value storage = value ? memoryOf(value) : value;
      Operation *maker = storage ? storage.getDefiningOp() : nullptr;
      written(maker && mayWriteOperands(maker) ? mlir::Value() : storage);
    });
}

bool isWrittenFrom(mlir::Value value, Operation *op) {
  const mlir::Value storage = memoryOf(value);
  bool isIt = false;
  forEachWritten(op, nullptr, [&](mlir::Value written) { isIt |= !written || written == storage; });
  return isIt;
}

/// Whether what the first op makes, or one up to `end` of that, is one of the values.
static bool makesOneOf(Operation *first, Operation *end, ArrayRef<mlir::Value> values) {
  llvm::SmallDenseSet<mlir::Value> made;
  for (Operation *op = first; op && op != end; op = op->getNextNode())
    if (op == first || llvm::any_of(op->getOperands(), [&](mlir::Value read) { return made.contains(read); }))
      made.insert(op->result_begin(), op->result_end());
  return llvm::any_of(values, [&](mlir::Value value) { return made.contains(value); });
}

/// From the reader on, and not from the maker: what is written before the reader is part of what it reads now.
bool mayBeReadAt(const Traced &traced, Operation *at) {
  const mlir::Value storage = memoryOf(traced.value);
  bool isIt = false;
  llvm::SmallVector<mlir::Value>
      others; // that are made in the block, as all is that the reader's result becomes
  forEachWritten(traced.reader, at, [&](mlir::Value written) {
    isIt |= !written || written == storage;
    if (Operation *maker = written ? written.getDefiningOp() : nullptr;
        maker && maker->getBlock() == traced.reader->getBlock())
      others.push_back(written);
  });
  return !isIt && (others.empty() || !makesOneOf(traced.reader, at, others));
}

bool mayAllBeReadAt(Operation *op, Operation *at) {
  return llvm::all_of(op->getOperands(), [&](mlir::Value value) { return mayBeReadAt({value, op}, at); });
}

bool readAlike(mlir::Value value, Operation *a, Operation *b) {
  return standsBefore(b, a) ? mayBeReadAt({value, b}, a) : mayBeReadAt({value, a}, b);
}

// ---- Constants and functions ---------------------------------------------------------------------------------------------

/// What a const-eval function returns for this result: what constants are made of is looked at through the call.
mlir::Value computedBy(ttcore::LoadCachedOp load, unsigned result) {
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(load, load.getCalleeAttr());
  if (!function || !function.getBody().hasOneBlock())
    return {};
  Operation *end = function.getBody().front().getTerminator();
  return result < end->getNumOperands() ? end->getOperand(result) : mlir::Value();
}

/// Where functions stand that an op of two operands applies.
static constexpr StringLiteral kActivations[] = {"activations", "input_tensor_a_activations",
                                                 "input_tensor_b_activations"};

static ArrayRef<Attribute> functionsOf(Operation *op, StringRef list) {
  auto functions = dyn_cast_or_null<ArrayAttr>(op->getInherentAttr(list).value_or(Attribute()));
  return functions ? functions.getValue() : ArrayRef<Attribute>();
}

bool appliesActivations(Operation *op) {
  return llvm::any_of(kActivations, [&](StringRef list) { return !functionsOf(op, list).empty(); });
}

/// "" for none, nullopt for several or for one with parameters: rows only know functions by their names.
std::optional<StringRef> functionOf(Operation *op, StringRef list) {
  ArrayRef<Attribute> functions = functionsOf(op, list);
  if (functions.empty())
    return "";
  auto only = functions.size() == 1 ? dyn_cast<ttnn::UnaryWithParamAttr>(functions.front())
                                    : ttnn::UnaryWithParamAttr();
  return only && only.getParams().empty() ? std::optional(only.getOpType()) : std::nullopt;
}

bool appliesOnly(Operation *op, StringRef function, StringRef list) {
  return functionOf(op, list) == function && llvm::all_of(kActivations, [&](StringRef other) {
           return other == list || functionsOf(op, other).empty();
         });
}

std::optional<Traced> reducedAlongRows(Operation *reduction) {
  if (!isa_and_nonnull<ttnn::MeanOp, ttnn::SumOp, ttnn::MaxOp>(reduction))
    return std::nullopt;
  auto dimensions = reduction->getAttrOfType<ArrayAttr>("dim_arg");
  if (!dimensions)
    return std::nullopt;
  // Compilers list dimensions of extent 1 as well, over which nothing is reduced.
  ArrayRef<int64_t> shape = shapeOf(reduction->getOperand(0));
  int64_t rank = int64_t(shape.size());
  bool alongRows = false;
  for (int64_t dimension : integersOf(dimensions)) {
    dimension = (dimension + rank) % rank;
    if (dimension == rank - 1)
      alongRows = true;
    else if (shape[size_t(dimension)] != 1)
      return std::nullopt;
  }
  return alongRows ? std::optional(operandOf(reduction, 0)) : std::nullopt;
}

bool isForRows(mlir::Value value) { return shapeOf(value).empty() || shapeOf(value).back() == 1; }

/// `divide` counts as a product with the inverse in double precision: whoever folds several numbers rounds once, at
/// the end.
std::optional<Scaled> scaled(mlir::Value value) {
  if (auto quotient = value.getDefiningOp<ttnn::DivideOp>()) {
    std::optional<double> by = splatOf(quotient.getRhs());
    return by && *by != 0 && !appliesActivations(quotient) && shapeOf(quotient.getLhs()) == shapeOf(value)
               ? std::optional(Scaled{operandOf(quotient, 0), 1 / *by})
               : std::nullopt;
  }
  auto product = value.getDefiningOp<ttnn::MultiplyOp>();
  if (!product || appliesActivations(product))
    return std::nullopt;
  for (unsigned number : {0u, 1u})
    // The tensor has the result's shape, else the number is what is repeated.
    if (shapeOf(product->getOperand(number)) == shapeOf(value))
      if (std::optional<double> by = splatOf(product->getOperand(1 - number)))
        return Scaled{operandOf(product, number), *by};
  return std::nullopt;
}

std::optional<Traced> unnegated(mlir::Value value) {
  if (auto negation = value.getDefiningOp<ttnn::NegOp>())
    return operandOf(negation, 0);
  std::optional<Scaled> scale = scaled(value);
  return scale && scale->by == -1 ? std::optional(scale->tensor) : std::nullopt;
}

Traced throughUnits(Traced traced) {
  traced = throughTypecasts(traced);
  // Only units may move: a reshape that changes rows would make other sums and maxima of what is reduced along them.
  while (auto reshape = traced.maker<ttnn::ReshapeOp>()) {
    if (!sameButForUnits(shapeOf(reshape.getInput()), shapeOf(traced.value)))
      break;
    traced = throughTypecasts(traced.before());
  }
  return traced;
}

/// Products of numbers, in double: x * 0.5 * 3 is x times 1.5.
Scaled throughScales(Traced traced) {
  Scaled found{throughTypecasts(traced)};
  while (std::optional<Scaled> more = scaled(found.tensor.value))
    found = {throughTypecasts(more->tensor), found.by * more->by};
  return found;
}

// ---- Products and movement -------------------------------------------------------------------------------

bool fusesFunction(Operation *product) {
  Attribute config = product->getInherentAttr("matmul_program_config").value_or(Attribute());
  return config && TypeSwitch<Attribute, bool>(config)
                       .Case<ttnn::MatmulMultiCoreReuseMultiCastProgramConfigAttr,
                             ttnn::MatmulMultiCoreReuseMultiCast1DProgramConfigAttr,
                             ttnn::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr>(
                           [](auto kind) { return bool(kind.getFusedActivation()); })
                       .Default(false);
}

bool appliesFunction(Operation *product) {
  return product->getInherentAttr("activation").value_or(Attribute()) || fusesFunction(product);
}

template <class Op>
static bool isPlain(Op op) {
  return !op.getTransposeA() && !op.getTransposeB() && !appliesFunction(op);
}

/// Without transposes, bias and activation: what a row builds on then is A times B and nothing else.
std::optional<Product> plainProduct(Operation *op) {
  auto matmul = dyn_cast_or_null<ttnn::MatmulOp>(op);
  auto linear = dyn_cast_or_null<ttnn::LinearOp>(op);
  if (matmul ? isPlain(matmul) : linear && !linear.getBias() && isPlain(linear))
    return Product{operandOf(op, 0), operandOf(op, 1)};
  return std::nullopt;
}

/// Whether the op exchanges the last two dimensions, and leaves the others.
/// Compilers write it in three ways: transpose(-2, -1), permute([.., n-1, n-2]), or a reshape where one of the two
/// has extent 1.
static bool exchangesLastTwo(Operation *op) {
  if (auto transpose = dyn_cast_or_null<ttnn::TransposeOp>(op)) {
    int64_t rank = typeOf(transpose.getResult()).getRank();
    auto dimension = [&](IntegerAttr attribute) { return (integerOf(attribute) + rank) % rank; };
    int64_t a = dimension(transpose.getDim0Attr()), b = dimension(transpose.getDim1Attr());
    return std::minmax(a, b) == std::minmax(rank - 2, rank - 1);
  }
  // With one row or column only their extents change places.
  if (auto reshape = dyn_cast_or_null<ttnn::ReshapeOp>(op)) {
    ArrayRef<int64_t> from = shapeOf(reshape.getInput()), to = shapeOf(reshape.getResult());
    return from.size() >= 2 && from.size() == to.size() && from != to &&
           from.drop_back(2) == to.drop_back(2) && from.back() == to[to.size() - 2] &&
           std::min(from.back(), to.back()) == 1;
  }
  auto permute = dyn_cast_or_null<ttnn::PermuteOp>(op);
  if (!permute)
    return false;
  // Exchanged back, the order is the identity if the permute does nothing else.
  llvm::SmallVector<int64_t> order(permute.getPermutation());
  if (order.size() < 2)
    return false;
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return llvm::equal(order, llvm::seq<int64_t>(0, int64_t(order.size())));
}

/// B x H x S x D as BH x S x D, as batched products of three dimensions have it, and back.
Traced throughFolding(Traced traced) {
  auto reshape = traced.maker<ttnn::ReshapeOp>();
  if (!reshape)
    return traced;
  ArrayRef<int64_t> from = shapeOf(reshape.getInput()), to = shapeOf(traced.value);
  return from.size() >= 2 && to.size() >= 2 && from.take_back(2) == to.take_back(2) ? traced.before()
                                                                                    : traced;
}

/// The tensor whose last two dimensions are exchanged in `traced`; nullopt if none is found.
std::optional<Traced> untransposed(Traced traced) {
  ArrayRef<int64_t> shape = shapeOf(traced.value);
  Traced folded = throughFolding(traced);
  if (!exchangesLastTwo(folded.value.getDefiningOp()))
    return std::nullopt;
  Traced source = folded.before();
  llvm::SmallVector<int64_t> wanted(shape);
  std::swap(wanted[wanted.size() - 1], wanted[wanted.size() - 2]);
  // Batches may have been folded behind the transpose, before it, or on both sides.
  if (shapeOf(source.value) != ArrayRef(wanted))
    source = throughFolding(source);
  return shapeOf(source.value) == ArrayRef(wanted) ? std::optional(source) : std::nullopt;
}

/// `heads`: the dimension that counts them. Grouped attention as compilers write it repeats each head of keys for
/// its group of queries; the op wants them once.
Traced withoutRepeatedHeads(Traced traced, unsigned heads) {
  if (auto repeat = traced.maker<ttnn::RepeatInterleaveOp>())
    return integerOf(repeat.getDimAttr()) == heads ? traced.before() : traced;
  // B x K x T x D, B x K x 1 x T x D, B x K x G x T x D, B x KG x T x D; or heads behind positions
  auto fold = traced.maker<ttnn::ReshapeOp>();
  auto repeat = fold ? fold.getInput().getDefiningOp<ttnn::RepeatOp>() : ttnn::RepeatOp();
  if (!repeat)
    return traced;
  ArrayRef<int64_t> one = shapeOf(repeat.getInput()), many = shapeOf(repeat.getResult());
  if (one.size() != 5 || one[heads + 1] != 1)
    return traced;
  llvm::SmallVector<int64_t> from(one), repeated(one), to;
  repeated[heads + 1] = many[heads + 1];
  from.erase(from.begin() + heads + 1);
  to = from;
  to[heads] *= many[heads + 1];
  if (many != ArrayRef(repeated) || shapeOf(traced.value) != ArrayRef(to))
    return traced;
  auto unfold = repeat.getInput().getDefiningOp<ttnn::ReshapeOp>();
  return unfold && shapeOf(unfold.getInput()) == ArrayRef(from) ? operandOf(unfold, 0) : operandOf(repeat, 0);
}

/// Of 8 users: 8 x 32 x 1 x 64 and 1 x 8 x 32 x 64 both have 32 heads.
int64_t headsOfOnePosition(ArrayRef<int64_t> shape, int64_t users) {
  if (shape.size() == 4 && shape[0] == users && shape[2] == 1)
    return shape[1];
  return shape.size() >= 3 && llvm::product_of(shape.drop_back(2)) == users ? shape[shape.size() - 2] : 0;
}

bool sameButForUnits(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  auto notOne = [](int64_t extent) { return extent != 1; };
  return llvm::equal(llvm::make_filter_range(from, notOne), llvm::make_filter_range(to, notOne));
}

/// Example: 2 x 3 x 4 reshaped to 6 x 4 has two blocks: {0, 1} with {0}, and {2} with {1}. A permute of whole
/// blocks may change places with the reshape.
llvm::SmallVector<KeptTogether> blocksOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  llvm::SmallVector<KeptTogether> blocks;
  if (llvm::is_contained(from, 0) || from.empty() || to.empty())
    return blocks;
  size_t i = 0, o = 0;
  while (i < from.size() && o < to.size()) {
    KeptTogether block;
    int64_t before = from[i], after = to[o];
    block.from.push_back(int64_t(i++));
    block.to.push_back(int64_t(o++));
    // Whichever side has fewer elements takes one more dimension, until both sides have as many: then no element
    // crosses the border between this block and the next.
    while (before != after)
      if (before < after) {
        before *= from[i];
        block.from.push_back(int64_t(i++));
      } else {
        after *= to[o];
        block.to.push_back(int64_t(o++));
      }
    blocks.push_back(std::move(block));
  }
  // Extents of 1 behind the rest.
  for (; i < from.size(); ++i)
    blocks.back().from.push_back(int64_t(i));
  for (; o < to.size(); ++o)
    blocks.back().to.push_back(int64_t(o));
  return blocks;
}

/// What is below 0 in the program counts from the dimension's end.
SliceBounds boundsOf(ttnn::SliceStaticOp slice) {
  SliceBounds bounds{integersOf(slice.getBegins()), integersOf(slice.getEnds()), integersOf(slice.getStep())};
  for (llvm::SmallVector<int64_t> *list : {&bounds.begins, &bounds.ends})
    for (auto [bound, extent] : llvm::zip_equal(*list, shapeOf(slice.getInput())))
      bound += bound < 0 ? extent : 0;
  return bounds;
}

mlir::Value throughPages(mlir::Value value) {
  while (auto moved = value.getDefiningOp())
    if (isa<ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(moved) &&
        typeOf(moved->getOperand(0)).getElementType() == typeOf(value).getElementType())
      value = moved->getOperand(0);
    else
      break;
  return value;
}

Traced throughForms(Traced traced) {
  // Casts and conversions stand in any order, so each is tried again after the other, until neither is left.
  for (mlir::Value before; before != traced.value;) {
    before = traced.value;
    traced = throughWidening(traced);
    while (throughPages(traced.value) != traced.value)
      traced = traced.before();
  }
  return traced;
}

/// A list and no trait of the dialect: rows move reshapes, permutes and slices across these, which is right only if
/// an element of the result depends on nothing but its own place. An op that is missing costs a rewrite, one that is
/// wrong here costs the result.
bool isElementwise(Operation *op) {
  return isa<ttnn::AddOp, ttnn::SubtractOp, ttnn::MultiplyOp, ttnn::DivideOp, ttnn::MaximumOp,
             ttnn::MinimumOp, ttnn::ReluOp, ttnn::Relu6Op, ttnn::GeluOp, ttnn::SiluOp, ttnn::MishOp,
             ttnn::HardswishOp, ttnn::HardsigmoidOp, ttnn::SigmoidOp, ttnn::TanhOp, ttnn::ExpOp, ttnn::NegOp,
             ttnn::AbsOp, ttnn::SqrtOp, ttnn::RsqrtOp, ttnn::ReciprocalOp, ttnn::CosOp, ttnn::SinOp,
             ttnn::ErfOp, ttnn::LogOp, ttnn::PowScalarOp, ttnn::ClampScalarOp, ttnn::LeakyReluOp,
             ttnn::TypecastOp, ttnn::WhereOp>(op);
}

/// Elements of a row share one, so many side by side.
bool regroupsPacked(Operation *op) {
  constexpr int64_t kGroup = 16;
  auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr;
  if (!type || type.getRank() == 0)
    return false;
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type);
  if (failed(placed) || !isBlockFloat(placed->layout.dtype))
    return false;
  const int64_t last = type.getRank() - 1;
  auto isAlongRows = [&](IntegerAttr dimension) {
    return (integerOf(dimension) + type.getRank()) % type.getRank() == last;
  };
  auto isWhole = [](mlir::Value part) { return shapeOf(part).back() % kGroup == 0; };
  if (auto permute = dyn_cast<ttnn::PermuteOp>(op))
    return permute.getPermutation().back() != last;
  if (auto transpose = dyn_cast<ttnn::TransposeOp>(op))
    return isAlongRows(transpose.getDim0Attr()) || isAlongRows(transpose.getDim1Attr());
  if (auto reshape = dyn_cast<ttnn::ReshapeOp>(op))
    return shapeOf(reshape.getInput()).empty() ||
           (shapeOf(reshape.getInput()).back() != type.getShape().back() &&
            !(isWhole(reshape.getInput()) && isWhole(reshape.getResult())));
  if (auto slice = dyn_cast<ttnn::SliceStaticOp>(op)) {
    const SliceBounds bounds = boundsOf(slice);
    return bounds.begins.back() % kGroup != 0 || bounds.steps.back() != 1;
  }
  auto concat = dyn_cast<ttnn::ConcatOp>(op);
  return concat && isAlongRows(concat.getDimAttr()) && !llvm::all_of(concat.getInputs().drop_back(), isWhole);
}

int64_t paddedVolume(ArrayRef<int64_t> shape) {
  int64_t volume = 1;
  for (auto [i, extent] : llvm::enumerate(shape))
    // Only the last two dimensions are filled up to tiles of 32 x 32.
    volume *= i + 2 >= shape.size() ? int64_t(llvm::alignTo(uint64_t(extent), 32)) : extent;
  return volume;
}

/// One use: an op that reads a value twice is none.
Operation *onlyReader(mlir::Value value) { return value.hasOneUse() ? *value.user_begin() : nullptr; }

llvm::SmallVector<int64_t> integersOf(ArrayAttr attribute) {
  return llvm::map_to_vector(attribute, [](Attribute entry) { return integerOf(cast<IntegerAttr>(entry)); });
}

} // namespace tessera::rewrite
