//===- Ops.cpp - TTNN's ops for forward functions -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One function per op: the shape and type of its result, its attributes as the
// dialect spells them, and where its config puts it. Shapes are computed here
// and nowhere else; the ops' verifiers check them once more before a trace is
// run (checkTrace), so a mistake here ends in an error and not in a wrong
// program.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Ops.h"

#include "Placement.h"

#include "tessera/Dialect/TTNN/TTNN.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

/// Attributes of an op, one after the other.
/// A temporary that is handed on from call to call, so that an op is one expression: each call takes what the one
/// before made and moves it on.
class Attributes {
public:
  explicit Attributes(Graph &g) : b(g.build()), asConfigured(g.isAsConfigured()) {}
  Attributes &&with(llvm::StringRef name, mlir::Attribute value) && {
    list.push_back(b.getNamedAttr(name, value));
    return std::move(*this);
  }
  Attributes &&with(llvm::StringRef name, bool value) && {
    return std::move(*this).with(name, b.getBoolAttr(value));
  }
  Attributes &&signedInt(llvm::StringRef name, int64_t value) && {
    return std::move(*this).with(name, b.getSI32IntegerAttr(int32_t(value)));
  }
  Attributes &&unsignedInt(llvm::StringRef name, int64_t value) && {
    return std::move(*this).with(name, b.getUI32IntegerAttr(uint32_t(value)));
  }
  Attributes &&number(llvm::StringRef name, double value) && {
    return std::move(*this).with(name, b.getF32FloatAttr(float(value)));
  }
  Attributes &&ints(llvm::StringRef name, llvm::ArrayRef<int64_t> values) && {
    llvm::SmallVector<int32_t> narrow(values.begin(), values.end());
    return std::move(*this).with(name, b.getI32ArrayAttr(narrow));
  }
  /// Which of the optional operands are there.
  Attributes &&segments(llvm::ArrayRef<int32_t> sizes) && {
    return std::move(*this).with("operandSegmentSizes", b.getDenseI32ArrayAttr(sizes));
  }
  Attributes &&compute(const std::optional<ComputeKernelConfig> &config) && {
    if (!config)
      return std::move(*this);
    mlir::MLIRContext *context = b.getContext();
    return std::move(*this).with("compute_config", ttnn::DeviceComputeKernelConfigAttr::get(
                                                       context, ttnn::MathFidelity(config->math_fidelity),
                                                       b.getBoolAttr(config->math_approx_mode),
                                                       b.getBoolAttr(config->fp32_dest_acc_en),
                                                       b.getBoolAttr(config->packer_l1_acc), nullptr));
  }
  /// What a config says of how an op runs.
  template <class Config>
  Attributes &&program(llvm::StringRef name, const std::optional<Config> &config) && {
    // Without --as-configured the module is what a compiler hands to its optimizer: how an op runs is decided
    // there.
    if (asConfigured && config)
      list.push_back(b.getNamedAttr(name, toAttribute(b.getContext(), *config)));
    return std::move(*this);
  }
  Attributes &&links(const std::optional<int64_t> &count, const std::optional<Topology> &topology) && {
    if (asConfigured && count)
      list.push_back(b.getNamedAttr("num_links", b.getUI32IntegerAttr(uint32_t(*count))));
    return std::move(*this).program("topology", topology);
  }
  operator Graph::Attributes() const { return list; }

private:
  mlir::Builder &b;
  bool asConfigured;
  llvm::SmallVector<mlir::NamedAttribute> list;
};

Tensor one(llvm::SmallVector<Tensor> results) { return results.front(); }

TensorDesc withExtent(TensorDesc desc, int64_t dim, int64_t extent) {
  desc.shape[size_t(dim)] = extent;
  return desc;
}

int64_t counted(const Tensor &x, int64_t dim) { return dim < 0 ? dim + int64_t(x.shape().size()) : dim; }

/// Extents of two shapes, aligned at the right, of which ones give way.
Shape broadcast(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Shape shape(a);
  for (size_t i = 0; i != b.size(); ++i) {
    int64_t &extent = shape[a.size() - b.size() + i];
    extent = std::max(extent, b[i]);
  }
  return shape;
}

