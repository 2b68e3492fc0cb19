//===- Functions.cpp - What element-wise ops compute together -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks and compilers leave functions in parts: the exact gelu of JAX comes as
// two hundred ops, since XLA makes polynomials of erfc. How the parts look depends on all
// that was at work before, but not what they compute. So ops that compute element by
// element from one tensor are evaluated at many numbers, and where the device has an op
// that is the same function at all of them, it takes their place.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Numbers.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>
#include <set>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The same of an op whose result, and all that it reads but numbers, has the shape of the root's result.
NumberFunction elementFunctionOf(Operation *op, Operation *root) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || op->getNumOperands() > 3 || ttnn::saysMore(op))
    return nullptr;
  mlir::Value result = op->getResult(0);
  if (!isPlaced(result) || !isFloat(result) || shapeOf(result) != shapeOf(root->getResult(0)))
    return nullptr;
  return numberFunctionOf(op);
}

// ---- Parts of a function ---------------------------------------------------------------------------------

/// Ops that compute, element by element, from one tensor.
class Parts {
public:
  /// `op` reads the tensors; those that are not numbers are added to `read`.
  void add(Operation *op, NumberFunction function, llvm::SmallVectorImpl<mlir::Value> &read) {
    Step step{op, std::move(function), {}};
    for (mlir::Value operand : op->getOperands()) {
      std::optional<double> number = splatOf(operand);
      step.operands.push_back({operand, number.value_or(0), number.has_value()});
      if (!number)
        read.push_back(operand);
    }
    steps.push_back(std::move(step));
  }

  /// What each of them makes of one number of the tensor that all of them compute from.
  using Values = llvm::SmallDenseMap<mlir::Value, double, 32>;
  Values valuesAt(mlir::Value variable, double x) const {
    Values values;
    values[variable] = x;
    for (const Step &step : llvm::reverse(steps))
      values[step.op->getResult(0)] =
          step.function(llvm::map_to_vector(step.operands, [&](const Operand &operand) {
            return operand.isNumber ? operand.number : values.lookup(operand.value);
          }));
    return values;
  }
  double at(mlir::Value variable, double x) const {
    return valuesAt(variable, x).lookup(last()->getResult(0));
  }

  size_t size() const { return steps.size(); }
  Operation *first() const { return steps.back().op; }
  Operation *last() const { return steps.front().op; }
  /// What they make on the way to the last result, the latest first.
  llvm::SmallVector<mlir::Value> onTheWay() const {
    return llvm::map_to_vector(llvm::drop_begin(steps),
                               [](const Step &step) { return mlir::Value(step.op->getResult(0)); });
  }
  /// Functions of functions alone: nobody writes one of them in such parts.
  bool isChain() const {
    return llvm::all_of(steps, [](const Step &step) { return step.operands.size() == 1; });
  }
  /// Whether one of them tells what is no number, which nothing equals.
  bool asksForNoNumber() const {
    return llvm::any_of(steps, [](const Step &step) {
      return isa<ttnn::EqualOp, ttnn::NotEqualOp>(step.op) &&
             step.op->getOperand(0) == step.op->getOperand(1);
    });
  }
  /// The numbers that they compute with, what is close to these, and the same below zero.
  std::vector<double> numbersAtWork() const {
    constexpr double kFar = 0x1p60; // as far as samples() go
    std::vector<double> all;
    for (const Step &step : steps)
      for (const Operand &operand : step.operands)
        if (operand.isNumber && std::abs(operand.number) <= kFar)
          for (double factor : {1.0, 1 + 0x1p-10, 1 - 0x1p-10})
            for (double sign : {1.0, -1.0})
              all.push_back(sign * factor * operand.number);
    return all;
  }
  /// Whether each comparison for equality finds its operands equal at one of these numbers: else it holds where nobody looked.
  bool findsEqualsAt(llvm::ArrayRef<double> numbers, mlir::Value variable) const {
    return llvm::all_of(steps, [&](const Step &step) {
      if (!isa<ttnn::EqualOp, ttnn::NotEqualOp>(step.op))
        return true;
      return !appliesActivations(step.op) && llvm::any_of(numbers, [&](double x) {
        Values values = valuesAt(variable, x);
        auto at = [&](const Operand &operand) {
          return operand.isNumber ? operand.number : values.lookup(operand.value);
        };
        return at(step.operands[0]) == at(step.operands[1]);
      });
    });
  }
  /// Ops that compute, and do not only cast.
  size_t computing() const {
    return size_t(llvm::count_if(steps, [](const Step &step) { return !isa<ttnn::TypecastOp>(step.op); }));
  }

private:
  struct Operand {
    mlir::Value value;
    double number;
    bool isNumber;
  };
  struct Step {
    Operation *op;
    NumberFunction function;
    llvm::SmallVector<Operand, 3> operands;
  };
  llvm::SmallVector<Step> steps; ///< the last one first
};

