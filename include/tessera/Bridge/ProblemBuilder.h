//===- ProblemBuilder.h - From a TTNN function to a Problem ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// MLIR ends here. The builder runs four analyses (facts/optimizer-design 3.1.1 to 3.1.4) over one function:
//
//   ScalarDataTypeAnalysis     which element types occur                           scalarDataTypes
//   LegalTensorLayoutAnalysis  all layouts of each (tensor type, scalar type)      LegalTensorLayouts
//   LegalOpLayoutAnalysis      those that an op can produce, by asking the model   at most maxLegalLayouts sharded
//   LegalOpConfigAnalysis      times the op's own knobs                            enumerateOpConfigs
//
// All four are computed once per op signature, not once per op.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_PROBLEMBUILDER_H
#define TESSERA_BRIDGE_PROBLEMBUILDER_H

#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Optimizer/Problem/Numerics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {

/// The MLIR objects behind a problem's ids.
struct ProblemBinding {
  /// Stands for the number of what is not an operand: a value from outside that the op's regions use.
  static constexpr unsigned kCaptured = ~0u;

  mlir::func::FuncOp function;
  std::vector<mlir::Operation *> ops; ///< by OpId
  /// By OpId: IR operand number of each tensor operand. Values that regions capture follow as kCaptured.
  std::vector<std::vector<unsigned>> operandNumbers;
  std::vector<mlir::Value> values; ///< by ValueId
  /// By OpId: the compute config that the op does not state and the plan gives it.
  std::vector<std::optional<StatedNumerics>> numerics;
  std::vector<OpId> repaired; ///< refused as declared by a rule; they fall back to a form that is legal
};

struct BuiltProblem {
  Problem problem;
  ProblemBinding binding;
};

/// The problem with the compute configs of the input: what runs if no plan is applied.
Problem asDeclared(const BuiltProblem &built);

/// True if the optimizer may change this function: it has a body of one block without nested regions and is
/// marked `tt.function_type = "forward_device"`, or not marked at all.
bool isForwardDeviceFunction(mlir::func::FuncOp function);

/// Takes `deallocate_activation` off convolutions below `root` that read DRAM: the device frees no input there
/// (facts/allocator), so the flag means nothing, and a `ttnn.deallocate` frees what is done with.
void clearIdleDeallocateActivation(mlir::Operation *root);

/// Discardable attribute with which a user makes an op keep its declared layouts, those of its operands too.
inline constexpr llvm::StringLiteral kPinAttribute = "tessera.pin";

/// Builds the problem of `function`. Ops that the model does not know become Fixed, with one remark per op name; so do
/// pinned ops. Knobs that a conv2d_config of the input sets are not searched but kept.
/// Interns into the model's layout pool and `signatures`.
BuiltProblem buildProblem(mlir::func::FuncOp function, const OpCostTable &model, SignaturePool &signatures,
                          const AnalysisOptions &options);
/// After `function` has changed: the same without remarks, which were made when its problem was built first.
BuiltProblem rebuiltProblem(mlir::func::FuncOp function, const OpCostTable &model, SignaturePool &signatures,
                            const AnalysisOptions &options);

/// The ops that the function's problem has, in its order, with their names (Op::location).
std::vector<std::pair<mlir::Operation *, std::string>> namedOps(mlir::func::FuncOp function);

/// Whether the op's layouts are anybody's to decide: not if it has none, a tensor of it is not placed by one or a
/// result lies on the host, if it has regions, comes from an earlier run or another function, carries kPinAttribute, or has a
/// program config with keys that no plan chooses (hasUnsearchedKeys).
bool isDecidable(const BuiltProblem &built, OpId op);
/// The role of a decidable op that the model accepts.
OpRole decidedRole(const BuiltProblem &built, OpId op);

/// Kind, inherent attributes, operand and result descriptions of `op` as plain data. Struct-like attributes
/// (`#ttnn.conv2d_config<key = value, ...>`) are flattened to "attribute.key"; others that have no plain form
/// are kept as text. `tensorOperands` are the operands that are device or host tensors.
OpSignature signatureOf(mlir::Operation *op, llvm::ArrayRef<mlir::Value> tensorOperands,
                        llvm::ArrayRef<mlir::Value> tensorResults);

} // namespace tessera

#endif // TESSERA_BRIDGE_PROBLEMBUILDER_H
