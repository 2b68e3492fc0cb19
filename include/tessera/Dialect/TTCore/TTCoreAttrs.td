//===- TTCoreAttrs.td - Attributes of the ttcore dialect ------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCOREATTRS
#define TESSERA_DIALECT_TTCORE_TTCOREATTRS

include "tessera/Dialect/TTCore/TTCoreBase.td"
include "tessera/Dialect/TTCore/TTCoreEnums.td"

//===- Enum attributes: #ttcore.mnemonic<case> -----------------------------===//

class TTCore_EnumAttr<EnumInfo enumInfo, string mnemonic> : EnumAttr<TTCore_Dialect, enumInfo, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}
def TTCore_DataTypeAttr : TTCore_EnumAttr<TTCore_DataType, "supportedDataTypes">;
def TTCore_ArchAttr : TTCore_EnumAttr<TTCore_Arch, "arch">;
def TTCore_ArgumentTypeAttr : TTCore_EnumAttr<TTCore_ArgumentType, "argument_type">;
def TTCore_ShardStatusAttr : TTCore_EnumAttr<TTCore_ShardStatus, "shard_status">;
def TTCore_ReduceTypeAttr : TTCore_EnumAttr<TTCore_ReduceType, "reduce_type">;
def TTCore_MeshShardDirectionAttr : TTCore_EnumAttr<TTCore_MeshShardDirection, "shard_direction">;
def TTCore_MeshShardTypeAttr : TTCore_EnumAttr<TTCore_MeshShardType, "shard_type">;

//===- Grids and meshes ----------------------------------------------------===//

def TTCore_GridAttr : TTCore_Attr<"Grid", "grid"> {
  let summary = "Extents of a grid of cores or shards, optionally with its place on the chip";
  let description = [{
    `#ttcore.grid<8x8>`, `#ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1),
    physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>`. The form of before May 2026, with a bare virtual to
    physical map behind the extents, is read too. Maps are null if absent.
  }];
  let parameters = (ins TTCore_Dims<"extents">:$shape, OptionalParameter<"::mlir::AffineMap">:$virtToPhysicalMap,
                    OptionalParameter<"::mlir::AffineMap">:$physicalToVirtMap);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape),
                              "return $_get($_ctxt, shape, ::mlir::AffineMap(), ::mlir::AffineMap());">];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTCore_MeshAttr : TTCore_Attr<"Mesh", "mesh"> {
  let summary = "A named mesh of chips: `<\"mesh\" = 1x2>`";
  let parameters = (ins "::mlir::StringAttr":$name, TTCore_Dims<"chips per axis">:$shape);
  let assemblyFormat = "`<` $name `=` $shape `>`";
}

def TTCore_MeshesAttr : TTCore_Attr<"Meshes", "meshes"> {
  let summary = "The meshes that a module knows: `#ttcore.meshes<[<\"mesh\" = 1x2>]>`";
  let parameters = (ins TTCore_List<"MeshAttr">:$meshes);
  let assemblyFormat = "`<` $meshes `>`";
}

