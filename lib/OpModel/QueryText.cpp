//===- QueryText.cpp - Op model queries as one line of text --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/QueryText.h"

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
  TensorLayout sharded(const TensorDesc &desc, MemoryLayout memory, GridShape grid, PageLayout page,
                       llvm::StringRef text);
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

Words words(llvm::StringRef text) {
  Words list;
  text.split(list, ' ', -1, false);
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
                             llvm::StringRef text) {
  GridShape workers = device.workerGrid;
  bool block = memory == MemoryLayout::BlockSharded;
  if (block ? grid.rows > workers.rows || grid.columns > workers.columns : grid.volume() > workers.volume()) {
    fail("more cores than the device has", text);
    grid = {1, 1};
  }
  return l1Sharded(desc, memory, grid, workers, page);
}

TensorLayout Parser::layoutOf(llvm::StringRef whole, const TensorDesc &desc) {
  llvm::StringRef text = whole;
  PageLayout page = text.consume_back("/rm") ? PageLayout::RowMajor : PageLayout::Tile;
  if (text == "host")
    return systemMemory(desc, page);
  if (text == "dram")
    return dramInterleaved(desc, page);
  if (text == "l1")
    return l1Interleaved(desc, device.workerGrid, page);
  if (text.consume_front("wsdram")) {
    TensorLayout layout = sharded(desc, MemoryLayout::WidthSharded, {1, size(text)}, page, whole);
    layout.buffer = BufferType::DRAM;
    return layout;
  }
  if (text.consume_front("hs"))
    return sharded(desc, MemoryLayout::HeightSharded, {size(text), 1}, page, whole);
  if (text.consume_front("ws"))
    return sharded(desc, MemoryLayout::WidthSharded, {1, size(text)}, page, whole);
  if (text.consume_front("bs"))
    return sharded(desc, MemoryLayout::BlockSharded,
                   {size(text.split('x').first), size(text.split('x').second)}, page, whole);
  fail("not a layout (dram, l1, host, hsN, wsN, bsRxC, wsdramN; /rm for row-major)", whole);
  return dramInterleaved(desc, page);
}

void Parser::parseTensor(llvm::StringRef text, TensorDesc &desc, std::optional<TensorLayout> &layout) {
  auto [tensor, where] = text.trim().split('@');
  desc = description(tensor);
  if (where != "?")
    layout = layoutOf(where, desc);
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
  int64_t integer;
  if (!text.getAsInteger(10, integer))
    return integer;
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
    else
      fail("unknown config key (grid, k, m, n, sub, block)", key);
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
  auto [call, options] = text.split(';');
  auto [attributes, configText] = options.split(';');
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
