//===- ItemJson.h - Configurations as JSON --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   {"$op": "LinearConfig", "f": {...}}   an op config; a field that is left out has its default
//   {"$value": "MemoryConfig", "f": {...}} a ttnn object in a field, likewise
//   {"$tuple": [...]}                     a tuple; a plain array is a list
//   {"$stub": [4, 8]}                     MeshDeviceStub
//   {"$dev": ["mesh", [4, 8]]}            a mesh device
//   {"$fwc": <$stub or $dev>}             FromWeightConfig
//   {"$sw": ["w1.tensorbin", <memory>]}   SavedWeight
//   {"$tensor": ["w1.tensorbin", "mesh", <memory>]}  a loaded weight
//   anything else                         itself
//
// The same encoding holds in model configs, weight configs and merge cases.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_ITEMJSON_H
#define TESSERA_MODELRUNNER_ITEMJSON_H

#include "tessera/ModelRunner/OpConfigs.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace tessera::runner {

/// In merge cases {"$W": path} is a path as the dialect has it: text, or a SavedWeight; and the field "$dimB" of an op
/// config is "dim" in the later dialect, nothing in the first.
llvm::Expected<Item> itemFromJson(const llvm::json::Value &json, Dialect dialect = Dialect::Compat);

llvm::json::Value itemToJson(const Item &item);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_ITEMJSON_H
