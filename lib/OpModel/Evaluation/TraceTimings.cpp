//===- TraceTimings.cpp - Profiles of whole models, op by op -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// perf_op_traces: facts/hardware-and-performance.md 0. A row is one device
// program. Programs that are an op of TTNN become a query of that op, on as many
// cores as the row says; parts of ops that the model has no op for (halo, padded
// slice ...) are skipped.
//
//===----------------------------------------------------------------------===//
#include "Question.h"
#include "Timings.h"

#include "tessera/OpModel/OpTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

struct TraceTensor {
  TensorDesc desc;
  TensorLayout layout;
  bool dram = false, tiled = true;
};

/// The text after `key` up to the next of `ends`; "" if there is none.
llvm::StringRef after(llvm::StringRef text, llvm::StringRef key, llvm::StringRef ends) {
  size_t at = text.find(key);
  return at == llvm::StringRef::npos
             ? llvm::StringRef()
             : text.substr(at + key.size()).take_until([&](char c) { return ends.contains(c); });
}

int64_t numberAfter(llvm::StringRef text, llvm::StringRef key, int64_t otherwise) {
  int64_t value;
  return after(text, key, ";) '}]").trim().getAsInteger(10, value) ? otherwise : value;
}

/// Integers between separators, "[0; 2; 3; 1]".
std::vector<int64_t> listAfter(llvm::StringRef text, llvm::StringRef key) {
  std::vector<int64_t> list;
  llvm::SmallVector<llvm::StringRef> parts;
  after(text, key, "])}").split(parts, ';', -1, false);
  for (llvm::StringRef part : parts)
    if (int64_t value; !part.trim().getAsInteger(10, value))
      list.push_back(value);
  return list;
}

/// One row of the table.
class TraceRow {
public:
  explicit TraceRow(CsvTable::Row row) : row(row), attributes(row["attributes"]) {
    cores = row.integer("cores").value_or(0);
    op = row["op"];
    op.consume_back("DeviceOperation");
    std::vector<int64_t> shape = listAfter(row["shard_spec"], "shape={");
    if (shape.size() == 2 && shape[0] > 0 && shape[1] > 0)
      shard = GridShape{shape[0], shape[1]};
    arch = row["arch"];
  }

  bool sane() const { return cores >= 1 && cores <= 1024; }
  GridShape grid() const;
  std::optional<TraceTensor> tensor(llvm::StringRef which) const;
  std::string what() const {
    return llvm::formatv("{0} {1} {2} {3} > {4} {5}, {6} cores", row["op"], row["input_0_logical"],
                         row["input_0_mem"], row["input_0_dtype"], row["output_0_logical"],
                         row["output_0_mem"], cores);
  }

  CsvTable::Row row;
  llvm::StringRef attributes, op, arch;
  int64_t cores = 0;
  std::optional<GridShape> shard;

private:
  TensorLayout sharded(const TensorDesc &desc, MemoryLayout memory, PageLayout page) const;
};

/// Matmuls plan on the cores there are, the others run on those that the row says. Known sizes of grids: 64
/// is 8x8, 20 is 4x5, 110 is 10x11.
GridShape TraceRow::grid() const {
  int64_t available = row.integer("avail_cores").value_or(cores <= 20 ? 20 : cores);
  int64_t all = op == "Matmul" && available >= cores && available <= 1024 ? available : cores;
  for (GridShape known : {GridShape{8, 8}, GridShape{4, 5}, GridShape{10, 11}})
    if (known.volume() == all)
      return known;
  return {1, all};
}

