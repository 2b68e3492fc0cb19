//===- Program.h - TTNN functions as what is to be done -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_PROGRAM_H
#define TESSERA_SIMULATOR_PROGRAM_H

#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpSignature.h"
#include "tessera/Simulator/Kernels.h"

namespace tessera::simulator {

/// A tensor of a function: what it is, and where it lies.
struct Value {
  TensorDesc desc;
  TensorLayout layout;
};

/// A loop over a function: it takes states, then what is the same in each run, and returns the next
/// states.
struct Loop {
  /// A number that the program states, or one that only the run knows.
  struct Bound {
    int64_t value;
    std::optional<size_t> operand; ///< whose number it is instead
  };
  std::optional<size_t>
      condition; ///< the function that says of the same operands whether it goes on, if there is one, else
  std::vector<Bound> bounds; ///< from, to (exclusive) and step
  size_t states = 0;
  std::vector<size_t> outputs; ///< for each result the state that it is in the end
};

/// One thing that is done, in program order. Steps name values by their places in Function::values, and nothing of the
/// IR: what a step means is all here.
struct Step {
  enum class Kind : uint8_t {
    Run,  ///< an op with a kernel, or a function of the host
    Call, ///< of another function: `ttcore.load_cached`, or of one again and again
    Free, ///< `ttnn.deallocate`
  };
  Kind kind = Kind::Run;
  std::vector<size_t> reads, writes; ///< values of the function
  std::string place;                 ///< for people: "ttnn.matmul at model.mlir:12:8"

  // Run
  const KernelRow *kernel = nullptr;
  HostKernel host; ///< instead of a kernel, if set
  OpSignature op;
  OpConfig config;                             ///< the specific part as the op has it
  bool mayView = false;                        ///< the result may share its operand's memory
  std::shared_ptr<const DenseTensor> constant; ///< of ttnn.constant

  size_t callee = 0;        ///< Call: index of the function
  std::optional<Loop> loop; ///< Call: how often
  bool force = false;       ///< Free
};

/// The functions that a step runs: of a loop its body and, if it has one, its condition. All take the step's operands.
inline std::vector<size_t> calledBy(const Step &step) {
  if (step.kind != Step::Kind::Call)
    return {};
  return step.loop && step.loop->condition ? std::vector{step.callee, *step.loop->condition}
                                           : std::vector{step.callee};
}

/// What an argument is to the function, by which random values are chosen for it: weights are scaled by what they are
/// summed over, others are not. Caches are written in place, so their last contents are results as well.
enum class ArgumentRole : uint8_t { Input, Parameter, Constant, Cache };

/// A function of one block, in program order.
struct Function {
  std::string name;
  bool isForward = false; ///< for the device, and called by nobody
  std::vector<Value> values;
  std::vector<size_t> arguments, returned;
  std::vector<ArgumentRole> roles; ///< by argument
  std::set<size_t> donated; ///< arguments that the caller gives up, so that nobody sees what is written there
  std::vector<Step> steps;
};

struct Program {
  std::vector<Function> functions; ///< callees before callers
  GridShape mesh;                  ///< devices that run it
};

/// The values of a callee that become what the step writes, in its order.
inline std::vector<size_t> returnedTo(const Step &step, const Function &callee) {
  if (!step.loop)
    return callee.returned;
  std::vector<size_t> values;
  for (size_t output : step.loop->outputs)
    values.push_back(callee.returned[output]);
  return values;
}

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_PROGRAM_H
