// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @dim_range(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim_arg' is 2 : i32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.sum"(%x) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<2x3xbf16>) -> tensor<2x1xbf16>
  return
}
// -----
func.func @dim_twice(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim_arg' names dimension 1 twice}}
  %0 = "ttnn.mean"(%x) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<2x3xbf16>) -> tensor<2x1xbf16>
  return
}
// -----
func.func @keep_dim(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2, but the reduction gives 2x1}}
  %0 = "ttnn.max"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x3xbf16>) -> tensor<2xbf16>
  return
}
// -----
func.func @drop_dim(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x1, but the reduction gives 2}}
  %0 = "ttnn.min"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xbf16>) -> tensor<2x1xbf16>
  return
}
// -----
func.func @dim_type(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim_arg' failed to satisfy constraint: 32-bit integer array attribute}}
  %0 = "ttnn.sum"(%x) {dim_arg = ["one"], keep_dim = false} : (tensor<2x3xbf16>) -> tensor<2xbf16>
  return
}
// -----
func.func @prod(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x3, but the reduction gives 3}}
  %0 = "ttnn.prod"(%x) <{dim_arg = 0 : i64, keep_dim = false}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @argmax(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim' is -3 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.argmax"(%x) <{dim = -3 : si32, keep_dim = true}> : (tensor<2x3xbf16>) -> tensor<2x1xui32>
  return
}
// -----
func.func @softmax(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dimension' is 2 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.softmax"(%x) <{dimension = 2 : si32}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @softmax_scalar(%x: tensor<bf16>) {
  // expected-error@+1 {{attribute 'dimension' is -1 : si32, which is not a dimension of a tensor of rank 0}}
  %0 = "ttnn.softmax"(%x) <{dimension = -1 : si32}> : (tensor<bf16>) -> tensor<bf16>
  return
}
// -----
func.func @softmax_shape(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x1, but the input's shape gives 2x3}}
  %0 = "ttnn.softmax"(%x) <{dimension = 1 : si32}> : (tensor<2x3xbf16>) -> tensor<2x1xbf16>
  return
}
// -----
func.func @sort_indices(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 3x2, but the input's shape gives 2x3}}
  %0, %1 = "ttnn.sort"(%x) : (tensor<2x3xbf16>) -> (tensor<2x3xbf16>, tensor<3x2xui16>)
  return
}
// -----
func.func @sort_index_type(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{indices must have integer elements, not 'bf16'}}
  %0, %1 = "ttnn.sort"(%x) : (tensor<2x3xbf16>) -> (tensor<2x3xbf16>, tensor<2x3xbf16>)
  return
}
// -----
func.func @sort_values(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{values must have the input's type 'tensor<2x3xbf16>', not 'tensor<2x3xf32>'}}
  %0, %1 = "ttnn.sort"(%x) : (tensor<2x3xbf16>) -> (tensor<2x3xf32>, tensor<2x3xui16>)
  return
}
// -----
func.func @topk(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'k' must lie between 1 and 3, the extent of dimension 1}}
  %0, %1 = "ttnn.topk"(%x) <{k = 4 : i32}> : (tensor<2x3xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xui16>)
  return
}
// -----
func.func @cumsum(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim' is 9223372036854775807 : i64, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.cumsum"(%x) <{dim = 9223372036854775807 : i64}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @keep_dim(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{requires attribute 'keep_dim'}}
  %0 = "ttnn.sum"(%x) : (tensor<2x3xbf16>) -> tensor<bf16>
  return
}
