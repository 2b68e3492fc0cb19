//===- LayoutText.cpp - Layouts in words: one form, read and written ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The grammar of layouts on command lines, in override files and in texts of
// problems: words in any order, parted by '/' or ':', of which no two kinds
// share a spelling. Each kind of word may stand once. Short forms ("hs8", "rm")
// are read as what they stand for, and are printed where they say the same.
//
//===----------------------------------------------------------------------===//
#include "tessera/Layout/LayoutText.h"

#include "TextParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tessera {
namespace {

/// Beyond any device; keeps products of two within 64 bits.
constexpr int64_t kLargestGrid = 1 << 16;

constexpr StringLiteral kShard = "shard=", kCores = "cores=";

/// Short forms of one word.
struct Alias {
  StringLiteral text;
  LayoutWords words;
};
const Alias kAliases[] = {{"host", {.buffer = BufferType::SystemMemory}},
                          {"rm", {.page = PageLayout::RowMajor}}};

/// Short forms that a number of cores, or a grid, follows. Longer ones first where one begins like another.
struct Prefix {
  StringLiteral text, example;
  BufferType buffer;
  MemoryLayout memory;
};
constexpr Prefix kPrefixes[] = {
    {"wsdram", "wsdram12", BufferType::DRAM, MemoryLayout::WidthSharded},
    {"hs", "hs8", BufferType::L1, MemoryLayout::HeightSharded},
    {"ws", "ws8", BufferType::L1, MemoryLayout::WidthSharded},
    {"bs", "bs2x4", BufferType::L1, MemoryLayout::BlockSharded},
};

constexpr BufferType kBuffers[] = {BufferType::DRAM, BufferType::L1, BufferType::SystemMemory,
                                   BufferType::L1Small, BufferType::Trace};
/// Without nd_sharded: rows and columns cannot say how it cuts.
constexpr MemoryLayout kMemories[] = {MemoryLayout::Interleaved, MemoryLayout::HeightSharded,
                                      MemoryLayout::WidthSharded, MemoryLayout::BlockSharded};
constexpr PageLayout kPages[] = {PageLayout::Tile, PageLayout::RowMajor};

template <class Enum>
std::string namesOf(ArrayRef<Enum> values) {
  return join(map_range(values, [](Enum value) { return name(value); }), ", ");
}

std::optional<int64_t> parseExtent(StringRef text, int64_t least = 1, int64_t most = kLargestGrid) {
  int64_t value = 0;
  if (text.getAsInteger(10, value) || value < least || value > most)
    return std::nullopt;
  return value;
}

/// "8x7": rows before columns, as everywhere but in core coordinates.
std::optional<GridShape> gridIn(StringRef text, int64_t most = kLargestGrid) {
  auto [rows, columns] = text.split('x');
  std::optional<int64_t> height = parseExtent(rows, 1, most), width = parseExtent(columns, 1, most);
  return height && width ? std::optional(GridShape{*height, *width}) : std::nullopt;
}

/// One core count, of height or width sharding; a grid, of block sharding.
std::optional<GridShape> gridOf(MemoryLayout memory, StringRef text) {
  if (memory == MemoryLayout::BlockSharded)
    return gridIn(text);
  std::optional<int64_t> cores = parseExtent(text);
  if (!cores)
    return std::nullopt;
  return memory == MemoryLayout::HeightSharded ? GridShape{*cores, 1} : GridShape{1, *cores};
}

/// nullopt of what only begins like a short form: "hs" without a number, "bs8" without a grid.
std::optional<LayoutWords> shortForm(StringRef text) {
  for (const Alias &alias : kAliases)
    if (alias.text == text)
      return alias.words;
  for (const Prefix &prefix : kPrefixes) {
    StringRef rest = text;
    if (!rest.consume_front(prefix.text))
      continue;
    if (std::optional<GridShape> grid = gridOf(prefix.memory, rest))
      return LayoutWords{.grid = grid, .buffer = prefix.buffer, .memory = prefix.memory};
  }
  return std::nullopt;
}

/// "3:1": column before row, as TTNN writes cores.
std::optional<CoreCoord> coreIn(StringRef text) {
  auto [column, row] = text.split(':');
  std::optional<int64_t> x = parseExtent(column, 0), y = parseExtent(row, 0);
  return x && y ? std::optional(CoreCoord{*x, *y}) : std::nullopt;
}

/// "0:0-7:0+0:1-3:1".
std::optional<CoreRangeSet> coresIn(StringRef text) {
  CoreRangeSet cores;
  for (StringRef range : split(text, '+')) {
    auto [first, last] = range.split('-');
    std::optional<CoreCoord> start = coreIn(first), end = coreIn(last);
    if (!start || !end || end->x < start->x || end->y < start->y)
      return std::nullopt;
    cores.ranges.push_back({*start, *end});
  }
  return cores;
}

std::string coresText(const CoreRangeSet &cores) {
  return join(
      map_range(
          cores.ranges,
          [](const CoreRange &range) {
            return formatv("{0}:{1}-{2}:{3}", range.start.x, range.start.y, range.end.x, range.end.y).str();
          }),
      "+");
}

/// What one word says. No two kinds share a word, so words need no order.
std::optional<LayoutWords> meaningOf(StringRef text) {
  if (auto grid = gridIn(text))
    return LayoutWords{.grid = grid};
  if (auto buffer = parseBufferType(text))
    return LayoutWords{.buffer = buffer};
  if (auto memory = parseMemoryLayout(text); memory && is_contained(kMemories, *memory))
    return LayoutWords{.memory = memory};
  if (auto page = parsePageLayout(text))
    return LayoutWords{.page = page};
  if (auto dtype = parseDataType(text))
    return LayoutWords{.dtype = dtype};
  // A value that cannot be read leaves words that say nothing, which parseLayoutWords() refuses. A shard is in
  // elements, so it may be as large as a tensor; grids have a limit of their own.
  if (text.consume_front(kShard))
    return LayoutWords{.shard = gridIn(text, kMaxLayoutExtent)};
  if (text.consume_front(kCores))
    return LayoutWords{.cores = coresIn(text)};
  return shortForm(text);
}

/// Adds what `more` says; the kind of word that both have, or "".
StringRef merge(LayoutWords &words, const LayoutWords &more) {
  StringRef twice;
  auto add = [&](auto &known, const auto &added, StringRef kind) {
    if (known && added)
      twice = kind;
    else if (added)
      known = added;
  };
  add(words.grid, more.grid, "grid");
  add(words.buffer, more.buffer, "buffer");
  add(words.memory, more.memory, "memory layout");
  add(words.page, more.page, "page layout");
  add(words.dtype, more.dtype, "data type");
  add(words.shard, more.shard, "shard");
  add(words.cores, more.cores, "set of cores");
  return twice;
}

/// The short form for these words of buffer, memory layout and grid; "" if there is none.
std::string shortPlacement(const LayoutWords &words) {
  for (const Prefix &prefix : kPrefixes) {
    if (words.buffer != prefix.buffer || words.memory != prefix.memory || !words.grid)
      continue;
    std::string cores = prefix.memory == MemoryLayout::BlockSharded
                            ? text({words.grid->rows, words.grid->columns})
                            : std::to_string(words.grid->volume());
    // Only what reads back as the same grid is written short, so that printed layouts can be typed in again.
    if (gridOf(prefix.memory, cores) == words.grid)
      return prefix.text.str() + cores;
  }
  return "";
}

/// The words of `whole`, whatever they are. Slashes separate them or, as in upstream's override syntax (facts/ir 2.3),
/// colons. These stand within lists of cores as well, two in each rectangle, so that such a list is put together again.
SmallVector<StringRef> partsOf(StringRef whole) {
  SmallVector<StringRef> pieces, parts;
  char separator = whole.contains('/') ? '/' : ':';
  whole.split(pieces, separator);
  for (size_t i = 0; i < pieces.size(); ++i) {
    StringRef part = pieces[i];
    // "cores=0:0-7:3" is three pieces; a third one with a plus begins another rectangle, as in "3+0:4-1:4".
    for (bool more = separator == ':' && part.starts_with(kCores); more && i + 1 < pieces.size();
         more = pieces[i].contains('+')) {
      i = std::min(i + 2, pieces.size() - 1);
      part = StringRef(part.begin(), size_t(pieces[i].end() - part.begin()));
    }
    parts.push_back(part);
  }
  return parts;
}

std::string shortAlias(const LayoutWords &word, StringRef otherwise) {
  const auto *alias = find_if(kAliases, [&](const Alias &each) { return each.words == word; });
  return (alias == std::end(kAliases) ? otherwise : StringRef(alias->text)).str();
}

} // namespace

