//===- opmodel_bench.cpp - Queries per second of the op model -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One benchmark per op, uncached and cached: `items_per_second` is queries per second on one core.
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
};

void run(benchmark::State &state, const char *text, bool cached) {
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  OpModelContext context{device, layouts, device.usableL1()};
  std::unique_ptr<OpModel> model = createAnalyticOpModel(context);
  if (cached)
    model = createCachedOpModel(std::move(model));
  llvm::Expected<TextQuery> query = parseQueryText(text, layouts, device);
  if (!query) {
    llvm::consumeError(query.takeError());
    return state.SkipWithError("the query does not parse");
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(model->query({query->signature, query->inputs, query->config}).status);
  state.SetItemsProcessed(state.iterations());
}

} // namespace

int main(int argc, char **argv) {
  for (bool cached : {false, true})
    for (const char *text : kQueries)
      benchmark::RegisterBenchmark((std::string(cached ? "cached " : "uncached ") + text).c_str(),
                                   [=](benchmark::State &state) { run(state, text, cached); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