/// Cores over which a program config shards the result; 0 if it does not say.
int64_t coresOf(const std::optional<MatmulProgramConfig> &config, int64_t width) {
  const auto *banks =
      config ? std::get_if<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig>(&*config) : nullptr;
  // That kernel makes per_core_N tiles of the result's width on each core.
  return banks && banks->per_core_N > 0 ? ceilDiv(ceilDiv(width, int64_t(32)), banks->per_core_N) : 0;
}

} // namespace

// ---- Compute ---------------------------------------------------------------------------------------------

/// `program`: instead of the config's own, where one follows from the number of rows (ProgramConfigData).
Tensor op::linear(Graph &g, const Tensor &x, const Config &config, std::optional<DataType> type,
                  const std::optional<MatmulProgramConfig> &program) {
  auto linear = config.as<LinearConfig>();
  if (program)
    linear.program_config = program;
  Tensor weight = g.weight(*linear.input_tensor_b);
  g.name(config.name());
  // Weights are stored [in, out] (WeightPlan.cpp), so neither factor is transposed.
  Shape shape =
      broadcast(llvm::ArrayRef(x.shape()).drop_back(2), llvm::ArrayRef(weight.shape()).drop_back(2));
  shape.append({x.extent(int64_t(x.shape().size()) - 2), weight.shape().back()});
  Tensor made = one(g.add("ttnn.linear", {x, weight}, TensorDesc{shape, type.value_or(x.type())},
                          Attributes(g)
                              .with("transpose_a", false)
                              .with("transpose_b", false)
                              .program("matmul_program_config", linear.program_config)
                              .compute(linear.compute_kernel_config)));
  return g.placed(made, linear.memory_config, coresOf(linear.program_config, shape.back()));
}

Tensor op::unary(Graph &g, llvm::StringRef name, const Tensor &x) {
  return one(g.add(("ttnn." + name).str(), x, x.desc));
}

Tensor op::binary(Graph &g, llvm::StringRef name, const Tensor &a, const Tensor &b) {
  return one(g.add(("ttnn." + name).str(), {a, b}, TensorDesc{broadcast(a.shape(), b.shape()), a.type()}));
}

Tensor op::binaryWithWeight(Graph &g, llvm::StringRef name, const Tensor &a, const Config &config) {
  auto entry = config.as<BinaryOpConfig>();
  Tensor weight = tilize(g, g.weight(*entry.input_tensor_b));
  g.name(config.name());
  return g.placed(binary(g, name, a, weight), entry.memory_config);
}

/// The op would take the activations itself; as ops of their own they are what a compiler emits, and a rewrite puts
/// them back.
Tensor op::mul(Graph &g, const Tensor &a, const Tensor &b, const Config &config) {
  Tensor activated = a;
  auto entry = config.as<MulConfig>();
  g.name(config.name());
  for (UnaryOpType activation : entry.input_tensor_a_activations.value_or(std::vector<UnaryOpType>()))
    activated = g.placed(unary(g, runner::name(activation).lower(), activated), entry.memory_config);
  return g.placed(binary(g, "multiply", activated, b), entry.memory_config);
}

Tensor op::where(Graph &g, const Tensor &condition, const Tensor &a, const Tensor &b) {
  return one(g.add("ttnn.where", {condition, a, b},
                   TensorDesc{broadcast(condition.shape(), broadcast(a.shape(), b.shape())), a.type()}));
}

Tensor op::sum(Graph &g, const Tensor &x, int64_t dim) {
  return one(g.add("ttnn.sum", x, withExtent(x.desc, dim, 1),
                   Attributes(g).with("keep_dim", true).ints("dim_arg", {dim}).compute(kHiFi4)));
}

Tensor op::rmsNorm(Graph &g, const Tensor &x, const Config &config) {
  auto norm = config.as<RMSNormConfig>();
  g.name(config.name());
  // Files hold a norm's weight in rows of a tile's width (facts/deepseek 2.1); the op wants a vector.
  Tensor stored = g.weight(*norm.weight);
  TensorDesc vector{{x.shape().back()}, stored.type()};
  Tensor rows = one(
      g.add("ttnn.reshape", stored, vector, Attributes(g).ints("shape", vector.shape), PageLayout::RowMajor));
  Tensor weight = tilize(g, rows);
  Tensor made = one(g.add("ttnn.rms_norm", {x, weight}, x.desc,
                          Attributes(g)
                              .number("epsilon", norm.epsilon.value_or(1e-12))
                              .segments({1, 1, 0})
                              .program("program_config", norm.program_config)
                              .compute(norm.compute_kernel_config)));
  return g.placed(made, norm.memory_config);
}

