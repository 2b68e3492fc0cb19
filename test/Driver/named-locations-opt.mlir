// Messages about ops with loc("name") have file, line and column in tessera-opt as in tessera: the verifier's, and a pass's.
// RUN: not tessera-opt %s 2>&1 | FileCheck %s
// RUN: not tessera-opt --ttnn-verify-conversions < %s 2>&1 | FileCheck %s --check-prefix=STDIN

module {
  func.func @f(%a: tensor<32x32xbf16>) -> tensor<64x32xbf16> {
    %0 = "ttnn.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16> loc("twice")
    // CHECK: named-locations-opt.mlir:[[#@LINE+2]]:10: error: 'ttnn.concat' op attribute 'dim' is 7
    // STDIN: <stdin>:[[#@LINE+1]]:10: error: 'ttnn.concat' op attribute 'dim' is 7
    %1 = "ttnn.concat"(%0, %0) <{dim = 7 : si32}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<64x32xbf16> loc("twice")
    return %1 : tensor<64x32xbf16>
  }
}
