// Ops that the op model does not know keep their layouts, with one remark for each kind; their neighbours do not.
// RUN: tessera optimize %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: tessera-opt %t.mlir | FileCheck %s

// REMARKS-DAG: remark: 'ttnn.all_to_all_dispatch_metadata' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.selective_reduce_combine' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.moe_compute' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.prepare_moe_compute_w0_w1_weights' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.prepare_moe_compute_w2_weights' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.moe_gpt' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.distributed_layer_norm' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.dit_rms_norm_unary_fused' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.all_reduce_async' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.point_to_point' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.aggregate_tensor' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.distribute_tensor' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.alloc' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.load_tensor' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.dump_tensor' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.copy' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.generic' keeps its layouts
// REMARKS-DAG: remark: 'ttnn.tt_lang_op' keeps its layouts
// REMARKS-NOT: remark:

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#big = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x1024xbf16, #system_memory>>
#l0 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l5 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l6 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l8 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l9 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l10 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l11 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l12 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l13 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l14 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l15 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<16x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l17 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l18 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4, d5) -> (d0 * 1024 + d1 * 256 + d2 * 256 + d3 * 32 + d4, d5), <1x1>, memref<64x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l19 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l20 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#l21 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#l22 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l23 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l24 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l25 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4, d5) -> (d0 * 16384 + d1 * 16384 + d2 * 1024 + d3 * 256 + d4, d5), <1x1>, memref<4096x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l26 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4, d5) -> (d0 * 8192 + d1 * 8192 + d2 * 512 + d3 * 128 + d4, d5), <1x1>, memref<2048x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l27 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l28 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 256 + d2, d3), <1x1>, memref<32x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l29 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l30 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<16x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l31 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x90x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4, d5) -> (d0 * 46080 + d1 * 46080 + d2 * 11520 + d3 * 2880 + d4, d5), <1x1>, memref<11520x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l33 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x90x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l34 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l35 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l36 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l37 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l38 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!big = tensor<512x1024xbf16, #big>
!host = tensor<512x1024xbf16, #host>

