//===- TTCoreOps.td - Ops of the ttcore dialect ---------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCOREOPS
#define TESSERA_DIALECT_TTCORE_TTCOREOPS

include "tessera/Dialect/TTCore/TTCoreAttrs.td"
include "tessera/Dialect/TTCore/TTCoreMetalLayout.td"
include "tessera/Dialect/TTCore/TTCoreTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTCore_ModuleOp<string mnemonic> : TTCore_Op<mnemonic, [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, SymbolTable]> {
  let regions = (region SizedRegion<1>:$bodyRegion);
  let assemblyFormat = "attr-dict-with-keyword $bodyRegion";
  let hasRegionVerifier = 1;
}

def TTCore_DeviceModuleOp : TTCore_ModuleOp<"device_module"> {
  let summary = "Holds the module of the device";
}

def TTCore_CPUModuleOp : TTCore_ModuleOp<"cpu_module"> {
  let summary = "Holds the module of the host: const-eval functions that were hoisted to it";
}

def TTCore_DeviceOp : TTCore_Op<"device", [Symbol]> {
  let summary = "Names a device";
  let arguments = (ins SymbolNameAttr:$sym_name, TTCore_DeviceAttr:$device_attr);
  let assemblyFormat = "$sym_name `=` $device_attr attr-dict";
  let hasVerifier = 1;
}

def TTCore_LoadCachedOp : TTCore_Op<"load_cached", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The results of a const-eval function";
  let description = [{
    `ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<..>) -> tensor<..>`. The function runs once per
    set of inputs; later its results come from a cache. Hence no memory effects. It may take its inputs and give its
    results as one tuple each.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `(` $callee `,` `[` $inputs `]` `)` attr-dict `:` functional-type($inputs, $results)
  }];
}

// ---- Values that outlive a call ---------------------------------------------------------------------------

def TTCore_GlobalOp : TTCore_Op<"global", [Symbol]> {
  let summary = "Names a value of the program: `ttcore.global @weights = tensor<..> [3]`";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, OptionalAttr<SI32Attr>:$index);
  let assemblyFormat = "$sym_name `=` $type (` ` `[` $index^ `]`)? attr-dict";
}

def TTCore_GetGlobalOp : TTCore_Op<"get_global", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value of a global";
  let arguments = (ins FlatSymbolRefAttr:$sym_name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$sym_name attr-dict `:` type($result)";
}

def TTCore_KeyAttr : AnyAttrOf<[StrAttr, IndexAttr], "string or index">;

def TTCore_SetKeyValueOp : TTCore_Op<"set_key_value"> {
  let summary = "Puts values under a key: `ttcore.set_key_value %d[\"key\"] = %a, %b : !ttcore.dict, ..`";
  let arguments = (ins Arg<TTCore_DictType, "written", [MemWrite]>:$dict, TTCore_KeyAttr:$key,
      Variadic<AnyType>:$values);
  let assemblyFormat = "$dict `[` $key `]` `=` $values attr-dict `:` type($dict) `,` type($values)";
  let hasVerifier = 1;
}

def TTCore_GetKeyValueOp : TTCore_Op<"get_key_value"> {
  let summary = "The values under a key: `ttcore.get_key_value %d[3 : index] : (!ttcore.dict) -> (..)`";
  let arguments = (ins Arg<TTCore_DictType, "read", [MemRead]>:$dict, TTCore_KeyAttr:$key);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$dict `[` $key `]` attr-dict `:` functional-type($dict, $results)";
  let hasVerifier = 1;
}

// ---- Tuples -----------------------------------------------------------------------------------------------

def TTCore_TupleOp : TTCore_Op<"tuple", [Pure]> {
  let summary = "Several values as one";
  let arguments = (ins Variadic<AnyType>:$values);
  let results = (outs AnyTypeOf<[AnyTuple]>:$result);
  let assemblyFormat = "$values attr-dict `:` custom<TupleTypes>(type($values), type($result))";
  let hasVerifier = 1;
}

def TTCore_GetTupleElementOp : TTCore_Op<"get_tuple_element", [Pure]> {
  let summary = "One of a tuple's values: `ttcore.get_tuple_element %t[0] : (tuple<..>) -> ..`";
  let arguments = (ins AnyTuple:$operand, I32Attr:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type($operand, $result)";
  let hasVerifier = 1;
}

// ---- Fences and calls -------------------------------------------------------------------------------------

def TTCore_OptimizationBarrierOp : TTCore_Op<"optimization_barrier"> {
  let summary = "Its operands, which must all be there before any of the results is used";
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
}

def TTCore_CompositeOp : TTCore_Op<"composite", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "An op of that name, which does what the function `decomposition` does";
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, StrAttr:$composite_name,
      FlatSymbolRefAttr:$decomposition, OptionalAttr<DictionaryAttr>:$composite_attributes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

#endif // TESSERA_DIALECT_TTCORE_TTCOREOPS
