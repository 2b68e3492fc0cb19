//===- QueryText.cpp - Op model queries as one line of text --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/QueryText.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tessera {
namespace {

using Words = llvm::SmallVector<llvm::StringRef>;

/// Parses and remembers the first thing that is wrong.
class Parser {
public:
  Parser(LayoutPool &layouts, const DeviceSpec &device) : layouts(layouts), device(device) {}

  void parse(llvm::StringRef text, TextQuery &q);
  void parseTensor(llvm::StringRef text, TensorDesc &desc, std::optional<TensorLayout> &layout);
  llvm::Error takeError() {
    return wrong.empty() ? llvm::Error::success() : llvm::createStringError(wrong.c_str());
  }

private:
  void fail(const llvm::Twine &message, llvm::StringRef text) {
    if (wrong.empty())
      wrong = (message + ": '" + text + "'").str();
  }

  int64_t number(llvm::StringRef text) {
    int64_t value = 0;
    if (text.trim().getAsInteger(10, value))
      fail("not a whole number", text);
    return value;
  }

  /// A size of a grid or block: 1 or more, within what any device has.
  int64_t size(llvm::StringRef text) {
    int64_t value = number(text);
    if (value >= 1 && value <= 1 << 16)
      return value;
    fail("not a size from 1 to 65536", text);
    return 1;
  }

  GridShape pair(llvm::StringRef text) {
    auto [rows, columns] = text.split('x');
    return {number(rows), number(columns)};
  }

  TensorDesc description(llvm::StringRef text);
  TensorLayout layoutOf(llvm::StringRef text, const TensorDesc &desc);
  TensorLayout placed(llvm::StringRef text, const TensorDesc &desc, PageLayout page, bool coresGiven);
  TensorLayout sharded(const TensorDesc &desc, MemoryLayout memory, GridShape grid, PageLayout page,
                       bool coresGiven, llvm::StringRef text);
  GridShape shardOf(llvm::StringRef text, const TensorLayout &layout);
  CoreRangeSet coresOf(llvm::StringRef text);
  AttrValue attribute(llvm::StringRef text);
  MatmulProgramConfig matmul(llvm::StringRef kind, llvm::StringRef text);
  Conv2dConfig conv(llvm::StringRef text);
  OpSpecificConfig config(llvm::StringRef text);
  void addOperand(llvm::StringRef text, TextQuery &q);
  void addResult(llvm::StringRef text, TextQuery &q);

