//===- simulator_bench.cpp - How fast the simulated device is -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   storePages, loadPages   elements to the bytes of pages and back, on one thread; bytes are the device's
//   product                 the step of a 4096 x 4096 x 4096 bf16 matmul, pages of DRAM included, and the same
//                           product by oneDNN alone, one after the other: `ratio` is what the simulator adds
//   module/...              a whole module of ../shared as `tessera run` runs it, inputs included; `first_s` is the
//                           run before, whose memory the system still has to give
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/SimulatorProgram.h"
#include "tessera/Dialect/Register.h"
#include "tessera/OpModel/OpModel.h"
#include "tessera/Simulator/Inputs.h"
#include "tessera/Simulator/Machine.h"
#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/Parallel.h"

#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <dlfcn.h>

using namespace tessera;
using namespace tessera::simulator;

namespace {

constexpr int64_t kEdge = 4096;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// ---- Pages -----------------------------------------------------------------------------------------------

struct Stored {
  TensorDesc desc;
  PageMap map;
  std::vector<std::vector<uint8_t>> banks;
  DenseTensor values;

  Stored(TensorDesc tensor, const TensorLayout &layout)
      : desc(tensor), map(llvm::cantFail(PageMap::make(layout, tensor, *findDevice("n150")))),
        banks(size_t(map.banks()), std::vector<uint8_t>(size_t(map.bankBytes().value()))), values(tensor) {
    for (int64_t i = 0; i < values.volume(); ++i)
      values.floats[size_t(i)] = float(i % 1000) / 7;
    store();
  }
  auto page() {
    return [this](PageAddress address) {
      return llvm::MutableArrayRef(banks[size_t(address.bank)])
          .slice(size_t(address.offset.value()), size_t(map.pageSize().value()));
    };
  }
  void store() { map.store(values, page()); }
  void load() { map.load(values, page()); }
  int64_t bytes() const { return map.pageSize().value() * map.pages().volume(); }
};

TensorLayout interleaved(const TensorDesc &desc) { return dramInterleaved(desc); }
TensorLayout sharded(const TensorDesc &desc) {
  return l1Sharded(desc, MemoryLayout::BlockSharded, {8, 8}, {8, 8});
}
TensorLayout rows(const TensorDesc &desc) { return dramInterleaved(desc, PageLayout::RowMajor); }

using MakeLayout = TensorLayout (*)(const TensorDesc &);

void movePages(benchmark::State &state, MakeLayout layout, DataType type, void (Stored::*move)()) {
  constexpr int64_t kSide = 2048; // sharded tensors must fit into L1
  setThreads(1);
  TensorDesc desc{{kSide, kSide}, type};
  Stored stored(desc, layout(desc));
  for (auto _ : state) {
    (stored.*move)();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * stored.bytes());
  setThreads(2);
}

void registerPages() {
  struct Kind {
    const char *name;
    MakeLayout layout;
  };
  for (const Kind &kind : {Kind{"dram_tiles", interleaved}, {"sharded_tiles", sharded}, {"dram_rows", rows}})
    for (DataType type : {DataType::BFloat16, DataType::Float32, DataType::BFP_BFloat8}) {
      if (type == DataType::BFP_BFloat8 && kind.layout == rows)
        continue;
      std::string suffix = std::string("/") + kind.name + "/" + name(type).str();
      benchmark::RegisterBenchmark(("storePages" + suffix).c_str(), movePages, kind.layout, type,
                                   &Stored::store);
      benchmark::RegisterBenchmark(("loadPages" + suffix).c_str(), movePages, kind.layout, type,
                                   &Stored::load);
    }
}

// ---- A matrix product ------------------------------------------------------------------------------------

using Sgemm = int (*)(char, char, int64_t, int64_t, int64_t, float, const float *, int64_t, const float *,
                      int64_t, float, float *, int64_t);

/// Seconds of oneDNN alone for the product of two dense f32 matrices, on as many threads as the simulator has.
double oneDnnSeconds(Sgemm sgemm) {
  Elements<float> a(size_t(kEdge * kEdge), 1.0f), b(size_t(kEdge * kEdge), 0.5f), c(size_t(kEdge * kEdge));
  auto begin = std::chrono::steady_clock::now();
  sgemm('N', 'N', kEdge, kEdge, kEdge, 1, a.data(), kEdge, b.data(), kEdge, 0, c.data(), kEdge);
  return secondsSince(begin);
}

Program productProgram() {
  TensorDesc desc{{kEdge, kEdge}, DataType::BFloat16};
  Program program;
  Function &function = program.functions.emplace_back();
  function.name = "main";
  function.values.assign(3, {desc, dramInterleaved(desc)});
  function.arguments = {0, 1};
  function.roles = {ArgumentRole::Input, ArgumentRole::Input};
  function.returned = {2};
  Step &step = function.steps.emplace_back();
  step.op.name = step.place = "ttnn.matmul";
  step.op.operands = {{desc}, {desc}};
  step.op.results = {desc};
  step.kernel = findKernel(step.op.name);
  step.reads = {0, 1};
  step.writes = {2};
  return program;
}

void product(benchmark::State &state) {
  void *library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  auto sgemm = library ? reinterpret_cast<Sgemm>(dlsym(library, "dnnl_sgemm")) : nullptr;
  if (!sgemm)
    return state.SkipWithError("oneDNN is not there");
  if (auto *setThreadsOfOneDnn = reinterpret_cast<void (*)(int)>(dlsym(library, "omp_set_num_threads")))
    setThreadsOfOneDnn(int(threads()));
  Program program = productProgram();
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});
  double simulated = 0, alone = 0;
  for (auto _ : state) {
    llvm::Expected<RunResult> result =
        run(program, program.functions[0],
            [&](size_t number) { return MeshTensor(1, randomArgument(program.functions[0], number, {}, 1)); },
            *model, {Bytes(int64_t(1) << 32), {}, nullptr});
    if (!result)
      return state.SkipWithError(llvm::toString(result.takeError()).c_str());
    double seconds = result->statistics.times["ttnn.matmul"].seconds;
    state.SetIterationTime(seconds);
    simulated += seconds;
    alone += oneDnnSeconds(sgemm);
  }
  state.counters["oneDNN_s"] = alone / double(state.iterations());
  state.counters["ratio"] = simulated / alone;
}
BENCHMARK(product)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);

