//===- DataTypeOverrides.cpp - Results in another data type ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A data type is not a placement: it changes what the readers compute with.
// So it is written into the IR before the policy decides anything, and a
// typecast goes in front of those that cannot read the new type:
//
//   %0 = relu(%a) : bf16              %0 = relu(%a) : bfp_bf8
//   %1 = matmul(%0, %w)               %1 = matmul(%0, %w)
//   return %0 : bf16           =>     %2 = typecast(%0) : bf16
//                                     return %2 : bf16
//
//===----------------------------------------------------------------------===//
#include "OverrideSteps.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

/// One op's result in another type. What may be made and read is what the op model accepts with the type exchanged in a
/// copy of the signature, so that no rule on types stands here a second time.
class DataTypeOverride {
public:
  DataTypeOverride(const BuiltProblem &built, OpId id, const OpCostTable &model)
      : built(built), problem(built.problem), id(id), valueId(problem[id].results.front()), model(model) {}

  LogicalResult apply(DataType wanted) {
    if (!canMake(wanted))
      return impossible(wanted);
    auto declared = cast<RankedTensorType>(result().getType());
    if (failed(cast<ttnn::TTNNDtypeOpInterface>(ir()).setDataType(wanted)))
      return impossible(wanted);
    OpBuilder builder(ir());
    builder.setInsertionPointAfter(ir());
    auto name = NameLoc::get(builder.getStringAttr(problem[id].location + "_typecast"), ir()->getLoc());
    auto back = ttnn::TypecastOp::create(builder, name, declared, result());
    result().replaceUsesWithIf(back, [&](OpOperand &use) {
      return use.getOwner() != back && !isa<ttnn::DeallocateOp>(use.getOwner()) &&
             // Readers that take the new type read it as it is; the others read the type that was declared.
             !mayRead(use.getOwner(), wanted);
    });
    if (back->use_empty())
      back->erase();
    return success();
  }

private:
  Operation *ir() const { return built.binding.ops[id.index()]; }
  mlir::Value result() const { return built.binding.values[valueId.index()]; }

  LayoutId withDataType(LayoutId layout, DataType dtype) const {
    TensorLayout changed = problem.layout(layout);
    changed.dtype = dtype;
    return problem.layouts->intern(changed);
  }

  /// As declared but for the data type. Floats stay floats and integers integers: an op computes in one of them.
  bool canMake(DataType dtype) const {
    const tessera::Value &value = problem[valueId];
    // Types are listed with floats first.
    auto isFloat = [](DataType type) { return type < DataType::UInt32; };
    bool fits = isFloat(dtype) == isFloat(value.tensor.dtype) &&
                (!isBlockFloat(dtype) || problem.layout(value.declared).isTiled());
    if (!fits || !isDecidable(built, id) || !isa<ttnn::TTNNDtypeOpInterface>(ir()) ||
        valuesWrittenInPlace(problem)[valueId.index()])
      return false;
    OpSignature signature = problem.signature(id);
    signature.results.front().dtype = dtype;
    OpConfig config = problem[id].declared;
    config.outputs = {withDataType(value.declared, dtype)};
    return model.query({signature, declaredInputs(problem, id), config}).ok();
  }

  /// Whether the op reads the result in `dtype` where it reads it as declared now.
  bool mayRead(Operation *reader, DataType dtype) const {
    auto found = llvm::find(built.binding.ops, reader);
    if (found == built.binding.ops.end())
      return false;
    OpId readerId(found - built.binding.ops.begin());
    OpSignature signature = problem.signature(readerId);
    OperandLayouts inputs = declaredInputs(problem, readerId);
    for (auto [index, operand] : llvm::enumerate(problem[readerId].operands))
      if (operand == valueId) {
        signature.operands[index].tensor.dtype = dtype;
        inputs[index] = withDataType(inputs[index], dtype);
      }
    // A refusal is an answer here: the reader gets a typecast.
    ScopedDiagnosticHandler silence(reader->getContext(), [](Diagnostic &) { return success(); });
    return model.query({signature, inputs, problem[readerId].declared}).ok() && succeeded(verify(reader));
  }

  LogicalResult impossible(DataType wanted) const {
    SmallVector<StringRef> legal;
    for (unsigned i = 0; i < kNumDataTypes; ++i)
      if (DataType type = DataType(i); type == problem[valueId].tensor.dtype || canMake(type))
        legal.push_back(name(type));
    return ir()->emitError() << "override-output-layout: '" << problem[id].location
                             << "' cannot produce data type " << name(wanted)
                             << "; legal: " << llvm::join(legal, ", ");
  }

  const BuiltProblem &built;
  const Problem &problem;
  OpId id;
  ValueId valueId;
  const OpCostTable &model;
};

} // namespace

LogicalResult tessera::overrideDataType(const BuiltProblem &built, OpId id, DataType wanted,
                                        const OpCostTable &model, bool &changed) {
  const tessera::Op &op = built.problem[id];
  changed = op.results.size() == 1 && built.problem[op.results.front()].tensor.dtype != wanted;
  return changed ? DataTypeOverride(built, id, model).apply(wanted) : success();
}
