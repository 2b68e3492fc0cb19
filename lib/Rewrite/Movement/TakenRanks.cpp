//===- TakenRanks.cpp - Ranks that kernels take ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Some ops take fewer dimensions than a program may have, or more. Only of ops that the device refuses as they are.
//
//   pad(x: 2x3x2x40x96, by one behind the first)   ->   concat(x, full(1x3x2x40x96))
//   gather(x: 96, i: 32)                           ->   reshape(gather(reshape(x: 1x96), reshape(i: 1x32)))
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

/// What is put around outer dimensions stands beside them; the last three, which kernels pad, are padded as before.
bool rewrite::proposeJoinedPadding(Operation *root, Proposal &proposal) {
  auto pad = cast<ttnn::PadOp>(root);
  ArrayRef<int32_t> padding = pad.getPadding();
  const size_t rank = padding.size() / 2;
  constexpr size_t inner = 3;
  if (rank <= inner || !isFloat(pad.getInput()))
    return false;
  mlir::Value x = pad.getInput();
  SmallVector<int32_t> kept(padding);
  // Dimension by dimension, so that what stands beside one has the extents that those before it have got.
  for (size_t dim = 0; dim + inner < rank; ++dim) {
    auto beside = [&](int32_t extent) {
      SmallVector<int64_t> shape(shapeOf(x));
      shape[dim] = extent;
      return proposal.full(shape, pad.getValue().convertToFloat(), x);
    };
    SmallVector<mlir::Value> parts;
    if (int32_t front = std::exchange(kept[2 * dim], 0))
      parts.push_back(beside(front));
    parts.push_back(x);
    if (int32_t back = std::exchange(kept[2 * dim + 1], 0))
      parts.push_back(beside(back));
    if (parts.size() > 1)
      x = proposal.concat(parts, int64_t(dim));
  }
  if (x == pad.getInput())
    return false;
  if (llvm::any_of(kept, [](int32_t extent) { return extent != 0; }))
    x = proposal
            .make<ttnn::PadOp>(Proposal::typeLike(x, shapeOf(pad.getResult())), x, kept, pad.getValue(),
                               pad.getUseMulticore())
            .getResult();
  proposal.isAbout(x.getDefiningOp());
  proposal.replace(root, x);
  proposal.mends();
  return true;
}

bool rewrite::proposeGatherOfRow(Operation *root, Proposal &proposal) {
  mlir::Value x = root->getOperand(0), index = root->getOperand(1);
  if (typeOf(x).getRank() != 1)
    return false;
  auto asRow = [&](mlir::Value value) { return proposal.reshaped(value, {1, shapeOf(value)[0]}); };
  IRMapping rows;
  rows.map(x, asRow(x));
  rows.map(index, asRow(index));
  Operation *made = proposal.copy(root, rows, {1, shapeOf(index)[0]});
  made->setInherentAttr(StringAttr::get(root->getContext(), "dim"),
                        proposal.attributes().getI32IntegerAttr(1));
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made->getResult(0), shapeOf(root->getResult(0))));
  proposal.mends();
  return true;
}
