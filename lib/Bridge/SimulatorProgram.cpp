//===- SimulatorProgram.cpp - TTNN functions for the simulator ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The simulator knows no IR. A function becomes a list of values with shape and
// layout and a list of steps that name them by number, in program order; a step
// is a kernel with its signature and config, a call of another function by its
// place in the program, or a free. Functions are read callees first, so that a
// call finds the place of its callee: one that calls itself finds none, and is
// refused there. All that the simulator could not run is refused here, with the
// op's place in the file.
//
//===----------------------------------------------------------------------===//
#include "tessera/Bridge/SimulatorProgram.h"

#include "ConfigAttributes.h"
#include "HostFunctions.h"
#include "tessera/Bridge/Loops.h"
#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;

namespace {

using simulator::DenseTensor;
using simulator::failure;

/// "model.mlir:12:8", where the op stands or says that it came from.
std::string placeOf(Operation &op) {
  auto place = op.getLoc()->findInstanceOf<FileLineColRange>();
  if (!place)
    return op.getName().getStringRef().str();
  return (place.getFilename().getValue() + ":" + Twine(place.getStartLine()) + ":" +
          Twine(place.getStartColumn()))
      .str();
}

llvm::Error errorAt(Operation &op, const Twine &message) {
  return failure(placeOf(op) + ": error: " + message);
}

DenseTensor tensorOf(DenseElementsAttr elements, TensorDesc desc) {
  DenseTensor tensor(std::move(desc));
  int64_t index = 0;
  if (isa<FloatType>(elements.getElementType())) {
    for (const APFloat &value : elements.getValues<APFloat>())
      tensor.set(index++, value.convertToDouble());
    return tensor;
  }
  // A boolean is one bit, which read with a sign would be -1.
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  for (const APInt &value : elements.getValues<APInt>())
    tensor.set(index++, isUnsigned || value.getBitWidth() == 1 ? double(value.getZExtValue())
                                                               : double(value.getSExtValue()));
  return tensor;
}

simulator::ArgumentRole roleOf(func::FuncOp function, unsigned argument) {
  using enum simulator::ArgumentRole;
  // Asked first: a cache carries a kind of argument as well.
  if (function.getArgAttr(argument, "ttcore.kv_cache"))
    return Cache;
  auto kind = function.getArgAttrOfType<ttcore::ArgumentTypeAttr>(argument, "ttcore.argument_type");
  if (!kind || kind.getValue() == ttcore::ArgumentType::Input)
    return Input;
  return kind.getValue() == ttcore::ArgumentType::Constant ? Constant : Parameter;
}

/// Whether the op runs other functions of the module.
bool callsFunction(Operation *op) { return isa<ttcore::LoadCachedOp, func::CallOp>(op) || isLoop(op); }

FlatSymbolRefAttr calleeName(Operation *call) {
  if (auto cached = dyn_cast<ttcore::LoadCachedOp>(call))
    return cached.getCalleeAttr();
  if (isLoop(call))
    return bodyOf(call);
  return cast<func::CallOp>(call).getCalleeAttr();
}

/// The function that a call names; nullptr if there is none.
Operation *calleeOf(Operation *call, SymbolTableCollection &symbols) {
  FlatSymbolRefAttr name = calleeName(call);
  return name ? symbols.lookupNearestSymbolFrom(call, name) : nullptr;
}

/// Reads one function.
class Reader {
public:
  Reader(func::FuncOp source, const DenseMap<Operation *, size_t> &known, HostFunctions &host,
         SymbolTableCollection &symbols)
      : source(source), known(known), host(host), symbols(symbols) {}

  llvm::Expected<simulator::Function> read() {
    function.name = source.getName().str();
    // As it seems from the function alone; whoever calls it is read later and takes that back (readProgram).
    function.isForward = isForwardDeviceFunction(source);
    for (BlockArgument argument : source.getArguments()) {
      llvm::Expected<size_t> value = addValue(argument, *source);
      if (!value)
        return value.takeError();
      function.arguments.push_back(*value);
      function.roles.push_back(roleOf(source, argument.getArgNumber()));
      if (source.getArgAttr(argument.getArgNumber(), "tf.aliasing_output"))
        function.donated.insert(argument.getArgNumber());
      if (function.roles.back() == simulator::ArgumentRole::Parameter ||
          function.roles.back() == simulator::ArgumentRole::Constant)
        constants.insert(argument);
    }
    for (Operation &op : source.getBody().front())
      if (llvm::Error error = readOp(op))
        return error;
    return std::move(function);
  }

private:
  /// The number of a tensor of the function. Devices, tokens and tensors of unknown size are nothing that could be
  /// simulated.
  llvm::Expected<size_t> addValue(mlir::Value value, Operation &at) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return errorAt(at, "the simulator handles tensors only");
    FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(type);
    if (failed(placed))
      return errorAt(at, "the simulator needs tensors of known shapes that have layouts to lie in");
    return numbers[value] = addValue(*placed);
  }
  size_t addValue(const ttnn::PlacedTensor &placed) {
    function.values.push_back({placed.tensor, placed.layout});
    return function.values.size() - 1;
  }

