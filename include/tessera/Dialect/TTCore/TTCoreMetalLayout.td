//===- TTCoreMetalLayout.td - #ttcore.metal_layout ------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCOREMETALLAYOUT
#define TESSERA_DIALECT_TTCORE_TTCOREMETALLAYOUT

include "tessera/Dialect/TTCore/TTCoreAttrs.td"
include "mlir/IR/TensorEncoding.td"

def TTCore_MemorySpaceAttr : TTCore_EnumAttr<TTCore_MemorySpace, "memory_space">;

def TTCore_MetalLayoutAttr : TTCore_Attr<"MetalLayout", "metal_layout",
                                         [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "How a tensor of any rank folds into physical dimensions and is cut over a grid";
  let description = [{
    `#ttcore.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>,
    memref<2x2x!ttcore.tile<32x32, bfp_bf8>, #ttcore.memory_space<l1>>>` is a legal encoding of
    `tensor<3x64x128xf32>`: 192x128 elements over 3x2 cores are 64x64 each, which is 2x2 tiles.

    The attribute's verifier checks what holds whatever the tensor: as many results of the map as dimensions of
    grid and memref, no negative strides, whole faces per tile. The tensor type's verifier checks the rest: a
    map dimension per dimension of the tensor, a place per element, and the memref that follows from them.
    1:1 with tessera::MetalLayout, see Dialect/TTCore/MetalLayoutConversion.h. Source: facts/tensor-layout.
  }];
  let parameters = (ins
    "::mlir::AffineMap":$linear,
    EnumParameter<TTCore_OobValue>:$oobVal,
    "GridAttr":$grid,
    "::mlir::MemRefType":$memref
  );
  let hasCustomAssemblyFormat = 1; // the generated parser would add an error of its own to that of a parameter
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Virtual cores per physical dimension.
    ::llvm::ArrayRef<int64_t> getGridShape() const { return getGrid().getShape(); }
    /// Extents of the memref: tiles per core if tiled, else elements.
    ::llvm::ArrayRef<int64_t> getShardShape() const { return getMemref().getShape(); }
    /// The memref's tile, or null if its elements are scalars.
    TileType getTile() const;
    /// The memory that the shards lie in.
    MemorySpace getMemorySpace() const;

    // For tensors of `shape`; the error is the one that the tensor type's verifier would report.

    /// Logical index -> collapsed index -> core, shard index, tile, face, offset, and back; padding; bytes.
    ::llvm::Expected<::tessera::MetalGeometry> getGeometry(::llvm::ArrayRef<int64_t> shape) const;
    /// The layout in TTNN's words, or why TTNN has none for it.
    ::llvm::Expected<::tessera::TtnnTerms> getTtnnTerms(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

#endif // TESSERA_DIALECT_TTCORE_TTCOREMETALLAYOUT
