//===- Numbers.cpp - What ops make of numbers -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two questions about numbers are answered here without running anything. What does an op make of one number per
// operand, in real arithmetic? By that, Functions.cpp tells that many ops are one function. And between which numbers
// does a tensor lie? By that, rows find scales, epsilons and masks that were filled, repeated or computed of such.
//
//===----------------------------------------------------------------------===//
#include "Numbers.h"

#include "Match.h"
#include "tessera/Dialect/TTCore/TTCore.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tessera::rewrite {

namespace {

// ---- Functions of numbers --------------------------------------------------------------------------------

using Binary = double (*)(double, double);

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double hardsigmoid(double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); }
// No exponential of a large number, which fp64 has no room for.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// Goals are functions that people write down in parts, and that a kernel has whole. The others are parts themselves.
constexpr UnaryFunction kUnary[] = {
    {"abs", [](double x) { return std::abs(x); }, true},
    {"cbrt", [](double x) { return std::cbrt(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"erf", [](double x) { return std::erf(x); }, true},
    {"erfc", [](double x) { return std::erfc(x); }, true},
    {"exp", [](double x) { return std::exp(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    // By erfc: 1 + erf(x / sqrt 2) loses all its bits far below zero.
    {"gelu", [](double x) { return 0.5 * x * std::erfc(-x * 0.70710678118654752); }, true},
    {"hardsigmoid", hardsigmoid, true},
    {"hardswish", [](double x) { return x * hardsigmoid(x); }, true},
    {"log", [](double x) { return std::log(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"mish", [](double x) { return x * std::tanh(softplus(x)); }, true},
    {"neg", [](double x) { return -x; }},
    {"reciprocal", [](double x) { return 1 / x; }},
    {"relu", [](double x) { return std::max(x, 0.0); }, true},
    {"relu6", [](double x) { return std::clamp(x, 0.0, 6.0); }, true},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"sigmoid", sigmoid, true},
    {"silu", [](double x) { return x * sigmoid(x); }, true},
    {"sin", [](double x) { return std::sin(x); }},
    {"softsign", [](double x) { return x / (1 + std::abs(x)); }, true},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"tanh", [](double x) { return std::tanh(x); }, true},
};

struct BinaryFunction {
  StringLiteral name;
  Binary function;
};

constexpr BinaryFunction kBinary[] = {
    {"add", [](double a, double b) { return a + b; }},
    {"subtract", [](double a, double b) { return a - b; }},
    {"multiply", [](double a, double b) { return a * b; }},
    {"divide", [](double a, double b) { return a / b; }},
    {"maximum", [](double a, double b) { return std::max(a, b); }},
    {"minimum", [](double a, double b) { return std::min(a, b); }},
    {"pow_tensor", [](double a, double b) { return std::pow(a, b); }},
    {"eq", [](double a, double b) { return double(a == b); }},
    {"ne", [](double a, double b) { return double(a != b); }},
    {"ge", [](double a, double b) { return double(a >= b); }},
    {"gt", [](double a, double b) { return double(a > b); }},
    {"le", [](double a, double b) { return double(a <= b); }},
    {"lt", [](double a, double b) { return double(a < b); }},
    {"logical_and", [](double a, double b) { return double(a != 0 && b != 0); }},
    {"logical_or", [](double a, double b) { return double(a != 0 || b != 0); }},
};

template <class Table>
auto *find(const Table &table, StringRef name) {
  auto found = llvm::find_if(table, [&](const auto &row) { return row.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

// ---- Ops of numbers --------------------------------------------------------------------------------------

/// The functions that an op of two operands applies to what `list` says, one after the other; nullptr where one is not known.
NumberFunction applied(Operation *op, StringRef list) {
  llvm::SmallVector<double (*)(double), 2> functions;
  auto listed = op->getAttrOfType<ArrayAttr>(list);
  for (Attribute each : listed ? listed.getValue() : ArrayRef<Attribute>()) {
    auto function = dyn_cast<ttnn::UnaryWithParamAttr>(each);
    const UnaryFunction *row =
        function && function.getParams().empty() ? find(kUnary, function.getOpType()) : nullptr;
    if (!row)
      return nullptr;
    functions.push_back(row->function);
  }
  return [functions](ArrayRef<double> in) {
    double x = in[0];
    for (double (*function)(double) : functions)
      x = function(x);
    return x;
  };
}

std::optional<double> floatOf(Attribute attribute) {
  auto number = dyn_cast_or_null<FloatAttr>(attribute);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

NumberFunction binaryFunctionOf(Operation *op) {
  const BinaryFunction *row = find(kBinary, op->getName().stripDialect());
  if (!row)
    return nullptr;
  NumberFunction a = applied(op, "input_tensor_a_activations"), b = applied(op, "input_tensor_b_activations"),
                 result = applied(op, "activations");
  if (!a || !b || !result)
    return nullptr;
  return [=](ArrayRef<double> in) { return result(row->function(a(in[0]), b(in[1]))); };
}

} // namespace

ArrayRef<UnaryFunction> unaryFunctions() { return kUnary; }

NumberFunction numberFunctionOf(Operation *op) {
  // Rounding is no part of the function: who compares functions allows for it.
  if (isa<ttnn::TypecastOp>(op))
    return [](ArrayRef<double> in) { return in[0]; };
  if (isa<ttnn::WhereOp>(op))
    return [](ArrayRef<double> in) { return in[0] != 0 ? in[1] : in[2]; };
  if (auto clamp = dyn_cast<ttnn::ClampScalarOp>(op)) {
    std::optional<double> least = floatOf(clamp.getMinAttr()), most = floatOf(clamp.getMaxAttr());
    if (!least || !most)
      return nullptr;
    return [=](ArrayRef<double> in) { return std::min(std::max(in[0], *least), *most); };
  }
  if (auto power = dyn_cast<ttnn::PowScalarOp>(op)) {
    std::optional<double> exponent = floatOf(power.getRhsAttr());
    if (!exponent)
      return nullptr;
    return [=](ArrayRef<double> in) { return std::pow(in[0], *exponent); };
  }
  if (const UnaryFunction *row = find(kUnary, op->getName().stripDialect()))
    return [=](ArrayRef<double> in) { return row->function(in[0]); };
  return binaryFunctionOf(op);
}

// ---- Ranges ----------------------------------------------------------------------------------------------

namespace {

std::optional<double> numberOf(Attribute attribute) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return double(integerOf(number));
  return floatOf(attribute);
}

std::optional<Range> exactly(std::optional<double> number) {
  return number ? std::optional(Range{*number, *number}) : std::nullopt;
}

/// Nothing but one number, which may be none.
bool isNumber(const Range &range) {
  return range.low == range.high || (std::isnan(range.low) && std::isnan(range.high));
}

/// What lies between the least and the greatest of them; nullopt if one of them is no number.
std::optional<Range> between(ArrayRef<double> numbers) {
  if (llvm::any_of(numbers, [](double number) { return std::isnan(number); }))
    return std::nullopt;
  return Range{*llvm::min_element(numbers), *llvm::max_element(numbers)};
}

/// Of a tensor that is made of nothing.
std::optional<Range> rangeOfConstant(Operation *op) {
  if (auto full = dyn_cast<ttnn::FullOp>(op))
    return exactly(numberOf(full.getFillValueAttr()));
  if (isa<ttnn::ZerosOp>(op))
    return Range{0, 0};
  if (isa<ttnn::OnesOp>(op))
    return Range{1, 1};
  if (auto constant = dyn_cast<ttnn::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValueAttr());
    return exactly(elements && elements.isSplat() ? numberOf(elements.getSplatValue<Attribute>())
                                                  : std::nullopt);
  }
  auto positions = dyn_cast<ttnn::ArangeOp>(op);
  if (!positions || typeOf(positions.getResult()).getNumElements() == 0)
    return std::nullopt;
  const double first = double(integerOf(positions.getStartAttr())),
               step = double(integerOf(positions.getStepAttr()));
  return between({first, first + step * double(typeOf(positions.getResult()).getNumElements() - 1)});
}

/// Floats hold no finite number above their largest, and bf16 a smaller one than fp32: what a tensor is filled with, or what a cast or a product
/// makes, is infinite from half a bit above that.
std::optional<Range> narrowed(std::optional<Range> range, Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  if (!range || !type)
    return range;
  const double beyond = type.isBF16() ? 0x1.FFp127 : 0x1.FFFFFFp127;
  auto rounded = [&](double number) {
    return std::abs(number) >= beyond ? std::copysign(std::numeric_limits<double>::infinity(), number)
                                      : number;
  };
  return Range{rounded(range->low), rounded(range->high)};
}

/// What a tensor of whole numbers has of it: nullopt if a number would be rounded to a whole one, or has no place in so many bits.
std::optional<Range> held(std::optional<Range> range, Type elementType) {
  auto type = dyn_cast<IntegerType>(elementType);
  if (!range || !type)
    return range;
  const auto bits = int(type.getWidth());
  const bool isSigned = !type.isUnsigned() && bits > 1;
  const double low = isSigned ? -std::ldexp(1.0, bits - 1) : 0,
               end = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  auto isWhole = [&](double number) { return std::trunc(number) == number && number >= low && number < end; };
  return isWhole(range->low) && isWhole(range->high) ? range : std::nullopt;
}

/// Of an op of two operands by its corners: sums, differences, products and comparisons have their least and greatest results there.
/// Quotients are not among them: where the divisor's range has 0 in it, the greatest lies within.
bool isExtremeAtCorners(Operation *op) {
  return !appliesActivations(op) &&
         isa<ttnn::AddOp, ttnn::SubtractOp, ttnn::MultiplyOp, ttnn::MaximumOp, ttnn::MinimumOp,
             ttnn::GreaterThanOp, ttnn::GreaterEqualOp, ttnn::LessThanOp, ttnn::LessEqualOp>(op);
}

/// Of what works element by element.
/// Of single numbers any known function; of ranges only what takes its extremes at their ends. So relu of [-1, 2] is
/// not known, which costs a rewrite at most.
std::optional<Range> rangeOfFunction(Operation *op, ArrayRef<Range> read) {
  if (isa<ttnn::WhereOp>(op)) {
    // The condition says which of them, if it is known.
    const bool mayBeFalse = read[0].low <= 0 && read[0].high >= 0;
    const bool mayBeTrue = read[0].low != 0 || read[0].high != 0;
    if (!mayBeFalse || !mayBeTrue)
      return mayBeTrue ? read[1] : read[2];
    return between({read[1].low, read[1].high, read[2].low, read[2].high});
  }
  NumberFunction function = numberFunctionOf(op);
  if (!function)
    return std::nullopt;
  if (llvm::all_of(read, isNumber))
    return exactly(function(llvm::map_to_vector(read, [](const Range &range) { return range.low; })));
  if (read.size() != 2 || !isExtremeAtCorners(op))
    return std::nullopt;
  const double a[] = {read[0].low, read[0].high}, b[] = {read[1].low, read[1].high};
  return between(
      {function({a[0], b[0]}), function({a[0], b[1]}), function({a[1], b[0]}), function({a[1], b[1]})});
}

std::optional<Range> rangeWithin(mlir::Value value, unsigned most);

/// As rangeWithin, whatever numbers the elements of the value can be.
std::optional<Range> computedRange(mlir::Value value, unsigned most) {
  Operation *op = value.getDefiningOp();
  if (std::optional<Range> constant = rangeOfConstant(op))
    return constant;
  if (auto load = dyn_cast<ttcore::LoadCachedOp>(op)) {
    mlir::Value made = computedBy(load, cast<OpResult>(value).getResultNumber());
    return made ? rangeWithin(made, most) : std::nullopt;
  }
  // The same numbers wherever they lie and however often they stand there. A cast between floats may round them, which is no matter of a row:
  // who folds a number into an attribute takes it as the operand had it before.
  if (isa<ttnn::TypecastOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::ToDeviceOp, ttnn::ReshapeOp,
          ttnn::RepeatOp>(op))
    return rangeWithin(op->getOperand(0), most);
  // Whole numbers are divided without a remainder, which the function of real numbers is not.
  if (most == 0 || op->getNumResults() != 1 || op->getNumOperands() == 0 || op->getNumOperands() > 3 ||
      ttnn::saysMore(op) || (isa<ttnn::DivideOp>(op) && !isFloat(value)))
    return std::nullopt;
  llvm::SmallVector<Range, 3> read;
  for (mlir::Value operand : op->getOperands()) {
    std::optional<Range> range = rangeWithin(operand, most - 1);
    if (!range)
      return std::nullopt;
    read.push_back(*range);
  }
  return rangeOfFunction(op, read);
}

/// The same, looking at so many ops in a row at most: whoever asks does so of every op, and most of them compute.
std::optional<Range> rangeWithin(mlir::Value value, unsigned most) {
  if (!value.getDefiningOp() || !isa<RankedTensorType>(value.getType()))
    return std::nullopt;
  Type elementType = typeOf(value).getElementType();
  std::optional<Range> range = held(narrowed(computedRange(value, most), elementType), elementType);
  // What is written in place, as a cache that was filled with zeros, holds other numbers then.
  return range && !isWritten(value) ? range : std::nullopt;
}

} // namespace

std::optional<Range> rangeOf(mlir::Value value) {
  // Each of them reads up to three, so that 3^6 ways are gone at most.
  constexpr unsigned kMostOps = 6;
  return rangeWithin(value, kMostOps);
}

std::optional<double> splatOf(mlir::Value value) {
  std::optional<Range> range = rangeOf(value);
  return range && isNumber(*range) ? std::optional(range->low) : std::nullopt;
}

} // namespace tessera::rewrite
