//===- Match.h - What rows look for --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_MATCH_H
#define TESSERA_LIB_REWRITE_MATCH_H

#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include <optional>

namespace tessera::rewrite {

/// Rows and columns of a tile.
inline constexpr int64_t kTile = 32;

/// What is added to a score, or chosen instead of one, to forbid a key: so far below that no score comes near it, and no scale that heads have
/// brings it back. -10^9 is more than that in bf16.
inline constexpr double kForbids = -1e8;

/// Of values that are tensors; rows see no others.
mlir::RankedTensorType typeOf(mlir::Value value);
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
/// A tensor on the device of static shape, with elements, whose layout has a plain form. Rows match no others.
bool isPlaced(mlir::Value value);
/// Whether the elements are floats, of whatever width.
bool isFloat(mlir::Value value);
/// Whether they are bf16 and stored as that: to the type those of packed tiles are, too, which share exponents, so that what moves or computes
/// them rounds them anew.
bool isBF16(mlir::Value value);

/// A value, and the op that reads it now. A new op may read it later if nothing writes it in between.
struct Traced {
  mlir::Value value;
  mlir::Operation *reader;

  template <class Op>
  Op maker() const {
    return value.getDefiningOp<Op>();
  }
  /// The first operand of the op that makes the value.
  Traced before() const { return {value.getDefiningOp()->getOperand(0), value.getDefiningOp()}; }
};
/// Operand `number` of the op.
Traced operandOf(mlir::Operation *op, unsigned number);

/// Whether `a` stands before `b` in their block. Rewrites ask this of neighbours, between which they put ops; MLIR's own question numbers
/// all ops of the block again after that.
bool standsBefore(mlir::Operation *a, mlir::Operation *b);
/// What the value may be a view of: the tensor that reshapes and conversions made it from.
mlir::Value storageOf(mlir::Value value);
/// The same, also by ops that hand on their operand where they have nothing to do, such as a permute to the order that is there: a write to
/// the value may be one to that tensor.
mlir::Value memoryOf(mlir::Value value);
/// Whether the function returns the value, or what may be a view of it.
bool isReturned(mlir::Value value);
/// Calls `written` with each tensor that the op writes, and with null if it writes what nobody knows.
void forEachWrite(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> written);
/// Whether an op writes the value in place, or what may be a view of it.
bool isWritten(mlir::Value value);
/// Whether the op, or one behind it in its block, writes the value, a view of it or what it is a view of.
bool isWrittenFrom(mlir::Value value, mlir::Operation *op);
/// Back through casts between floating-point types.
Traced throughTypecasts(Traced traced);
/// Back through casts from bf16 to f32, which lose nothing.
Traced throughWidening(Traced traced);
/// Whether `at` may read the value instead of what is made of it: no op from the reader on, up to `at`, writes the value, a view of it or what
/// it is a view of, nor what the reader makes, or another op of that. Both stand in one block.
bool mayBeReadAt(const Traced &traced, mlir::Operation *at);
/// The same of all that the op reads.
bool mayAllBeReadAt(mlir::Operation *op, mlir::Operation *at);
/// Whether two ops of one block, in either order, read the same of a value: nothing from the first of them on, up to the other, writes it.
bool readAlike(mlir::Value value, mlir::Operation *a, mlir::Operation *b);

/// What a const-eval function returns as the load's result of that number; null if nobody knows its body.
mlir::Value computedBy(ttcore::LoadCachedOp load, unsigned result);

/// The number that all elements of the value are; nullopt if that is not known. Const-eval functions are looked into.
std::optional<double> splatOf(mlir::Value value);

/// Whether an op of two operands applies functions to these, or to the result. Other ops do not.
bool appliesActivations(mlir::Operation *op);

/// The function that the op applies to what `list` says; "" if it applies none, nullopt if it applies several.
std::optional<llvm::StringRef> functionOf(mlir::Operation *op, llvm::StringRef list);

/// The config of a convolution that applies a function to its result; what it says besides stays.
ttnn::Conv2dConfigAttr withActivation(ttnn::Conv2dConfigAttr base, ttnn::UnaryWithParamAttr activation);

/// Whether `function` is all that the op applies: once, to what `list` says, such as "activations".
bool appliesOnly(mlir::Operation *op, llvm::StringRef function, llvm::StringRef list);

/// What a reduction reduces along the last dimension alone: others that it reduces have extent 1. nullopt of anything else, and of null.
std::optional<Traced> reducedAlongRows(mlir::Operation *reduction);

/// Whether the value broadcasts as a number for each row: one for each column has the same elements where there are as many columns as rows.
bool isForRows(mlir::Value value);

/// `multiply` of a tensor and a number, in either order, or `divide` of a tensor by a number; the tensor with the op as its reader.
struct Scaled {
  Traced tensor;
  double by = 1;
};
std::optional<Scaled> scaled(mlir::Value value);
/// What the value is the negation of, which may be written as a product.
std::optional<Traced> unnegated(mlir::Value value);
/// Back through casts, and reshapes that only move extents of 1.
Traced throughUnits(Traced traced);
/// Back through any number of casts and multiplications by numbers; `by` is the product of these.
Scaled throughScales(Traced traced);

/// Whether the program config of a product applies a function to its result: who drops the config would drop the function.
bool fusesFunction(mlir::Operation *product);
/// Whether the product applies one, by itself or by its program config.
bool appliesFunction(mlir::Operation *product);

/// Operands of a `matmul` or a `linear` without bias that multiplies the two as they are: neither is transposed, and no activation
/// follows.
struct Product {
  Traced left, right;
};
std::optional<Product> plainProduct(mlir::Operation *op);

/// Back through a reshape that leaves the last two dimensions.
Traced throughFolding(Traced traced);
/// What the value is the transpose of, its last two dimensions exchanged: by transpose or permute, maybe with leading dimensions
/// folded meanwhile.
std::optional<Traced> untransposed(Traced traced);
/// What has each element of dimension `heads` several times in the value: repeat_interleave, or a repeat of a unit dimension behind it that is
/// folded then. With that dimension, if nothing before has the same without it. The value itself otherwise.
Traced withoutRepeatedHeads(Traced traced, unsigned heads);

/// Heads in the shape of rows of so many users, each at one position: B x H x 1 x D, or H x D behind extents that are B together. 0 if it
/// is neither.
int64_t headsOfOnePosition(llvm::ArrayRef<int64_t> shape, int64_t users);

/// Whether a reshape of `from` to `to` only adds and drops dimensions of extent 1.
bool sameButForUnits(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Of [6, 4] -> [2, 3, 4] these are {0} and {0, 1}, then {1} and {2}; of [6, 4] -> [4, 6] it is all of both.
/// Dimensions that a reshape keeps together: those with the same elements before and after it.
struct KeptTogether {
  llvm::SmallVector<int64_t> from, to;
};
/// In order; none if a tensor has no elements or no dimensions.
llvm::SmallVector<KeptTogether> blocksOf(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Where a slice begins and ends in each dimension, counted from the dimension's beginning, and its steps.
struct SliceBounds {
  llvm::SmallVector<int64_t> begins, ends, steps;
};
SliceBounds boundsOf(ttnn::SliceStaticOp slice);

/// Back through pages and places, which no row has to know.
mlir::Value throughPages(mlir::Value value);

/// The same of casts from bf16 to f32 as well, which lose nothing.
Traced throughForms(Traced traced);

/// Works element by element, on operands that broadcast.
bool isElementwise(mlir::Operation *op);

/// Whether the op moves elements of packed tiles to others, with which they share an exponent then: they are rounded by that.
bool regroupsPacked(mlir::Operation *op);

/// Elements with tiles filled up.
int64_t paddedVolume(llvm::ArrayRef<int64_t> shape);

/// The only op that reads the value; nullptr if there are more, or none.
mlir::Operation *onlyReader(mlir::Value value);

/// An integer of any width and sign, true as 1, and those of an I32ArrayAttr. What 64 bits with a sign have no room for is the largest of these.
int64_t integerOf(const llvm::APInt &number, mlir::Type type);
int64_t integerOf(mlir::IntegerAttr attribute);
llvm::SmallVector<int64_t> integersOf(mlir::ArrayAttr attribute);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_MATCH_H
