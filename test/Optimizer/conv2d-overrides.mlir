// override-conv2d-config: each key reaches the op model, the search and the config that is written, or is refused by name.

// All keys that can be given, whoever decides.
// RUN: tessera-opt --ttnn-optimizer="override-conv2d-config=b=weights_dtype#bfp_bf8:activation#relu:deallocate_activation#false:reallocate_halo_output#true:act_block_h_override#64:act_block_w_div#1:reshard_if_not_optimal#true:override_sharding_config#false:shard_layout#block_sharded:transpose_shards#true:output_layout#tile:enable_act_double_buffer#true:enable_weights_double_buffer#true" %s | FileCheck %s --check-prefix=ALL
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=DFSharding override-conv2d-config=b=weights_dtype#bfp_bf8:activation#relu:deallocate_activation#false:reallocate_halo_output#true:act_block_h_override#64:act_block_w_div#1:reshard_if_not_optimal#true:override_sharding_config#false:shard_layout#block_sharded:transpose_shards#true:output_layout#tile:enable_act_double_buffer#true:enable_weights_double_buffer#true" %s | FileCheck %s --check-prefix=ALL
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-conv2d-config=b=weights_dtype#bfp_bf8:activation#relu:deallocate_activation#false:reallocate_halo_output#true:act_block_h_override#64:act_block_w_div#1:reshard_if_not_optimal#true:override_sharding_config#false:shard_layout#block_sharded:transpose_shards#true:output_layout#tile:enable_act_double_buffer#true:enable_weights_double_buffer#true" %s | FileCheck %s --check-prefix=ALL
// ALL: ttnn.conv2d
// ALL: "ttnn.conv2d"{{.*}}conv2d_config<weights_dtype = bfp_bf8, activation = <op_type = relu>, deallocate_activation = false, reallocate_halo_output = true, act_block_h_override = 64, act_block_w_div = 1, reshard_if_not_optimal = true, override_sharding_config = false, shard_layout = block_sharded, transpose_shards = true, output_layout = tile, enable_act_double_buffer = true, enable_weights_double_buffer = true, config_tensors_in_dram = true>

// Keys that do not name one of the searched knobs leave slicing to the backend, as it was.
// ALL-NOT: conv2d_slice_config<l1_full{{.*}}loc("a")

// The op model and the policies go by them. The bytes of buffers: as it is; with weights of one byte; with shards that the conv asks for.
// RUN: tessera optimize %s --policy df-sharding --backend-version pinned --explain -q | FileCheck %s --check-prefix=PLAIN
// RUN: tessera optimize %s --policy df-sharding --backend-version pinned --explain -q --override-conv2d-config b=weights_dtype#bfp_bf8 | FileCheck %s --check-prefix=WEIGHTS
// RUN: tessera optimize %s --policy df-sharding --chains-as-designed --backend-version pinned --explain -q --override-conv2d-config b=shard_layout#block_sharded | FileCheck %s --check-prefix=BLOCKS
// RUN: tessera optimize %s --policy df-sharding --backend-version pinned --explain -q --override-conv2d-config b=reshard_if_not_optimal#true | FileCheck %s --check-prefix=RESHARD
// PLAIN: {{[0-9]}} b l1/height_sharded/{{.*}} height_sharded deallocate_activation {{.*}} 62.0 KiB 152 KiB
// WEIGHTS: {{[0-9]}} b l1/height_sharded/{{.*}} 62.0 KiB 141 KiB
// BLOCKS: {{[0-9]}} b l1/block_sharded/{{.*}} block_sharded act_block_h 32 deallocate_activation
// RESHARD: {{[0-9]}} b l1/height_sharded/{{.*}} height_sharded reshard_if_not_optimal deallocate_activation

