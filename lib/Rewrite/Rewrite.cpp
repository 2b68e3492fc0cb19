//===- Rewrite.cpp - The table of rewrites, and how they are made ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows (Rows.h) find what a rewrite is about. MLIR's greedy driver asks them, and nothing else that it could do is
// switched on. Before the program changes, what a row proposes has to pass four questions, the cheapest first:
//
// 1  Are the tensors that the root reads and makes on the device, in layouts that Tessera understands?
// 2  Does the row find anything? Few do.
// 3  May all that would be gone go: is none of it pinned or named in an override, and does what is replaced say no more
//    than Tessera knows? Does what the function returns keep its type, and what is replaced its format, and does nobody
//    write to what would be one tensor instead of two?
// 4  Does whoever asked consent to each new op? With an op model that is a question about legality, the dearest.
//
//===----------------------------------------------------------------------===//
#include "tessera/Rewrite/Rewrite.h"

#include "ConstEval.h"
#include "Match.h"
#include "Moves.h"
#include "Rows.h"
#include "tessera/Dialect/TTNN/RewriteLocation.h"
#include "tessera/Support/NearestNames.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

namespace {

enum class Phase : uint8_t {
  Fuse,     ///< one op of many
  Move,     ///< less is moved
  Activate, ///< functions go into the ops around them, which are none that other rows look for any more
};

/// As a root: whatever op it is.
constexpr llvm::StringLiteral kAnyOp = "";

/// How a rewrite is found. One with several roots has several of these.
struct Row {
  llvm::StringLiteral rewrite;
  llvm::StringLiteral root; ///< the op that it is looked for at
  bool (*propose)(Operation *root, Proposal &proposal);
  /// Rows of a later phase would hide what those of an earlier one look for, so they wait until none of these applies.
  Phase phase = Phase::Fuse;
};

using enum Exactness;

constexpr RewriteInfo kRewrites[] = {
    {"attention-decode", Rounding, "softmax(q x transpose(k) * scale + mask) x v, one position of q",
     "scaled_dot_product_attention_decode",
     "scores and weights need not go to memory, nor keys be repeated for groups of heads"},
    {"attention", Rounding, "softmax(q x transpose(k) * scale + mask) x v", "scaled_dot_product_attention",
     "scores and weights need not go to memory, nor keys be repeated for groups of heads"},
    {"grouped-heads", Rounding, "attention over keys and values that are repeated for groups of heads",
     "the same without the repeats", "keys and values are neither copied nor read once per head of a group"},
    {"causal", Rounding, "attention with a mask that leaves each position itself and those before it",
     "the same with is_causal",
     "half of the scores are not computed, and the mask, which the kernel makes itself, is not read"},
    {"sliding-window", Rounding,
     "attention with a mask that leaves each position so many before it, or around it, and no others",
     "the same with sliding_window_size",
     "scores behind a position, or outside of its window, are not computed, and the mask, which the kernel "
     "makes itself, is not read"},
    {"whole-heads", Rounding,
     "attention over heads that fill no tiles, with zeros behind them, made and read by products with "
     "constant weights",
     "the same with the zeros in the weights", "heads that begin within tiles are moved element by element"},
    {"one-key", Rounding, "softmax over one key, times v", "v",
     "a weight that is alone is 1, whatever the score; queries and keys need not be computed"},
    {"late-guard", Rounding, "where(any(s > -inf), softmax(s), 0) x v, s = q x transpose(k) * scale + mask",
     "where(any(mask > -inf), softmax(s) x v, 0)",
     "the mask has fewer elements than the scores, or is constant; what is left is attention"},
    {"cache-update", Exact, "rows_scatter of one position, then to tiles",
     "to tiles, then paged_update_cache",
     "the scatter copies the whole cache, the update writes what is new"},
    {"copied-cache", Exact,
     "attention or a product of a tensor that was written in place, and is not from there on",
     "the same of a copy, made by to_memory_config",
     "what is written in place lies where its writers need it; a copy may lie in L1, to be read again and "
     "again"},
    {"heads-decode", Exact, "slices of one product, each reshaped to heads of one position",
     "nlp_create_qkv_heads_decode", "one op cuts queries, keys and values, and lays out one core per user"},
    {"split-heads", Exact, "slices of one product, each reshaped and permuted to heads",
     "split_query_key_value_and_split_heads",
     "one op cuts queries, keys and values where three slices and permutes moved them"},
    {"late-norm", Exact, "permute(norm(x)), x rows reshaped to heads, which the permute puts first",
     "norm(permute(x))", "heads that are only reshaped and permuted are cut by one op"},
    {"lone-heads", Exact, "rows reshaped and permuted to heads, which are all that is cut from them",
     "split_query_key_value_and_split_heads, and a concat of its results",
     "heads are cut in tiles, where a reshape and a permute move rows"},
    {"join-products", Exact, "products of one activation with three constant matrices, each made heads",
     "one product with the joined matrix, cut", "weights are read by one op, and one op cuts all heads"},
    {"bias", Rounding, "a product plus a row", "linear", "the sum needs no pass of its own"},
    {"joined-bias", Exact, "slices of one product, each plus a constant row",
     "slices of the product plus one row",
     "one sum instead of many, which the product can do; and one op cuts heads"},
    {"constant-right", Rounding,
     "a product of a constant and a tensor, turned: permute(W x^T), W in parts or whole",
     "the product x W^T, of each part",
     "a constant on the left is read as if it were rows to compute; on the right it is read once, as it "
     "lies"},
    {"turned-constant", Exact, "x W^T, W a constant matrix", "x V, V = W^T",
     "const-eval turns the matrix once, where each call did; and products with it can be joined"},
    {"join-heads", Exact, "reshape(permute(x, [0, 2, 1, 3]))", "concatenate_heads",
     "heads are written where they belong at once"},
    {"head-order", Rounding, "a product of heads behind their elements, with constant weights",
     "the same of heads before them, with the weights' rows in that order",
     "elements of a head stay side by side, and one op joins heads"},
    {"join-heads-decode", Exact, "reshape of decode attention to one row per user", "nlp_concat_heads_decode",
     "heads stay on their users' cores"},
    {"rotation", Rounding,
     "x * cos + concat(neg(second half of x), first half of x) * sin, or the same of neighbours",
     "rotary_embedding, rotary_embedding_llama; and in parts what no device runs as one",
     "one op instead of seven, each of which goes through all heads"},
    {"rotation-decode", Exact, "slice(rotary_embedding(x)), one position of x",
     "rotary_embedding with token_index", "heads share tiles, where each had a tile filled with zeros"},
    {"whole-rotation", Rounding,
     "concat(x[:1], turned(x[1:])), turned by a rotary embedding, along positions",
     "the rotary embedding of x, by tables that begin with rows of ones and zeros",
     "positions that are not turned, of a class or of registers, are few: both parts begin or end within "
     "tiles"},
    {"pairs", Rounding, "stack(-x[1::2], x[::2]), or stack(a c - b s, a s + b c) of a = x[::2], b = x[1::2]",
     "matmul with a matrix of 0, 1 and -1", "tensors of one or two elements a row fill a tile for each row"},
    {"columns", Rounding,
     "concat(-x[24:], x[:24]), or other parts of rows of bf16 that begin or end within tiles; or rows that a "
     "permute of parts of them puts in another order",
     "matmul with a matrix of 0, 1 and -1", "parts within tiles are cut and joined element by element"},
    {"norm", Rounding, "x * rsqrt(mean(x * x) + epsilon), or the same or rms_norm of x - mean(x)",
     "rms_norm, layer_norm", "one op reads x once, where each part went through all of it"},
    {"softmax", Rounding, "e / sum(e), e = exp(x - max(x))", "softmax",
     "one op reads x once, where each part went through all of it"},
    {"function", Rounding, "ops of one tensor and numbers, element by element, that are a function together",
     "gelu, silu, erfc, ...: what is the same function",
     "one op reads x once, where each part went through all of it"},
    {"norm-weights", Rounding, "a norm times a row, or plus one", "the norm with its weight and bias",
     "what scales and shifts rows needs no pass of its own"},
    {"joined-constants", Rounding, "x + a + b or x * a * b, a and b constant", "x + (a + b), x * (a * b)",
     "const-eval computes a + b once, and attention takes one mask"},
    {"joined-rows", Rounding, "x * r * s or x + r + s, r and s rows", "x * (r * s), x + (r + s)",
     "rows have few elements, and x is read and made once"},
    {"once", Exact,
     "x op r or x w, r a row or number that is repeated, w a constant matrix; f(r), f element by element",
     "x op row, x matrix; f(row) repeated", "what is repeated is read as often as it stands there"},
    {"conv-weights", Rounding, "a convolution times, plus or less a constant per channel, or its batch norm",
     "the convolution with other weights and bias, and the function that was applied",
     "what scales and shifts channels needs no pass of its own, and weights are computed once"},
    {"product-weights", Rounding, "a product times, plus or less a constant row, its weights constant",
     "the product with other weights and bias",
     "what scales and shifts columns needs no pass of its own, and weights are computed once"},
    {"late-bias", Rounding, "a convolution with a bias that the call computes, by way of the host",
     "the convolution, plus the bias", "the device waits for the host to fetch and prepare it, each time"},
    {"folded-windows", Rounding, "conv2d of windows as large as their stride, told not to fold them",
     "the same, folded",
     "windows become rows of one product, where a kernel of windows fetched each of them by itself"},
    {"pixel-products", Rounding, "conv2d of windows of one pixel, few pixels or very many channels",
     "matmul, linear",
     "where the image cannot be shared out the library makes a product by a slow kernel; a product may be "
     "given any"},
    {"window-padding", Exact,
     "conv2d of an image padded with zeros, max_pool2d of one padded with minus infinity",
     "the same of the image, with padding",
     "the op makes the border on its way, and the image is not copied"},
    {"counted-pool", Rounding,
     "avg_pool2d that counts the padding, times the window's size, by what is in the image",
     "avg_pool2d that does not count the padding", "a sum needs no passes of its own to become a mean"},
    {"activation", Rounding, "relu, gelu, silu, sigmoid or tanh before or after an op that applies functions",
     "the op with the function", "the function needs no pass of its own"},
    {"late-reshape", Exact,
     "f, norm, slice, permute or concat of reshapes to emptier tiles, f element by element",
     "the reshape after it", "fewer tiles are computed and moved"},
    {"early-reshape", Exact, "reshape to fuller tiles of f or a norm, f element by element",
     "the reshape before it", "fewer tiles are computed and moved"},
    {"batches", Exact,
     "reshape(f(reshape(x) w)), rows as they are, w a matrix, f what works by rows; reshape(x) reshape(y), "
     "batches folded alike",
     "f(x w) of the batches before or behind; reshape(x y)",
     "rows of windows and images that fill no tiles are moved once instead of twice"},
    {"channel-groups", Rounding, "f or a mean of rows that a reshape cuts into groups, f element by element",
     "the same of whole rows; a mean of pixels, then of the channels of each group",
     "groups of a few channels are tiles of their own, most of which is padding"},
    {"fuller-rows", Exact,
     "argmax, softmax, sum, max, min or mean over the last dimension, rows in tiles of their own",
     "the same with rows that share tiles", "fewer tiles are read and made"},
    {"argmax-of-parts", Exact, "argmax over many columns of bf16",
     "argmax over the maxima of parts of the columns, and over the part that has the largest",
     "elements are compared one by one, on processors that move data; maxima are found in tiles"},
    {"choices", Rounding, "topk of rows of 4096 elements or more",
     "topk of their pieces, then topk of what these have, and gather",
     "a core sorts rows of a tile by itself; pieces are rows for as many cores"},
    {"places", Rounding, "argmax of 32 rows or more of bf16",
     "max of numbers that fall along the row, where x == max(x)",
     "argmax takes one row after the other, for each of which all cores wait"},
    {"elements", Exact, "rows_gather of elements by the numbers of rows and the places in them, or its parts",
     "gather", "each element is fetched by itself, in rows; the device looks up elements of a row in tiles"},
    {"early-permute", Exact, "slices of one tensor, each permuted alike", "slices of the permuted tensor",
     "one move instead of many"},
    {"one-reshape", Exact, "reshape(reshape(x)), or a reshape to the shape that is there", "reshape(x), or x",
     "one move instead of two"},
    {"one-permute", Exact,
     "permute(permute(x)), with reshapes around and between them; or one between reshapes that drop and add "
     "unit dimensions",
     "permute(x), with reshapes around it; or x", "one move instead of two or three"},
    {"met-permutes", Exact,
     "permute(f(permute(x))), or f of permutes that others read, f element by element, reshape, concat, "
     "slice or pad",
     "f(x), f(permute(x)), or permute(f(x))", "ops between two orders of dimensions work in one"},
    {"late-permute", Rounding, "a mean, sum, maximum or minimum of permuted dimensions",
     "the same of dimensions as they were, and a permute of what is left",
     "fewer elements are moved, and dimensions side by side are reduced by one pass"},
    {"late-scale", Exact, "permute of a tensor times a number, reshaped or not, before a product",
     "the number after the permute",
     "attention scales itself, and one op splits what is not scaled into heads"},
    {"const-eval", Exact, "ops that depend on constants alone", "a const-eval function",
     "what is the same in every call is computed once"},
    {"narrow-functions", Rounding,
     "typecast(f(typecast(x))) from bf16 to f32 and back, f a function of one tensor", "f(x)",
     "kernels compute in f32 whatever they read and write"},
    {"narrow-moves", Exact,
     "typecast(move(typecast(x))) from bf16 to f32 and back; typecast(permute(x)) from f32 to bf16; "
     "argmax(typecast(x)) from bf16 to f32; typecast(where(c, number, typecast(x)))",
     "move(x); permute(typecast(x)); argmax(x); where(c, number, x)", "half the bytes are moved"},
    {"late-cast", Exact, "permute(typecast(x)) from bf16 to f32", "typecast(permute(x))",
     "half the bytes are moved"},
};

// Rows of one root that do not exclude each other stand in the order in which they are tried. `lone-heads` waits for
// the last phase since it would take heads one by one that `split-heads` and `join-products` look for; `places` since
// `argmax-of-parts` has long rows first.
constexpr Row kRows[] = {
    {"attention-decode", "ttnn.matmul", proposeDecodeAttention},
    {"attention-decode", "ttnn.linear", proposeDecodeAttention},
    {"attention", "ttnn.matmul", proposeAttention},
    {"attention", "ttnn.linear", proposeAttention},
    {"grouped-heads", "ttnn.scaled_dot_product_attention", proposeGroupedHeads},
    {"grouped-heads", "ttnn.scaled_dot_product_attention_decode", proposeGroupedHeads},
    {"causal", "ttnn.scaled_dot_product_attention", proposeCausal, Phase::Move},
    {"sliding-window", "ttnn.scaled_dot_product_attention", proposeSlidingWindow, Phase::Move},
    {"whole-heads", "ttnn.pad", proposeWholeHeads, Phase::Move},
    {"whole-heads", "ttnn.matmul", proposeWholeHeadsJoined, Phase::Move},
    {"whole-heads", "ttnn.linear", proposeWholeHeadsJoined, Phase::Move},
    {"one-key", "ttnn.multiply", proposeOneKey},
    {"one-key", "ttnn.matmul", proposeOneKey},
    {"late-guard", "ttnn.matmul", proposeLateGuard},
    {"cache-update", "ttnn.rows_scatter", proposeUpdatedCache},
    {"copied-cache", "ttnn.scaled_dot_product_attention", proposeCopyOfWritten, Phase::Activate},
    {"copied-cache", "ttnn.matmul", proposeCopyOfWritten, Phase::Activate},
    {"copied-cache", "ttnn.linear", proposeCopyOfWritten, Phase::Activate},
    {"heads-decode", "ttnn.slice_static", proposeDecodeHeads},
    {"split-heads", "ttnn.slice_static", proposeSplitHeads},
    {"late-norm", "ttnn.permute", proposeLateNorm},
    {"lone-heads", "ttnn.permute", proposeLoneHeads, Phase::Activate},
    {"join-products", "ttnn.matmul", proposeJoinedProducts},
    {"join-products", "ttnn.linear", proposeJoinedProducts},
    {"bias", "ttnn.add", proposeBias},
    {"joined-bias", "ttnn.add", proposeJoinedBias},
    {"constant-right", "ttnn.permute", proposeConstantRight},
    {"turned-constant", "ttnn.matmul", proposeTurnedConstant},
    {"turned-constant", "ttnn.linear", proposeTurnedConstant},
    {"join-heads", "ttnn.reshape", proposeJoinedHeads},
    {"head-order", "ttnn.matmul", proposeHeadsBeforeElements},
    {"head-order", "ttnn.linear", proposeHeadsBeforeElements},
    {"join-heads-decode", "ttnn.reshape", proposeJoinedDecodeHeads},
    {"rotation", "ttnn.add", proposeRotation},
    {"rotation", "ttnn.rotary_embedding", proposeRotationOfHeads},
    {"rotation", "ttnn.rotary_embedding", proposeRotationInParts},
    {"rotation-decode", "ttnn.slice_static", proposeDecodeRotation},
    {"whole-rotation", "ttnn.concat", proposeWholeRotation},
    {"pairs", "ttnn.reshape", proposePairs},
    {"pairs", "ttnn.reshape", proposePairRotation},
    {"columns", "ttnn.concat", proposeColumns, Phase::Move},
    {"columns", "ttnn.reshape", proposeShuffledColumns, Phase::Move},
    {"columns", "ttnn.typecast", proposeShuffledColumns, Phase::Move},
    {"softmax", "ttnn.divide", proposeSoftmax},
    {"norm", "ttnn.multiply", proposeNorm},
    {"norm", "ttnn.divide", proposeNorm},
    {"norm", "ttnn.rms_norm", proposeCentredNorm},
    {"function", kAnyOp, proposeFunction},
    {"norm-weights", "ttnn.multiply", proposeNormWeights},
    {"norm-weights", "ttnn.add", proposeNormWeights},
    {"joined-constants", "ttnn.add", proposeJoinedConstants},
    {"joined-constants", "ttnn.multiply", proposeJoinedConstants},
    {"joined-constants", "ttnn.divide", proposeJoinedConstants},
    {"joined-rows", "ttnn.multiply", proposeJoinedRows, Phase::Move},
    {"joined-rows", "ttnn.add", proposeJoinedRows, Phase::Move},
    {"once", "ttnn.multiply", proposeRowsOnce},
    {"once", "ttnn.add", proposeRowsOnce},
    {"once", "ttnn.subtract", proposeRowsOnce},
    {"once", "ttnn.divide", proposeRowsOnce},
    {"once", kAnyOp, proposeLateRepeat, Phase::Move},
    {"once", "ttnn.matmul", proposeMatrixOnce},
    {"conv-weights", "ttnn.multiply", proposeConvolutionWeights},
    {"conv-weights", "ttnn.add", proposeConvolutionWeights},
    {"conv-weights", "ttnn.subtract", proposeConvolutionWeights},
    {"conv-weights", "ttnn.batch_norm_inference", proposeFoldedBatchNorm},
    {"product-weights", "ttnn.multiply", proposeProductWeights},
    {"product-weights", "ttnn.add", proposeProductWeights},
    {"product-weights", "ttnn.subtract", proposeProductWeights},
    {"late-bias", "ttnn.conv2d", proposeLateBias},
    {"folded-windows", "ttnn.conv2d", proposeFoldedWindows},
    {"pixel-products", "ttnn.conv2d", proposePixelProduct, Phase::Activate},
    {"window-padding", "ttnn.conv2d", proposeWindowPadding},
    {"window-padding", "ttnn.max_pool2d", proposeWindowPadding},
    {"counted-pool", "ttnn.divide", proposeCountedPool, Phase::Move},
    {"activation", "ttnn.relu", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.relu6", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.gelu", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.silu", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.sigmoid", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.tanh", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.add", proposeActivatedOperand, Phase::Activate},
    {"activation", "ttnn.subtract", proposeActivatedOperand, Phase::Activate},
    {"activation", "ttnn.multiply", proposeActivatedOperand, Phase::Activate},
    {"activation", "ttnn.divide", proposeActivatedOperand, Phase::Activate},
    {"late-reshape", "ttnn.typecast", proposeLateReshape},
    {"late-reshape", "ttnn.where", proposeLateReshape},
    {"late-reshape", "ttnn.rms_norm", proposeLateReshape},
    {"late-reshape", "ttnn.layer_norm", proposeLateReshape},
    {"late-reshape", "ttnn.slice_static", proposeSliceOfWhole},
    {"late-reshape", kAnyOp, proposeLateReshape, Phase::Move},
    {"early-reshape", "ttnn.reshape", proposeEarlyReshape, Phase::Move},
    {"batches", "ttnn.matmul", proposeUnfoldedProduct},
    {"batches", "ttnn.reshape", proposeProductOfBatches, Phase::Move},
    {"late-reshape", "ttnn.slice_static", proposeReshapedSlice, Phase::Move},
    {"late-reshape", "ttnn.permute", proposeReshapedPermute, Phase::Move},
    {"late-reshape", "ttnn.concat", proposeReshapedConcat, Phase::Move},
    {"channel-groups", "ttnn.mean", proposeUngroupedMean, Phase::Move},
    {"channel-groups", "ttnn.sum", proposeUngroupedMean, Phase::Move},
    {"channel-groups", kAnyOp, proposeUngroupedElements, Phase::Move},
    {"channel-groups", "ttnn.reshape", proposeMeansByProduct, Phase::Move},
    {"fuller-rows", "ttnn.argmax", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.softmax", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.sum", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.max", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.min", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.mean", proposeFullerRows, Phase::Move},
    {"argmax-of-parts", "ttnn.argmax", proposeArgmaxOfParts, Phase::Move},
    {"choices", "ttnn.topk", proposeChoices, Phase::Activate},
    {"places", "ttnn.argmax", proposePlaces, Phase::Activate},
    {"elements", "ttnn.concat", proposeElementsOfParts},
    {"elements", "ttnn.rows_gather", proposeElements, Phase::Move},
    {"early-permute", "ttnn.permute", proposeEarlyPermute},
    {"one-reshape", "ttnn.reshape", proposeOneReshape},
    {"one-permute", "ttnn.permute", proposeOnePermute},
    {"one-permute", "ttnn.reshape", proposePermuteAroundUnits},
    {"one-permute", "ttnn.permute", proposePermuteOfChain, Phase::Move},
    {"met-permutes", "ttnn.permute", proposeMetPermutes, Phase::Move},
    {"met-permutes", kAnyOp, proposePermutesBehind, Phase::Move},
    {"late-permute", "ttnn.mean", proposeLatePermute, Phase::Move},
    {"late-permute", "ttnn.sum", proposeLatePermute, Phase::Move},
    {"late-permute", "ttnn.max", proposeLatePermute, Phase::Move},
    {"late-permute", "ttnn.min", proposeLatePermute, Phase::Move},
    {"late-scale", "ttnn.permute", proposeLateScale},
    {"narrow-moves", "ttnn.typecast", proposeNarrowMoves},
    {"narrow-moves", "ttnn.argmax", proposeNarrowSearch},
    {"narrow-moves", "ttnn.typecast", proposeNarrowChoice, Phase::Move},
    {"narrow-functions", "ttnn.typecast", proposeNarrowFunction, Phase::Move},
    {"late-cast", "ttnn.permute", proposeLateCast},
};

const RewriteInfo *findRewrite(StringRef name) {
  return llvm::find_if(kRewrites, [&](const RewriteInfo &rewrite) { return rewrite.name == name; });
}

/// Names of ops, for new ones and for the record.
/// Counted by kind in the order in which rows are made, which the driver's walk from top to bottom decides: the same
/// program gets the same names.
class Names {
public:
  explicit Names(func::FuncOp function) {
    function.walk([&](Operation *op) { taken.insert(nameOf(op)); });
  }

  static StringRef nameOf(Operation *op) {
    auto named = op->getLoc()->findInstanceOf<NameLoc>();
    return named ? named.getName().getValue() : StringRef();
  }

  void give(Operation *op) {
    StringRef kind = op->getName().stripDialect();
    std::string name;
    // An override names an op of the input, so a made op never takes a name that the function has already.
    do
      name = (kind + "_" + llvm::Twine(counters[kind]++)).str();
    while (!taken.insert(name).second);
    op->setLoc(ttnn::madeByRewrite(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc())));
  }

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> counters;
};

/// What all rows of one run share.
struct Run {
  std::string function;
  const RewriteConsent &consent;
  const llvm::StringSet<> &kept;
  Names names;
  std::vector<AppliedRewrite> applied;
  llvm::DenseMap<Type, bool> held{}; ///< by type of tensor; only looked up

