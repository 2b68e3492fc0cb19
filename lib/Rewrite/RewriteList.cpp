//===- RewriteList.cpp - What each rewrite is, and which are chosen ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RewriteList.h"

#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tessera;
using llvm::ArrayRef, llvm::StringRef;

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
    {"donated", Exact,
     "an argument that the caller gives up for a result (tf.aliasing_output), of which tiles are made",
     "the argument in tiles, as it is returned, and written in place where the copy was",
     "what was returned comes back in the next call as it is, and nothing is copied"},
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
    {"heads-in-parts", Exact, "concatenate_heads that the device refuses",
     "reshape(permute(x, [0, 2, 1, 3]))",
     "heads that are no whole tiles are joined by ops that the device has"},
    {"taken-ranks", Exact, "a pad of outer dimensions or a gather along a vector that the device refuses",
     "a concat with what is put there; a gather along a row", "the program runs"},
    {"taken-types", Rounding, "an op that the device refuses: of integers, of indices in other types, of f32",
     "the same of operands that are cast to what its kernel takes, and its result cast back",
     "the program runs"},
};

const RewriteInfo *rewrite::findRewrite(StringRef name) {
  return llvm::find_if(kRewrites, [&](const RewriteInfo &rewrite) { return rewrite.name == name; });
}

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
    const RewriteInfo *found = rewrite::findRewrite(word);
    if (found == std::end(kRewrites))
      return llvm::createStringError(unknownName("rewrite", word, known));
    selection.chosen[size_t(found - kRewrites)] = adds;
  }
  return selection;
}
