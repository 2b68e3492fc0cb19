//===- ListCommands.cpp - tessera devices, policies, rewrites, ops --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"

#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Rewrite/Rewrite.h"
#include "tessera/Simulator/Kernels.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/NearestNames.h"
#include "tessera/Support/TextTable.h"
#include "tessera/Support/WrapText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

std::string cell(GridShape grid) { return llvm::formatv("{0}x{1}", grid.rows, grid.columns); }
/// The two commands that tell a bandwidth do not tell the same.
constexpr llvm::StringLiteral kBandwidths =
    "DRAM figures are what all cores achieve together on interleaved pages, from start to end. The op model "
    "does not compute with them as they are: its own rates (dram.read and dram.write of 'tessera ops "
    "parameters') are fitted to timings, with start-up and the work on each tile counted apart, and scaled "
    "by these figures from board to board.";

std::string cell(double number) { return llvm::formatv("{0:F2}", number); }

} // namespace

int tessera::listDevices() {
  TextTable table({{"device"},
                   {"arch"},
                   {"cores", Align::Right},
                   {"mesh", Align::Right},
                   {"usable L1", Align::Right},
                   {"DRAM banks", Align::Right},
                   {"clock GHz", Align::Right},
                   {"DRAM read GB/s", Align::Right},
                   {"write GB/s", Align::Right},
                   {"description"}});
  for (const DeviceSpec &device : builtinDevices())
    table.add({device.name, name(device.arch).str(), cell(device.workerGrid), cell(device.mesh),
               formatBytes(asOpenedBy(OpModelOptions(), device).usableL1()), std::to_string(device.dramBanks),
               cell(device.clockGHz), llvm::formatv("{0:F0}", device.dramReadGBs),
               llvm::formatv("{0:F0}", device.dramWriteGBs), device.description});
  table.print(llvm::outs());
  llvm::outs() << "\nCores and meshes are rows x columns.\n" << wrapText(kBandwidths, textWidth()) << "\n";
  return kSuccess;
}

int tessera::listPolicies() {
  TextTable table({{"policy"}, {"what it does"}});
  for (const PolicyInfo &policy : policies())
    table.add({policy.name.str(), policy.summary.str()});
  table.print(llvm::outs());
  return kSuccess;
}

int tessera::listRewrites() {
  TextTable table({{"rewrite"}, {"bits"}, {"matches"}, {"makes"}, {"because"}});
  for (const RewriteInfo &rewrite : rewrites())
    table.add({rewrite.name.str(), name(rewrite.exactness).str(), rewrite.matches.str(), rewrite.makes.str(),
               rewrite.reason.str()});
  table.print(llvm::outs());
  return kSuccess;
}

namespace {

/// In which arithmetic `tessera run` computes the op.
std::string simulated(llvm::StringRef op) {
  const simulator::KernelRow *row = simulator::findKernel(op);
  return row ? row->deviceKernel ? "exact, kernels" : "exact" : "-";
}

int listAllOps() {
  TextTable table({{"op"}, {"family"}, {"operands", Align::Right}, {"rules", Align::Right}, {"simulated"}});
  for (const OpInfo &op : knownOps())
    table.add({op.name.str(), op.family.str(),
               op.minOperands == op.maxOperands
                   ? std::to_string(op.minOperands)
                   : llvm::formatv("{0}-{1}", op.minOperands, op.maxOperands).str(),
               std::to_string(op.rules.size()), simulated(op.name)});
  table.print(llvm::outs());
  return kSuccess;
}

} // namespace

int tessera::listOps(const OpListArguments &arguments) {
  if (arguments.op.empty())
    return listAllOps();
  const OpInfo *op = findOp(arguments.op);
  if (!op)
    // "matmul" is what people type.
    op = findOp("ttnn." + arguments.op);
  if (!op) {
    // Commands as well: `tessera ops explian` is taken for the name of an op.
    llvm::SmallVector<llvm::StringRef> known(arguments.commands.begin(), arguments.commands.end());
    for (const OpInfo &each : knownOps())
      known.push_back(each.name);
    return usageError("'" + arguments.op +
                      "' is neither an op that the op model knows nor a command of 'tessera ops'" +
                      didYouMean(arguments.op, known));
  }
  llvm::outs() << op->name << " (family " << op->family << "): legal if\n";
  TextTable table({{"rule"}, {"requires"}, {"source"}, {"strict on purpose"}});
  for (llvm::StringRef id : op->rules)
    if (const RuleInfo *rule = findRule(id))
      table.add({rule->id.str(), rule->requirement.str(), rule->source.str(),
                 rule->strictFor.empty() ? "-" : rule->strictFor.str()});
  table.print(llvm::outs());
  return kSuccess;
}
