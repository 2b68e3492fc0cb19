//===- Chains.cpp - Permutes and reshapes in a row as one permute ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks cut images into patches, and put them together again, by reshapes and
// permutes in turn. Whatever they do, each element has moved once: with dimensions
// cut finely enough it is one permute, between two reshapes that move nothing. But for
// those that turn tiles as they are, between views: these are cheaper than any other.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace tessera::rewrite {

namespace {

using Numbers = llvm::SmallVector<int64_t>;

/// Where the elements of a tensor have gone: dimensions as parts of those that it had, from the outermost to the innermost.
/// 12 x 5 reshaped to 3 x 20 and permuted: the part 12 is cut into 3 and 4, dimensions are {3} and {4, 5}, then {4,
/// 5} and {3}. As a permute that is 3 x 20 in the order (1, 0), since 4 and 5 stayed side by side.
class ExtentParts {
public:
  explicit ExtentParts(ArrayRef<int64_t> shape) {
    for (int64_t extent : shape) {
      dimensions.emplace_back();
      if (extent == 1)
        continue;
      dimensions.back().push_back(int64_t(extents.size()));
      asTheyCame.push_back(int64_t(extents.size()));
      extents.push_back(extent);
    }
  }

  void permute(ArrayRef<int64_t> order) {
    dimensions = llvm::map_to_vector(order, [&](int64_t dimension) { return dimensions[size_t(dimension)]; });
  }

  /// False if dimensions are cut where no part of them ends, nor can be cut.
  bool reshape(ArrayRef<int64_t> shape) {
    // Elements keep their order, so the new extents take the parts as they stand. A part that is more than what is left
    // of an extent is cut there; where that leaves no whole numbers there is no form.
    Numbers parts = inOrder();
    dimensions.clear();
    size_t next = 0;
    for (int64_t left : shape) {
      dimensions.emplace_back();
      for (; left > 1; ++next) {
        if (next == parts.size())
          return false;
        int64_t part = parts[next], extent = extents[size_t(part)];
        if (extent > left) {
          if (extent % left != 0)
            return false;
          parts.insert(parts.begin() + int64_t(next) + 1, cut(part, left));
          extent = left;
        }
        if (left % extent != 0)
          return false;
        dimensions.back().push_back(part);
        left /= extent;
      }
    }
    return next == parts.size();
  }

  /// The fewest dimensions that a permute has to have, as the tensor came, and their order now. Those that stayed side by side are one.
  std::pair<Numbers, Numbers> asPermute() const {
    Numbers places(extents.size());
    for (auto [place, part] : llvm::enumerate(asTheyCame))
      places[size_t(part)] = int64_t(place);
    struct Block {
      int64_t first, last, extent;
    };
    llvm::SmallVector<Block> blocks; // in their order now
    for (int64_t part : inOrder()) {
      int64_t place = places[size_t(part)], extent = extents[size_t(part)];
      // Side by side when the tensor came and now: one dimension does for both.
      if (!blocks.empty() && blocks.back().last + 1 == place) {
        blocks.back().last = place;
        blocks.back().extent *= extent;
      } else {
        blocks.push_back({place, place, extent});
      }
    }
    llvm::SmallVector<Block> sorted(blocks);
    llvm::sort(sorted, [](const Block &a, const Block &b) { return a.first < b.first; });
    Numbers order = llvm::map_to_vector(blocks, [&](const Block &block) {
      auto isIt = [&](const Block &other) { return other.first == block.first; };
      return int64_t(llvm::find_if(sorted, isIt) - sorted.begin());
    });
    return {llvm::map_to_vector(sorted, [](const Block &block) { return block.extent; }), order};
  }

private:
  Numbers inOrder() const {
    Numbers parts;
    for (const Numbers &dimension : dimensions)
      llvm::append_range(parts, dimension);
    return parts;
  }

  /// Leaves `outer` of the part, and returns the rest as a part of its own.
  int64_t cut(int64_t part, int64_t outer) {
    const auto inner = int64_t(extents.size());
    extents.push_back(extents[size_t(part)] / outer);
    extents[size_t(part)] = outer;
    asTheyCame.insert(llvm::find(asTheyCame, part) + 1, inner);
    return inner;
  }

