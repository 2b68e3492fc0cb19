//===- TTNNAttrs.td - Attributes of the ttnn dialect ----------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
// Syntax: facts/ir 1.1 to 1.3. Struct-like attributes print the keys that are present in the
// order below and read them in any order. Optional parameters are null or nullopt if absent.
#ifndef TESSERA_DIALECT_TTNN_TTNNATTRS
#define TESSERA_DIALECT_TTNN_TTNNATTRS

include "tessera/Dialect/TTCore/TTCoreAttrs.td"
include "tessera/Dialect/TTNN/TTNNBase.td"
include "tessera/Dialect/TTNN/TTNNEnums.td"

//===- Enum attributes: #ttnn.mnemonic<case> -------------------------------===//

class TTNN_EnumAttr<EnumInfo enumInfo, string mnemonic> : EnumAttr<TTNN_Dialect, enumInfo, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}
def TTNN_BufferTypeAttr : TTNN_EnumAttr<TTNN_BufferType, "buffer_type">;
def TTNN_TensorMemoryLayoutAttr : TTNN_EnumAttr<TTNN_TensorMemoryLayout, "tensor_memory_layout">;
def TTNN_LayoutAttr : TTNN_EnumAttr<TTNN_Layout, "layout">;
def TTNN_ShardOrientationAttr : TTNN_EnumAttr<TTNN_ShardOrientation, "shard_orientation">;
def TTNN_ShardDistributionStrategyAttr
    : TTNN_EnumAttr<TTNN_ShardDistributionStrategy, "shard_distribution_strategy">;
def TTNN_MathFidelityAttr : TTNN_EnumAttr<TTNN_MathFidelity, "math_fidelity">;

//===- Shapes and cores ----------------------------------------------------===//

def TTNN_ShapeAttr : TTNN_Attr<"Shape", "shape"> {
  let summary = "A tensor shape: `#ttnn.shape<1x12x64x64>`";
  let parameters = (ins TTCore_Dims<>:$shape);
  let assemblyFormat = "`<` $shape `>`";
}

class TTNN_MeshPairAttr<string name, string mnemonic> : TTNN_Attr<name, mnemonic> {
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<DimPair>($y, $x)";
}
def TTNN_MeshShapeAttr : TTNN_MeshPairAttr<"MeshShape", "mesh_shape"> {
  let summary = "Chips of a mesh: `#ttnn<mesh_shape 1x2>`";
}
def TTNN_MeshOffsetAttr : TTNN_MeshPairAttr<"MeshOffset", "mesh_offset"> {
  let summary = "Place of a mesh in the system: `#ttnn<mesh_offset 0x0>`";
}

def TTNN_CoreCoordAttr : TTNN_Attr<"CoreCoord", "core_coord"> {
  let summary = "A core, or as a size columns and rows: `#ttnn.core_coord<8, 2>`";
  let parameters = (ins "int64_t":$x, "int64_t":$y);
  let assemblyFormat = "`<` $x `,` $y `>`";
}

def TTNN_CoreRangeAttr : TTNN_Attr<"CoreRange", "core_range"> {
  let summary = "A rectangle of cores, both corners included: `#ttnn.core_range<(0,0), (7,3)>`";
  let parameters = (ins "int64_t":$startX, "int64_t":$startY, "int64_t":$endX, "int64_t":$endY);
  let assemblyFormat = [{ `<` custom<CorePoint>($startX, $startY) `,` custom<CorePoint>($endX, $endY) `>` }];
  let genVerifyDecl = 1;
}

