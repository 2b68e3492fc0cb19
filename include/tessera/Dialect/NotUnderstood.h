//===- NotUnderstood.h - What of a module is carried unread ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_NOTUNDERSTOOD_H
#define TESSERA_DIALECT_NOTUNDERSTOOD_H

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace tessera {

/// Something that is kept as it stands, because nothing here knows what it means.
struct NotUnderstood {
  mlir::Operation *first = nullptr; ///< that has it
  std::string what;                 ///< "property 'activations' of 'ttnn.multiply'"
  size_t count = 0;                 ///< ops that have it
};

/// Below `root`, in program order: properties that ops do not have, ops that no dialect has, and attributes and types
/// of ttnn and ttcore that are kept as text, wherever an op or a type names them.
std::vector<NotUnderstood> listNotUnderstood(mlir::Operation *root);

} // namespace tessera

#endif // TESSERA_DIALECT_NOTUNDERSTOOD_H
