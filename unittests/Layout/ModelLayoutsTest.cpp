//===- ModelLayoutsTest.cpp - Every layout of the shared models ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

//
// Reads `tensor<shape x type, #alias>` and `#alias = #ttnn.ttnn_layout<...>`
// from the files of shared/models/ttnn by plain text search, and holds them
// against the builders: none of them needs a special case.
//
//===----------------------------------------------------------------------===//

#include "SharedFiles.h"
#include "tessera/Layout/TensorLayout.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

using namespace tessera;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// "384x128x" -> extents; what follows the last `x` is left in `text`.
Shape takeExtents(StringRef &text) {
  Shape shape;
  int64_t extent = 0;
  while (!text.empty() && llvm::isDigit(text.front())) {
    StringRef number = text.take_while(llvm::isDigit);
    if (!text.drop_front(number.size()).starts_with("x") || number.getAsInteger(10, extent))
      break;
    shape.push_back(extent);
    text = text.drop_front(number.size() + 1);
  }
  return shape;
}

/// One result of an affine map: a sum of terms `d0 * 64`, `d1`, `0`.
LinearMap::Result parseSum(StringRef text, unsigned dims) {
  LinearMap::Result result;
  result.coefficients.assign(dims, 0);
  SmallVector<StringRef> terms;
  text.split(terms, " + ");
  for (StringRef term : terms) {
    auto [dim, factor] = term.split(" * ");
    unsigned index = 0;
    int64_t value = 1;
    if (!dim.trim().consume_front("d")) {
      term.trim().getAsInteger(10, result.constant);
      continue;
    }
    dim.trim().drop_front().getAsInteger(10, index);
    if (!factor.empty())
      factor.trim().getAsInteger(10, value);
    result.coefficients[index] = value;
  }
  return result;
}

/// The text between `open` and `close` after it.
StringRef between(StringRef text, StringRef open, StringRef close) {
  return text.split(open).second.split(close).first;
}

/// Core ranges `(x0,y0), (x1,y1)`.
CoreRangeSet parseCores(StringRef text) {
  CoreRangeSet set;
  while (text.contains("core_range<(")) {
    text = text.split("core_range<(").second;
    SmallVector<StringRef> numbers;
    text.split(">").first.split(numbers, ",");
    int64_t v[4] = {};
    for (size_t i = 0; i != 4 && i != numbers.size(); ++i)
      numbers[i].trim(" ()").getAsInteger(10, v[i]);
    set.ranges.push_back({{v[0], v[1]}, {v[2], v[3]}});
  }
  return set;
}

TensorLayout parseLayout(StringRef text) {
  TensorLayout layout;
  StringRef dims = between(text, "(", ")");
  layout.linear.dims = dims.empty() ? 0 : dims.count(',') + 1;
  SmallVector<StringRef> results;
  between(text, "-> (", ")").split(results, ", ");
  for (StringRef result : results)
    layout.linear.results.push_back(parseSum(result, layout.linear.dims));
  StringRef grid = between(text, ", <", ">");
  layout.grid.rows = std::atoll(grid.str().c_str());
  layout.grid.columns = std::atoll(grid.split('x').second.str().c_str());
  StringRef memref = text.split("memref<").second;
  Shape shard = takeExtents(memref);
  layout.shard = {shard[0], shard[1]};
  layout.page = memref.starts_with("!ttcore.tile<") ? PageLayout::Tile : PageLayout::RowMajor;
  StringRef dtype = layout.isTiled() ? between(memref, "32x32, ", ">") : memref.split(",").first;
  dtype = llvm::StringSwitch<StringRef>(dtype)
              .Case("ui32", "u32")
              .Case("ui16", "u16")
              .Case("ui8", "u8")
              .Default(dtype);
  EXPECT_TRUE(parseDataType(dtype).has_value()) << dtype.str();
  layout.dtype = parseDataType(dtype).value_or(DataType::BFloat16);
  StringRef rest = memref.split("#").second;
  std::optional<BufferType> buffer = parseBufferType(rest.take_until([](char c) { return c == '>'; }));
  EXPECT_TRUE(buffer.has_value()) << text.str();
  layout.buffer = buffer.value_or(BufferType::DRAM);
  layout.memory = parseMemoryLayout(between(rest, ", <", ">"));
  if (text.contains("core_ranges"))
    layout.cores = parseCores(text);
  return layout;
}

/// The builders' layout for the same tensor and placement.
TensorLayout rebuild(const TensorLayout &layout, const TensorDesc &tensor, GridShape workers) {
  if (!layout.onDevice())
    return systemMemory(tensor, layout.page);
  if (layout.isSharded())
    return l1Sharded(tensor, *layout.memory, layout.grid, workers, layout.page);
  return dramInterleaved(tensor, layout.page);
}

/// Checks every distinct (tensor, layout) of a file; returns how many.
size_t checkFile(StringRef text, const DeviceSpec &device) {
  llvm::StringMap<TensorLayout> layouts;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (auto [alias, body] = line.split(" = #ttnn.ttnn_layout"); !body.empty())
      layouts[alias] = parseLayout(body);

  std::set<StringRef> seen;
  for (StringRef rest = text.split("tensor<").second; !rest.empty(); rest = rest.split("tensor<").second) {
    StringRef type = rest.take_until([](char c) { return c == '\n'; });
    TensorDesc tensor{takeExtents(type), DataType::BFloat16};
    StringRef alias = type.substr(type.find('#')).take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '#';
    });
    auto found = layouts.find(alias);
    StringRef key(rest.data(), size_t(alias.end() - rest.data()));
    if (found == layouts.end() || !seen.insert(key).second)
      continue;
    const TensorLayout &layout = found->second;
    tensor.dtype = layout.dtype;
    EXPECT_EQ(checkLayoutFor(layout, tensor.shape, device), "") << key.str();
    TensorLayout rebuilt = rebuild(layout, tensor, device.workerGrid);
    EXPECT_EQ(rebuilt.shard, layout.shard) << key.str();
    EXPECT_EQ(rebuilt.linear, layout.linear) << key.str();
    EXPECT_EQ(rebuilt.cores, layout.cores) << key.str();
    EXPECT_GE(bytesPerCore(layout, device) * (layout.isDram() ? device.dramBanks : layout.grid.volume()),
              layout.onDevice() ? totalBytes(layout, tensor.shape) : Bytes(0));
  }
  return seen.size();
}

TEST(ModelLayouts, AllFollowFromShapeAndPlacement) {
  size_t pairs = 0;
  std::vector<std::filesystem::path> files = modelFiles();
  for (const std::filesystem::path &file : files) {
    SCOPED_TRACE(file);
    auto buffer = llvm::MemoryBuffer::getFile(file.string());
    ASSERT_TRUE(bool(buffer)) << buffer.getError().message();
    pairs += checkFile((*buffer)->getBuffer(), *findDevice("n150"));
  }
  EXPECT_GE(pairs, files.size() * 5) << "the text search finds almost nothing";
  std::printf("%zu files, %zu distinct tensors\n", files.size(), pairs);
}

} // namespace
