//===- TTNNOpsQuantization.td - Quantized data types -----------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// real = (quantized - zero_point) * scale, with one scale and zero point for
// the whole tensor, or one per index of dimension `axis`.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSQUANTIZATION_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSQUANTIZATION_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

class TTNN_QuantizationOp<string mnemonic, string what, dag parameters> : TTNN_ComputeOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input), parameters,
                       (ins OptionalAttr<I32Attr>:$axis, OptionalAttr<TTCore_DataTypeAttr>:$output_dtype));
}
def TTNN_QuantizeOp : TTNN_QuantizationOp<"quantize", "Real numbers to quantized ones",
                                          (ins TTNN_Tensor:$scale, TTNN_Tensor:$zero_point)>;
def TTNN_DequantizeOp : TTNN_QuantizationOp<"dequantize", "Quantized numbers to real ones",
                                            (ins TTNN_Tensor:$scale, TTNN_Tensor:$zero_point)>;
def TTNN_RequantizeOp
    : TTNN_QuantizationOp<"requantize", "Quantized numbers to another scale and zero point",
                          (ins TTNN_Tensor:$in_scale, TTNN_Tensor:$in_zero_point, TTNN_Tensor:$out_scale,
                              TTNN_Tensor:$out_zero_point)>;

def TTNN_BitcastConvertOp : TTNN_ComputeOp<"bitcast_convert"> {
  let summary = "The same bits as another data type";
  let ownArguments = (ins TTNN_Tensor:$input);
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSQUANTIZATION_TD
