//===- QueryText.h - Op model queries as one line of text ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   ttnn.add 64x1024@hs8, 64x1024xf32@dram -> 64x1024@hs8 ; attr=1 list=[1,2] flag=true ; mcast2d grid=8x8
//   k=2 m=4 n=4
//
// Tensor: shape and data type (default bf16), @, layout (Layout/LayoutText.h).
// `?` leaves a result's layout to the backend, and alone its shape to the operands, where they tell it: of products of
// matrices, and of what is computed element by element. `()` means no tensor. A repeated operand is written `=0` (the same
// value as operand 0). An attribute's value is a flag, a whole number, a list of them, another number, or text; text
// with spaces, or that looks like one of the others, stands in single quotes,
// with quotes doubled.
// Configs: a kind and its keys, as queryConfigWords() lists them.
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

/// The kinds of configs and their keys, for help.
std::string queryConfigWords();

/// The query that `text` describes. An error names the part that does not parse; nothing else can go wrong.
llvm::Expected<TextQuery> parseQueryText(llvm::StringRef text, LayoutPool &layouts, const DeviceSpec &device);

// The parts of a query as the text that is read as them again. What no text is read as (layouts with maps of their
// own ...) is printed as what comes nearest.

/// Shape and data type: "64x1024xbf16".
std::string descriptionText(const TensorDesc &tensor);
/// Without a layout `@?`.
std::string tensorText(const TensorDesc &tensor, const TensorLayout *layout, const DeviceSpec &device);
/// All attributes, `name=value` with spaces between.
std::string attributesText(const OpSignature &signature);
/// "" without a configuration.
std::string configText(const OpSpecificConfig &config);

} // namespace tessera

#endif // TESSERA_OPMODEL_QUERYTEXT_H
