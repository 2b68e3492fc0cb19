//===- Pressure.h - What every backend checks: ids, and does it fit? ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_PRESSURE_H
#define TESSERA_LIB_OPMODEL_PRESSURE_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// One layout per operand, and none that the pool does not have. Nothing can be said of other queries.
bool idsValid(const OpQuery &query, const OpModelContext &context);
/// The answer to them.
ValidationResult layoutsMissing(const OpQuery &query);

/// L1 per core that an answer needs beside peakL1MemorySize: the operands, and what an unevenly sharded
/// output takes beyond its pages. (The recorded backend reports ceil(pages / cores), the allocator takes
/// whole shards: facts/formulas 2; facts/hardware 5.6.)
Bytes residentL1(const OpQuery &query, const OpConstraints &constraints, const OpModelContext &context);

/// Turns Success into OutOfMemory (or back) for the given pressure; other statuses stay as they are.
/// The one place that decides whether an op fits.
void applyPressure(ValidationResult &result, Bytes resident, Bytes additional, Bytes budget);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_PRESSURE_H
