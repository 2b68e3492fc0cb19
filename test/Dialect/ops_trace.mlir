// Traces, and what fills their slots.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
!device = tensor<64x32xbf16, #device>
!f32 = tensor<64x32xf32, #device_f32>
!host = tensor<64x32xbf16, #host>
!id = tensor<ui32, #ttnn.trace_id>
!semaphore = !ttnn.global_semaphore

func.func private @slots(%x: !device) -> (!device, !device, !device) {
  return %x, %x, %x : !device, !device, !device
}

func.func private @traced(%x: !device, %y: !device, %s: !semaphore, %out: !device) {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.add"(%x, %y) : (!device, !device) -> !device
  // CHECK: "ttnn.copy"(%1, %arg3) : (tensor<64x32xbf16, #ttnn_layout{{[0-9]*}}>, tensor<64x32xbf16, #ttnn_layout{{[0-9]*}}>) -> ()
  "ttnn.copy"(%0, %out) : (!device, !device) -> ()
  return
}

func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // CHECK: "ttnn.write_tensor"(%arg0, %arg1) <{blocking = false, cq_id = 0 : ui32}> : (tensor<64x32xbf16, #ttnn_layout{{[0-9]*}}>, tensor<64x32xbf16, #ttnn_layout{{[0-9]*}}>) -> ()
  "ttnn.write_tensor"(%h, %x) : (!host, !device) -> ()
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  // CHECK: %[[ID:.*]] = "ttnn.begin_trace_capture"(%0) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id>
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  // CHECK: "ttnn.end_trace_capture"(%0, %[[ID]]) <{cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
  "ttnn.end_trace_capture"(%d, %id) : (!ttnn.device, !id) -> ()
  return %id : !id
}

func.func private @execute(%id: !id) {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  // CHECK: "ttnn.execute_trace"(%0, %arg0) <{blocking = true, cq_id = 1 : ui32}> : (!ttnn.device, tensor<ui32, #ttnn.trace_id>) -> ()
  "ttnn.execute_trace"(%d, %id) <{blocking = true, cq_id = 1 : ui32}> : (!ttnn.device, !id) -> ()
  return
}

func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // CHECK: "ttnn.capture_or_execute_trace"(%0, %arg0, %arg1, %arg2) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device,
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