Tensor op::distributedRmsNorm(Graph &g, const Tensor &x, const Config &config, const Config &exchange) {
  auto gather = exchange.as<AllGatherAsyncConfig>();
  auto norm = config.as<RMSNormPostAllGatherConfig>();
  g.name(config.name());
  // Hidden states are cut over the columns of the mesh, so the devices of a row exchange their sums of squares:
  // axis 1.
  TensorDesc result{x.shape(), norm.dtype.value_or(DataType::BFloat16)};
  Tensor weight = g.weight(*norm.weight);
  Tensor made = one(g.add("ttnn.distributed_rms_norm", {x, weight, g.device()}, result,
                          Attributes(g)
                              .number("epsilon", norm.epsilon.value_or(1e-12))
                              .unsignedInt("cluster_axis", 1)
                              .segments({1, 1, 0, 0, 0, 1})
                              .links(gather.num_links, gather.topology)
                              .program("program_config", norm.program_config)
                              .compute(norm.compute_kernel_config)));
  return g.placed(made, norm.memory_config);
}

op::TopK op::topk(Graph &g, const Tensor &x, const Config &config) {
  auto topk = config.as<TopKConfig>();
  g.name(config.name());
  int64_t dim = counted(x, *topk.dim), k = topk.k.value_or(1);
  TensorDesc values = withExtent(x.desc, dim, k);
  llvm::SmallVector<Tensor> made = g.add("ttnn.topk", x, {values, TensorDesc{values.shape, DataType::UInt32}},
                                         Attributes(g)
                                             .signedInt("k", k)
                                             .signedInt("dim", dim)
                                             .with("largest", topk.largest.value_or(true))
                                             .with("sorted", topk.sorted.value_or(true)));
  return {made[0], made[1]};
}

Tensor op::gather(Graph &g, const Tensor &x, const Tensor &index, int64_t dim) {
  return one(g.add("ttnn.gather", {x, index}, TensorDesc{index.shape(), x.type()},
                   Attributes(g).signedInt("dim", dim)));
}

Tensor op::scatter(Graph &g, const Tensor &x, const Tensor &index, const Tensor &source, int64_t dim) {
  mlir::Attribute none = ttcore::ReduceTypeAttr::get(g.build().getContext(), ttcore::ReduceType::Invalid);
  // The op works on rows whatever it gets, and takes f32 in no other form (scatter.tile_type).
  auto rows = [&](const Tensor &tensor) {
    return one(g.add("ttnn.to_layout", tensor, tensor.desc, Attributes(g), PageLayout::RowMajor));
  };
  return tilize(g, one(g.add("ttnn.scatter", {rows(x), rows(index), rows(source)}, x.desc,
                             Attributes(g).signedInt("dim", dim).with("scatter_reduce_type", none),
                             PageLayout::RowMajor)));
}

Tensor op::embedding(Graph &g, const Tensor &ids, const Tensor &table) {
  Shape shape = ids.shape();
  shape.push_back(table.shape().back());
  return one(g.add("ttnn.embedding", {ids, table}, TensorDesc{shape, table.type()}));
}

Tensor op::rotaryEmbedding(Graph &g, const Tensor &x, const Tensor &cos, const Tensor &sin,
                           const Tensor &matrix) {
  return one(g.add("ttnn.rotary_embedding_llama", {x, cos, sin, matrix}, x.desc,
                   Attributes(g).with("is_decode_mode", false).compute(kHiFi4)));
}

// ---- Data movement ---------------------------------------------------------------------------------------

Tensor op::reshape(Graph &g, const Tensor &x, Shape shape) {
  // An op that does nothing would be a launch of its own.
  if (shape == x.shape())
    return x;
  return one(g.add("ttnn.reshape", x, TensorDesc{shape, x.type()}, Attributes(g).ints("shape", shape)));
}

Tensor op::permute(Graph &g, const Tensor &x, llvm::ArrayRef<int64_t> dims) {
  TensorDesc result = x.desc;
  for (auto [to, from] : llvm::enumerate(dims))
    result.shape[to] = x.extent(from);
  return one(g.add("ttnn.permute", x, result,
                   Attributes(g).with("permutation", g.build().getDenseI64ArrayAttr(dims))));
}