/// Values by where they are made, the last one first; what the block does not make comes last.
struct MadeLater {
  Block *block;
  bool operator()(mlir::Value a, mlir::Value b) const {
    Operation *makerA = makerOf(a), *makerB = makerOf(b);
    if (makerA == makerB)
      return a.getAsOpaquePointer() < b.getAsOpaquePointer(); // which of them decides nothing
    return makerA && (!makerB || makerB->isBeforeInBlock(makerA));
  }
  Operation *makerOf(mlir::Value value) const {
    Operation *maker = value.getDefiningOp();
    return maker && maker->getBlock() == block ? maker : nullptr;
  }
};

/// Calls `found` with the parts of the root between it and each tensor that everything it reads comes from, the nearest first, until that
/// says that it is content.
bool forEachInput(Operation *root, llvm::function_ref<bool(const Parts &, mlir::Value)> found) {
  // JAX's exact gelu, the longest form that is looked for, has about as many. Each op is computed at every sample.
  constexpr size_t kMostOps = 200;
  Parts parts;
  MadeLater later{root->getBlock()};
  std::set<mlir::Value, MadeLater> open(later); // read, and not gone through
  open.insert(root->getResult(0));
  while (!open.empty() && parts.size() < kMostOps) {
    Operation *op = later.makerOf(*open.begin());
    open.erase(open.begin());
    NumberFunction function = op ? elementFunctionOf(op, root) : nullptr;
    if (!function)
      return false;
    llvm::SmallVector<mlir::Value> read;
    parts.add(op, std::move(function), read);
    for (mlir::Value value : read) {
      if (!isa<RankedTensorType>(value.getType()) || shapeOf(value) != shapeOf(root->getResult(0)))
        return false;
      open.insert(value);
    }
    // With one value left, everything that the root reads comes from it: this is the variable of a function.
    if (open.size() == 1 && found(parts, *open.begin()))
      return true;
  }
  return false;
}

// ---- The same function -----------------------------------------------------------------------------------

