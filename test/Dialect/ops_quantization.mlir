// Quantized data types.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

func.func @quantize_0(%a0: tensor<64x32xbf16>, %a1: tensor<1xf32>, %a2: tensor<1xsi32>) {
  // CHECK: "ttnn.quantize"(%arg0, %arg1, %arg2) <{output_dtype = #ttcore.supportedDataTypes<si32>}> : (
  %0 = "ttnn.quantize"(%a0, %a1, %a2) <{output_dtype = #ttcore.supportedDataTypes<si32>}> : (tensor<64x32xbf16>, tensor<1xf32>, tensor<1xsi32>) -> tensor<64x32xsi32>
  return
}

func.func @dequantize_1(%a0: tensor<64x32xsi32>, %a1: tensor<64xf32>, %a2: tensor<64xsi32>) {
  // CHECK: "ttnn.dequantize"(%arg0, %arg1, %arg2) <{axis = 0 : i32}> : (
  %0 = "ttnn.dequantize"(%a0, %a1, %a2) <{axis = 0 : i32}> : (tensor<64x32xsi32>, tensor<64xf32>, tensor<64xsi32>) -> tensor<64x32xbf16>
  return
}

func.func @requantize_2(%a0: tensor<64x32xsi32>, %a1: tensor<1xf32>, %a2: tensor<1xsi32>, %a3: tensor<1xf32>, %a4: tensor<1xsi32>) {
  // CHECK: "ttnn.requantize"(%arg0, %arg1, %arg2, %arg3, %arg4) : (
  %0 = "ttnn.requantize"(%a0, %a1, %a2, %a3, %a4) : (tensor<64x32xsi32>, tensor<1xf32>, tensor<1xsi32>, tensor<1xf32>, tensor<1xsi32>) -> tensor<64x32xsi32>
  return
}

func.func @bitcast_convert_3(%a0: tensor<64x32xf32>) {
  // CHECK: "ttnn.bitcast_convert"(%arg0) : (
  %0 = "ttnn.bitcast_convert"(%a0) : (tensor<64x32xf32>) -> tensor<64x32xsi32>
  return
}
