// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// What a newer tt-mlir may write passes through untouched: attributes, types and ops of our dialects that we do
// not know, and whole dialects.

// CHECK: #ttnn.new_config<block = 4, <[1, 2]>, "text">
// CHECK-SAME: #ttcore.topology<ring>
// CHECK-SAME: #ttnn<new_thing 4x4>
"ttnn.new_op"() {a = #ttnn.new_config<block = 4, <[1, 2]>, "text">, b = #ttcore.topology<ring>, c = #ttnn<new_thing 4x4>} : () -> ()

// CHECK: "ttcore.new_op"() <{key = 1 : i32}> : () -> (!ttnn.new_type<4, <8>>, !ttcore.new_type)
%0:2 = "ttcore.new_op"() <{key = 1 : i32}> : () -> (!ttnn.new_type<4, <8>>, !ttcore.new_type)

// CHECK: "other.op"() {a = #other.attr<1>} : () -> !other.type
%1 = "other.op"() {a = #other.attr<1>} : () -> !other.type

// An unknown attribute with a type keeps it.
// CHECK: #ttnn.typed<1> : i32
"ttnn.new_op"() {a = #ttnn.typed<1> : i32} : () -> ()
