//===- TTNNOpsAttention.td - Attention over chunks and latents -*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Attention variants whose keys and values lie in pages or in one latent
// vector. Rules: facts/dialect 9. Letters as in
// TTNNOpsTransformer.td; T positions of the keys.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSATTENTION_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSATTENTION_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

def TTNN_ChunkedScaledDotProductAttentionOp : TTNN_ComputeOp<"chunked_scaled_dot_product_attention"> {
  let summary = "Attention of a chunk of queries B x H x S x D over a paged cache, from one position on";
  let ownArguments = (ins TTNN_Tensor:$query, TTNN_Tensor:$key, TTNN_Tensor:$value, TTNN_Tensor:$page_table,
      TTNN_Tensor:$chunk_start_idx, OptionalAttr<F32Attr>:$scale,
      OptionalAttr<TTNN_SDPAProgramConfigAttr>:$program_config);
  let hasVerifier = 1;
}

/// Multi-latent attention: without `value`, the first head_dim_v elements of the keys are the values.
class TTNN_LatentAttentionOp<string mnemonic, string what, dag operands>
    : TTNN_ComputeOp<mnemonic, [AttrSizedOperandSegments]> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$query, TTNN_Tensor:$key, Optional<TTNN_Tensor>:$value), operands,
                       (ins UI32Attr:$head_dim_v, TTNN_DefaultTrue:$is_causal, OptionalAttr<F32Attr>:$scale));
  let hasVerifier = 1;
}
def TTNN_FlashMLAPrefillOp
    : TTNN_LatentAttentionOp<"flash_mla_prefill", "Multi-latent attention of a whole sequence",
                             (ins Optional<TTNN_Tensor>:$attention_mask)>;
def TTNN_PagedFlashMultiLatentAttentionDecodeOp
    : TTNN_LatentAttentionOp<"paged_flash_multi_latent_attention_decode",
                             "Multi-latent attention of one query position per user over a paged cache",
                             (ins TTNN_Tensor:$page_table, Optional<TTNN_Tensor>:$attention_mask,
                                 Optional<TTNN_Tensor>:$cur_pos_tensor, Optional<TTNN_Tensor>:$attention_sink)>;

def TTNN_IndexerScoreDSAOp : TTNN_ComputeOp<"indexer_score_dsa"> {
  let summary = "How much each key matters to each query, for sparse attention: 1 x 1 x S x T";
  let ownArguments = (ins TTNN_Tensor:$query, TTNN_Tensor:$key, TTNN_Tensor:$weights,
      DefaultValuedAttr<UI32Attr, "0">:$chunk_start_idx, OptionalAttr<TTNN_IntAttr>:$cluster_axis);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSATTENTION_TD
