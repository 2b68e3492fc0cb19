//===- TTNNEnums.td - Enums of the ttnn dialect ---------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
// A file of its own: -gen-enum-decls emits every enum it sees, includes too.
// Numbers are those of tt-mlir's flatbuffers (facts/ir 1.1).
#ifndef TESSERA_DIALECT_TTNN_TTNNENUMS
#define TESSERA_DIALECT_TTNN_TTNNENUMS

include "mlir/IR/EnumAttr.td"

class TTNN_Enum<string name, string summary, list<I32EnumCase> cases> : I32Enum<name, summary, cases> {
  let cppNamespace = "::tessera::ttnn";
}

// As tessera::BufferType.
def TTNN_BufferType : TTNN_Enum<"BufferType", "memory that a tensor lies in", [
  I32EnumCase<"DRAM", 0, "dram">,
  I32EnumCase<"L1", 1, "l1">,
  I32EnumCase<"SystemMemory", 2, "system_memory">,
  I32EnumCase<"L1Small", 3, "l1_small">,
  I32EnumCase<"Trace", 4, "trace">
]>;

// As tessera::MemoryLayout.
def TTNN_TensorMemoryLayout : TTNN_Enum<"TensorMemoryLayout", "how a tensor is cut over banks or cores", [
  I32EnumCase<"Interleaved", 0, "interleaved">,
  I32EnumCase<"HeightSharded", 2, "height_sharded">,
  I32EnumCase<"WidthSharded", 3, "width_sharded">,
  I32EnumCase<"BlockSharded", 4, "block_sharded">,
  I32EnumCase<"NDSharded", 5, "nd_sharded">
]>;

// As tessera::PageLayout, and `invalid`.
def TTNN_Layout : TTNN_Enum<"Layout", "page layout", [
  I32EnumCase<"RowMajor", 0, "row_major">,
  I32EnumCase<"Tile", 1, "tile">,
  I32EnumCase<"Invalid", 2, "invalid">
]>;

def TTNN_ShardOrientation : TTNN_Enum<"ShardOrientation", "order of shards over cores", [
  I32EnumCase<"RowMajor", 0, "row_major">,
  I32EnumCase<"ColMajor", 1, "col_major">
]>;

def TTNN_ShardDistributionStrategy : TTNN_Enum<"ShardDistributionStrategy", "how shards are dealt to cores", [
  I32EnumCase<"RoundRobin1D", 0, "round_robin_1d">,
  I32EnumCase<"Grid2D", 1, "grid_2d">
]>;

def TTNN_MathFidelity : TTNN_Enum<"MathFidelity", "passes of the matrix engine over the mantissa", [
  I32EnumCase<"LoFi", 0, "lofi">,
  I32EnumCase<"HiFi2", 1, "hifi2">,
  I32EnumCase<"HiFi3", 2, "hifi3">,
  I32EnumCase<"HiFi4", 3, "hifi4">
]>;

def TTNN_Conv2dSliceType : TTNN_Enum<"Conv2dSliceType", "how a convolution is cut that does not fit L1", [
  I32EnumCase<"DramHeight", 0, "dram_height">,
  I32EnumCase<"DramWidth", 1, "dram_width">,
  I32EnumCase<"L1Full", 2, "l1_full">
]>;

#endif // TESSERA_DIALECT_TTNN_TTNNENUMS
