//===- LatentAttention.cpp - Attention on latents -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// All heads share one key per position, and without values of their own the
// first head_dim_v elements of it are the value (facts/deepseek 4.2).
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/Simulator/Parallel.h"

#include <cmath>

namespace tessera::simulator {

namespace {

/// `width`: elements of a key (the latent and its rotary part), `valueWidth`: of a value, which is what the result
/// has per head.
struct LatentOperands {
  const DenseTensor *query, *key, *value; ///< value: the key if it has none of its own
  int64_t width, valueWidth;
  float scale;
  bool isCausal;
};

/// What both forms have in common; error for what is not simulated.
llvm::Expected<LatentOperands> readLatent(const KernelCall &call) {
  LatentOperands in{call.segment(0), call.segment(1), call.segment(2), 0, 0, 1, true};
  if (!in.query || !in.key || in.query->rank() != 4 || in.key->rank() != 4 || in.key->shape()[1] != 1 ||
      in.query->shape()[3] != in.key->shape()[3])
    return failure("the simulator attends to one latent head, of the queries' width");
  // Rows of the key as wide as they are stored, of which the value is the beginning.
  in.value = in.value ? in.value : in.key;
  in.width = in.key->shape()[3];
  in.valueWidth = call.op.integer("head_dim_v", in.width);
  in.isCausal = call.op.boolean("is_causal", true);
  in.scale = float(call.op.number("scale", 1 / std::sqrt(double(in.width))));
  bool fits = in.width > 0 && in.value->shape().drop_back() == in.key->shape().drop_back() &&
              in.valueWidth <= in.value->shape()[3] && in.valueWidth > 0 && !call.result().isInteger() &&
              call.result().volume() == in.query->volume() / in.width * in.valueWidth;
  for (const DenseTensor *operand : {in.query, in.key, in.value})
    fits &= !operand->isInteger();
  if (!fits)
    return failure("values or result do not fit queries and keys");
  return in;
}

/// Queries B x H x S x D, keys B x 1 x T x D; query s may see keys up to s if causal.
llvm::Error runPrefill(KernelCall &call) {
  llvm::Expected<LatentOperands> in = readLatent(call);
  if (!in)
    return in.takeError();
  const DenseTensor *mask = call.segment(3);
  llvm::ArrayRef<int64_t> query = in->query->shape();
  int64_t heads = query[1], sequence = query[2], positions = in->key->shape()[2];
  if (in->key->shape()[0] != query[0])
    return failure("queries and keys have other batches");
  if (mask && (mask->isInteger() || mask->volume() != sequence * positions))
    return failure("the simulator takes one mask for all heads");
  int64_t valueStride = in->value->shape()[3];
  // A row of the result per task, which no other task touches: the bytes do not depend on the number of threads.
  parallelFor(query[0] * heads * sequence, [&](int64_t row) {
    int64_t batch = row / (heads * sequence), s = row % sequence;
    // All heads of an entry read the same keys: the row's entry alone says which.
    attend({in->query->floats.data() + row * in->width,
            in->key->floats.data() + batch * positions * in->width,
            in->value->floats.data() + batch * positions * valueStride, positions, in->width,
            in->isCausal ? s : positions - 1, in->scale, mask ? mask->floats.data() + s * positions : nullptr,
            in->valueWidth, valueStride},
           call.result().floats.data() + row * in->valueWidth);
  });
  return llvm::Error::success();
}

/// Queries 1 x B x H x D, keys in blocks N x 1 x 32 x D; user b sees positions up to its own. A user at -1 is left out: its
/// result is 0.
llvm::Error runPagedDecode(KernelCall &call) {
  llvm::Expected<LatentOperands> in = readLatent(call);
  if (!in)
    return in.takeError();
  const DenseTensor *table = call.segment(3), *positions = call.segment(5);
  if (call.segment(4) || call.segment(6) || !positions || !in->isCausal)
    return failure("the simulator attends without masks and sinks, up to given positions");
  int64_t users = in->query->shape()[1], heads = in->query->shape()[2], block = in->key->shape()[2];
  if (!coversUsers(table, positions, users) || block == 0)
    return failure("page table or positions do not cover the users");
  int64_t valueStride = in->value->shape()[3];
  // User by user: the keys of one are all that is held at a time.
  for (int64_t user = 0; user < users; ++user) {
    int64_t last = positions->indexAt(user);
    if (last == -1)
      continue;
    // Gathered once per user and read by all heads: latent attention has one head of keys for all queries.
    llvm::Expected<std::vector<float>> keys = pagedRows(*in->key, *table, {user, 0}, last);
    if (!keys)
      return keys.takeError();
    llvm::Expected<std::vector<float>> values =
        in->value == in->key ? std::vector<float>() : pagedRows(*in->value, *table, {user, 0}, last);
    if (!values)
      return values.takeError();
    parallelFor(heads, [&](int64_t head) {
      int64_t row = user * heads + head;
      attend({in->query->floats.data() + row * in->width, keys->data(),
              in->value == in->key ? keys->data() : values->data(), last + 1, in->width, last, in->scale,
              nullptr, in->valueWidth, valueStride},
             call.result().floats.data() + row * in->valueWidth);
    });
  }
  return llvm::Error::success();
}

const KernelRow kLatentAttention[] = {{"ttnn.flash_mla_prefill", runPrefill},
                                      {"ttnn.paged_flash_multi_latent_attention_decode", runPagedDecode}};

} // namespace

bool coversUsers(const DenseTensor *table, const DenseTensor *positions, int64_t users) {
  return table && positions && table->rank() == 2 && table->shape()[0] >= users &&
         positions->volume() >= users;
}

llvm::Expected<std::vector<float>> pagedRows(const DenseTensor &cache, const DenseTensor &table, UserHead of,
                                             int64_t last) {
  int64_t block = cache.shape()[2], width = cache.shape()[3], blocks = table.shape().back();
  if (last < 0 || last >= block * blocks)
    return failure("position " + llvm::Twine(last) + " of a page table for " + llvm::Twine(block * blocks));
  std::vector<float> rows;
  // Whole blocks, so that the last one brings positions beyond `last` along: the reader stops before them.
  for (int64_t i = 0; i <= last / block; ++i) {
    int64_t page = table.indexAt(of.user * blocks + i);
    if (page < 0 || page >= cache.shape()[0])
      return failure("block " + llvm::Twine(page) + " of a cache of " + llvm::Twine(cache.shape()[0]));
    const float *from = cache.floats.data() + (page * cache.shape()[1] + of.head) * block * width;
    rows.insert(rows.end(), from, from + block * width);
  }
  return rows;
}

llvm::ArrayRef<KernelRow> latentAttentionKernels() { return kLatentAttention; }

} // namespace tessera::simulator
