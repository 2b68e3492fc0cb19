//===- TTNNInterfaces.td - What passes ask of TTNN ops ---------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNINTERFACES_TD
#define TESSERA_DIALECT_TTNN_TTNNINTERFACES_TD

include "mlir/IR/OpBase.td"

def TTNN_LayoutOpInterface : OpInterface<"TTNNLayoutOpInterface"> {
  let description = [{
    An op whose result layouts (page layout and placement) a pass may choose. TTNN ops carry no layout
    attribute: the layout is the encoding of the result's tensor type.
  }];
  let cppNamespace = "::tessera::ttnn";

  let methods = [
    InterfaceMethod<
      "The layout of result `result`; null if that result is not a tensor or has no layout.",
      "::tessera::ttnn::TTNNLayoutAttr", "getLayout", (ins "unsigned":$result), "",
      [{ return ::tessera::ttnn::getResultLayout($_op, result); }]>,
    InterfaceMethod<[{
        Gives result `result` the layout. Shape and element type stay. Fails, and changes nothing, if that
        result is not a tensor or if the layout does not fit its shape.
      }],
      "::llvm::LogicalResult", "setLayout",
      (ins "unsigned":$result, "::tessera::ttnn::TTNNLayoutAttr":$layout), "",
      [{ return ::tessera::ttnn::setResultLayout($_op, result, layout); }]>
  ];
}

def TTNN_DtypeOpInterface : OpInterface<"TTNNDtypeOpInterface"> {
  let description = [{
    An op that can write its first result in another data type than the one it has. The data type is that of
    the result's tensor type and of its layout; ops that repeat it in an attribute keep the two in step.
  }];
  let cppNamespace = "::tessera::ttnn";

  let methods = [
    InterfaceMethod<
      "The data type of the first result, as the layout has it; nullopt if there is no layout.",
      "::std::optional<::tessera::DataType>", "getDataType", (ins), "",
      [{ return ::tessera::ttnn::getResultDataType($_op); }]>,
    InterfaceMethod<[{
        Changes element type and layout of the first result. Fails, and changes nothing, if there is no
        layout, or if a block-float type is asked for a row-major tensor.
      }],
      "::llvm::LogicalResult", "setDataType", (ins "::tessera::DataType":$type), "",
      [{ return ::tessera::ttnn::setResultDataType($_op, type); }]>
  ];
}

def TTNN_ComputeKernelConfigOpInterface : OpInterface<"TTNNComputeKernelConfigOpInterface"> {
  let description = "An op that takes a compute kernel config: math fidelity, accumulation in f32 and so on.";
  let cppNamespace = "::tessera::ttnn";

  let methods = [
    InterfaceMethod<"The `compute_config` attribute; null if absent.",
                    "::tessera::ttnn::DeviceComputeKernelConfigAttr", "getComputeConfigAttr">,
    InterfaceMethod<"Sets the `compute_config` attribute; null removes it.",
                    "void", "setComputeConfigAttr",
                    (ins "::tessera::ttnn::DeviceComputeKernelConfigAttr":$config)>
  ];
}

def TTNN_InPlaceOpInterface : OpInterface<"TTNNInPlaceOpInterface"> {
  let description = [{
    An op that writes into one of its operands instead of making a new tensor. Readers of that operand must
    not be moved across it.
  }];
  let cppNamespace = "::tessera::ttnn";

  let methods = [
    InterfaceMethod<"The operand that is written. The first one, unless the op says otherwise.",
                    "::mlir::OpOperand &", "getWrittenOperand", (ins), "",
                    [{ return $_op->getOpOperand(0); }]>
  ];
}

#endif // TESSERA_DIALECT_TTNN_TTNNINTERFACES_TD
