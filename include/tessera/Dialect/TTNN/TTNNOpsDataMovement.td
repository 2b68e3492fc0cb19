//===- TTNNOpsDataMovement.td - Same values, other places ------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSDATAMOVEMENT_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSDATAMOVEMENT_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

class TTNN_DataMovementOp<string mnemonic, string what, dag attributes> : TTNN_ComputeOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input), attributes);
  let hasVerifier = 1;
}

def TTNN_ReshapeOp
    : TTNN_DataMovementOp<"reshape", "The same elements in row-major order under another shape",
                          (ins I32ArrayAttr:$shape)>;
def TTNN_PermuteOp
    : TTNN_DataMovementOp<"permute", "Result dimension i is input dimension permutation[i]",
                          (ins DenseI64ArrayAttr:$permutation, OptionalAttr<F32Attr>:$pad_value)>;
def TTNN_TransposeOp : TTNN_DataMovementOp<"transpose", "Exchanges two dimensions",
                                           (ins TTNN_IntAttr:$dim0, TTNN_IntAttr:$dim1)>;
def TTNN_SliceStaticOp
    : TTNN_DataMovementOp<"slice_static", "Every step-th element from begin up to end, per dimension",
                          (ins I32ArrayAttr:$begins, I32ArrayAttr:$ends, I32ArrayAttr:$step)>;
def TTNN_PadOp
    : TTNN_DataMovementOp<"pad", "Adds `value` before and after, two entries of `padding` per dimension",
                          (ins DenseI32ArrayAttr:$padding, F32Attr:$value, BoolAttr:$use_multicore)>;
def TTNN_RepeatOp : TTNN_DataMovementOp<"repeat", "The whole tensor over and over along each dimension",
                                        (ins TTNN_ShapeAttr:$repeat_dims)>;
def TTNN_RepeatInterleaveOp
    : TTNN_DataMovementOp<"repeat_interleave", "Each slice of one dimension several times",
                          (ins TTNN_IntAttr:$repeats, TTNN_IntAttr:$dim)>;

def TTNN_SliceDynamicOp : TTNN_ComputeOp<"slice_dynamic"> {
  let summary = "slice_static with bounds known at run time only";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$begins, TTNN_Tensor:$ends,
      OptionalAttr<I32ArrayAttr>:$step);
  let hasVerifier = 1;
}

def TTNN_ConcatOp : TTNN_ComputeOp<"concat"> {
  let summary = "Tensors one after another along one dimension";
  let ownArguments = (ins Variadic<TTNN_Tensor>:$inputs, TTNN_IntAttr:$dim);
  let hasVerifier = 1;
}

def TTNN_AssignOp : TTNN_ComputeOp<"assign"> {
  let summary = "A copy";
  let ownArguments = (ins TTNN_Tensor:$input);
  let hasVerifier = 1;
}

// ---- Driven by indices ------------------------------------------------------------------------------------

def TTNN_GatherOp : TTNN_ComputeOp<"gather"> {
  let summary = "Elements of input at the positions that index gives along dim";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$index, TTNN_IntAttr:$dim);
  let hasVerifier = 1;
}

def TTNN_ScatterOp : TTNN_ComputeOp<"scatter"> {
  let summary = "input with the elements of source written to the positions that index gives along dim";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$index, TTNN_Tensor:$source, TTNN_IntAttr:$dim,
      TTCore_ReduceTypeAttr:$scatter_reduce_type);
  let hasVerifier = 1;
}

// Not in tt-mlir's public source as of August 2026; as the compiler of October 2026 writes it (facts/dialect 10).
def TTNN_RowsScatterOp : TTNN_ComputeOp<"rows_scatter"> {
  let summary = "input with rows of source written from the positions that index gives on";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$index, TTNN_Tensor:$source, BoolAttr:$column,
      TTCore_ReduceTypeAttr:$reduce, DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$windows);
  let hasVerifier = 1;
}

// From the same compiler, whose libtt.so has it (facts/dialect 10).
def TTNN_RowsGatherOp : TTNN_ComputeOp<"rows_gather"> {
  let summary = "windows of rows of input, from the positions on that index gives";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$index, BoolAttr:$column, BoolAttr:$fill_out_of_bounds,
      DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$windows);
  let hasVerifier = 1;
}

def TTNN_EmbeddingOp : TTNN_ArithmeticOp<"embedding"> {
  let summary = "Rows of weight, one per element of input";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$weight);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSDATAMOVEMENT_TD
