//===- Visualizer.cpp - A plan as a memory report of ttnn-visualizer ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The SQLite database that TTNN's visualizer opens, as the library's own
// profiler would have written it. What the plan says is put where the viewer
// looks for it; tables that it reads and we have nothing for are there and
// empty. The viewer's own readings of numbers are what decides most of the
// details here (facts/report-formats 1.2 to 1.4).
//
//===----------------------------------------------------------------------===//
#include "tessera/Report/Exports.h"

#include "CapturedGraph.h"
#include "Database.h"

using namespace tessera;
using namespace tessera::report;
using namespace tessera::decisions;

namespace {

/// Tables with the columns that the viewer reads; those that stay empty must be there, too (facts/report-formats 1.2).
struct TableInfo {
  llvm::StringLiteral name, columns;
};
constexpr TableInfo kTables[] = {
    {"devices",
     "device_id int, num_y_cores int, num_x_cores int, num_y_compute_cores int, num_x_compute_cores int, "
     "worker_l1_size int, "
     "l1_num_banks int, l1_bank_size int, address_at_first_l1_bank int, address_at_first_l1_cb_buffer int, "
     "num_banks_per_storage_core int, num_compute_cores int, num_storage_cores int, total_l1_memory int, "
     "total_l1_for_tensors int, total_l1_for_interleaved_buffers int, total_l1_for_sharded_buffers int, "
     "cb_limit int"},
    {"operations", "operation_id int, name text, duration float"},
    {"operation_arguments", "operation_id int, name text, value text"},
    {"tensors",
     "tensor_id int, shape text, dtype text, layout text, memory_config text, device_id int, address int, "
     "buffer_type int, size int"},
    {"input_tensors", "operation_id int, input_index int, tensor_id int"},
    {"output_tensors", "operation_id int, output_index int, tensor_id int"},
    {"buffers", "operation_id int, device_id int, address int, max_size_per_bank int, buffer_type int, "
                "buffer_layout int"},
    {"stack_traces", "operation_id int, stack_trace text, source_file_id int"},
    {"local_tensor_comparison_records",
     "tensor_id int, golden_tensor_id int, matches bool, desired_pcc float, actual_pcc float"},
    {"global_tensor_comparison_records",
     "tensor_id int, golden_tensor_id int, matches bool, desired_pcc float, actual_pcc float"},
    {"captured_graph", "operation_id int, captured_graph text"},
    {"buffer_chunks",
     "operation_id int, device_id int, address int, bank_id int, core_x int, core_y int, chunk_address int, "
     "chunk_size int, page_size int, num_pages int, buffer_type int"},
    {"report_metadata", "key text UNIQUE, value text"},
};

/// Rows beyond which a table leaves out what matters least: the viewer loads all of them.
constexpr int64_t kMostRows = 2'000'000;

/// The pages' numbers (facts/report-formats 1.2): DRAM 0, L1 1, system memory 2, L1_SMALL 3.
int64_t bufferType(const TensorLayout &layout) {
  return layout.isL1() ? 1 : layout.isDram() ? 0 : layout.buffer == BufferType::L1Small ? 3 : 2;
}

/// As the pages number them.
int64_t bufferLayout(const TensorLayout &layout) {
  if (!layout.isSharded())
    return 0;
  return *layout.memory == MemoryLayout::HeightSharded  ? 2
         : *layout.memory == MemoryLayout::WidthSharded ? 3
                                                        : 4;
}

std::string memoryConfig(const TensorLayout &layout) {
  std::string memory = layout.memory ? llvm::StringRef(name(*layout.memory)).upper() : "INTERLEAVED";
  std::string text = "MemoryConfig(memory_layout=TensorMemoryLayout::" + memory +
                     ",buffer_type=BufferType::" + llvm::StringRef(name(layout.buffer)).upper() +
                     ",shard_spec=";
  // The viewer recognises this very text only (facts/report-formats 1.2).
  if (!layout.isSharded() || !layout.cores)
    return text + "std::nullopt)";
  // A layout counts a shard in tiles, the text in elements.
  int64_t height = layout.isTiled() ? layout.tile.height : 1,
          width = layout.isTiled() ? layout.tile.width : 1;
  return text + llvm::formatv(
                    "ShardSpec(grid={0},shape={{{1}, {2}},orientation=ShardOrientation::ROW_MAJOR,halo=0))",
                    coreRangesText(layout.cores->ranges), layout.shard.rows * height,
                    layout.shard.columns * width)
                    .str();
}

/// Writes one function; ids go on from function to function.
class FunctionRows {
public:
  FunctionRows(Database &database, const FunctionDecisions &f, int64_t firstOp, int64_t firstTensor)
      : database(database), f(f), w(f), firstOp(firstOp), firstTensor(firstTensor) {}

