//===- Conversions.h - From one layout to another, in single ops ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// TTNN has no op that turns any layout into any other. Each conversion op may
// change one thing (facts/dialect 4):
//
//   op                  changes                         keeps
//   to_memory_config    buffer, memory layout, grid     page layout, data type
//   to_layout           page layout and data type       buffer, memory layout, grid
//   typecast            data type                       all else
//
// What changes more is a path of such ops, and which path is best depends on
// the layouts: a kernel tilizes interleaved tensors and some shards only, and
// moving rows costs another time than moving tiles. So the path is the shortest
// one, by the op model's time, over the layouts that combine
//
//   the two page layouts x the two data types x
//   {source placement, target placement, DRAM interleaved, L1 interleaved,
//    where pages change: shards by height, by width and in blocks, on the most cores}
//
//   dram rows  ->  l1/block_sharded tiles:
//     to_layout         dram tiles
//     to_memory_config  l1/block_sharded tiles
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_CONVERSIONS_H
#define TESSERA_OPMODEL_CONVERSIONS_H

#include "tessera/OpModel/OpCostTable.h"

#include <optional>

namespace tessera {

/// The op that makes a conversion in one step.
enum class ConversionKind : uint8_t { MemoryConfig, Layout, Typecast };

/// The op that turns `from` into `to`; nullopt if no single one does. Equal layouts count as MemoryConfig.
std::optional<ConversionKind> narrowConversion(const TensorLayout &from, const TensorLayout &to);

/// The question to ask the op model about that op, for a tensor of `shape`; of `ttnn.to_layout` if no single op
/// does it.
OpSignature conversionSignature(const Shape &shape, const TensorLayout &from, const TensorLayout &to);

/// What one op takes in given layouts, apart from what else lies in L1.
struct StepCost {
  bool legal = false;
  Nanoseconds time;
  Bytes own; ///< L1 per core beside resident tensors: circular buffers, outputs, temporaries, safety margin
};

/// Whether an op may exceed the budget where no tensor lies in L1 but its own (fitsAlone): with its operands it then counts
/// as needing all of the budget, so that it fits there and nowhere else.
enum class Alone : uint8_t { Refused, Allowed };

/// A row of `table` as a step, for its budget and an empty L1. Illegal too if other layouts than the configuration's come out.
StepCost stepCost(const OpCostTable &table, const OpNeeds &row);
StepCost stepCost(const OpCostTable &table, const OpCost &row, Alone alone);
/// The same by the question.
inline StepCost stepCost(const OpCostTable &table, const OpQuery &query, Alone alone = Alone::Refused) {
  return stepCost(table, table.row(query), alone);
}

/// A conversion as the ops that make it.
struct Conversion {
  StepCost cost; ///< of all ops together; `own` includes the tensors between them, the source excluded
  llvm::SmallVector<LayoutId, 2> stops; ///< the layout after each op; the last is the target
};

/// A tensor's shape and data type in the conversions of a table.
using ConvertedId = Id<struct ConvertedTag>;

/// All conversions that anybody asked for under a table's budget, each worked out once. Costs little to make: what is known
/// belongs to the table. Thread-safe.
class Conversions {
public:
  explicit Conversions(const OpCostTable &table) : table(table), store(&table.conversions()) {}

  ConvertedId idOf(const TensorDesc &tensor);
  /// From one layout of `tensor` to another; the data types are the layouts'. A change of placement alone is one
  /// op or none: a reshard that the op model refuses stays refused. Its ops may exceed the budget (Alone) where there is no way
  /// without. The reference holds as long as the table.
  const Conversion &find(ConvertedId tensor, LayoutId from, LayoutId to);
  const Conversion &find(const TensorDesc &tensor, LayoutId from, LayoutId to) {
    return find(idOf(tensor), from, to);
  }

  /// The same by one op, whether or not it is the fastest way; not legal if none does it within the budget.
  StepCost byOneOp(const TensorDesc &tensor, LayoutId from, LayoutId to) const;

private:
  OpCostTable table;
  OpCostTable::KnownConversions *store;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_CONVERSIONS_H
