//===- MetalLayouts.h - The compiler's layouts in a TTNN module -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LOWERING_METALLAYOUTS_H
#define TESSERA_LOWERING_METALLAYOUTS_H

#include "tessera/Device/DeviceSpec.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Gives each tensor type of the module that has a `#ttcore.metal_layout` the `#ttnn.ttnn_layout` that says the same
/// (Layout/MetalToTtnn.h), which is what TTNN's ops read. A remark says how many there were. A layout that TTNN has no
/// words for stays, with a remark at the first value of that type that says why.
void mapMetalLayouts(mlir::ModuleOp module, const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_LOWERING_METALLAYOUTS_H
