//===- TTCoreTypes.td - Types of the ttcore dialect -----------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCORETYPES
#define TESSERA_DIALECT_TTCORE_TTCORETYPES

include "tessera/Dialect/TTCore/TTCoreBase.td"
include "tessera/Dialect/TTCore/TTCoreEnums.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def TTCore_TileType : TTCore_Type<"Tile", "tile", [MemRefElementTypeInterface]> {
  let summary = "A tile of elements: `!ttcore.tile<32x32, bf16>`";
  let description = [{
    Element of memrefs (physical layout) and of tensors (block-float weights in models/ttnn). The extents may have
    any value; the hardware has tiles of 1 to 32 rows and columns.
  }];
  let parameters = (ins TTCore_Dims<"height, width">:$shape, EnumParameter<TTCore_DataType>:$dataType);
  let assemblyFormat = "`<` $shape `,` $dataType `>`";
  let genVerifyDecl = 1;
}

def TTCore_DictType : TTCore_Type<"Dict", "dict"> {
  let summary = "Values under keys, which are strings or indices: `!ttcore.dict`";
}

#endif // TESSERA_DIALECT_TTCORE_TTCORETYPES
