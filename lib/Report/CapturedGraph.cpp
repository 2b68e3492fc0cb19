//===- CapturedGraph.cpp - What a step did, as ttnn-visualizer reads it ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One op as TTNN's visualizer has it: a list of nodes, as if the library had
// been watched while the op ran. Only what the viewer draws is made: tensors
// that are read and made, what is allocated in L1, circular buffers, and around
// them the bracket of a function and its device operation. Field by field:
// facts/report-formats 1.4.
//
//===----------------------------------------------------------------------===//
#include "CapturedGraph.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::report;
using namespace tessera::decisions;
namespace json = llvm::json;

std::string report::shapeText(const ValueFacts &value) {
  std::string text;
  for (int64_t extent : value.shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "Shape([" + text + "])";
}

std::string report::dtypeText(const TensorLayout &layout) {
  // By DataType. The library has one block float of each width, whichever exponent the IR's name says.
  static constexpr llvm::StringLiteral kNames[] = {
      "FLOAT32",   "FLOAT16",   "BFLOAT16", "BFLOAT8_B", "BFLOAT8_B", "BFLOAT4_B", "BFLOAT4_B",
      "BFLOAT2_B", "BFLOAT2_B", "UINT32",   "UINT16",    "UINT8",     "INT32",     "BOOL"};
  static_assert(std::size(kNames) == kNumDataTypes);
  return ("DataType." + kNames[size_t(layout.dtype)]).str();
}

std::string report::pageText(const TensorLayout &layout) {
  return layout.isTiled() ? "Layout.TILE" : "Layout.ROW_MAJOR";
}

std::string report::coreRangesText(llvm::ArrayRef<CoreRange> ranges) {
  std::string text;
  for (const CoreRange &range : ranges)
    text += (text.empty() ? "[" : ", [") + llvm::formatv("(x={0},y={1}) - (x={2},y={3})]", range.start.x,
                                                         range.start.y, range.end.x, range.end.y)
                                               .str();
  return "{" + text + "}";
}

CoreRange report::allCores(const DeviceFacts &device) {
  int64_t rows = device.grid.empty() ? 1 : device.grid[0],
          columns = device.grid.size() < 2 ? 1 : device.grid[1];
  return {{0, 0}, {columns - 1, rows - 1}};
}

std::string report::operationName(const FunctionDecisions &f, Index step) {
  const StepFacts &data = f.steps[size_t(step)];
  // Whatever a conversion does, the viewer knows the library's name for a move.
  return data.isRun() ? f.ops[size_t(*data.op)].name : "ttnn.to_memory_config";
}

/// "ttnn.paged_update_cache" -> "PagedUpdateCacheDeviceOperation".
static std::string deviceOperation(llvm::StringRef name) {
  std::string text;
  for (llvm::StringRef word :
       llvm::split(name.rsplit('.').second.empty() ? name : name.rsplit('.').second, '_'))
    if (!word.empty())
      text += std::string(1, llvm::toUpper(word.front())) + word.drop_front().str();
  return text + "DeviceOperation";
}

namespace {

/// Nodes are numbered as they come; what a node connects to is named before it is there.
class Nodes {
public:
  int64_t add(llvm::StringRef type, json::Object params, json::Array connections = {}) {
    int64_t id = int64_t(list.size());
    list.push_back(json::Object{{"id", id},
                                {"node_type", type},
                                {"params", std::move(params)},
                                {"connections", std::move(connections)},
                                {"arguments", json::Array()}});
    return id;
  }
  void connect(int64_t from, int64_t to) {
    list[size_t(from)].getAsObject()->getArray("connections")->push_back(to);
  }
  json::Object &operator[](int64_t id) { return *list[size_t(id)].getAsObject(); }
  int64_t size() const { return int64_t(list.size()); }
  std::string text() {
    std::string out;
    llvm::raw_string_ostream(out) << json::Value(std::move(list));
    return out;
  }

private:
  json::Array list;
};

class Capture {
public:
  Capture(const FunctionDecisions &f, Index index, llvm::function_ref<int64_t(Index)> tensorId)
      : f(f), w(f), step(w.step(index)), tensorId(tensorId), name(operationName(f, index)) {}

  std::string text() {
    // The format wants this as element 0, and capture_end as the last one (facts/report-formats 1.4).
    nodes.add("capture_start", json::Object());
    // Tensors first: a function lists what it reads by number.
    json::Array inputs;
    for (Index tensor : step.reads)
      inputs.push_back(addTensor(tensor));
    // The viewer takes a function without a dot in its name for the device's operation and counts circular
    // buffers within it only, so each op is a pair (facts/report-formats 1.4).
    int64_t outer = addFunction(name, inputs), inner = addFunction(deviceOperation(name), inputs);
    for (const json::Value &input : inputs)
      nodes.connect(*input.getAsInteger(), outer);
    nodes.connect(outer, inner);
    for (Index tensor : step.writes)
      addAllocation(tensor);
    addCircularBuffers();
    int64_t innerEnd = nodes.add("function_end", json::Object{{"name", deviceOperation(name)}});
    int64_t outerEnd = nodes.add("function_end", json::Object{{"name", name}});
    nodes.connect(inner, innerEnd);
    nodes.connect(outer, outerEnd);
    for (Index tensor : step.writes)
      nodes.connect(outerEnd, addTensor(tensor));
    nodes.add("capture_end", json::Object());
    return nodes.text();
  }

private:
  const TensorLayout &layout(Index tensor) const { return f.layouts[size_t(w.tensor(tensor).layout)]; }
  int64_t cores(Index tensor) const {
    CoreRange all = allCores(f.device);
    // An interleaved tensor has a part on every core.
    return layout(tensor).isSharded() ? layout(tensor).coreCount().value() : all.volume();
  }

  int64_t addFunction(const std::string &function, const json::Array &inputs) {
    // Numbers among the parameters are text, wherever they stand.
    int64_t id = nodes.add("function_start",
                           json::Object{{"name", function}, {"inputs", std::to_string(inputs.size())}});
    nodes[id]["input_tensors"] = json::Array(inputs);
    return id;
  }

  int64_t addTensor(Index tensor) {
    const TensorFacts &data = w.tensor(tensor);
    // Without any address it is 0, which the viewer drops.
    int64_t address = data.address       ? data.address->front()
                      : data.dramAddress ? data.dramAddress->front() + kDramShift
                                         : 0;
    return nodes.add("tensor", json::Object{{"tensor_id", std::to_string(tensorId(tensor))},
                                            {"shape", shapeText(w.valueOf(tensor))},
                                            {"dtype", dtypeText(layout(tensor))},
                                            {"layout", pageText(layout(tensor))},
                                            {"address", std::to_string(address)},
                                            {"buffer_type", layout(tensor).isL1() ? "L1" : "DRAM"},
                                            {"device_id", "0"}});
  }

  /// What the op allocates; a view allocates nothing, but then the viewer merges it with its buffer by address.
  void addAllocation(Index tensor) {
    const TensorFacts &data = w.tensor(tensor);
    if (!data.address)
      return;
    // The size is that over all cores, as the format wants it; of circular buffers it wants that of one core
    // (facts/report-formats 1.4).
    nodes.add("buffer_allocate",
              json::Object{{"address", std::to_string(data.address->front())},
                           {"size", std::to_string(data.l1.value() * cores(tensor))},
                           {"num_cores", std::to_string(cores(tensor))},
                           {"type", "L1"},
                           {"layout", layout(tensor).isSharded() ? "SHARDED" : "INTERLEAVED"},
                           {"device_id", "0"}});
  }

  void addCircularBuffers() {
    // Without an address nobody knows where they lie: a bar at 0 would be wrong.
    if (!step.buffersAddress || step.circularBuffers.empty())
      return;
    const std::string *program = nullptr;
    int64_t address = 0;
    for (const BufferFacts &buffer : step.circularBuffers) {
      if (!program || *program != buffer.program) {
        // Programs run one after the other, each from the base of L1 up.
        if (program)
          nodes.add("circular_buffer_deallocate_all", json::Object{{"device_id", "0"}});
        program = &buffer.program;
        address = step.buffersAddress->front();
      }
      // The facts do not say which cores a buffer lies on, so it stands on all.
      nodes.add("circular_buffer_allocate",
                json::Object{{"address", std::to_string(address)},
                             {"size", std::to_string(buffer.bytes.value())},
                             {"core_range_set", coreRangesText(allCores(f.device))},
                             {"globally_allocated", "0"},
                             {"device_id", "0"}});
      address += buffer.bytes.value();
    }
    nodes.add("circular_buffer_deallocate_all", json::Object{{"device_id", "0"}});
  }

  const FunctionDecisions &f;
  DecisionWords w;
  const StepFacts &step;
  llvm::function_ref<int64_t(Index)> tensorId;
  std::string name;
  Nodes nodes;
};

} // namespace

std::string report::capturedGraph(const FunctionDecisions &f, Index step,
                                  llvm::function_ref<int64_t(Index tensor)> tensorId) {
  return Capture(f, step, tensorId).text();
}
