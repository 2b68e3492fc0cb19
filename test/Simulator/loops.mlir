// A loop runs its function as often as its bounds say, or its condition; states go on, the rest is the same each time. What does not end is told of.
// RUN: split-file %s %t
// RUN: tessera verify %t/loop.mlir %t/unrolled.mlir | FileCheck %s
// RUN: tessera verify %t/while.mlir %t/repeated.mlir | FileCheck %s
// CHECK: main.result0 {{.*}} exact
// CHECK: equal
// RUN: tessera verify %t/while.mlir %t/while.mlir --against exact | FileCheck %s --check-prefix=EXACT
// EXACT: main.result0
// RUN: not tessera run %t/endless.mlir 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: the loop goes on after 10000 runs, which the simulator takes for endless; other inputs may end it (--inputs)
// RUN: not tessera run %t/apart.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: the simulator runs loops from states to states of a body, by bounds or a condition

// As a program.
// RUN: tessera export %t/loop.mlir --python %t/program
// RUN: FileCheck %s --check-prefix=PROGRAM < %t/program/main.py
// PROGRAM-LABEL: def body(arg0, arg1, arg2, device):
// PROGRAM: add_0 = ttnn.add(arg0, arg2
// PROGRAM: del {{.*}}arg2
// PROGRAM: return [add_0, multiply_0]
// PROGRAM-LABEL: def forward(input, device):
// PROGRAM: states = [arg0, arg1]
// PROGRAM-NEXT: for _ in range(1, 6, 2):
// PROGRAM-NEXT: states = body(*states, arg0, device)
// PROGRAM-NEXT: while_loop_0 = states[1]
// PROGRAM: return [while_loop_0]

// One whose end depends on values asks for them: a condition each time, numbers of operands once.
// RUN: tessera export %t/while.mlir --python %t/while && FileCheck %s --check-prefix=VALUES < %t/while/main.py
// VALUES-LABEL: def whole_number(tensor):
// VALUES-LABEL: def is_true(results):
// VALUES-LABEL: def condition(arg0, arg1, arg2, device):
// VALUES-LABEL: def forward(input, device):
// VALUES: states = [arg0, [[COUNT:full_[0-9]+]]]
// VALUES-NEXT: while is_true(condition(*states, arg1, device)):
// VALUES-NEXT: states = body(*states, arg1, device)
// VALUES-NEXT: while_loop_0 = states[0]
// VALUES: states_2 = [while_loop_0]
// VALUES-NEXT: for _ in range(0, whole_number([[N:full_[0-9]+]]), 2):
// VALUES-NEXT: states_2 = counted(*states_2, [[N]], device)
// VALUES-NEXT: while_loop_1 = states_2[0]
// RUN: not tessera export %t/apart.mlir --python %t/none 2>&1 | FileCheck %s --check-prefix=APART
// APART: while_loop_0: a loop whose body and bounds do not belong together cannot be written

