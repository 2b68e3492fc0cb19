//===- MadeTypes.h - Element types that the backend makes -------*- C++ -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Some ops make results of a type of their own, whatever type is asked for, and the backend says nothing of it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_MADETYPES_H
#define TESSERA_OPMODEL_MADETYPES_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// The op's result has the type of its first operand.
bool makesOperandType(llvm::StringRef op, BackendVersion version);

/// The type of the indices that an op sorts or chooses `operand` by, along a dimension of so many elements; nullopt for ops that make none.
std::optional<DataType> typeOfIndices(llvm::StringRef op, DataType operand, int64_t length,
                                      BackendVersion version);

} // namespace tessera

#endif // TESSERA_OPMODEL_MADETYPES_H
