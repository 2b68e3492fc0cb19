//===- Rewrite.cpp - Where rewrites are found, and how they are made -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows (Rows.h) find what a rewrite is about. MLIR's greedy driver asks them, and nothing else that it could do is
// switched on. Before the program changes, what a row proposes has to pass four questions, the cheapest first:
//
// 1  Are the tensors that the root reads and makes on the device, in layouts that Tessera understands?
// 2  Does the row find anything? Few do.
// 3  May all that would be gone go: is none of it pinned or named in an override, and does what is replaced say no more
//    than Tessera knows? Does what the function returns keep its type, and what is replaced its format, and does nobody
//    write to what would be one tensor instead of two?
// 4  Does whoever asked consent to each new op? With an op model that is a question about legality, the dearest. Some rows are for ops alone
//    that he would not consent to.
//
//===----------------------------------------------------------------------===//
#include "tessera/Rewrite/Rewrite.h"

#include "ConstEval.h"
#include "Donated.h"
#include "Match.h"
#include "Moves.h"
#include "RewriteList.h"
#include "Rows.h"
#include "tessera/Dialect/TTNN/RewriteLocation.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

namespace {

enum class Phase : uint8_t {
  Fuse,     ///< one op of many
  Move,     ///< less is moved
  Activate, ///< functions go into the ops around them, which are none that other rows look for any more
};

/// As a root: whatever op it is.
constexpr llvm::StringLiteral kAnyOp = "";

/// How a rewrite is found. One with several roots has several of these.
struct Row {
  llvm::StringLiteral rewrite;
  llvm::StringLiteral root; ///< the op that it is looked for at
  bool (*propose)(Operation *root, Proposal &proposal);
  /// Rows of a later phase would hide what those of an earlier one look for, so they wait until none of these applies.
  Phase phase = Phase::Fuse;
};

// Rows of one root that do not exclude each other stand in the order in which they are tried. `lone-heads` waits for
// the last phase since it would take heads one by one that `split-heads` and `join-products` look for; `places` since
// `argmax-of-parts` has long rows first.
constexpr Row kRows[] = {
    {"attention-decode", "ttnn.matmul", proposeDecodeAttention},
    {"attention-decode", "ttnn.linear", proposeDecodeAttention},
    {"attention", "ttnn.matmul", proposeAttention},
    {"attention", "ttnn.linear", proposeAttention},
    {"grouped-heads", "ttnn.scaled_dot_product_attention", proposeGroupedHeads},
    {"grouped-heads", "ttnn.scaled_dot_product_attention_decode", proposeGroupedHeads},
    {"causal", "ttnn.scaled_dot_product_attention", proposeCausal, Phase::Move},
    {"sliding-window", "ttnn.scaled_dot_product_attention", proposeSlidingWindow, Phase::Move},
    {"whole-heads", "ttnn.pad", proposeWholeHeads, Phase::Move},
    {"whole-heads", "ttnn.matmul", proposeWholeHeadsJoined, Phase::Move},
    {"whole-heads", "ttnn.linear", proposeWholeHeadsJoined, Phase::Move},
    {"one-key", "ttnn.multiply", proposeOneKey},
    {"one-key", "ttnn.matmul", proposeOneKey},
    {"late-guard", "ttnn.matmul", proposeLateGuard},
    {"cache-update", "ttnn.rows_scatter", proposeUpdatedCache},
    {"copied-cache", "ttnn.scaled_dot_product_attention", proposeCopyOfWritten, Phase::Activate},
    {"copied-cache", "ttnn.matmul", proposeCopyOfWritten, Phase::Activate},
    {"copied-cache", "ttnn.linear", proposeCopyOfWritten, Phase::Activate},
    {"heads-decode", "ttnn.slice_static", proposeDecodeHeads},
    {"split-heads", "ttnn.slice_static", proposeSplitHeads},
    {"late-norm", "ttnn.permute", proposeLateNorm},
    {"lone-heads", "ttnn.permute", proposeLoneHeads, Phase::Activate},
    {"join-products", "ttnn.matmul", proposeJoinedProducts},
    {"join-products", "ttnn.linear", proposeJoinedProducts},
    {"bias", "ttnn.add", proposeBias},
    {"joined-bias", "ttnn.add", proposeJoinedBias},
    {"constant-right", "ttnn.permute", proposeConstantRight},
    {"turned-constant", "ttnn.matmul", proposeTurnedConstant},
    {"turned-constant", "ttnn.linear", proposeTurnedConstant},
    {"join-heads", "ttnn.reshape", proposeJoinedHeads},
    {"head-order", "ttnn.matmul", proposeHeadsBeforeElements},
    {"head-order", "ttnn.linear", proposeHeadsBeforeElements},
    {"join-heads-decode", "ttnn.reshape", proposeJoinedDecodeHeads},
    {"rotation", "ttnn.add", proposeRotation},
    {"rotation", "ttnn.rotary_embedding", proposeRotationOfHeads},
    {"rotation", "ttnn.rotary_embedding", proposeRotationInParts},
    {"rotation-decode", "ttnn.slice_static", proposeDecodeRotation},
    {"whole-rotation", "ttnn.concat", proposeWholeRotation},
    {"pairs", "ttnn.reshape", proposePairs},
    {"pairs", "ttnn.reshape", proposePairRotation},
    {"columns", "ttnn.concat", proposeColumns, Phase::Move},
    {"columns", "ttnn.reshape", proposeShuffledColumns, Phase::Move},
    {"columns", "ttnn.typecast", proposeShuffledColumns, Phase::Move},
    {"softmax", "ttnn.divide", proposeSoftmax},
    {"norm", "ttnn.multiply", proposeNorm},
    {"norm", "ttnn.divide", proposeNorm},
    {"norm", "ttnn.rms_norm", proposeCentredNorm},
    {"function", kAnyOp, proposeFunction},
    {"norm-weights", "ttnn.multiply", proposeNormWeights},
    {"norm-weights", "ttnn.add", proposeNormWeights},
    {"joined-constants", "ttnn.add", proposeJoinedConstants},
    {"joined-constants", "ttnn.multiply", proposeJoinedConstants},
    {"joined-constants", "ttnn.divide", proposeJoinedConstants},
    {"joined-rows", "ttnn.multiply", proposeJoinedRows, Phase::Move},
    {"joined-rows", "ttnn.add", proposeJoinedRows, Phase::Move},
    {"once", "ttnn.multiply", proposeRowsOnce},
    {"once", "ttnn.add", proposeRowsOnce},
    {"once", "ttnn.subtract", proposeRowsOnce},
    {"once", "ttnn.divide", proposeRowsOnce},
    {"once", kAnyOp, proposeLateRepeat, Phase::Move},
    {"once", "ttnn.matmul", proposeMatrixOnce},
    {"conv-weights", "ttnn.multiply", proposeConvolutionWeights},
    {"conv-weights", "ttnn.add", proposeConvolutionWeights},
    {"conv-weights", "ttnn.subtract", proposeConvolutionWeights},
    {"conv-weights", "ttnn.batch_norm_inference", proposeFoldedBatchNorm},
    {"product-weights", "ttnn.multiply", proposeProductWeights},
    {"product-weights", "ttnn.add", proposeProductWeights},
    {"product-weights", "ttnn.subtract", proposeProductWeights},
    {"late-bias", "ttnn.conv2d", proposeLateBias},
    {"folded-windows", "ttnn.conv2d", proposeFoldedWindows},
    {"pixel-products", "ttnn.conv2d", proposePixelProduct, Phase::Activate},
    {"window-padding", "ttnn.conv2d", proposeWindowPadding},
    {"window-padding", "ttnn.max_pool2d", proposeWindowPadding},
    {"counted-pool", "ttnn.divide", proposeCountedPool, Phase::Move},
    {"activation", "ttnn.relu", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.relu6", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.gelu", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.silu", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.sigmoid", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.tanh", proposeActivatedResult, Phase::Activate},
    {"activation", "ttnn.add", proposeActivatedOperand, Phase::Activate},
    {"activation", "ttnn.subtract", proposeActivatedOperand, Phase::Activate},
    {"activation", "ttnn.multiply", proposeActivatedOperand, Phase::Activate},
    {"activation", "ttnn.divide", proposeActivatedOperand, Phase::Activate},
    {"late-reshape", "ttnn.typecast", proposeLateReshape},
    {"late-reshape", "ttnn.where", proposeLateReshape},
    {"late-reshape", "ttnn.rms_norm", proposeLateReshape},
    {"late-reshape", "ttnn.layer_norm", proposeLateReshape},
    {"late-reshape", "ttnn.slice_static", proposeSliceOfWhole},
    {"late-reshape", kAnyOp, proposeLateReshape, Phase::Move},
    {"early-reshape", "ttnn.reshape", proposeEarlyReshape, Phase::Move},
    {"batches", "ttnn.matmul", proposeUnfoldedProduct},
    {"batches", "ttnn.reshape", proposeProductOfBatches, Phase::Move},
    {"late-reshape", "ttnn.slice_static", proposeReshapedSlice, Phase::Move},
    {"late-reshape", "ttnn.permute", proposeReshapedPermute, Phase::Move},
    {"late-reshape", "ttnn.concat", proposeReshapedConcat, Phase::Move},
    {"channel-groups", "ttnn.mean", proposeUngroupedMean, Phase::Move},
    {"channel-groups", "ttnn.sum", proposeUngroupedMean, Phase::Move},
    {"channel-groups", kAnyOp, proposeUngroupedElements, Phase::Move},
    {"channel-groups", "ttnn.reshape", proposeMeansByProduct, Phase::Move},
    {"fuller-rows", "ttnn.argmax", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.softmax", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.sum", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.max", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.min", proposeFullerRows, Phase::Move},
    {"fuller-rows", "ttnn.mean", proposeFullerRows, Phase::Move},
    {"argmax-of-parts", "ttnn.argmax", proposeArgmaxOfParts, Phase::Move},
    {"choices", "ttnn.topk", proposeChoices, Phase::Activate},
    {"places", "ttnn.argmax", proposePlaces, Phase::Activate},
    {"elements", "ttnn.concat", proposeElementsOfParts},
    {"elements", "ttnn.rows_gather", proposeElements, Phase::Move},
    {"early-permute", "ttnn.permute", proposeEarlyPermute},
    {"one-reshape", "ttnn.reshape", proposeOneReshape},
    {"one-permute", "ttnn.permute", proposeOnePermute},
    {"one-permute", "ttnn.reshape", proposePermuteAroundUnits},
    {"one-permute", "ttnn.permute", proposePermuteOfChain, Phase::Move},
    {"met-permutes", "ttnn.permute", proposeMetPermutes, Phase::Move},
    {"met-permutes", kAnyOp, proposePermutesBehind, Phase::Move},
    {"late-permute", "ttnn.mean", proposeLatePermute, Phase::Move},
    {"late-permute", "ttnn.sum", proposeLatePermute, Phase::Move},
    {"late-permute", "ttnn.max", proposeLatePermute, Phase::Move},
    {"late-permute", "ttnn.min", proposeLatePermute, Phase::Move},
    {"late-scale", "ttnn.permute", proposeLateScale},
    {"narrow-moves", "ttnn.typecast", proposeNarrowMoves},
    {"narrow-moves", "ttnn.argmax", proposeNarrowSearch},
    {"narrow-moves", "ttnn.typecast", proposeNarrowChoice, Phase::Move},
    {"narrow-functions", "ttnn.typecast", proposeNarrowFunction, Phase::Move},
    {"late-cast", "ttnn.permute", proposeLateCast},
    {"heads-in-parts", "ttnn.concatenate_heads", proposeHeadsInParts, Phase::Activate},
    {"taken-ranks", "ttnn.pad", proposeJoinedPadding, Phase::Activate},
    {"taken-ranks", "ttnn.gather", proposeGatherOfRow, Phase::Activate},
    {"taken-types", kAnyOp, proposeTakenIntegers, Phase::Activate},
    {"taken-types", kAnyOp, proposeTakenFloats, Phase::Activate},
};

/// Names of ops, for new ones and for the record.
/// Counted by kind in the order in which rows are made, which the driver's walk from top to bottom decides: the same
/// program gets the same names.
class Names {
public:
  explicit Names(func::FuncOp function) {
    function.walk([&](Operation *op) { taken.insert(nameOf(op)); });
  }

  static StringRef nameOf(Operation *op) {
    auto named = op->getLoc()->findInstanceOf<NameLoc>();
    return named ? named.getName().getValue() : StringRef();
  }

  void give(Operation *op) {
    StringRef kind = op->getName().stripDialect();
    std::string name;
    // An override names an op of the input, so a made op never takes a name that the function has already.
    do
      name = (kind + "_" + llvm::Twine(counters[kind]++)).str();
    while (!taken.insert(name).second);
    op->setLoc(ttnn::madeByRewrite(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc())));
  }

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> counters;
};

/// What all rows of one run share.
struct Run {
  std::string function;
  bool isCalled; ///< by other ops of the module
  const RewriteConsent &consent;
  const llvm::StringSet<> &kept;
  Names names;
  std::vector<AppliedRewrite> applied;
  llvm::DenseMap<Type, bool> held{}; ///< by type of tensor; only looked up

