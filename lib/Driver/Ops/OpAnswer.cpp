//===- OpAnswer.cpp - All that is known about one op ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The whole answer, not only the verdict: what was asked with all defaults
// filled in, the buffers that add up to the L1, the parts that overlap to the
// time. A figure that looks wrong is taken apart without a debugger.
//
//===----------------------------------------------------------------------===//
#include "OpAnswer.h"

#include "tessera/OpModel/LayoutJson.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tessera;
namespace json = llvm::json;

namespace {

/// "32x64xbf16", as the question had it.
std::string text(const TensorDesc &tensor) {
  std::string text;
  for (int64_t dim : tensor.shape)
    text += std::to_string(dim) + "x";
  return text + name(tensor.dtype).str();
}

/// The requested layout, nullptr if the backend chooses.
const TensorLayout *requested(const OpAnswer &answer, size_t result) {
  llvm::ArrayRef<LayoutId> outputs = answer.query.config.outputs;
  return result < outputs.size() && outputs[result].valid() ? &answer.model.layouts()[outputs[result]]
                                                            : nullptr;
}

/// As queries are written, so that a line can be copied into the next one.
struct AttributeText {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return formatNumber(number); }
  std::string operator()(const std::string &text) const { return text; }
  std::string operator()(const std::vector<int64_t> &numbers) const {
    return llvm::formatv("[{0:$[,]}]", llvm::make_range(numbers.begin(), numbers.end()));
  }
};

/// The same as JSON values, so that numbers stay numbers.
struct AttributeJson {
  json::Value operator()(bool flag) const { return flag; }
  json::Value operator()(int64_t number) const { return number; }
  json::Value operator()(double number) const {
    // JSON has no number for infinity: it goes out as text.
    return std::isfinite(number) ? json::Value(number) : json::Value(AttributeText()(number));
  }
  // A file's strings may hold any bytes, and JSON takes UTF-8 only.
  json::Value operator()(const std::string &text) const { return json::fixUTF8(text); }
  json::Value operator()(const std::vector<int64_t> &numbers) const { return json::Array(numbers); }
};

/// The question as it was understood: what an answer is to depends on defaults that were filled in.
void printQuestion(const OpAnswer &answer, llvm::raw_ostream &os) {
  const OpSignature &op = answer.query.op;
  for (auto [index, operand, layout] : llvm::enumerate(op.operands, answer.query.inputs)) {
    os << "operand " << index << ": " << text(operand.tensor) << " "
       << describe(answer.model.layouts()[layout]);
    if (operand.constant)
      os << ", constant";
    if (operand.sameAs != index)
      os << ", the same as operand " << operand.sameAs;
    os << "\n";
  }
  for (auto [index, result] : llvm::enumerate(op.results)) {
    const TensorLayout *layout = requested(answer, index);
    os << "wanted " << index << ":  " << text(result) << " "
       << (layout ? describe(*layout) : "of the backend's choice") << "\n";
  }
  if (!op.attributes.empty()) {
    os << "attributes:";
    for (const auto &[name, value] : op.attributes)
      os << " " << name << "=" << std::visit(AttributeText(), value);
    os << "\n";
  }
  if (std::string config = describe(answer.query.config.specific); !config.empty())
    os << "config: " << config << "\n";
  if (!answer.note.empty())
    os << "note: " << answer.note << "\n";
}

/// Results, then what adds up to the peak in L1, then what there is.
void printMemory(const OpAnswer &answer, llvm::raw_ostream &os) {
  const OpModelContext &context = answer.model.context();
  const OpConstraints &c = answer.result.constraints;
  for (size_t i = 0; i < c.outputLayouts.size(); ++i)
    os << "result " << i << ": " << describe(context.layouts[c.outputLayouts[i]]) << "\n";
  if (!answer.buffers.empty()) {
    os << "\n";
    TextTable table(
        {{"program"}, {"circular buffer holds"}, {"pages", Align::Right}, {"bytes", Align::Right}});
    for (const CircularBuffer &buffer : answer.buffers)
      table.add({buffer.program.str(), buffer.holds.str(), std::to_string(buffer.pages),
                 std::to_string(buffer.bytes.value())});
    table.print(os);
  }
  os << "\nL1 per core: circular buffers " << formatBytes(c.cbL1PeakSize) << ", tensors "
     << formatBytes(c.tensorL1PeakSize) << ", both at the peak " << formatBytes(c.peakL1MemorySize)
     << ", results " << formatBytes(c.outputL1BufferSize) << ", operands "
     << formatBytes(operandL1Bytes(answer.query, context)) << "; there are " << formatBytes(context.l1Budget)
     << "\n";
  // Only the analytic model has a margin; behind a device's own figures the line would confuse.
  if (c.safetyMargin > Bytes(0))
    os << "safety margin, unconfirmed: " << c.safetyMargin.value() << " bytes\n";
}

