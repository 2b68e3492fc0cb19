//===- ConfigNumbers.cpp - Numbers in configs that no chip can follow -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What is wrong with a value whatever tensor it is for. Whether it suits its op's
// tensors is asked of the op model, when a config is traced as it stands.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

class Numbers {
public:
  Numbers(const Target &target) : target(target) {}
  std::vector<std::string> wrong;

  void check(const Item &item, const std::string &place) {
    if (const Dict *dict = item.get<Dict>())
      for (const auto &[key, below] : dict->entries)
        check(below, place + (place.empty() ? "" : ".") + key);
    if (const Sequence *list = item.get<Sequence>())
      for (auto [index, below] : llvm::enumerate(list->items))
        check(below, place + "[" + std::to_string(index) + "]");
    if (const auto *saved = item.get<SavedWeight>())
      check(saved->memoryConfig, place + ".memory_config");
    if (const Object *object = item.get<Object>())
      checkObject(*object, item, place);
  }

private:
  void checkObject(const Object &object, const Item &item, const std::string &place) {
    // As a whole: what its shard spec may be depends on the other fields.
    if (auto config = fromItem<MemoryConfig>(item))
      return checkMemory(*config, place);
    bool program = object.type->name.contains("ProgramConfig");
    for (auto [field, below] : llvm::zip_equal(object.type->fields, object.fields)) {
      std::string at = place + "." + field.name.str();
      const int64_t *number = below.get<int64_t>();
      // Chunk sizes of 0 leave the choice to the op.
      int64_t least = field.name.ends_with("chunk_size") ? 0 : 1;
      if (number && (program || field.name == "num_links") && *number < least)
        wrong.push_back(at + " should be " + std::to_string(least) + " or more, not " +
                        std::to_string(*number));
      if (field.name == "num_links" && number && *number > kMostLinks)
        wrong.push_back(at + " should be " + std::to_string(kMostLinks) + " or less, not " +
                        std::to_string(*number));
      if (auto grid = fromItem<GridShape>(below); grid && program)
        checkGrid(*grid, at);
      check(below, at);
    }
    if (auto matmul = fromItem<MatmulMultiCoreReuseMultiCastProgramConfig>(item))
      checkSubblocks(*matmul, place);
    if (auto norm = fromItem<LayerNormShardedMultiCoreProgramConfig>(item))
      checkDivides(norm->subblock_w, norm->block_w, place + ".subblock_w", "block_w");
  }

  void checkGrid(GridShape grid, const std::string &place) {
    if (grid.rows < 1 || grid.columns < 1 || grid.rows > target.workerGrid.rows ||
        grid.columns > target.workerGrid.columns)
      wrong.push_back(place + " is " + std::to_string(grid.columns) + "x" + std::to_string(grid.rows) +
                      ", and the device has " + std::to_string(target.workerGrid.columns) + "x" +
                      std::to_string(target.workerGrid.rows) + " cores");
  }

  void checkDivides(int64_t part, int64_t whole, const std::string &place, llvm::StringRef of) {
    if (part > 0 && whole > 0 && whole % part != 0)
      wrong.push_back(place + " is " + std::to_string(part) + ", which does not divide " + of.str() + ", " +
                      std::to_string(whole));
  }

  /// A core makes its block of the result subblock by subblock: what did not divide the block would leave a rest that
  /// no kernel computes.
  void checkSubblocks(const MatmulMultiCoreReuseMultiCastProgramConfig &config, const std::string &place) {
    checkDivides(config.out_subblock_h, config.per_core_M, place + ".out_subblock_h", "per_core_M");
    checkDivides(config.out_subblock_w, config.per_core_N, place + ".out_subblock_w", "per_core_N");
    // The destination registers hold 8 tiles (facts/hardware 1.6).
    if (config.out_subblock_h > 0 && config.out_subblock_w > 8 / config.out_subblock_h)
      wrong.push_back(place + ".out_subblock_w: a subblock has 8 tiles at most");
  }

  void checkMemory(const MemoryConfig &config, const std::string &place) {
    if (!config.shard_spec)
      return;
    std::string at = place + ".shard_spec";
    if (config.memory_layout == MemoryLayout::Interleaved)
      wrong.push_back(at + ": an interleaved tensor has no shards");
    // The banks of the DRAM form one row (facts/ir 1.1).
    GridShape most =
        config.buffer_type == BufferType::DRAM ? GridShape{1, target.dramBanks} : target.workerGrid;
    for (const CoreRange &range : config.shard_spec->grid)
      if (range.start.x < 0 || range.start.y < 0 || range.end.x < range.start.x ||
          range.end.y < range.start.y || range.end.x >= most.columns || range.end.y >= most.rows)
        wrong.push_back(at + ".grid: (" + std::to_string(range.start.x) + ", " +
                        std::to_string(range.start.y) + ") to (" + std::to_string(range.end.x) + ", " +
                        std::to_string(range.end.y) + ") is no range of " + std::to_string(most.columns) +
                        "x" + std::to_string(most.rows) +
                        (config.buffer_type == BufferType::DRAM ? " banks" : " cores"));
    llvm::ArrayRef<int64_t> shape = config.shard_spec->shape;
    if (shape.size() != 2 || llvm::any_of(shape, [](int64_t extent) { return extent < 1; }))
      wrong.push_back(at + ".shape should be height and width, each above 0");
  }

  /// Between two chips of a Galaxy.
  static constexpr int64_t kMostLinks = 4;
  const Target &target;
};

} // namespace

std::vector<std::string> runner::checkNumbers(const Item &config, const Target &target) {
  Numbers numbers(target);
  numbers.check(config, "");
  return std::move(numbers.wrong);
}