  /// As isPlaced, asked once of each type: every row wants to know it of all that its root reads and makes.
  bool isHeld(mlir::Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    auto [known, isNew] = held.try_emplace(value.getType());
    if (isNew)
      known->second = isPlaced(value);
    return known->second;
  }
  /// What the user pins stays, and what has properties that Tessera does not know: with these it may compute something else.
  bool mayGo(Operation *op) const {
    return !op->hasAttr("tessera.pin") && !ttnn::unreadProperties(op) && !kept.contains(Names::nameOf(op));
  }
  /// And what says more is not replaced by what does not; it may go where nothing needs it, or a copy is made.
  bool mayBeReplaced(Operation *op) const { return mayGo(op) && !ttnn::saysMore(op); }
  /// Copies, conversions of pages and tensors of given numbers are legal as long as there is memory; rows make them of constants.
  bool mayBeMade(Operation *op) const {
    return isa<ttnn::ToDeviceOp, ttnn::FromDeviceOp, ttnn::ToLayoutOp, ttnn::FullOp, ttnn::ConstantOp,
               ttnn::GetDeviceOp>(op) ||
           consent(op);
  }
};

/// As what is gone is told of. Devices and the like are no ops to plan.
std::vector<ReplacedOp> replacedOps(ArrayRef<Operation *> ops) {
  std::vector<ReplacedOp> list;
  for (Operation *op : ops)
    if (auto made = op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr) {
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleave(made.getShape(), os, "x");
      os << "x" << made.getElementType();
      list.push_back({op->getName().getStringRef().str(), Names::nameOf(op).str(), text});
    }
  return list;
}

/// A row as MLIR's pattern driver takes it.
/// A row only proposes: it builds what would stand there, and says what that replaces. Whether it may is decided
/// here, alike for all rows: what is pinned, what the op model refuses, what the user's overrides name.
class RowPattern : public RewritePattern {
public:
  RowPattern(MLIRContext *context, const Row &row, const RewriteInfo &info, PatternBenefit benefit, Run &run)
      : RewritePattern(row.root, benefit, context), row(row), info(info), run(run) {}
  struct OfAnyOp {};
  RowPattern(OfAnyOp, MLIRContext *context, const Row &row, const RewriteInfo &info, PatternBenefit benefit,
             Run &run)
      : RewritePattern(MatchAnyOpTypeTag(), benefit, context), row(row), info(info), run(run) {}

