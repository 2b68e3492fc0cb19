//===- TTNNOpsTrace.cpp - Verifiers of traces and copies -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 9.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tessera::ttnn {

//===- Recording and replaying ---------------------------------------------===//

/// Why the type names no trace; "" if it does.
static StringRef traceIdProblem(RankedTensorType type) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  if (type.getRank() != 0)
    return "be a scalar";
  if (!integer)
    return "be an integer";
  if (!integer.isUnsigned())
    return "be unsigned";
  if (integer.getWidth() != 32)
    return "have 32 bits";
  return isa_and_present<TraceIdAttr>(type.getEncoding()) ? "" : "have the encoding #ttnn.trace_id";
}

/// Whether the type is tensor<ui32, #ttnn.trace_id>, the number by which the device finds a recording.
static bool isTraceId(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && traceIdProblem(tensor).empty();
}

/// A device has two command queues.
static LogicalResult verifyQueue(Operation *op, uint32_t queue) {
  return verifyEither(op, "cq_id", queue, 0, 1);
}

LogicalResult verifyTrace(Operation *op, uint32_t queue, RankedTensorType id) {
  if (failed(verifyQueue(op, queue)))
    return failure();
  if (StringRef problem = traceIdProblem(id); !problem.empty())
    return op->emitOpError() << "trace_id must " << problem << ", but is " << id;
  return success();
}

namespace {

/// The functions of a capture_or_execute_trace, checked one after the other.
class TraceFunctions {
public:
  TraceFunctions(CaptureOrExecuteTraceOp op, SymbolTableCollection &symbols) : op(op), symbols(symbols) {}

  /// The order matters: slots are what allocation returns, and the other two functions are held against them.
  LogicalResult verify() {
    FunctionOpInterface allocate = function(op.getAllocateSlotsCalleeAttr());
    if (!allocate || failed(verifyAllocate(allocate)))
      return failure();
    FunctionOpInterface capture = function(op.getCaptureCalleeAttr());
    if (!capture || failed(verifyCapture(capture, allocate.getResultTypes())))
      return failure();
    FunctionOpInterface execute = function(op.getExecuteCalleeAttr());
    return failure(!execute || failed(verifyExecute(execute)));
  }

private:
  /// The function of that name; null, with an error, if there is none.
  FunctionOpInterface function(FlatSymbolRefAttr name) {
    auto found = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, name);
    if (!found)
      op.emitOpError() << "needs a function @" << name.getValue() << ", and there is none";
    return found;
  }

  /// "function @f must ", to be continued with a verb; a note shows where @f is, as the error stands at the op.
  InFlightDiagnostic error(FunctionOpInterface function) {
    InFlightDiagnostic diagnostic = op.emitOpError() << "function @" << function.getName() << " must ";
    diagnostic.attachNote(function.getLoc()) << "@" << function.getName() << " is here";
    return diagnostic;
  }

  /// Counts first, then each type: with the wrong count the first wrong type would mislead. The verb is "take" or
  /// "return".
  LogicalResult matchTypes(FunctionOpInterface function, StringRef verb, TypeRange actual,
                           ArrayRef<Type> expected, const Twine &reason) {
    if (actual.size() != expected.size())
      return error(function) << verb << ' ' << expected.size() << " values (" << reason << "), not "
                             << actual.size();
    for (auto [index, types] : llvm::enumerate(llvm::zip_equal(actual, expected)))
      if (auto [is, must] = types; is != must)
        return error(function) << verb << ' ' << must << " as value " << index << " (" << reason << "), not "
                               << is;
    return success();
  }

  /// Types of the inputs on the device, or of those that are not.
  SmallVector<Type> inputs(bool onDevice) {
    auto types = llvm::make_filter_range(op.getInputs().getTypes(), [&](Type type) {
      return isOnDevice(cast<RankedTensorType>(type)) == onDevice;
    });
    return SmallVector<Type>(types);
  }

  /// The function that makes the tensors which a replay works on: one for each input, then one for each result.
  LogicalResult verifyAllocate(FunctionOpInterface allocate) {
    if (failed(matchTypes(allocate, "take", allocate.getArgumentTypes(), inputs(/*onDevice=*/true),
                          "the inputs on the device")))
      return failure();
    ArrayRef<Type> slots = allocate.getResultTypes();
    size_t numInputs = op.getInputs().size(), numResults = op.getNumResults();
    if (slots.size() != numInputs + numResults)
      return error(allocate) << "return " << numInputs + numResults << " slots (" << numInputs
                             << " for inputs, " << numResults << " for results), not " << slots.size();
    // The slot of a host input lies on the device, so only those of results are known.
    SmallVector<Type> expected(slots.take_front(numInputs));
    llvm::append_range(expected, op.getResultTypes());
    return matchTypes(allocate, "return", slots, expected, "slots of the inputs, then the results' types");
  }

