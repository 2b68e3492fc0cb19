// A counted loop runs its function as often as its bounds say; states go on, the rest is the same each time. One whose end depends on values
// is told of.
// RUN: split-file %s %t
// RUN: tessera verify %t/loop.mlir %t/unrolled.mlir | FileCheck %s
// CHECK: main.result0 {{.*}} exact
// CHECK: equal
// RUN: not tessera verify %t/while.mlir %t/while.mlir 2>&1 | FileCheck %s --check-prefix=WHILE
// WHILE: the simulator runs loops of 1 to 100000 trips that are known beforehand

// As a program.
// RUN: tessera export %t/loop.mlir --python %t/program
// RUN: FileCheck %s --check-prefix=PROGRAM < %t/program/main.py
// PROGRAM-LABEL: def body(arg0, arg1, arg2, device):
// PROGRAM: add_0 = ttnn.add(arg0, arg2
// PROGRAM: del {{.*}}arg2
// PROGRAM: return [add_0, multiply_0]
// PROGRAM-LABEL: def forward(input, device):
// PROGRAM: states = [arg0, arg1]
// PROGRAM-NEXT: for _ in range(3):
// PROGRAM-NEXT: states = body(*states, arg0, device)
// PROGRAM-NEXT: while_loop_0 = states[1]
// PROGRAM: return [while_loop_0]
// RUN: not tessera export %t/while.mlir --python %t/none 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: while_loop_0: a loop that runs as often as values say cannot be written

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
func.func private @condition(%a: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  return %a : tensor<32x64xf32, #t>
}
func.func private @body(%a: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  return %a : tensor<32x64xf32, #t>
}
func.func @main(%x: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %0 = "ttcore.while_loop"(%x) <{body_program = @body, condition_program = @condition, output_indices = array<i32: 0>, state_count = 1 : i32}> : (tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %0 : tensor<32x64xf32, #t>
}
