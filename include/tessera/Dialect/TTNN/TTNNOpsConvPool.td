//===- TTNNOpsConvPool.td - Convolutions, pools, upsampling ----*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The 2-D sliding-window ops take and make images flattened to
// 1 x 1 x (N*H*W) x C; N, H, W and C are attributes. Extent of an output
// dimension, with padding before and after and a window of k taps:
//
//   convolution             (in + before + after - dilation * (k - 1) - 1) / stride + 1
//   transposed convolution  (in - 1) * stride - before - after + dilation * (k - 1) + output_padding + 1
//
// `padding` is (vertical, horizontal) or has four entries, whose order is
// Support/WindowPadding.h's. Convolution weights are OIHW (IOHW if
// transposed) on the host, or what a prepare op made of them: 1 x 1 x K x N.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSCONVPOOL_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSCONVPOOL_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

// ---- Convolutions -----------------------------------------------------------------------------------------

class TTNN_ConvolutionOp<string mnemonic, list<Trait> traits = []>
    : TTNN_ArithmeticOp<mnemonic, [TTNN_ComputeKernelConfigOpInterface]#traits> {
  dag operands = (ins TTNN_Tensor:$input, TTNN_Tensor:$weight, Optional<TTNN_Tensor>:$bias,
      TTNN_DeviceType:$device);
  let hasVerifier = 1;
}

/// What conv2d, conv_transpose2d and the ops that prepare their parameters have in common.
defvar TTNN_Window2D = (ins I32Attr:$in_channels, I32Attr:$out_channels, I32Attr:$batch_size,
    I32Attr:$input_height, I32Attr:$input_width, DenseI32ArrayAttr:$kernel_size, DenseI32ArrayAttr:$stride,
    DenseI32ArrayAttr:$padding, DenseI32ArrayAttr:$dilation, I32Attr:$groups);
defvar TTNN_Conv2dConfigs = (ins OptionalAttr<TTNN_Conv2dConfigAttr>:$conv2d_config,
    OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config,
    OptionalAttr<TTNN_Conv2dSliceConfigAttr>:$conv2d_slice_config);

def TTNN_Conv2dOp : TTNN_ConvolutionOp<"conv2d"> {
  let summary = "2-D convolution of a flattened image";
  let ownArguments = !con(operands, TTNN_Window2D, TTNN_Conv2dConfigs);
}

def TTNN_ConvTranspose2dOp : TTNN_ConvolutionOp<"conv_transpose2d"> {
  let summary = "Transposed 2-D convolution of a flattened image";
  let ownArguments = !con(operands, TTNN_Window2D, (ins DenseI32ArrayAttr:$output_padding), TTNN_Conv2dConfigs);
}

def TTNN_Conv3dOp : TTNN_ConvolutionOp<"conv3d"> {
  let summary = "3-D convolution of an NDHWC tensor";
  let ownArguments = !con(operands, (ins I32Attr:$in_channels, I32Attr:$out_channels, I32Attr:$batch_size,
                                     I32Attr:$input_depth, I32Attr:$input_height, I32Attr:$input_width,
                                     DenseI32ArrayAttr:$kernel_size, DenseI32ArrayAttr:$stride,
                                     DenseI32ArrayAttr:$padding,
                                     OptionalAttr<DenseI32ArrayAttr>:$dilation,
                                     DefaultValuedStrAttr<StrAttr, "zeros">:$padding_mode, I32Attr:$groups,
                                     OptionalAttr<TTNN_Conv3dConfigAttr>:$conv3d_config,
                                     OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config));
}

// ---- Preparing convolution parameters ---------------------------------------------------------------------

/// Turns a host weight or bias into the form that the convolution with these attributes and this placement of
/// the input reads fastest.
class TTNN_PrepareOp<string mnemonic, string what>
    : TTNN_ComputeOp<
          mnemonic, [DeclareOpInterfaceMethods<TTNN_DtypeOpInterface, ["getDataType", "setDataType"]>,
                     TTNN_ComputeKernelConfigOpInterface]> {
  let summary = "Rearranges the "#what;
  dag placement = (ins TTNN_MemoryConfigAttr:$input_memory_config, TTNN_LayoutAttr:$input_tensor_layout);
  dag types = (ins TTCore_DataTypeAttr:$input_dtype, OptionalAttr<TTCore_DataTypeAttr>:$output_dtype);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::std::optional<::tessera::DataType> $cppClass::getDataType() { return getResultDataType(*this); }
    ::llvm::LogicalResult $cppClass::setDataType(::tessera::DataType type) {
      return setPreparedDataType(*this, type);
    }
  }];
}

