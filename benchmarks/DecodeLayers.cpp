//===- DecodeLayers.cpp - Layers of a language model that decodes ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One token for each of 32 users: norm, fused query, key and value projection, rotary embedding, key and value caches
// written in place, grouped-query attention over 128 positions, output projection, norm, gated feed-forward. The shapes
// are those of a model of a billion parameters. Rotary embedding and attention are written out per group of heads, as a
// compiler without fused ops does: 207 ops per layer, so that 100 layers are 20,700.
//
//===----------------------------------------------------------------------===//
#include "DecodeLayers.h"

#include "ProgramText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

constexpr int64_t kUsers = 32, kHidden = 2048, kHeads = 32, kGroups = 8, kHead = 64, kPositions = 128,
                  kFeedForward = 8192;
constexpr int64_t kGroupHeads = kHeads / kGroups;
constexpr llvm::StringLiteral
    kNorm = " <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>",
    kMatmul = " <{transpose_a = false, transpose_b = false}>",
    kGate = " <{activation = \"silu\", transpose_a = false, transpose_b = false}>",
    kUpdate = " <{share_cache = false}>", kTranspose = " <{dim0 = -2 : si32, dim1 = -1 : si32}>",
    kSoftmax = " <{dimension = -1 : si32, numericStable = true}>";

using Shape = llvm::SmallVector<int64_t, 4>;

std::string attributes(llvm::ArrayRef<int64_t> numbers) {
  return "[" +
         llvm::join(llvm::map_range(numbers, [](int64_t n) { return std::to_string(n) + " : i32"; }), ", ") +
         "]";
}

/// What all layers read.
struct Common {
  ValueText cos, sin, mask, scale, position;
};

class DecodeLayer {
public:
  DecodeLayer(ProgramText &program, const Common &common) : program(program), common(common) {}

  ValueText run(const ValueText &input) {
    ValueText attended = program.eltwise("add", {project(attention(norm(input)), kHidden, kHidden), input});
    return program.eltwise("add", {feedForward(norm(attended)), attended});
  }

private:
  ValueText norm(const ValueText &value) {
    return program.op("rms_norm", {value, program.argument("parameter", dramTensor({kHidden}))},
                      dramTensor({kUsers, kHidden}), kNorm);
  }

  ValueText project(const ValueText &value, int64_t from, int64_t to, llvm::StringRef properties = kMatmul) {
    ValueText weight = program.argument("parameter", dramTensor({from, to}));
    return program.op("matmul", {value, weight}, dramTensor({kUsers, to}), properties);
  }

  ValueText feedForward(const ValueText &value) {
    ValueText gate = project(value, kHidden, kFeedForward, kGate), up = project(value, kHidden, kFeedForward);
    return project(program.eltwise("multiply", {gate, up}), kFeedForward, kHidden);
  }

  ValueText slice(const ValueText &value, Shape begins, Shape ends) {
    Shape shape;
    for (auto [begin, end] : llvm::zip_equal(begins, ends))
      shape.push_back(end - begin);
    return program.op("slice_static", value, dramTensor(shape),
                      llvm::formatv(" <{{begins = {0}, ends = {1}, step = {2}}>", attributes(begins),
                                    attributes(ends), attributes(Shape(begins.size(), 1)))
                          .str());
  }

  ValueText reshape(const ValueText &value, const Shape &shape) {
    return program.op("reshape", value, dramTensor(shape),
                      llvm::formatv(" <{{shape = {0}}>", attributes(shape)).str());
  }

  ValueText typecast(const ValueText &value, const Shape &shape, llvm::StringRef element) {
    return program.op("typecast", value, dramTensor(shape, element));
  }

  /// Of [users, heads, 1, head].
  ValueText rotate(const ValueText &value, int64_t heads) {
    ValueText left = slice(value, {0, 0, 0, 0}, {kUsers, heads, 1, kHead / 2}),
              right = slice(value, {0, 0, 0, kHead / 2}, {kUsers, heads, 1, kHead});
    ValueText turned = program.op("concat", {program.eltwise("neg", right), left},
                                  dramTensor({kUsers, heads, 1, kHead}), " <{dim = 3 : si32}>");
    return program.eltwise("add", {program.eltwise("multiply", {value, common.cos}),
                                   program.eltwise("multiply", {turned, common.sin})});
  }

