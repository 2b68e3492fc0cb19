//===- TTNNOpsEltwise.td - Elementwise ops ---------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The result's shape should be the broadcast of the operands' shapes, with one
// operand that operand's; tt-mlir's verifiers do not ask for it, so these don't
// either, but the op model does. Comparisons yield 0 or 1 in the result's type.
//
// Ops of two operands may apply activations to either operand before, and to the
// result after (tt-mlir since September 2026, which always prints the lists). With
// them no such op is commutative: the lists belong to the operand, not to the value,
// and what compares ops for CSE would take f(a) * b for f(b) * a.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSELTWISE_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSELTWISE_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

class TTNN_UnaryOp<string mnemonic, string what> : TTNN_ArithmeticOp<mnemonic> {
  let summary = "Elementwise "#what;
  let ownArguments = (ins TTNN_Tensor:$input);
}

/// Absent and empty mean the same; which of the two it was is kept.
def TTNN_Activations : OptionalAttr<TypedArrayAttrBase<TTNN_UnaryWithParamAttr, "array of activations">>;

class TTNN_BinaryOp<string mnemonic, string what> : TTNN_ArithmeticOp<mnemonic> {
  let summary = "Elementwise "#what;
  let ownArguments = (ins TTNN_Tensor:$lhs, TTNN_Tensor:$rhs, TTNN_Activations:$activations,
                      TTNN_Activations:$input_tensor_a_activations,
                      TTNN_Activations:$input_tensor_b_activations);
}

class TTNN_ShiftOp<string mnemonic, string what> : TTNN_BinaryOp<mnemonic, what#" of integers"> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifyIntegers(*this, {{"lhs", getLhs()}, {"rhs", getRhs()}, {"result", getResult()}});
    }
  }];
}

// ---- One operand ------------------------------------------------------------------------------------------

def TTNN_AbsOp : TTNN_UnaryOp<"abs", "absolute value">;
def TTNN_AcosOp : TTNN_UnaryOp<"acos", "arc cosine">;
def TTNN_AcoshOp : TTNN_UnaryOp<"acosh", "inverse hyperbolic cosine">;
def TTNN_AsinOp : TTNN_UnaryOp<"asin", "arc sine">;
def TTNN_AsinhOp : TTNN_UnaryOp<"asinh", "inverse hyperbolic sine">;
def TTNN_AtanOp : TTNN_UnaryOp<"atan", "arc tangent">;
def TTNN_AtanhOp : TTNN_UnaryOp<"atanh", "inverse hyperbolic tangent">;
def TTNN_BitwiseNotOp : TTNN_UnaryOp<"bitwise_not", "bitwise negation">;
def TTNN_CbrtOp : TTNN_UnaryOp<"cbrt", "cube root">;
def TTNN_CeilOp : TTNN_UnaryOp<"ceil", "rounding up">;
def TTNN_CosOp : TTNN_UnaryOp<"cos", "cosine">;
def TTNN_CoshOp : TTNN_UnaryOp<"cosh", "hyperbolic cosine">;
def TTNN_ErfOp : TTNN_UnaryOp<"erf", "error function">;
def TTNN_ErfcOp : TTNN_UnaryOp<"erfc", "complementary error function">;
def TTNN_ExpOp : TTNN_UnaryOp<"exp", "exponential">;
def TTNN_Expm1Op : TTNN_UnaryOp<"expm1", "exp(x) - 1">;
def TTNN_FloorOp : TTNN_UnaryOp<"floor", "rounding down">;
def TTNN_GeluOp : TTNN_UnaryOp<"gelu", "Gaussian error linear unit">;
def TTNN_HardsigmoidOp : TTNN_UnaryOp<"hardsigmoid", "piecewise linear sigmoid">;
def TTNN_HardswishOp : TTNN_UnaryOp<"hardswish", "x times hardsigmoid(x)">;
def TTNN_IsFiniteOp : TTNN_UnaryOp<"isfinite", "test for neither infinity nor NaN">;
def TTNN_LogOp : TTNN_UnaryOp<"log", "natural logarithm">;
def TTNN_Log1pOp : TTNN_UnaryOp<"log1p", "log(1 + x)">;
def TTNN_LogicalNotOp : TTNN_UnaryOp<"logical_not", "test for zero">;
def TTNN_MishOp : TTNN_UnaryOp<"mish", "x times tanh(softplus(x))">;
def TTNN_NegOp : TTNN_UnaryOp<"neg", "negation">;
def TTNN_ReciprocalOp : TTNN_UnaryOp<"reciprocal", "reciprocal">;
def TTNN_ReluOp : TTNN_UnaryOp<"relu", "max(x, 0)">;
def TTNN_Relu6Op : TTNN_UnaryOp<"relu6", "min(max(x, 0), 6)">;
def TTNN_RoundOp : TTNN_UnaryOp<"round", "rounding to the nearest integer">;
def TTNN_RsqrtOp : TTNN_UnaryOp<"rsqrt", "reciprocal square root">;
def TTNN_SigmoidOp : TTNN_UnaryOp<"sigmoid", "logistic function">;
def TTNN_SignOp : TTNN_UnaryOp<"sign", "sign: -1, 0 or 1">;
def TTNN_SiluOp : TTNN_UnaryOp<"silu", "x times sigmoid(x)">;
def TTNN_SinOp : TTNN_UnaryOp<"sin", "sine">;
def TTNN_SinhOp : TTNN_UnaryOp<"sinh", "hyperbolic sine">;
def TTNN_SoftsignOp : TTNN_UnaryOp<"softsign", "x / (1 + |x|)">;
def TTNN_SqrtOp : TTNN_UnaryOp<"sqrt", "square root">;
def TTNN_TanOp : TTNN_UnaryOp<"tan", "tangent">;
def TTNN_TanhOp : TTNN_UnaryOp<"tanh", "hyperbolic tangent">;

