//===- PreparedWeights.cpp - Weights of convolutions that are prepared ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The library prepares a convolution's weights for the form of its input:
// blocks, slices and sharding decide the order in which the weights lie.
// tt-mlir has an op for that, with the input's form as attributes, in a
// const-eval function. A plan that moves the input, or configures the
// convolution anew, has to say the same to the op that prepares, wherever it
// stands; else the library would find weights in an order that it does not
// expect.
//
//===----------------------------------------------------------------------===//
#include "PreparedWeights.h"

#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tessera {

namespace {

/// Finds the ops that prepare what a constant is made of: through functions that are evaluated once, conversions, and arithmetic on what is
/// prepared, as a scale for each channel. None of these changes what it was prepared for.
class Preparing {
public:
  llvm::SmallVector<Operation *> found;

  /// `callers` are the calls around `value`, the innermost one last.
  void add(mlir::Value value, llvm::SmallVector<ttcore::LoadCachedOp> callers) {
    // An operand of several ops is looked at once for each call that it is of.
    if (!value || !seen.insert({value, callers.empty() ? nullptr : callers.back().getOperation()}).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(value); argument && !callers.empty()) {
      ttcore::LoadCachedOp call = callers.pop_back_val();
      return add(call->getOperand(argument.getArgNumber()), std::move(callers));
    }
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<ttcore::LoadCachedOp>(op)) {
      auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, load.getCalleeAttr());
      if (!function || !function.getBody().hasOneBlock())
        return;
      callers.push_back(load);
      Operation *end = function.getBody().front().getTerminator();
      return add(end->getOperand(cast<OpResult>(value).getResultNumber()), std::move(callers));
    }
    if (op && op->hasAttr("input_memory_config")) {
      if (!llvm::is_contained(found, op))
        found.push_back(op);
    } else if (isa_and_nonnull<ttnn::ToMemoryConfigOp, ttnn::ToLayoutOp, ttnn::TypecastOp, ttnn::MultiplyOp,
                               ttnn::AddOp, ttnn::SubtractOp>(op)) {
      for (mlir::Value operand : op->getOperands())
        add(operand, callers);
    }
  }

private:
  llvm::DenseSet<std::pair<mlir::Value, Operation *>> seen;
};

} // namespace

/// `#ttnn.memory_config` of a layout: shards in elements, in the order of rows.
static Attribute memoryConfigOf(MLIRContext *context, const TensorLayout &layout) {
  std::string text = llvm::formatv("#ttnn.memory_config<#ttnn.buffer_type<{0}>, <{1}>", name(layout.buffer),
                                   layout.memory ? name(*layout.memory) : "interleaved");
  if (layout.cores) {
    // Kept in tiles, written in elements.
    int64_t side = layout.page == PageLayout::Tile ? 32 : 1;
    auto range = [](const CoreRange &r) {
      return llvm::formatv("#ttnn.core_range<({0},{1}), ({2},{3})>", r.start.x, r.start.y, r.end.x, r.end.y)
          .str();
    };
    text += llvm::formatv(", #ttnn.shard_spec<<[{0}]>, <{1}x{2}>, <row_major>>",
                          llvm::join(llvm::map_range(layout.cores->ranges, range), ", "),
                          layout.shard.rows * side, layout.shard.columns * side);
  }
  return parseAttribute(text + ">", context);
}

/// Whether the convolution is a matmul of the shards as they are: all attributes of a window of one pixel say so.
static bool isMatmulOfBlocks(Operation *convolution, const TensorLayout &input) {
  auto all = [&](StringRef name, int32_t number) {
    auto array = convolution->getAttrOfType<DenseI32ArrayAttr>(name);
    return array && llvm::all_of(array.asArrayRef(), [=](int32_t n) { return n == number; });
  };
  return input.memory == MemoryLayout::BlockSharded && all("kernel_size", 1) && all("stride", 1) &&
         all("padding", 0);
}

