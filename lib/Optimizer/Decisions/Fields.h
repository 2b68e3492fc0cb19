//===- Fields.h - What is a record of the decisions file ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_DECISIONS_FIELDS_H
#define TESSERA_LIB_OPTIMIZER_DECISIONS_FIELDS_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace tessera::decisions {

/// What the file says a decisions file is.
constexpr llvm::StringLiteral kFormat = "tessera.decisions";

/// A struct that tells its members by their keys in the file.
template <class T>
concept HasFields = requires(const T &value) { T::fields(value, [](llvm::StringLiteral, const auto &) {}); };

} // namespace tessera::decisions

#endif // TESSERA_LIB_OPTIMIZER_DECISIONS_FIELDS_H
