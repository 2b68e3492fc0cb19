// Functions of the host, in the LLVM dialect, run as machine code: here twice the elements of a 2x3 tensor.
//
// RUN: split-file %s %t
// RUN: tessera run %t/twice.mlir --inputs %S/Inputs/x.npy --outputs %t/results | FileCheck %s
// CHECK: main.result0 {{ *}}2x3 f32 {{ *}}2.0000 {{ *}}12.0000
// RUN: %python %S/Inputs/show.py %t/results/main.result0.npy | FileCheck %s --check-prefix=FILE
// FILE: <f4 (2, 3) [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]
// RUN: tessera verify %t/twice.mlir %t/twice.mlir | FileCheck %s --check-prefix=EQUAL
// EQUAL: main.result0  2x3 f32  exact
//
// A function that is nowhere is one error, before anything runs.
// RUN: sed s/@twice_helper/@other_helper/ %t/twice.mlir > %t/missing.mlir
// RUN: not tessera run %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: {{^}}{{.*}}missing.mlir:6:12: error: {{.*}}twice_helper

//--- twice.mlir
#host = #ttnn.buffer_type<system_memory>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3xf32, #host>>
module {
  ttcore.device_module { builtin.module {
    func.func @main(%x: tensor<2x3xf32, #t>) -> tensor<2x3xf32, #t> {
      %0 = call @twice(%x) {ttir.cpu_hoist_call} : (tensor<2x3xf32, #t>) -> tensor<2x3xf32, #t>
      return %0 : tensor<2x3xf32, #t>
    }
    func.func private @twice(tensor<2x3xf32, #t>) -> tensor<2x3xf32, #t> attributes {tt.function_type = "forward_cpu_declaration"}
  } }
  ttcore.cpu_module { builtin.module {
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @twice_helper(%arguments: !llvm.ptr) -> !llvm.ptr {
      %zero = llvm.mlir.constant(0 : i64) : i64
      %one = llvm.mlir.constant(1 : i64) : i64
      %three = llvm.mlir.constant(3 : i64) : i64
      %count = llvm.mlir.constant(6 : i64) : i64
      %bytes = llvm.mlir.constant(32 : i64) : i64
      %x = llvm.load %arguments : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, ptr)>
      %from = llvm.extractvalue %x[1] : !llvm.struct<(ptr, ptr, i64, ptr)>
      %to = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
      llvm.br ^loop(%zero : i64)
    ^loop(%i: i64):
      %source = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %element = llvm.load %source : !llvm.ptr -> f32
      %double = llvm.fadd %element, %element : f32
      %target = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %double, %target : f32, !llvm.ptr
      %next = llvm.add %i, %one : i64
      %more = llvm.icmp "slt" %next, %count : i64
      llvm.cond_br %more, ^loop(%next : i64), ^end
    ^end:
      %shape = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
      %two = llvm.add %one, %one : i64
      llvm.store %two, %shape : i64, !llvm.ptr
      %columns = llvm.getelementptr %shape[1] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %three, %columns : i64, !llvm.ptr
      %row = llvm.getelementptr %shape[2] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %three, %row : i64, !llvm.ptr
      %column = llvm.getelementptr %shape[3] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %one, %column : i64, !llvm.ptr
      %none = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, ptr)>
      %a = llvm.insertvalue %to, %none[0] : !llvm.struct<(ptr, ptr, i64, ptr)>
      %b = llvm.insertvalue %to, %a[1] : !llvm.struct<(ptr, ptr, i64, ptr)>
      %c = llvm.insertvalue %zero, %b[2] : !llvm.struct<(ptr, ptr, i64, ptr)>
      %d = llvm.insertvalue %shape, %c[3] : !llvm.struct<(ptr, ptr, i64, ptr)>
      %result = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
      llvm.store %d, %result : !llvm.struct<(ptr, ptr, i64, ptr)>, !llvm.ptr
      llvm.return %result : !llvm.ptr
    }
  } }
}
