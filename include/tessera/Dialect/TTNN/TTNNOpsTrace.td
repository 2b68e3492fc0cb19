//===- TTNNOpsTrace.td - Traces and what fills their slots -----*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A trace is a recorded sequence of commands to the device, which runs again
// without the host. It reads and writes tensors at fixed addresses, its slots.
// The ops that record and replay have effects that no operand shows, so they
// declare none: everybody takes them for barriers.
// Rules: facts/dialect 9.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSTRACE_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSTRACE_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"
include "mlir/IR/SymbolInterfaces.td"

/// The command queue that a transfer or trace runs in: 0 or 1.
def TTNN_CommandQueue : DefaultValuedAttr<UI32Attr, "0">;

// ---- Recording and replaying ------------------------------------------------------------------------------

class TTNN_TraceOp<string mnemonic, string what, dag operands, dag attributes = (ins)>
    : TTNN_BareOp<mnemonic> {
  let summary = what;
  let ownArguments = !con(operands, (ins TTNN_CommandQueue:$cq_id), attributes);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifyTrace(*this, getCqId(), ::llvm::cast<::mlir::RankedTensorType>(getTraceId().getType()));
    }
  }];
}
def TTNN_BeginTraceCaptureOp
    : TTNN_TraceOp<"begin_trace_capture", "Starts to record", (ins TTNN_DeviceType:$device)> {
  let results = (outs TTNN_Tensor:$trace_id);
}
def TTNN_EndTraceCaptureOp : TTNN_TraceOp<"end_trace_capture", "Ends a recording",
                                          (ins TTNN_DeviceType:$device, TTNN_Tensor:$trace_id)>;
def TTNN_ExecuteTraceOp : TTNN_TraceOp<"execute_trace", "Replays a recording",
                                       (ins TTNN_DeviceType:$device, TTNN_Tensor:$trace_id),
                                       (ins TTNN_DefaultFalse:$blocking)>;

def TTNN_CaptureOrExecuteTraceOp
    : TTNN_BareOp<"capture_or_execute_trace",
                    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Records a trace when it runs first, replays it later";
  let description = [{
    `allocate_slots_callee` makes the slots: one for each input, then one for each result. `capture_callee`
    writes the host inputs to their slots, calls the trace function (the first call in it) and records it;
    `execute_callee` replays. The results are the contents of the result slots.
  }];
  let ownArguments = (ins TTNN_DeviceType:$device, Variadic<TTNN_Tensor>:$inputs,
      Variadic<TTNN_GlobalSemaphoreType>:$semaphore_inputs, FlatSymbolRefAttr:$allocate_slots_callee,
      FlatSymbolRefAttr:$capture_callee, FlatSymbolRefAttr:$execute_callee);
  let results = (outs Variadic<TTNN_Tensor>:$results);
}

// ---- Filling tensors that exist ---------------------------------------------------------------------------

def TTNN_CopyOp : TTNN_TensorOp<"copy"> {
  let summary = "Writes a device tensor to another of the same type";
  let ownArguments = (ins TTNN_Read<"copied">:$src, Arg<TTNN_Tensor, "overwritten", [MemWrite]>:$dst);
  let hasVerifier = 1;
}

def TTNN_WriteTensorOp : TTNN_TensorOp<"write_tensor"> {
  let summary = "Writes a host tensor to a device tensor";
  let ownArguments = (ins TTNN_Read<"copied">:$host_tensor,
      Arg<TTNN_Tensor, "overwritten", [MemWrite]>:$device_tensor, TTNN_DefaultFalse:$blocking,
      TTNN_CommandQueue:$cq_id);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSTRACE_TD
