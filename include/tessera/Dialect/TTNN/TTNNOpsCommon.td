//===- TTNNOpsCommon.td - What all TTNN op families share ------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops print in MLIR's generic form, so names, order and presence of properties
// are the text format (facts/ir 1.4). An attribute that tt-mlir
// ever leaves out is optional; one with a default value is always printed.
// Integer attributes whose width changed between tt-mlir versions are
// TTNN_IntAttr, which keeps the width it read.
//
// Class hierarchy: TTNN_Op (TTNNBase.td)
//   TTNN_BareOp               tensors of any encoding
//     TTNN_TensorOp           + tiles as elements are those of the layout
//       TTNN_ComputeOp        + makes new tensors from old ones, layout may be chosen
//         TTNN_ArithmeticOp   + data type may be chosen
//       TTNN_AllocatingOp     + results that are not a function of the operands, or that may share their memory
//       TTNN_InPlaceOp        + writes its first operand, no result
//
// Effects are what operands, results and traits declare; ops without any have
// unknown ones and are barriers.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSCOMMON_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSCOMMON_TD

include "mlir/Bytecode/BytecodeOpInterface.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tessera/Dialect/TTCore/TTCoreAttrs.td"
include "tessera/Dialect/TTNN/TTNNBase.td"
include "tessera/Dialect/TTNN/TTNNAttrs.td"
include "tessera/Dialect/TTNN/TTNNTypes.td"
include "tessera/Dialect/TTNN/TTNNInterfaces.td"

// ---- Types and attributes ---------------------------------------------------------------------------------

/// Of any shape (dynamic too), element type and encoding (facts/dialect 1). The verifiers' rules on
/// shapes bind static shapes only.
def TTNN_Tensor : Type<CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, "ranked tensor",
                       "::mlir::RankedTensorType">;

/// An integer of any width and signedness.
def TTNN_IntAttr : Attr<CPred<"::llvm::isa<::mlir::IntegerAttr>($_self)">, "integer attribute"> {
  let storageType = "::mlir::IntegerAttr";
  let returnType = "::mlir::IntegerAttr";
  let convertFromStorage = "$_self";
}
/// A value to fill with or to compute with.
def TTNN_ScalarAttr : Attr<CPred<"::llvm::isa<::mlir::IntegerAttr, ::mlir::FloatAttr>($_self)">,
                           "integer or float attribute"> {
  let storageType = "::mlir::TypedAttr";
  let returnType = "::mlir::TypedAttr";
  let convertFromStorage = "$_self";
}
def TTNN_DefaultFalse : DefaultValuedAttr<BoolAttr, "false">;
def TTNN_DefaultTrue : DefaultValuedAttr<BoolAttr, "true">;

// ---- Traits -----------------------------------------------------------------------------------------------

class TTNN_NativeTrait<string name, code declaration = ""> : NativeOpTrait<name, [], declaration> {
  let cppNamespace = "::tessera::ttnn::OpTrait";
}
def TTNN_TileElementsFit : TTNN_NativeTrait<"TileElementsFit">;
def TTNN_TypesAreTied : TTNN_NativeTrait<"TypesAreTied">;
def TTNN_ValueSemantics : TTNN_NativeTrait<"ValueSemantics">;

// ---- Op classes -------------------------------------------------------------------------------------------

class TTNN_BareOp<string mnemonic, list<Trait> traits = []>
    : TTNN_Op<mnemonic, traits>;

class TTNN_TensorOp<string mnemonic, list<Trait> traits = []>
    : TTNN_BareOp<mnemonic, [TTNN_TileElementsFit]#traits>;

class TTNN_ComputeOp<string mnemonic, list<Trait> traits = []>
    : TTNN_TensorOp<mnemonic, [TTNN_ValueSemantics, MemoryEffectsOpInterface, AlwaysSpeculatable,
                               TTNN_LayoutOpInterface]#traits> {
  let results = (outs TTNN_Tensor:$result);
}

class TTNN_ArithmeticOp<string mnemonic, list<Trait> traits = []>
    : TTNN_ComputeOp<mnemonic, [TTNN_DtypeOpInterface]#traits>;

/// The result of an allocating op.
class TTNN_Made<string what> : Res<TTNN_Tensor, what, [MemAlloc]>;

class TTNN_AllocatingOp<string mnemonic, list<Trait> traits = []> : TTNN_TensorOp<mnemonic, traits> {
  let results = (outs TTNN_Made<"allocated">:$result);
}

class TTNN_InPlaceOp<string mnemonic, list<Trait> traits = []>
    : TTNN_TensorOp<mnemonic, [TTNN_InPlaceOpInterface]#traits>;

/// Operands of ops with effects: read and written, only read, only written (a buffer for a result).
class TTNN_Written<string what> : Arg<TTNN_Tensor, what, [MemRead, MemWrite]>;
class TTNN_OptionalWritten<string what> : Arg<Optional<TTNN_Tensor>, what, [MemRead, MemWrite]>;
class TTNN_Read<string what> : Arg<TTNN_Tensor, what, [MemRead]>;
class TTNN_OptionalRead<string what> : Arg<Optional<TTNN_Tensor>, what, [MemRead]>;
class TTNN_OptionalBuffer<string what> : Arg<Optional<TTNN_Tensor>, what, [MemWrite]>;
def TTNN_OptionalSemaphore
    : Arg<Optional<TTNN_GlobalSemaphoreType>, "counts arrivals", [MemRead, MemWrite]>;

#endif // TESSERA_DIALECT_TTNN_TTNNOPSCOMMON_TD