TensorLayout TraceRow::sharded(const TensorDesc &desc, MemoryLayout memory, PageLayout page) const {
  TensorLayout layout = l1Sharded(desc, memory, {1, 1}, {1, 1}, page);
  GridShape whole = physicalShape(layout, desc.shape);
  bool block = memory == MemoryLayout::BlockSharded;
  GridShape all = block                                  ? grid()
                  : memory == MemoryLayout::WidthSharded ? GridShape{1, cores}
                                                         : GridShape{cores, 1};
  GridShape extent{ceilDiv(whole.rows, all.rows), ceilDiv(whole.columns, all.columns)};
  // One shard shape is recorded; it may be that of the row's other tensor.
  bool own = shard && (memory != MemoryLayout::HeightSharded || shard->columns >= whole.columns) &&
             (memory != MemoryLayout::WidthSharded || shard->rows >= whole.rows);
  if (own)
    extent = *shard;
  int64_t unit = page == PageLayout::Tile ? 32 : 1;
  layout.shard = {ceilDiv(extent.rows, unit), ceilDiv(extent.columns, unit)};
  int64_t columns = memory == MemoryLayout::HeightSharded ? 1 : ceilDiv(whole.columns, extent.columns);
  int64_t rows = memory == MemoryLayout::WidthSharded ? 1 : ceilDiv(whole.rows, extent.rows);
  layout.grid = {rows, columns};
  layout.cores = block ? rectangleOfCores(layout.grid) : rectangleOfCores({1, rows * columns});
  return layout;
}

std::optional<TraceTensor> TraceRow::tensor(llvm::StringRef which) const {
  auto cell = [&](llvm::StringRef name) { return row[(which + name).str()]; };
  Shape shape = shapeOf(cell("_logical"));
  std::optional<DataType> type = dataTypeOf(cell("_dtype"));
  llvm::StringRef memory = cell("_mem");
  if (shape.empty() || !type)
    return std::nullopt;
  TraceTensor tensor;
  tensor.desc = {shape, *type};
  tensor.tiled = cell("_layout") == "TILE";
  PageLayout page = tensor.tiled ? PageLayout::Tile : PageLayout::RowMajor;
  tensor.dram = memory.consume_front("DRAM_");
  memory.consume_front("L1_");
  if (memory == "INTERLEAVED")
    tensor.layout =
        tensor.dram ? dramInterleaved(tensor.desc, page) : l1Interleaved(tensor.desc, grid(), page);
  else if (std::optional<MemoryLayout> kind = parseMemoryLayout(memory.lower()); kind && !tensor.dram)
    tensor.layout = sharded(tensor.desc, *kind, page);
  else
    return std::nullopt;
  return tensor;
}

// ---- Which op of TTNN -----------------------------------------------------------------------------------

struct NamePair {
  llvm::StringLiteral from, to;
};

std::string lookup(llvm::ArrayRef<NamePair> table, llvm::StringRef name) {
  const NamePair *found = llvm::find_if(table, [&](const NamePair &pair) { return pair.from == name; });
  return found == table.end() ? "" : found->to.str();
}

constexpr NamePair kUnary[] = {{"RELU", "ttnn.relu"}, {"NEG", "ttnn.neg"},   {"RECIP", "ttnn.reciprocal"},
                               {"ATAN", "ttnn.atan"}, {"ERF", "ttnn.erf"},   {"EXP", "ttnn.exp"},
                               {"GELU", "ttnn.gelu"}, {"SILU", "ttnn.silu"}, {"SIGMOID", "ttnn.sigmoid"},
                               {"SQRT", "ttnn.sqrt"}, {"TANH", "ttnn.tanh"}, {"EQZ", "ttnn.logical_not"},
                               {"GTZ", "ttnn.sign"}};
constexpr NamePair kBinary[] = {{"ADD", "ttnn.add"},      {"SUB", "ttnn.subtract"},
                                {"MUL", "ttnn.multiply"}, {"DIV", "ttnn.divide"},
                                {"GE", "ttnn.ge"},        {"GT", "ttnn.gt"},
                                {"LE", "ttnn.le"},        {"LT", "ttnn.lt"},
                                {"EQ", "ttnn.eq"},        {"LOGICAL_AND", "ttnn.logical_and"}};

constexpr NamePair kOps[] = {{"Typecast", "ttnn.typecast"},
                             {"Copy", "ttnn.assign"},
                             {"Move", "ttnn.assign"},
                             {"InterleavedToSharded", "ttnn.to_memory_config"},
                             {"ShardedToInterleaved", "ttnn.to_memory_config"},
                             {"Reshard", "ttnn.to_memory_config"},
                             {"Tilize", "ttnn.to_layout"},
                             {"TilizeWithValPadding", "ttnn.to_layout"},
                             {"Untilize", "ttnn.to_layout"},
                             {"UntilizeWithUnpadding", "ttnn.to_layout"},
                             {"Transpose", "ttnn.transpose"},
                             {"Permute", "ttnn.permute"},
                             {"Reshape", "ttnn.reshape"},
                             {"Slice", "ttnn.slice_static"},
                             {"Concat", "ttnn.concat"},
                             {"Matmul", "ttnn.matmul"},
                             {"Accumulation", "ttnn.cumsum"},
                             {"Embeddings", "ttnn.embedding"},
                             {"UpsampleOperation", "ttnn.upsample"},
                             {"Softmax", "ttnn.softmax"},
                             {"LayerNorm", "ttnn.layer_norm"},
                             {"NLPConcatHeads", "ttnn.concatenate_heads"},
                             {"Ternary", "ttnn.where"}};

