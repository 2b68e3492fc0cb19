//===- TTNNOpsMemory.td - Layouts, devices, creation -----------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSMEMORY_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSMEMORY_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

// ---- Conversions: the same tensor in another form ---------------------------------------------------------
// What they change is what input and result types differ in (facts/ir 1.4). Verifiers ask for
// layouts and little else (facts/dialect 4). to_layout may change buffer, memory layout and grid here,
// as it did before July 2026; what tt-mlir refuses today is split before the output is written
// (Lowering/Conversions.h).

class TTNN_ConversionOp<string mnemonic, string what, list<Trait> traits = []>
    : TTNN_ComputeOp<mnemonic, traits> {
  let summary = what;
  let ownArguments = (ins TTNN_Tensor:$input);
}
class TTNN_VerifiedConversionOp<string mnemonic, string what, list<Trait> traits = []>
    : TTNN_ConversionOp<mnemonic, what, traits> {
  let hasVerifier = 1;
}
def TTNN_ToLayoutOp
    : TTNN_VerifiedConversionOp<"to_layout", "Changes the page layout and the data type",
                                [TTNN_DtypeOpInterface]>;
def TTNN_ToMemoryConfigOp
    : TTNN_VerifiedConversionOp<"to_memory_config", "Changes where the tensor lies and how it is sharded">;
def TTNN_ToTensorSpecOp
    : TTNN_VerifiedConversionOp<"to_tensor_spec", "Changes anything; later split into single conversions",
                                [TTNN_DtypeOpInterface]>;
def TTNN_TypecastOp : TTNN_ConversionOp<"typecast", "Changes the data type", [TTNN_DtypeOpInterface]>;
def TTNN_FromDeviceOp : TTNN_ConversionOp<"from_device", "Copies a tensor to the host">;
def TTNN_ToDeviceOp : TTNN_ConversionOp<"to_device", "Copies a tensor to the device"> {
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_DeviceType:$device);
}

// ---- Device and lifetime ----------------------------------------------------------------------------------

def TTNN_GetDeviceOp : TTNN_Op<"get_device", [Pure]> {
  let summary = "The mesh of devices that the program runs on";
  let ownArguments = (ins OptionalAttr<TTNN_MeshShapeAttr>:$mesh_shape,
      OptionalAttr<TTNN_MeshOffsetAttr>:$mesh_offset);
  let results = (outs TTNN_DeviceType:$device);
}

def TTNN_DeallocateOp : TTNN_TensorOp<"deallocate"> {
  let summary = "Frees a tensor's memory";
  let description = "With `force`, also if other tensors alias the memory.";
  let ownArguments = (ins Arg<TTNN_Tensor, "freed", [MemFree]>:$input, TTNN_DefaultFalse:$force);
}

// ---- Creation ---------------------------------------------------------------------------------------------

/// Makes a tensor of the shape `shape` from nothing; on the host if there is no device.
class TTNN_CreationOp<string mnemonic, string what, dag attributes = (ins)> : TTNN_ArithmeticOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins Optional<TTNN_DeviceType>:$device, TTNN_ShapeAttr:$shape), attributes);
  let hasVerifier = 1;
}
def TTNN_ZerosOp : TTNN_CreationOp<"zeros", "A tensor of zeros">;
def TTNN_OnesOp : TTNN_CreationOp<"ones", "A tensor of ones">;
def TTNN_FullOp : TTNN_CreationOp<"full", "A tensor of equal elements", (ins TTNN_ScalarAttr:$fill_value)>;

def TTNN_EmptyOp : TTNN_TensorOp<"empty", [TTNN_LayoutOpInterface, TTNN_DtypeOpInterface]> {
  let summary = "A tensor of whatever is in memory; later ops write into it";
  let ownArguments = (ins TTNN_DeviceType:$device, TTNN_ShapeAttr:$shape);
  let results = (outs Res<TTNN_Tensor, "allocated", [MemAlloc]>:$result);
  let hasVerifier = 1;
}

def TTNN_ArangeOp : TTNN_ArithmeticOp<"arange"> {
  let summary = "(end - start) / step values, rounded down: start, start + step, ...";
  let ownArguments = (ins Optional<TTNN_DeviceType>:$device, TTNN_IntAttr:$start, TTNN_IntAttr:$end,
      TTNN_IntAttr:$step);
  let hasVerifier = 1;
}

def TTNN_ConstantOp : TTNN_ArithmeticOp<"constant"> {
  let summary = "A tensor of given elements";
  let ownArguments = (ins Optional<TTNN_DeviceType>:$device, ElementsAttr:$value);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSMEMORY_TD