// CHECK-DAG: #[[L1:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), {{.*}}bf16>, #l1>
// CHECK-LABEL: func.func @main
// CHECK: "ttnn.relu"({{.*}} -> tensor<512x1024xbf16, #[[L1]]>
// CHECK: ttnn.all_to_all_dispatch_metadata
// CHECK: ttnn.all_to_all_dispatch_metadata
// CHECK: ttnn.selective_reduce_combine
// CHECK: ttnn.moe_compute
// CHECK: ttnn.prepare_moe_compute_w0_w1_weights
// CHECK: ttnn.prepare_moe_compute_w2_weights
// CHECK: ttnn.moe_gpt
// CHECK: ttnn.distributed_layer_norm
// CHECK: ttnn.dit_rms_norm_unary_fused
// CHECK: ttnn.all_reduce_async
// CHECK: ttnn.all_reduce_async
// CHECK: ttnn.point_to_point
// CHECK: ttnn.aggregate_tensor
// CHECK: ttnn.distribute_tensor
// CHECK: ttnn.alloc
// CHECK: ttnn.load_tensor
// CHECK: ttnn.dump_tensor
// CHECK: ttnn.copy
// CHECK: ttnn.write_tensor
// CHECK: ttnn.generic
// CHECK: ttnn.tt_lang_op
// CHECK: ttnn.create_global_semaphore
// CHECK: ttnn.reset_global_semaphore
// CHECK: ttnn.begin_trace_capture
// CHECK: ttnn.end_trace_capture
// CHECK: ttnn.execute_trace
// CHECK: "ttnn.relu"({{.*}} -> tensor<512x1024xbf16, #[[L1]]>
func.func @main(%x: !big, %y: !big, %h: !host, %d: !ttnn.device, %s: !ttnn.global_semaphore, %a0: tensor<2x8x1x256xbf16, #l0>, %a1: tensor<2x8x1x4xui16, #l1>, %a2: tensor<1x1x16x8xui16, #l2>, %a3: tensor<1x1x32x256xbf16, #l5>, %a4: tensor<1x1x32x4xui16, #l2>, %a5: tensor<1x1x32x4xbf16, #l6>, %a6: tensor<4x16xui16, #l7>, %a7: tensor<1x1x32x256xbf16, #l5>, %a8: tensor<1x1x32x4xui16, #l2>, %a9: tensor<1x1x32x4xbf16, #l6>, %a10: tensor<4x16xui16, #l7>, %a11: tensor<1x64x256xbf16, #l8>, %a12: tensor<1x64x4xui16, #l9>, %a13: tensor<1x64x4xbf16, #l10>, %a14: tensor<2x4x16x256xbf16, #l11>, %a15: tensor<1x4x16x4xui16, #l12>, %a16: tensor<1x1x16x8xui16, #l2>, %a17: tensor<1x4x16x32xbf16, #l14>, %a18: tensor<1x1x32x8xui16, #l2>, %a19: tensor<1x4x16x4xui16, #l12>, %a20: tensor<2x4x32x64xbf16, #l15>, %a21: tensor<1x8x64x96xbf16, #l16>, %a22: tensor<2x4x1x8xbf16, #l17>, %a23: tensor<4x32x256xbf16, #l19>, %a24: tensor<4x32x4xui32, #l20>, %a25: tensor<4x32xui32, #l21>, %a26: tensor<1x4xui32, #l21>, %a27: tensor<1x1x64x256xbf16, #l22>, %a28: tensor<1x1x64x4xui16, #l23>, %a29: tensor<1x1x64x4xbf16, #l24>, %a30: tensor<1x1x16x4xui16, #l2>, %a31: tensor<8x1x16x4x256x128xbf16, #l25>, %a32: tensor<8x1x16x4x128x256xbf16, #l26>, %a33: tensor<4x1x256x128xbf16, #l28>, %a34: tensor<4x1x256x128xbf16, #l28>, %a35: tensor<4x1x128xbf16, #l29>, %a36: tensor<4x1x128xbf16, #l29>, %a37: tensor<4x1x128x256xbf16, #l30>, %a38: tensor<1x1x32x2880xbf16, #l31>, %a39: tensor<1x1x32x4xui16, #l2>, %a40: tensor<1x1x32x4xbf16, #l6>, %a41: tensor<1x1x16x4xui16, #l2>, %a42: tensor<8x1x4x4x2880x128xbf16, #l32>, %a43: tensor<8x1x4x4x2880x128xbf16, #l32>, %a44: tensor<1x1x32x128xbf16, #l34>, %a45: tensor<128xbf16, #l35>, %a46: tensor<1x1x32x128xbf16, #l34>, %a47: tensor<1x1x32x128xbf16, #l34>, %a48: tensor<32x64xbf16, #l36>, %a49: tensor<32x64xbf16, #l36>, %a50: tensor<32x64xbf16, #l36>, %a51: tensor<32x64xbf16, #l36>, %a52: tensor<32x64xbf16, #l36>, %a53: tensor<64x64xbf16, #l37>, %a54: tensor<64x32xbf16, #l38>) -> !big {
  %0 = "ttnn.relu"(%x) : (!big) -> !big
  %1 = "ttnn.relu"(%0) : (!big) -> !big
  %r1:3 = "ttnn.all_to_all_dispatch_metadata"(%a3, %a4, %a5, %a6) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16, #l5>, tensor<1x1x32x4xui16, #l2>, tensor<1x1x32x4xbf16, #l6>, tensor<4x16xui16, #l7>) -> (tensor<1x64x256xbf16, #l8>, tensor<1x64x4xui16, #l9>, tensor<1x64x4xbf16, #l10>)
  %r2:3 = "ttnn.all_to_all_dispatch_metadata"(%a7, %a8, %a9, %a10, %a11, %a12, %a13, %s) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>}> : (tensor<1x1x32x256xbf16, #l5>, tensor<1x1x32x4xui16, #l2>, tensor<1x1x32x4xbf16, #l6>, tensor<4x16xui16, #l7>, tensor<1x64x256xbf16, #l8>, tensor<1x64x4xui16, #l9>, tensor<1x64x4xbf16, #l10>, !ttnn.global_semaphore) -> (tensor<1x64x256xbf16, #l8>, tensor<1x64x4xui16, #l9>, tensor<1x64x4xbf16, #l10>)
  %r6 = "ttnn.selective_reduce_combine"(%a23, %a24, %a25, %a26) <{batch_size = 32 : ui32, experts = 4 : ui32, hidden_size = 256 : ui32, select_experts_k = 4 : ui32, seq_size = 1 : ui32}> : (tensor<4x32x256xbf16, #l19>, tensor<4x32x4xui32, #l20>, tensor<4x32xui32, #l21>, tensor<1x4xui32, #l21>) -> tensor<4x32x256xbf16, #l19>
  %r7 = "ttnn.moe_compute"(%a27, %a28, %a29, %a30, %a31, %a32, %s, %d) <{cluster_axis = 0 : ui32, has_bias = false, intermediate_size = 128 : ui32, layer_id = 3 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>, output_height_shard_dim = 4 : ui32}> : (tensor<1x1x64x256xbf16, #l22>, tensor<1x1x64x4xui16, #l23>, tensor<1x1x64x4xbf16, #l24>, tensor<1x1x16x4xui16, #l2>, tensor<8x1x16x4x256x128xbf16, #l25>, tensor<8x1x16x4x128x256xbf16, #l26>, !ttnn.global_semaphore, !ttnn.device) -> tensor<4x64x256xbf16, #l27>
  %r8 = "ttnn.prepare_moe_compute_w0_w1_weights"(%a33, %a34, %a35, %a36, %d) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4x1x256x128xbf16, #l28>, tensor<4x1x256x128xbf16, #l28>, tensor<4x1x128xbf16, #l29>, tensor<4x1x128xbf16, #l29>, !ttnn.device) -> tensor<8x1x16x4x256x128xbf16, #l25>
  %r9 = "ttnn.prepare_moe_compute_w2_weights"(%a37, %d) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32}> : (tensor<4x1x128x256xbf16, #l30>, !ttnn.device) -> tensor<8x1x16x4x128x256xbf16, #l26>
  %r10:5 = "ttnn.moe_gpt"(%a38, %a39, %a40, %a41, %a42, %a43) <{cluster_axis = 1 : ui32}> : (tensor<1x1x32x2880xbf16, #l31>, tensor<1x1x32x4xui16, #l2>, tensor<1x1x32x4xbf16, #l6>, tensor<1x1x16x4xui16, #l2>, tensor<8x1x4x4x2880x128xbf16, #l32>, tensor<8x1x4x4x2880x128xbf16, #l32>) -> (tensor<1x4xui32, #l21>, tensor<4x32xui32, #l21>, tensor<4x32xui32, #l21>, tensor<4x32x2880xbf16, #l33>, tensor<4x32x2880xbf16, #l33>)
  %r11 = "ttnn.distributed_layer_norm"(%a44, %a45, %d) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<1x1x32x128xbf16, #l34>, tensor<128xbf16, #l35>, !ttnn.device) -> tensor<1x1x32x128xbf16, #l34>
  %r12 = "ttnn.dit_rms_norm_unary_fused"(%a46, %a47) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<1x1x32x128xbf16, #l34>, tensor<1x1x32x128xbf16, #l34>) -> tensor<1x1x32x128xbf16, #l34>
  %r13 = "ttnn.all_reduce_async"(%a48) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #ttcore.reduce_type<sum>, topology = #ttcore.topology<ring>}> : (tensor<32x64xbf16, #l36>) -> tensor<32x64xbf16, #l36>
  %r14 = "ttnn.all_reduce_async"(%a49) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #ttcore.reduce_type<sum>, topology = #ttcore.topology<ring>}> : (tensor<32x64xbf16, #l36>) -> tensor<32x64xbf16, #l36>
  %r15 = "ttnn.point_to_point"(%a50, %a51) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (tensor<32x64xbf16, #l36>, tensor<32x64xbf16, #l36>) -> tensor<32x64xbf16, #l36>
  %r16 = "ttnn.aggregate_tensor"(%a52, %d) <{composer_config = #ttnn.mesh_composer_config<dims = [0 : i64]>}> : (tensor<32x64xbf16, #l36>, !ttnn.device) -> tensor<64x64xbf16, #l37>
  %r17 = "ttnn.distribute_tensor"(%a53, %d) <{cq_id = 1 : ui32, mapper_config = #ttnn.mesh_mapper_config<placements = [<shard, 0 : i64>, <replicate>]>}> : (tensor<64x64xbf16, #l37>, !ttnn.device) -> tensor<32x64xbf16, #l36>
  %r18 = "ttnn.alloc"() <{address = 4096 : i64, buffer_type = #ttnn.buffer_type<dram>, size = 4096 : i64}> : () -> tensor<64x32xbf16, #l38>
  %r19 = "ttnn.load_tensor"(%d) <{file_path = "a/b.tensorbin"}> : (!ttnn.device) -> tensor<64x32xbf16, #l38>
  "ttnn.dump_tensor"(%a54) <{file_path = "a/b.tensorbin"}> : (tensor<64x32xbf16, #l38>) -> ()
  "ttnn.copy"(%x, %y) : (!big, !big) -> ()
  "ttnn.write_tensor"(%h, %y) : (!host, !big) -> ()
  "ttnn.generic"(%x, %y, %s) <{operandSegmentSizes = array<i32: 2, 1>, program = #ttnn.program<kernels = []>}> : (!big, !big, !ttnn.global_semaphore) -> ()
  %k = ttnn.tt_lang_op(%x, %y) {arg_roles = "in,out", kernel_id = "k", version_tag = "1"} : (!big, !big) -> (!big)
  %new = "ttnn.create_global_semaphore"(%d) <{core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (1,1)>]>}> : (!ttnn.device) -> !ttnn.global_semaphore
  "ttnn.reset_global_semaphore"(%new) <{value = 0 : ui32}> : (!ttnn.global_semaphore) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id>
  "ttnn.end_trace_capture"(%d, %id) : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
  "ttnn.execute_trace"(%d, %id) : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
  %2 = "ttnn.relu"(%1) : (!big) -> !big
  %3 = "ttnn.relu"(%2) : (!big) -> !big
  return %3 : !big
}
