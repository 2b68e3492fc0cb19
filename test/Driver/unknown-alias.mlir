// An alias in text of a dialect that nobody knows is no alias to MLIR: what is printed refers to nothing. That is the input's defect, not ours.

// RUN: not tessera optimize %s -o %t 2>&1 | FileCheck %s
// CHECK: error: '{{.*}}unknown-alias.mlir': the alias '#dram' in text of the unknown dialect 'somebodys' would be lost; write out what it stands for
// RUN: not tessera-opt %s 2>&1 | FileCheck --check-prefix=OPT %s
// OPT: tessera-opt: error: '{{.*}}unknown-alias.mlir': the alias '#dram' in text of the unknown dialect 'somebodys' would be lost; write out what it stands for
// RUN: sed -e 's/ #dram, / #ttnn.buffer_type<dram>, /' %s > %t.written.mlir
// RUN: tessera optimize %t.written.mlir -q -o %t

#dram = #ttnn.buffer_type<dram>
#layout = #somebodys.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram, "not #this">, <interleaved>>
!t = tensor<64x64xbf16, #layout>
func.func @f(%x: !t) -> !t {
  %0 = "ttnn.somebodys_kernel"(%x) : (!t) -> !t
  return %0 : !t
}
