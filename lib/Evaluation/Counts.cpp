//===- Counts.cpp - Counts of kernels against those that were counted -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A table of counts says what kernels did, command by command, on the core that
// had most to do. Our counts of the same calls are near or are not, within 5 %,
// and shares of calls are what is told: one count that is wrong by a factor of
// ten would hide all others in a mean.
//
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Counts.h"

#include "TimingRow.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <cmath>

using namespace tessera;
using namespace tessera::evaluation;

namespace {

/// Columns of the table beside those of the call.
constexpr llvm::StringLiteral kCounts[] = {"cores",
                                           "programs",
                                           "reader_steps",
                                           "writer_steps",
                                           "reader_l1_loads",
                                           "writer_l1_loads",
                                           "reads",
                                           "read_bytes",
                                           "read_waits",
                                           "writes",
                                           "write_bytes",
                                           "write_waits",
                                           "channel_bytes",
                                           "channel_commands",
                                           "noc0_byte_hops",
                                           "noc1_byte_hops",
                                           "served_bytes",
                                           "serves",
                                           "unpack_steps",
                                           "unpacks",
                                           "math",
                                           "products",
                                           "packs"};

/// All counts are required, in each row: one that is not there would be compared with 0.
Schema schema() {
  Schema columns = callColumns();
  for (llvm::StringLiteral name : kCounts)
    columns.push_back({name, true});
  columns.push_back({"ns"});
  columns.push_back({"source"});
  return columns;
}

/// Small numbers may be off by one: a command more is no 5 %.
bool near(double ours, double counted) { return std::abs(ours - counted) <= std::max(1.0, counted * 0.05); }

/// Of an even number the upper one of the two in the middle.
double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A row has the sums of its call: of the core with most, which is taken to be the same one in each program.
KernelCounts sumOf(const ProgramCounts &programs) {
  // Programs run one after the other, so their commands add up; cores do not.
  KernelCounts sums = programs.front();
  for (const KernelCounts &program : llvm::drop_begin(programs)) {
    sums.cores = std::max(sums.cores, program.cores);
    sums.reader.add(1, program.reader);
    sums.writer.add(1, program.writer);
    sums.channelBytes += program.channelBytes;
  }
  return sums;
}

/// One op's figures while rows come in.
struct Gathered {
  CountsAccuracy sums;
  std::vector<double> stepErrors;

  void add(const KernelCounts &ours, const CsvTable::Row &row) {
    auto counted = [&](llvm::StringRef column) { return row.number(column).value_or(0); };
    ++sums.counted;
    sums.cores += double(ours.cores) == counted("cores");
    sums.commands += near(ours.reader.reads, counted("reads")) && near(ours.writer.writes, counted("writes"));
    sums.waits += near(ours.reader.readWaits, counted("read_waits")) &&
                  near(ours.writer.writeWaits, counted("write_waits"));
    sums.channel += near(ours.channelBytes, counted("channel_bytes"));
    // The busier of the two processors decides how long a core takes.
    double steps = std::max(counted("reader_steps"), counted("writer_steps"));
    stepErrors.push_back(std::abs(std::max(ours.reader.steps, ours.writer.steps) / std::max(1.0, steps) - 1));
  }
};

} // namespace

void CountsAccuracy::add(const CountsAccuracy &other) {
  calls += other.calls;
  counted += other.counted;
  cores += other.cores;
  commands += other.commands;
  waits += other.waits;
  channel += other.channel;
}

llvm::Expected<std::vector<CountsAccuracy>> tessera::compareCounts(llvm::StringRef path) {
  llvm::Expected<CsvTable> table = CsvTable::read(path);
  if (!table)
    return table.takeError();
  if (llvm::Error error = checkColumns(*table, schema(), "counts"))
    return std::move(error);
  LayoutPool layouts;
  llvm::StringMap<Gathered> ops;
  Gathered all;
  for (size_t i = 0; i < table->size(); ++i) {
    CsvTable::Row row = table->row(i);
    RowReader cells(row, table->path());
    Call call = readCall(cells, layouts);
    for (llvm::StringLiteral column : kCounts)
      if (row.number(column).value_or(-1) < 0)
        cells.fail(column, "'" + cells[column] + "' is no count");
    if (llvm::Error error = cells.takeError())
      return std::move(error);
    Gathered &op = ops[defaultFamily(call)];
    ++op.sums.calls;
    ++all.sums.calls;
    llvm::Expected<ProgramCounts> counts = kernelCounts(call.query);
    if (!counts) {
      // Calls whose kernels are not modelled are counted as calls, and in no share.
      llvm::consumeError(counts.takeError());
      continue;
    }
    if (counts->empty())
      continue;
    KernelCounts sums = sumOf(*counts);
    op.add(sums, row);
    all.add(sums, row);
  }
  std::vector<CountsAccuracy> result;
  auto finish = [&](Gathered &gathered, llvm::StringRef name) {
    gathered.sums.op = name.str();
    gathered.sums.steps = median(std::move(gathered.stepErrors));
    result.push_back(gathered.sums);
  };
  for (auto &entry : ops)
    finish(entry.second, entry.first());
  // The ops that are called most matter most; all together stand below them.
  llvm::sort(result, [](const CountsAccuracy &a, const CountsAccuracy &b) {
    return std::pair(b.calls, a.op) < std::pair(a.calls, b.op);
  });
  finish(all, "all");
  return result;
}