  LayoutPool &layouts;
  const DeviceSpec &device;
  std::string wrong;
};

/// The text before the first `mark` that is not within single quotes, and what follows it.
std::pair<llvm::StringRef, llvm::StringRef> splitAt(char mark, llvm::StringRef text) {
  bool quoted = false;
  llvm::StringRef first = text.take_while([&](char c) {
    quoted ^= c == '\'';
    return quoted || c != mark;
  });
  return {first, text.substr(first.size()).drop_front(first.size() < text.size())};
}

Words words(llvm::StringRef text) {
  Words list;
  while (!(text = text.ltrim()).empty()) {
    auto [word, rest] = splitAt(' ', text);
    list.push_back(word);
    text = rest;
  }
  return list;
}

/// The operands or results between commas; none for "()".
Words tensors(llvm::StringRef text) {
  Words parts;
  if (text.trim() == "()" || text.trim().empty())
    return parts;
  text.split(parts, ',', -1, false);
  for (llvm::StringRef &part : parts)
    part = part.trim();
  return parts;
}

TensorDesc Parser::description(llvm::StringRef whole) {
  llvm::StringRef text = whole;
  TensorDesc desc;
  while (!text.empty()) {
    auto [part, rest] = text.split('x');
    if (std::optional<DataType> dtype = parseDataType(part))
      desc.dtype = *dtype;
    else if (part != "scalar")
      desc.shape.push_back(number(part));
    text = rest;
  }
  bool isNegative = llvm::any_of(desc.shape, [](int64_t dim) { return dim < 0; });
  if (isNegative || !fitsLayouts(desc.shape)) {
    fail(isNegative ? "negative dimension" : "more rows or columns than 2^31", whole);
    desc.shape.clear(); // what follows computes with it
  }
  return desc;
}

TensorLayout Parser::sharded(const TensorDesc &desc, MemoryLayout memory, GridShape grid, PageLayout page,
                             bool coresGiven, llvm::StringRef text) {
  GridShape workers = device.workerGrid;
  bool block = memory == MemoryLayout::BlockSharded;
  bool fits = block ? grid.rows <= workers.rows && grid.columns <= workers.columns
                    : grid.volume() <= workers.volume();
  // Whoever names the cores may ask about more of them than there are.
  if (!fits && !coresGiven) {
    fail("more cores than the device has", text);
    grid = {1, 1};
  }
  return l1Sharded(desc, memory, grid, fits ? workers : grid, page);
}

TensorLayout Parser::placed(llvm::StringRef whole, const TensorDesc &desc, PageLayout page, bool coresGiven) {
  llvm::StringRef text = whole;
  if (text == "host")
    return systemMemory(desc, page);
  if (text == "dram")
    return dramInterleaved(desc, page);
  if (text == "l1")
    return l1Interleaved(desc, device.workerGrid, page);
  auto over = [&](MemoryLayout memory, GridShape grid) {
    return sharded(desc, memory, grid, page, coresGiven, whole);
  };
  if (text.consume_front("wsdram")) {
    TensorLayout layout = over(MemoryLayout::WidthSharded, {1, size(text)});
    layout.buffer = BufferType::DRAM;
    return layout;
  }
  if (text.consume_front("hs"))
    return over(MemoryLayout::HeightSharded, {size(text), 1});
  if (text.consume_front("ws"))
    return over(MemoryLayout::WidthSharded, {1, size(text)});
  if (text.consume_front("bs"))
    return over(MemoryLayout::BlockSharded, {size(text.split('x').first), size(text.split('x').second)});
  fail("not a layout (dram, l1, host, hsN, wsN, bsRxC, wsdramN; then /rm, /shard=HxW, /cores=X:Y-X:Y)",
       whole);
  return dramInterleaved(desc, page);
}

/// "32x256", elements, as the layout counts: in tiles, if it is tiled.
GridShape Parser::shardOf(llvm::StringRef text, const TensorLayout &layout) {
  GridShape shard{number(text.split('x').first), number(text.split('x').second)};
  int64_t height = layout.isTiled() ? layout.tile.height : 1,
          width = layout.isTiled() ? layout.tile.width : 1;
  if (std::min(shard.rows, shard.columns) < 1 || std::max(shard.rows, shard.columns) > kMaxLayoutExtent ||
      shard.rows % height || shard.columns % width)
    fail("not a shard: rows x columns in elements, whole tiles unless it is /rm", text);
  return {shard.rows / height, shard.columns / width};
}

/// "0:0-7:0+0:1-3:1": rectangles from corner to corner, each corner column:row.
CoreRangeSet Parser::coresOf(llvm::StringRef text) {
  CoreRangeSet cores;
  for (llvm::StringRef range : llvm::split(text, '+')) {
    auto corner = [&](llvm::StringRef xy) {
      return CoreCoord{number(xy.split(':').first), number(xy.split(':').second)};
    };
    auto [first, last] = range.split('-');
    cores.ranges.push_back({corner(first), corner(last)});
    const CoreRange &added = cores.ranges.back();
    if (std::min(added.start.x, added.start.y) < 0 || std::max(added.end.x, added.end.y) > 1 << 16 ||
        added.end.x < added.start.x || added.end.y < added.start.y)
      fail("not a rectangle of cores, X:Y-X:Y", range);
  }
  return cores;
}

TensorLayout Parser::layoutOf(llvm::StringRef whole, const TensorDesc &desc) {
  auto [place, rest] = whole.split('/');
  llvm::SmallVector<llvm::StringRef> details;
  rest.split(details, '/', -1, false);
  auto is = [](llvm::StringRef key) { return [key](llvm::StringRef text) { return text.starts_with(key); }; };
  PageLayout page = llvm::is_contained(details, "rm") ? PageLayout::RowMajor : PageLayout::Tile;
  TensorLayout layout = placed(place, desc, page, llvm::any_of(details, is("cores=")));
  for (llvm::StringRef detail : details) {
    if (detail != "rm" && (!layout.isSharded() || !(is("shard=")(detail) || is("cores=")(detail))))
      fail("not a detail of that layout (/rm; of shards /shard=HxW, /cores=X:Y-X:Y)", whole);
    else if (detail.consume_front("shard="))
      layout.shard = shardOf(detail, layout);
    else if (detail.consume_front("cores="))
      layout.cores = coresOf(detail);
  }
  if (layout.cores && layout.cores->size() != layout.coreCount())
    fail("not as many cores as shards", whole);
  bool detailed = details.size() > size_t(page == PageLayout::RowMajor);
  if (std::string problem = detailed ? checkLayout(layout) : ""; !problem.empty())
    fail(problem, whole);
  return layout;
}

void Parser::parseTensor(llvm::StringRef text, TensorDesc &desc, std::optional<TensorLayout> &layout) {
  auto [tensor, where] = text.trim().split('@');
  desc = description(tensor);
  if (where != "?")
    layout = layoutOf(where, desc);
}

/// "'it''s'" is it's.
std::string unquoted(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.drop_front().drop_back().split(parts, "''");
  return llvm::join(parts, "'");
}

AttrValue Parser::attribute(llvm::StringRef text) {
  if (text == "true" || text == "false")
    return text == "true";
  if (text.consume_front("[")) {
    std::vector<int64_t> list;
    Words parts;
    text.rtrim(']').split(parts, ',', -1, false);
    for (llvm::StringRef part : parts)
      list.push_back(number(part));
    return list;
  }
  if (text.size() >= 2 && text.starts_with("'") && text.ends_with("'"))
    return unquoted(text);
  int64_t integer;
  if (!text.getAsInteger(10, integer))
    return integer;
  double real;
  if (text.find_first_of("0123456789") < 2 && !text.getAsDouble(real) && std::isfinite(real))
    return real;
  return text.str();
}

MatmulProgramConfig Parser::matmul(llvm::StringRef kind, llvm::StringRef text) {
  using Kind = MatmulProgramConfig::Kind;
  static constexpr std::pair<llvm::StringLiteral, Kind> kKinds[] = {
      {"reuse", Kind::Reuse},
      {"mcast2d", Kind::MultiCast2D},
      {"mcast1d_in0", Kind::MultiCast1D},
      {"mcast1d_in1", Kind::MultiCast1D},
      {"dram_sharded", Kind::MultiCastDramSharded}};
  MatmulProgramConfig c;
  const auto *found = llvm::find_if(kKinds, [&](const auto &entry) { return entry.first == kind; });
  if (found == std::end(kKinds)) {
    fail("not a config (reuse, mcast2d, mcast1d_in0, mcast1d_in1, dram_sharded, conv)", kind);
    return c;
  }
  c.kind = found->second;
  c.mcastIn0 = kind == "mcast1d_in0";
  c.grid = {8, 8};
  GridShape block{0, 0};
  for (llvm::StringRef word : words(text)) {
    auto [key, value] = word.split('=');
    if (key == "grid")
      c.grid = {pair(value).rows, pair(value).columns};
    else if (key == "k")
      c.in0BlockW = number(value);
    else if (key == "m")
      c.perCoreM = number(value);
    else if (key == "n")
      c.perCoreN = number(value);
    else if (key == "sub")
      c.outSubblockH = pair(value).rows, c.outSubblockW = pair(value).columns;
    else if (key == "block")
      block = pair(value);
    else if (key == "unfused")
      c.fuseBatch = false;
    else
      fail("unknown config key (grid, k, m, n, sub, block, unfused)", key);
  }
  c.outBlockH = block.rows ? block.rows : c.perCoreM;
  c.outBlockW = block.columns ? block.columns : c.perCoreN;
  return c;
}

Conv2dConfig Parser::conv(llvm::StringRef text) {
  Conv2dConfig c;
  for (llvm::StringRef word : words(text)) {
    auto [key, value] = word.split('=');
    if (key == "shard")
      c.shardLayout = parseMemoryLayout(value);
    else if (key == "act_block_h")
      c.actBlockHOverride = number(value);
    else if (key == "deallocate")
      c.deallocateActivation = true;
    else if (key == "slice")
      c.slice = value == "height" ? Conv2dConfig::Slice::DramHeight : Conv2dConfig::Slice::DramWidth;
    else if (key == "slices")
      c.numSlices = number(value);
    else
      fail("unknown config key (shard, act_block_h, deallocate, slice, slices)", key);
  }
  return c;
}

OpSpecificConfig Parser::config(llvm::StringRef text) {
  auto [kind, rest] = text.trim().split(' ');
  if (kind.empty())
    return {};
  if (kind == "conv")
    return conv(rest);
  return matmul(kind, rest);
}

void Parser::addOperand(llvm::StringRef text, TextQuery &q) {
  if (text.consume_front("=")) {
    size_t first = size_t(number(text));
    if (first >= q.inputs.size())
      return fail("no such operand before this one", text);
    q.signature.operands.push_back({q.signature.operands[first].tensor, unsigned(first), false});
    q.inputs.push_back(q.inputs[first]);
    return;
  }
  TensorDesc desc;
  std::optional<TensorLayout> layout;
  parseTensor(text, desc, layout);
  if (!layout)
    return fail("an operand needs a layout", text);
  q.signature.operands.push_back({desc, unsigned(q.signature.operands.size()), false});
  q.inputs.push_back(layouts.intern(*layout));
}

void Parser::addResult(llvm::StringRef text, TextQuery &q) {
  TensorDesc desc;
  std::optional<TensorLayout> layout;
  parseTensor(text, desc, layout);
  q.signature.results.push_back(desc);
  q.config.outputs.push_back(layout ? layouts.intern(*layout) : LayoutId());
}

void Parser::parse(llvm::StringRef text, TextQuery &q) {
  auto [call, options] = splitAt(';', text);
  auto [attributes, configText] = splitAt(';', options);
  auto [head, results] = call.split("->");
  auto [op, operands] = head.trim().split(' ');
  q.signature.name = op.str();
  for (llvm::StringRef operand : tensors(operands))
    addOperand(operand, q);
  for (llvm::StringRef result : tensors(results))
    addResult(result, q);
  for (llvm::StringRef word : words(attributes)) {
    auto [key, value] = word.split('=');
    q.signature.addAttribute(key.str(), attribute(value));
  }
  q.config.specific = config(configText);
}

} // namespace

llvm::Expected<TextQuery> parseQueryText(llvm::StringRef text, LayoutPool &layouts,
                                         const DeviceSpec &device) {
  TextQuery q;
  Parser parser(layouts, device);
  parser.parse(text, q);
  if (llvm::Error error = parser.takeError())
    return std::move(error);
  return q;
}

llvm::Expected<std::pair<TensorDesc, std::optional<TensorLayout>>> parseTensorText(llvm::StringRef text,
                                                                                   const DeviceSpec &device) {
  LayoutPool layouts;
  Parser parser(layouts, device);
  std::pair<TensorDesc, std::optional<TensorLayout>> parsed;
  parser.parseTensor(text, parsed.first, parsed.second);
  if (llvm::Error error = parser.takeError())
    return std::move(error);
  return parsed;
}

} // namespace tessera
