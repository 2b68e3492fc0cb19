//===- Activations.cpp - Functions that a kernel applies on its way -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Most are unary ops. Their parameters choose among ways to compute the same
// (accurate or approximate), of which exact arithmetic has one. Those that are no
// unary op, or need their parameters, stand here. In kernels' arithmetic those that are
// a unary op run as its device kernel, the others exactly.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/OpModel/Activations.h"
#include "tessera/Simulator/Parallel.h"

#include <cmath>
#include <list>

namespace tessera::simulator {

namespace {

/// Functions that are no unary op of their own; `params` is how many numbers the list must give.
struct ActivationRow {
  llvm::StringLiteral name;
  size_t params;
  float (*function)(float x, const float *p);
};

#define ROW(name, params, expression)                                                                        \
  {name, params,                                                                                             \
   +[]([[maybe_unused]] float x, [[maybe_unused]] const float *p) -> float { return expression; }}

constexpr ActivationRow kActivations[] = {
    ROW("add_unary_sfpu", 1, x + p[0]),
    ROW("div_unary_sfpu", 1, x / p[0]),
    ROW("elu", 1, x > 0 ? x : p[0] * std::expm1(x)),
    ROW("eqz", 0, x == 0),
    ROW("exp2", 0, std::exp2(x)),
    ROW("fill", 1, p[0]),
    ROW("gez", 0, x >= 0),
    ROW("gtz", 0, x > 0),
    ROW("heaviside", 1,
        x < 0   ? 0
        : x > 0 ? 1
                : p[0]),
    ROW("identity", 0, x),
    ROW("is_inf", 0, std::isinf(x)),
    ROW("is_nan", 0, std::isnan(x)),
    ROW("is_neg_inf", 0, std::isinf(x) && x < 0),
    ROW("is_pos_inf", 0, std::isinf(x) && x > 0),
    ROW("leaky_relu", 1, x > 0 ? x : p[0] * x),
    ROW("Lez", 0, x <= 0), // as tt-mlir spells it
    ROW("log10", 0, std::log10(x)),
    ROW("log2", 0, std::log2(x)),
    ROW("ltz", 0, x < 0),
    ROW("mul_unary_sfpu", 1, x *p[0]),
    ROW("nez", 0, x != 0),
    ROW("power", 1, std::pow(x, p[0])),
    ROW("rdiv", 1, p[0] / x),
    ROW("rsub", 1, p[0] - x),
    ROW("signbit", 0, std::signbit(x)),
    ROW("soft_plus", 2, x *p[0] > p[1] ? x : std::log1p(std::exp(x * p[0])) / p[0]),
    ROW("square", 0, x *x),
    ROW("sub_unary_sfpu", 1, x - p[0]),
    ROW("unary_gt", 1, x > p[0]),
    ROW("unary_lt", 1, x < p[0]),
    ROW("unary_ne", 1, x != p[0]),
};

#undef ROW

template <class Function>
void mapElements(DenseTensor &tensor, Function function) {
  constexpr int64_t kPart = 1 << 16; // elements of a part of work that threads share
  int64_t count = int64_t(tensor.floats.size());
  parallelFor(ceilDiv(count, kPart), [&](int64_t part) {
    for (int64_t i = part * kPart, end = std::min(count, i + kPart); i < end; ++i)
      tensor.floats[size_t(i)] = function(tensor.floats[size_t(i)]);
  });
}

/// In exact arithmetic, in place. Integers are refused and not taken as floats, which do not have all of their
/// bits.
llvm::Error apply(const Activation &activation, DenseTensor &tensor) {
  if (tensor.isInteger())
    return failure("the simulator applies the activation '" + activation.name + "' to no integers");
  // First, since a list may give an op's parameters, such as that of an approximate gelu, which exact arithmetic has no
  // use for.
  if (UnaryFunction function = findUnaryFunction(unaryOpOf(activation.name))) {
    mapElements(tensor, function);
    return llvm::Error::success();
  }
  const auto *row =
      llvm::find_if(kActivations, [&](const ActivationRow &row) { return row.name == activation.name; });
  if (row == std::end(kActivations))
    return failure("the simulator does not know the activation '" + activation.name + "'");
  if (activation.params.size() != row->params)
    return failure("the activation '" + activation.name + "' needs " + llvm::Twine(row->params) +
                   " parameters");
  llvm::SmallVector<float> params(activation.params.begin(), activation.params.end());
  mapElements(tensor, [&](float x) { return row->function(x, params.data()); });
  return llvm::Error::success();
}

/// As the kernel of the unary op, of which the launch only gives the chip: tensors of elementwise ops may lie anywhere.
llvm::Error applyOnDevice(const KernelRow &unary, DenseTensor &tensor, DataType held,
                          const KernelCall &call) {
  OpSignature op;
  op.name = unary.name.str();
  DenseTensor input = tensor;
  // The type says how wide Dst is, which is what the function is chosen by (hasWideElements).
  input.desc.dtype = held;
  DenseTensor result({tensor.desc.shape, held});
  const DenseTensor *operands[] = {&input};
  KernelCall activation{op, std::monostate(), operands, result, nullptr, Arithmetic::Kernels, call.launch};
  if (llvm::Error error = runKernel(unary, activation))
    return error;
  tensor.floats = std::move(result.floats);
  return llvm::Error::success();
}

/// The row of the unary op that the activation is; null if it needs its parameters, or is none.
const KernelRow *unaryKernel(const Activation &activation) {
  llvm::StringRef name = unaryOpOf(activation.name);
  return findUnaryFunction(name) ? findKernel(("ttnn." + name).str()) : nullptr;
}

/// In the order of the text: "relu, exp2" is exp2(relu(x)).
llvm::Error forEachActivation(llvm::StringRef text,
                              llvm::function_ref<llvm::Error(const Activation &)> apply) {
  std::optional<llvm::SmallVector<Activation>> activations = parseActivations(text);
  if (!activations)
    return failure("'" + text + "' is no list of activations");
  for (const Activation &activation : *activations)
    if (llvm::Error error = apply(activation))
      return error;
  return llvm::Error::success();
}

/// What a 16- or 32-bit Dst holds of a tensor of that type.
DataType heldInDst(DataType type) {
  return type == DataType::Float32 ? DataType::Float32 : DataType::BFloat16;
}

/// In the arithmetic of `call`.
llvm::Error activate(llvm::StringRef text, DenseTensor &tensor, const KernelCall &call) {
  if (text.empty())
    return llvm::Error::success();
  return call.arithmetic == Arithmetic::Kernels
             ? activateOnDevice(text, tensor, heldInDst(tensor.desc.dtype), call)
             : applyActivations(text, tensor);
}

} // namespace

llvm::Error applyActivations(llvm::StringRef text, DenseTensor &tensor) {
  return forEachActivation(text, [&](const Activation &activation) { return apply(activation, tensor); });
}

llvm::Error activateOnDevice(llvm::StringRef text, DenseTensor &tensor, DataType held,
                             const KernelCall &call) {
  return forEachActivation(text, [&](const Activation &activation) {
    const KernelRow *unary = tensor.isInteger() ? nullptr : unaryKernel(activation);
    return unary ? applyOnDevice(*unary, tensor, held, call) : apply(activation, tensor);
  });
}

/// An activation takes what the kernel left as fp32 numbers; to its own format the result is rounded behind both.
llvm::Error runActivated(KernelCall &call, Kernel kernel) {
  std::vector<const DenseTensor *> operands = call.operands.vec();
  // A list, since operands point to its elements while it grows.
  std::list<DenseTensor> activated;
  for (size_t i = 0; i < std::min<size_t>(2, operands.size()); ++i)
    if (llvm::StringRef text = call.op.string(kActivationLists[i]); !text.empty()) {
      operands[i] = &activated.emplace_back(*operands[i]);
      if (llvm::Error error = activate(text, activated.back(), call))
        return error;
    }
  // All but the operands as it was, so that the kernel sees the op's attributes and writes to the caller's result.
  KernelCall inner = call;
  inner.operands = operands;
  if (llvm::Error error = kernel(inner))
    return error;
  return activate(call.op.string(kActivationLists[2]), call.result(), call);
}

} // namespace tessera::simulator
