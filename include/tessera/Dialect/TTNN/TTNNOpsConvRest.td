//===- TTNNOpsConvRest.td - Convolutions but 2-D ones ----------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSCONVREST_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSCONVREST_TD

include "tessera/Dialect/TTNN/TTNNOpsConvPool.td"

def TTNN_Conv1dOp : TTNN_ConvolutionOp<"conv1d"> {
  let summary = "1-D convolution of N x L x C";
  let ownArguments =
      !con(operands,
           (ins I32Attr:$in_channels, I32Attr:$out_channels, I32Attr:$batch_size, I32Attr:$input_length,
               I32Attr:$kernel_size, I32Attr:$stride, DenseI32ArrayAttr:$padding, I32Attr:$dilation,
               I32Attr:$groups), TTNN_Conv2dConfigs);
}

def TTNN_PrepareConv3dWeightsOp : TTNN_ComputeOp<"prepare_conv3d_weights"> {
  let summary = "Rearranges the weights of a conv3d";
  let ownArguments = (ins TTNN_Tensor:$weight_tensor, TTNN_DeviceType:$device, I32Attr:$groups,
      I32Attr:$c_in_block, I32Attr:$alignment);
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSCONVREST_TD
