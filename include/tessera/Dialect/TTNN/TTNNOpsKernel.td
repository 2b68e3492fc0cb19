//===- TTNNOpsKernel.td - Kernels that the program brings along *- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSKERNEL_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSKERNEL_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

def TTNN_GenericOp : TTNN_BareOp<"generic", [AttrSizedOperandSegments]> {
  let summary = "Runs the kernels of `program`";
  let description = [{
    The kernels know which tensors they read and which they write, the op does not: all may be both.
    `additional_args` are semaphores and the like.
  }];
  let ownArguments = (ins Arg<Variadic<TTNN_Tensor>, "read or written", [MemRead, MemWrite]>:$inputs_and_outputs,
      Arg<Variadic<AnyType>, "read or written", [MemRead, MemWrite]>:$additional_args, AnyAttr:$program);
}

def TTNN_TTLangOp : TTNN_BareOp<"tt_lang_op", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Runs a kernel that was written in tt-lang";
  let description = [{
    `arg_roles` has `in` or `out` for each operand, all inputs first; the results are the outputs after the
    kernel ran. What else the kernel does is not known: a write that names no value.
  }];
  let ownArguments = (ins Variadic<TTNN_Tensor>:$inputs, StrAttr:$kernel_id, StrAttr:$version_tag,
      StrAttr:$arg_roles, DefaultValuedStrAttr<StrAttr, "">:$shard_spec, OptionalAttr<AnyAttr>:$kernel_artifact);
  let results = (outs Variadic<TTNN_Tensor>:$results);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` `(` type($inputs) `)` `->` `(` type($results) `)`
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSKERNEL_TD
