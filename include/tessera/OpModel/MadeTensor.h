//===- MadeTensor.h - What an op makes of its operands --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops of a file have been verified with their results. An op that someone
// describes in words has not: what its operands and attributes say of its
// result is told here.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_MADETENSOR_H
#define TESSERA_OPMODEL_MADETENSOR_H

#include "tessera/OpModel/OpSignature.h"

#include <optional>
#include <string>

namespace tessera {

/// The result of an op with one, of the first operand's data type; nullopt if operands and attributes do not tell, or cannot go together.
std::optional<TensorDesc> madeOf(const OpSignature &op);
/// What is wrong with the shape of the op's result, for people; "" if nothing, or if nobody can tell. The op model's rules are about layouts and
/// take most shapes as given.
std::string wrongShape(const OpSignature &op);

} // namespace tessera

#endif // TESSERA_OPMODEL_MADETENSOR_H
