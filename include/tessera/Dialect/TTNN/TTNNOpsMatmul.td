//===- TTNNOpsMatmul.td - Matrix products ----------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSMATMUL_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSMATMUL_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

def TTNN_AnyMatmulProgramConfigAttr
    : AnyAttrOf<[TTNN_MatmulMultiCoreReuseProgramConfigAttr,
                 TTNN_MatmulMultiCoreReuseMultiCastProgramConfigAttr,
                 TTNN_MatmulMultiCoreReuseMultiCast1DProgramConfigAttr,
                 TTNN_MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr],
                "#ttnn.matmul_multi_core_reuse_program_config, ..._reuse_multi_cast_program_config, "
                "..._reuse_multi_cast_1d_program_config or ..._reuse_multi_cast_dram_sharded_program_config">;

class TTNN_MatrixProductOp<string mnemonic>
    : TTNN_ArithmeticOp<mnemonic, [TTNN_ComputeKernelConfigOpInterface]> {
  dag attributes = (ins TTNN_DefaultFalse:$transpose_a, TTNN_DefaultFalse:$transpose_b,
      OptionalAttr<TTNN_AnyMatmulProgramConfigAttr>:$matmul_program_config, OptionalAttr<StrAttr>:$activation,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

def TTNN_MatmulOp : TTNN_MatrixProductOp<"matmul"> {
  let summary = "Batched matrix product";
  let description = [{
    The two innermost dimensions are matrices, each transposed first if so flagged; the others are batches and
    broadcast. A vector is a row on the left and a column on the right; its unit dimension is dropped, but for one
    that is left if both are vectors.
  }];
  let ownArguments = !con((ins TTNN_Tensor:$a, TTNN_Tensor:$b), attributes);
}

def TTNN_LinearOp : TTNN_MatrixProductOp<"linear"> {
  let summary = "matmul plus a bias that broadcasts to it";
  let ownArguments = !con((ins TTNN_Tensor:$a, TTNN_Tensor:$b, Optional<TTNN_Tensor>:$bias), attributes);
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSMATMUL_TD
