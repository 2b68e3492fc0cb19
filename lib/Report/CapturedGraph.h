//===- CapturedGraph.h - What a step did, as ttnn-visualizer reads it -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REPORT_CAPTUREDGRAPH_H
#define TESSERA_LIB_REPORT_CAPTUREDGRAPH_H

#include "tessera/Optimizer/Decisions/DecisionWords.h"

namespace tessera::report {

/// The viewer takes buffers of one number for one buffer, whatever memory they lie in, and none at 0 for one at all; so
/// DRAM's numbers begin above all of L1's.
inline constexpr int64_t kDramShift = int64_t(1) << 21;

/// A step's `captured_graph` (facts/report-formats 1.4): its tensors, the device operation, what it allocates, and its
/// circular buffers, which the viewer knows from here alone. `tensorId` numbers tensors.
std::string capturedGraph(const decisions::FunctionDecisions &f, decisions::Index step,
                          llvm::function_ref<int64_t(decisions::Index tensor)> tensorId);

/// The viewer's name of a step: "ttnn.matmul", "ttnn.to_memory_config".
std::string operationName(const decisions::FunctionDecisions &f, decisions::Index step);
/// "Shape([32, 64])", "DataType.BFLOAT16", "Layout.TILE".
std::string shapeText(const decisions::ValueFacts &value);
std::string dtypeText(const TensorLayout &layout);
std::string pageText(const TensorLayout &layout);
/// "{[(x=0,y=0) - (x=7,y=7)]}".
std::string coreRangesText(llvm::ArrayRef<CoreRange> ranges);
/// All cores of the device.
CoreRange allCores(const decisions::DeviceFacts &device);

} // namespace tessera::report

#endif // TESSERA_LIB_REPORT_CAPTUREDGRAPH_H