class TTNN_PrepareWeightsOp<string mnemonic, string what, dag extra = (ins)> : TTNN_PrepareOp<mnemonic, what> {
  let ownArguments =
      !con((ins TTNN_Tensor:$weight_tensor, TTNN_DeviceType:$device), placement,
           (ins StrAttr:$weights_format, BoolAttr:$has_bias), TTNN_Window2D, extra, types, TTNN_Conv2dConfigs);
}
class TTNN_PrepareBiasOp<string mnemonic, string what> : TTNN_PrepareOp<mnemonic, what> {
  let ownArguments = !con((ins TTNN_Tensor:$bias_tensor, TTNN_DeviceType:$device), placement, TTNN_Window2D,
                       types, TTNN_Conv2dConfigs);
}
def TTNN_PrepareConv2dWeightsOp : TTNN_PrepareWeightsOp<"prepare_conv2d_weights", "weights of a conv2d">;
def TTNN_PrepareConv2dBiasOp : TTNN_PrepareBiasOp<"prepare_conv2d_bias", "bias of a conv2d">;
def TTNN_PrepareConvTranspose2dWeightsOp
    : TTNN_PrepareWeightsOp<"prepare_conv_transpose2d_weights", "weights of a conv_transpose2d",
                            (ins OptionalAttr<DenseI32ArrayAttr>:$output_padding,
                                OptionalAttr<BoolAttr>:$mirror_kernel)>;
def TTNN_PrepareConvTranspose2dBiasOp
    : TTNN_PrepareBiasOp<"prepare_conv_transpose2d_bias", "bias of a conv_transpose2d">;

// ---- Pools ------------------------------------------------------------------------------------------------

defvar TTNN_PoolWindow = (ins TTNN_IntAttr:$batch_size, TTNN_IntAttr:$input_height, TTNN_IntAttr:$input_width,
    TTNN_IntAttr:$channels, DenseI32ArrayAttr:$kernel_size, DenseI32ArrayAttr:$stride,
    DenseI32ArrayAttr:$padding, DenseI32ArrayAttr:$dilation, BoolAttr:$ceil_mode,
    OptionalAttr<BoolAttr>:$reallocate_halo_output, OptionalAttr<BoolAttr>:$config_tensors_in_dram,
    OptionalAttr<AnyAttr>:$applied_shard_scheme);

class TTNN_Pool2dOp<string mnemonic> : TTNN_ArithmeticOp<mnemonic> {
  let ownArguments = !con((ins TTNN_Tensor:$input), TTNN_PoolWindow);
  let hasVerifier = 1;
  let extraClassDefinition = "::llvm::LogicalResult $cppClass::verify() { return verifyPool(*this); }";
}
def TTNN_MaxPool2dOp : TTNN_Pool2dOp<"max_pool2d"> {
  let summary = "Maximum over windows of a flattened image";
}
def TTNN_MaxPool2dWithIndicesOp : TTNN_Pool2dOp<"max_pool2d_with_indices"> {
  let summary = "Maximum over windows of a flattened image, and where it was";
  let results = (outs TTNN_Tensor:$result, TTNN_Tensor:$result_indices);
}
def TTNN_AvgPool2dOp : TTNN_Pool2dOp<"avg_pool2d"> {
  let summary = "Mean over windows of a flattened image";
  let ownArguments =
      !con((ins TTNN_Tensor:$input), TTNN_PoolWindow,
           (ins OptionalAttr<BoolAttr>:$count_include_pad, OptionalAttr<TTNN_IntAttr>:$divisor_override,
               OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config));
}

def TTNN_GlobalAvgPool2dOp : TTNN_ArithmeticOp<"global_avg_pool2d"> {
  let summary = "Mean over height and width of an NHWC tensor";
  let ownArguments = (ins TTNN_Tensor:$input);
  let hasVerifier = 1;
}

def TTNN_UpsampleOp : TTNN_ComputeOp<"upsample"> {
  let summary = "Enlarges height and width of an NHWC tensor by whole factors";
  let ownArguments = (ins TTNN_Tensor:$input, AnyAttrOf<[TTNN_IntAttr, DenseI32ArrayAttr]>:$scale_factor,
      OptionalAttr<StrAttr>:$mode);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSCONVPOOL_TD