  /// Writes [users, groups, 1, head] into a new cache, which it returns.
  ValueText update(const ValueText &value) {
    ValueText cache = program.argument("input", dramTensor({kUsers, kGroups, kPositions, kHead}));
    Shape shape{1, kUsers, kGroups, kHead};
    ValueText moved = program.op("to_memory_config", reshape(value, shape), heightShardedTensor(shape));
    program.sink("paged_update_cache", {cache, moved, common.position}, kUpdate);
    return cache;
  }

  /// One group's part of a cache, in f32, repeated for each of its heads: [users, heads per group, positions, head].
  ValueText ofGroup(const ValueText &cache, int64_t group) {
    ValueText part = slice(cache, {0, group, 0, 0}, {kUsers, group + 1, kPositions, kHead});
    return program.op("repeat", typecast(part, {kUsers, 1, kPositions, kHead}, "f32"),
                      dramTensor({kUsers, kGroupHeads, kPositions, kHead}, "f32"),
                      llvm::formatv(" <{{repeat_dims = #ttnn.shape<1x{0}x1x1>}>", kGroupHeads).str());
  }

  ValueText attendGroup(const ValueText &queries, const ValueText &keys, const ValueText &values,
                        int64_t group) {
    Shape one{kUsers, kGroupHeads, 1, kHead};
    TensorText scores = dramTensor({kUsers, kGroupHeads, 1, kPositions}, "f32");
    ValueText query =
        slice(queries, {0, group * kGroupHeads, 0, 0}, {kUsers, (group + 1) * kGroupHeads, 1, kHead});
    ValueText rotated = typecast(rotate(query, kGroupHeads), one, "f32");
    ValueText key = program.op("transpose", ofGroup(keys, group),
                               dramTensor({kUsers, kGroupHeads, kHead, kPositions}, "f32"), kTranspose);
    ValueText scaled =
        program.eltwise("multiply", {program.op("matmul", {rotated, key}, scores, kMatmul), common.scale});
    ValueText weights =
        program.op("softmax", program.eltwise("add", {scaled, common.mask}), scores, kSoftmax);
    ValueText sum = program.op("matmul", {weights, ofGroup(values, group)}, dramTensor(one, "f32"), kMatmul);
    return typecast(sum, one, "bf16");
  }

  ValueText attention(const ValueText &input) {
    constexpr int64_t keysAt = kHidden, valuesAt = kHidden + kGroups * kHead,
                      end = valuesAt + kGroups * kHead;
    ValueText fused = project(input, kHidden, end);
    ValueText query = slice(fused, {0, 0}, {kUsers, keysAt}),
              key = slice(fused, {0, keysAt}, {kUsers, valuesAt}),
              value = slice(fused, {0, valuesAt}, {kUsers, end});
    ValueText values = update(reshape(value, {kUsers, kGroups, 1, kHead})),
              keys = update(rotate(reshape(key, {kUsers, kGroups, 1, kHead}), kGroups)),
              queries = reshape(query, {kUsers, kHeads, 1, kHead});
    std::vector<ValueText> groups;
    for (int64_t group = 0; group < kGroups; ++group)
      groups.push_back(attendGroup(queries, keys, values, group));
    ValueText all =
        program.op("concat", groups, dramTensor({kUsers, kHeads, 1, kHead}), " <{dim = 1 : si32}>");
    return reshape(all, {kUsers, kHidden});
  }

  ProgramText &program;
  const Common &common;
};

} // namespace

std::string tessera::decodeLayers(size_t ops) {
  ProgramText program(ops);
  ValueText value = program.argument("input", dramTensor({kUsers, kHidden}));
  Common common{program.argument("constant", dramTensor({1, 1, 1, kHead})),
                program.argument("constant", dramTensor({1, 1, 1, kHead})),
                program.argument("input", dramTensor({kUsers, 1, 1, kPositions}, "f32")),
                program.argument("constant", dramTensor({1, 1, 1, 1}, "f32")),
                program.argument("input", dramTensor({kUsers}, "si32"))};
  while (!program.isLongEnough())
    value = DecodeLayer(program, common).run(value);
  return program.returning(value);
}
