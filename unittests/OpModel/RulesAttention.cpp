//===- RulesAttention.cpp - Legality rules, by example ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RuleCases.h"

using namespace tessera;

namespace {

constexpr RuleCase kCases[] = {
    {"cache.tiled_interleaved", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1 -> () ; batch_offset=0",
     "ttnn.fill_cache 1x8x64x128@hs16, 1x8x32x128@l1 -> ()"},
    {"cache.input_not_width_sharded", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs8 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@ws4 -> ()"},
    {"update_cache.index_type", "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@l1, 1xu32@dram -> ()",
     "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@l1, 1@dram -> ()"},
    {"paged_update_cache.input_height_sharded",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@dram, 32xsi32@dram/rm -> ()"},
    {"paged_update_cache.index_type",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xu32@dram/rm -> ()"},
    {"paged_fill_cache.input_interleaved",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x64x256@hs24, 8x16xsi32@dram/rm -> ()"},
    {"paged_fill_cache.same_type",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256xf32@dram, 8x16xsi32@dram/rm -> ()",
     BackendVersion::October2026},
    {"paged_fill_cache.table_type",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xu32@dram/rm -> ()"},
    {"rotary_embedding_llama.decode",
     "ttnn.rotary_embedding_llama 1x1x32x32@hs1, 1x1x32x32@hs1, 1x1x32x32@hs1, 1x1x32x32@hs1 -> "
     "1x1x32x32@hs1 ; "
     "is_decode_mode=true",
     "ttnn.rotary_embedding_llama 1x1x32x32@hs1, 1x1x32x32@dram, 1x1x32x32@hs1, 1x1x32x32@hs1 -> "
     "1x1x32x32@hs1 ; "
     "is_decode_mode=true"},
    {"rotary_embedding_llama.tables",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram/rm, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1"},
    {"rotary_embedding.tiled",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@l1",
     "ttnn.rotary_embedding 1x8x32x64@l1/rm, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@l1"},
    {"rotary_embedding.width",
     "ttnn.rotary_embedding 1x8x32x32@l1, 1x1x32x32@dram, 1x1x32x32@dram -> 1x8x32x32@l1",
     "ttnn.rotary_embedding 1x8x32x48@l1, 1x1x32x48@dram, 1x1x32x48@dram -> 1x8x32x48@l1"},
    {"rotary_embedding.operand",
     "ttnn.rotary_embedding 1x8x32x64@hs8, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@hs8",
     "ttnn.rotary_embedding 1x8x32x64@ws2, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@ws2"},
    {"rotary_embedding.result",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@dram",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@bs4x2"},
    {"concatenate_heads.interleaved", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@l1",
     "ttnn.concatenate_heads 1x8x32x64@hs8 -> 1x32x512@l1"},
    {"concatenate_heads.result_interleaved", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@dram",
     "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@ws8"},
    {"nlp_concat_heads_decode.heads",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@? ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@? ; num_heads=65"},
    {"nlp_concat_heads_decode.operand",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@ws8 ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@l1 -> 1x1x32x1024@? ; num_heads=8"},
    {"nlp_concat_heads_decode.result",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@ws8 ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@l1 ; num_heads=8"},
    {"nlp_create_qkv_heads_decode.operand",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@ws8 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@? ; num_heads=8",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@bs1x8 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?"},
    {"nlp_create_qkv_heads_decode.result",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs32, 1x32x2x64@hs32, 1x32x2x64@hs32",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@l1, 1x32x2x64@?, 1x32x2x64@?"},
    {"nlp_create_qkv_heads_decode.users",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     "ttnn.nlp_create_qkv_heads_decode 1x1x48x768@l1 -> 1x48x8x64@?, 1x48x2x64@?, 1x48x2x64@?"},
    {"rotary_embedding.first_cores",
     "ttnn.rotary_embedding 1x4x32x64@hs4/shard=32x64/cores=0:0-1:1, 1x1x32x64@dram, 1x1x32x64@dram -> "
     "1x4x32x64@hs4/shard=32x64/cores=0:0-1:1",
     "ttnn.rotary_embedding 1x4x32x64@hs4/shard=32x64/cores=3:2-4:3, 1x1x32x64@dram, 1x1x32x64@dram -> "
     "1x4x32x64@hs4/shard=32x64/cores=3:2-4:3"},
    {"nlp_create_qkv_heads_decode.even_shards",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@ws8 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@ws5 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?"},
    {"nlp_create_qkv_heads_decode.head_tiles",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs32, 1x32x2x64@hs32, 1x32x2x64@hs32",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x1200@l1 -> 1x32x8x100@hs32, 1x32x2x100@hs32, 1x32x2x100@hs32",
     kNewest},
    {"split_heads.head_size",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x432@l1 -> 2x4x64x36@l1, 2x4x64x36@l1, 2x4x64x36@l1"},
    {"split_heads.interleaved",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@bs2x4 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1"},
    {"split_heads.result_interleaved",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@dram -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@hs8, 2x4x64x64@l1, 2x4x64x64@l1"},
    {"attention.operands",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@hs4, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram"},
    {"attention.chunks",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; "
     "is_causal=false ; attention q=64 k=96",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; "
     "is_causal=false ; attention q=64 k=48"},
    {"attention.config_grid",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; "
     "is_causal=false ; attention grid=8x8 q=64 k=64",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; "
     "is_causal=false ; attention grid=9x8 q=64 k=64"},
    {"attention.sliding_window",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; is_causal=true sliding_window_size=64 compute_config.fp32_dest_acc_en=true",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; is_causal=true sliding_window_size=48 compute_config.fp32_dest_acc_en=true",
     kNewest},
    {"attention.sliding_window",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; is_causal=false sliding_window_size=64",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram "
     "; is_causal=false sliding_window_size=64 compute_config.fp32_dest_acc_en=true",
     kNewest},
    {"attention.result_interleaved",
     "ttnn.scaled_dot_product_attention 1x1x128x64@l1, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@l1",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@hs4"},
    {"attention_decode.keys_in_dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@l1, 1x12x128x32@dram -> "
     "1x1x12x32@dram"},
    {"attention_decode.query",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@hs1, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@l1, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram"},
    {"attention_decode.result",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x1x128x32@dram, 1x1x128x32@dram -> "
     "1x1x12x32@hs1",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@hs1"},
    {"chunked_attention.operands",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@dram",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@hs24, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@dram"},
    {"chunked_attention.page_table",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@l1",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram, 1xsi32@dram/rm -> 1x12x64x64@dram"},
    {"latent_attention_decode.result",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@dram, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@l1",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@dram, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@ws4"},
    {"training_attention.tiled",
     "ttnn.sdpa_fw 1x2x64x64@dram, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram",
     "ttnn.sdpa_fw 1x2x64x64@dram/rm, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram"},
    {"training_attention.interleaved",
     "ttnn.sdpa_fw 1x2x64x64@l1, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram",
     "ttnn.sdpa_fw 1x2x64x64@hs4, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram"},
    {"indexer_score_dsa.tiled",
     "ttnn.indexer_score_dsa 1x8x32x128@dram, 1x1x32x128@dram, 1x8x32x1@dram -> 1x1x32x32@l1",
     "ttnn.indexer_score_dsa 1x8x32x128@dram/rm, 1x1x32x128@dram, 1x8x32x1@dram -> 1x1x32x32@l1"},
    {"attention.types",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64xf32@dram, 1x1x128x64@dram, 1x1x128x64@dram -> "
     "1x1x128x64@dram",
     kNewest},
    {"attention.mask_in_dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x128@dram "
     "-> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x128@l1 -> "
     "1x1x128x64@dram",
     kNewest},
    {"attention.head_size",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x40@dram, 1x1x128x40@dram, 1x1x128x40@dram -> 1x1x128x40@dram",
     kNewest},
    {"attention.mask_alone",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x128@dram "
     "-> 1x1x128x64@dram ; is_causal=false",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x128@dram "
     "-> 1x1x128x64@dram ; is_causal=false sliding_window_size=64",
     kNewest},
    {"chunked_attention.table_rows",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@dram",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x4xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@dram",
     kNewest},
    {"chunked_attention.table_room",
     "ttnn.chunked_scaled_dot_product_attention 1x12x256x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x256x64@dram",
     "ttnn.chunked_scaled_dot_product_attention 1x12x320x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x320x64@dram",
     kNewest},
    {"update_cache.users_in_rows", "ttnn.update_cache 8x2x64x128@dram, 1x2x8x128@l1, 1xu32@dram -> ()",
     "ttnn.update_cache 8x2x64x128@dram, 8x2x1x128@l1, 1xu32@dram -> ()", kNewest},
    {"fill_cache.first_cores",
     "ttnn.fill_cache 2x4x64x64@dram, 1x4x64x64@hs4/shard=64x64/cores=0:0-1:1 -> ()",
     "ttnn.fill_cache 2x4x64x64@dram, 1x4x64x64@hs4/shard=64x64/cores=3:2-4:3 -> ()",
     BackendVersion::October2026},
    {"update_cache.first_core",
     "ttnn.update_cache 32x4x64x64@dram, 1x4x32x64@hs4/shard=32x64/cores=0:0-1:1, 1xu32@dram -> ()",
     "ttnn.update_cache 32x4x64x64@dram, 1x4x32x64@hs4/shard=32x64/cores=0:0-0:0+3:2-5:2, 1xu32@dram -> ()",
     BackendVersion::October2026},
    {"update_cache.first_core", "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@hs8, 1xu32@dram -> ()",
     "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@hs8/cores=0:1-7:1, 1xu32@dram -> ()",
     BackendVersion::October2026},
    {"paged_update_cache.shared_without_pages",
     "ttnn.paged_update_cache 1x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> () ; share_cache=true",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> () ; share_cache=true",
     kNewest},
    {"attention.mask_type",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, "
     "1x1x128x128xbfp_bf8@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, "
     "1x1x128x128xf32@dram -> 1x1x128x64@dram",
     kNewest},
    {"attention_decode.key_chunks",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x144x32@dram, 1x12x144x32@dram -> "
     "1x1x12x32@dram",
     kNewest},
    {"attention_decode.config_grid",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram ; program_config.compute_with_storage_grid_size='#ttnn.core_coord<8, 8>' "
     "program_config.k_chunk_size=32",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram ; program_config.compute_with_storage_grid_size='#ttnn.core_coord<12, 10>' "
     "program_config.k_chunk_size=32"},
    {"attention_decode.keys_tiled",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram/rm, 1x12x128x32@dram -> "
     "1x1x12x32@dram"},
    {"attention_decode.grouped_query_type",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32xbfp_bf8@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     kNewest},
    {"attention_decode.mask_type",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128@dram -> 1x1x12x32@dram ; is_causal=false",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128xf32@dram -> 1x1x12x32@dram ; is_causal=false",
     kNewest},
    {"attention_decode.mask_tiled",
     "ttnn.scaled_dot_product_attention_decode 1x1x32x32@dram, 1x8x128x32@dram, 1x8x128x32@dram, "
     "1x1x32x128@dram -> 1x1x32x32@dram ; is_causal=false",
     "ttnn.scaled_dot_product_attention_decode 1x1x32x32@dram, 1x8x128x32@dram, 1x8x128x32@dram, "
     "1x1x32x128@dram/rm -> 1x1x32x32@dram ; is_causal=false"},
    {"attention_decode.mask_shape",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128@dram -> 1x1x12x32@dram ; is_causal=false",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x11x128@dram -> 1x1x12x32@dram ; is_causal=false",
     kNewest},
    {"attention_decode.page_table",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x32x64@dram, 32x8x64x64@dram, 32x8x64x64@dram, "
     "8x4xsi32@dram/rm, 8xsi32@dram/rm -> 1x8x32x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x32x64@dram, 32x8x64x64@dram, 32x8x64x64@dram, "
     "8x4xu32@dram/rm, 8xsi32@dram/rm -> 1x8x32x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     kNewest},
    {"attention_decode.scores_block",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x32x64@dram, 32x8x64x64@dram, 32x8x64x64@dram, "
     "8x4xsi32@l1/rm, 8xsi32@dram/rm -> 1x8x32x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x71x64@dram, 32x1x64x64@dram, 32x1x64x64@dram, "
     "8x4xsi32@dram/rm, 8xsi32@dram/rm -> 1x8x71x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     kNewest},
    {"attention_decode.cores_per_head",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "", kNewest},
    {"cache.input_tiled", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1/rm -> ()"},
    {"cache.input_tiled", "ttnn.paged_update_cache 32x1x512x64@dram, 1x32x1x64@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x1x512x64@dram, 1x32x1x64@hs32/rm, 32xsi32@dram/rm -> ()"},
    {"cache.types", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1 -> ()",
     "ttnn.fill_cache 1x8x64x128xsi32@dram, 1x8x32x128xsi32@l1 -> ()"},
    {"cache.whole_rows", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs8 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@bs8x2 -> ()"},
    {"fill_cache.same_type", "ttnn.fill_cache 1x8x64x128xbfp_bf8@dram, 1x8x32x128xbfp_bf8@l1 -> ()",
     "ttnn.fill_cache 1x8x64x128xbfp_bf8@dram, 1x8x32x128@l1 -> ()"},
    {"fill_cache.heads_in_shards", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs8 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs4 -> ()"},
    {"update_cache.even_shards", "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@hs4, 1xu32@dram/rm -> ()",
     "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@hs3, 1xu32@dram/rm -> ()"},
    {"paged_update_cache.index_in_dram",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@l1/rm -> ()", kNewest},
    {"paged_update_cache.page_table",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm, 32x4xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm, 32x4xu32@dram/rm -> ()",
     kNewest},
    {"paged_update_cache.input_type",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128xf32@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128xbfp_bf8@hs32, 32xsi32@dram/rm -> ()", kNewest},
    {"paged_fill_cache.table_room",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x544x256@dram, 8x16xsi32@dram/rm -> ()"},
    {"paged_fill_cache.table_pages",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@l1/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x4xsi32@l1/rm -> ()", kNewest},
    {"paged_fill_cache.index_in_dram",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm, 1xu32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm, 1xu32@l1/rm -> ()",
     kNewest},
    {"rotary_embedding.table_types",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@l1",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64xf32@dram -> 1x8x32x64@l1"},
    {"rotary_embedding.table_shapes",
     "ttnn.rotary_embedding 4x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 4x8x32x64@l1",
     "ttnn.rotary_embedding 4x8x32x64@l1, 4x1x32x64@dram, 4x1x32x64@dram -> 4x8x32x64@l1"},
    {"rotary_embedding.table_rows",
     "ttnn.rotary_embedding 1x8x64x64@l1, 1x1x33x64@dram, 1x1x33x64@dram -> 1x8x64x64@l1",
     "ttnn.rotary_embedding 1x8x64x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x64x64@l1"},
    {"rotary_embedding.token",
     "ttnn.rotary_embedding 1x32x8x64@l1, 1x1x1x64@dram, 1x1x1x64@dram -> 1x32x32x64@l1 ; token_index=0",
     "ttnn.rotary_embedding 4x32x8x64@l1, 1x1x1x64@dram, 1x1x1x64@dram -> 4x32x32x64@l1 ; token_index=0"},
    {"rotary_embedding_llama.prefill",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@hs8, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@hs8"},
    {"rotary_embedding_llama.prefill_tables",
     "ttnn.rotary_embedding_llama 1x8x64x64@l1, 1x1x64x64@hs2, 1x1x64x64@hs2, 1x1x32x32@hs1 -> "
     "1x8x64x64@l1",
     "ttnn.rotary_embedding_llama 1x8x64x64@l1, 1x1x64x64@hs1, 1x1x64x64@hs1, 1x1x32x32@dram -> "
     "1x8x64x64@l1"},
    {"rotary_embedding_llama.wide_sums",
     "ttnn.rotary_embedding_llama 1x8x32x128@l1, 1x1x32x128@dram, 1x1x32x128@dram, 1x1x32x32@dram -> "
     "1x8x32x128@l1 ; compute_config.fp32_dest_acc_en=true",
     "ttnn.rotary_embedding_llama 1x8x32x256@l1, 1x1x32x256@dram, 1x1x32x256@dram, 1x1x32x32@dram -> "
     "1x8x32x256@l1 ; compute_config.fp32_dest_acc_en=true"},
    {"rotary_embedding_llama.table_shapes",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x64x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1"},
    {"rotary_embedding_llama.types",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32xf32@dram -> "
     "1x8x32x64@l1"},
    {"concatenate_heads.head_size", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@l1",
     "ttnn.concatenate_heads 1x8x32x100@l1 -> 1x32x800@l1"},
    {"concatenate_heads.tiled", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@l1",
     "ttnn.concatenate_heads 1x8x32x64@l1/rm -> 1x32x512@l1"},
    {"nlp_concat_heads_decode.user_in_shard",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs8 -> 1x1x8x4096@? ; num_heads=32",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs4 -> 1x1x8x4096@? ; num_heads=32", kNewest},
    {"nlp_concat_heads_decode.first_core",
     "ttnn.nlp_concat_heads_decode 1x12x8x128@hs12 -> 1x1x12x1024@? ; num_heads=8", "", kNewest},
    {"nlp_concat_heads_decode.named_cores",
     "ttnn.nlp_concat_heads_decode 1x12x8x128@hs12 -> 1x1x12x1024@? ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x12x32x128@hs12 -> 1x1x12x4096@? ; num_heads=32", kNewest},
    {"nlp_concat_heads_decode.tiled",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs8 -> 1x1x8x4096@? ; num_heads=32",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs8/rm -> 1x1x8x4096@? ; num_heads=32"},
    {"nlp_create_qkv_heads_decode.named_cores",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x3840@ws12 -> 1x32x32x96@?, 1x32x4x96@?, 1x32x4x96@? ; "
     "num_heads=32",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x5184@ws12 -> 1x32x64x72@?, 1x32x4x72@?, 1x32x4x72@? ; "
     "num_heads=64",
     kNewest},
    {"attention.sink",
     "ttnn.scaled_dot_product_attention 1x8x64x64@l1, 1x8x64x64@l1, 1x8x64x64@l1, 1x8x1x1@dram -> "
     "1x8x64x64@l1 "
     "; operandSegmentSizes=[1,1,1,0,1] is_causal=false",
     "ttnn.scaled_dot_product_attention 1x8x64x64@l1, 1x8x64x64@l1, 1x8x64x64@l1, 1x8x1x1@l1 -> 1x8x64x64@l1 "
     "; operandSegmentSizes=[1,1,1,0,1] is_causal=false",
     kNewest},
    {"attention_decode.sink",
     "ttnn.scaled_dot_product_attention_decode 1x4x8x64@dram, 4x1x64x64@dram, 4x1x64x64@dram, 8x1@dram -> "
     "1x4x8x64@dram ; operandSegmentSizes=[1,1,1,0,0,1] is_causal=false",
     "ttnn.scaled_dot_product_attention_decode 1x4x8x64@dram, 4x1x64x64@dram, 4x1x64x64@dram, 8x1@l1 -> "
     "1x4x8x64@dram ; operandSegmentSizes=[1,1,1,0,0,1] is_causal=false",
     kNewest},
    {"nlp_concat_heads_decode.type",
     "ttnn.nlp_concat_heads_decode 1x8x32x128xf32@hs8 -> 1x1x8x4096xf32@? ; num_heads=32",
     "ttnn.nlp_concat_heads_decode 1x8x32x128xbfp_bf8@hs8 -> 1x1x8x4096xbfp_bf8@? ; num_heads=32", kNewest},
    {"nlp_create_qkv_heads_decode.result_cores",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs32, 1x32x2x64@hs32, 1x32x2x64@hs32",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs16, 1x32x2x64@hs16, 1x32x2x64@hs16",
     kNewest},
    {"nlp_create_qkv_heads_decode.tiled",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@l1, 1x32x2x64@l1, 1x32x2x64@l1",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1/rm -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?", kNewest},
    {"nlp_create_qkv_heads_decode.type",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768xbfp_bf8@l1 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     kNewest},
    {"split_heads.tiled",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1/rm -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1"},
    {"paged_update_cache.shard_per_user",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs16, 32xsi32@dram/rm -> ()", kNewest},
    {"rotary_embedding_llama.table_shards",
     "ttnn.rotary_embedding_llama 1x8x32x64@hs8, 1x8x32x64@hs8, 1x8x32x64@hs8, 1x1x256x32@hs8 -> "
     "1x8x32x64@hs8 ; is_decode_mode=true",
     "ttnn.rotary_embedding_llama 1x8x32x64@hs4, 1x8x32x64@hs8, 1x8x32x64@hs8, 1x1x256x32@hs8 -> "
     "1x8x32x64@hs4 ; is_decode_mode=true",
     kNewest},
    {"attention_decode.query_shards",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@hs8, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@dram",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@hs4, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@dram"},
    {"attention_decode.result_shards",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@dram, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@hs8",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@dram, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@hs4"},
    {"attention_decode.result_shards",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@dram, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@hs4",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@dram, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@hs2"},
    {"attention_decode.query_shards",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@hs4, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@dram",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@hs2, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@dram"},
    {"attention_decode.query_rows",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@dram, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@dram",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@dram/rm, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@dram",
     BackendVersion::October2026},
    {"attention_decode.result_shard",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@hs8, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@hs8",
     "ttnn.scaled_dot_product_attention_decode 1x8x71x64@hs8, 8x1x512x64@dram, 8x1x512x64@dram -> "
     "1x8x71x64@hs24",
     kNewest},
};

} // namespace

llvm::ArrayRef<RuleCase> tessera::ruleCasesOfAttention() { return kCases; }
