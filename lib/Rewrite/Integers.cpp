//===- Integers.cpp - Whole numbers that are known before the call --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Indices of caches and masks are computed of positions: counted by arange, compared, chosen, repeated, looked up by
// each other, summed where several sentences may stand in one row. Rows that want to know where something is written,
// or what a mask leaves, compute them as the program would, element by element. Only the ops that occur there are
// known; every other op makes the answer nullopt, which is never wrong.
//
//===----------------------------------------------------------------------===//
#include "Integers.h"

#include "Match.h"
#include "Numbers.h"
#include "tessera/Dialect/TTCore/TTCore.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace tessera::rewrite {

bool holds(Type type, ArrayRef<int64_t> numbers) {
  int64_t most = (int64_t(1) << 31) - 1, least = -most;
  if (isa<FloatType>(type)) {
    least = -(most = type.isF32() ? int64_t(1) << 24 : 256);
  } else if (auto whole = dyn_cast<IntegerType>(type)) {
    const bool isSigned = !whole.isUnsigned() && whole.getWidth() > 1;
    most = std::min(most, (int64_t(1) << std::min(whole.getWidth() - isSigned, 31U)) - 1);
    least = isSigned ? -most : 0;
  }
  return llvm::all_of(numbers, [&](int64_t each) { return least <= each && each <= most; });
}

namespace {

using Numbers = std::optional<llvm::SmallVector<int64_t>>;

/// The sum; nullopt if 64 bits have no room for it.
std::optional<int64_t> sumOf(int64_t a, int64_t b) {
  int64_t sum = 0;
  return llvm::AddOverflow(a, b, sum) ? std::nullopt : std::optional(sum);
}

/// The length is that of the type, which the verifier has compared with begin, end and step.
Numbers counted(ttnn::ArangeOp range) {
  llvm::SmallVector<int64_t> numbers;
  std::optional<int64_t> next = integerOf(range.getStartAttr());
  for (int64_t i = 0; i < typeOf(range.getResult()).getNumElements(); ++i) {
    if (!next)
      return std::nullopt;
    numbers.push_back(*next);
    next = sumOf(*next, integerOf(range.getStepAttr()));
  }
  return numbers;
}

/// Calls with the index of each element of the shape, the last dimension fastest.
void forEachIndex(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t> index)> visit) {
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t left = ShapedType::getNumElements(shape); left > 0; --left) {
    visit(index);
    for (size_t i = shape.size(); i-- > 0 && ++index[i] == shape[i];)
      index[i] = 0;
  }
}

/// The element's number in a tensor of that shape.
int64_t placeOf(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [at, extent] : llvm::zip_equal(index, shape))
    place = place * extent + at;
  return place;
}

/// What the ops of one program make, each computed once.
class KnownIntegers {
public:
  explicit KnownIntegers(int64_t most) : most(most) {}

  Numbers of(mlir::Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!value.getDefiningOp() || !type || !type.hasStaticShape() || type.getNumElements() > most ||
        isWritten(value))
      return std::nullopt;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    if (opsLeft == 0)
      return std::nullopt;
    --opsLeft;
    Numbers numbers = computed(cast<OpResult>(value), type);
    if (numbers && !holds(type.getElementType(), *numbers))
      numbers = std::nullopt;
    return known[value] = std::move(numbers);
  }

