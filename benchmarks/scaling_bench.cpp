//===- scaling_bench.cpp - Time per op of programs of any length ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// scaling_bench [policy=NAME...] [shape=NAME...] [ops=COUNT...] [--benchmark_...]: one benchmark per shape, policy and
// number of ops (default: all of them, 1000, 10000 and 50000 ops): parse, verify, plan, check, rewrite, verify and print,
// on one thread. At the end a table of time and peak memory per op; a ratio is the last length over the first.
//
// scaling_bench print SHAPE COUNT: such a module on standard output, for `tessera`.
//
//===----------------------------------------------------------------------===//
#include "Shapes.h"

#include "tessera/Dialect/Register.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Support/TextTable.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <malloc.h>
#include <map>

using namespace tessera;

namespace {

/// Which benchmarks to run.
struct WantedRuns {
  std::vector<const ProgramShape *> shapes;
  std::vector<llvm::StringRef> policies;
  std::vector<size_t> lengths;
};

std::string nameOf(const ProgramShape &shape, llvm::StringRef policy, size_t ops) {
  return llvm::formatv("{0}/{1}/{2}", shape.name, policy, ops);
}

/// A line of /proc/self/status that holds memory, in KiB; 0 where there is no such file.
double statusKiB(llvm::StringRef key) {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!file)
    return 0;
  llvm::StringRef line = (*file)->getBuffer().split(key).second.ltrim(":\t ");
  long kib = 0;
  line.consumeInteger(10, kib);
  return double(kib);
}

/// The memory that the process allocates above what it held when this was made, at most. Pages of its binary that it happens to
/// run (some 10 MB) are not allocated.
class PeakMemory {
public:
  PeakMemory() {
    malloc_trim(0); // what earlier benchmarks have freed would hide what this one takes
    std::ofstream("/proc/self/clear_refs") << 5; // proc(5): the peak begins anew
    before = allocated("VmRSS");
  }
  double kib() const { return std::max(0.0, allocated("VmHWM") - before); }

private:
  static double allocated(llvm::StringRef key) { return statusKiB(key) - statusKiB("RssFile"); }
  double before;
};

void optimizeShape(benchmark::State &state, const ProgramShape &shape, llvm::StringRef policy,
                   size_t wanted) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  OptimizerOptions options;
  options.policy = policy.str();
  const std::string text = shape.module(wanted);
  size_t ops = 0;
  PeakMemory memory;
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return state.SkipWithError("does not parse");
    mlir::FailureOr<OptimizationResult> result = optimize(*module, options);
    if (mlir::failed(result) || mlir::failed(mlir::verify(*module)))
      return state.SkipWithError("does not optimize");
    std::string printed;
    llvm::raw_string_ostream(printed) << *module;
    benchmark::DoNotOptimize(printed);
    ops = totalOf(result->functions).ops;
  }
  state.counters["per_op"] = benchmark::Counter(double(ops), benchmark::Counter::kIsIterationInvariantRate |
                                                                 benchmark::Counter::kInvert);
  state.counters["kib_per_op"] = memory.kib() / double(ops);
}

/// The usual lines as the benchmarks end, and the table when all have.
class ScalingReporter : public benchmark::ConsoleReporter {
public:
  explicit ScalingReporter(const WantedRuns &wanted) : wanted(wanted) {}

  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      if (auto time = run.counters.find("per_op"); time != run.counters.end())
        figures[run.benchmark_name()] = {time->second.value * 1e6, run.counters.at("kib_per_op").value};
  }

  void Finalize() override {
    std::vector<TextTable::Column> columns{{"shape"}, {"policy"}};
    for (llvm::StringRef unit : {"us/op", "KiB/op"}) {
      for (size_t ops : wanted.lengths)
        columns.push_back({llvm::formatv("{0} at {1}", unit, ops), Align::Right});
      columns.push_back({"ratio", Align::Right});
    }
    TextTable table(columns);
    for (const ProgramShape *shape : wanted.shapes)
      for (llvm::StringRef policy : wanted.policies)
        table.add(row(*shape, policy));
    llvm::outs() << "\n";
    table.print(llvm::outs());
  }

private:
  struct PerOp {
    double microseconds = 0, kib = 0;
  };

  std::vector<std::string> row(const ProgramShape &shape, llvm::StringRef policy) {
    std::vector<std::string> cells{shape.name.str(), policy.str()};
    for (double PerOp::*figure : {&PerOp::microseconds, &PerOp::kib}) {
      auto at = [&](size_t ops) { return figures[nameOf(shape, policy, ops)].*figure; };
      for (size_t ops : wanted.lengths)
        cells.push_back(llvm::formatv("{0:F1}", at(ops)));
      cells.push_back(llvm::formatv("{0:F2}", at(wanted.lengths.back()) / at(wanted.lengths.front())));
    }
    return cells;
  }

  const WantedRuns &wanted;
  std::map<std::string, PerOp> figures; ///< by benchmark
};

const ProgramShape *findShape(llvm::StringRef name) {
  auto found = llvm::find_if(programShapes(), [&](const ProgramShape &shape) { return shape.name == name; });
  return found == programShapes().end() ? nullptr : found;
}

/// False if an argument is none.
bool select(WantedRuns &wanted, llvm::ArrayRef<char *> arguments) {
  for (llvm::StringRef argument : arguments) {
    size_t ops = 0;
    if (argument.consume_front("policy=") && findPolicy(argument))
      wanted.policies.push_back(argument);
    else if (argument.consume_front("shape=") && findShape(argument))
      wanted.shapes.push_back(findShape(argument));
    else if (argument.consume_front("ops=") && !argument.getAsInteger(10, ops) && ops > 0)
      wanted.lengths.push_back(ops);
    else
      return false;
  }
  if (wanted.policies.empty())
    for (const PolicyInfo &policy : policies())
      wanted.policies.push_back(policy.name);
  if (wanted.shapes.empty())
    for (const ProgramShape &shape : programShapes())
      wanted.shapes.push_back(&shape);
  if (wanted.lengths.empty())
    wanted.lengths = {1000, 10000, 50000};
  return true;
}

int usageError() {
  llvm::errs() << "usage: scaling_bench [policy=NAME...] [shape=NAME...] [ops=COUNT...] [--benchmark_...]\n"
                  "       scaling_bench print SHAPE COUNT\nshapes:\n";
  for (const ProgramShape &shape : programShapes())
    llvm::errs() << "  " << shape.name << "  " << shape.summary << "\n";
  return 1;
}

int printModule(llvm::StringRef name, llvm::StringRef count) {
  const ProgramShape *shape = findShape(name);
  size_t ops = 0;
  if (!shape || count.getAsInteger(10, ops) || ops == 0)
    return usageError();
  llvm::outs() << shape->module(ops);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc == 4 && llvm::StringRef(argv[1]) == "print")
    return printModule(argv[2], argv[3]);
  WantedRuns wanted;
  if (!select(wanted, llvm::ArrayRef(argv, argc).drop_front()))
    return usageError();
  for (const ProgramShape *shape : wanted.shapes)
    for (llvm::StringRef policy : wanted.policies)
      for (size_t ops : wanted.lengths)
        benchmark::RegisterBenchmark(nameOf(*shape, policy, ops).c_str(), [=](benchmark::State &state) {
          optimizeShape(state, *shape, policy, ops);
        })->Unit(benchmark::kMillisecond);
  ScalingReporter reporter(wanted);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return 0;
}
