//===- AttentionDrafts.cpp - Heads, caches and attention ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Calls of attention and of what prepares it, in the shapes of published models.
// Prompts have tokens in one dimension, a decode step has users there: the ops of
// the two are others, and so are the places that they take tensors in.
//
//===----------------------------------------------------------------------===//
#include "Drafts.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

/// How many positions a cache has room for.
int64_t cached(Draw &draw) { return draw.pick<int64_t>({128, 512, 1024, 2048}); }

// ---- Heads ----------------------------------------------------------------------------------------------

/// What one product gives: queries, and the keys and values that several of them may share.
int64_t fusedWidth(const Transformer &m) { return (m.heads + 2 * m.keyValueHeads) * m.headSize; }

std::string splitHeads(Draw &draw) {
  const Transformer &m = draw.chance(60) ? draw.decoder() : draw.encoder();
  int64_t batch = draw.pick<int64_t>({1, 1, 8}), tokens = draw.tokens();
  // Keys may come out ready for a product with queries.
  bool transposed = draw.chance(40);
  Extents q = {batch, m.heads, tokens, m.headSize}, k = {batch, m.keyValueHeads, tokens, m.headSize}, v = k;
  if (transposed)
    std::swap(k[2], k[3]);
  return call(tensor({batch, tokens, fusedWidth(m)}, "bf16", "l1"),
              tensor(q, "bf16", "l1") + ", " + tensor(k, "bf16", "l1") + ", " + tensor(v, "bf16", "l1"),
              llvm::formatv("num_heads={0} num_kv_heads={1} transpose_key={2}", m.heads, m.keyValueHeads,
                            transposed ? "true" : "false"));
}

std::string createHeadsOfDecode(Draw &draw) {
  const Transformer &m = draw.decoder();
  int64_t users = draw.users();
  // Where results lie is the backend's choice ("?"): each user's heads on a core.
  Extents q = {1, users, m.heads, m.headSize}, k = {1, users, m.keyValueHeads, m.headSize};
  return call(tensor({1, 1, users, fusedWidth(m)}, "bf16", "l1"),
              tensor(q, "bf16", "?") + ", " + tensor(k, "bf16", "?") + ", " + tensor(k, "bf16", "?"),
              llvm::formatv("num_heads={0} num_kv_heads={1}", m.heads, m.keyValueHeads));
}

std::string concatenateHeads(Draw &draw) {
  Extents heads = draw.heads();
  return call(tensor(heads, "bf16", "l1"), tensor({heads[0], heads[2], heads[1] * heads[3]}, "bf16", "l1"));
}

std::string nlpConcatHeads(Draw &draw) {
  Extents heads = draw.heads();
  return call(tensor(heads, "bf16", "l1"),
              tensor({heads[0], 1, heads[2], heads[1] * heads[3]}, "bf16", "l1"));
}

std::string concatHeadsOfDecode(Draw &draw) {
  const Transformer &m = draw.decoder();
  int64_t users = draw.users();
  return call(tensor({1, users, m.heads, m.headSize}, "bf16", "l1"),
              tensor({1, 1, users, m.heads * m.headSize}, "bf16", "l1"),
              "num_heads=" + std::to_string(m.heads));
}

// ---- Rotary embeddings ----------------------------------------------------------------------------------

std::string rotary(Draw &draw) {
  Extents heads = draw.heads();
  std::string t = tensor(heads, "bf16", "l1"), angles = tensor({1, 1, heads[2], heads[3]}, "bf16", "dram");
  return call(t + ", " + angles + ", " + angles, t);
}

/// The fourth operand is a tile, the matrix that turns pairs of elements.
std::string rotaryLlama(Draw &draw) {
  Extents heads = draw.heads();
  heads[0] = 1;
  std::string t = tensor(heads, "bf16", "l1"), angles = tensor({1, 1, heads[2], heads[3]}, "bf16", "dram");
  return call(t + ", " + angles + ", " + angles + ", " + tensor({1, 1, 32, 32}, "bf16", "dram"), t,
              "is_decode_mode=false");
}

// ---- Caches ---------------------------------------------------------------------------------------------

/// Blocks of floats take about half the room, and the cache is what grows with users and positions.
std::string cacheType(Draw &draw) { return draw.chance(70) ? "bf16" : "bfp_bf8"; }

/// A position of each user. Ops on caches have no result, "()": they write into their first operand.
std::string updateCache(Draw &draw) {
  const Transformer &m = draw.decoder();
  Extents cache = {draw.pick<int64_t>({1, 8, 32}), m.keyValueHeads, cached(draw), m.headSize};
  return call(tensor(cache, cacheType(draw), "dram") + ", " +
                  tensor({1, m.keyValueHeads, cache[0], m.headSize}, "bf16", "l1") + ", " +
                  tensor({1}, "u32", "dram/rm"),
              "()", "batch_offset=0");
}

