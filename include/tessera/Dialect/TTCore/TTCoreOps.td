//===- TTCoreOps.td - Ops of the ttcore dialect ---------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_TTCOREOPS
#define TESSERA_DIALECT_TTCORE_TTCOREOPS

include "tessera/Dialect/TTCore/TTCoreAttrs.td"
include "tessera/Dialect/TTCore/TTCoreMetalLayout.td"
include "tessera/Dialect/TTCore/TTCoreTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTCore_ModuleOp<string mnemonic> : TTCore_Op<mnemonic, [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, SymbolTable]> {
  let regions = (region SizedRegion<1>:$bodyRegion);
  let assemblyFormat = "attr-dict-with-keyword $bodyRegion";
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
}

def TTCore_LoadCachedOp : TTCore_Op<"load_cached", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The results of a const-eval function";
  let description = [{
    `ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<..>) -> tensor<..>`. The function runs once per
    set of inputs; later its results come from a cache. Hence no memory effects.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `(` $callee `,` `[` $inputs `]` `)` attr-dict `:` functional-type($inputs, $results)
  }];
}

#endif // TESSERA_DIALECT_TTCORE_TTCOREOPS