  LogicalResult matchAndRewrite(Operation *root, PatternRewriter &rewriter) const override {
    auto isHeld = [this](mlir::Value value) { return run.isHeld(value); };
    auto mayGo = [this](Operation *op) { return run.mayGo(op); };
    auto mayBeReplaced = [this](Operation *op) { return run.mayBeReplaced(op); };
    // Weights of convolutions may lie on the host.
    OperandRange read = isa<ttnn::Conv2dOp>(root) ? root->getOperands().take_front() : root->getOperands();
    if (!llvm::all_of(read, isHeld) || !llvm::all_of(root->getResults(), isHeld))
      return failure();
    // Few rows find what they look for, so that is asked before all that tells whether it may go.
    Proposal proposal(root);
    if (!row.propose(root, proposal) || !mayBeReplaced(root) ||
        !llvm::all_of(proposal.replacedOps(), mayBeReplaced) || !proposal.keepsReturned() ||
        !proposal.keepsFormats() || !proposal.keepsApart())
      return failure();
    // Makers that would be read no more count as gone, too: a pinned one among them would be there for nothing.
    llvm::SmallVector<Operation *> gone = proposal.goneOps();
    // What would round packed tiles on its way is not made; exact rewrites keep what does.
    if (llvm::any_of(proposal.newOps(), regroupsPacked) ||
        (info.exactness == Exactness::Exact && llvm::any_of(gone, regroupsPacked)))
      return failure();
    if (!llvm::all_of(gone, mayGo) ||
        !llvm::all_of(proposal.newOps(), [this](Operation *op) { return run.mayBeMade(op); }))
      return failure();
    AppliedRewrite applied{
        &info, run.function, root->getLoc(), "", Names::nameOf(root).str(), replacedOps(gone), {}};
    // A row that found its result in the program already makes nothing.
    Operation *about = proposal.newOps().empty() ? nullptr : proposal.about();
    proposal.take(rewriter, [&](Operation *op) {
      run.names.give(op);
      applied.makes.push_back(Names::nameOf(op).str());
    });
    if (about)
      applied.made = Names::nameOf(about).str();
    run.applied.push_back(std::move(applied));
    return success();
  }

private:
  const Row &row;
  const RewriteInfo &info;
  Run &run;
};

} // namespace

