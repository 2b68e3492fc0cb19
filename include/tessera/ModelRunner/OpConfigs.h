//===- OpConfigs.h - What an op is called with ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One struct per op of the modules, with the op's keyword arguments as fields
// (facts/deepseek 1.2). A field that is not set is not passed, so that the op
// decides; Required ones have no default. A new op config is one struct here, and
// its name in OpConfigList.
// Those of collective ops are in CollectiveConfigs.h.
//
//   LinearConfig{.input_tensor_b = FromWeightConfig{MeshDeviceStub{{4, 8}}},
//                .memory_config = kDram, .compute_kernel_config = kLoFi}
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_OPCONFIGS_H
#define TESSERA_MODELRUNNER_OPCONFIGS_H

#include "tessera/ModelRunner/CollectiveConfigs.h"

namespace tessera::runner {

using MatmulProgramConfig = std::variant<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig,
                                         MatmulMultiCoreReuseMultiCastProgramConfig>;

// ---- Compute ---------------------------------------------------------------------------------------------

/// [.., k] times a weight [k, n].
/// A data type for the result is no field of it: the forward function says that, where it needs one.
struct LinearConfig {
  TESSERA_OP_CONFIG(LinearConfig);
  Required<WeightItem> input_tensor_b;
  std::optional<MemoryConfig> memory_config;
  std::optional<ComputeKernelConfig> compute_kernel_config;
  std::optional<MatmulProgramConfig> program_config;
  TESSERA_FIELDS(input_tensor_b, memory_config, compute_kernel_config, program_config)
};

/// Rows of a table, by token.
struct EmbeddingConfig {
  TESSERA_OP_CONFIG(EmbeddingConfig);
  Required<WeightItem> weight;
  std::optional<MemoryConfig> memory_config = kDram;
  std::optional<PageLayout> layout = PageLayout::Tile;
  TESSERA_FIELDS(weight, memory_config, layout)
};

/// Product of two activations, the first one through the unary ops before.
struct MulConfig {
  TESSERA_OP_CONFIG(MulConfig);
  std::optional<MemoryConfig> memory_config;
  std::optional<std::vector<UnaryOpType>> input_tensor_a_activations; ///< ttnn.mul takes a list
  TESSERA_FIELDS(memory_config, input_tensor_a_activations)
};

/// An activation with a weight of its shape or of one row.
struct BinaryOpConfig {
  TESSERA_OP_CONFIG(BinaryOpConfig);
  Required<WeightItem> input_tensor_b;
  std::optional<MemoryConfig> memory_config;
  std::optional<DataType> dtype;
  std::optional<UnaryOpType> activation;
  TESSERA_FIELDS(input_tensor_b, memory_config, dtype, activation)
};

/// x / sqrt(mean(x^2) + epsilon) * weight, over the last dimension.
struct RMSNormConfig {
  TESSERA_OP_CONFIG(RMSNormConfig);
  std::optional<double> epsilon = 1e-12;
  std::optional<WeightItem> weight;
  std::optional<Item> bias, residual_input_tensor;
  std::optional<MemoryConfig> memory_config;
  std::optional<LayerNormShardedMultiCoreProgramConfig> program_config;
  std::optional<ComputeKernelConfig> compute_kernel_config;
  TESSERA_FIELDS(epsilon, weight, bias, residual_input_tensor, memory_config, program_config,
                 compute_kernel_config)
};

/// The statistics of a row's part that a device holds.
struct RMSNormPreAllGatherConfig {
  TESSERA_OP_CONFIG(RMSNormPreAllGatherConfig);
  std::optional<DataType> dtype = DataType::BFloat16;
  std::optional<Item> residual_input_tensor;
  std::optional<ComputeKernelConfig> compute_kernel_config;
  std::optional<LayerNormShardedMultiCoreProgramConfig> program_config;
  std::optional<MemoryConfig> memory_config;
  TESSERA_FIELDS(dtype, residual_input_tensor, compute_kernel_config, program_config, memory_config)
};

/// The norm itself, with the statistics of all parts.
struct RMSNormPostAllGatherConfig {
  TESSERA_OP_CONFIG(RMSNormPostAllGatherConfig);
  std::optional<double> epsilon = 1e-12;
  std::optional<WeightItem> weight;
  std::optional<Item> bias;
  std::optional<MemoryConfig> memory_config;
  std::optional<LayerNormShardedMultiCoreProgramConfig> program_config;
  std::optional<ComputeKernelConfig> compute_kernel_config;
  std::optional<DataType> dtype;
  TESSERA_FIELDS(epsilon, weight, bias, memory_config, program_config, compute_kernel_config, dtype)
};

/// The largest k of a dimension, with their indices.
struct TopKConfig {
  TESSERA_OP_CONFIG(TopKConfig);
  std::optional<int64_t> k;
  Required<int64_t> dim;
  std::optional<bool> largest = true, sorted = true;
  TESSERA_FIELDS(k, dim, largest, sorted)
};

/// Top-k on the host.
struct TopKFallbackConfig {
  TESSERA_OP_CONFIG(TopKFallbackConfig);
  Required<MeshDeviceItem> mesh_device;
  Required<DataType> dtype;
  Required<MemoryConfig> memory_config;
  std::optional<bool> use_bitonic_sort = false;
  TESSERA_FIELDS(mesh_device, dtype, memory_config, use_bitonic_sort)
};

/// A linear layer on the host.
struct LinearFallbackConfig {
  TESSERA_OP_CONFIG(LinearFallbackConfig);
  Required<MeshDeviceItem> mesh_device;
  Required<DataType> dtype;
  TESSERA_FIELDS(mesh_device, dtype)
};

/// `src` written into `input` at the indices of an activation.
struct ScatterConfig {
  TESSERA_OP_CONFIG(ScatterConfig);
  Required<WeightItem> input;
  Required<int64_t> dim;
  Required<WeightItem> src;
  TESSERA_FIELDS(input, dim, src)
};

// ---- Data movement ---------------------------------------------------------------------------------------

/// A part of the fused projection's result; which one, the forward function says.
struct SliceConfig {
  TESSERA_OP_CONFIG(SliceConfig);
  Required<MemoryConfig> memory_config;
  TESSERA_FIELDS(memory_config)
};

/// The same elements in another shape, in order.
struct ReshapeConfig {
  TESSERA_OP_CONFIG(ReshapeConfig);
  Required<std::vector<int64_t>> shape;
  TESSERA_FIELDS(shape)
};

/// How often each dimension is repeated; 1: it stays.
struct RepeatConfig {
  TESSERA_OP_CONFIG(RepeatConfig);
  Required<std::vector<int64_t>> repeat_dims;
  TESSERA_FIELDS(repeat_dims)
};

/// Activations one behind the other along `dim`.
struct ConcatConfig {
  TESSERA_OP_CONFIG(ConcatConfig);
  Required<int64_t> dim;
  std::optional<MemoryConfig> memory_config;
  TESSERA_FIELDS(dim, memory_config)
};

/// Dimension i of the result is dimension dims[i] of the operand.
struct PermuteConfig {
  TESSERA_OP_CONFIG(PermuteConfig);
  Required<std::vector<int64_t>> dims;
  std::optional<MemoryConfig> memory_config;
  TESSERA_FIELDS(dims, memory_config)
};

/// A move without arithmetic, unless a data type is named.
struct ReshardConfig {
  TESSERA_OP_CONFIG(ReshardConfig);
  Required<MemoryConfig> memory_config;
  std::optional<DataType> dtype;
  TESSERA_FIELDS(memory_config, dtype)
};

/// The same numbers in another format, on these cores if any are named.
struct TypecastConfig {
  TESSERA_OP_CONFIG(TypecastConfig);
  Required<DataType> dtype;
  std::optional<MemoryConfig> memory_config;
  std::optional<std::vector<CoreRange>> sub_core_grids;
  TESSERA_FIELDS(dtype, memory_config, sub_core_grids)
};

/// What the program configs of an MLP's matmuls follow from when the rows of a prefill are known: an entry "w1_pc"
/// gives "w1", which then has no program config of its own, one for every length (facts/deepseek 1.2).
struct ProgramConfigData {
  TESSERA_OP_CONFIG(ProgramConfigData);
  Required<int64_t> dim, hidden_dim, num_devices;
  Required<GridShape> core_grid_size;
  TESSERA_FIELDS(dim, hidden_dim, num_devices, core_grid_size)
};

/// Paged key-value cache: [blocks, 1, block size, latent and rotary dimensions].
struct KvCacheConfig {
  TESSERA_OP_CONFIG(KvCacheConfig);
  Required<std::vector<int64_t>> kv_cache_shape;
  std::optional<DataType> dtype;
  TESSERA_FIELDS(kv_cache_shape, dtype)
};

// ---- All of them -----------------------------------------------------------------------------------------

/// Types without values: what is known of a class is found by its type.
template <class... Ts>
struct ClassList {};
using OpConfigList =
    ClassList<LinearConfig, EmbeddingConfig, MulConfig, BinaryOpConfig, RMSNormConfig,
              RMSNormPreAllGatherConfig, RMSNormPostAllGatherConfig, TopKConfig, TopKFallbackConfig,
              LinearFallbackConfig, ScatterConfig, SliceConfig, ReshapeConfig, RepeatConfig, ConcatConfig,
              PermuteConfig, ReshardConfig, TypecastConfig, ProgramConfigData, KvCacheConfig, AllReduceConfig,
              AllGatherConfig, AllGatherAsyncConfig, ReduceScatterConfig, ReduceScatterAsyncMinimalConfig,
              AllToAllAsyncGenericConfig, AllToAllDispatchConfig, AllToAllCombineConfig, PointToPointConfig>;
/// ttnn's own types, which stand in fields.
using ValueList = ClassList<
    MemoryConfig, ShardSpec, ComputeKernelConfig, MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig,
    MatmulMultiCoreReuseMultiCastProgramConfig, LayerNormShardedMultiCoreProgramConfig, SDPAProgramConfig>;

/// Two sets of op configs were published: that of July 2025 (facts/deepseek 1.2, "A"), with few ops of which some
/// differ, and what it became.
enum class Dialect : uint8_t { Spec, Compat };

/// The class of that name in a dialect; nullptr if there is none.
const ClassInfo *findClass(llvm::StringRef name, Dialect dialect = Dialect::Compat);
/// Names of all classes of a dialect, for messages.
std::vector<llvm::StringRef> classNames(Dialect dialect = Dialect::Compat);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_OPCONFIGS_H
