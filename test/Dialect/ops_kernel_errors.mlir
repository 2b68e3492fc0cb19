// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @no_out(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'arg_roles' must be `in`s, then at least one `out`, but is "in"}}
  "ttnn.tt_lang_op"(%x) <{arg_roles = "in", kernel_id = "k", version_tag = "1"}> : (tensor<32xbf16>) -> ()
  return
}
// -----
func.func @order(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'arg_roles' must be `in`s, then at least one `out`, but is "out,in"}}
  %0 = ttnn.tt_lang_op(%x, %x) {arg_roles = "out,in", kernel_id = "k", version_tag = "1"} : (tensor<32xbf16>, tensor<32xbf16>) -> (tensor<32xbf16>)
  return
}
// -----
func.func @unknown_role(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'arg_roles' must be `in`s, then at least one `out`, but is "in,inout"}}
  %0 = ttnn.tt_lang_op(%x, %x) {arg_roles = "in,inout", kernel_id = "k", version_tag = "1"} : (tensor<32xbf16>, tensor<32xbf16>) -> (tensor<32xbf16>)
  return
}
// -----
func.func @operands(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'arg_roles' has 2 roles, 1 of them `out`, for 1 operands and 1 results}}
  %0 = ttnn.tt_lang_op(%x) {arg_roles = "in,out", kernel_id = "k", version_tag = "1"} : (tensor<32xbf16>) -> (tensor<32xbf16>)
  return
}
// -----
func.func @results(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'arg_roles' has 2 roles, 1 of them `out`, for 2 operands and 0 results}}
  "ttnn.tt_lang_op"(%x, %x) <{arg_roles = "in,out", kernel_id = "k", version_tag = "1"}> : (tensor<32xbf16>, tensor<32xbf16>) -> ()
  return
}