StringRef tessera::name(Exactness exactness) { return exactness == Exactness::Exact ? "exact" : "rounding"; }

ArrayRef<RewriteInfo> tessera::rewrites() { return kRewrites; }

bool RewriteSelection::none() const { return !llvm::is_contained(chosen, true); }

/// "exact,+attention": all exact ones and that; "-once": all but that.
llvm::Expected<RewriteSelection> RewriteSelection::parse(StringRef text) {
  RewriteSelection selection;
  llvm::SmallVector<StringRef> words;
  text.split(words, ',');
  llvm::SmallVector<StringRef> known;
  for (const RewriteInfo &rewrite : kRewrites)
    known.push_back(rewrite.name);
  // Without a leading word the names are taken from, or added to, the default, which is all.
  bool isSet = words.front() == "all" || words.front() == "exact" || words.front() == "none";
  for (auto [chosen, rewrite] : llvm::zip_equal(selection.chosen, kRewrites))
    chosen = !isSet || words.front() == "all" ||
             (words.front() == "exact" && rewrite.exactness == Exactness::Exact);
  // Of several words about one rewrite the last one decides.
  for (StringRef word : ArrayRef(words).drop_front(isSet)) {
    bool adds = word.consume_front("+");
    if (!adds && !word.consume_front("-"))
      return llvm::createStringError("rewrites are all, exact or none, then +NAME or -NAME; got '" + word +
                                     "'");
    const RewriteInfo *found = findRewrite(word);
    if (found == std::end(kRewrites))
      return llvm::createStringError(unknownName("rewrite", word, known));
    selection.chosen[size_t(found - kRewrites)] = adds;
  }
  return selection;
}