private:
  Numbers computed(OpResult value, RankedTensorType type) {
    Operation *op = value.getOwner();
    if (std::optional<double> splat = splatOf(value))
      return std::trunc(*splat) == *splat && std::abs(*splat) < 0x1p31
                 ? Numbers(llvm::SmallVector<int64_t>(size_t(type.getNumElements()), int64_t(*splat)))
                 : std::nullopt;
    if (auto load = dyn_cast<ttcore::LoadCachedOp>(op)) {
      mlir::Value made = computedBy(load, value.getResultNumber());
      return made ? of(made) : std::nullopt;
    }
    if (auto range = dyn_cast<ttnn::ArangeOp>(op))
      return counted(range);
    if (auto constant = dyn_cast<ttnn::ConstantOp>(op)) {
      auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValueAttr());
      if (!elements)
        return std::nullopt;
      return llvm::map_to_vector(elements.getValues<APInt>(), [&](const APInt &number) {
        return integerOf(number, elements.getElementType());
      });
    }
    // What changes neither elements nor their order.
    if (isa<ttnn::ReshapeOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::ToDeviceOp>(op))
      return of(op->getOperand(0));
    return isExact(op) ? elementwise(op) : moved(op);
  }

  /// Other dimensions than the operand's, or other elements of it.
  Numbers moved(Operation *op) {
    if (auto repeat = dyn_cast<ttnn::RepeatOp>(op))
      return taken(op, [from = shapeOf(repeat.getInput())](MutableArrayRef<int64_t> index) {
        for (auto [at, extent] : llvm::zip_equal(index, from))
          at %= extent;
      });
    if (auto slice = dyn_cast<ttnn::SliceStaticOp>(op))
      return taken(op, [bounds = boundsOf(slice)](MutableArrayRef<int64_t> index) {
        for (auto [at, begin, step] : llvm::zip_equal(index, bounds.begins, bounds.steps))
          at = begin + at * step;
      });
    if (auto concat = dyn_cast<ttnn::ConcatOp>(op))
      return joined(concat);
    if (auto sums = dyn_cast<ttnn::CumSumOp>(op))
      return summed(sums);
    auto gather = dyn_cast<ttnn::RowsGatherOp>(op);
    return gather ? lookedUp(gather) : std::nullopt;
  }

  /// Whole numbers of whole numbers. Devices round quotients and functions.
  static bool isExact(Operation *op) {
    return isa<ttnn::AddOp, ttnn::SubtractOp, ttnn::MultiplyOp, ttnn::MaximumOp, ttnn::MinimumOp,
               ttnn::EqualOp, ttnn::NotEqualOp, ttnn::GreaterEqualOp, ttnn::GreaterThanOp, ttnn::LessEqualOp,
               ttnn::LessThanOp, ttnn::LogicalAndOp, ttnn::LogicalOrOp, ttnn::WhereOp, ttnn::TypecastOp>(op);
  }

  /// Element by element; an operand of one element belongs to all. Other broadcasts are not known.
  Numbers elementwise(Operation *op) {
    NumberFunction function = appliesActivations(op) ? nullptr : numberFunctionOf(op);
    if (!function)
      return std::nullopt;
    llvm::SmallVector<llvm::SmallVector<int64_t>, 3> operands;
    auto count = size_t(typeOf(op->getResult(0)).getNumElements());
    for (mlir::Value operand : op->getOperands()) {
      Numbers numbers = of(operand);
      if (!numbers || (numbers->size() != count && numbers->size() != 1))
        return std::nullopt;
      operands.push_back(std::move(*numbers));
    }
    llvm::SmallVector<int64_t> results(count);
    llvm::SmallVector<double, 3> read(operands.size());
    for (size_t i = 0; i < count; ++i) {
      for (auto [number, each] : llvm::zip_equal(read, operands))
        number = double(each[each.size() == 1 ? 0 : i]);
      const double made = function(read);
      if (std::trunc(made) != made || std::abs(made) > 0x1p31)
        return std::nullopt;
      results[i] = int64_t(made);
    }
    return results;
  }

  /// Elements of the only operand; `source` makes an index of it from one of the result.
  Numbers taken(Operation *op, llvm::function_ref<void(MutableArrayRef<int64_t> index)> source) {
    Numbers from = of(op->getOperand(0));
    ArrayRef<int64_t> shape = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    if (!from || shape.size() != to.size())
      return std::nullopt;
    llvm::SmallVector<int64_t> numbers;
    forEachIndex(to, [&](ArrayRef<int64_t> index) {
      llvm::SmallVector<int64_t> at(index);
      source(at);
      numbers.push_back((*from)[size_t(placeOf(at, shape))]);
    });
    return numbers;
  }

  Numbers joined(ttnn::ConcatOp concat) {
    ArrayRef<int64_t> to = shapeOf(concat.getResult());
    const int64_t stated = integerOf(concat.getDimAttr());
    const auto dimension = size_t(stated < 0 ? stated + int64_t(to.size()) : stated);
    llvm::SmallVector<int64_t> numbers(size_t(typeOf(concat.getResult()).getNumElements()));
    int64_t begin = 0;
    for (mlir::Value part : concat.getInputs()) {
      Numbers from = of(part);
      if (!from)
        return std::nullopt;
      auto next = from->begin();
      forEachIndex(shapeOf(part), [&](ArrayRef<int64_t> index) {
        llvm::SmallVector<int64_t> at(index);
        at[dimension] += begin;
        numbers[size_t(placeOf(at, to))] = *next++;
      });
      begin += shapeOf(part)[dimension];
    }
    return numbers;
  }

  Numbers summed(ttnn::CumSumOp sums) {
    Numbers numbers = of(sums.getInput());
    ArrayRef<int64_t> shape = shapeOf(sums.getInput());
    const int64_t stated = integerOf(sums.getDimAttr());
    const auto dimension = size_t(stated < 0 ? stated + int64_t(shape.size()) : stated);
    if (!numbers)
      return std::nullopt;
    const int64_t stride = ShapedType::getNumElements(shape.drop_front(dimension + 1));
    for (auto [i, number] : llvm::enumerate(*numbers))
      if (int64_t(i) / stride % shape[dimension] != 0) {
        std::optional<int64_t> sum = sumOf(number, (*numbers)[i - size_t(stride)]);
        if (!sum)
          return std::nullopt;
        number = *sum;
      }
    return numbers;
  }

  /// Elements by their positions, which the op moves into the table.
  Numbers lookedUp(ttnn::RowsGatherOp gather) {
    ArrayRef<int64_t> sizes = gather.getSizes(), index = shapeOf(gather.getIndex());
    const int64_t count = typeOf(gather.getResult()).getNumElements();
    if (gather.getFillOutOfBounds() ||
        !llvm::all_of(gather.getWindows(), [](int64_t size) { return size == 1; }) ||
        typeOf(gather.getInput()).getNumElements() != ShapedType::getNumElements(sizes) || count == 0 ||
        index != ArrayRef<int64_t>({1, int64_t(sizes.size()), count}))
      return std::nullopt;
    Numbers table = of(gather.getInput()), places = of(gather.getIndex());
    if (!table || !places)
      return std::nullopt;
    llvm::SmallVector<int64_t> numbers(size_t(count), 0);
    for (auto [i, number] : llvm::enumerate(numbers)) {
      int64_t place = 0;
      for (auto [dimension, size] : llvm::enumerate(sizes))
        place = place * size + std::clamp<int64_t>((*places)[dimension * size_t(count) + i], 0, size - 1);
      number = (*table)[size_t(place)];
    }
    return numbers;
  }

  llvm::DenseMap<mlir::Value, Numbers> known; ///< only looked up
  int64_t most;
  unsigned opsLeft = 256;
};

} // namespace

