//===- allocator_bench.cpp - Events per second of the allocator -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Aim of issue 12: 5 million recorded events per second on one core. `items_per_second` is events per second. The
// folder of recorded runs may be given; ../shared/facts/allocator is the default.
//
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/Replay.h"

#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>

#include <random>

using namespace tessera;

namespace {

/// Every recorded event, compared in all its figures.
void replayRecorded(benchmark::State &state, const RecordedRuns &runs) {
  int64_t events = 0;
  for (auto _ : state)
    for (const AllocatorTrace &trace : runs.traces) {
      benchmark::DoNotOptimize(replay(trace).events);
      events += int64_t(trace.events.size());
    }
  state.SetItemsProcessed(events);
}

void replayPrograms(benchmark::State &state, const RecordedRuns &runs) {
  for (auto _ : state)
    for (const ProgramTrace &program : runs.programs)
      benchmark::DoNotOptimize(replay(program).has_value());
  state.SetItemsProcessed(state.iterations() * int64_t(runs.programs.size()));
}

/// Many live blocks of random sizes: each step frees one and allocates another, so that holes come and go.
void churn(benchmark::State &state) {
  const size_t live = size_t(state.range(0));
  std::minstd_rand random(1);
  auto size = [&] { return Bytes(int64_t(random() % 64 + 1) * 2048); };
  BankAllocator bank({Bytes(0), Bytes(int64_t(1) << 40)}, Bytes(64));
  std::vector<Bytes> blocks;
  while (blocks.size() < live)
    blocks.push_back(*bank.allocate(size(), Direction::Up));
  for (auto _ : state) {
    Bytes &block = blocks[random() % live];
    bank.free(block);
    block = *bank.allocate(size(), Direction::Up);
  }
  state.SetItemsProcessed(2 * state.iterations());
}
BENCHMARK(churn)->ArgName("live")->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  llvm::Expected<RecordedRuns> runs =
      readRecordedRuns(argc > 1 ? argv[1] : TESSERA_SHARED_DIR "/facts/allocator");
  if (runs) {
    benchmark::RegisterBenchmark("recorded events",
                                 [&](benchmark::State &state) { replayRecorded(state, *runs); });
    benchmark::RegisterBenchmark("recorded programs",
                                 [&](benchmark::State &state) { replayPrograms(state, *runs); });
  } else {
    llvm::errs() << "no recorded runs: " << llvm::toString(runs.takeError()) << "\n";
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
