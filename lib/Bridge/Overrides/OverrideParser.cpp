//===- OverrideParser.cpp - The override options as plain data ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Plain data: whether there is an op of that name, and whether it can do what is asked,
// is for who has the program to say.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/Overrides.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tessera;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The overrides of a comma-separated list `op=value,...`.
template <class Override>
Expected<std::vector<Override>> parseList(StringRef option, StringRef text,
                                          Error (*parseValue)(Override &, StringRef)) {
  std::vector<Override> overrides;
  llvm::StringSet<> seen;
  // An entry ends at the comma behind its value, which has none: fields are parted by ':', sets of cores by '+'. A name
  // may have some, as those of JAX's einsums do ("bhqk,bkhd->bqhd/dot_general").
  for (StringRef rest = text.ltrim(", "), entry; !rest.empty();) {
    entry = rest.take_front(rest.find(',', rest.find('=')));
    rest = rest.drop_front(entry.size()).ltrim(", ");
    auto [op, value] = entry.trim().split('=');
    if (op.empty() || value.empty())
      return error(option + ": '" + entry + "' is not of the form op=value");
    // Which of the two is meant cannot be known.
    if (!seen.insert(op).second)
      return error(option + ": op '" + op + "' is named twice");
    overrides.emplace_back().op = op.str();
    if (Error wrong = parseValue(overrides.back(), value))
      return std::move(wrong);
  }
  return overrides;
}

/// A value `field:field...`.
template <class Override, Error (*parseField)(Override &, StringRef)>
Error parseFields(Override &override, StringRef value) {
  llvm::SmallVector<StringRef> fields;
  value.split(fields, ':');
  for (StringRef field : fields)
    if (Error wrong = parseField(override, field))
      return wrong;
  return Error::success();
}

Error parseLayout(OutputLayoutOverride &override, StringRef value) {
  Expected<LayoutWords> words = parseLayoutWords(value);
  if (!words)
    return error("override-output-layout: op '" + override.op + "': " + llvm::toString(words.takeError()));
  override.layout = *words;
  return Error::success();
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
  // A known key, told apart from a slip: cores follow from the layout of the result.
  if (key == "core_grid")
    return error("override-conv2d-config: 'core_grid' of op '" + conv.op +
                 "' cannot be overridden; give the op's result a grid with override-output-layout");
  if (!llvm::is_contained(kConv2dKeys, key))
    return error("override-conv2d-config: unknown key '" + key + "' of op '" + conv.op + "'" +
                 didYouMean(key, kConv2dKeys) + "; known: " + llvm::join(conv2dOverrideKeys(), ", "));
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
  if (llvm::is_contained(reshard.operands, operand))
    return error("insert-memreconfig: op '" + reshard.op + "' is given operand " + llvm::Twine(operand) +
                 " twice");
  reshard.operands.push_back(operand);
  return Error::success();
}

} // namespace

llvm::ArrayRef<StringRef> tessera::conv2dOverrideKeys() { return kConv2dKeys; }

Expected<std::vector<OutputLayoutOverride>> tessera::parseOutputLayoutOverrides(StringRef text) {
  return parseList("override-output-layout", text, parseLayout);
}

Expected<std::vector<Conv2dOverride>> tessera::parseConv2dOverrides(StringRef text) {
  return parseList("override-conv2d-config", text, parseFields<Conv2dOverride, parseConv2dField>);
}

Expected<std::vector<ReshardOverride>> tessera::parseReshardOverrides(StringRef text) {
  return parseList("insert-memreconfig", text, parseFields<ReshardOverride, parseOperand>);
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
