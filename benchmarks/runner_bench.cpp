//===- runner_bench.cpp - Packing, configuration and merge ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Layout/BlockFloat.h"
#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/RunConfig.h"
#include "tessera/ModelRunner/SourceMatrix.h"
#include "tessera/ModelRunner/WeightConverter.h"
#include "tessera/Support/Json.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>

using namespace tessera;
using namespace tessera::runner;

namespace {

std::string deepSeekText() {
  auto buffer = llvm::MemoryBuffer::getFile(TESSERA_DEEPSEEK_CONFIG);
  if (buffer)
    return (*buffer)->getBuffer().str();
  llvm::errs() << "cannot read '" TESSERA_DEEPSEEK_CONFIG "'\n";
  std::exit(1);
}

Target deepSeek() {
  llvm::Expected<HfConfig> hf = readHfConfig(*parseJson(deepSeekText()));
  return {hf ? *hf : HfConfig(), {4, 8}};
}

/// fp32 tiles to block float; items are elements.
void packTiles(benchmark::State &state) {
  auto type = DataType(state.range(0));
  std::vector<float> tile(1024);
  for (int i = 0; i != 1024; ++i)
    tile[i] = float((i * 7919) % 1000 - 500) / 997;
  std::vector<uint8_t> packed(tileBytes(type).value());
  for (auto _ : state) {
    packTile(type, tile.data(), packed.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 1024);
  state.SetLabel(name(type).str());
}
BENCHMARK(packTiles)->Arg(int(DataType::BFP_BFloat8))->Arg(int(DataType::BFP_BFloat4));

/// fp8 of a checkpoint with a scale per block to block float, transposed as weights are; items are elements.
void convertTiles(benchmark::State &state) {
  llvm::SmallString<128> folder;
  llvm::sys::fs::createUniqueDirectory("tessera-bench", folder);
  std::string path = folder.str().str();
  llvm::cantFail(writeRandomCheckpoint({TESSERA_TINY_CONFIG, path, 1, uint64_t(1) << 30}));
  Checkpoint checkpoint = llvm::cantFail(Checkpoint::open(path));
  const SourceTensor &tensor = *checkpoint.find("model.layers.0.mlp.gate_proj.weight");
  int64_t rows = tensor.shape[0], columns = tensor.shape[1];
  SourceMatrix matrix =
      llvm::cantFail(SourceMatrix::open(checkpoint, {{tensor.name, 0, rows, rows}}, columns, {}));
  SourceMatrix::Stripe stripe;
  llvm::cantFail(matrix.read(0, kTile, 0, columns, stripe));
  auto type = DataType(state.range(0));
  std::vector<uint8_t> packed(tileBytes(type).value());
  float numbers[kTile * kTile];
  for (auto _ : state)
    for (int64_t column = 0; column != columns; column += kTile) {
      matrix.tile(stripe, column, /*transposed=*/true, numbers);
      packTile(type, numbers, packed.data());
      benchmark::ClobberMemory();
    }
  state.SetItemsProcessed(state.iterations() * kTile * columns);
  state.SetLabel(name(type).str());
  llvm::sys::fs::remove_directories(path);
}
BENCHMARK(convertTiles)->Arg(int(DataType::BFP_BFloat8))->Arg(int(DataType::BFP_BFloat4));

/// config.json to the JSON of a model config.
void writeModelConfig(benchmark::State &state) {
  std::string text = deepSeekText();
  for (auto _ : state) {
    llvm::Expected<HfConfig> hf = readHfConfig(*parseJson(text));
    Target target{*hf, {4, 8}};
    Dict config = state.range(0) ? model::decodeModelConfig(target) : model::prefillModelConfig(target);
    std::string json = llvm::formatv("{0:2}", itemToJson(config));
    benchmark::DoNotOptimize(json.data());
  }
  state.SetLabel(state.range(0) ? "decode" : "prefill");
}
BENCHMARK(writeModelConfig)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Model config, weights and state of 61 layers.
void mergeModel(benchmark::State &state) {
  Target target = deepSeek();
  Item config = model::decodeModelConfig(target), weights = weightConfig(planWeights(target));
  Item states = model::createState(target, {"galaxy", target.mesh});
  size_t problems = 0;
  for (auto _ : state)
    problems +=
        runConfig(config, weights, states, {MergeMode(state.range(0)), nullptr, nullptr}).problems.size();
  if (problems)
    state.SkipWithError("the merge failed");
  state.SetLabel(kMergeModeNames[state.range(0)].str());
}
BENCHMARK(mergeModel)
    ->Arg(int(MergeMode::Compat))
    ->Arg(int(MergeMode::Checked))
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
