//===- ResultCache.cpp - What costly ops computed before ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/ResultCache.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::simulator {

bool ResultCache::pays(const OpSignature &op, llvm::ArrayRef<TensorDesc> operands, const TensorDesc &result) {
  constexpr llvm::StringLiteral kCostly[] = {"ttnn.matmul", "ttnn.linear", "ttnn.conv2d",
                                             "ttnn.conv_transpose2d", "ttnn.scaled_dot_product_attention"};
  constexpr int64_t kElements = 1 << 16; // below, hardly anything takes long
  return llvm::is_contained(kCostly, op.name) && operands.size() >= 2 && volumeOf(result.shape) >= kElements;
}

const DenseTensor *ResultCache::find(const ComputedOp &op, const std::vector<Fingerprint> &operands) const {
  auto known = results.find(operands);
  if (known == results.end())
    return nullptr;
  auto found = llvm::find_if(known->second, [&](const auto &entry) { return entry.first == op; });
  return found == known->second.end() ? nullptr : &found->second;
}

void ResultCache::add(ComputedOp op, std::vector<Fingerprint> operands, const DenseTensor &result) {
  Bytes size = Bytes(4) * result.volume();
  // What is known stays: the first runs of a comparison are those that later ones repeat.
  if (size > left)
    return;
  left = left - size;
  results[std::move(operands)].emplace_back(std::move(op), result);
}

} // namespace tessera::simulator