// ---- Modules ---------------------------------------------------------------------------------------------

void runModule(benchmark::State &state, const std::string &file) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler silence(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
  if (!module)
    return state.SkipWithError("does not parse, or is not there");
  DeviceSpec device = *findDevice("n150");
  llvm::Expected<Program> program = readProgram(*module, device.mesh);
  if (!program)
    return state.SkipWithError(llvm::toString(program.takeError()).c_str());
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});
  auto runAll = [&] {
    for (const Function &function : program->functions) {
      if (!function.isForward)
        continue;
      std::vector<ValueRange> ranges = argumentRanges(*program, function);
      auto draw = [&](size_t number, const ElementBlock &block, DenseTensor &values) {
        RandomArgument(function, number, ranges[number], 1).fill(block, values);
      };
      llvm::Expected<RunResult> result = run(*program, function, ArgumentSource::inParts(draw), *model,
                                             {Bytes(int64_t(1) << 34), {}, nullptr});
      if (!result)
        return state.SkipWithError(llvm::toString(result.takeError()).c_str());
    }
  };
  auto begin = std::chrono::steady_clock::now();
  runAll(); // the first one has the system give memory page by page
  state.counters["first_s"] = secondsSince(begin);
  for (auto _ : state)
    runAll();
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  registerPages();
  for (const char *name : {"ttnn-o2/llama_3_2_1b_decode_layer", "ttnn/resnet50_xla"})
    benchmark::RegisterBenchmark((std::string("module/") + name).c_str(), runModule,
                                 TESSERA_SHARED_DIR "/models/" + std::string(name) + ".mlir")
        ->Unit(benchmark::kSecond)
        ->UseRealTime()
        ->Iterations(1);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