/// A prompt of one user, which has the cache's type.
std::string fillCache(Draw &draw) {
  const Transformer &m = draw.decoder();
  std::string type = cacheType(draw);
  Extents cache = {draw.pick<int64_t>({1, 8, 32}), m.keyValueHeads, cached(draw), m.headSize};
  return call(tensor(cache, type, "dram") + ", " +
                  tensor({1, m.keyValueHeads, draw.pick<int64_t>({32, 128}), m.headSize}, type, "l1"),
              "()", "batch_offset=0");
}

std::string pagedUpdateCache(Draw &draw) {
  const Transformer &m = draw.decoder();
  int64_t users = draw.users(), pages = draw.pick<int64_t>({4, 16});
  // Pages of 128 positions.
  Extents cache = {users * pages, m.keyValueHeads, 128, m.headSize};
  return call(tensor(cache, cacheType(draw), "dram") + ", " +
                  tensor({1, users, m.keyValueHeads, m.headSize}, "bf16", "hs" + std::to_string(users)) +
                  ", " + tensor({users}, "si32", "dram/rm") + ", " +
                  tensor({users, pages}, "si32", "dram/rm"),
              "()", "share_cache=false");
}

std::string pagedFillCache(Draw &draw) {
  const Transformer &m = draw.decoder();
  int64_t users = draw.users(), pages = draw.pick<int64_t>({4, 16});
  std::string type = cacheType(draw);
  return call(tensor({users * pages, m.keyValueHeads, 128, m.headSize}, type, "dram") + ", " +
                  tensor({1, m.keyValueHeads, draw.pick<int64_t>({32, 128, 256}), m.headSize}, type, "l1") +
                  ", " + tensor({users, pages}, "si32", "dram/rm") + ", " + tensor({1}, "u32", "dram/rm"),
              "()");
}

// ---- Attention ------------------------------------------------------------------------------------------

std::string attention(Draw &draw) {
  const Transformer &m = draw.chance(70) ? draw.decoder() : draw.encoder();
  int64_t batch = draw.pick<int64_t>({1, 1, 8}), tokens = draw.tokens();
  std::string k = tensor({batch, m.keyValueHeads, tokens, m.headSize}, "bf16", "dram");
  // Any scale asks for the same program; 0.125 is that of heads of 64.
  std::string q = tensor({batch, m.heads, tokens, m.headSize}, "bf16", "l1");
  return call(q + ", " + k + ", " + k, q,
              std::string("is_causal=") + (draw.chance(60) ? "true" : "false") + " scale=0.125");
}

std::string attentionOfDecode(Draw &draw) {
  const Transformer &m = draw.decoder();
  int64_t users = draw.users();
  std::string k = tensor({users, m.keyValueHeads, cached(draw), m.headSize}, cacheType(draw), "dram");
  std::string q = tensor({1, users, m.heads, m.headSize}, "bf16", "l1");
  return call(q + ", " + k + ", " + k + ", " + tensor({users}, "si32", "dram/rm"), q,
              "is_causal=true scale=0.125 operandSegmentSizes=[1,1,1,0,1,0]");
}

std::string pagedAttentionOfDecode(Draw &draw) {
  const Transformer &m = draw.decoder();
  int64_t users = draw.users(), pages = draw.pick<int64_t>({4, 16});
  std::string k = tensor({users * pages, m.keyValueHeads, 128, m.headSize}, cacheType(draw), "dram");
  std::string q = tensor({1, users, m.heads, m.headSize}, "bf16", "l1");
  return call(q + ", " + k + ", " + k + ", " + tensor({users, pages}, "si32", "dram/rm") + ", " +
                  tensor({users}, "si32", "dram/rm"),
              q, "is_causal=true scale=0.125 operandSegmentSizes=[1,1,1,1,0,1,0]");
}

// Caches and tables lie where models have them, in DRAM; only what is computed moves.
constexpr DraftedOp kAttention[] = {
    {"split_query_key_value_and_split_heads", 50, splitHeads},
    {"nlp_create_qkv_heads_decode", 30, createHeadsOfDecode},
    {"concatenate_heads", 40, concatenateHeads},
    {"nlp_concat_heads", 20, nlpConcatHeads},
    {"nlp_concat_heads_decode", 25, concatHeadsOfDecode},
    {"rotary_embedding", 25, rotary},
    {"rotary_embedding_llama", 40, rotaryLlama},
    {"update_cache", 20, updateCache},
    {"fill_cache", 20, fillCache},
    {"paged_update_cache", 25, pagedUpdateCache},
    {"paged_fill_cache", 20, pagedFillCache},
    {"scaled_dot_product_attention", 50, attention},
    {"scaled_dot_product_attention_decode", 50, attentionOfDecode},
    {"paged_scaled_dot_product_attention_decode", 30, pagedAttentionOfDecode},
};

} // namespace

llvm::ArrayRef<DraftedOp> attentionDrafts() { return kAttention; }

} // namespace tessera::evaluation
