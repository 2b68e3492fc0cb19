//===- GoldenAttributes.cpp - Names and attributes as goldens have them ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Goldens name ops and arguments as the library's C++ does, in camel case, and
// give structs as text; questions have the names of the IR. What is spelt
// otherwise by a rule has a rule (snakeCase), the rest is listed.
//
//===----------------------------------------------------------------------===//
#include "GoldenAttributes.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

namespace tessera::evaluation {
namespace {

std::string snakeCase(llvm::StringRef name, llvm::StringRef op) {
  // Names that the IR has otherwise than their C++ ones in snake case.
  if (name == "dimArg" && op == "softmax")
    return "dimension";
  if (name == "multicore" && op == "pad")
    return "use_multicore";
  if (name == "numericStable")
    return name.str();
  if (name == "inputChannels")
    return "channels";
  std::string text;
  for (char c : name) {
    if (llvm::isUpper(c))
      text += '_';
    text += llvm::toLower(c);
  }
  return text;
}

/// A flag or a whole number if it reads as one; anything else, a number with a point too, stays text.
AttrValue scalarFromText(llvm::StringRef text) {
  int64_t integer;
  if (text == "true" || text == "false")
    return text == "true";
  if (!text.getAsInteger(10, integer))
    return integer;
  return text.str();
}

/// `#ttnn.x<a = 1, b = c>` as `prefix.a`, `prefix.b`.
void addStruct(OpSignature &signature, llvm::StringRef prefix, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> entries;
  // No brackets within brackets: the structs of the tables hold plain values.
  text.substr(text.find('<') + 1).rtrim('>').split(entries, ',', -1, false);
  for (llvm::StringRef entry : entries) {
    auto [key, value] = entry.split('=');
    if (!value.empty())
      signature.addAttribute((prefix + "." + key.trim()).str(), scalarFromText(value.trim()));
  }
}

} // namespace

std::string irName(llvm::StringRef op) {
  // Those whose name in the IR is not that of the C++ function in snake case.
  static const std::map<llvm::StringRef, llvm::StringRef> renamed = {
      {"arg_max", "argmax"},
      {"equal", "eq"},
      {"not_equal", "ne"},
      {"greater_than", "gt"},
      {"greater_equal", "ge"},
      {"less_than", "lt"},
      {"less_equal", "le"},
      {"is_finite", "isfinite"},
      {"moreh_cum_sum", "moreh_cumsum"},
      {"adam_w", "adamw"},
      {"embedding_backward", "embedding_bw"},
      {"gelu_backward", "gelu_bw"},
      {"pow", "pow_tensor"}, // its name until September 2025
      {"sdpa_backward", "sdpa_bw"},
      {"sdpa_forward", "sdpa_fw"},
      {"top_k_router_gpt", "topk_router_gpt"},
      {"cum_sum", "cumsum"},
      {"cum_prod", "cumprod"},
      {"top_k", "topk"},
  };
  auto it = renamed.find(op);
  return "ttnn." + (it == renamed.end() ? op : it->second).str();
}

void addAttribute(OpSignature &signature, llvm::StringRef op, llvm::StringRef key,
                  const llvm::json::Value &value) {
  if (key == "deviceComputeKernelConfig" || key == "conv2dConfig") {
    if (auto text = value.getAsString())
      addStruct(signature, key == "conv2dConfig" ? "conv2d_config" : "compute_config", *text);
    return;
  }
  std::string name = snakeCase(key, op);
  // From narrow to wide: a whole number would pass as a number with a point as well.
  if (auto flag = value.getAsBoolean())
    signature.addAttribute(name, *flag);
  else if (auto integer = value.getAsInteger())
    signature.addAttribute(name, *integer);
  else if (auto number = value.getAsNumber())
    signature.addAttribute(name, *number);
  else if (auto text = value.getAsString())
    signature.addAttribute(name, scalarFromText(*text));
  else if (const auto *list = value.getAsArray()) {
    std::vector<int64_t> integers;
    for (const llvm::json::Value &entry : *list)
      integers.push_back(entry.getAsInteger().value_or(0));
    signature.addAttribute(name, integers);
  }
}

} // namespace tessera::evaluation
