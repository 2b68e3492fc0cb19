//===- Collectives.cpp - Tables of times across chips ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// perf_ccl: facts/hardware 0 and 1.8. The bytes are those of
// the gathered result of all_gather, and of each chip's operand otherwise.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "Question.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

void readCollective(CsvTable::Row row, ImportSink &sink) {
  std::optional<DeviceSpec> device = deviceOf(row["system"].split(' ').first);
  std::optional<int64_t> bytes = row.integer("input_or_total_bytes"), chips = row.integer("n_devices");
  std::optional<double> us = row.number("time_us");
  if (!device || !bytes || !chips || !us || *chips < 1 || *chips > 1024 || *bytes < 1)
    return sink.skip("system, chips, bytes or time missing or unknown");
  // A row of chips, which exchange along it (`cluster_axis` 1): tables tell how many, not how they stand.
  device->mesh = {1, *chips};
  // A row-major tensor of exactly these bytes.
  auto row1 = [&](int64_t count) {
    return TensorDesc{{1, std::max<int64_t>(1, count / 2)}, DataType::BFloat16};
  };
  // In rows: tiles would be padded, and bytes are what is measured.
  auto place = [&](const TensorDesc &tensor) { return dramInterleaved(tensor, PageLayout::RowMajor); };
  bool gathers = row["op"] == "all_gather", scatters = row["op"] == "reduce_scatter";
  TensorDesc in = row1(gathers ? *bytes / *chips : *bytes);
  TensorDesc out = row1(scatters ? *bytes / *chips : *bytes);
  TimingRow timing;
  timing.call = Question("ttnn." + row["op"].str(), *device)
                    .operand(in, place(in))
                    .result(out, place(out))
                    .attribute("cluster_axis", int64_t(1))
                    .attribute("topology", row["topology"].str())
                    .call();
  timing.family = llvm::formatv("{0} {1} {2}", row["op"], row["topology"], name(device->arch));
  timing.group = "collective";
  timing.shape = std::to_string(*bytes);
  timing.ns = *us * 1000;
  sink.add(std::move(timing));
}

constexpr llvm::StringLiteral kCollective[] = {"system", "topology", "n_devices", "input_or_total_bytes",
                                               "time_us"};
constexpr TimingImporter kCollectiveImporters[] = {{kCollective, rowByRow<readCollective>}};

} // namespace

llvm::ArrayRef<TimingImporter> collectiveImporters() { return kCollectiveImporters; }

} // namespace tessera::evaluation
