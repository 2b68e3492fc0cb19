//===- OverrideSteps.h - The parts of applyOverrides ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_OVERRIDES_OVERRIDESTEPS_H
#define TESSERA_LIB_BRIDGE_OVERRIDES_OVERRIDESTEPS_H

#include "tessera/Bridge/Overrides.h"

namespace tessera {

/// What an inserted conversion adds to the name of the op that it stands in front of (facts/ir 1.4).
inline constexpr llvm::StringLiteral kReshardSuffix = "_mem_reconfig";

// ---- Layouts ---------------------------------------------------------------------------------------------

bool isWanted(const LayoutWords &wanted, const TensorLayout &layout);
/// Whether a configuration with results in `layouts` is.
bool areWanted(const Problem &problem, const std::map<unsigned, LayoutWords> &wanted,
               llvm::ArrayRef<LayoutId> layouts);

/// The layouts in `pages` that a search could give the value, and those on the grid that was asked for even if a
/// smaller one cuts the tensor into the same shards. Not filtered by the rest of `wanted`.
std::vector<LayoutId> candidateLayouts(const Problem &problem, const Value &value, const LayoutWords &wanted,
                                       llvm::ArrayRef<PageLayout> pages);

/// The first dozen as text, and how many more there are; "only what it has" if there are none.
std::string listLayouts(const Problem &problem, llvm::ArrayRef<LayoutId> layouts);

// ---- Steps -----------------------------------------------------------------------------------------------

/// Makes the op's one result a tensor of `wanted`, in the IR. Readers that the model or the op's verifier refuses to
/// have read that type, and the function's return, get a `ttnn.typecast` back. `built` is out of date afterwards if
/// `changed`. Fails, with a diagnostic that lists the types that the op can make, if this is not one of them.
mlir::LogicalResult overrideDataType(const BuiltProblem &built, OpId op, DataType wanted,
                                     const OpCostTable &model, bool &changed);

/// What is wanted of an op's results, by their numbers; of those that are not here, nothing.
using WantedResults = std::map<unsigned, LayoutWords>;

/// Puts a `ttnn.to_memory_config` in front of the operand, in the IR: of the layouts that are as `wanted` and differ
/// from the operand's, to the one with which conversion and op, its results as wanted, together take least time. `built` is out
/// of date afterwards. Fails, with a diagnostic, if the op reads no other layout.
mlir::FailureOr<mlir::Operation *> insertConversion(const BuiltProblem &built, OpId op, unsigned operand,
                                                    const LayoutWords &wanted, const WantedResults &results,
                                                    const OpCostTable &model, const AnalysisOptions &options);

/// Leaves the op, if its layouts are anybody's to decide, the configurations that honour `wanted` (Op::restricted), the
/// base configuration first. False, and nothing changed, if there is none.
bool restrictOp(BuiltProblem &built, OpId op, const WantedResults &wanted, const OpCostTable &model,
                const AnalysisOptions &options);

/// The same for output-layout overrides: fails, with a diagnostic that lists what would be legal, unless the op is
/// one that keeps its layouts and has what is wanted.
mlir::LogicalResult overrideLayouts(BuiltProblem &built, OpId op, llvm::StringRef name,
                                    const WantedResults &wanted, const OpCostTable &model,
                                    const AnalysisOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_OVERRIDES_OVERRIDESTEPS_H