Numbers integersIn(mlir::Value value, int64_t most) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > most)
    return std::nullopt;
  // On the way coordinates of several dimensions may stand side by side.
  constexpr int64_t kDimensions = 4;
  return KnownIntegers(kDimensions * most).of(value);
}

/// Whether a clamp right before keeps them in 0 up to `count`.
static bool areKeptBelow(mlir::Value positions, int64_t count) {
  auto clamp = positions.getDefiningOp<ttnn::ClampScalarOp>();
  auto bound = [](Attribute attribute) {
    auto number = dyn_cast<IntegerAttr>(attribute);
    // Of a bound that is no whole number nothing is known.
    return number ? integerOf(number) : int64_t(-1);
  };
  return clamp && bound(clamp.getMin()) >= 0 && bound(clamp.getMax()) >= 0 && bound(clamp.getMax()) < count;
}

static mlir::Value clamped(mlir::Value positions, int64_t low, int64_t high, Proposal &proposal) {
  OpBuilder &b = proposal.attributes();
  return proposal.make<ttnn::ClampScalarOp>(Proposal::typeLike(positions, shapeOf(positions)), positions,
                                            b.getI32IntegerAttr(int32_t(low)),
                                            b.getI32IntegerAttr(int32_t(high)));
}

/// In-place updates trust their positions, so one out of bounds would overwrite another user's rows.
mlir::Value keptBelow(mlir::Value positions, ArrayRef<int64_t> shape, int64_t count, Proposal &proposal) {
  const bool areKept = areKeptBelow(positions, count);
  positions = proposal.reshaped(positions, shape);
  return areKept ? positions : clamped(positions, 0, count - 1, proposal);
}

mlir::Value noneOutside(mlir::Value positions, ArrayRef<int64_t> shape, int64_t count, Proposal &proposal) {
  const bool areKept = areKeptBelow(positions, count);
  positions = proposal.reshaped(positions, shape);
  if (areKept)
    return positions;
  MLIRContext *context = positions.getContext();
  positions = proposal.cast(proposal.paged(positions, PageLayout::Tile),
                            IntegerType::get(context, 32, IntegerType::Signed));
  // Below the first there is nothing but -1 then, and beyond the last the end alone.
  positions = clamped(positions, -1, count, proposal);
  auto number = [&](int64_t value) -> mlir::Value {
    return proposal.make<ttnn::FullOp>(Proposal::typeLike(positions, {1}), proposal.device(),
                                       ttnn::ShapeAttr::get(context, {1}),
                                       proposal.attributes().getI32IntegerAttr(int32_t(value)));
  };
  mlir::Value isWithin = proposal
                             .makeNamed("lt", {positions, number(count)},
                                        Proposal::typeLike(positions, shape, BFloat16Type::get(context)))
                             ->getResult(0);
  return proposal.make<ttnn::WhereOp>(Proposal::typeLike(positions, shape), isWithin, positions, number(-1));
}

} // namespace tessera::rewrite
