//===- Attention.h - How attention is cut into pieces ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_ATTENTION_ATTENTION_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_ATTENTION_ATTENTION_H

#include "../Family.h"
#include "../OpCall.h"

namespace tessera::analytic {

/// Do the kernels of tt-metal 0.77 (August 2026) or newer ones answer?
inline bool isNewestAttention(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

/// What the matrix engine reads of attention's operands: bf16, bfp8 or bfp4.
bool attentionType(const TensorRef &tensor);
/// Are query, key and value of such a type? Mask and tables behind these three have rules of their own.
bool attentionTypes(const OpCall &call);
inline constexpr RuleInfo kAttentionTypes = {"attention.types",
                                             "query, key and value must be bf16, bfp8 or bfp4",
                                             "tt-metal 0.77 (sdpa_device_operation.cpp)"};
inline constexpr llvm::StringRef kAttentionOperands[] = {"query", "key", "value"};

/// Ops of decode attention, as OpRow::variant.
enum DecodeVariant : unsigned { Contiguous, Paged, PagedLatent, ContiguousLatent };

/// What the decode kernel is cut into; facts/formulas 10.
struct DecodeShape {
  int64_t head;       ///< tiles of a head of queries and keys
  int64_t value;      ///< and of values, which latent attention has narrower
  int64_t groups;     ///< of query heads that attend by themselves
  int64_t queryTiles; ///< rows of tiles that a group's query heads take
  int64_t queryTile;  ///< bytes of a query tile: half tiles for few heads
  int64_t chunk;      ///< key tiles at a time
  /// Cores that share the keys of one group, and add up what they find.
  int64_t coresPerHead;
};
/// Depends on shapes, types and chip, not on where operands lie.
DecodeShape attentionDecodeShape(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_ATTENTION_ATTENTION_H