// ---- Words -----------------------------------------------------------------------------------------------

Expected<LayoutWords> parseLayoutWords(StringRef whole) {
  SmallVector<StringRef> parts = partsOf(whole);
  LayoutWords words;
  if (is_contained(parts, ""))
    return failure("'{0}' is no layout: a word is missing; legal words are {1}", whole, legalLayoutWords());
  for (StringRef part : parts) {
    std::optional<LayoutWords> meaning = meaningOf(part);
    if (!meaning || *meaning == LayoutWords())
      return failure("'{0}' is no word of a layout; legal are {1}", part, legalLayoutWords());
    if (StringRef twice = merge(words, *meaning); !twice.empty())
      return failure("'{0}' gives the layout a second {1}", part, twice);
  }
  return words;
}

/// In a fixed order, whatever order they were read in, so that equal layouts print alike.
std::string print(const LayoutWords &words, LayoutStyle style) {
  bool isShort = style == LayoutStyle::Short;
  std::string placement = isShort ? shortPlacement(words) : "";
  SmallVector<std::string> parts;
  auto add = [&](const auto &word, auto &&spelling) {
    if (word)
      parts.push_back(spelling(*word));
  };
  auto spelled = [](auto word) { return name(word).str(); };
  if (!placement.empty()) {
    parts.push_back(placement);
  } else {
    add(words.buffer, [&](BufferType buffer) {
      return isShort ? shortAlias({.buffer = buffer}, name(buffer)) : name(buffer).str();
    });
    // A buffer alone is read as interleaved; with no buffer the word may be all that the text says.
    if (!isShort || words.memory != MemoryLayout::Interleaved || !words.buffer)
      add(words.memory, spelled);
    add(words.grid, [](GridShape grid) { return text({grid.rows, grid.columns}); });
  }
  add(words.page,
      [&](PageLayout page) { return isShort ? shortAlias({.page = page}, name(page)) : name(page).str(); });
  add(words.dtype, spelled);
  add(words.shard, [](GridShape shard) { return kShard.str() + text({shard.rows, shard.columns}); });
  add(words.cores, [](const CoreRangeSet &cores) { return kCores.str() + coresText(cores); });
  return join(parts, "/");
}

