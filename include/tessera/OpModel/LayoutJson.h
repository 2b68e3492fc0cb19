//===- LayoutJson.h - Layouts and configurations as JSON -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_LAYOUTJSON_H
#define TESSERA_OPMODEL_LAYOUTJSON_H

#include "tessera/OpModel/OpConfig.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// All fields, and "text", the short form for people, which is not read back.
llvm::json::Value toJson(const TensorLayout &layout);
/// {"matmul": {...}}, {"conv2d": {...}}, or null.
llvm::json::Value toJson(const OpSpecificConfig &config);

/// The inverses; false, with a report to `path`, if the JSON does not have that form.
bool fromJSON(const llvm::json::Value &json, TensorLayout &layout, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &json, OpSpecificConfig &config, llvm::json::Path path);

} // namespace tessera

#endif // TESSERA_OPMODEL_LAYOUTJSON_H
