//===- TTNNTypes.td - Types of the ttnn dialect ---------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNTYPES
#define TESSERA_DIALECT_TTNN_TTNNTYPES

include "tessera/Dialect/TTNN/TTNNBase.td"

def TTNN_DeviceType : TTNN_Type<"Device", "device"> {
  let summary = "A handle to a device or mesh of devices: `!ttnn.device`";
}

def TTNN_GlobalSemaphoreType : TTNN_Type<"GlobalSemaphore", "global_semaphore"> {
  let summary = "A semaphore at one L1 address of several cores: `!ttnn.global_semaphore`";
}

#endif // TESSERA_DIALECT_TTNN_TTNNTYPES