std::string legalLayoutWords() {
  std::string types, shortForms;
  for (unsigned i = 0; i < kNumDataTypes; ++i)
    types += (i ? ", " : "") + name(DataType(i)).str();
  for (const Alias &alias : kAliases)
    shortForms += (shortForms.empty() ? "" : ", ") + alias.text.str();
  for (const Prefix &prefix : kPrefixes)
    shortForms += ", " + prefix.example.str();
  return "a grid like 8x8; " + namesOf<BufferType>(kBuffers) + "; " + namesOf<MemoryLayout>(kMemories) +
         "; " + namesOf<PageLayout>(kPages) + "; " + types + "; " + kShard.str() + "32x256; " + kCores.str() +
         "0:0-7:3; or short " + shortForms;
}

std::string memoryLayoutNames() { return namesOf<MemoryLayout>(kMemories); }

Expected<GridShape> parseGrid(StringRef text) {
  if (std::optional<GridShape> grid = gridIn(text))
    return *grid;
  return failure("'{0}' is not a grid like 8x8", text);
}

// ---- Tensors ---------------------------------------------------------------------------------------------

/// "2x32x64xbf16"; without a type it is that of TensorDesc(). "scalar" has no dimensions.
Expected<TensorDesc> parseTensorDesc(StringRef whole) {
  TensorDesc tensor;
  SmallVector<StringRef> parts;
  whole.split(parts, 'x');
  // Only the last part can be the type, and no type's name has an `x`, so the split does not cut it.
  if (std::optional<DataType> dtype = parseDataType(parts.back())) {
    tensor.dtype = *dtype;
    parts.pop_back();
  }
  if (parts.size() == 1 && parts.front() == "scalar")
    return tensor;
  for (StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 0)
      return failure("'{0}' is not a tensor type like 32x64xbf16: {1}", whole,
                     part.starts_with("-") ? "negative dimension"
                                           : ("'" + part + "' is neither a size nor a data type").str());
    tensor.shape.push_back(extent);
  }
  if (!fitsLayouts(tensor.shape))
    return failure("'{0}' has more rows or columns than 2^31", whole);
  return tensor;
}

} // namespace tessera
