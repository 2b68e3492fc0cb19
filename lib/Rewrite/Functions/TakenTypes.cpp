//===- TakenTypes.cpp - Element types that kernels take -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A program says what is computed in which types, and kernels take some of these: an embedding looks rows up by u32, a
// mean is one of floats. The public compiler casts operands for that in a pass of its own (tt-mlir's
// TTNNWorkaroundsPass.cpp), which programs for its optimizer have not gone through.
//
//   embedding(i: si32, t)   ->   embedding(typecast(i: u32), t)
//   mean(x: si32)           ->   typecast(mean(typecast(x: f32)): si32)
//
// Only of ops that the device refuses as they are: whether it does is the op model's to say, and no row here says it.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

namespace {

enum class From : uint8_t {
  Any,
  Narrow,   ///< integers of 8 and 16 bits
  Integers, ///< of any width
  F32,
};
enum class To : uint8_t { BF16, F32, SI32, U32 };

constexpr uint32_t kNone = 0, kAll = ~0u, kFirst = 1, kSecond = 2, kThird = 4, kFourth = 8;

struct Taken {
  llvm::StringLiteral op;
  uint32_t operands; ///< which, a bit each
  From from;
  To to;
  uint32_t results =
      0; ///< those that have the type of these operands; of none: those that are made in that type alone
};

/// Whole numbers stay what they are.
constexpr Taken kAsIntegers[] = {
    {"ttnn.add", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.subtract", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.multiply", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.maximum", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.minimum", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.remainder", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.eq", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.ne", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.lt", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.le", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.gt", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.ge", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.bitwise_and", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.bitwise_or", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.bitwise_xor", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.logical_and", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.logical_or", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.logical_xor", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.logical_not", kAll, From::Narrow, To::SI32, kFirst},
    {"ttnn.pad", kFirst, From::Narrow, To::SI32, kFirst},
    {"ttnn.argmax", kFirst, From::Narrow, To::SI32},
    {"ttnn.argmax", kNone, From::Any, To::U32, kFirst},
    {"ttnn.reshape", kFirst, From::Narrow, To::SI32, kFirst},
    {"ttnn.gather", kSecond, From::Any, To::U32},
    {"ttnn.scatter", kSecond, From::Any, To::SI32},
    {"ttnn.update_cache", kThird, From::Any, To::U32},
    {"ttnn.paged_update_cache", kThird | kFourth, From::Any, To::SI32},
    {"ttnn.paged_fill_cache", kThird, From::Any, To::SI32},
    {"ttnn.embedding", kFirst, From::Any, To::U32},
    {"ttnn.embedding", kSecond, From::Any, To::BF16, kFirst},
};

/// Numbers that most kernels compute with. Whole ones of up to 24 bits are the same as f32.
constexpr Taken kAsFloats[] = {
    {"ttnn.divide", kAll, From::Integers, To::F32, kFirst},
    {"ttnn.pow_tensor", kAll, From::Integers, To::F32, kFirst},
    {"ttnn.pow_scalar", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.abs", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.neg", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.sign", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.relu", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.clamp_scalar", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.sum", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.mean", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.max", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.min", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.prod", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.cumsum", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.argmax", kFirst, From::Integers, To::F32},
    {"ttnn.topk", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.sort", kFirst, From::Integers, To::F32, kFirst},
    {"ttnn.matmul", kAll, From::Integers, To::F32, kFirst},
    {"ttnn.linear", kAll, From::Integers, To::F32, kFirst},
    {"ttnn.scaled_dot_product_attention", kAll, From::F32, To::BF16, kFirst},
    {"ttnn.scaled_dot_product_attention_decode", kAll, From::F32, To::BF16, kFirst},
    {"ttnn.paged_scaled_dot_product_attention_decode", kAll, From::F32, To::BF16, kFirst},
    {"ttnn.max_pool2d", kFirst, From::F32, To::BF16, kFirst},
    {"ttnn.max_pool2d_with_indices", kFirst, From::F32, To::BF16, kFirst},
    {"ttnn.avg_pool2d", kFirst, From::F32, To::BF16, kFirst},
    {"ttnn.upsample", kFirst, From::F32, To::BF16, kFirst},
};

Type elementType(To to, MLIRContext *context) {
  switch (to) {
  case To::BF16:
    return BFloat16Type::get(context);
  case To::F32:
    return Float32Type::get(context);
  case To::SI32:
    return IntegerType::get(context, 32, IntegerType::Signed);
  case To::U32:
    return IntegerType::get(context, 32, IntegerType::Unsigned);
  }
  return {};
}

bool isOf(From from, Type type) {
  if (from == From::Any)
    return true;
  if (from == From::F32)
    return type.isF32();
  return type.isInteger() && (from == From::Integers || type.getIntOrFloatBitWidth() < 32);
}

/// The same op on operands as the table has them taken, and its results as they were asked for.
bool proposeTaken(ArrayRef<Taken> table, Operation *root, Proposal &proposal) {
  IRMapping operands;
  llvm::SmallDenseMap<unsigned, Type> makes; // by number of the result; only looked up
  for (const Taken &taken : table) {
    if (taken.op != root->getName().getStringRef())
      continue;
    Type to = elementType(taken.to, root->getContext());
    // Of results that were asked for in the type that the operand has, or whatever was asked for.
    auto makesThem = [&](Type asked) {
      for (OpResult result : root->getResults())
        if (taken.results >> result.getResultNumber() & 1 &&
            (!asked || typeOf(result).getElementType() == asked) && typeOf(result).getElementType() != to)
          makes[result.getResultNumber()] = to;
    };
    if (taken.operands == kNone)
      makesThem({});
    for (OpOperand &operand : root->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      bool isMeant = operand.getOperandNumber() < 32 && (taken.operands >> operand.getOperandNumber() & 1);
      if (!type || !isMeant || type.getElementType() == to || !isOf(taken.from, type.getElementType()))
        continue;
      if (!operands.contains(operand.get()))
        operands.map(operand.get(), proposal.cast(operand.get(), to));
      makesThem(type.getElementType());
    }
  }
  if (operands.getValueMap().empty() && makes.empty())
    return false;
  Operation *made = proposal.clone(root, operands);
  proposal.isAbout(made);
  SmallVector<mlir::Value> results;
  for (OpResult result : made->getResults()) {
    Type asked = typeOf(result).getElementType();
    if (Type is = makes.lookup(result.getResultNumber()))
      result.setType(Proposal::typeLike(result, shapeOf(result), is));
    results.push_back(proposal.cast(result, asked));
  }
  proposal.replace(root, results);
  proposal.mends();
  return true;
}

} // namespace

bool rewrite::proposeTakenIntegers(Operation *root, Proposal &proposal) {
  return proposeTaken(kAsIntegers, root, proposal);
}

bool rewrite::proposeTakenFloats(Operation *root, Proposal &proposal) {
  return proposeTaken(kAsFloats, root, proposal);
}
