//===- TTCoreEnums.td - Enums of the ttcore dialect -----------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
// A file of its own: -gen-enum-decls emits every enum it sees, includes too.
#ifndef TESSERA_DIALECT_TTCORE_TTCOREENUMS
#define TESSERA_DIALECT_TTCORE_TTCOREENUMS

include "mlir/IR/EnumAttr.td"

class TTCore_Enum<string name, string summary, list<I32EnumCase> cases> : I32Enum<name, summary, cases> {
  let cppNamespace = "::tessera::ttcore";
}

// Numbered as tessera::DataType.
def TTCore_DataType : TTCore_Enum<"DataType", "element format", [
  I32EnumCase<"Float32", 0, "f32">,
  I32EnumCase<"Float16", 1, "f16">,
  I32EnumCase<"BFloat16", 2, "bf16">,
  I32EnumCase<"BFP_Float8", 3, "bfp_f8">,
  I32EnumCase<"BFP_BFloat8", 4, "bfp_bf8">,
  I32EnumCase<"BFP_Float4", 5, "bfp_f4">,
  I32EnumCase<"BFP_BFloat4", 6, "bfp_bf4">,
  I32EnumCase<"BFP_Float2", 7, "bfp_f2">,
  I32EnumCase<"BFP_BFloat2", 8, "bfp_bf2">,
  I32EnumCase<"UInt32", 9, "u32">,
  I32EnumCase<"UInt16", 10, "u16">,
  I32EnumCase<"UInt8", 11, "u8">,
  I32EnumCase<"Int32", 12, "si32">,
  I32EnumCase<"Bool", 13, "i1">
]>;

def TTCore_Arch : TTCore_Enum<"Arch", "chip architecture", [
  I32EnumCase<"WormholeB0", 0, "wormhole_b0">,
  I32EnumCase<"Blackhole", 1, "blackhole">,
  I32EnumCase<"Quasar", 2, "quasar">
]>;

def TTCore_CPURole : TTCore_Enum<"CPURole", "what a CPU does", [
  I32EnumCase<"Host", 0, "host">,
  I32EnumCase<"Device", 1, "device">
]>;

def TTCore_ArgumentType : TTCore_Enum<"ArgumentType", "what a function argument holds", [
  I32EnumCase<"Input", 1, "input">,
  I32EnumCase<"Parameter", 2, "parameter">,
  I32EnumCase<"Constant", 3, "constant">,
  I32EnumCase<"Default", 4, "default">
]>;

def TTCore_ShardStatus : TTCore_Enum<"ShardStatus", "whether a value is already cut over the mesh", [
  I32EnumCase<"Unsharded", 0, "unsharded">,
  I32EnumCase<"Presharded", 1, "presharded">
]>;

def TTCore_ReduceType : TTCore_Enum<"ReduceType", "reduction", [
  I32EnumCase<"Sum", 0, "sum">,
  I32EnumCase<"Mean", 1, "mean">,
  I32EnumCase<"Max", 2, "max">,
  I32EnumCase<"Min", 3, "min">,
  I32EnumCase<"Std", 4, "std">,
  I32EnumCase<"Var", 5, "var">,
  I32EnumCase<"Prod", 6, "prod">,
  I32EnumCase<"Invalid", 7, "invalid">,
  I32EnumCase<"LogSumExp", 8, "logsumexp">
]>;

def TTCore_MeshShardDirection : TTCore_Enum<"MeshShardDirection", "direction of a mesh shard", [
  I32EnumCase<"FullToShard", 0, "full_to_shard">,
  I32EnumCase<"ShardToFull", 1, "shard_to_full">
]>;

def TTCore_MeshShardType : TTCore_Enum<"MeshShardType", "kind of a mesh shard", [
  I32EnumCase<"Identity", 0, "identity">,
  I32EnumCase<"Replicate", 1, "replicate">,
  I32EnumCase<"Maximal", 2, "maximal">,
  I32EnumCase<"Devices", 3, "devices">
]>;

def TTCore_MeshTopology : TTCore_Enum<"MeshTopology", "how the chips of an axis are linked", [
  I32EnumCase<"Ring", 0, "ring">,
  I32EnumCase<"Linear", 1, "linear">,
  I32EnumCase<"Mesh", 2, "mesh">,
  I32EnumCase<"Torus", 3, "torus">,
  I32EnumCase<"Disabled", 4, "disabled">
]>;

// Numbered as tessera::OobValue.
def TTCore_OobValue : TTCore_Enum<"OobValue", "value that fills padding", [
  I32EnumCase<"Undef", 0, "undef">,
  I32EnumCase<"Zero", 1, "zero">,
  I32EnumCase<"One", 2, "one">,
  I32EnumCase<"Inf", 3, "inf">,
  I32EnumCase<"NegInf", 4, "neginf">
]>;

// Numbered as tessera::MemorySpace.
def TTCore_MemorySpace : TTCore_Enum<"MemorySpace", "memory that a shard lies in", [
  I32EnumCase<"System", 0, "system">,
  I32EnumCase<"SystemMMIO", 1, "mmio">,
  I32EnumCase<"DeviceDRAM", 2, "dram">,
  I32EnumCase<"DeviceL1", 3, "l1">
]>;

#endif // TESSERA_DIALECT_TTCORE_TTCOREENUMS
