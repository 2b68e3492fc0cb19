//===- Allowed.cpp - What a plan may change --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Besides these: encodings of tensors within a function (not those of its arguments and results, but for a metal_layout that
// becomes a ttnn_layout), conversions and
// deallocates that come and go, `activation` of a matmul that moves into the program config that fuses it, and functions
// that hold a converted constant (Bridge/CacheConstants).
//
//===----------------------------------------------------------------------===//
#include "Allowed.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::guard {

using llvm::StringLiteral;
using llvm::StringRef;

/// What plans decide of a convolution (facts/ir 2.3), and what follows from where its tensors lie: one in DRAM frees no input,
/// and its result may have other pages. All other keys stay.
static constexpr StringLiteral kConv2dKeys[] = {"act_block_h_override", "deallocate_activation",
                                                "output_layout", "reshard_if_not_optimal", "shard_layout"};

/// What plans decide of attention: chunks, on all cores; a config that asks for more cores than the device has gets those
/// (Bridge/FitToDevice). How exponentials are taken stays.
static constexpr StringLiteral kAttentionKeys[] = {"compute_with_storage_grid_size", "q_chunk_size",
                                                   "k_chunk_size"};

// A value is the plan's as a whole where all of it says how an op runs (an activation that it fuses is looked at by
// itself); where some of it says what the op computes, the plan's keys are named.
static constexpr AllowedChange kChanges[] = {
    {"matmul_program_config", {}},
    {"conv2d_slice_config", {}},
    {"conv2d_config", kConv2dKeys},
    {"program_config", kAttentionKeys},
    // Of a sort whose indices nobody reads (Bridge/FitToDevice).
    {"stable", {}},
    // What weights of a convolution are prepared for (Bridge/PreparedWeights).
    {"input_memory_config", {}},
    {"input_tensor_layout", {}},
};

const AllowedChange *allowedChange(StringRef property) {
  const AllowedChange *found =
      llvm::find_if(kChanges, [&](const AllowedChange &change) { return change.property == property; });
  return found == std::end(kChanges) ? nullptr : found;
}

bool isConversion(StringRef op) {
  // Casts are among them: whether the element types differ is asked of the types (Numbering).
  static constexpr StringLiteral kOps[] = {"ttnn.to_layout", "ttnn.to_memory_config", "ttnn.to_tensor_spec",
                                           "ttnn.to_device", "ttnn.from_device",      "ttnn.typecast"};
  return is_contained(kOps, op);
}

bool mayBeCast(StringRef op) {
  static constexpr StringLiteral kOps[] = {"ttnn.arange",      "ttnn.atan2",
                                           "ttnn.bitwise_and", "ttnn.bitwise_not",
                                           "ttnn.bitwise_or",  "ttnn.bitwise_right_shift",
                                           "ttnn.bitwise_xor", "ttnn.divide",
                                           "ttnn.isfinite",    "ttnn.logical_left_shift",
                                           "ttnn.logical_not", "ttnn.logical_right_shift",
                                           "ttnn.maximum",     "ttnn.minimum",
                                           "ttnn.pow_tensor",  "ttnn.remainder",
                                           "ttnn.sort",        "ttnn.topk"};
  return is_contained(kOps, op);
}

bool isDeallocate(StringRef op) { return op == "ttnn.deallocate"; }
bool isEmptyTensor(StringRef op) { return op == "ttnn.empty"; }

bool isElidedDefault(StringRef op, mlir::NamedAttribute property) {
  auto text = dyn_cast<mlir::StringAttr>(property.getValue());
  return op == "ttnn.tt_lang_op" && property.getName() == "shard_spec" && text && text.empty();
}

bool repeatsType(StringRef property) { return property == "dtype" || property == "layout"; }

} // namespace tessera::guard
