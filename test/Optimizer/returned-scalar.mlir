// A result of the function has the caller's type, which may say more than where it lies: one of rank 0 the map of another rank. So also where the
// plan computes it elsewhere and brings it back.

// RUN: tessera optimize %s -o - --override-output-layout sum=l1:interleaved 2>/dev/null | FileCheck %s
// CHECK-DAG: [[MATRIX:#[a-z0-9_]+]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
// CHECK:     func.func @next({{.*}}) -> tensor<si32, [[MATRIX]]>
// CHECK:     [[SUM:%[0-9]+]] = "ttnn.add"
// CHECK:     [[BACK:%[0-9]+]] = "ttnn.to_memory_config"([[SUM]]) {{.*}} -> tensor<si32, [[MATRIX]]>
// CHECK:     return [[BACK]] : tensor<si32, [[MATRIX]]>

#dram = #ttnn.buffer_type<dram>
#scalar = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#matrix = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func @next(%arg0: tensor<si32, #scalar>, %arg1: tensor<si32, #scalar>) -> tensor<si32, #matrix> {
  %0 = "ttnn.add"(%arg0, %arg1) : (tensor<si32, #scalar>, tensor<si32, #scalar>) -> tensor<si32, #matrix> loc("sum")
  return %0 : tensor<si32, #matrix>
}