/// The parts are what each resource is busy for; the whole is less than their sum, since they work at once.
void printTime(const OpRuntime &time, llvm::raw_ostream &os) {
  os << "time: " << formatNanoseconds(time.total) << " (compute " << formatNanoseconds(time.compute)
     << ", L1 " << formatNanoseconds(time.l1) << ", NoC " << formatNanoseconds(time.noc) << ", DRAM "
     << formatNanoseconds(time.dram) << ", dispatch " << formatNanoseconds(time.dispatch)
     << "; parts overlap)\n";
}

/// What the busiest core executes, and what is shared by all: docs/kernel-counts.md.
void printCounts(llvm::ArrayRef<KernelCounts> counts, llvm::raw_ostream &os) {
  if (counts.empty())
    return;
  auto number = [](double value) { return std::to_string(std::llround(value)); };
  os << "\n";
  TextTable table({{"kernel"},
                   {"cores", Align::Right},
                   {"reads", Align::Right},
                   {"waits", Align::Right},
                   {"steps", Align::Right},
                   {"writes", Align::Right},
                   {"waits", Align::Right},
                   {"steps", Align::Right},
                   {"busiest DRAM channel", Align::Right}});
  for (const KernelCounts &kernel : counts)
    table.add({kernel.name.str(), std::to_string(kernel.cores), number(kernel.reader.reads),
               number(kernel.reader.readWaits), number(kernel.reader.steps), number(kernel.writer.writes),
               number(kernel.writer.writeWaits), number(kernel.writer.steps),
               formatBytes(Bytes(std::llround(kernel.channelBytes)))});
  table.print(os);
}

/// What one of the two data movement processors of a core does.
json::Object moverJson(const MoverCounts &mover) {
  return json::Object{{"steps", mover.steps},
                      {"l1_loads", mover.l1Loads},
                      {"reads", mover.reads},
                      {"read_bytes", mover.readBytes},
                      {"read_waits", mover.readWaits},
                      {"writes", mover.writes},
                      {"write_bytes", mover.writeBytes},
                      {"write_waits", mover.writeWaits}};
}

/// Counts are doubles in JSON as they are: means over many kernels, which people get rounded.
json::Array countsJson(llvm::ArrayRef<KernelCounts> counts) {
  json::Array kernels;
  for (const KernelCounts &kernel : counts)
    kernels.push_back(json::Object{{"name", kernel.name},
                                   {"cores", kernel.cores},
                                   {"reader", moverJson(kernel.reader)},
                                   {"writer", moverJson(kernel.writer)},
                                   {"math_instructions", kernel.tensix.math},
                                   {"dram_channel_bytes", kernel.channelBytes},
                                   {"dram_channel_commands", kernel.channelCommands}});
  return kernels;
}

/// A layout that nobody asked for is null.
json::Object tensorJson(const TensorDesc &tensor, const TensorLayout *layout) {
  return json::Object{{"shape", json::Array(tensor.shape)},
                      {"dtype", name(tensor.dtype)},
                      {"layout", layout ? toJson(*layout) : json::Value(nullptr)}};
}

/// The keys of the question, which stand beside those of the answer.
json::Object questionJson(const OpAnswer &answer) {
  const OpSignature &op = answer.query.op;
  json::Array operands, wanted;
  for (auto [operand, layout] : llvm::zip(op.operands, answer.query.inputs)) {
    json::Object tensor = tensorJson(operand.tensor, &answer.model.layouts()[layout]);
    tensor["same_as"] = operand.sameAs;
    tensor["constant"] = operand.constant;
    operands.push_back(std::move(tensor));
  }
  for (auto [index, result] : llvm::enumerate(op.results))
    wanted.push_back(tensorJson(result, requested(answer, index)));
  json::Object attributes;
  for (const auto &[name, value] : op.attributes)
    attributes[json::fixUTF8(name)] = std::visit(AttributeJson(), value);
  return json::Object{{"operands", std::move(operands)},
                      {"wanted", std::move(wanted)},
                      {"attributes", std::move(attributes)},
                      {"config", toJson(answer.query.config.specific)}};
}