  llvm::Error readOp(Operation &op) {
    if (auto terminator = dyn_cast<func::ReturnOp>(op)) {
      for (mlir::Value value : terminator.getOperands())
        function.returned.push_back(numbers.lookup(value));
      return llvm::Error::success();
    }
    // The mesh is the program's, and no step depends on the op that names it.
    if (isa<ttnn::GetDeviceOp>(op))
      return llvm::Error::success();
    simulator::Step step;
    step.place = placeOf(op);
    for (mlir::Value operand : op.getOperands())
      if (numbers.contains(operand))
        step.reads.push_back(numbers.lookup(operand));
      else if (isa<RankedTensorType>(operand.getType()))
        return errorAt(op, "the simulator does not know where an operand comes from");
    if (auto deallocate = dyn_cast<ttnn::DeallocateOp>(op)) {
      step.kind = simulator::Step::Kind::Free;
      step.force = deallocate.getForce();
      function.steps.push_back(std::move(step));
      return llvm::Error::success();
    }
    for (mlir::Value result : op.getResults())
      // Devices, tuples and the like take no memory, and no step reads them as tensors.
      if (isa<RankedTensorType>(result.getType())) {
        llvm::Expected<size_t> value = addValue(result, op);
        if (!value)
          return value.takeError();
        step.writes.push_back(*value);
      }
    // A load runs its const-eval function, as a device does in its first run: nothing is cached between runs
    // here.
    if (callsFunction(&op)) {
      if (llvm::Error error = isLoop(&op) ? readLoop(op, step) : readCall(op, step))
        return error;
    } else {
      readKernel(op, step);
    }
    function.steps.push_back(std::move(step));
    return llvm::Error::success();
  }

  llvm::Error readCall(Operation &call, simulator::Step &step) {
    if (auto callee = dyn_cast_or_null<func::FuncOp>(calleeOf(&call, symbols));
        callee && isHostDeclaration(callee)) {
      readKernel(call, step);
      llvm::Expected<simulator::HostKernel> kernel = host.find(callee.getName());
      if (!kernel)
        return errorAt(call, llvm::toString(kernel.takeError()));
      step.host = std::move(*kernel);
      return llvm::Error::success();
    }
    auto found = known.find(calleeOf(&call, symbols));
    if (found == known.end())
      return errorAt(call, "the simulator needs the body of '" + calleeName(&call).getValue() +
                               "', in front of its callers");
    step.kind = simulator::Step::Kind::Call;
    step.callee = found->second;
    // What is evaluated once is constant to its readers, as to the plan's signatures: the op model is asked the same
    // question.
    if (isa<ttcore::LoadCachedOp>(call))
      constants.insert_range(call.getResults());
    return llvm::Error::success();
  }

  /// A call of the body, with what says how often.
  llvm::Error readLoop(Operation &op, simulator::Step &step) {
    std::optional<FunctionLoop> loop = functionLoop(&op);
    if (!loop)
      return errorAt(op,
                     "the simulator runs loops from states to states of a body, by bounds or a condition");
    simulator::Loop read{std::nullopt, {}, loop->states, {loop->outputs.begin(), loop->outputs.end()}};
    for (const LoopBound &bound : loop->bounds)
      read.bounds.push_back({bound.value, bound.operand});
    // The condition looks at the same tensors as the body, states and all.
    for (func::FuncOp function : {loop->body, loop->condition})
      if (function && (!known.contains(function) || function.getNumArguments() != step.reads.size()))
        return errorAt(op, "the simulator needs '" + function.getName() +
                               "' in front of the loop, with as many arguments");
    if (loop->condition)
      read.condition = known.lookup(loop->condition);
    step.kind = simulator::Step::Kind::Call;
    step.callee = known.lookup(loop->body);
    step.loop = std::move(read);
    return llvm::Error::success();
  }