/// The op's name in TTNN; "" if the program is none, or is several of them in one.
std::string opName(const TraceRow &trace) {
  auto only = [&](llvm::ArrayRef<NamePair> table, llvm::StringRef key) -> std::string {
    auto [before, rest] = trace.attributes.split(key);
    return rest.contains(key)
               ? ""
               : lookup(table, rest.take_until([](char c) { return !llvm::isAlnum(c) && c != '_'; }));
  };
  if (trace.op == "Unary")
    return only(kUnary, "UnaryOpType::");
  if (trace.op == "Binary" || trace.op == "BinaryNg")
    return only(kBinary, "BinaryOpType::");
  return lookup(kOps, trace.op);
}

/// The two dimensions that a transpose swaps, from shapes that differ in just two places.
void addTransposition(Question &question, const TraceTensor &in, const TraceTensor &out) {
  const Shape &a = in.desc.shape, &b = out.desc.shape;
  int64_t first = -2, second = -1;
  if (a.size() == b.size()) {
    llvm::SmallVector<int64_t> differ;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i])
        differ.push_back(int64_t(i));
    if (differ.size() == 2)
      first = differ[0], second = differ[1];
  }
  question.attribute("dim0", first).attribute("dim1", second);
}

/// "MatmulMultiCoreReuseMultiCast1DProgramConfig(compute_with_storage_grid_size=(x=5;y=4);in0_block_w=8;...)".
void addProgramConfig(Question &question, llvm::StringRef text) {
  if (!text.starts_with("Matmul"))
    return;
  MatmulProgramConfig c;
  using Kind = MatmulProgramConfig::Kind;
  c.kind = text.contains("MultiCast1D")   ? Kind::MultiCast1D
           : text.contains("DRAMSharded") ? Kind::MultiCastDramSharded
           : text.contains("MultiCast")   ? Kind::MultiCast2D
                                          : Kind::Reuse;
  c.grid = {numberAfter(text, "(x=", 1), numberAfter(text, ";y=", 1)};
  c.in0BlockW = numberAfter(text, "in0_block_w=", 1);
  c.perCoreM = numberAfter(text, "per_core_M=", 1);
  c.perCoreN = numberAfter(text, "per_core_N=", 1);
  c.outBlockH = numberAfter(text, "out_block_h=", c.perCoreM);
  c.outBlockW = numberAfter(text, "out_block_w=", c.perCoreN);
  c.outSubblockH = numberAfter(text, "out_subblock_h=", 1);
  c.outSubblockW = numberAfter(text, "out_subblock_w=", 1);
  c.fuseBatch = numberAfter(text, "fuse_batch=", 1) != 0;
  c.mcastIn0 = numberAfter(text, "mcast_in0=", 0) != 0;
  question.config(c);
}