  /// As isPlaced, asked once of each type: every row wants to know it of all that its root reads and makes.
  bool isHeld(mlir::Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    auto [known, isNew] = held.try_emplace(value.getType());
    if (isNew)
      known->second = isPlaced(value);
    return known->second;
  }
  /// What the user pins stays, and what has properties that Tessera does not know: with these it may compute something else.
  bool mayGo(Operation *op) const {
    return !op->hasAttr("tessera.pin") && !ttnn::unreadProperties(op) && !kept.contains(Names::nameOf(op));
  }
  /// And what says more is not replaced by what does not; it may go where nothing needs it, or a copy is made.
  bool mayBeReplaced(Operation *op) const { return mayGo(op) && !ttnn::saysMore(op); }
  /// Copies, conversions of pages and tensors of given numbers are legal as long as there is memory; rows make them of constants.
  bool mayBeMade(Operation *op) const {
    return isa<ttnn::ToDeviceOp, ttnn::FromDeviceOp, ttnn::ToLayoutOp, ttnn::FullOp, ttnn::ConstantOp,
               ttnn::GetDeviceOp>(op) ||
           consent(op);
  }
};

/// As what is gone is told of. Devices and the like are no ops to plan.
std::vector<ReplacedOp> replacedOps(ArrayRef<Operation *> ops) {
  std::vector<ReplacedOp> list;
  for (Operation *op : ops)
    if (auto made = op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr) {
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleave(made.getShape(), os, "x");
      os << "x" << made.getElementType();
      list.push_back({op->getName().getStringRef().str(), Names::nameOf(op).str(), text});
    }
  return list;
}

/// A row as MLIR's pattern driver takes it.
/// A row only proposes: it builds what would stand there, and says what that replaces. Whether it may is decided
/// here, alike for all rows: what is pinned, what the op model refuses, what the user's overrides name.
class RowPattern : public RewritePattern {
public:
  RowPattern(MLIRContext *context, const Row &row, const RewriteInfo &info, PatternBenefit benefit, Run &run)
      : RewritePattern(row.root, benefit, context), row(row), info(info), run(run) {}
  struct OfAnyOp {};
  RowPattern(OfAnyOp, MLIRContext *context, const Row &row, const RewriteInfo &info, PatternBenefit benefit,
             Run &run)
      : RewritePattern(MatchAnyOpTypeTag(), benefit, context), row(row), info(info), run(run) {}

