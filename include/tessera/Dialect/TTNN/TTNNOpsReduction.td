//===- TTNNOpsReduction.td - Ops along dimensions --------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Reductions, and ops that walk along one dimension and keep the shape. A
// negative dimension counts from the end.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSREDUCTION_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSREDUCTION_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

/// Reduces the dimensions `dim_arg` (all if absent) to extent 1, or drops them if not `keep_dim`.
class TTNN_ReductionOp<string mnemonic, string what>
    : TTNN_ArithmeticOp<mnemonic, [TTNN_ComputeKernelConfigOpInterface]> {
  let summary = what#" over dimensions";
  let ownArguments = (ins TTNN_Tensor:$input, BoolAttr:$keep_dim, OptionalAttr<I32ArrayAttr>:$dim_arg,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifyReduction(*this, getInput().getType(), getDimArgAttr(), getKeepDim(), getType());
    }
  }];
}
def TTNN_SumOp : TTNN_ReductionOp<"sum", "Sum">;
def TTNN_MeanOp : TTNN_ReductionOp<"mean", "Mean">;
def TTNN_MaxOp : TTNN_ReductionOp<"max", "Maximum">;
def TTNN_MinOp : TTNN_ReductionOp<"min", "Minimum">;

def TTNN_ProdOp : TTNN_ArithmeticOp<"prod", [TTNN_ComputeKernelConfigOpInterface]> {
  let summary = "Product over one dimension, or over all";
  let ownArguments = (ins TTNN_Tensor:$input, BoolAttr:$keep_dim, OptionalAttr<TTNN_IntAttr>:$dim_arg,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

def TTNN_ArgMaxOp : TTNN_ArithmeticOp<"argmax"> {
  let summary = "Index of the maximum along one dimension, or in the whole tensor";
  let ownArguments = (ins TTNN_Tensor:$input, OptionalAttr<TTNN_IntAttr>:$dim, TTNN_DefaultFalse:$keep_dim,
      OptionalAttr<BoolAttr>:$use_multicore);
  let hasVerifier = 1;
}

def TTNN_SoftmaxOp : TTNN_ArithmeticOp<"softmax", [TTNN_ComputeKernelConfigOpInterface]> {
  let summary = "Exponentials along one dimension, scaled to sum 1";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_IntAttr:$dimension, TTNN_DefaultFalse:$numericStable,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

/// Running sum along one dimension. tt-mlir calls it moreh_cumsum.
class TTNN_CumSumLikeOp<string mnemonic> : TTNN_ArithmeticOp<mnemonic> {
  let summary = "Running sum along one dimension";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_IntAttr:$dim);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifySameShapeAlong(*this, getInput().getType(), getDim(), "dim", getType());
    }
  }];
}
def TTNN_CumSumOp : TTNN_CumSumLikeOp<"cumsum">;
def TTNN_MorehCumSumOp : TTNN_CumSumLikeOp<"moreh_cumsum">;
def TTNN_CumProdOp : TTNN_CumSumLikeOp<"cumprod"> {
  let summary = "Running product along one dimension";
}

def TTNN_CumulativeOp : TTNN_ArithmeticOp<"cumulative"> {
  let summary = "What each element makes with those before it along one dimension, or behind it";
  let description = "Of October 2026, from `reduce_window` over all that comes before. No published library has it.";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_IntAttr:$dim, TTCore_ReduceTypeAttr:$reduction,
      TTNN_DefaultFalse:$reverse);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifySameShapeAlong(*this, getInput().getType(), getDim(), "dim", getType());
    }
  }];
}

// ---- Values and indices -----------------------------------------------------------------------------------

def TTNN_SortOp : TTNN_ComputeOp<"sort", [TTNN_TypesAreTied]> {
  let summary = "Sorted values along one dimension, and where they were";
  let description = "The values have the input's type, layout included.";
  let ownArguments = (ins TTNN_Tensor:$input, OptionalAttr<TTNN_IntAttr>:$dim, TTNN_DefaultFalse:$descending,
      TTNN_DefaultFalse:$stable);
  let results = (outs TTNN_Tensor:$values, TTNN_Tensor:$indices);
  let hasVerifier = 1;
}

def TTNN_TopKOp : TTNN_ComputeOp<"topk"> {
  let summary = "The k largest (or smallest) values along one dimension, and where they were";
  let ownArguments = (ins TTNN_Tensor:$input_tensor, TTNN_IntAttr:$k, OptionalAttr<TTNN_IntAttr>:$dim,
      OptionalAttr<BoolAttr>:$largest, OptionalAttr<BoolAttr>:$sorted);
  let results = (outs TTNN_Tensor:$values, TTNN_Tensor:$indices);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSREDUCTION_TD
