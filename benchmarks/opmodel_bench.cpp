//===- opmodel_bench.cpp - Queries per second of the op model -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One benchmark per op, for legality and memory uncached and cached, and for the time (uncached): `items_per_second`
// is queries per second on one core.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpCostTable.h"
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
    "ttnn.to_memory_config 2048x2048@ws64 -> 2048x2048@hs64",
    "ttnn.to_memory_config 2048x2048@ws64/rm -> 2048x2048@bs8x8/rm",
    "ttnn.reshape 2048x2048@dram -> 4096x1024@dram",
    "ttnn.reshape 544x2048@l1 -> 32x17x8x256@l1",
    "ttnn.reshape 8x112x112x64@dram -> 1x1x100352x64@dram",
    "ttnn.permute 32x17x8x256@dram -> 32x8x17x256@dram ; permutation=[0,2,1,3]",
    "ttnn.concat 32x32x1x16@dram, 32x32x1x16@dram -> 32x32x1x32@dram ; dim=3",
    "ttnn.slice_static 3072x2304@dram -> 3072x768@dram ; begins=[0,5] ends=[3072,773] step=[1,1]",
    "ttnn.repeat 32x4x1x1x256@dram -> 32x4x1x2x256@dram ; repeat_dims=[1,1,1,2,1]",
    "ttnn.pad 32x1000@dram -> 32x2000@dram ; padding=[0,0,0,1000]",
    "ttnn.embedding 3072xu32@dram/rm, 32000x768@dram -> 3072x768@dram",
};

enum class Ask { Legality, Cached, Time };

void run(benchmark::State &state, const char *text, Ask ask) {
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  OpModelContext context{device, layouts, device.usableL1()};
  std::unique_ptr<OpModel> model = createAnalyticOpModel(context);
  if (ask == Ask::Cached)
    model = std::make_unique<OpCostTable>(std::move(model));
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