  LogicalResult matchAndRewrite(Operation *root, PatternRewriter &rewriter) const override {
    auto isHeld = [this](mlir::Value value) { return run.isHeld(value); };
    auto mayGo = [this](Operation *op) { return run.mayGo(op); };
    auto mayBeReplaced = [this](Operation *op) { return run.mayBeReplaced(op); };
    // Weights of convolutions may lie on the host.
    OperandRange read = isa<ttnn::Conv2dOp>(root) ? root->getOperands().take_front() : root->getOperands();
    if (!llvm::all_of(read, isHeld) || !llvm::all_of(root->getResults(), isHeld))
      return failure();
    // Few rows find what they look for, so that is asked before all that tells whether it may go.
    Proposal proposal(root);
    if (!row.propose(root, proposal) || !mayBeReplaced(root) ||
        !llvm::all_of(proposal.replacedOps(), mayBeReplaced) || !proposal.keepsReturned() ||
        !proposal.keepsFormats() || !proposal.keepsApart(run.isCalled))
      return failure();
    // Makers that would be read no more count as gone, too: a pinned one among them would be there for nothing.
    llvm::SmallVector<Operation *> gone = proposal.goneOps();
    // What would round packed tiles on its way is not made; exact rewrites keep what does.
    if (llvm::any_of(proposal.newOps(), regroupsPacked) ||
        (info.exactness == Exactness::Exact && llvm::any_of(gone, regroupsPacked)))
      return failure();
    if (!llvm::all_of(gone, mayGo) ||
        !llvm::all_of(proposal.newOps(), [this](Operation *op) { return run.mayBeMade(op); }))
      return failure();
    if (proposal.isOnlyForRefused() && run.mayBeMade(root))
      return failure();
    AppliedRewrite applied{
        &info, run.function, root->getLoc(), "", Names::nameOf(root).str(), replacedOps(gone), {}};
    // A row that found its result in the program already makes nothing.
    Operation *about = proposal.newOps().empty() ? nullptr : proposal.about();
    proposal.take(rewriter, [&](Operation *op) {
      run.names.give(op);
      applied.makes.push_back(Names::nameOf(op).str());
    });
    if (about)
      applied.made = Names::nameOf(about).str();
    run.applied.push_back(std::move(applied));
    return success();
  }

private:
  const Row &row;
  const RewriteInfo &info;
  Run &run;
};

} // namespace

