//===- ExplainCommand.cpp - tessera ops explain, tessera ops table --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/NearestNames.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

const DeviceSpec *deviceOrError(const std::string &name) {
  if (const DeviceSpec *device = findDevice(name))
    return device;
  llvm::SmallVector<llvm::StringRef> known;
  for (const DeviceSpec &device : builtinDevices())
    known.push_back(device.name);
  llvm::errs() << "tessera: error: unknown device '" << name << "'" << didYouMean(name, known) << "\n";
  return nullptr;
}

// ---- explain --------------------------------------------------------------------------------------------

std::string queryText(const ExplainArguments &arguments) {
  std::string op = findOp(arguments.op) ? arguments.op : "ttnn." + arguments.op;
  return op + " " + (arguments.in.empty() ? "()" : llvm::join(arguments.in, ", ")) + " -> " +
         (arguments.out.empty() ? "()" : llvm::join(arguments.out, ", ")) + " ; " +
         llvm::join(arguments.attributes, " ") + " ; " + arguments.config;
}

void printMemory(const Explanation &answer, const OpModelContext &context, llvm::raw_ostream &os) {
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
     << ", results " << formatBytes(c.outputL1BufferSize) << ", operands " << formatBytes(answer.operands)
     << "; there are " << formatBytes(context.l1Budget) << "\n";
}

void printTime(const OpRuntime &time, llvm::raw_ostream &os) {
  os << "time: " << formatNanoseconds(time.total) << " (compute " << formatNanoseconds(time.compute)
     << ", L1 " << formatNanoseconds(time.l1) << ", NoC " << formatNanoseconds(time.noc) << ", DRAM "
     << formatNanoseconds(time.dram) << ", dispatch " << formatNanoseconds(time.dispatch)
     << "; parts overlap)\n";
}

// ---- table ----------------------------------------------------------------------------------------------

/// Memory layouts that are tried, with the letter that stands for them.
struct Place {
  char letter;
  llvm::StringLiteral name, text;
};
constexpr Place kPlaces[] = {{'D', "DRAM", "dram"},
                             {'L', "L1", "l1"},
                             {'H', "height-sharded", "hs8"},
                             {'W', "width-sharded", "ws8"},
                             {'B', "block-sharded", "bs4x4"}};

/// Whether the op takes 256x256 operands where the texts say and gives a result there.
bool accepts(const OpInfo &op, llvm::StringRef first, llvm::StringRef others, llvm::StringRef result,
             const DeviceSpec &device) {
  LayoutPool layouts;
  std::string text = op.name.str();
  for (unsigned i = 0; i < op.minOperands; ++i)
    text += (i ? ", 256x256@" : " 256x256@") + (i ? others : first).str();
  text += " ->";
  for (unsigned i = 0; i < op.results; ++i)
    text += (i ? ", 256x256@" : " 256x256@") + result.str();
  auto query = parseQueryText(text, layouts, device);
  if (!query) {
    llvm::consumeError(query.takeError());
    return false;
  }
  auto model = createAnalyticOpModel({device, layouts, device.usableL1()});
  return model->query(query->query()).ok();
}

/// Letters of the result layouts that go with an operand 0 at `place`; other operands in DRAM, or there too.
std::string accepted(const OpInfo &op, const Place &place, const DeviceSpec &device) {
  std::string letters;
  for (const Place &result : kPlaces)
    if (accepts(op, place.text, "dram", result.text, device) ||
        (op.minOperands > 1 && accepts(op, place.text, place.text, result.text, device)))
      letters += result.letter;
  return letters.empty() ? "-" : letters;
}

} // namespace

int tessera::explainOp(const ExplainArguments &arguments) {
  const DeviceSpec *device = deviceOrError(arguments.device);
  if (!device)
    return kUsageError;
  LayoutPool layouts;
  auto query = parseQueryText(queryText(arguments), layouts, *device);
  if (!query) {
    llvm::errs() << "tessera: error: " << llvm::toString(query.takeError()) << "\n";
    return kUsageError;
  }
  OpModelContext context{*device, layouts, device->usableL1()};
  Explanation answer = explain(context, query->query());
  const ValidationResult &result = answer.result;
  llvm::outs() << query->signature.name
               << (answer.family.empty() ? "" : " (family " + answer.family.str() + ")") << " on "
               << device->name << ": " << name(result.status);
  if (!result.rule.empty())
    llvm::outs() << " [" << result.rule << "]";
  llvm::outs() << "\n";
  if (!result.message.empty())
    llvm::outs() << result.message << "\n";
  bool measured = result.status == ValidationStatus::Success ||
                  result.status == ValidationStatus::OutOfMemory ||
                  result.status == ValidationStatus::UnmatchedReferenceConfig;
  if (measured) {
    printMemory(answer, context, llvm::outs());
    printTime(answer.runtime, llvm::outs());
  }
  return kSuccess;
}

int tessera::printOpTable(const std::string &deviceName) {
  const DeviceSpec *device = deviceOrError(deviceName);
  if (!device)
    return kUsageError;
  llvm::outs()
      << "Result layouts that go with each layout of operand 0, for 256x256 bf16 tiles without attributes:\n"
         "D DRAM, L L1 interleaved, H height-, W width-, B block-sharded; - none. `tessera ops explain` "
         "asks anything else.\n\n";
  std::vector<TextTable::Column> columns{{"op"}};
  for (const Place &place : kPlaces)
    columns.push_back({place.name.str()});
  TextTable table(std::move(columns));
  for (const OpInfo &op : knownOps()) {
    std::vector<std::string> cells{op.name.str()};
    for (const Place &place : kPlaces)
      cells.push_back(accepted(op, place, *device));
    table.add(std::move(cells));
  }
  table.print(llvm::outs());
  return kSuccess;
}