def TTNN_CoreRangeSetAttr : TTNN_Attr<"CoreRangeSet", "core_range_set"> {
  let summary = "Disjoint rectangles: `#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,3)>]>`, empty `<>`";
  let parameters = (ins OptionalArrayRefParameter<"CoreRangeAttr">:$coreRanges);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===- Layout and memory ---------------------------------------------------===//

def TTNN_TTNNLayoutAttr : TTNN_Attr<"TTNNLayout", "ttnn_layout"> {
  let summary = "Where a tensor lies and how it is cut; encoding of tensor types";
  let description = [{
    `#ttnn.ttnn_layout<` affine-map `, <` rows`x`columns `>, ` [`mesh = <`name`>, `] memref [`, <`mem_layout`>`
    [`, core_ranges = <[..]>` [`, ignorePhysicalLayout = true`]]] `>`

    The memref holds the shard of one core, in tiles or scalars, and the memory as its memory space. Nothing ties
    a layout to the tensor that carries it (facts/dialect 2): maps of any results, memrefs and grids
    of any rank and extents are legal. Which of them place a tensor, Dialect/TTNN/LayoutConversion.h says. The
    grid form of before May 2026, `<5x1, (d0, d1) -> (0, d0, d1)>`, is read: its map is turned into core ranges.
  }];
  let parameters = (ins
    "::mlir::AffineMap":$linear,
    ArrayRefParameter<"int64_t">:$grid,
    "::mlir::MemRefType":$memref,
    OptionalParameter<"TensorMemoryLayoutAttr">:$memLayout,
    OptionalParameter<"::tessera::ttcore::TensorMeshAttr">:$tensorMesh,
    OptionalParameter<"CoreRangeSetAttr">:$coreRangeSet,
    DefaultValuedParameter<"bool", "false">:$ignorePhysicalLayout
  );
  let extraClassDeclaration = [{
    /// The memory that the tensor lies in; nullopt if TTNN does not have the memref's memory space.
    ::std::optional<BufferType> getBufferType() const;
    /// False in system memory only.
    bool isOnDevice() const;
    /// The tensor's memory layout; nullopt in system memory.
    ::std::optional<TensorMemoryLayout> getMemoryLayout() const;
    /// The page layout: Tile if the memref's elements are tiles, else RowMajor.
    Layout getLayout() const;
    /// True for any memory layout but interleaved (and none).
    bool isSharded() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTNN_TTNNNDLayoutAttr : TTNN_Attr<"TTNNNDLayout", "ttnn_nd_layout"> {
  let summary = "A tensor cut in any number of dimensions; encoding of tensor types";
  let description = [{
    `#ttnn.ttnn_nd_layout<<2x2>, memref<..>, <nd_sharded>[, <row_major>[, <round_robin_1d>]]>`. The grid may be
    written in full, as `#ttcore.grid<2x2>`. The optimizer leaves such tensors as they are.
  }];
  let parameters = (ins "::tessera::ttcore::GridAttr":$grid, "::mlir::MemRefType":$memref,
                    "TensorMemoryLayoutAttr":$memLayout, OptionalParameter<"ShardOrientationAttr">:$orientation,
                    OptionalParameter<"ShardDistributionStrategyAttr">:$distribution);
  let assemblyFormat = [{
    `<` $grid `,` $memref `,` $memLayout (`,` $orientation^ (`,` $distribution^)?)? `>`
  }];
}

def TTNN_TraceIdAttr : TTNN_Attr<"TraceId", "trace_id"> {
  let summary = "Encoding of the scalar that names a recorded trace: `tensor<ui32, #ttnn.trace_id>`";
}

def TTNN_ShardSpecAttr : TTNN_Attr<"ShardSpec", "shard_spec"> {
  let summary = "Cores, shard shape in elements and order: `<<[..]>, <32x32>, <row_major>>`";
  let parameters = (ins "CoreRangeSetAttr":$coreRangeSet, "ShapeAttr":$shape,
                    "ShardOrientationAttr":$shardOrientation);
  let assemblyFormat = "`<` $coreRangeSet `,` $shape `,` $shardOrientation `>`";
}

def TTNN_MemoryConfigAttr : TTNN_Attr<"MemoryConfig", "memory_config"> {
  let summary = "`#ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<..>, ndShardSpec = ..>`";
  let parameters = (ins "BufferTypeAttr":$bufferType, OptionalParameter<"TensorMemoryLayoutAttr">:$memLayout,
                    OptionalParameter<"ShardSpecAttr">:$shardSpec,
                    OptionalParameter<"::mlir::Attribute">:$ndShardSpec);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===- Op configurations ---------------------------------------------------===//

// It has no mnemonic of its own: the dialect reads and prints it as the struct that it is (TTNNAttrs.cpp).
def TTNN_NewerStructAttr : AttrDef<TTNN_Dialect, "NewerStruct"> {
  let attrName = "ttnn.newer_struct";
  let summary = "A struct of ours with a key that a newer tt-mlir writes, kept as text; a property with it is unread";
  let parameters = (ins StringRefParameter<"`conv2d_config<...>`, as it is written">:$text,
                    StringRefParameter<"the first key that is not known">:$key);
}

class TTNN_StructAttr<string name, string mnemonic, dag params> : TTNN_Attr<name, mnemonic> {
  let parameters = params;
  let assemblyFormat = "`<` struct(params) `>`";
}

def TTNN_UnaryWithParamAttr : TTNN_Attr<"UnaryWithParam", "unary_with_param"> {
  let summary = "An activation: `<op_type = relu>`, `<op_type = silu, params = [1.0 : f32]>`";
  let parameters = (ins StringRefParameter<"name of the unary op">:$op_type,
                    TTCore_OptionalList<"::mlir::FloatAttr">:$params);
  let assemblyFormat = "`<` struct(custom<Keyword>($op_type), $params) `>`";
}

// Every struct of all-optional keys may also be empty: `#ttnn.conv2d_config<>`.
def TTNN_Conv2dConfigAttr : TTNN_StructAttr<"Conv2dConfig", "conv2d_config", (ins
    TTCore_Optional<"::tessera::ttcore::DataType">:$weights_dtype,
    OptionalParameter<"UnaryWithParamAttr">:$activation,
    OptionalParameter<"::mlir::BoolAttr">:$deallocate_activation,
    OptionalParameter<"::mlir::BoolAttr">:$reallocate_halo_output,
    TTCore_Optional<"uint32_t", "rows; 0: all">:$act_block_h_override,
    TTCore_Optional<"uint32_t">:$act_block_w_div,
    OptionalParameter<"::mlir::BoolAttr">:$reshard_if_not_optimal,
    OptionalParameter<"::mlir::BoolAttr">:$override_sharding_config,
    TTCore_Optional<"TensorMemoryLayout">:$shard_layout,
    TTCore_OptionalQualified<"CoreRangeSetAttr">:$core_grid,
    OptionalParameter<"::mlir::BoolAttr">:$transpose_shards,
    TTCore_Optional<"Layout">:$output_layout,
    OptionalParameter<"::mlir::BoolAttr">:$enable_act_double_buffer,
    OptionalParameter<"::mlir::BoolAttr">:$enable_weights_double_buffer,
    OptionalParameter<"::mlir::BoolAttr">:$enable_kernel_stride_folding,
    OptionalParameter<"::mlir::BoolAttr">:$config_tensors_in_dram)>;

def TTNN_Conv2dSliceConfigAttr : TTNN_Attr<"Conv2dSliceConfig", "conv2d_slice_config"> {
  let summary = "`#ttnn.conv2d_slice_config<dram_width, 4>`; 0 slices: the backend decides";
  let parameters = (ins EnumParameter<TTNN_Conv2dSliceType>:$sliceType, "uint32_t":$numSlices);
  let assemblyFormat = "`<` $sliceType `,` $numSlices `>`";
}

def TTNN_Conv3dConfigAttr : TTNN_StructAttr<"Conv3dConfig", "conv3d_config", (ins
    TTCore_Optional<"::tessera::ttcore::DataType">:$weights_dtype,
    TTCore_Optional<"uint32_t">:$t_out_block,
    TTCore_Optional<"uint32_t">:$w_out_block,
    TTCore_Optional<"uint32_t">:$h_out_block,
    TTCore_Optional<"uint32_t">:$c_out_block,
    TTCore_Optional<"uint32_t">:$c_in_block,
    TTCore_OptionalQualified<"::tessera::ttcore::GridAttr">:$compute_with_storage_grid_size)>;

def TTNN_DeviceComputeKernelConfigAttr
    : TTNN_StructAttr<"DeviceComputeKernelConfig", "device_compute_kernel_config", (ins
    TTCore_Optional<"MathFidelity">:$math_fidelity,
    OptionalParameter<"::mlir::BoolAttr">:$math_approx_mode,
    OptionalParameter<"::mlir::BoolAttr">:$fp32_dest_acc_en,
    OptionalParameter<"::mlir::BoolAttr">:$packer_l1_acc,
    OptionalParameter<"::mlir::BoolAttr">:$dst_full_sync_en)>;

// Matmul program configurations; blocks in tiles.
def TTNN_MatmulMultiCoreReuseProgramConfigAttr
    : TTNN_StructAttr<"MatmulMultiCoreReuseProgramConfig", "matmul_multi_core_reuse_program_config", (ins
    TTCore_Qualified<"CoreCoordAttr">:$compute_with_storage_grid_size,
    "uint64_t":$in0_block_w,
    "uint64_t":$out_subblock_h,
    "uint64_t":$out_subblock_w,
    "uint64_t":$per_core_m,
    "uint64_t":$per_core_n)>;

def TTNN_MatmulMultiCoreReuseMultiCastProgramConfigAttr
    : TTNN_StructAttr<"MatmulMultiCoreReuseMultiCastProgramConfig",
                      "matmul_multi_core_reuse_multi_cast_program_config", (ins
    TTCore_Qualified<"CoreCoordAttr">:$compute_with_storage_grid_size,
    "uint64_t":$in0_block_w,
    "uint64_t":$out_subblock_h,
    "uint64_t":$out_subblock_w,
    "uint64_t":$out_block_h,
    "uint64_t":$out_block_w,
    "uint64_t":$per_core_m,
    "uint64_t":$per_core_n,
    "bool":$transpose_mcast,
    TTCore_OptionalQualified<"UnaryWithParamAttr">:$fused_activation,
    "bool":$fuse_batch)>;

def TTNN_MatmulMultiCoreReuseMultiCast1DProgramConfigAttr
    : TTNN_StructAttr<"MatmulMultiCoreReuseMultiCast1DProgramConfig",
                      "matmul_multi_core_reuse_multi_cast_1d_program_config", (ins
    TTCore_Qualified<"CoreCoordAttr">:$compute_with_storage_grid_size,
    "uint64_t":$in0_block_w,
    "uint64_t":$out_subblock_h,
    "uint64_t":$out_subblock_w,
    "uint64_t":$out_block_h,
    "uint64_t":$out_block_w,
    "uint64_t":$per_core_m,
    "uint64_t":$per_core_n,
    "bool":$fuse_batch,
    TTCore_OptionalQualified<"UnaryWithParamAttr">:$fused_activation,
    "bool":$mcast_in0,
    "bool":$gather_in0,
    TTCore_OptionalQualified<"CoreRangeSetAttr">:$hop_cores,
    "uint64_t":$num_global_cb_receivers,
    "bool":$untilize_out)>;

def TTNN_MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr
    : TTNN_StructAttr<"MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig",
                      "matmul_multi_core_reuse_multi_cast_dram_sharded_program_config", (ins
    "uint64_t":$in0_block_w,
    "uint64_t":$per_core_m,
    "uint64_t":$per_core_n,
    TTCore_OptionalQualified<"UnaryWithParamAttr">:$fused_activation)>;

def TTNN_SDPAProgramConfigAttr : TTNN_StructAttr<"SDPAProgramConfig", "sdpa_program_config", (ins
    TTCore_Qualified<"CoreCoordAttr">:$compute_with_storage_grid_size,
    TTCore_OptionalQualified<"CoreRangeSetAttr">:$sub_core_grids,
    "uint64_t":$q_chunk_size,
    "uint64_t":$k_chunk_size,
    OptionalParameter<"::mlir::BoolAttr">:$exp_approx_mode,
    TTCore_Optional<"uint64_t">:$max_cores_per_head_batch)>;

def TTNN_LayerNormShardedMultiCoreProgramConfigAttr
    : TTNN_StructAttr<"LayerNormShardedMultiCoreProgramConfig",
                      "layernorm_sharded_multicore_program_config", (ins
    TTCore_Qualified<"CoreCoordAttr">:$compute_with_storage_grid_size,
    "uint64_t":$subblock_w,
    "uint64_t":$block_h,
    "uint64_t":$block_w,
    "bool":$inplace)>;

#endif // TESSERA_DIALECT_TTNN_TTNNATTRS