  void readKernel(Operation &op, simulator::Step &step) {
    llvm::SmallVector<mlir::Value> operands, results;
    for (mlir::Value operand : op.getOperands())
      if (numbers.contains(operand))
        operands.push_back(operand);
    for (mlir::Value result : op.getResults())
      if (numbers.contains(result))
        results.push_back(result);
    step.op = signatureOf(&op, operands, results);
    for (auto [desc, operand] : llvm::zip_equal(step.op.operands, operands))
      desc.constant = constants.contains(operand);
    step.config.specific = configOf(&op);
    step.kernel = simulator::findKernel(step.op.name);
    // After reads and writes are known: a conversion is a view by their layouts.
    step.mayView = isView(step);
    if (auto constant = dyn_cast<ttnn::ConstantOp>(op))
      if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
        step.constant = std::make_shared<DenseTensor>(tensorOf(elements, step.op.results.front()));
  }

  /// What tt-mlir's isAliasingViewOp knows (facts/ir 4.6), and conversions that have nothing to do.
  bool isView(const simulator::Step &step) const {
    if (llvm::is_contained({"ttnn.to_layout", "ttnn.to_memory_config"}, step.op.name))
      return function.values[step.reads.front()].layout == function.values[step.writes.front()].layout;
    return llvm::is_contained({"ttnn.reshape", "ttnn.permute", "ttnn.pad", "ttnn.repeat"}, step.op.name);
  }

  func::FuncOp source;
  const DenseMap<Operation *, size_t> &known;
  HostFunctions &host;
  SymbolTableCollection &symbols;
  simulator::Function function;
  DenseMap<mlir::Value, size_t> numbers;
  DenseSet<mlir::Value> constants;
};

/// The functions that one runs, by all of its calls.
SmallVector<func::FuncOp> calleesOf(func::FuncOp function, SymbolTableCollection &symbols) {
  SmallVector<func::FuncOp> callees;
  function.walk([&](Operation *call) {
    if (callsFunction(call))
      if (auto callee = dyn_cast_or_null<func::FuncOp>(calleeOf(call, symbols)))
        callees.push_back(callee);
    if (std::optional<FunctionLoop> loop = isLoop(call) ? functionLoop(call) : std::nullopt)
      if (loop->condition)
        callees.push_back(loop->condition);
  });
  return callees;
}

/// Functions with a body of one block, callees first.
std::vector<func::FuncOp> inCallOrder(ModuleOp module, SymbolTableCollection &symbols) {
  std::vector<func::FuncOp> order;
  DenseSet<Operation *> begun; // a function that calls itself is found to be missing by its call
  // Depth first: a function stands behind all that it calls. A list of functions with the callees that are left, and no recursion, as calls of a
  // file may nest deeper than the stack.
  std::vector<std::pair<func::FuncOp, SmallVector<func::FuncOp>>> open;
  auto begin = [&](func::FuncOp function) {
    if (!begun.insert(function).second || function.isExternal() || !function.getBody().hasOneBlock())
      return;
    open.emplace_back(function, calleesOf(function, symbols));
    std::reverse(open.back().second.begin(), open.back().second.end());
  };
  module.walk([&](func::FuncOp function) {
    begin(function);
    while (!open.empty())
      if (open.back().second.empty()) {
        // Behind what it calls: programs name callees by places that are known.
        order.push_back(open.back().first);
        open.pop_back();
      } else {
        begin(open.back().second.pop_back_val());
      }
  });
  return order;
}

/// How deep calls may nest: the simulator calls itself for each.
constexpr size_t kDeepestCalls = 500;

} // namespace

llvm::Expected<simulator::Program> tessera::readProgram(ModuleOp module, GridShape mesh) {
  simulator::Program program;
  program.mesh = mesh;
  DenseMap<Operation *, size_t> known;
  std::vector<size_t> depths; // of the calls of each function
  HostFunctions host(module);
  SymbolTableCollection symbols;
  for (func::FuncOp function : inCallOrder(module, symbols)) {
    llvm::Expected<simulator::Function> read = Reader(function, known, host, symbols).read();
    if (!read)
      return read.takeError();
    size_t depth = 0;
    for (const simulator::Step &step : read->steps)
      for (size_t callee : simulator::calledBy(step)) {
        // A callee's tensors are its caller's: it is none that could be run by itself.
        program.functions[callee].isForward = false;
        depth = std::max(depth, depths[callee] + 1);
      }
    if (depth > kDeepestCalls)
      return errorAt(*function, "calls nest more than " + Twine(kDeepestCalls) +
                                    " deep from here on, and the simulator runs no deeper ones");
    depths.push_back(depth);
    known[function] = program.functions.size();
    program.functions.push_back(std::move(*read));
  }
  return program;
}
