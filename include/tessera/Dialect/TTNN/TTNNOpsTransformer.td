//===- TTNNOpsTransformer.td - Attention, heads, caches --------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes below: B batch or users, H query heads, K key/value
// heads, S sequence, D head size.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSTRANSFORMER_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSTRANSFORMER_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

// ---- Caches -----------------------------------------------------------------------------------------------

def TTNN_FillCacheOp : TTNN_InPlaceOp<"fill_cache"> {
  let summary = "Writes keys or values 1 x K x S' x D to a batch entry of a cache B x K x S x D";
  let ownArguments = (ins TTNN_Written<"cache">:$cache, TTNN_Read<"keys or values">:$input,
      I32Attr:$batch_offset);
  let hasVerifier = 1;
}

def TTNN_UpdateCacheOp : TTNN_InPlaceOp<"update_cache"> {
  let summary = "Writes one position of every batch entry of a cache B x K x S x D";
  let ownArguments = (ins TTNN_Written<"cache">:$cache, TTNN_Read<"keys or values">:$input,
      TTNN_Read<"position">:$update_index, I32Attr:$batch_offset);
  let hasVerifier = 1;
}

def TTNN_PagedUpdateCacheOp : TTNN_InPlaceOp<"paged_update_cache"> {
  let summary = "Writes 1 x B x K x D to one position per user of a cache";
  let ownArguments = (ins TTNN_Written<"cache">:$cache, TTNN_Read<"keys or values">:$input,
      TTNN_Read<"positions, one per user">:$update_index,
      Arg<Optional<TTNN_Tensor>, "blocks of each user", [MemRead]>:$page_table,
      TTNN_DefaultFalse:$share_cache);
  let hasVerifier = 1;
}

def TTNN_PagedFillCacheOp : TTNN_InPlaceOp<"paged_fill_cache"> {
  let summary = "Writes keys or values to the blocks of a paged cache";
  let ownArguments = (ins TTNN_Written<"cache">:$cache, TTNN_Read<"keys or values">:$input,
      TTNN_Read<"blocks of each user">:$page_table,
      Arg<Optional<TTNN_Tensor>, "batch entry", [MemRead]>:$batch_idx_tensor);
  let hasVerifier = 1;
}

// ---- Attention --------------------------------------------------------------------------------------------

class TTNN_AttentionOp<string mnemonic, string what, dag extra>
    : TTNN_ComputeOp<mnemonic, [AttrSizedOperandSegments, TTNN_ComputeKernelConfigOpInterface]> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$query, TTNN_Tensor:$key, TTNN_Tensor:$value), extra,
                       (ins TTNN_DefaultTrue:$is_causal, OptionalAttr<F32Attr>:$scale,
                           OptionalAttr<TTNN_IntAttr>:$sliding_window_size,
                           OptionalAttr<TTNN_SDPAProgramConfigAttr>:$program_config,
                           OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config));
  let hasVerifier = 1;
  let extraClassDefinition = "::llvm::LogicalResult $cppClass::verify() { return verifyAttention(*this); }";
}
def TTNN_ScaledDotProductAttentionOp
    : TTNN_AttentionOp<"scaled_dot_product_attention", "softmax(query x key^T * scale + mask) x value",
                       (ins Optional<TTNN_Tensor>:$attention_mask, Optional<TTNN_Tensor>:$attention_sink)>;
def TTNN_ScaledDotProductAttentionDecodeOp
    : TTNN_AttentionOp<"scaled_dot_product_attention_decode",
                       "Attention of one query position 1 x B x H x D per user",
                       (ins Optional<TTNN_Tensor>:$attention_mask, Optional<TTNN_Tensor>:$cur_pos_tensor,
                           Optional<TTNN_Tensor>:$attention_sink)>;
def TTNN_PagedScaledDotProductAttentionDecodeOp
    : TTNN_AttentionOp<"paged_scaled_dot_product_attention_decode",
                       "Attention of one query position 1 x B x H x D per user over a paged cache",
                       (ins TTNN_Tensor:$page_table, Optional<TTNN_Tensor>:$attention_mask,
                           Optional<TTNN_Tensor>:$cur_pos_tensor, Optional<TTNN_Tensor>:$attention_sink)>;

// ---- Rotary embedding -------------------------------------------------------------------------------------

class TTNN_RotaryOp<string mnemonic, string what, dag operands, dag attributes>
    : TTNN_ComputeOp<mnemonic, [TTNN_ComputeKernelConfigOpInterface]> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input, TTNN_Tensor:$cos_cache, TTNN_Tensor:$sin_cache), operands,
                       attributes, (ins OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config));
  let hasVerifier = 1;
}
def TTNN_RotaryEmbeddingOp : TTNN_RotaryOp<"rotary_embedding", "Turns pairs of elements by position (halves)",
                                           (ins), (ins OptionalAttr<TTNN_IntAttr>:$token_index)>;
def TTNN_RotaryEmbeddingLlamaOp
    : TTNN_RotaryOp<"rotary_embedding_llama", "Turns pairs of elements by position (neighbours, by a matrix)",
                    (ins TTNN_Tensor:$trans_mat), (ins TTNN_DefaultFalse:$is_decode_mode)>;

// ---- Heads ------------------------------------------------------------------------------------------------

class TTNN_HeadsOp<string mnemonic, string what, dag attributes = (ins)> : TTNN_ComputeOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input), attributes);
  let hasVerifier = 1;
}
def TTNN_ConcatenateHeadsOp : TTNN_HeadsOp<"concatenate_heads", "B x H x S x D to B x S x H*D">;
def TTNN_NLPConcatHeadsOp : TTNN_HeadsOp<"nlp_concat_heads", "B x H x S x D to B x 1 x S x H*D">;
def TTNN_NLPConcatHeadsDecodeOp
    : TTNN_HeadsOp<"nlp_concat_heads_decode", "S x B x H' x D to S x 1 x B' x H*D; H' and B' are H and B padded",
                   (ins TTNN_IntAttr:$num_heads)>;

class TTNN_SplitHeadsOp<string mnemonic, string what, dag operands, dag attributes>
    : TTNN_ComputeOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input), operands,
                       (ins TTNN_IntAttr:$num_heads, OptionalAttr<TTNN_IntAttr>:$num_kv_heads), attributes);
  let results = (outs TTNN_Tensor:$query, TTNN_Tensor:$key, TTNN_Tensor:$value);
  let hasVerifier = 1;
}
def TTNN_SplitQueryKeyValueAndSplitHeadsOp
    : TTNN_SplitHeadsOp<"split_query_key_value_and_split_heads",
                        "B x S x (H+2K)*D to B x H x S x D and twice B x K x S x D (keys maybe transposed)",
                        (ins Optional<TTNN_Tensor>:$kv_input_tensor), (ins BoolAttr:$transpose_key)>;
def TTNN_NLPCreateQKVHeadsDecodeOp
    : TTNN_SplitHeadsOp<
          "nlp_create_qkv_heads_decode", "1 x 1 x B x (H+2K)*D to 1 x B x H x D and twice 1 x B x K x D",
          (ins Optional<TTNN_Tensor>:$batch_offset),
          (ins OptionalAttr<BoolAttr>:$overlap_qk_coregrid, OptionalAttr<TTNN_IntAttr>:$slice_size)>;

#endif // TESSERA_DIALECT_TTNN_TTNNOPSTRANSFORMER_TD
