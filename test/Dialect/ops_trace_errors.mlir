// RUN: tessera-opt %s --split-input-file --verify-diagnostics

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
func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{attribute 'cq_id' must be 0 or 1, not 2}}
  %0 = "ttnn.begin_trace_capture"(%d) <{cq_id = 2 : ui32}> : (!ttnn.device) -> !id
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: !id) {
  // expected-error@+1 {{attribute 'cq_id' must be 0 or 1, not 3}}
  "ttnn.end_trace_capture"(%d, %i) <{cq_id = 3 : ui32}> : (!ttnn.device, !id) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: !id) {
  // expected-error@+1 {{attribute 'cq_id' must be 0 or 1, not 2}}
  "ttnn.execute_trace"(%d, %i) <{cq_id = 2 : ui32}> : (!ttnn.device, !id) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: tensor<1xui32, #ttnn.trace_id>) {
  // expected-error@+1 {{trace_id must be a scalar, but is }}
  "ttnn.execute_trace"(%d, %i) : (!ttnn.device, tensor<1xui32, #ttnn.trace_id>) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: tensor<f32, #ttnn.trace_id>) {
  // expected-error@+1 {{trace_id must be an integer, but is }}
  "ttnn.execute_trace"(%d, %i) : (!ttnn.device, tensor<f32, #ttnn.trace_id>) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: tensor<si32, #ttnn.trace_id>) {
  // expected-error@+1 {{trace_id must be unsigned, but is }}
  "ttnn.execute_trace"(%d, %i) : (!ttnn.device, tensor<si32, #ttnn.trace_id>) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: tensor<i32, #ttnn.trace_id>) {
  // expected-error@+1 {{trace_id must be unsigned, but is }}
  "ttnn.execute_trace"(%d, %i) : (!ttnn.device, tensor<i32, #ttnn.trace_id>) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: tensor<ui64, #ttnn.trace_id>) {
  // expected-error@+1 {{trace_id must have 32 bits, but is }}
  "ttnn.execute_trace"(%d, %i) : (!ttnn.device, tensor<ui64, #ttnn.trace_id>) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device, %i: tensor<ui32>) {
  // expected-error@+1 {{trace_id must have the encoding #ttnn.trace_id, but is }}
  "ttnn.execute_trace"(%d, %i) : (!ttnn.device, tensor<ui32>) -> ()
  return
}
// -----
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
func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{trace_id must have 32 bits, but is }}
  %0 = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> tensor<ui16, #ttnn.trace_id>
  return
}
// -----
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
func.func @f(%a: !host, %b: !device) {
  // expected-error@+1 {{src must lie on the device, but is}}
  "ttnn.copy"(%a, %b) : (!host, !device) -> ()
  return
}
// -----
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
func.func @f(%a: !device, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{dst must lie on the device, but is}}
  "ttnn.copy"(%a, %b) : (!device, tensor<64x32xbf16>) -> ()
  return
}
// -----
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
func.func @f(%a: !device, %b: !f32) {
  // expected-error@+1 {{src and dst must have the same type, but are}}
  "ttnn.copy"(%a, %b) : (!device, !f32) -> ()
  return
}
// -----
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
func.func @f(%a: !device, %b: !device) {
  // expected-error@+1 {{host_tensor must lie in system memory, but is}}
  "ttnn.write_tensor"(%a, %b) : (!device, !device) -> ()
  return
}
// -----
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
func.func @f(%a: !host, %b: !host) {
  // expected-error@+1 {{device_tensor must lie on the device, but is}}
  "ttnn.write_tensor"(%a, %b) : (!host, !host) -> ()
  return
}
// -----
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
func.func @f(%a: !host, %b: !device) {
  // expected-error@+1 {{attribute 'cq_id' must be 0 or 1, not 4}}
  "ttnn.write_tensor"(%a, %b) <{cq_id = 4 : ui32}> : (!host, !device) -> ()
  return
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{needs a function @none, and there is none}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @none, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{needs a function @none, and there is none}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @none, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{needs a function @none, and there is none}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @none, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
// expected-note@+1 {{@slots is here}}
func.func private @slots() -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @slots must take 1 values (the inputs on the device), not 0}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
// expected-note@+1 {{@slots is here}}
func.func private @slots(!f32) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @slots must take 'tensor<64x32xbf16}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
// expected-note@+1 {{@slots is here}}
func.func private @slots(!device) -> (!device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @slots must return 3 slots (2 for inputs, 1 for results), not 2}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
// expected-note@+1 {{@slots is here}}
func.func private @slots(!device) -> (!device, !device, !f32)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{as value 2 (slots of the inputs, then the results' types), not}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
// expected-note@+1 {{@capture is here}}
func.func private @capture(!host, !device, !device, !semaphore) -> !id
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @capture must take 5 values (the inputs on the host, all slots, the semaphores), not 4}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
// expected-note@+1 {{@capture is here}}
func.func private @capture(!host, !device, !device, !f32, !semaphore) -> !id
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{as value 3 (the inputs on the host, all slots, the semaphores), not}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
// expected-note@+1 {{@capture is here}}
func.func private @capture(!host, !device, !device, !device, !semaphore) -> tensor<ui32>
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @capture must return one trace id, tensor<ui32, #ttnn.trace_id>}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
// expected-note@+1 {{@capture is here}}
func.func private @capture(!host, !device, !device, !device, !semaphore) -> !id
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @capture must call the function to trace, but calls none}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
// expected-note@+1 {{@traced is here}}
func.func private @traced(!device, !device, !semaphore, !device) -> !device
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> !device
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @traced must return nothing: a trace stores its results in their slots}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
// expected-note@+1 {{@traced is here}}
func.func private @traced(!host)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%h) : (!host) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @traced must take tensors on the device and semaphores only, not}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
// expected-note@+1 {{@traced is here}}
func.func private @traced(%x: !device, %y: !device, %s: !semaphore, %out: !device) {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = ttcore.load_cached(@constant, [%x]) : (!device) -> !device
  %0 = "ttnn.add"(%c, %y) : (!device, !device) -> !device
  "ttnn.copy"(%0, %out) : (!device, !device) -> ()
  return
}
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @traced must not contain ttcore.load_cached: a trace cannot record it}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
func.func private @constant(!device) -> !device
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
// expected-note@+1 {{@traced is here}}
func.func private @traced(%x: !device, %y: !device, %s: !semaphore, %out: !device) {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.add"(%x, %y) : (!device, !device) -> !device
  "ttnn.copy"(%0, %out) : (!device, !device) -> ()
  %id = "test.id"() : () -> !id
  "ttnn.execute_trace"(%d, %id) : (!ttnn.device, !id) -> ()
  return
}
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @traced must not contain ttnn.execute_trace: a trace cannot record it}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
// expected-note@+1 {{@traced is here}}
func.func private @traced(%x: !device, %y: !device, %s: !semaphore, %out: !device) {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device
  %0 = "ttnn.add"(%x, %y) : (!device, !device) -> !device
  "ttnn.copy"(%0, %out) : (!device, !device) -> ()
  return
}
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
func.func private @execute(!id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @traced must use the mesh of the op's device}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
// expected-note@+1 {{@execute is here}}
func.func private @execute(!id, !id)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @execute must take one trace id, tensor<ui32, #ttnn.trace_id>}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
// -----
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
func.func private @slots(!device) -> (!device, !device, !device)
func.func private @traced(!device, !device, !semaphore, !device)
func.func private @capture(%h: !host, %x: !device, %y: !device, %out: !device, %s: !semaphore) -> !id {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  call @traced(%x, %y, %s, %out) : (!device, !device, !semaphore, !device) -> ()
  %id = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> !id
  return %id : !id
}
// expected-note@+1 {{@execute is here}}
func.func private @execute(!device)
func.func @main(%h: !host, %x: !device, %s: !semaphore) -> !device {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // expected-error@+1 {{function @execute must take one trace id, tensor<ui32, #ttnn.trace_id>}}
  %0 = "ttnn.capture_or_execute_trace"(%d, %h, %x, %s) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!ttnn.device, !host, !device, !semaphore) -> !device
  return %0 : !device
}
