// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// What a newer tt-mlir may write passes through untouched: attributes, types and ops of our dialects that we do
// not know, and whole dialects.

#system_memory = #ttnn.buffer_type<system_memory>
!alias = tensor<2xf32>

// CHECK: #ttnn.new_config<block = 4, <[1, 2]>, "text">
// CHECK-SAME: #ttcore.topology<ring>
// CHECK-SAME: #ttnn<new_thing 4x4>
"ttnn.new_op"() {a = #ttnn.new_config<block = 4, <[1, 2]>, "text">, b = #ttcore.topology<ring>, c = #ttnn<new_thing 4x4>} : () -> ()

// CHECK: "ttcore.new_op"() <{key = 1 : i32}> : () -> (!ttnn.new_type<4, <8>>, !ttcore.new_type)
%0:2 = "ttcore.new_op"() <{key = 1 : i32}> : () -> (!ttnn.new_type<4, <8>>, !ttcore.new_type)

// CHECK: "other.op"() {a = #other.attr<1>} : () -> !other.type
%1 = "other.op"() {a = #other.attr<1>} : () -> !other.type

// Aliases in the kept text are written out: they are renumbered when the module is printed, and the text isn't.
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #system_memory>>
// CHECK: a = #ttnn.new_thing<#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>> , x = [-1.5e-3, 0x1F, "#layout"], y = @callee, (d0) -> (d0 * 2), memref<2x?xf32, #ttnn.buffer_type<system_memory>>, tensor<2xf32>>
"ttnn.new_op"() {a = #ttnn.new_thing<#layout , x = [-1.5e-3, 0x1F, "#layout"], y = @callee, (d0) -> (d0 * 2), memref<2x?xf32, #system_memory>, !alias>} : () -> ()

// An unknown attribute with a type keeps it.
// CHECK: #ttnn.typed<1> : i32
"ttnn.new_op"() {a = #ttnn.typed<1> : i32} : () -> ()