/// Until none applies, of that phase or an earlier one.
static void applyRows(func::FuncOp function, const RewriteSelection &selection, Phase phase, Run &run) {
  RewritePatternSet patterns(function.getContext());
  // The driver asks the row of greatest benefit first, and says nothing of equals: so no two have the same.
  // At one op the first row of the table goes first.
  unsigned short benefit = std::size(kRows);
  for (const Row &row : kRows) {
    const RewriteInfo &info = *findRewrite(row.rewrite);
    if (selection.has(info) && row.phase <= phase)
      patterns.add(row.root == kAnyOp
                       ? std::make_unique<RowPattern>(RowPattern::OfAnyOp(), function.getContext(), row, info,
                                                      benefit, run)
                       : std::make_unique<RowPattern>(function.getContext(), row, info, benefit, run));
    --benefit;
  }
  // Passes over the function, and rewrites per op of it. Both are far above what any program takes, and end what two
  // rows would do for ever that undo each other.
  constexpr int64_t kMostPasses = 100, kMostOfEach = 100;
  const auto ops = std::distance(function.getOps().begin(), function.getOps().end());
  // Rows only: folders, merged constants and simplified regions would be rewrites that nobody can name or switch off.
  GreedyRewriteConfig config;
  config.enableFolding(false)
      .enableConstantCSE(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .setMaxIterations(kMostPasses)
      .setMaxNumRewrites(kMostOfEach * ops)
      .setUseTopDownTraversal(true);
  // Each row leaves fewer ops or emptier tiles, so this ends; if the driver gives up before, what it made is right all the same. What one
  // block of a deep network hands on reaches the last one after more passes than the driver's own ten.
  (void)applyPatternsGreedily(function, std::move(patterns), config);
}

/// Whether a tensor of the function has extents that only a run knows.
static bool hasDynamicExtents(func::FuncOp function) {
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  // Arguments that nobody reads are of no concern, and all others are operands.
  WalkResult found = function.walk([&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isDynamic) || llvm::any_of(op->getResultTypes(), isDynamic)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

std::vector<AppliedRewrite> tessera::applyRewrites(func::FuncOp function, const RewriteSelection &selection,
                                                   const RewriteConsent &consent,
                                                   const llvm::StringSet<> &kept, bool isCalled) {
  // Rows look further than at what they replace, and would take such an extent for a number. No device has tensors like that.
  if (hasDynamicExtents(function))
    return {};
  // When tensors end is the plan's to say, and a use that is none would keep ops alive.
  function.walk([](ttnn::DeallocateOp free) {
    if (!ttnn::saysMore(free))
      free.erase();
  });
  Run run{function.getSymName().str(), isCalled, consent, kept, Names(function), {}};
  readBeforeMoves(function, [&](Operation *op) { return run.mayGo(op); });
  // Each phase has the rows of those before it as well, since what moves may lay bare what fuses.
  for (Phase phase : {Phase::Fuse, Phase::Move, Phase::Activate})
    applyRows(function, selection, phase, run);
  // Last, since rows leave what they do to weights where the weights are read.
  if (const RewriteInfo &info = *findRewrite("const-eval"); selection.has(info))
    hoistConstants(
        function, [&](Operation *op) { return run.mayGo(op); },
        [&](Operation *load, ArrayRef<Operation *> were) {
          std::vector<ReplacedOp> gone = replacedOps(were);
          LocationAttr place = were.front()->getLoc();
          run.names.give(load);
          std::string made = Names::nameOf(load).str();
          run.applied.push_back({&info, run.function, place, made, gone.front().location, gone, {made}});
        });
  // Behind the rows that make updates in place of scatters: what reads the argument is a conversion then.
  if (const RewriteInfo &info = *findRewrite("donated"); selection.has(info) && !isCalled)
    takeDonated(
        function, [&](Operation *copy) { return run.mayBeReplaced(copy); },
        [&](ArrayRef<Operation *> copies) {
          std::vector<ReplacedOp> gone = replacedOps(copies);
          run.applied.push_back(
              {&info, run.function, copies.front()->getLoc(), "", gone.front().location, gone, {}});
        });
  return std::move(run.applied);
}