// deallocate_activation is kept: the conv reads what it may free. %arg0 is read later, so that "a" frees a copy.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-conv2d-config=a=deallocate_activation#true" %s | FileCheck %s --check-prefix=FREES
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=DFSharding override-conv2d-config=a=deallocate_activation#true" %s | FileCheck %s --check-prefix=FREES
// RUN: tessera-opt --ttnn-optimizer="override-conv2d-config=a=deallocate_activation#true" %s | FileCheck %s --check-prefix=FREES
// FREES: %[[COPY:.*]] = "ttnn.to_memory_config"(%arg0)
// FREES: "ttnn.conv2d"(%[[COPY]]{{.*}}deallocate_activation = true{{.*}} -> tensor<1x1x6272x64xbf16, #[[L1:ttnn_layout[0-9]*]]>
// FREES-NOT: "ttnn.deallocate"(%[[COPY]])

// The result's page layout and output_layout agree: the override decides the type,
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-conv2d-config=b=output_layout#row_major" %s | FileCheck %s --check-prefix=ROWS
// RUN: tessera-opt --ttnn-optimizer="override-conv2d-config=b=output_layout#row_major" %s | FileCheck %s --check-prefix=ROWS
// ROWS: #[[RM:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}memref<{{[0-9]+}}x{{[0-9]+}}xbf16, #{{l1|dram}}>
// ROWS: output_layout = row_major{{.*}} -> tensor<1x1x6272x64xbf16, #[[RM]]>
// and the type the key, whether a policy chose it or an output-layout override.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=b=row_major" %s | FileCheck %s --check-prefix=ROWS
// RUN: tessera optimize %S/../../examples/resnet_block.mlir --policy df-sharding --max-legal-layouts 16 --row-major-enabled --override-conv2d-config conv2d_1=shard_layout#block_sharded -q -o - | FileCheck %s --check-prefix=ENABLED
// ENABLED: #[[RM:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}memref<3136x8xbf16, #l1>
// ENABLED: shard_layout = block_sharded, output_layout = row_major{{.*}} -> tensor<1x1x25088x64xbf16, #[[RM]]>
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=b=output_layout#row_major override-output-layout=b=tile" %s 2>&1 | FileCheck %s --check-prefix=CONTRADICT
// CONTRADICT: error: {{.*}}override-output-layout: 'b' cannot produce this layout; legal: {{.*}}row_major

// Refused by name.
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=b=core_grid#8" %s 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: override-conv2d-config: 'core_grid' of op 'b' cannot be overridden
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=b=override_sharding_config#true" %s 2>&1 | FileCheck %s --check-prefix=SHARDING
// SHARDING: error: {{.*}}override-conv2d-config: override_sharding_config of 'b' means a core_grid of the op's own, and the op has none
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=b=act_block_h_override#33" %s 2>&1 | FileCheck %s --check-prefix=HEIGHT
// HEIGHT: error: {{.*}}override-conv2d-config: 'b' cannot run so: ttnn.conv2d: act_block_h_override must be a multiple of 32

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 6272 + d1 * 6272 + d2, d3), <1x1>, memref<196x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 3 + d2, d3), <1x1>, memref<12288x3xbf16, #system_memory>>
func.func @forward(%x: tensor<1x1x6272x64xbf16, #x>, %w0: tensor<64x64x3x3xbf16, #w>, %w1: tensor<64x64x3x3xbf16, #w>) -> tensor<1x1x6272x64xbf16, #x> {
  %device = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w0, %device) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x6272x64xbf16, #x>, tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x6272x64xbf16, #x> loc("a")
  %1 = "ttnn.conv2d"(%0, %w1, %device) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x6272x64xbf16, #x>, tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x6272x64xbf16, #x> loc("b")
  %2 = "ttnn.add"(%1, %x) : (tensor<1x1x6272x64xbf16, #x>, tensor<1x1x6272x64xbf16, #x>) -> tensor<1x1x6272x64xbf16, #x>
  return %2 : tensor<1x1x6272x64xbf16, #x>
}
