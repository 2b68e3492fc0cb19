//===- TTNNOpsStorage.td - Tensors at addresses and in files ---*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSSTORAGE_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSSTORAGE_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

def TTNN_AllocOp : TTNN_AllocatingOp<"alloc"> {
  let summary = "A tensor at a given address";
  let ownArguments = (ins I64Attr:$address, I64Attr:$size, TTNN_BufferTypeAttr:$buffer_type);
}

// Files end in `.tensorbin` (facts/dialect 9). They are not values, so the effects on them are effects
// on everything.

def TTNN_DumpTensorOp : TTNN_TensorOp<"dump_tensor", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes a tensor to a file";
  let ownArguments = (ins TTNN_Read<"written to the file">:$input, StrAttr:$file_path);
  let hasVerifier = 1;
}

def TTNN_LoadTensorOp : TTNN_AllocatingOp<"load_tensor", [MemoryEffects<[MemRead]>]> {
  let summary = "A tensor from a file; on the host if there is no device";
  let ownArguments = (ins Optional<TTNN_DeviceType>:$device, StrAttr:$file_path);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSSTORAGE_TD
