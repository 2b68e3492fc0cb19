//===- LayoutRequest.h - What tessera layout is asked for -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_OPS_LAYOUTREQUEST_H
#define TESSERA_LIB_DRIVER_OPS_LAYOUTREQUEST_H

#include "tessera/Driver/Commands.h"
#include "tessera/Layout/MetalGeometry.h"

namespace tessera {

struct LayoutRequest {
  Shape shape, grid;
  DataType dtype = DataType::BFloat16;
  MetalLayoutOptions options;
  std::optional<Index> index; ///< within the shape
};

/// Reads all arguments but the device and the files. Returns what is wrong with the first that cannot be
/// read, or "".
std::string readLayoutArguments(const LayoutArguments &arguments, LayoutRequest &request);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_OPS_LAYOUTREQUEST_H