  /// The function that records: it takes what is on the host, copies that into the slots, runs the traced function once
  /// between begin and end, and returns the trace's number.
  LogicalResult verifyCapture(FunctionOpInterface capture, ArrayRef<Type> slots) {
    SmallVector<Type> expected = inputs(/*onDevice=*/false);
    llvm::append_range(expected, slots);
    llvm::append_range(expected, op.getSemaphoreInputs().getTypes());
    if (failed(matchTypes(capture, "take", capture.getArgumentTypes(), expected,
                          "the inputs on the host, all slots, the semaphores")) ||
        failed(returnsTraceId(capture)))
      return failure();
    // The first call is the function to trace; what else a capture does stands around it.
    CallOpInterface call;
    capture.walk([&](CallOpInterface found) {
      call = found;
      return WalkResult::interrupt();
    });
    if (!call)
      return error(capture) << "call the function to trace, but calls none";
    auto callee = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    auto traced = callee ? symbols.lookupNearestSymbolFrom<FunctionOpInterface>(call, callee) : nullptr;
    if (!traced)
      return error(capture) << "call a function of this module first, the one to trace";
    return verifyTraced(traced);
  }

  /// What replays the recording needs its number, and nothing else of the capture outlives it.
  LogicalResult returnsTraceId(FunctionOpInterface capture) {
    ArrayRef<Type> results = capture.getResultTypes();
    if (results.size() == 1 && isTraceId(results.front()))
      return success();
    return error(capture) << "return one trace id, tensor<ui32, #ttnn.trace_id>";
  }

  /// A replay repeats the commands of the recording, addresses and all. So what is traced returns nothing that would
  /// have to be allocated, does not read the host, and works on tensors that stay where they are: the slots.
  LogicalResult verifyTraced(FunctionOpInterface traced) {
    if (traced.getNumResults() != 0)
      return error(traced) << "return nothing: a trace stores its results in their slots";
    for (auto [index, type] : llvm::enumerate(traced.getArgumentTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!isa<GlobalSemaphoreType>(type) && !(tensor && isOnDevice(tensor)))
        return error(traced) << "take tensors on the device and semaphores only, not " << type
                             << " as argument " << index;
    }
    WalkResult walk =
        traced.walk([&](Operation *inner) { return WalkResult(verifyTracedOp(traced, inner)); });
    return failure(walk.wasInterrupted());
  }

  /// A recording within a recording cannot be, nor can a function that is run once and whose results are kept.
  LogicalResult verifyTracedOp(FunctionOpInterface traced, Operation *inner) {
    if (isa<CaptureOrExecuteTraceOp, BeginTraceCaptureOp, EndTraceCaptureOp, ExecuteTraceOp,
            ttcore::LoadCachedOp>(inner))
      return error(traced) << "not contain " << inner->getName() << ": a trace cannot record it";
    auto mine = op.getDevice().getDefiningOp<GetDeviceOp>();
    auto theirs = dyn_cast<GetDeviceOp>(inner);
    if (mine && theirs && meshOf(mine) != meshOf(theirs))
      return error(traced) << "use the mesh of the op's device";
    return success();
  }

  /// Rows and columns of the mesh, and where it begins: at the origin, if that is not said.
  static std::pair<Attribute, Attribute> meshOf(GetDeviceOp device) {
    Attribute offset = device.getMeshOffsetAttr();
    return {device.getMeshShapeAttr(), offset ? offset : MeshOffsetAttr::get(device.getContext(), 0, 0)};
  }

  /// The function that replays: all that it works on stays in the slots, so that the number of the trace is enough.
  LogicalResult verifyExecute(FunctionOpInterface execute) {
    ArrayRef<Type> arguments = execute.getArgumentTypes();
    if (arguments.size() == 1 && isTraceId(arguments.front()))
      return success();
    return error(execute) << "take one trace id, tensor<ui32, #ttnn.trace_id>";
  }

  CaptureOrExecuteTraceOp op;
  SymbolTableCollection &symbols;
};

} // namespace

LogicalResult CaptureOrExecuteTraceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return TraceFunctions(*this, symbols).verify();
}

//===- Filling tensors that exist ------------------------------------------===//

/// In DRAM or L1: what the host holds has no address there that a command could use.
static LogicalResult verifyOnDevice(Operation *op, Named tensor) {
  if (isOnDevice(tensor.type()))
    return success();
  return op->emitOpError() << tensor.name << " must lie on the device, but is " << tensor.type();
}

LogicalResult CopyOp::verify() {
  if (failed(verifyOnDevice(*this, {"src", getSrc()})) || failed(verifyOnDevice(*this, {"dst", getDst()})))
    return failure();
  // With the layout, since a copy moves pages as they are and converts nothing.
  if (getSrc().getType() == getDst().getType())
    return success();
  return emitOpError() << "src and dst must have the same type, but are " << getSrc().getType() << " and "
                       << getDst().getType();
}

LogicalResult WriteTensorOp::verify() {
  // A tensor without a layout lies nowhere yet, so it is not in system memory either.
  if (TTNNLayoutAttr layout = layoutOf(getHostTensor().getType());
      !layout || isOnDevice(getHostTensor().getType()))
    return emitOpError() << "host_tensor must lie in system memory, but is " << getHostTensor().getType();
  return failure(failed(verifyOnDevice(*this, {"device_tensor", getDeviceTensor()})) ||
                 failed(verifyQueue(*this, getCqId())));
}

} // namespace tessera::ttnn
