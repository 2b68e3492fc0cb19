//===- Traces.cpp - Profiles of whole models, op by op --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// perf_op_traces: facts/hardware 0. A row is one device
// program. Programs that are an op of TTNN become a query of that op, on as many
// cores as the row says; parts of ops (halo, padded slice ...) are in
// TracePrograms.cpp. What no op of TTNN needs is skipped.
//
//===----------------------------------------------------------------------===//
#include "TraceRow.h"

#include "tessera/OpModel/OpTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

// ---- Which op of TTNN -----------------------------------------------------------------------------------

struct NamePair {
  llvm::StringLiteral from, to;
};

std::string lookup(llvm::ArrayRef<NamePair> table, llvm::StringRef name) {
  const NamePair *found = llvm::find_if(table, [&](const NamePair &pair) { return pair.from == name; });
  return found == table.end() ? "" : found->to.str();
}

// EQZ and GTZ are no ops of TTNN; those stand for them that compare an element with zero as well.
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
                             {"InterleavedToShardedPartial", "ttnn.to_memory_config"},
                             {"ShardedToInterleaved", "ttnn.to_memory_config"},
                             {"ShardedToInterleavedPartial", "ttnn.to_memory_config"},
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
                             {"UpdateKVCacheOperation", "ttnn.fill_cache"},
                             {"GroupNorm", "ttnn.group_norm"},
                             {"NLPConcatHeads", "ttnn.concatenate_heads"},
                             {"Ternary", "ttnn.where"}};

/// The op's name in TTNN; "" if the program is none, or is several of them in one.
std::string opName(const TraceRow &trace) {
  // Programs apply lists of functions: one with two of them is no op by itself, and its time is that of both.
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
  if (trace.op == "UpdateKVCacheOperation" && !trace.attributes.contains("UpdateCacheOpType::FILL"))
    return "";
  return lookup(kOps, trace.op);
}

/// The two dimensions that a transpose swaps, from shapes that differ in just two places.
void addTransposition(Question &question, const TraceTensor &in, const TraceTensor &out) {
  const Shape &a = in.desc.shape, &b = out.desc.shape;
  // Equal extents hide what was swapped; the last two dimensions are what most transposes swap.
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
  // The longer names first: each of them contains a shorter one.
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
  if (trace.op == "GroupNorm")
    question.attribute("num_groups", numberAfter(trace.attributes, "'num_groups': '", 1));
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

/// The first operand and the result, as the model's op sees them.
std::pair<std::optional<TraceTensor>, std::optional<TraceTensor>> tensorsOf(const TraceRow &trace) {
  // Element-wise kernels in place go through the bytes of a shard, 1024 elements at a time, whatever their
  // order.
  std::optional<PageLayout> pages;
  if (trace.op == "Unary" && trace.row["input_0_mem"].ends_with("_SHARDED"))
    pages = PageLayout::Tile;
  std::optional<TraceTensor> in = trace.tensor("input_0", pages), out = trace.tensor("output_0", pages);
  // A slice of an interleaved tensor moves as a tensor of its size does.
  if (trace.op.ends_with("Partial") && in && out) {
    TraceTensor &whole = in->layout.isSharded() ? *out : *in;
    whole.desc.shape = (in->layout.isSharded() ? *in : *out).desc.shape;
  }
  return {in, out};
}

void readTrace(CsvTable::Row row, ImportSink &sink) {
  TraceRow trace(row);
  if (std::optional<llvm::Expected<Call>> program = windowProgram(trace))
    return *program ? sink.add(trace.timing(std::move(**program)))
                    : sink.skip(trace.what() + ": " + llvm::toString(program->takeError()));
  std::string name = opName(trace);
  if (name.empty())
    return sink.skip(trace.what() + ": no op of TTNN that the model has, or several in one program");
  if (trace.op == "Binary")
    return sink.skip(trace.what() + ": an older kernel than the model's (binary_ng)");
  std::optional<DeviceSpec> device = trace.sane() ? deviceOf(trace.arch, trace.grid()) : std::nullopt;
  std::optional<TraceTensor> in, out;
  if (device)
    std::tie(in, out) = tensorsOf(trace);
  if (!in || !out)
    return sink.skip(trace.what() + ": cores, architecture, shapes or memory layouts missing or unknown");
  device->workerGrid = gridOf(trace, *in, *out);
  Question question(name, *device);
  question.operand(in->desc, in->layout);
  addOperands(question, trace, name, *in);
  // What writes in place has no result, though the profile lists a tensor for it.
  if (const OpInfo *info = findOp(name); info && info->results > 0)
    question.result(out->desc, out->layout);
  addAttributes(question, trace, *in, *out);
  sink.add(trace.timing(question.call()));
}

constexpr llvm::StringLiteral kTrace[] = {"op", "cores", "input_0_logical", "output_0_logical",
                                          "device_kernel_ns_median"};
constexpr TimingImporter kTraceImporters[] = {{kTrace, rowByRow<readTrace>}};

} // namespace

llvm::ArrayRef<TimingImporter> traceImporters() { return kTraceImporters; }

} // namespace tessera::evaluation