/// The convolution's config for an op that prepares for it: what a plan may choose is the convolution's, all else is what the program says of
/// the op, if anything.
static ttnn::Conv2dConfigAttr configFor(Operation *maker, Operation *convolution) {
  auto own = maker->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config"),
       chosen = convolution->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config");
  if (!own || !chosen)
    return own ? own : chosen;
  auto either = [](auto said, auto otherwise) { return said ? said : otherwise; };
  return ttnn::Conv2dConfigAttr::get(
      own.getContext(), either(own.getWeightsDtype(), chosen.getWeightsDtype()),
      either(own.getActivation(), chosen.getActivation()), chosen.getDeallocateActivation(),
      either(own.getReallocateHaloOutput(), chosen.getReallocateHaloOutput()), chosen.getActBlockHOverride(),
      either(own.getActBlockWDiv(), chosen.getActBlockWDiv()), chosen.getReshardIfNotOptimal(),
      either(own.getOverrideShardingConfig(), chosen.getOverrideShardingConfig()), chosen.getShardLayout(),
      either(own.getCoreGrid(), chosen.getCoreGrid()),
      either(own.getTransposeShards(), chosen.getTransposeShards()), chosen.getOutputLayout(),
      either(own.getEnableActDoubleBuffer(), chosen.getEnableActDoubleBuffer()),
      either(own.getEnableWeightsDoubleBuffer(), chosen.getEnableWeightsDoubleBuffer()),
      either(own.getEnableKernelStrideFolding(), chosen.getEnableKernelStrideFolding()),
      either(own.getConfigTensorsInDram(), chosen.getConfigTensorsInDram()));
}

/// What a convolution's weights and bias are prepared by.
static llvm::SmallVector<Operation *> preparingOf(Operation *convolution) {
  Preparing preparing;
  for (mlir::Value constant : llvm::drop_begin(convolution->getOperands()))
    preparing.add(constant, {});
  return std::move(preparing.found);
}

static Attribute pageOf(MLIRContext *context, const TensorLayout &layout) {
  return parseAttribute(("#ttnn.layout<" + name(layout.page) + ">").str(), context);
}

bool PreparedWeights::arePreparedFor(Operation *convolution, const TensorLayout &input) {
  Attribute page = pageOf(convolution->getContext(), input);
  return llvm::all_of(preparingOf(convolution), [&](Operation *maker) {
    Attribute said = maker->getAttr("input_tensor_layout");
    return !said || said == page;
  });
}

void PreparedWeights::fit(Operation *convolution, const TensorLayout &given) {
  // Of an operand that is still on the host no config says where it will lie, so the weights stay as they were prepared.
  if (!given.onDevice())
    return;
  MLIRContext *context = convolution->getContext();
  // The library would pad the columns to whole tiles on each column of the operand's cores, which a bias is not. The matmul needs the matrix alone.
  TensorLayout input = given;
  if (isMatmulOfBlocks(convolution, given)) {
    input.buffer = BufferType::DRAM;
    input.memory = MemoryLayout::Interleaved;
    input.cores.reset();
  }
  for (Operation *maker : preparingOf(convolution)) {
    // The library prepares by the blocks and slices that the convolution will take, and chooses what neither says.
    const std::pair<StringRef, Attribute> wanted[] = {
        {"input_memory_config", memoryConfigOf(context, input)},
        {"input_tensor_layout", pageOf(context, input)},
        {"conv2d_config", configFor(maker, convolution)},
        {"conv2d_slice_config", convolution->getAttr("conv2d_slice_config")}};
    auto isAsWanted = [&](const auto &attribute) {
      return maker->getAttr(attribute.first) == attribute.second;
    };
    // Two convolutions may share prepared weights. The second one overwrites what the first asked for; where both ask
    // for the same, nobody is harmed.
    if (!fitted.insert(maker).second && !llvm::all_of(wanted, isAsWanted))
      convolution->emitWarning("its weights are prepared for another convolution in another form, too");
    for (const auto &[name, value] : wanted)
      if (value)
        maker->setAttr(name, value);
      else
        maker->removeAttr(name);
  }
}

} // namespace tessera
