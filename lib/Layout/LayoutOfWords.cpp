//===- LayoutOfWords.cpp - From words to a layout, and back ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// "l1 height_sharded 8x1" says less than a layout has: shard and cores follow
// from the tensor and the device, unless the words name them. So words become a
// layout through the builders of TensorLayout.h, and a layout becomes words by
// leaving out what would follow anyway: `wordsOf` asks `layoutFor` what it
// would make of the shorter words, and keeps a word where that is another
// layout. What is printed so can be typed in again.
//
//===----------------------------------------------------------------------===//
#include "TextParts.h"
#include "tessera/Layout/LayoutText.h"
#include "tessera/Support/Format.h"

using namespace llvm;

namespace tessera {
namespace {

/// On the worker cores, where L1_SMALL lies as well.
bool onCores(BufferType buffer) { return buffer == BufferType::L1 || buffer == BufferType::L1Small; }

/// Where shards go: on the worker cores, or on the banks of DRAM, which form a row.
GridShape placesOf(BufferType buffer, const DeviceSpec &device) {
  return onCores(buffer) ? device.workerGrid : GridShape{1, device.dramBanks};
}

/// Shards in one row or column go over the places row by row, so that their number must fit; block shards lie on
/// the cores as the grid says, so that each side must.
bool fits(MemoryLayout memory, GridShape shards, GridShape places) {
  return memory == MemoryLayout::BlockSharded ? shards.rows <= places.rows && shards.columns <= places.columns
                                              : shards.volume() <= places.volume();
}

/// Grid and kind of sharding belong together, and fit the device. "" if they do.
std::string checkShards(const LayoutWords &words, const DeviceSpec &device) {
  MemoryLayout memory = words.memory.value_or(MemoryLayout::Interleaved);
  bool sharded = memory != MemoryLayout::Interleaved;
  if (!sharded && (words.shard || words.cores))
    return "an interleaved layout has no shard and no cores of its own";
  if (!words.grid)
    return sharded ? (name(memory) + " needs a grid").str() : "";
  std::string grid = text({words.grid->rows, words.grid->columns});
  if (!sharded)
    return "grid " + grid + " needs height_sharded, width_sharded or block_sharded";
  if (words.buffer == BufferType::SystemMemory)
    return "system_memory holds no shards";
  bool isLine = memory == MemoryLayout::BlockSharded ||
                (memory == MemoryLayout::HeightSharded ? words.grid->columns : words.grid->rows) == 1;
  if (!isLine)
    return "grid " + grid + " does not fit " + name(memory).str();
  // Whoever names the cores may ask about more of them than there are.
  GridShape places = placesOf(*words.buffer, device);
  if (words.cores || fits(memory, *words.grid, places))
    return "";
  return onCores(*words.buffer)
             ? "grid " + grid + " has more cores than the device"
             : formatv("grid {0} does not fit the row of {1} DRAM banks", grid, places.columns).str();
}

/// Puts shard and cores in the place of those that follow from the rest. Returns what is wrong with them, or "".
std::string setShards(TensorLayout &layout, const LayoutWords &words) {
  if (words.shard) {
    GridShape unit = layout.isTiled() ? GridShape{layout.tile.height, layout.tile.width} : GridShape{1, 1};
    if (words.shard->rows % unit.rows || words.shard->columns % unit.columns)
      return "shard " + text({words.shard->rows, words.shard->columns}) + " is not of whole tiles";
    layout.shard = {words.shard->rows / unit.rows, words.shard->columns / unit.columns};
  }
  if (words.cores)
    layout.cores = words.cores;
  if (layout.cores && layout.cores->size() != layout.coreCount())
    return formatv("{0} cores do not hold {1} shards", layout.cores->size().value(),
                   layout.coreCount().value());
  // Without either, the layout is one of the builders', which are legal by construction unless blocks end up in DRAM.
  bool stated = words.shard || words.cores;
  return stated || (layout.isDram() && layout.isSharded()) ? checkLayout(layout) : "";
}

} // namespace

GridShape shardInElements(const TensorLayout &layout) {
  return layout.isTiled()
             ? GridShape{layout.shard.rows * layout.tile.height, layout.shard.columns * layout.tile.width}
             : layout.shard;
}

LayoutWords wordsOf(const TensorLayout &layout) {
  LayoutWords words{.buffer = layout.buffer, .memory = layout.memory};
  if (layout.isSharded())
    words.grid = layout.grid;
  if (!layout.isTiled())
    words.page = layout.page;
  return words;
}

LayoutWords wordsOf(const TensorLayout &layout, const TensorDesc &tensor, const DeviceSpec &device) {
  LayoutWords words = wordsOf(layout);
  if (!layout.isSharded())
    return words;
  LayoutWords withCores = words;
  withCores.cores = layout.cores;
  // Two layouts for two questions. Which cores follow from the words, the plain one says. Which shard does is asked
  // with the cores given: a grid that is larger than the device is an error without them.
  Expected<TensorLayout> plain = layoutFor(words, tensor, device),
                         placed = layoutFor(withCores, tensor, device);
  if (!plain || plain->cores != layout.cores)
    words.cores = layout.cores;
  if (!placed || placed->shard != layout.shard)
    words.shard = shardInElements(layout);
  if (!plain)
    consumeError(plain.takeError());
  if (!placed)
    consumeError(placed.takeError());
  return words;
}

Expected<TensorLayout> layoutFor(const LayoutWords &words, const TensorDesc &tensor,
                                 const DeviceSpec &device) {
  if (!words.buffer)
    return failure("'{0}' does not say which memory; legal words are {1}", print(words), legalLayoutWords());
  // A data type in the words is a check only: the layout takes the tensor's, and a conversion of the type is another
  // op.
  if (words.dtype && *words.dtype != tensor.dtype)
    return failure("the layout is of {0}, the tensor of {1}", name(*words.dtype), name(tensor.dtype));
  if (std::string wrong = checkShards(words, device); !wrong.empty())
    return failure("{0}", wrong);
  PageLayout page = words.page.value_or(PageLayout::Tile);
  if (words.buffer == BufferType::SystemMemory)
    return systemMemory(tensor, page);
  // The builders know the two memories only, so the buffer is put in afterwards.
  GridShape places = placesOf(*words.buffer, device);
  TensorLayout layout =
      onCores(*words.buffer) ? l1Interleaved(tensor, places, page) : dramInterleaved(tensor, page);
  if (words.grid)
    // Canonical cores are defined on a grid that has enough of them. Where it has not, the words name the cores
    // (checkShards), and setShards puts these in the place of what is computed here.
    layout = l1Sharded(tensor, *words.memory, *words.grid,
                       fits(*words.memory, *words.grid, places) ? places : *words.grid, page);
  layout.buffer = *words.buffer;
  if (std::string wrong = setShards(layout, words); !wrong.empty())
    return failure("{0}", wrong);
  return layout;
}

Expected<TensorLayout> parseLayoutFor(StringRef text, const TensorDesc &tensor, const DeviceSpec &device) {
  Expected<LayoutWords> words = parseLayoutWords(text);
  return words ? layoutFor(*words, tensor, device) : words.takeError();
}

std::string describe(const TensorLayout &layout) {
  std::string words = print(wordsOf(layout));
  if (!layout.isSharded())
    return words;
  std::string shard = layout.ignorePhysicalLayout ? "any shard"
                                                  : text({layout.shard.rows, layout.shard.columns}) +
                                                        (layout.isTiled() ? " tiles" : " elements");
  return words + " " + shard + " " + name(layout.dtype).str();
}

std::string inWords(const TensorLayout &layout, const DeviceSpec &device) {
  std::string pages = layout.isTiled() ? "tiles" : "row-major", dtype = name(layout.dtype).str();
  if (!layout.memory)
    return "on the host, " + pages + ", " + dtype;
  bool dram = layout.isDram();
  std::string unit = dram ? "bank" : "core",
              size = formatBytes(bytesPerCore(layout, device)) + " per " + unit;
  std::string where = dram ? " in DRAM over " : layout.isL1() ? " in L1 over " : " in L1_SMALL over ";
  if (!layout.isSharded()) {
    int64_t spread = dram ? device.dramBanks : device.workerGrid.volume();
    return "interleaved" + where + std::to_string(spread) + " " + unit + "s, " + pages + ", " + dtype + ", " +
           size;
  }
  std::string how = name(*layout.memory).split('_').first.str() + " sharded";
  std::string shard = layout.ignorePhysicalLayout
                          ? "shards of the backend's choice"
                          : "shards of " + text({layout.shard.rows, layout.shard.columns}) +
                                (layout.isTiled() ? " tiles" : " elements");
  return how + where + text({layout.grid.rows, layout.grid.columns}) + " " + unit + "s, " + shard + ", " +
         dtype + ", " + size;
}

} // namespace tessera
