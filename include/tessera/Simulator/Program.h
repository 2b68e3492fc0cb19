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

struct Step {
  enum class Kind : uint8_t {
    Run,  ///< an op with a kernel, or a function of the host
    Call, ///< of another function: `ttcore.load_cached`
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

  size_t callee = 0;  ///< Call: index of the function
  bool force = false; ///< Free
};

enum class ArgumentRole : uint8_t { Input, Parameter, Constant, Cache };

/// A function of one block, in program order.
struct Function {
  std::string name;
  bool isForward = false; ///< for the device, and called by nobody
  std::vector<Value> values;
  std::vector<size_t> arguments, returned;
  std::vector<ArgumentRole> roles; ///< by argument
  std::vector<Step> steps;
};

struct Program {
  std::vector<Function> functions; ///< callees before callers
  GridShape mesh;                  ///< devices that run it
};

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_PROGRAM_H
