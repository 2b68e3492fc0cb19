//===- Call.h - The call of an op that a row is about ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_CALL_H
#define TESSERA_LIB_EVALUATION_CALL_H

#include "RowReader.h"

#include "tessera/OpModel/KernelTime.h"

namespace tessera::evaluation {

/// One op in given layouts, on a device.
struct Call {
  KernelQuery query; ///< no outputs: of the backend's choice
  /// Layouts of the results in further runs, whose times the row's time is the mean of.
  std::vector<std::vector<TensorLayout>> alternatives;

  /// The call as 'tessera ops explain' takes it, for people.
  std::string text() const;
};

/// The columns of timings and goldens that describe the call.
Schema callColumns();
/// Their cells.
std::vector<std::string> cellsOf(const Call &call);
/// Reads them. What is wrong is kept in `row`; layouts are interned in `layouts` on the way, and copied into the call.
Call readCall(RowReader &row, LayoutPool &layouts);

/// The built-in device of that name, or the smallest one of that architecture, with a grid of its own.
std::optional<DeviceSpec> deviceOf(llvm::StringRef nameOrArch, GridShape grid = {0, 0});

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_CALL_H