Tensor op::slice(Graph &g, const Tensor &x, int64_t dim, int64_t begin, int64_t end) {
  if (begin == 0 && end == x.extent(dim))
    return x;
  Shape begins(x.shape().size(), 0), ends = x.shape(), steps(x.shape().size(), 1);
  begins[size_t(dim)] = begin;
  ends[size_t(dim)] = end;
  return one(g.add("ttnn.slice_static", x, withExtent(x.desc, dim, end - begin),
                   Attributes(g).ints("begins", begins).ints("ends", ends).ints("step", steps)));
}

/// At the end of one dimension alone; what is long enough stays as it is.
Tensor op::padTo(Graph &g, const Tensor &x, int64_t dim, int64_t extent, double value) {
  if (x.extent(dim) >= extent)
    return x;
  llvm::SmallVector<int32_t> padding(2 * x.shape().size(), 0);
  padding[2 * size_t(dim) + 1] = int32_t(extent - x.extent(dim));
  return one(g.add("ttnn.pad", x, withExtent(x.desc, dim, extent),
                   Attributes(g)
                       .with("padding", g.build().getDenseI32ArrayAttr(padding))
                       .number("value", value)
                       .with("use_multicore", true)));
}

Tensor op::concat(Graph &g, llvm::ArrayRef<Tensor> tensors, int64_t dim) {
  if (tensors.size() == 1)
    return tensors.front();
  int64_t extent = 0;
  for (const Tensor &tensor : tensors)
    extent += tensor.extent(dim);
  return one(g.add("ttnn.concat", tensors, withExtent(tensors.front().desc, dim, extent),
                   Attributes(g).signedInt("dim", dim)));
}

Tensor op::repeat(Graph &g, const Tensor &x, llvm::ArrayRef<int64_t> times) {
  if (llvm::all_of(times, [](int64_t count) { return count == 1; }))
    return x;
  TensorDesc result = x.desc;
  for (auto [extent, count] : llvm::zip_equal(result.shape, times))
    extent *= count;
  return one(g.add("ttnn.repeat", x, result,
                   Attributes(g).with("repeat_dims", ttnn::ShapeAttr::get(g.build().getContext(), times))));
}

Tensor op::typecast(Graph &g, const Tensor &x, DataType type) {
  return type == x.type() ? x : one(g.add("ttnn.typecast", x, TensorDesc{x.shape(), type}));
}

Tensor op::tilize(Graph &g, const Tensor &x) { return one(g.add("ttnn.to_layout", x, x.desc)); }

/// An entry is a config of the op, or just the memory to go to; without one the tensor stays where it is.
Tensor op::reshard(Graph &g, const Tensor &x, const Config &config) {
  if (auto entry = config.find<ReshardConfig>()) {
    g.name(config.name());
    return g.moved(x, *entry->memory_config);
  }
  if (auto memory = config.find<MemoryConfig>()) {
    g.name(config.name());
    return g.moved(x, *memory);
  }
  return x;
}

/// Also without --as-configured: ops that follow are illegal otherwise.
Tensor op::heightSharded(Graph &g, const Tensor &x, int64_t cores) {
  TensorLayout layout = l1Sharded(x.desc, MemoryLayout::HeightSharded, {cores, 1}, g.target().workerGrid);
  return g.add("ttnn.to_memory_config", x, x.desc, layout, {});
}

// ---- Between devices -------------------------------------------------------------------------------------

