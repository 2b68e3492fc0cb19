//===- opmodel_bench.cpp - Queries per second of the op model -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One benchmark per op, for legality and memory uncached and cached, and for the time (uncached): `items_per_second`
// is queries per second on one core.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpModel.h"
#include "tessera/OpModel/QueryText.h"

#include <benchmark/benchmark.h>

using namespace tessera;

namespace {

constexpr const char *kQueries[] = {
    "ttnn.relu 2048x2048@l1 -> 2048x2048@l1",
    "ttnn.add 2048x2048@dram, 2048x2048@dram -> 2048x2048@dram",
    "ttnn.matmul 2048x2048@dram, 2048x2048@dram -> 2048x2048@dram",
    "ttnn.softmax 64x1024@l1 -> 64x1024@l1",
    "ttnn.rms_norm 32x2048@l1 -> 32x2048@l1",
    "ttnn.to_memory_config 2048x2048@dram -> 2048x2048@hs64",
    "ttnn.to_memory_config 2048x2048@bs8x8 -> 2048x2048@hs64",
    "ttnn.reshape 2048x2048@dram -> 4096x1024@dram",
};

enum class Ask { Legality, Cached, Time };

void run(benchmark::State &state, const char *text, Ask ask) {
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  OpModelContext context{device, layouts, device.usableL1()};
  std::unique_ptr<OpModel> model = createAnalyticOpModel(context);
  if (ask == Ask::Cached)
    model = createCachedOpModel(std::move(model));
  llvm::Expected<TextQuery> query = parseQueryText(text, layouts, device);
  if (!query) {
    llvm::consumeError(query.takeError());
    return state.SkipWithError("the query does not parse");
  }
  OpQuery question{query->signature, query->inputs, query->config};
  for (auto _ : state)
    if (ask == Ask::Time)
      benchmark::DoNotOptimize(model->runtime(question).total);
    else
      benchmark::DoNotOptimize(model->query(question).status);
  state.SetItemsProcessed(state.iterations());
}

} // namespace

int main(int argc, char **argv) {
  constexpr std::pair<Ask, const char *> kinds[] = {
      {Ask::Legality, "uncached "}, {Ask::Cached, "cached "}, {Ask::Time, "time of "}};
  for (auto [ask, name] : kinds)
    for (const char *text : kQueries)
      benchmark::RegisterBenchmark((std::string(name) + text).c_str(),
                                   [=, ask = ask](benchmark::State &state) { run(state, text, ask); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
