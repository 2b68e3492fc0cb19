//===- EltwiseTypes.h - Element types that binary ops take ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_ELTWISETYPES_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_ELTWISETYPES_H

#include "../OpCall.h"

namespace tessera::analytic {

/// A type of integers, of any width and sign.
bool isWhole(DataType type);

/// The library has a kernel for the types of the two operands.
bool typesSupported(const OpCall &call);
/// What an op takes that does not take everything.
std::string legalTypes(const OpCall &call);

/// The type that operand i is converted to first, by a typecast; nullopt if it is taken as it is.
std::optional<DataType> convertedType(const OpCall &call, size_t i);

/// What these typecasts take.
OpRuntime conversionsTime(const OpCall &call);

/// The library makes the result of the operands' type, whatever was asked for.
bool keepsOperandType(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_ELTWISETYPES_H