/// Numbers at which functions are compared: between and beyond the corners that any of them has, from where a guard against 0 shows to
/// where a bound does, and close to 1 and -1, where logarithms, and with them what tells branches apart, have their ends.
llvm::ArrayRef<double> samples() {
  static const std::vector<double> numbers = [] {
    std::vector<double> all{0.3, -1.7, 2.6, -0.9, 4.4, -5.3}; // which tell most functions apart
    for (int i = -20 * 16; i <= 20 * 16; ++i)
      all.push_back(i / 16.0 + 1 / 64.0);
    for (double sign : {1.0, -1.0}) {
      for (int exponent = -40; exponent <= 60; ++exponent)
        all.push_back(sign * std::ldexp(1.0, exponent));
      for (int exponent = -24; exponent < -1; ++exponent)
        for (double side : {1.0, -1.0})
          all.push_back(sign * (1 + side * std::ldexp(1.0, exponent)));
    }
    return all;
  }();
  return numbers;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Calls `isAlike` with all numbers at which parts are looked at, as long as it says yes; whether it always did. What stands for a single number,
/// such as the one that marks what is missing, shows at those that the parts have.
bool holdsAtAll(const Parts &parts, mlir::Value variable, llvm::function_ref<bool(double)> isAlike) {
  // First what most functions differ at.
  if (!llvm::all_of(samples(), isAlike))
    return false;
  std::vector<double> numbers = parts.numbersAtWork();
  numbers.push_back(0);
  if (!llvm::all_of(numbers, isAlike))
    return false;
  llvm::append_range(numbers, samples());
  numbers.insert(numbers.end(), {kInfinity, -kInfinity});
  return parts.findsEqualsAt(numbers, variable);
}

/// Whether parts and function differ by no more than rounding does: of bf16 by a quarter of what the last bit says, and of small results by
/// that of 1/4096; of fp32 by some bits, as polynomials do. Of a function whose results are no larger than `size`, small ones are so many times
/// smaller: tanh(x) / 10^7 lies nowhere far from a clamp to as little.
bool isSame(const Parts &parts, mlir::Value variable, llvm::function_ref<double(double)> function,
            bool isNarrow, double size = 1) {
  const double share = std::ldexp(1.0, isNarrow ? -9 : -20), small = std::min(size, 1.0) / 4096;
  auto isNear = [=](double a, double b) {
    return std::isfinite(b) && std::abs(a - b) <= share * (std::abs(b) + small);
  };
  // A number that parts make of infinity, where the function does not, or of what is no number, is a guard and not rounding.
  auto guards = [&](double x) {
    double a = parts.at(variable, x), b = function(x);
    return std::isfinite(a) && !std::isnan(b) && (std::isinf(b) || !isNear(a, b));
  };
  auto agrees = [&](double x) {
    double a = parts.at(variable, x), b = function(x);
    return a == b || isNear(a, b) || (std::isnan(a) && std::isnan(b));
  };
  return holdsAtAll(parts, variable, agrees) && !guards(kInfinity) && !guards(-kInfinity) &&
         !(parts.asksForNoNumber() &&
           std::isfinite(parts.at(variable, std::numeric_limits<double>::quiet_NaN())));
}

/// A value on the way that is the result at all numbers, or the variable itself: the parts after it change nothing. Null if there is none.
/// Infinities and what is no number count here: a guard against these is more than that.
mlir::Value sameBefore(const Parts &parts, mlir::Value variable) {
  mlir::Value result = parts.last()->getResult(0);
  llvm::SmallVector<mlir::Value> same = parts.onTheWay();
  // One of other elements could have been rounded to fewer bits; the variable is what all are made of.
  llvm::erase_if(same, [&](mlir::Value value) {
    return typeOf(value).getElementType() != typeOf(result).getElementType();
  });
  same.push_back(variable);
  auto isEqual = [](double a, double b) {
    // Above what ops in fp64 lose on the way, and far below what fp32 tells apart. Nothing is near an infinity.
    return a == b || (std::isfinite(b) && std::abs(a - b) <= 0x1p-40 * std::abs(b)) ||
           (std::isnan(a) && std::isnan(b));
  };
  auto areLeft = [&](double x) {
    Parts::Values values = parts.valuesAt(variable, x);
    double y = values.lookup(result);
    llvm::erase_if(same, [&](mlir::Value value) { return !isEqual(values.lookup(value), y); });
    return !same.empty();
  };
  const double beyond[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 0};
  if (!holdsAtAll(parts, variable, areLeft) || !llvm::all_of(beyond, areLeft))
    return {};
  return same.back();
}

/// The function of the device that is the same function. Null if there is none.
mlir::Value makeNamedGoal(const Parts &parts, mlir::Value variable, mlir::Value x, bool isNarrow,
                          Proposal &proposal) {
  const UnaryFunction *goal = llvm::find_if(unaryFunctions(), [&](const UnaryFunction &row) {
    return row.isGoal && isSame(parts, variable, row.function, isNarrow);
  });
  return goal == unaryFunctions().end() ? mlir::Value() : proposal.makeUnary(goal->name, x);
}

/// x, or a share of it below zero.
mlir::Value makeLeakyRelu(const Parts &parts, mlir::Value variable, mlir::Value x, bool isNarrow,
                          Proposal &proposal) {
  double share = -parts.at(variable, -1);
  if (!(share > 0 && share < 1) ||
      !isSame(parts, variable, [=](double x) { return x >= 0 ? x : share * x; }, isNarrow))
    return {};
  OpBuilder &b = proposal.attributes();
  return proposal
      .makeNamed("leaky_relu", x, Proposal::typeLike(x, shapeOf(x)),
                 b.getNamedAttr("parameter", b.getF32FloatAttr(float(share))))
      ->getResult(0);
}

/// x within bounds.
mlir::Value makeClamp(const Parts &parts, mlir::Value variable, mlir::Value x, bool isNarrow,
                      Proposal &proposal) {
  // Far out a clamp is its bounds; isSame finds out whether it is one.
  double low = parts.at(variable, -0x1p100), high = parts.at(variable, 0x1p100);
  // Beyond what is compared nobody knows whether they are bounds.
  constexpr double kFar = 0x1p60;
  if (!(low < high) || low < -kFar || high > kFar ||
      !isSame(
          parts, variable, [=](double x) { return std::min(std::max(x, low), high); }, isNarrow,
          /*size=*/high - low))
    return {};
  OpBuilder &b = proposal.attributes();
  return proposal
      .make<ttnn::ClampScalarOp>(Proposal::typeLike(x, shapeOf(x)), x, b.getF32FloatAttr(float(low)),
                                 b.getF32FloatAttr(float(high)))
      .getResult();
}

/// relu(x) + expm1(min(x, 0)), functions that a sum applies.
mlir::Value makeElu(const Parts &parts, mlir::Value variable, mlir::Value x, bool isNarrow,
                    Proposal &proposal) {
  // Two ops, as are made here, stay.
  if (parts.computing() < 3 ||
      !isSame(parts, variable, [](double x) { return x > 0 ? x : std::expm1(x); }, isNarrow))
    return {};
  OpBuilder &b = proposal.attributes();
  auto applied = [&](StringRef function) {
    return b.getArrayAttr(ttnn::UnaryWithParamAttr::get(b.getContext(), function, {}));
  };
  mlir::Value below = proposal.make<ttnn::ClampScalarOp>(
      Proposal::typeLike(x, shapeOf(x)), x,
      b.getF32FloatAttr(-3.0e38f), // where expm1 is -1 as from anywhere below
      b.getF32FloatAttr(0));
  const NamedAttribute attributes[] = {b.getNamedAttr("activations", b.getArrayAttr({})),
                                       b.getNamedAttr("input_tensor_a_activations", applied("relu")),
                                       b.getNamedAttr("input_tensor_b_activations", applied("expm1"))};
  return proposal.makeNamed("add", {x, below}, Proposal::typeLike(x, shapeOf(x)), attributes)->getResult(0);
}

// Named functions first: relu6 is a clamp, too, but one that kernels apply on their way.
constexpr mlir::Value (*kGoals[])(const Parts &, mlir::Value, mlir::Value, bool,
                                  Proposal &) = {makeNamedGoal, makeLeakyRelu, makeClamp, makeElu};

} // namespace

bool proposeFunction(Operation *root, Proposal &proposal) {
  if (root->getNumResults() != 1 || isa<ttnn::TypecastOp>(root))
    return false;
  return forEachInput(root, [&](const Parts &parts, mlir::Value variable) {
    if (parts.isChain() || !isPlaced(variable) || !isFloat(variable) ||
        !mayBeReadAt({variable, parts.first()}, root))
      return false;
    Type from = typeOf(variable).getElementType(), to = typeOf(root->getResult(0)).getElementType();
    // Of a single op as well: a sum with 0 and a guard that never holds go.
    if (mlir::Value same = sameBefore(parts, variable); same && isPlaced(same)) {
      proposal.replace(root, proposal.cast(same, to));
      return true;
    }
    if (parts.computing() < 2)
      return false;
    // In the wider of both types, as the parts were.
    mlir::Value x = from.isBF16() ? proposal.cast(variable, to) : variable;
    for (auto make : kGoals)
      if (mlir::Value made = make(parts, variable, x, from.isBF16() || to.isBF16(), proposal)) {
        proposal.isAbout(made.getDefiningOp());
        proposal.replace(root, proposal.cast(made, to));
        return true;
      }
    return false;
  });
}

} // namespace tessera::rewrite
