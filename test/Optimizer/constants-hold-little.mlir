// Const-eval functions hold little at once: what leaves tiles does so before the next weights enter them. 512x512 weights of 1x1 take
// 512 MiB in tiles and 512 KiB in rows.
// RUN: tessera optimize -q %s -o - | FileCheck %s
// A policy that decides nothing leaves them alone, and so is what would not hold less.
// RUN: tessera optimize -q %s -o - --policy declared | FileCheck %s --check-prefix KEPT
// An op that nobody knows may write what it reads.
// RUN: sed -e 's/"ttnn.deallocate"(%1)/"ttnn.newer_op"(%1)/' %s | tessera optimize -q - -o - | FileCheck %s --check-prefix KEPT

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 + d2, d3), <1x1>, memref<262144x1xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 16384 + d1 * 32 + d2, d3), <1x1>, memref<262144x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

module {
  // CHECK-LABEL: @main_const_eval_0(
  // CHECK-NEXT: %[[A:.*]] = "ttnn.to_layout"(%arg0)
  // CHECK-NEXT: %[[SQUARE:.*]] = "ttnn.multiply"(%[[A]], %[[A]])
  // CHECK-NEXT: "ttnn.deallocate"(%[[A]])
  // CHECK-NEXT: %[[FIRST:.*]] = "ttnn.to_layout"(%[[SQUARE]])
  // CHECK-NEXT: "ttnn.deallocate"(%[[SQUARE]])
  // CHECK-NEXT: %[[B:.*]] = "ttnn.to_layout"(%arg1)
  // CHECK-NEXT: %[[SUM:.*]] = "ttnn.add"(%[[B]], %[[B]])
  // CHECK-NEXT: "ttnn.deallocate"(%[[B]])
  // CHECK-NEXT: %[[SECOND:.*]] = "ttnn.to_layout"(%[[SUM]])
  // CHECK-NEXT: "ttnn.deallocate"(%[[SUM]])
  // CHECK-NEXT: return %[[FIRST]], %[[SECOND]]
  // KEPT-LABEL: @main_const_eval_0(
  // KEPT: "ttnn.multiply"
  // KEPT-NEXT: "ttnn.add"
  func.func private @main_const_eval_0(%a: tensor<512x512x1x1xbf16, #rows>, %b: tensor<512x512x1x1xbf16, #rows>)
      -> (tensor<512x512x1x1xbf16, #rows>, tensor<512x512x1x1xbf16, #rows>) attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.to_layout"(%a) : (tensor<512x512x1x1xbf16, #rows>) -> tensor<512x512x1x1xbf16, #tiles>
    %1 = "ttnn.to_layout"(%b) : (tensor<512x512x1x1xbf16, #rows>) -> tensor<512x512x1x1xbf16, #tiles>
    %2 = "ttnn.multiply"(%0, %0) : (tensor<512x512x1x1xbf16, #tiles>, tensor<512x512x1x1xbf16, #tiles>) -> tensor<512x512x1x1xbf16, #tiles>
    %3 = "ttnn.add"(%1, %1) : (tensor<512x512x1x1xbf16, #tiles>, tensor<512x512x1x1xbf16, #tiles>) -> tensor<512x512x1x1xbf16, #tiles>
    "ttnn.deallocate"(%0) <{force = false}> : (tensor<512x512x1x1xbf16, #tiles>) -> ()
    "ttnn.deallocate"(%1) <{force = false}> : (tensor<512x512x1x1xbf16, #tiles>) -> ()
    %4 = "ttnn.to_layout"(%2) : (tensor<512x512x1x1xbf16, #tiles>) -> tensor<512x512x1x1xbf16, #rows>
    %5 = "ttnn.to_layout"(%3) : (tensor<512x512x1x1xbf16, #tiles>) -> tensor<512x512x1x1xbf16, #rows>
    return %4, %5 : tensor<512x512x1x1xbf16, #rows>, tensor<512x512x1x1xbf16, #rows>
  }

  // CHECK-LABEL: @main_const_eval_1(
  // CHECK-NEXT: "ttnn.multiply"
  // CHECK-NEXT: "ttnn.add"
  // CHECK-NEXT: return
  func.func private @main_const_eval_1(%a: tensor<32x32xbf16, #x>) -> (tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>) attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.multiply"(%a, %a) : (tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>) -> tensor<32x32xbf16, #x>
    %1 = "ttnn.add"(%a, %a) : (tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>) -> tensor<32x32xbf16, #x>
    return %0, %1 : tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>
  }

  func.func @main(%x: tensor<32x32xbf16, #x> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %a: tensor<512x512x1x1xbf16, #rows> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                  %b: tensor<512x512x1x1xbf16, #rows> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                  %c: tensor<32x32xbf16, #x> {ttcore.argument_type = #ttcore.argument_type<parameter>})
      -> (tensor<32x32xbf16, #x>, tensor<512x512x1x1xbf16, #rows>, tensor<512x512x1x1xbf16, #rows>, tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>) {
    %0:2 = ttcore.load_cached(@main_const_eval_0, [%a, %b]) : (tensor<512x512x1x1xbf16, #rows>, tensor<512x512x1x1xbf16, #rows>) -> (tensor<512x512x1x1xbf16, #rows>, tensor<512x512x1x1xbf16, #rows>)
    %1:2 = ttcore.load_cached(@main_const_eval_1, [%c]) : (tensor<32x32xbf16, #x>) -> (tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>)
    %2 = "ttnn.relu"(%x) : (tensor<32x32xbf16, #x>) -> tensor<32x32xbf16, #x>
    return %2, %0#0, %0#1, %1#0, %1#1 : tensor<32x32xbf16, #x>, tensor<512x512x1x1xbf16, #rows>, tensor<512x512x1x1xbf16, #rows>, tensor<32x32xbf16, #x>, tensor<32x32xbf16, #x>
  }
}