  void write() {
    writeTensors();
    for (Index step = 0; step < Index(f.steps.size()); ++step)
      writeStep(step);
    writeBuffers();
  }

private:
  int64_t opId(Index step) const { return firstOp + step; }
  int64_t tensorId(Index tensor) const { return firstTensor + tensor; }
  const TensorLayout &layout(Index tensor) const { return f.layouts[size_t(w.tensor(tensor).layout)]; }

  /// Null: it has none.
  std::optional<int64_t> addressOf(Index tensor) const {
    const TensorFacts &data = w.tensor(tensor);
    return addressAt(tensor, data.madeBy.value_or(data.begin));
  }
  /// Before it is made, that of the place that is kept for it.
  std::optional<int64_t> addressAt(Index tensor, Index step) const {
    const TensorFacts &data = w.tensor(tensor);
    if (const Addresses &address = data.addressAt(step))
      return address->front();
    return data.dramAddress ? std::optional(data.dramAddress->front() + kDramShift) : std::nullopt;
  }
  int64_t bankBytes(Index tensor) const {
    const TensorFacts &data = w.tensor(tensor);
    if (data.address)
      return data.l1.value();
    return data.dramAddress ? data.dramAddress->back() - data.dramAddress->front() : 0;
  }

  void writeTensors() {
    for (Index tensor = 0; tensor < Index(f.tensors.size()); ++tensor) {
      std::optional<int64_t> address = addressOf(tensor);
      database.insert("tensors",
                      {tensorId(tensor), shapeText(w.valueOf(tensor)), dtypeText(layout(tensor)),
                       pageText(layout(tensor)), memoryConfig(layout(tensor)), int64_t(0),
                       address ? Cell(*address) : Cell(), bufferType(layout(tensor)), bankBytes(tensor)});
    }
  }

  /// The scopes of a location as frames, a line each, the innermost last as in Python.
  static std::string stackOf(llvm::StringRef location) {
    std::string text;
    while (!location.empty()) {
      auto [scope, rest] = location.split('/');
      text += (rest.empty() ? "  at " : "  in ") + scope.str() + "\n";
      location = rest;
    }
    return text;
  }

  void writeStep(Index step) {
    const StepFacts &data = w.step(step);
    // The format's durations are seconds.
    database.insert("operations", {opId(step), operationName(f, step), data.time.total.value() / 1e9});
    if (data.op)
      database.insert("stack_traces", {opId(step), stackOf(w.op(*data.op).location), Cell()});
    auto argument = [&](const char *name, const std::string &value) {
      database.insert("operation_arguments", {opId(step), std::string(name), value});
    };
    argument("name", w.stepName(step));
    argument("estimated time", formatNanoseconds(data.time.total) + ", bound by " + data.time.boundBy);
    // The viewer's own peak leaves out what is alive before the op.
    argument("L1 of each core", formatBytes(data.l1.total()) + " of " + formatBytes(f.budget) + ": tensors " +
                                    formatBytes(data.l1.tensors) + ", circular buffers " +
                                    formatBytes(data.l1.buffers) + ", margin " + formatBytes(data.l1.margin));
    if (!data.configText.empty())
      argument("configuration", data.configText);
    if (!data.writes.empty())
      argument("memory_config", memoryConfig(layout(data.writes.front())));
    for (auto [i, tensor] : llvm::enumerate(data.reads))
      database.insert("input_tensors", {opId(step), int64_t(i), tensorId(tensor)});
    for (auto [i, tensor] : llvm::enumerate(data.writes))
      database.insert("output_tensors", {opId(step), int64_t(i), tensorId(tensor)});
    database.insert("captured_graph",
                    {opId(step), capturedGraph(f, step, [&](Index tensor) { return tensorId(tensor); })});
  }

  /// Snapshots: a row for each buffer at each op at which it lives.
  void writeBuffers() {
    const int64_t chips = f.device.chips();
    // Counted before a row is written. Constants go first: they lie in DRAM all the time, and their rows say the same
    // at each op.
    bool withConstants = chips * rows([&](Index) { return int64_t(1); }) <= kMostRows;
    bool withChunks =
        chips * rows([&](Index tensor) { return layout(tensor).isL1() ? cores(tensor).volume : 0; }) <=
        kMostRows;
    for (int64_t chip = 0; chip < chips; ++chip)
      writeBuffersOf(chip, withConstants, withChunks);
  }