/// Only of what was measured: keys without a meaning would read as zeros.
void addMeasures(json::Object &object, const OpAnswer &answer) {
  const OpModelContext &context = answer.model.context();
  const OpConstraints &c = answer.result.constraints;
  json::Array results, buffers;
  for (auto [result, layout] : llvm::zip(answer.query.op.results, c.outputLayouts))
    results.push_back(tensorJson(result, &context.layouts[layout]));
  for (const CircularBuffer &buffer : answer.buffers)
    buffers.push_back(json::Object{{"program", buffer.program},
                                   {"holds", buffer.holds},
                                   {"pages", buffer.pages},
                                   {"bytes", buffer.bytes.value()}});
  object["results"] = std::move(results);
  object["circular_buffers"] = std::move(buffers);
  object["l1_bytes"] = json::Object{{"circular_buffers_peak", c.cbL1PeakSize.value()},
                                    {"tensors_peak", c.tensorL1PeakSize.value()},
                                    {"peak", c.peakL1MemorySize.value()},
                                    {"safety_margin", c.safetyMargin.value()},
                                    {"results", c.outputL1BufferSize.value()},
                                    {"operands", operandL1Bytes(answer.query, context).value()},
                                    {"available", context.l1Budget.value()}};
  const OpRuntime &t = answer.runtime;
  object["time_ns"] = json::Object{{"total", t.total.value()}, {"compute", t.compute.value()},
                                   {"l1", t.l1.value()},       {"noc", t.noc.value()},
                                   {"dram", t.dram.value()},   {"dispatch", t.dispatch.value()}};
  object["kernels"] = countsJson(answer.counts);
}

} // namespace

bool tessera::isMeasured(const OpAnswer &answer) {
  ValidationStatus status = answer.result.status;
  // What does not fit, or comes out in another layout, was worked through to the end and has its figures.
  return status == ValidationStatus::Success || status == ValidationStatus::OutOfMemory ||
         status == ValidationStatus::UnmatchedReferenceConfig;
}

OpAnswer tessera::ask(const OpModelBackend &backend, const OpQuery &query) {
  const OpModel &model = backend.model();
  OpAnswer answer{
      query, model, backend.use().backendVersion, "", "", model.query(query), model.runtime(query), "",
      {},    {}};
  if (const OpInfo *op = findOp(query.op.name))
    answer.family = op->family;
  // Other backends say how much circular buffers take, not which there are.
  if (model.name() == "analytic") {
    Explanation explanation = explain(model.context(), query);
    answer.buffers = std::move(explanation.buffers);
    answer.counts = std::move(explanation.counts);
  }
  return answer;
}

void tessera::print(llvm::raw_ostream &os, const OpAnswer &answer) {
  if (!answer.where.empty())
    os << answer.where << "\n";
  os << answer.query.op.name << (answer.family.empty() ? "" : " (family " + answer.family.str() + ")")
     << " on " << answer.model.device().name;
  // Defaults are not mentioned.
  if (answer.model.name() != OpModelOptions().choice)
    os << ", says " << answer.model.name();
  if (answer.backendVersion != kDefaultBackendVersion)
    os << ", for " << answer.backendVersion;
  os << ": " << name(answer.result.status);
  if (!answer.result.rule.empty())
    os << " [" << answer.result.rule << "]";
  os << "\n";
  if (!answer.result.message.empty())
    os << answer.result.message << "\n";
  printQuestion(answer, os);
  if (!isMeasured(answer))
    return;
  printMemory(answer, os);
  printTime(answer.runtime, os);
  printCounts(answer.counts, os);
}

json::Value tessera::toJson(const OpAnswer &answer) {
  json::Object object = questionJson(answer);
  object["op"] = json::fixUTF8(answer.query.op.name);
  object["family"] = answer.family.empty() ? json::Value(nullptr) : json::Value(answer.family);
  object["device"] = answer.model.device().name;
  object["op_model"] = answer.model.name();
  object["backend_version"] = answer.backendVersion;
  object["status"] = name(answer.result.status);
  object["rule"] = answer.result.rule;
  object["message"] = json::fixUTF8(answer.result.message);
  if (!answer.where.empty())
    object["where"] = json::fixUTF8(answer.where);
  if (!answer.note.empty())
    object["note"] = answer.note;
  if (isMeasured(answer))
    addMeasures(object, answer);
  return object;
}
