//===- Activations.cpp - Functions that kernels apply on their way --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   relu(a + b)    ->   a + b with relu
//   tanh(a) * b    ->   a * b with tanh of the first operand
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Functions that kernels know by the names of their ops. Others have parameters, or other names. Of integers kernels of two operands
/// apply none: what they would do with such bits is nowhere said.
bool isActivation(Operation *op) {
  return isa_and_nonnull<ttnn::ReluOp, ttnn::Relu6Op, ttnn::GeluOp, ttnn::SiluOp, ttnn::SigmoidOp,
                         ttnn::TanhOp>(op) &&
         !ttnn::saysMore(op) && isFloat(op->getOperand(0)) &&
         typeOf(op->getOperand(0)).getElementType() == typeOf(op->getResult(0)).getElementType();
}

bool isBinary(Operation *op) {
  return isa<ttnn::AddOp, ttnn::SubtractOp, ttnn::MultiplyOp, ttnn::DivideOp>(op);
}

ttnn::UnaryWithParamAttr attributeOf(Operation *activation) {
  return ttnn::UnaryWithParamAttr::get(activation->getContext(), activation->getName().stripDialect(), {});
}

/// Has the op apply the function to its result. Whether it can, and applies none yet.
bool applyToResult(Operation *op, Operation *activation) {
  ttnn::UnaryWithParamAttr attribute = attributeOf(activation);
  OpBuilder b(op->getContext());
  if (auto conv = dyn_cast<ttnn::Conv2dOp>(op)) {
    ttnn::Conv2dConfigAttr config = conv.getConv2dConfigAttr();
    if (!config || config.getActivation())
      return false;
    conv.setConv2dConfigAttr(withActivation(config, attribute));
    return true;
  }
  if (isa<ttnn::MatmulOp, ttnn::LinearOp>(op)) {
    // A program config has an activation of its own, and is the plan's to choose.
    if (op->getAttr("activation") || op->getAttr("matmul_program_config"))
      return false;
    op->setAttr("activation", b.getStringAttr(attribute.getOpType()));
    return true;
  }
  auto list = op->getAttrOfType<ArrayAttr>("activations");
  // A second function behind the first would be applied to other numbers than it was.
  if (!isBinary(op) || (list && !list.empty()))
    return false;
  op->setAttr("activations", b.getArrayAttr({attribute}));
  return true;
}

/// What makes the value, reshapes looked through; null if something else reads it, or something on the way.
Operation *onlyMaker(mlir::Value value) {
  while (value.hasOneUse() && isPlaced(value)) {
    auto reshape = value.getDefiningOp<ttnn::ReshapeOp>();
    if (!reshape)
      return value.getDefiningOp();
    value = reshape.getInput();
  }
  return nullptr;
}

/// Whether all that the op reads may be read at `root` instead.
bool mayStandAt(Operation *op, Operation *root) {
  return op->getBlock() == root->getBlock() && mayAllBeReadAt(op, root);
}

} // namespace

ttnn::Conv2dConfigAttr withActivation(ttnn::Conv2dConfigAttr base, ttnn::UnaryWithParamAttr activation) {
  return ttnn::Conv2dConfigAttr::get(
      activation.getContext(), base.getWeightsDtype(), activation, base.getDeallocateActivation(),
      base.getReallocateHaloOutput(), base.getActBlockHOverride(), base.getActBlockWDiv(),
      base.getReshardIfNotOptimal(), base.getOverrideShardingConfig(), base.getShardLayout(),
      base.getCoreGrid(), base.getTransposeShards(), base.getOutputLayout(), base.getEnableActDoubleBuffer(),
      base.getEnableWeightsDoubleBuffer(), base.getEnableKernelStrideFolding(),
      base.getConfigTensorsInDram());
}

bool proposeActivatedResult(Operation *root, Proposal &proposal) {
  Operation *maker = isActivation(root) ? onlyMaker(root->getOperand(0)) : nullptr;
  if (!maker || maker->getNumOperands() == 0 || maker->getNumResults() != 1 || ttnn::saysMore(maker) ||
      !mayStandAt(maker, root) || !isPlaced(maker->getOperand(0)))
    return false;
  mlir::Value result = maker->getResult(0);
  IRMapping same;
  Operation *made = proposal.copy(maker, same, shapeOf(result));
  made->getResult(0).setType(Proposal::typeLike(result, shapeOf(result)));
  if (!applyToResult(made, root))
    return false;
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made->getResult(0), shapeOf(root->getResult(0))));
  return true;
}

bool proposeActivatedOperand(Operation *root, Proposal &proposal) {
  constexpr llvm::StringLiteral kLists[] = {"input_tensor_a_activations", "input_tensor_b_activations"};
  for (unsigned number : {0u, 1u}) {
    Operation *activation = root->getOperand(number).getDefiningOp();
    auto list = root->getAttrOfType<ArrayAttr>(kLists[number]);
    // Once for both operands is once.
    if (!isActivation(activation) || !root->getOperand(number).hasOneUse() || (list && !list.empty()) ||
        !isPlaced(activation->getOperand(0)) || !mayStandAt(activation, root))
      continue;
    IRMapping operands;
    operands.map(root->getOperand(number), activation->getOperand(0));
    mlir::Value result = root->getResult(0);
    Operation *made = proposal.copy(root, operands, shapeOf(result));
    made->getResult(0).setType(Proposal::typeLike(result, shapeOf(result)));
    made->setAttr(kLists[number], ArrayAttr::get(root->getContext(), {attributeOf(activation)}));
    proposal.isAbout(made);
    proposal.replace(root, made->getResult(0));
    return true;
  }
  return false;
}

} // namespace tessera::rewrite
