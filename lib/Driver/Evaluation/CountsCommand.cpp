//===- CountsCommand.cpp - tessera ops counts -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What the model says kernels execute, beside counts of a simulator of the
// hardware. Times may agree by errors that cancel each other; counts tell which
// part of a time is right.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Evaluation/Counts.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

int tessera::compareKernelCounts(const CountsArguments &arguments) {
  llvm::Expected<std::vector<CountsAccuracy>> ops = compareCounts(arguments.table);
  if (!ops)
    return inputError(llvm::toString(ops.takeError()));
  auto percent = [](size_t part, size_t whole) {
    return whole == 0 ? std::string("-")
                      : llvm::formatv("{0:F1}", 100.0 * double(part) / double(whole)).str();
  };
  TextTable table({{"op"},
                   {"calls", Align::Right},
                   {"counted", Align::Right},
                   {"cores %", Align::Right},
                   {"commands %", Align::Right},
                   {"waits %", Align::Right},
                   {"channel %", Align::Right},
                   {"steps off %", Align::Right}});
  for (const CountsAccuracy &op : *ops)
    // Of all calls: one that is not counted is a miss.
    table.add({op.op, std::to_string(op.calls), std::to_string(op.counted), percent(op.cores, op.calls),
               percent(op.commands, op.calls), percent(op.waits, op.calls), percent(op.channel, op.calls),
               op.counted == 0 ? "-" : llvm::formatv("{0:F1}", 100 * op.steps).str()});
  table.print(llvm::outs());
  return 0;
}
