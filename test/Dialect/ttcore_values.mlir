// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// Values that outlive a call, tuples, fences, calls of functions that stand for an op.

// CHECK: ttcore.global @weights = tensor<2xf32> [3]
ttcore.global @weights = tensor<2xf32> [3]
// CHECK-NEXT: ttcore.global @cache = tensor<3xf32>{{$}}
ttcore.global @cache = tensor<3xf32>

// CHECK-LABEL: func.func @values
func.func @values(%d: !ttcore.dict) {
  // CHECK-NEXT: %[[W:.*]] = ttcore.get_global @weights : tensor<2xf32>
  %0 = ttcore.get_global @weights : tensor<2xf32>
  // CHECK-NEXT: ttcore.set_key_value %arg0["key"] = %[[W]], %[[W]] : !ttcore.dict, tensor<2xf32>, tensor<2xf32>
  ttcore.set_key_value %d["key"] = %0, %0 : !ttcore.dict, tensor<2xf32>, tensor<2xf32>
  // CHECK-NEXT: ttcore.set_key_value %arg0[3 : index] = %[[W]] : !ttcore.dict, tensor<2xf32>
  ttcore.set_key_value %d[3 : index] = %0 : !ttcore.dict, tensor<2xf32>
  // CHECK-NEXT: ttcore.get_key_value %arg0["key"] : (!ttcore.dict) -> (tensor<2xf32>, tensor<2xf32>)
  %1:2 = ttcore.get_key_value %d["key"] : (!ttcore.dict) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// CHECK-LABEL: func.func @tuples
func.func @tuples(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // CHECK-NEXT: %[[T:.*]] = ttcore.tuple %arg0, %arg1 : tuple<tensor<2xf32>, tensor<3xf32>>
  %0 = ttcore.tuple %a, %b : tuple<tensor<2xf32>, tensor<3xf32>>
  // CHECK-NEXT: ttcore.get_tuple_element %[[T]][1] : (tuple<tensor<2xf32>, tensor<3xf32>>) -> tensor<3xf32>
  %1 = ttcore.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<3xf32>>) -> tensor<3xf32>
  return
}

func.func private @decomposition(tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>

// CHECK-LABEL: func.func @calls
func.func @calls(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // CHECK-NEXT: "ttcore.optimization_barrier"(%arg0, %arg1) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  %0:2 = "ttcore.optimization_barrier"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  // CHECK-NEXT: "ttcore.composite"(%{{.*}}) <{composite_attributes = {axis = 1 : i64}, composite_name = "op", decomposition = @decomposition}>
  %1 = "ttcore.composite"(%0#0, %0#1) <{composite_name = "op", composite_attributes = {axis = 1}, decomposition = @decomposition}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func private @attributes
// CHECK-SAME: a = #ttcore.core_range<(0, 1), (3, 7)>
// CHECK-SAME: b = #ttcore.arch<quasar>
// CHECK-SAME: c = #ttcore.reduce_type<prod>
// CHECK-SAME: d = #ttcore.reduce_type<invalid>
// CHECK-SAME: e = #ttcore.supportedDataTypes<i1>
// CHECK-SAME: f = tensor<ui32, #ttnn.trace_id>
// CHECK-SAME: g = !ttnn.global_semaphore
func.func private @attributes() attributes {a = #ttcore.core_range<(0, 1), (3, 7)>, b = #ttcore.arch<quasar>, c = #ttcore.reduce_type<prod>,
  d = #ttcore.reduce_type<invalid>, e = #ttcore.supportedDataTypes<i1>, f = tensor<ui32, #ttnn.trace_id>, g = !ttnn.global_semaphore}