  /// All chips of a mesh hold the same at the same addresses.
  void writeBuffersOf(int64_t chip, bool withConstants, bool withChunks) {
    for (Index step = 0; step < Index(f.steps.size()); ++step)
      // The lowest buffer of type 3 is the line of L1_SMALL in the viewer, so one stands for it at each op.
      database.insert("buffers", {opId(step), chip, f.device.l1.value() - f.device.l1Small.value(),
                                  f.device.l1Small.value(), int64_t(3), int64_t(0)});
    for (Index tensor = 0; tensor < Index(f.tensors.size()); ++tensor) {
      bool isConstant = !w.tensor(tensor).madeBy && layout(tensor).isDram();
      if (!addressOf(tensor) || (isConstant && !withConstants))
        continue;
      // A tensor that is listed after its last reader would be marked as freed too late (facts/report-formats
      // 1.3).
      for (Index step = w.tensor(tensor).begin; step < lastStep(tensor); ++step) {
        if (std::optional<int64_t> address = addressAt(tensor, step))
          database.insert("buffers", {opId(step), chip, *address, bankBytes(tensor),
                                      bufferType(layout(tensor)), bufferLayout(layout(tensor))});
      }
      if (withChunks && layout(tensor).isL1())
        writeChunks(chip, tensor);
    }
  }

  Index lastStep(Index tensor) const { return std::min(w.tensor(tensor).end, Index(f.steps.size())); }

  int64_t rows(llvm::function_ref<int64_t(Index)> perStep) const {
    int64_t sum = 0;
    for (Index tensor = 0; tensor < Index(f.tensors.size()); ++tensor)
      // A row per tensor and step of its life: 1,000 tensors that live 100 steps are 100,000 rows, before chips and
      // cores.
      sum += (lastStep(tensor) - w.tensor(tensor).begin) * perStep(tensor);
    return sum;
  }

  struct CoreList {
    llvm::SmallVector<CoreRange, 2> ranges;
    int64_t volume = 0;
  };
  CoreList cores(Index tensor) const {
    CoreList list;
    if (layout(tensor).isSharded() && layout(tensor).cores)
      list.ranges.assign(layout(tensor).cores->ranges.begin(), layout(tensor).cores->ranges.end());
    else
      list.ranges.push_back(allCores(f.device));
    for (const CoreRange &range : list.ranges)
      list.volume += range.volume();
    return list;
  }

  void writeChunks(int64_t chip, Index tensor) {
    int64_t size = bankBytes(tensor), page = std::max<int64_t>(pageBytes(layout(tensor)).value(), 1);
    int64_t columns = allCores(f.device).end.x + 1;
    for (Index step = w.tensor(tensor).begin; step < lastStep(tensor); ++step) {
      std::optional<int64_t> address = addressAt(tensor, step);
      if (!address)
        continue;
      for (const CoreRange &range : cores(tensor).ranges)
        for (int64_t y = range.start.y; y <= range.end.y; ++y)
          for (int64_t x = range.start.x; x <= range.end.x; ++x)
            database.insert("buffer_chunks", {opId(step), chip, *address, y * columns + x, x, y, *address,
                                              size, page, (size + page - 1) / page, int64_t(1)});
    }
  }

  Database &database;
  const FunctionDecisions &f;
  DecisionWords w;
  int64_t firstOp, firstTensor;
};

void writeDevices(Database &database, const DeviceFacts &device) {
  CoreRange all = allCores(device);
  // Of these columns the pages use four (facts/report-formats 1.2); the others are filled with what they are called.
  int64_t columns = all.end.x + 1, rows = all.end.y + 1, cores = all.volume();
  int64_t usable = device.l1.value() - device.l1Reserved.value() - device.l1Small.value();
  int64_t base = device.l1Reserved.value();
  for (int64_t chip = 0; chip < device.chips(); ++chip)
    database.insert("devices", {chip, rows, columns, rows, columns, device.l1.value(), cores, usable, base,
                                base, int64_t(1), cores, int64_t(0), device.l1.value() * cores,
                                usable * cores, usable * cores, usable * cores, usable});
}

} // namespace

llvm::Expected<std::string> report::visualizerDatabase(const Decisions &all) {
  Database database;
  for (const TableInfo &table : kTables)
    database.create(table.name, table.columns);
  database.insert("report_metadata", {std::string("schema_version"), std::string("2.1")});
  // All functions of a module are for one device.
  if (!all.functions.empty())
    writeDevices(database, all.functions.front().device);
  // The pages skip op 0 and tensor 0.
  int64_t op = 1, tensor = 1;
  for (const FunctionDecisions &function : all.functions) {
    FunctionRows(database, function, op, tensor).write();
    op += int64_t(function.steps.size());
    tensor += int64_t(function.tensors.size());
  }
  return database.take();
}
