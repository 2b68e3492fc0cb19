//===- QueryText.cpp - Op model queries as one line of text --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

int64_t number(llvm::StringRef text) {
  int64_t value = 0;
  EXPECT_FALSE(text.trim().getAsInteger(10, value)) << "not a number: " << text.str();
  return value;
}

GridShape pair(llvm::StringRef text) {
  auto [rows, columns] = text.split('x');
  return {number(rows), number(columns)};
}

TensorDesc parseTensor(llvm::StringRef text) {
  TensorDesc desc;
  while (!text.empty()) {
    auto [part, rest] = text.split('x');
    if (std::optional<DataType> dtype = parseDataType(part))
      desc.dtype = *dtype;
    else if (part != "scalar")
      desc.shape.push_back(number(part));
    text = rest;
  }
  return desc;
}

TensorLayout parseLayout(llvm::StringRef text, const TensorDesc &desc, const DeviceSpec &device) {
  PageLayout page = text.consume_back("/rm") ? PageLayout::RowMajor : PageLayout::Tile;
  if (text == "host")
    return systemMemory(desc, page);
  if (text == "dram")
    return dramInterleaved(desc, page);
  if (text == "l1")
    return l1Interleaved(desc, device.workerGrid, page);
  if (text.consume_front("wsdram")) {
    TensorLayout layout =
        l1Sharded(desc, MemoryLayout::WidthSharded, {1, number(text)}, device.workerGrid, page);
    layout.buffer = BufferType::DRAM;
    return layout;
  }
  if (text.consume_front("hs"))
    return l1Sharded(desc, MemoryLayout::HeightSharded, {number(text), 1}, device.workerGrid, page);
  if (text.consume_front("ws"))
    return l1Sharded(desc, MemoryLayout::WidthSharded, {1, number(text)}, device.workerGrid, page);
  EXPECT_TRUE(text.consume_front("bs")) << "not a layout: " << text.str();
  return l1Sharded(desc, MemoryLayout::BlockSharded, pair(text), device.workerGrid, page);
}

AttrValue parseAttribute(llvm::StringRef text) {
  if (text == "true" || text == "false")
    return text == "true";
  if (text.consume_front("[")) {
    std::vector<int64_t> list;
    llvm::SmallVector<llvm::StringRef> parts;
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

llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>> keyValues(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, false);
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>> pairs;
  for (llvm::StringRef word : words)
    pairs.push_back(word.split('='));
  return pairs;
}

MatmulProgramConfig parseMatmul(llvm::StringRef kind, llvm::StringRef text) {
  MatmulProgramConfig c;
  using Kind = MatmulProgramConfig::Kind;
  c.kind = kind == "reuse"          ? Kind::Reuse
           : kind == "mcast2d"      ? Kind::MultiCast2D
           : kind == "dram_sharded" ? Kind::MultiCastDramSharded
                                    : Kind::MultiCast1D;
  c.mcastIn0 = kind == "mcast1d_in0";
  c.grid = {8, 8};
  GridShape block{0, 0};
  for (auto [key, value] : keyValues(text)) {
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
      ADD_FAILURE() << "unknown config key " << key.str();
  }
  c.outBlockH = block.rows ? block.rows : c.perCoreM;
  c.outBlockW = block.columns ? block.columns : c.perCoreN;
  return c;
}

Conv2dConfig parseConv(llvm::StringRef text) {
  Conv2dConfig c;
  for (auto [key, value] : keyValues(text)) {
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
      ADD_FAILURE() << "unknown config key " << key.str();
  }
  return c;
}

OpSpecificConfig parseConfig(llvm::StringRef text) {
  auto [kind, rest] = text.trim().split(' ');
  if (kind.empty())
    return {};
  if (kind == "conv")
    return parseConv(rest);
  return parseMatmul(kind, rest);
}

llvm::SmallVector<llvm::StringRef> tensors(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  if (text.trim() == "()")
    return parts;
  text.split(parts, ',', -1, false);
  for (llvm::StringRef &part : parts)
    part = part.trim();
  return parts;
}

} // namespace

TextQuery parseQuery(llvm::StringRef text, LayoutPool &layouts, const DeviceSpec &device) {
  TextQuery q;
  auto [call, options] = text.split(';');
  auto [attributes, config] = options.split(';');
  auto [head, results] = call.split("->");
  auto [op, operands] = head.trim().split(' ');
  q.signature.name = op.str();
  for (llvm::StringRef operand : tensors(operands)) {
    if (operand.consume_front("=")) {
      unsigned first = unsigned(number(operand));
      q.signature.operands.push_back({q.signature.operands[first].tensor, first, false});
      q.inputs.push_back(q.inputs[first]);
      continue;
    }
    auto [tensor, layout] = operand.split('@');
    TensorDesc desc = parseTensor(tensor);
    q.signature.operands.push_back({desc, unsigned(q.signature.operands.size()), false});
    q.inputs.push_back(layouts.intern(parseLayout(layout, desc, device)));
  }
  for (llvm::StringRef result : tensors(results)) {
    auto [tensor, layout] = result.split('@');
    TensorDesc desc = parseTensor(tensor);
    q.signature.results.push_back(desc);
    q.config.outputs.push_back(layout == "?" ? LayoutId()
                                             : layouts.intern(parseLayout(layout, desc, device)));
  }
  for (auto [key, value] : keyValues(attributes))
    q.signature.attributes.push_back({key.str(), parseAttribute(value)});
  llvm::sort(q.signature.attributes, [](const auto &a, const auto &b) { return a.first < b.first; });
  q.config.specific = parseConfig(config);
  return q;
}

} // namespace tessera
