//===- Answer.cpp - What came back from outside ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An answer from a plug-in, a library or a file is not believed: layouts are checked before they are interned, and
// figures before anything adds them up. What is wrong is said as text, and whoever asked decides whose fault it is.
//
//===----------------------------------------------------------------------===//
#include "Answer.h"

#include "tessera/OpModel/LayoutJson.h"
#include "tessera/OpModel/Question.h"
#include "tessera/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tessera {
namespace json = llvm::json;

Answer refusal(ValidationStatus status, llvm::StringRef rule, std::string message) {
  Answer answer;
  answer.result.status = status;
  answer.result.rule = rule.str();
  answer.result.message = std::move(message);
  return answer;
}

static LayoutId requested(const OpQuery &query, size_t result) {
  return result < query.config.outputs.size() ? query.config.outputs[result] : LayoutId();
}

std::string outputsText(const OpQuery &query, llvm::ArrayRef<LayoutId> outputs, const LayoutPool &layouts) {
  json::Array list;
  for (auto [index, id] : llvm::enumerate(outputs))
    // Mostly the backend makes what was requested, which the question says already.
    list.push_back(id == requested(query, index) ? json::Value(nullptr) : toCanonicalJson(layouts[id]));
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(list));
  return text;
}

namespace {

/// "" after appending the layout of result `index`; else what is wrong.
std::string readOutput(const json::Value &value, size_t index, const OpQuery &query, LayoutPool &layouts,
                       llvm::SmallVectorImpl<LayoutId> &outputs) {
  if (value.kind() == json::Value::Null) {
    outputs.push_back(requested(query, index));
    // Only who was asked for a layout may say "as asked".
    return outputs.back().valid() ? "" : "no layout was requested for result " + std::to_string(index);
  }
  TensorLayout layout;
  json::Path::Root root("layout"); // keeps a reference to its name
  if (!fromJSON(value, layout, root))
    return "result " + std::to_string(index) + ": " + llvm::toString(root.getError());
  // Before it is interned: a layout in the pool may be divided by without a look.
  if (std::string wrong = checkLayout(layout); !wrong.empty())
    return "result " + std::to_string(index) + ": " + wrong;
  outputs.push_back(layouts.intern(layout));
  return "";
}

} // namespace

std::string readOutputs(llvm::StringRef text, const OpQuery &query, LayoutPool &layouts,
                        llvm::SmallVectorImpl<LayoutId> &outputs) {
  json::Array list;
  // A plug-in without a list says the same as a list of nulls.
  if (text.empty()) {
    for (size_t i = 0; i < query.op.results.size(); ++i)
      list.push_back(nullptr);
  } else {
    llvm::Expected<json::Value> value = parseJson(text);
    if (!value)
      return "output layouts: " + llvm::toString(value.takeError());
    if (!value->getAsArray())
      return "output layouts are not a list";
    list = std::move(*value->getAsArray());
  }
  for (auto [index, value] : llvm::enumerate(list))
    if (std::string wrong = readOutput(value, index, query, layouts, outputs); !wrong.empty())
      return wrong;
  return "";
}

std::string checkFigures(const Answer &answer, const OpQuery &query) {
  const OpConstraints &c = answer.result.constraints;
  const OpRuntime &t = answer.runtime;
  // Sums of some of these must stay within 64 bits.
  for (Bytes size : {c.cbL1PeakSize, c.tensorL1PeakSize, c.peakL1MemorySize, c.outputL1BufferSize})
    if (size.value() < 0 || size.value() > int64_t(1) << 50)
      return "a size of " + std::to_string(size.value()) + " bytes";
  for (Nanoseconds time : {t.compute, t.l1, t.noc, t.dram, t.dispatch, t.total})
    if (!(std::isfinite(time.value()) && time.value() >= 0))
      return "a time of " + std::to_string(time.value()) + " ns";
  if (answer.result.ok() && c.outputLayouts.size() != query.op.results.size())
    return "layouts of " + std::to_string(c.outputLayouts.size()) + " results, for an op with " +
           std::to_string(query.op.results.size());
  return "";
}

} // namespace tessera
