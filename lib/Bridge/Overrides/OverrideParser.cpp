//===- OverrideParser.cpp - The override options as plain data ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/Overrides.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tessera;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The overrides of a comma-separated list `op=field:field,...`.
template <class Override>
Expected<std::vector<Override>> parseList(StringRef option, StringRef text,
                                          Error (*parseField)(Override &, StringRef)) {
  std::vector<Override> overrides;
  llvm::StringSet<> seen;
  llvm::SmallVector<StringRef> entries, fields;
  text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    auto [op, value] = entry.trim().split('=');
    if (op.empty() || value.empty())
      return error(option + ": '" + entry + "' is not of the form op=value");
    // Which of the two is meant cannot be known.
    if (!seen.insert(op).second)
      return error(option + ": op '" + op + "' is named twice");
    overrides.emplace_back().op = op.str();
    fields.clear();
    value.split(fields, ':');
    for (StringRef field : fields)
      if (Error wrong = parseField(overrides.back(), field))
        return std::move(wrong);
  }
  return overrides;
}

std::optional<GridShape> parseGrid(StringRef text) {
  auto [rows, columns] = text.split('x');
  GridShape grid;
  if (rows.getAsInteger(10, grid.rows) || columns.getAsInteger(10, grid.columns) || grid.rows < 1 ||
      grid.columns < 1)
    return std::nullopt;
  return grid;
}

/// Stores `value` in `field`; false if something was there already.
template <class T>
bool assign(std::optional<T> &field, const std::optional<T> &value) {
  if (field)
    return false;
  field = value;
  return true;
}

Error parseLayoutField(OutputLayoutOverride &layout, StringRef field) {
  // No two kinds share a word, so the fields need no order.
  bool first = true;
  if (auto grid = parseGrid(field))
    first = assign(layout.grid, grid);
  else if (auto buffer = parseBufferType(field))
    first = assign(layout.buffer, buffer);
  else if (auto memory = parseMemoryLayout(field))
    first = assign(layout.memory, memory);
  else if (auto page = parsePageLayout(field))
    first = assign(layout.page, page);
  else if (auto dtype = parseDataType(field))
    first = assign(layout.dtype, dtype);
  else
    return error(
        "override-output-layout: '" + field + "' of op '" + layout.op +
        "' is none of: a grid (8x8), dram, l1, system_memory, l1_small, trace, interleaved, height_sharded, "
        "width_sharded, block_sharded, row_major, tile, or a data type");
  return first ? Error::success()
               : error("override-output-layout: op '" + layout.op +
                       "' is given a second value of one kind: '" + field + "'");
}

/// The keys of facts/ir 2.3.
constexpr StringRef kConv2dKeys[] = {"weights_dtype",
                                     "activation",
                                     "deallocate_activation",
                                     "reallocate_halo_output",
                                     "act_block_h_override",
                                     "act_block_w_div",
                                     "reshard_if_not_optimal",
                                     "override_sharding_config",
                                     "shard_layout",
                                     "transpose_shards",
                                     "output_layout",
                                     "enable_act_double_buffer",
                                     "enable_weights_double_buffer"};

Error parseConv2dField(Conv2dOverride &conv, StringRef field) {
  auto [key, value] = field.split('#');
  if (key == "core_grid")
    return error("override-conv2d-config: 'core_grid' of op '" + conv.op +
                 "' cannot be overridden; give the op's result a grid with override-output-layout");
  if (!llvm::is_contained(kConv2dKeys, key))
    return error("override-conv2d-config: unknown key '" + key + "' of op '" + conv.op + "'" +
                 didYouMean(key, kConv2dKeys));
  if (value.empty())
    return error("override-conv2d-config: '" + field + "' of op '" + conv.op +
                 "' is not of the form key#value");
  if (llvm::any_of(conv.fields, [&](const auto &given) { return given.first == key; }))
    return error("override-conv2d-config: op '" + conv.op + "' is given '" + key + "' twice");
  conv.fields.emplace_back(key.str(), value.str());
  return Error::success();
}

Error parseOperand(ReshardOverride &reshard, StringRef field) {
  unsigned operand = 0;
  if (field.getAsInteger(10, operand))
    return error("insert-memreconfig: '" + field + "' of op '" + reshard.op + "' is not an operand number");
  reshard.operands.push_back(operand);
  return Error::success();
}

} // namespace

Expected<std::vector<OutputLayoutOverride>> tessera::parseOutputLayoutOverrides(StringRef text) {
  return parseList("override-output-layout", text, parseLayoutField);
}

Expected<std::vector<Conv2dOverride>> tessera::parseConv2dOverrides(StringRef text) {
  return parseList("override-conv2d-config", text, parseConv2dField);
}

Expected<std::vector<ReshardOverride>> tessera::parseReshardOverrides(StringRef text) {
  return parseList("insert-memreconfig", text, parseOperand);
}

Expected<Overrides> tessera::parseOverrides(StringRef outputLayouts, StringRef conv2d, StringRef reshards) {
  Overrides overrides;
  if (auto parsed = parseOutputLayoutOverrides(outputLayouts))
    overrides.outputLayouts = std::move(*parsed);
  else
    return parsed.takeError();
  if (auto parsed = parseConv2dOverrides(conv2d))
    overrides.conv2d = std::move(*parsed);
  else
    return parsed.takeError();
  if (auto parsed = parseReshardOverrides(reshards))
    overrides.reshards = std::move(*parsed);
  else
    return parsed.takeError();
  return overrides;
}
