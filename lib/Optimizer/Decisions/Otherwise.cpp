//===- Otherwise.cpp - What a runner-up does otherwise --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// report/src/model/otherwise.ts is the same for the page; report/check holds the two equal.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/Otherwise.h"

#include "tessera/OpModel/LayoutJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

/// The values of an object by "outer.inner", as text.
static void flatten(const json::Value &value, const std::string &key,
                    std::map<std::string, std::string> &out) {
  if (const json::Object *object = value.getAsObject())
    for (const auto &[name, inner] : *object)
      flatten(inner, key.empty() ? name.str() : key + "." + name.str(), out);
  else
    out[key] = llvm::formatv("{0}", value).str();
}

/// "cores, shard": the keys in which two values differ.
static std::vector<std::string> different(const json::Value &a, const json::Value &b) {
  std::map<std::string, std::string> left, right;
  flatten(a, "", left);
  flatten(b, "", right);
  std::set<std::string> keys;
  for (auto [its, others] : {std::pair(&left, &right), std::pair(&right, &left)})
    for (const auto &[key, value] : *its)
      if (auto found = others->find(key); found == others->end() || found->second != value)
        keys.insert(key);
  return {keys.begin(), keys.end()};
}

/// "l1/block_sharded/8x8", or with what is not in these words.
static std::string layoutBeside(const FunctionDecisions &f, Index other, Index now) {
  const TensorLayout &layout = f.layouts[size_t(other)], &taken = f.layouts[size_t(now)];
  std::string text = describe(layout);
  if (text != describe(taken))
    return text;
  return text + " with other " + llvm::join(different(toJson(layout), toJson(taken)), ", ");
}

std::string decisions::otherwise(const FunctionDecisions &f, const OpFacts &op, const RunnerUp &other) {
  const StepFacts &step = f.steps[size_t(op.step.value_or(0))];
  auto layoutOf = [&](Index tensor) { return f.tensors[size_t(tensor)].layout; };
  std::vector<std::string> parts;
  for (size_t i = 0; i < other.outputs.size() && i < step.writes.size(); ++i)
    // Results whose layouts read otherwise are told by the caller; these read alike and differ all the same.
    if (Index now = layoutOf(step.writes[i]);
        other.outputs[i] != now &&
        describe(f.layouts[size_t(other.outputs[i])]) == describe(f.layouts[size_t(now)]))
      parts.push_back("result in " + layoutBeside(f, other.outputs[i], now));
  for (size_t i = 0; i < other.inputs.size() && i < step.reads.size(); ++i)
    if (Index now = layoutOf(step.reads[i]); other.inputs[i] != now)
      parts.push_back("operand " + std::to_string(i) + " in " + layoutBeside(f, other.inputs[i], now));
  if (other.configText != step.configText)
    parts.push_back(other.configText.empty() ? "no configuration" : other.configText);
  else if (std::vector<std::string> keys = different(toJson(other.config), toJson(step.config));
           !keys.empty())
    parts.push_back("another " + llvm::join(keys, ", "));
  return llvm::join(parts, "; ");
}