  // Parts are numbered as they come to be, so `asTheyCame` lists them from the outermost to the innermost of the
  // source.
  Numbers extents, asTheyCame;
  llvm::SmallVector<Numbers> dimensions;
};

/// Whether the op leaves elements in their tile, or turns tiles each by itself: a view or a permute that all cores share.
bool turnsTiles(Operation *op) {
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
  if (from.size() < 2 || to.size() < 2)
    return false;
  if (auto permute = dyn_cast<ttnn::PermuteOp>(op)) {
    ArrayRef<int64_t> order = permute.getPermutation();
    const auto rank = int64_t(order.size());
    return order[size_t(rank - 2)] == rank - 1 && order[size_t(rank - 1)] == rank - 2 &&
           llvm::equal(order.drop_back(2), llvm::seq<int64_t>(0, rank - 2));
  }
  const int64_t before = from[from.size() - 2], after = to[to.size() - 2];
  return from.back() == to.back() && (before == after || (before % kTile == 0 && after % kTile == 0));
}

/// Permutes and reshapes behind each other that nothing else reads but the last one, from the last to the first.
struct Chain {
  llvm::SmallVector<Operation *> ops;
  size_t permutes = 0;

  explicit Chain(Operation *last) {
    for (Operation *op = last; op && isa<ttnn::PermuteOp, ttnn::ReshapeOp>(op) && isPlaced(op->getOperand(0));
         op = op->getOperand(0).getDefiningOp()) {
      if (op != last && !op->hasOneUse())
        break;
      permutes += isa<ttnn::PermuteOp>(op);
      ops.push_back(op);
    }
  }
  Traced source() const { return operandOf(ops.back(), 0); }
  ArrayRef<Operation *> fromFirstToLastPermute() const {
    auto isReshape = [](Operation *op) { return isa<ttnn::ReshapeOp>(op); };
    auto first = llvm::find_if_not(ops, isReshape);
    auto behind = llvm::find_if_not(llvm::reverse(ops), isReshape).base();
    return {first, behind};
  }

  /// Where elements of the source are behind the last op; nullopt if nobody can tell by parts of dimensions.
  std::optional<ExtentParts> parts() const {
    ExtentParts parts(shapeOf(source().value));
    for (Operation *op : llvm::reverse(ops)) {
      if (auto permute = dyn_cast<ttnn::PermuteOp>(op))
        parts.permute(permute.getPermutation());
      else if (!parts.reshape(shapeOf(op->getResult(0))))
        return std::nullopt;
    }
    return parts;
  }
};

} // namespace

bool proposePermuteOfChain(Operation *root, Proposal &proposal) {
  const Chain chain(root);
  if (chain.permutes < 2 || isConstant(chain.source().value) || !mayBeReadAt(chain.source(), root))
    return false;
  std::optional<ExtentParts> parts = chain.parts();
  if (!parts)
    return false;
  auto [shape, order] = parts->asPermute();
  mlir::Value moved = chain.source().value;
  if (order.size() > 1) {
    moved = proposal.permute(proposal.reshaped(moved, shape), order);
    proposal.isAbout(moved.getDefiningOp());
  }
  proposal.replace(root, proposal.reshaped(moved, shapeOf(root->getResult(0))));
  // One permute in place of two that turn tiles takes elements to other tiles, which costs more than both.
  if (order.size() > 1 && llvm::all_of(chain.fromFirstToLastPermute(), turnsTiles))
    return false;
  // Finer dimensions may leave fewer elements in each tile than all that the one permute stands for had.
  auto volume = [](int64_t sum, Operation *op) { return sum + paddedVolume(shapeOf(op->getResult(0))); };
  return std::accumulate(proposal.newOps().begin(), proposal.newOps().end(), int64_t(0), volume) <=
         std::accumulate(chain.ops.begin(), chain.ops.end(), int64_t(0), volume);
}

} // namespace tessera::rewrite