namespace {

/// How an exchange between devices runs.
struct Exchange {
  std::optional<int64_t> links;
  std::optional<Topology> topology;
  std::optional<MemoryConfig> memory;
};

/// On an axis of one device nothing is exchanged, and the result lies where it would.
Tensor allGatherAs(Graph &g, const Tensor &x, int64_t dim, int64_t axis, const Exchange &how) {
  int64_t devices = g.devicesAlong(axis), along = counted(x, dim);
  if (devices == 1)
    return g.moved(x, how.memory);
  return g.placed(one(g.add("ttnn.all_gather", x, withExtent(x.desc, along, x.extent(along) * devices),
                            Attributes(g)
                                .signedInt("all_gather_dim", along)
                                .unsignedInt("cluster_axis", axis)
                                .links(how.links, how.topology))),
                  how.memory);
}

/// The counterpart of allGatherAs(): sums over the axis, each device keeps its part of `dim`.
Tensor reduceScatterAs(Graph &g, const Tensor &x, int64_t dim, int64_t axis, const Exchange &how) {
  int64_t devices = g.devicesAlong(axis), along = counted(x, dim);
  if (devices == 1)
    return g.moved(x, how.memory);
  mlir::Attribute sum = ttcore::ReduceTypeAttr::get(g.build().getContext(), ttcore::ReduceType::Sum);
  return g.placed(one(g.add("ttnn.reduce_scatter", x, withExtent(x.desc, along, x.extent(along) / devices),
                            Attributes(g)
                                .with("reduce_type", sum)
                                .signedInt("scatter_dim", along)
                                .unsignedInt("cluster_axis", axis)
                                .links(how.links, how.topology))),
                  how.memory);
}

} // namespace

Tensor op::allGather(Graph &g, const Tensor &x, int64_t dim, int64_t axis) {
  return allGatherAs(g, x, dim, axis, {});
}
Tensor op::allGather(Graph &g, const Tensor &x, const Config &config) {
  auto gather = config.as<AllGatherAsyncConfig>();
  g.name(config.name());
  return allGatherAs(g, x, *gather.dim, *gather.cluster_axis,
                     {gather.num_links, gather.topology, gather.memory_config});
}

Tensor op::reduceScatter(Graph &g, const Tensor &x, int64_t dim, int64_t axis) {
  return reduceScatterAs(g, x, dim, axis, {});
}

Tensor op::reduceScatter(Graph &g, const Tensor &x, const Config &config) {
  auto scatter = config.as<ReduceScatterAsyncMinimalConfig>();
  g.name(config.name());
  return reduceScatterAs(g, x, *scatter.dim, *scatter.cluster_axis,
                         {scatter.num_links, scatter.topology, scatter.memory_config});
}

Tensor op::meshPartition(Graph &g, const Tensor &x, int64_t dim, int64_t axis) {
  int64_t devices = g.devicesAlong(axis);
  if (devices == 1)
    return x;
  return one(g.add("ttnn.mesh_partition", x, withExtent(x.desc, dim, x.extent(dim) / devices),
                   Attributes(g).signedInt("dim", dim).unsignedInt("cluster_axis", axis)));
}

// ---- Attention on latents --------------------------------------------------------------------------------

// Caches are written in place, so that these ops have no result; later ones read the cache itself.
void op::pagedFillCache(Graph &g, const Tensor &cache, const Tensor &rows, const Tensor &pageTable) {
  g.add("ttnn.paged_fill_cache", {cache, rows, pageTable}, {});
}

void op::pagedUpdateCache(Graph &g, const Tensor &cache, const Tensor &rows, const Tensor &positions,
                          const Tensor &pageTable) {
  g.add("ttnn.paged_update_cache", {cache, rows, positions, pageTable}, {},
        Attributes(g).with("share_cache", false));
}

/// Keys and values are the latents: all of a row is the key, the first `valueWidth` elements of it the value
/// (facts/deepseek 4.2).
Tensor op::flashMlaPrefill(Graph &g, const Tensor &query, const Tensor &latents, const FlashMla &how) {
  Tensor made =
      one(g.add("ttnn.flash_mla_prefill", {query, latents}, withExtent(query.desc, 3, how.valueWidth),
                Attributes(g)
                    .unsignedInt("head_dim_v", how.valueWidth)
                    .with("is_causal", true)
                    .number("scale", how.scale)
                    .segments({1, 1, 0, 0})));
  return g.placed(made, how.memory);
}

Tensor op::flashMlaDecode(Graph &g, const Tensor &query, const Tensor &cache, const Tensor &pageTable,
                          const Tensor &positions, const FlashMla &how) {
  Tensor made = one(g.add("ttnn.paged_flash_multi_latent_attention_decode",
                          {query, cache, pageTable, positions}, withExtent(query.desc, 3, how.valueWidth),
                          Attributes(g)
                              .unsignedInt("head_dim_v", how.valueWidth)
                              .with("is_causal", true)
                              .number("scale", how.scale)
                              .program("program_config", how.program)
                              .segments({1, 1, 0, 1, 0, 1, 0})));
  return g.placed(made, how.memory);
}
