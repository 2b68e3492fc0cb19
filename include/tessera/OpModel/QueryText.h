//===- QueryText.h - Op model queries as one line of text ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   ttnn.add 64x1024@hs8, 64x1024xf32@dram -> 64x1024@hs8 ; attr=1 list=[1,2] flag=true ; mcast2d grid=8x8
//   k=2 m=4 n=4
//
// Tensor: shape, data type (default bf16), @ layout. Layouts: dram, l1, host,
// hsN, wsN, bsRxC (L1 sharded over N or R x C cores), wsdramN; with /rm appended
// row-major. `?` leaves a result's layout to the backend; `()` is no tensor.
// A repeated operand is written `=0` (the same value as operand 0).
// Config kinds: reuse, mcast2d, mcast1d_in0, mcast1d_in1, dram_sharded with grid, k, m, n, sub, block;
// conv with shard, act_block_h, slice, slices, deallocate.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_QUERYTEXT_H
#define TESSERA_OPMODEL_QUERYTEXT_H

#include "tessera/OpModel/OpModel.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// A query that owns what it refers to.
struct TextQuery {
  OpSignature signature;
  llvm::SmallVector<LayoutId, 4> inputs;
  OpConfig config;
  Bytes additionalL1{0};
  OpQuery query() const { return {signature, inputs, config, additionalL1}; }
};

/// The query that `text` describes. An error names the part that does not parse; nothing else can go wrong.
llvm::Expected<TextQuery> parseQueryText(llvm::StringRef text, LayoutPool &layouts, const DeviceSpec &device);
/// One tensor, `32x64xf32@hs8`: what it is and where it lies; nullopt for `@?`.
llvm::Expected<std::pair<TensorDesc, std::optional<TensorLayout>>> parseTensorText(llvm::StringRef text,
                                                                                   const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_OPMODEL_QUERYTEXT_H
