//===- Proposal.h - Ops that may come to stand for others ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_PROPOSAL_H
#define TESSERA_LIB_REWRITE_PROPOSAL_H

#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Layout/TensorLayout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace tessera::rewrite {

/// Ops that stand nowhere yet, and what they would replace. What is not taken is destroyed: a row can propose without knowing whether
/// anybody consents.
///
/// Makers return what has no place in the program either, so a row may go on building on it, and may ask for its shape
/// and type. Extents are counted in elements; tensors that the rows make lie in interleaved DRAM, since where they lie
/// at last is the plan's to say.
class Proposal {
public:
  /// The ops would stand right before `root`.
  explicit Proposal(mlir::Operation *root) : root(root), builder(root->getContext()) {}
  Proposal(const Proposal &) = delete;
  Proposal &operator=(const Proposal &) = delete;
  ~Proposal();

  template <class Op, class... Args>
  Op make(Args &&...args) {
    Op op = Op::create(builder, root->getLoc(), std::forward<Args>(args)...);
    ops.push_back(op);
    return op;
  }
  /// The same op on other operands, with one result of that shape like the first of them.
  mlir::Operation *copy(mlir::Operation *op, mlir::IRMapping &operands, llvm::ArrayRef<int64_t> shape);
  /// The same op, of the same types, on other operands; these may be of another function.
  mlir::Operation *clone(mlir::Operation *op, mlir::IRMapping &operands);
  /// `ttnn.NAME` of the value, of the same type.
  mlir::Value makeUnary(llvm::StringRef name, mlir::Value value);
  /// `ttnn.NAME` with one result of that type.
  mlir::Operation *makeNamed(llvm::StringRef name, mlir::ValueRange operands, mlir::RankedTensorType type,
                             llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::OpBuilder &attributes() { return builder; }
  /// What says how exactly the device computes: sums of 32 bits and no approximate exponentials, as the products, means and softmax had
  /// them that an op stands for. Its own defaults have neither. Kernels that have no room for wide sums make theirs of 16 bits.
  ttnn::DeviceComputeKernelConfigAttr exactly(ttnn::MathFidelity fidelity, bool areSumsWide = true);

  /// The device that the block has before the root, or one as another function of the module has it.
  mlir::Value device();

  /// The value in another shape of as many elements, in other pages, of another element type, or a range of it; the value itself where nothing changes.
  /// Results lie in interleaved DRAM, in the pages of what they are made of.
  mlir::Value reshaped(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value paged(mlir::Value value, PageLayout page);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value firstOf(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value repeated(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> begins, llvm::ArrayRef<int64_t> ends,
                    llvm::ArrayRef<int64_t> steps);
  mlir::Value permute(mlir::Value value, llvm::ArrayRef<int64_t> order);
  mlir::Value concat(llvm::ArrayRef<mlir::Value> values, int64_t dimension);
  /// A tensor of one number, of the elements and in the pages of `like`.
  mlir::Value full(llvm::ArrayRef<int64_t> shape, float number, mlir::Value like);
  mlir::Value timesNumber(mlir::Value value, double by);
  /// With `number` behind the value's elements in a dimension, such that there are `size`.
  mlir::Value padded(mlir::Value value, int64_t dimension, int64_t size, float number = 0);
  /// The type of a tensor like that in interleaved DRAM.
  static mlir::RankedTensorType typeLike(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                                         mlir::Type elementType);
  static mlir::RankedTensorType typeLike(mlir::Value value, llvm::ArrayRef<int64_t> shape);

  /// The new op would stand before `place`, which follows the root, and not before the root.
  void standsAt(mlir::Operation *op, mlir::Operation *place) { elsewhere[op] = place; }
  /// The values would take the place of the op's results.
  void replace(mlir::Operation *op, mlir::ValueRange values) {
    replaced.push_back({op, llvm::SmallVector<mlir::Value>(values)});
  }
  /// The root is what no device may run as it is, and stays if one does.
  void mends() { isMend = true; }
  bool isOnlyForRefused() const { return isMend; }
  /// The op that the proposal is about, for those who read of it; else the first.
  void isAbout(mlir::Operation *op) { subject = op; }

  /// In the order in which they were made, which is one in which they may stand.
  llvm::ArrayRef<mlir::Operation *> newOps() const { return ops; }
  mlir::Operation *about() const { return subject ? subject : ops.front(); }
  auto replacedOps() const { return llvm::make_first_range(replaced); }
  /// What would be gone: the replaced ops, and those that nothing but these needs. In program order.
  llvm::SmallVector<mlir::Operation *> goneOps() const;
  /// Whether what the function returns would have the type that it is declared to return.
  bool keepsReturned() const;
  /// Whether each result would be stored in the format that it has: types do not tell bf16 from packed tiles.
  bool keepsFormats() const;
  /// Whether no result that would be another op's tensor is written afterwards, nor that tensor: until then both have the same elements. What
  /// a function returns that others call is theirs to write, so each of its results stays a tensor of its own.
  bool keepsApart(bool isCalled) const;
  /// Puts the ops where they belong. `named` is called with each before.
  void take(mlir::RewriterBase &rewriter, llvm::function_ref<void(mlir::Operation *)> named);

private:
  mlir::Operation *root, *subject = nullptr;
  bool isMend = false;
  mlir::OpBuilder builder;
  llvm::SmallVector<mlir::Operation *> ops;                            ///< each after those that it reads
  llvm::SmallDenseMap<mlir::Operation *, mlir::Operation *> elsewhere; ///< only looked up
  llvm::SmallVector<std::pair<mlir::Operation *, llvm::SmallVector<mlir::Value>>> replaced;
};

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_PROPOSAL_H
