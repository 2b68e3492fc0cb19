//===- QueryTextPrint.cpp - Op model queries as text: printing ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is printed is read back as the same query (QueryText.cpp), so it says a thing in the shortest way that the
// parser cannot take for another one; what a parser supposes by itself is left out.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/QueryText.h"

#include "tessera/Layout/LayoutText.h"
#include "tessera/Support/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera {
namespace {

// The inverse of Parser::attribute in QueryText.cpp: text that could be read as another kind of value is quoted.
struct ValueText {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(int64_t number) const { return std::to_string(number); }
  /// A point or an exponent tells it from a whole number.
  std::string operator()(double number) const {
    std::string text = exactNumber(number);
    return llvm::StringRef(text).find_first_of(".e") == llvm::StringRef::npos ? text + ".0" : text;
  }
  std::string operator()(const std::vector<int64_t> &numbers) const {
    return llvm::formatv("[{0:$[,]}]", llvm::make_range(numbers.begin(), numbers.end()));
  }
  std::string operator()(const std::string &text) const {
    // Quoted more often than it must be ("-x" is no number): what begins like a number or a list need not be told from
    // one then.
    bool other = text.empty() || llvm::StringRef("[+-.0123456789").contains(text[0]) || text == "true" ||
                 text == "false";
    bool plain = !other && llvm::StringRef(text).find_first_of(" ;'") == llvm::StringRef::npos;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(text).split(parts, '\'');
    return plain ? text : "'" + llvm::join(parts, "''") + "'";
  }
};

struct ConfigText {
  std::string operator()(std::monostate) const { return ""; }

  std::string operator()(const MatmulProgramConfig &c) const {
    using Kind = MatmulProgramConfig::Kind;
    llvm::StringRef kind = c.kind == Kind::Reuse                  ? "reuse"
                           : c.kind == Kind::MultiCast2D          ? "mcast2d"
                           : c.kind == Kind::MultiCastDramSharded ? "dram_sharded"
                           : c.mcastIn0                           ? "mcast1d_in0"
                                                                  : "mcast1d_in1";
    std::string text = llvm::formatv("{0} grid={1}x{2} k={3} m={4} n={5}", kind, c.grid.x, c.grid.y,
                                     c.in0BlockW, c.perCoreM, c.perCoreN);
    text += llvm::formatv(" sub={0}x{1}", c.outSubblockH, c.outSubblockW);
    // The parser takes all that a core has where no block is named.
    if (c.outBlockH != c.perCoreM || c.outBlockW != c.perCoreN)
      text += llvm::formatv(" block={0}x{1}", c.outBlockH, c.outBlockW);
    text += c.fuseBatch ? "" : " unfused";
    if (!c.fusedActivation.empty())
      text += " activation=" + c.fusedActivation;
    return text + (c.transposeMcast ? " transposed" : "");
  }

  std::string operator()(const Conv2dConfig &c) const {
    std::string text = "conv";
    if (c.shardLayout)
      text += (" shard=" + name(*c.shardLayout)).str();
    if (c.actBlockHOverride)
      text += llvm::formatv(" act_block_h={0}", c.actBlockHOverride);
    if (c.deallocateActivation)
      text += " deallocate";
    if (c.reshardIfNotOptimal)
      text += *c.reshardIfNotOptimal ? " reshard" : " reshard=false";
    // Whole in L1 is what a text without a word means.
    using Slice = Conv2dConfig::Slice;
    if (c.slice != Slice::L1Full)
      text += c.slice == Slice::DramHeight  ? " slice=height"
              : c.slice == Slice::DramWidth ? " slice=width"
                                            : " slice=backend";
    if (c.numSlices)
      text += llvm::formatv(" slices={0}", c.numSlices);
    return text;
  }

  std::string operator()(const AttentionConfig &c) const {
    return llvm::formatv("attention grid={0}x{1} q={2} k={3}", c.grid.x, c.grid.y, c.queryChunk, c.keyChunk);
  }
};

} // namespace

std::string descriptionText(const TensorDesc &tensor) {
  // A tensor without dimensions would otherwise be its type alone, and "bf16" is no tensor to the parser.
  std::string text = tensor.shape.empty() ? "scalarx" : "";
  for (int64_t dim : tensor.shape)
    text += std::to_string(dim) + "x";
  return text + name(tensor.dtype).str();
}

std::string tensorText(const TensorDesc &tensor, const TensorLayout *layout, const DeviceSpec &device) {
  std::string text = descriptionText(tensor) + "@";
  if (!layout)
    return text + "?";
  return text + print(wordsOf(*layout, tensor, device), LayoutStyle::Short);
}

std::string attributesText(const OpSignature &signature) {
  return llvm::join(llvm::map_range(signature.attributes,
                                    [](const auto &attribute) {
                                      return attribute.first + "=" +
                                             std::visit(ValueText(), attribute.second);
                                    }),
                    " ");
}

std::string configText(const OpSpecificConfig &config) { return std::visit(ConfigText(), config); }

} // namespace tessera
