//===- ComputeConfig.cpp - How exactly an op multiplies and adds ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A config that is stated goes first, whatever the op is; then come the defaults of the kinds of op that
// facts/hardware 4.8 knows. All others have none that is known, and saying nothing is then better than a guess: a plan
// that stated a guess would change what the op computes.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/ComputeConfig.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;

namespace {

// Index + 1 is the number of passes of the multiplier. The first are the dialect's words, the second how people write
// them.
constexpr llvm::StringRef kFidelities[] = {"lofi", "hifi2", "hifi3", "hifi4"};
constexpr llvm::StringLiteral kTitles[] = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};

DataType typeOf(const OpSignature &op, size_t operand) {
  return operand < op.operands.size() ? op.operands[operand].tensor.dtype : DataType::BFloat16;
}

bool areBoth(const OpSignature &op, llvm::function_ref<bool(DataType)> is) {
  return is(typeOf(op, 0)) && is(typeOf(op, 1));
}

bool isF32(DataType type) { return type == DataType::Float32; }

/// facts/hardware 4.8. Who gives a program config is taken to want speed.
ComputeConfig matmulDefault(const OpSignature &op, const OpSpecificConfig &specific, Arch arch,
                            BackendVersion version) {
  bool configured = std::holds_alternative<MatmulProgramConfig>(specific);
  bool f32Result = !op.results.empty() && isF32(op.results.front().dtype);
  int fidelity = configured || areBoth(op, isBlockFloat) ? 1 : 2;
  if (areBoth(op, isF32))
    // HiFi4 with sums of 32 bits can be wrong on Wormhole, which the library goes round since then.
    fidelity = version >= BackendVersion::Newest && arch == Arch::WormholeB0 ? 3 : 4;
  // A result in f32 is summed in 32 bits, and blocks of K are not added up in L1 then.
  return {fidelity, /*approximate=*/false, f32Result, !f32Result};
}

} // namespace

llvm::ArrayRef<llvm::StringRef> tessera::mathFidelities() { return kFidelities; }

std::string tessera::describe(const ComputeConfig &config) {
  std::string text = kTitles[config.fidelity - 1].str();
  return config.fp32Accumulate ? text + " + fp32 accumulation" : text;
}

bool tessera::statesComputeConfig(const OpSignature &op) {
  return llvm::any_of(op.attributes, [](const auto &attribute) {
    return llvm::StringRef(attribute.first).starts_with("compute_config");
  });
}

std::optional<ComputeConfig> tessera::statedComputeConfig(const OpSignature &op) {
  if (!statesComputeConfig(op))
    return std::nullopt;
  ComputeConfig config; // an absent key is the struct's default, not the op's
  llvm::StringRef fidelity = op.string("compute_config.math_fidelity");
  if (auto found = llvm::find(kFidelities, fidelity); found != std::end(kFidelities))
    config.fidelity = int(found - std::begin(kFidelities)) + 1;
  config.approximate = op.boolean("compute_config.math_approx_mode", config.approximate);
  config.fp32Accumulate = op.boolean("compute_config.fp32_dest_acc_en", false);
  config.packerL1Accumulate = op.boolean("compute_config.packer_l1_acc", false);
  return config;
}

// All keys are written, those at their default too: who leaves one out asks for the struct's default, not the op's.
OpSignature tessera::withComputeConfig(OpSignature op, const ComputeConfig &config) {
  op.addAttribute("compute_config.math_fidelity", kFidelities[config.fidelity - 1].str());
  op.addAttribute("compute_config.math_approx_mode", config.approximate);
  op.addAttribute("compute_config.fp32_dest_acc_en", config.fp32Accumulate);
  op.addAttribute("compute_config.packer_l1_acc", config.packerL1Accumulate);
  return op;
}

std::optional<ComputeConfig> tessera::computeConfigOf(const OpSignature &op, const OpSpecificConfig &specific,
                                                      Arch arch, BackendVersion version) {
  enum class Kind { Other, Matmul, Conv, Conv3d };
  Kind kind = llvm::StringSwitch<Kind>(op.name)
                  .Cases({"ttnn.matmul", "ttnn.linear"}, Kind::Matmul)
                  .Cases({"ttnn.conv2d", "ttnn.conv_transpose2d"}, Kind::Conv)
                  .Case("ttnn.conv3d", Kind::Conv3d)
                  .Default(Kind::Other);
  // Of any op: what is stated holds, also where no default is known.
  if (std::optional<ComputeConfig> stated = statedComputeConfig(op))
    return stated;
  switch (kind) {
  case Kind::Other:
    return std::nullopt;
  case Kind::Matmul:
    return matmulDefault(op, specific, arch, version);
  case Kind::Conv: // facts/hardware 4.8: whatever the program says of blocks and shards
    return ComputeConfig{4, /*approximate=*/true, areBoth(op, isF32), /*packerL1Accumulate=*/false};
  case Kind::Conv3d: // tt-mlir's runtime states it
    return ComputeConfig{4, /*approximate=*/true, /*fp32Accumulate=*/true, /*packerL1Accumulate=*/false};
  }
  return std::nullopt;
}