void addAttributes(Question &question, const TraceRow &trace, const TraceTensor &in, const TraceTensor &out) {
  if (trace.op == "Transpose")
    addTransposition(question, in, out);
  if (trace.op == "Permute")
    question.attribute("permutation", listAfter(trace.attributes, "'dims': 'SmallVector(["));
  if (trace.op == "Slice") {
    // Shapes are printed with more or fewer leading ones than the tensor has.
    auto padded = [&](llvm::StringRef key, int64_t filler) {
      std::vector<int64_t> list = listAfter(trace.attributes, key);
      if (list.size() > in.desc.shape.size())
        list.erase(list.begin(), list.end() - int64_t(in.desc.shape.size()));
      while (list.size() < in.desc.shape.size())
        list.insert(list.begin(), filler);
      return list;
    };
    question.attribute("begins", padded("'slice_start': 'Shape([", 0));
    question.attribute("ends", padded("'slice_end': 'Shape([", 1));
    question.attribute("step", std::vector<int64_t>(in.desc.shape.size(), 1));
  }
  if (trace.op == "Concat" || trace.op == "Accumulation")
    question.attribute("dim", numberAfter(trace.attributes, "'dim': '", 0));
  if (trace.op == "Softmax")
    question.attribute("dimension", int64_t(-1));
  if (trace.op != "Matmul")
    return;
  question.attribute("compute_config.math_fidelity", trace.row["fidelity"].lower());
  question.attribute("compute_config.fp32_dest_acc_en", trace.row.integer("fp32_dest_acc").value_or(0) == 1);
  question.attribute("compute_config.packer_l1_acc", trace.row.integer("packer_l1_acc").value_or(0) == 1);
  addProgramConfig(question, trace.row["program_config"]);
}

/// Operands after the first. What goes beyond the op's is a preallocated result.
void addOperands(Question &question, const TraceRow &trace, llvm::StringRef name, const TraceTensor &in) {
  const OpInfo *info = findOp(name);
  size_t wanted = info ? info->maxOperands : 1, given = 1;
  for (llvm::StringRef which : {"input_1", "input_2"})
    if (std::optional<TraceTensor> more = trace.tensor(which); more && given < wanted) {
      question.operand(more->desc, more->layout);
      ++given;
    }
  if (trace.op != "BinaryNg" || given > 1)
    return;
  // A number is a tensor of one element to the model.
  TensorDesc number{{1, 1}, in.desc.dtype};
  question.operand(number, in.dram ? dramInterleaved(number) : l1Interleaved(number, trace.grid()));
}

/// The cores that the row says, as a grid that holds the block shards of its tensors.
GridShape gridOf(const TraceRow &trace, const TraceTensor &in, const TraceTensor &out) {
  GridShape grid = trace.grid(), needed{1, 1};
  for (const TraceTensor *tensor : {&in, &out})
    if (tensor->layout.memory == MemoryLayout::BlockSharded)
      needed = {std::max(needed.rows, tensor->layout.grid.rows),
                std::max(needed.columns, tensor->layout.grid.columns)};
  if (needed.rows <= grid.rows && needed.columns <= grid.columns)
    return grid;
  return {needed.rows, std::max(needed.columns, ceilDiv(grid.volume(), needed.rows))};
}

void readTrace(CsvTable::Row row, TimingSink &sink) {
  TraceRow trace(row);
  std::string name = opName(trace);
  if (name.empty())
    return sink.skip(trace.what() + ": no op of its own in the model");
  if (trace.op == "Binary")
    return sink.skip(trace.what() + ": an older kernel than the model's (binary_ng)");
  std::optional<DeviceSpec> device = trace.sane() ? deviceOf(trace.arch, trace.grid()) : std::nullopt;
  std::optional<TraceTensor> in, out;
  if (device) {
    in = trace.tensor("input_0");
    out = trace.tensor("output_0");
  }
  if (!in || !out)
    return sink.skip(trace.what() + ": cores, architecture, shapes or memory layouts missing or unknown");
  device->workerGrid = gridOf(trace, *in, *out);
  Question question(name, *device);
  question.operand(in->desc, in->layout);
  addOperands(question, trace, name, *in);
  question.result(out->desc, out->layout);
  addAttributes(question, trace, *in, *out);
  Timing timing;
  timing.what = trace.what();
  timing.family = llvm::formatv("trace {0} {1}", trace.op, tessera::name(device->arch));
  timing.group = "op_trace";
  timing.rankingClass = timing.family;
  timing.measured = row.number("device_kernel_ns_median").value_or(0);
  timing.mixed = row.number("device_kernel_ns_max").value_or(0) >
                 1.5 * row.number("device_kernel_ns_min").value_or(1e300);
  sink.add(timing, question.kernelTime());
}

constexpr llvm::StringLiteral kTrace[] = {"op", "cores", "input_0_logical", "output_0_logical",
                                          "device_kernel_ns_median"};
constexpr TimingReader kReaders[] = {{kTrace, readTrace}};

} // namespace

llvm::ArrayRef<TimingReader> traceReaders() { return kReaders; }

} // namespace tessera::evaluation
