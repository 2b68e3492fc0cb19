//===- TTNNOpsMesh.td - Several devices, and subgraphs ---------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Every device of a mesh runs the same program; types are those of one device.
// `cluster_axis` names the mesh axis whose devices exchange data. How many
// devices that are stands in the module, so verifiers check divisibility only.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSMESH_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSMESH_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"
include "mlir/IR/SymbolInterfaces.td"

/// How an exchange uses the links between devices; chosen late, from the device.
defvar TTNN_LinkAttributes = (ins OptionalAttr<TTNN_IntAttr>:$sub_device_id,
    OptionalAttr<TTNN_IntAttr>:$num_links, OptionalAttr<AnyAttr>:$topology);

class TTNN_MeshOp<string mnemonic, string what, dag attributes> : TTNN_ComputeOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input), attributes);
  let hasVerifier = 1;
}
def TTNN_AllReduceOp : TTNN_MeshOp<"all_reduce", "The reduction of all devices' tensors, on each of them",
                                   !con((ins TTCore_ReduceTypeAttr:$reduce_type, TTNN_IntAttr:$cluster_axis),
                                        TTNN_LinkAttributes)>;
def TTNN_AllGatherOp
    : TTNN_MeshOp<"all_gather", "All devices' tensors along one dimension, on each of them",
                  !con((ins TTNN_IntAttr:$all_gather_dim, TTNN_IntAttr:$cluster_axis), TTNN_LinkAttributes)>;
def TTNN_ReduceScatterOp
    : TTNN_MeshOp<"reduce_scatter", "all_reduce, of which each device keeps its part along one dimension",
                  !con((ins TTCore_ReduceTypeAttr:$reduce_type, TTNN_IntAttr:$scatter_dim,
                           TTNN_IntAttr:$cluster_axis),
                       TTNN_LinkAttributes,
                       (ins OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config))>;
def TTNN_MeshPartitionOp : TTNN_MeshOp<"mesh_partition", "Each device keeps its part along one dimension",
                                       (ins TTNN_IntAttr:$dim, OptionalAttr<TTNN_IntAttr>:$cluster_axis)>;

def TTNN_MeshShardOp : TTNN_ComputeOp<"mesh_shard"> {
  let summary = "Spreads a tensor over the mesh or collects it";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_DeviceType:$device, AnyAttr:$shard_type,
      AnyAttr:$shard_direction, DenseI64ArrayAttr:$shard_shape, DenseI64ArrayAttr:$shard_dims);
}

def TTNN_D2MSubgraphOp
    : TTNN_BareOp<"d2m_subgraph",
                  [AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A call of a function that is compiled to one kernel";
  let description = [{
    Writes into `outputs`; the results are those tensors afterwards, with the types that the function returns.
  }];
  let ownArguments = (ins FlatSymbolRefAttr:$d2m_func, Arg<Variadic<TTNN_Tensor>, "read", [MemRead]>:$inputs,
      Arg<Variadic<TTNN_Tensor>, "written", [MemWrite]>:$outputs);
  let results = (outs Variadic<TTNN_Tensor>:$results);
  let assemblyFormat = [{
    $d2m_func `\n` `ins` `(` $inputs `:` type($inputs) `)` `\n` `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSMESH_TD