/// Until none applies, of that phase or an earlier one.
static void applyRows(func::FuncOp function, const RewriteSelection &selection, Phase phase, Run &run) {
  RewritePatternSet patterns(function.getContext());
  // The driver asks the row of greatest benefit first, and says nothing of equals: so no two have the same.
  // At one op the first row of the table goes first.
  unsigned short benefit = std::size(kRows);
  for (const Row &row : kRows) {
    const RewriteInfo &info = *findRewrite(row.rewrite);
    if (selection.has(info) && row.phase <= phase)
      patterns.add(row.root == kAnyOp
                       ? std::make_unique<RowPattern>(RowPattern::OfAnyOp(), function.getContext(), row, info,
                                                      benefit, run)
                       : std::make_unique<RowPattern>(function.getContext(), row, info, benefit, run));
    --benefit;
  }
  // Passes over the function, and rewrites per op of it. Both are far above what any program takes, and end what two
  // rows would do for ever that undo each other.
  constexpr int64_t kMostPasses = 100, kMostOfEach = 100;
  const auto ops = std::distance(function.getOps().begin(), function.getOps().end());
  // Rows only: folders, merged constants and simplified regions would be rewrites that nobody can name or switch off.
  GreedyRewriteConfig config;
  config.enableFolding(false)
      .enableConstantCSE(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .setMaxIterations(kMostPasses)
      .setMaxNumRewrites(kMostOfEach * ops)
      .setUseTopDownTraversal(true);
  // Each row leaves fewer ops or emptier tiles, so this ends; if the driver gives up before, what it made is right all the same. What one
  // block of a deep network hands on reaches the last one after more passes than the driver's own ten.
  (void)applyPatternsGreedily(function, std::move(patterns), config);
}

std::vector<AppliedRewrite> tessera::applyRewrites(func::FuncOp function, const RewriteSelection &selection,
                                                   const RewriteConsent &consent,
                                                   const llvm::StringSet<> &kept) {
  // When tensors end is the plan's to say, and a use that is none would keep ops alive.
  function.walk([](ttnn::DeallocateOp free) {
    if (!ttnn::saysMore(free))
      free.erase();
  });
  Run run{function.getSymName().str(), consent, kept, Names(function), {}};
  readBeforeMoves(function, [&](Operation *op) { return run.mayGo(op); });
  // Each phase has the rows of those before it as well, since what moves may lay bare what fuses.
  for (Phase phase : {Phase::Fuse, Phase::Move, Phase::Activate})
    applyRows(function, selection, phase, run);
  // Last, since rows leave what they do to weights where the weights are read.
  if (const RewriteInfo &info = *findRewrite("const-eval"); selection.has(info))
    hoistConstants(
        function, [&](Operation *op) { return run.mayGo(op); },
        [&](Operation *load, ArrayRef<Operation *> were) {
          std::vector<ReplacedOp> gone = replacedOps(were);
          LocationAttr place = were.front()->getLoc();
          run.names.give(load);
          std::string made = Names::nameOf(load).str();
          run.applied.push_back({&info, run.function, place, made, gone.front().location, gone, {made}});
        });
  return std::move(run.applied);
}