//--- loop.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
func.func private @body(%a: tensor<32x64xf32, #t>, %b: tensor<32x64xf32, #t>, %c: tensor<32x64xf32, #t>) -> (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) attributes {tt.function_type = "forward_device"} {
  %0 = "ttnn.add"(%a, %c) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttnn.multiply"(%b, %0) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  "ttnn.deallocate"(%a) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  "ttnn.deallocate"(%b) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  "ttnn.deallocate"(%c) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  return %0, %1 : tensor<32x64xf32, #t>, tensor<32x64xf32, #t>
}
func.func @main(%x: tensor<32x64xf32, #t>, %y: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %0 = "ttcore.while_loop"(%x, %y, %x) <{body_program = @body, initial = #ttcore.loop_bound<1>, limit = #ttcore.loop_bound<6>, output_indices = array<i32: 1>, state_count = 2 : i32, step = #ttcore.loop_bound<2>}> : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %0 : tensor<32x64xf32, #t>
}
//--- unrolled.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
func.func @main(%x: tensor<32x64xf32, #t>, %y: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %0 = "ttnn.add"(%x, %x) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttnn.multiply"(%y, %0) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %2 = "ttnn.add"(%0, %x) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %3 = "ttnn.multiply"(%1, %2) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %4 = "ttnn.add"(%2, %x) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %5 = "ttnn.multiply"(%3, %4) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %5 : tensor<32x64xf32, #t>
}
//--- while.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#n = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func private @condition(%x: tensor<32x64xf32, #t>, %c: tensor<1x1xf32, #f>, %y: tensor<32x64xf32, #t>) -> tensor<1x1xbf16, #b> attributes {tt.function_type = "forward_device"} {
  %md = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %m = "ttnn.full"(%md) <{fill_value = 3.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f>
  %0 = "ttnn.gt"(%m, %c) : (tensor<1x1xf32, #f>, tensor<1x1xf32, #f>) -> tensor<1x1xbf16, #b>
  return %0 : tensor<1x1xbf16, #b>
}
func.func private @body(%x: tensor<32x64xf32, #t>, %c: tensor<1x1xf32, #f>, %y: tensor<32x64xf32, #t>) -> (tensor<32x64xf32, #t>, tensor<1x1xf32, #f>) attributes {tt.function_type = "forward_device"} {
  %od = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %o = "ttnn.full"(%od) <{fill_value = 1.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f>
  %0 = "ttnn.add"(%x, %y) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttnn.add"(%c, %o) : (tensor<1x1xf32, #f>, tensor<1x1xf32, #f>) -> tensor<1x1xf32, #f>
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  "ttnn.deallocate"(%c) <{force = false}> : (tensor<1x1xf32, #f>) -> ()
  return %0, %1 : tensor<32x64xf32, #t>, tensor<1x1xf32, #f>
}
func.func private @counted(%x: tensor<32x64xf32, #t>, %n: tensor<1x1xsi32, #n>) -> tensor<32x64xf32, #t> attributes {tt.function_type = "forward_device"} {
  %0 = "ttnn.add"(%x, %x) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  return %0 : tensor<32x64xf32, #t>
}
func.func @main(%x: tensor<32x64xf32, #t>, %y: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %cd = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.full"(%cd) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f>
  %nd = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%nd) <{fill_value = 5 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #n>
  %0 = "ttcore.while_loop"(%x, %c, %y) <{body_program = @body, condition_program = @condition, output_indices = array<i32: 0>, state_count = 2 : i32}> : (tensor<32x64xf32, #t>, tensor<1x1xf32, #f>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttcore.while_loop"(%0, %n) <{body_program = @counted, initial = #ttcore.loop_bound<0>, limit = #ttcore.loop_bound<0, 1 : i32>, output_indices = array<i32: 0>, state_count = 1 : i32, step = #ttcore.loop_bound<2>}> : (tensor<32x64xf32, #t>, tensor<1x1xsi32, #n>) -> tensor<32x64xf32, #t>
  return %1 : tensor<32x64xf32, #t>
}
//--- repeated.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#n = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func @main(%x: tensor<32x64xf32, #t>, %y: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %0 = "ttnn.add"(%x, %y) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttnn.add"(%0, %y) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %2 = "ttnn.add"(%1, %y) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %3 = "ttnn.add"(%2, %2) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %4 = "ttnn.add"(%3, %3) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %5 = "ttnn.add"(%4, %4) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %5 : tensor<32x64xf32, #t>
}
//--- endless.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#n = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func private @condition(%x: tensor<32x64xf32, #t>, %c: tensor<1x1xf32, #f>, %y: tensor<32x64xf32, #t>) -> tensor<1x1xbf16, #b> attributes {tt.function_type = "forward_device"} {
  %md = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %m = "ttnn.full"(%md) <{fill_value = 3.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f>
  %0 = "ttnn.gt"(%m, %c) : (tensor<1x1xf32, #f>, tensor<1x1xf32, #f>) -> tensor<1x1xbf16, #b>
  return %0 : tensor<1x1xbf16, #b>
}
func.func private @body(%x: tensor<32x64xf32, #t>, %c: tensor<1x1xf32, #f>, %y: tensor<32x64xf32, #t>) -> (tensor<32x64xf32, #t>, tensor<1x1xf32, #f>) attributes {tt.function_type = "forward_device"} {
  %od = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %o = "ttnn.full"(%od) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f>
  %0 = "ttnn.add"(%x, %y) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttnn.add"(%c, %o) : (tensor<1x1xf32, #f>, tensor<1x1xf32, #f>) -> tensor<1x1xf32, #f>
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  "ttnn.deallocate"(%c) <{force = false}> : (tensor<1x1xf32, #f>) -> ()
  return %0, %1 : tensor<32x64xf32, #t>, tensor<1x1xf32, #f>
}
func.func private @counted(%x: tensor<32x64xf32, #t>, %n: tensor<1x1xsi32, #n>) -> tensor<32x64xf32, #t> attributes {tt.function_type = "forward_device"} {
  %0 = "ttnn.add"(%x, %x) : (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x64xf32, #t>) -> ()
  return %0 : tensor<32x64xf32, #t>
}
func.func @main(%x: tensor<32x64xf32, #t>, %y: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %cd = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.full"(%cd) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f>
  %nd = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%nd) <{fill_value = 5 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #n>
  %0 = "ttcore.while_loop"(%x, %c, %y) <{body_program = @body, condition_program = @condition, output_indices = array<i32: 0>, state_count = 2 : i32}> : (tensor<32x64xf32, #t>, tensor<1x1xf32, #f>, tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %1 = "ttcore.while_loop"(%0, %n) <{body_program = @counted, initial = #ttcore.loop_bound<0>, limit = #ttcore.loop_bound<0, 1 : i32>, output_indices = array<i32: 0>, state_count = 1 : i32, step = #ttcore.loop_bound<2>}> : (tensor<32x64xf32, #t>, tensor<1x1xsi32, #n>) -> tensor<32x64xf32, #t>
  return %1 : tensor<32x64xf32, #t>
}
//--- apart.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#n = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func private @body(%a: tensor<32x64xf32, #t>) -> (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) {
  return %a, %a : tensor<32x64xf32, #t>, tensor<32x64xf32, #t>
}
func.func @main(%x: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %0 = "ttcore.while_loop"(%x) <{body_program = @body, condition_program = @body, output_indices = array<i32: 0>, state_count = 1 : i32}> : (tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %0 : tensor<32x64xf32, #t>
}
