//===- Passes.td - Normal form of TTNN modules ----------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_LOWERING_PASSES
#define TESSERA_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def TTNNSplitConversions : Pass<"ttnn-split-conversions", "::mlir::ModuleOp"> {
  let summary = "Split layout conversions into ops that change one thing each";
  let description = [{
    Until 2026-07-31 tt-mlir's `ttnn.to_layout` could change everything at once, and before its layouts are decomposed
    a module has `ttnn.to_tensor_spec` for that. Today's `to_layout` changes page layout and data type, where the tensor
    lies is `to_memory_config`'s, `to_device`'s and `from_device`'s. This pass splits the old forms: it tilizes before it
    shards, untilizes after it unshards, changes data types in tiles, and works on the device where it can.

    ```mlir
    %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #dram_rows>) -> tensor<64x64xbf16, #l1_tiles>
    ```
    becomes
    ```mlir
    %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #dram_rows>) -> tensor<64x64xbf16, #dram_tiles>
    %1 = "ttnn.to_memory_config"(%0) : (tensor<64x64xbf16, #dram_tiles>) -> tensor<64x64xbf16, #l1_tiles>
    ```
    Ops whose operand or result has no `#ttnn.ttnn_layout`, or more rows or columns than one can hold, stay as they are. The optimizer begins with it.
  }];
  let dependentDialects = ["::tessera::ttnn::TTNNDialect"];
}

def TTNNVerifyConversions : Pass<"ttnn-verify-conversions", "::mlir::ModuleOp"> {
  let summary = "Refuse layout conversions that tt-mlir refuses";
  let description = [{
    tt-mlir (19c86fca45, 2026-08-21) is stricter on conversions than Tessera's dialect, which reads old modules too. This
    pass fails where that compiler's verifier fails: a `to_layout` that changes buffer, memory layout or grid, a
    `to_memory_config` into another device memory layout than interleaved, height, width or block sharded, one of the two
    without the layouts it needs. It fails too on `to_tensor_spec`, which may not be left over. The optimizer checks its
    output with it.
  }];
}

#endif // TESSERA_LOWERING_PASSES