def TTNN_LeakyReluOp : TTNN_ArithmeticOp<"leaky_relu"> {
  let summary = "Elementwise x if positive, else parameter times x";
  let ownArguments = (ins TTNN_Tensor:$input, F32Attr:$parameter);
}
def TTNN_PowScalarOp : TTNN_ArithmeticOp<"pow_scalar"> {
  let summary = "Elementwise power with one exponent for all elements";
  let ownArguments = (ins TTNN_Tensor:$lhs, TTNN_ScalarAttr:$rhs);
  let hasVerifier = 1;
}
def TTNN_ClampScalarOp : TTNN_ArithmeticOp<"clamp_scalar"> {
  let summary = "Elementwise min(max(x, min), max) with one bound each for all elements";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_ScalarAttr:$min, TTNN_ScalarAttr:$max);
  let hasVerifier = 1;
}

// ---- Two operands -----------------------------------------------------------------------------------------

def TTNN_AddOp : TTNN_BinaryOp<"add", "sum">;
def TTNN_Atan2Op : TTNN_BinaryOp<"atan2", "angle of the point (rhs, lhs)">;
def TTNN_BitwiseAndOp : TTNN_BinaryOp<"bitwise_and", "bitwise and">;
def TTNN_BitwiseOrOp : TTNN_BinaryOp<"bitwise_or", "bitwise or">;
def TTNN_BitwiseRightShiftOp : TTNN_ShiftOp<"bitwise_right_shift", "right shift that keeps the sign">;
def TTNN_BitwiseXorOp : TTNN_BinaryOp<"bitwise_xor", "bitwise exclusive or">;
def TTNN_DivideOp : TTNN_BinaryOp<"divide", "quotient">;
def TTNN_EqualOp : TTNN_BinaryOp<"eq", "lhs == rhs">;
def TTNN_GreaterEqualOp : TTNN_BinaryOp<"ge", "lhs >= rhs">;
def TTNN_GreaterThanOp : TTNN_BinaryOp<"gt", "lhs > rhs">;
def TTNN_LessEqualOp : TTNN_BinaryOp<"le", "lhs <= rhs">;
def TTNN_LessThanOp : TTNN_BinaryOp<"lt", "lhs < rhs">;
def TTNN_LogicalAndOp : TTNN_BinaryOp<"logical_and", "logical and">;
def TTNN_LogicalLeftShiftOp : TTNN_ShiftOp<"logical_left_shift", "left shift">;
def TTNN_LogicalOrOp : TTNN_BinaryOp<"logical_or", "logical or">;
def TTNN_LogicalRightShiftOp : TTNN_ShiftOp<"logical_right_shift", "right shift that fills with zeros">;
def TTNN_LogicalXorOp : TTNN_BinaryOp<"logical_xor", "logical exclusive or">;
def TTNN_MaximumOp : TTNN_BinaryOp<"maximum", "maximum">;
def TTNN_MinimumOp : TTNN_BinaryOp<"minimum", "minimum">;
def TTNN_MultiplyOp : TTNN_BinaryOp<"multiply", "product">;
def TTNN_NotEqualOp : TTNN_BinaryOp<"ne", "lhs != rhs">;
def TTNN_PowTensorOp : TTNN_BinaryOp<"pow_tensor", "power">;
def TTNN_RemainderOp : TTNN_BinaryOp<"remainder", "remainder of the division">;
def TTNN_SubtractOp : TTNN_BinaryOp<"subtract", "difference">;

// ---- Three operands ---------------------------------------------------------------------------------------

def TTNN_WhereOp : TTNN_ArithmeticOp<"where"> {
  let summary = "Elementwise second if first is not zero, else third";
  let ownArguments = (ins TTNN_Tensor:$first, TTNN_Tensor:$second, TTNN_Tensor:$third);
}
def TTNN_ClampTensorOp : TTNN_ArithmeticOp<"clamp_tensor"> {
  let summary = "Elementwise min(max(x, min), max)";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$min, TTNN_Tensor:$max);
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSELTWISE_TD