def TTCore_TensorMeshAttr : TTCore_Attr<"TensorMesh", "tensor_mesh"> {
  let summary = "The mesh over which a tensor is spread: `#ttcore.tensor_mesh<\"mesh\">`";
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def TTCore_LocalShapeAttr : TTCore_Attr<"LocalShape", "local_shape"> {
  let summary = "A function argument's type on each chip: `#ttcore<local_shape local_shape = tensor<..>>`";
  let parameters = (ins "::mlir::RankedTensorType":$local_shape);
  let assemblyFormat = "struct(params)";
}

//===- System description --------------------------------------------------===//

def TTCore_TileSizeAttr : TTCore_Attr<"TileSize", "tile_size"> {
  let parameters = (ins TTCore_Dims<"rows, columns">:$shape);
  let assemblyFormat = "$shape";
}

def TTCore_ChipCoordAttr : TTCore_Attr<"ChipCoord", "chip_coord"> {
  let summary = "Place of a chip: rack x shelf x y x x";
  let parameters = (ins TTCore_Dims<>:$coord);
  let assemblyFormat = "$coord";
}

def TTCore_CoreCoordAttr : TTCore_Attr<"CoreCoord", "core_coord"> {
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "`(` $y `,` $x `)`";
}

def TTCore_CoreRangeAttr : TTCore_Attr<"CoreRange", "core_range"> {
  let summary = "A rectangle of cores, both corners included, rows first: `#ttcore.core_range<(0, 0), (3, 7)>`";
  let parameters = (ins "CoreCoordAttr":$start, "CoreCoordAttr":$end);
  let assemblyFormat = "`<` $start `,` $end `>`";
  let genVerifyDecl = 1;
}

def TTCore_CPUDescAttr : TTCore_Attr<"CPUDesc", "cpu_desc"> {
  let parameters = (ins EnumParameter<TTCore_CPURole>:$role, "::mlir::StringAttr":$target_triple);
  let assemblyFormat = "`{` struct(params) `}`";
}

def TTCore_ChipDescAttr : TTCore_Attr<"ChipDesc", "chip_desc"> {
  let summary = "One chip of a system description; sizes and addresses in bytes";
  let parameters = (ins
    "ArchAttr":$arch,
    TTCore_Dims<"worker cores: rows, columns">:$grid,
    TTCore_Dims<>:$coord_translation_offsets,
    "int64_t":$l1_size,
    "int64_t":$num_dram_channels,
    "int64_t":$dram_channel_size,
    "int64_t":$noc_l1_address_align_bytes,
    "int64_t":$pcie_address_align_bytes,
    "int64_t":$noc_dram_address_align_bytes,
    "int64_t":$l1_unreserved_base,
    "int64_t":$erisc_l1_unreserved_base,
    "int64_t":$dram_unreserved_base,
    "int64_t":$dram_unreserved_end,
    TTCore_List<"DataTypeAttr">:$supported_data_types,
    TTCore_List<"TileSizeAttr">:$supported_tile_sizes,
    "int64_t":$dst_physical_size_tiles,
    "int64_t":$num_cbs,
    "int64_t":$num_compute_threads,
    "int64_t":$num_datamovement_threads,
    TTCore_Dims<"DRAM banks: rows, columns">:$dram_grid,
    TTCore_List<"CoreCoordAttr">:$dram_bank_to_logical_worker_noc0,
    TTCore_List<"CoreCoordAttr">:$dram_bank_to_logical_worker_noc1
  );
  let assemblyFormat = "`{` struct(params) `}`";
}

def TTCore_ChipChannelAttr : TTCore_Attr<"ChipChannel", "chip_channel"> {
  let summary = "A link between two chips, each as [chip, y, x]: `<[0, 0, 0], [1, 0, 0]>`";
  let parameters = (ins TTCore_List<"int64_t">:$from, TTCore_List<"int64_t">:$to);
  let assemblyFormat = "`<` $from `,` $to `>`";
}

def TTCore_SystemDescAttr : TTCore_Attr<"SystemDesc", "system_desc"> {
  let summary = "The machine that a module is compiled for";
  let parameters = (ins
    TTCore_List<"CPUDescAttr">:$cpuDescs,
    TTCore_List<"ChipDescAttr", "kinds of chips">:$chipDescs,
    TTCore_List<"int64_t", "index into chipDescs per chip">:$chipDescIndices,
    TTCore_List<"::mlir::IntegerAttr", "bit set per chip; 1: PCIe">:$chipCapabilities,
    TTCore_List<"ChipCoordAttr">:$chipCoords,
    TTCore_OptionalList<"ChipChannelAttr">:$chipChannels
  );
  let assemblyFormat = [{
    `<` $cpuDescs `,` $chipDescs `,` $chipDescIndices `,` $chipCapabilities `,` $chipCoords
    (`,` $chipChannels^)? `>`
  }];
  let genVerifyDecl = 1;
}

def TTCore_DeviceAttr : TTCore_Attr<"Device", "device"> {
  let summary = "The device that a module runs on, as a mesh of chips";
  let parameters = (ins
    "GridAttr":$workerGrid,
    OptionalParameter<"GridAttr">:$dramGrid,
    "::mlir::AffineMap":$l1Map,
    "::mlir::AffineMap":$dramMap,
    TTCore_Dims<"chips per axis; empty if not decided">:$meshShape,
    TTCore_List<"int64_t">:$chipIds,
    TTCore_OptionalList<"MeshTopology", "links per axis of the mesh">:$meshTopology
  );
  let assemblyFormat = [{
    `<` `workerGrid` `=` qualified($workerGrid) `,` (`dramGrid` `=` qualified($dramGrid)^ `,`)?
    `l1Map` `=` $l1Map `,` `dramMap` `=` $dramMap `,` `meshShape` `=` $meshShape `,` `chipIds` `=` $chipIds
    (`,` `meshTopology` `=` $meshTopology^)? `>`
  }];
  let genVerifyDecl = 1;
}

#endif // TESSERA_DIALECT_TTCORE_TTCOREATTRS
