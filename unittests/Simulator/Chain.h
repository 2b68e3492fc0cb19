//===- Chain.h - Small programs on simulated memory -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_SIMULATOR_CHAIN_H
#define TESSERA_UNITTESTS_SIMULATOR_CHAIN_H

#include "SimulatorTest.h"

#include "tessera/OpModel/MockOpModel.h"
#include "tessera/Simulator/Machine.h"

#include <cmath>

namespace tessera::simulator {

inline const TensorDesc kTensor{{64, 64}, DataType::Float32};

/// A function of unary ops on 64 x 64 f32, built op by op. Value 0 is the argument.
struct Chain {
  Program program;
  std::vector<std::pair<size_t, size_t>> misplaced; ///< as in MachineOptions
  LayoutPool layouts;
  MockOpModel model{{*findDevice("n150"), layouts, findDevice("n150")->usableL1()}};

  explicit Chain(TensorLayout layout, TensorDesc desc = kTensor) {
    program.functions.emplace_back();
    function().name = "main";
    function().isForward = true;
    argument(std::move(layout), std::move(desc));
  }
  Function &function() { return program.functions.front(); }

  size_t value(TensorLayout layout, TensorDesc desc = kTensor) {
    function().values.push_back({std::move(desc), std::move(layout)});
    return function().values.size() - 1;
  }
  size_t argument(TensorLayout layout, TensorDesc desc = kTensor) {
    function().arguments.push_back(value(std::move(layout), std::move(desc)));
    function().roles.push_back(ArgumentRole::Input);
    return function().arguments.back();
  }
  size_t op(const std::string &name, std::vector<size_t> reads, TensorLayout layout,
            TensorDesc desc = kTensor) {
    Step step;
    step.op.name = name;
    step.kernel = findKernel(name);
    for (size_t read : reads)
      step.op.operands.push_back({function().values[read].desc});
    step.op.results = {desc};
    step.mayView = name == "ttnn.reshape" || name == "ttnn.pad";
    step.reads = std::move(reads);
    if (!step.kernel || !step.kernel->inPlace)
      step.writes = {value(std::move(layout), std::move(desc))};
    step.place = "place" + std::to_string(function().steps.size());
    function().steps.push_back(std::move(step));
    return function().values.size() - 1;
  }
  /// Instead of running, the last op's result shares its operand's memory.
  void elide() {
    function().steps.back().mayView = true;
    model.behaviour(function().steps.back().op.name).aliasesInput = true;
  }
  void free(size_t value, bool force = false) {
    Step step;
    step.kind = Step::Kind::Free;
    step.reads = {value};
    step.force = force;
    function().steps.push_back(std::move(step));
  }
  llvm::Expected<RunResult> run(Bytes memory = Bytes(1 << 30)) {
    auto argument = [&](size_t number) {
      const TensorDesc &desc = function().values[function().arguments[number]].desc;
      return MeshTensor(size_t(program.mesh.volume()),
                        counting(desc.shape, desc.dtype, number == 0 ? 1 : 0.5));
    };
    return simulator::run(program, function(), argument, model, {memory, {}, nullptr, misplaced});
  }
  std::string error(Bytes memory = Bytes(1 << 30)) {
    llvm::Expected<RunResult> result = run(memory);
    return result ? "" : llvm::toString(result.takeError());
  }
};

inline TensorLayout inDram() { return dramInterleaved(kTensor); }
inline TensorLayout inL1() { return l1Interleaved(kTensor, {8, 8}); }
inline TensorLayout onCores() { return l1Sharded(kTensor, MemoryLayout::HeightSharded, {2, 1}, {8, 8}); }

} // namespace tessera::simulator

#endif // TESSERA_UNITTESTS_SIMULATOR_CHAIN_H
