//===- LayoutJson.cpp - Layouts and configurations as JSON ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Layouts and configurations are parts of questions to op models outside and of their records, so what is written here
// is a format: reading back must give an equal object, by which answers are found again. Reading checks the form only;
// whether a layout is one of a tensor is asked where it is used (checkLayout), before anything divides by its extents.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/LayoutJson.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace tessera;
namespace json = llvm::json;

// llvm::json finds these by argument-dependent lookup.
namespace tessera {

// ---- Pairs of numbers ------------------------------------------------------------------------------------

/// Exactly as many as there is room for: a list of another length is another thing, and no pair with a default.
static bool readNumbers(const json::Value &value, llvm::MutableArrayRef<int64_t> out, json::Path path) {
  const json::Array *array = value.getAsArray();
  if (!array || array->size() != out.size()) {
    path.report("expected a list of that many numbers");
    return false;
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (!json::fromJSON((*array)[i], out[i], path.index(i)))
      return false;
  return true;
}

static bool fromJSON(const json::Value &value, GridShape &grid, json::Path path) {
  int64_t numbers[2];
  if (!readNumbers(value, numbers, path))
    return false;
  // Rows first, as GridShape has them everywhere but in program configs.
  grid = {numbers[0], numbers[1]};
  return true;
}

static bool fromJSON(const json::Value &value, TileShape &tile, json::Path path) {
  GridShape extents;
  if (!fromJSON(value, extents, path))
    return false;
  tile = {extents.rows, extents.columns};
  return true;
}

static bool fromJSON(const json::Value &value, CoreRange &range, json::Path path) {
  int64_t numbers[4];
  if (!readNumbers(value, numbers, path))
    return false;
  range = {{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
  return true;
}

// A core is x, y: columns first, other than a grid of shards.
static bool fromJSON(const json::Value &value, CoreCoord &core, json::Path path) {
  GridShape pair;
  if (!fromJSON(value, pair, path))
    return false;
  core = {pair.rows, pair.columns};
  return true;
}

// ---- Names -----------------------------------------------------------------------------------------------

/// Of enumerations that have a parser of their own.
template <class Enum>
static bool readName(const json::Value &value, Enum &out, std::optional<Enum> (*parse)(llvm::StringRef),
                     json::Path path) {
  std::optional<llvm::StringRef> text = value.getAsString();
  std::optional<Enum> parsed = text ? parse(*text) : std::nullopt;
  if (!parsed) {
    path.report("unknown name");
    return false;
  }
  out = *parsed;
  return true;
}

static bool fromJSON(const json::Value &value, PageLayout &out, json::Path path) {
  return readName(value, out, parsePageLayout, path);
}
static bool fromJSON(const json::Value &value, BufferType &out, json::Path path) {
  return readName(value, out, parseBufferType, path);
}
static bool fromJSON(const json::Value &value, MemoryLayout &out, json::Path path) {
  return readName(value, out, parseMemoryLayout, path);
}
static bool fromJSON(const json::Value &value, DataType &out, json::Path path) {
  return readName(value, out, parseDataType, path);
}

/// Of those whose words stand below.
template <class Enum>
static bool readIndexedName(const json::Value &value, Enum &out, llvm::ArrayRef<llvm::StringLiteral> names,
                            json::Path path) {
  std::optional<llvm::StringRef> text = value.getAsString();
  auto found = text ? llvm::find(names, *text) : names.end();
  if (found == names.end()) {
    path.report("unknown name");
    return false;
  }
  out = Enum(found - names.begin());
  return true;
}

// Both lists are in the order of their enumerations, by which they are looked up. The words stand in records, so that
// another word would be another format.
static constexpr llvm::StringLiteral kMatmulKinds[] = {"reuse", "multicast_2d", "multicast_1d",
                                                       "multicast_dram_sharded"};
static constexpr llvm::StringLiteral kSlices[] = {"l1_full", "dram_height", "dram_width", "backend"};

static bool fromJSON(const json::Value &value, MatmulProgramConfig::Kind &out, json::Path path) {
  return readIndexedName(value, out, kMatmulKinds, path);
}
static bool fromJSON(const json::Value &value, Conv2dConfig::Slice &out, json::Path path) {
  return readIndexedName(value, out, kSlices, path);
}

// ---- The linear map --------------------------------------------------------------------------------------

/// [[c0, c1, ..., constant], ...]: one list per result.
/// Example: (d0, d1, d2) -> (d0 * 64 + d1, d2) is [[64, 1, 0, 0], [0, 0, 1, 0]].
static json::Value toJson(const LinearMap &map) {
  json::Array results;
  for (const LinearMap::Result &result : map.results) {
    json::Array numbers;
    for (int64_t coefficient : result.coefficients)
      numbers.push_back(coefficient);
    numbers.push_back(result.constant);
    results.push_back(std::move(numbers));
  }
  return json::Object{{"dims", int64_t(map.dims)}, {"results", std::move(results)}};
}

static bool fromJSON(const json::Value &value, LinearMap &map, json::Path path) {
  json::ObjectMapper object(value, path);
  int64_t dims = 0;
  std::vector<std::vector<int64_t>> results;
  if (!object || !object.map("dims", dims) || !object.map("results", results))
    return false;
  if (dims < 0 || dims > std::numeric_limits<unsigned>::max()) {
    path.field("dims").report("expected a number of dimensions");
    return false;
  }
  map = LinearMap();
  map.dims = unsigned(dims);
  for (auto [index, numbers] : llvm::enumerate(results)) {
    // A result with fewer numbers would be read beyond its end by who applies the map.
    if (numbers.size() != size_t(dims) + 1) {
      path.field("results").index(index).report("expected one number per dimension and a constant");
      return false;
    }
    LinearMap::Result &result = map.results.emplace_back();
    result.coefficients.assign(numbers.begin(), numbers.end() - 1);
    result.constant = numbers.back();
  }
  return true;
}

// ---- Layouts ---------------------------------------------------------------------------------------------

json::Value toJson(const TensorLayout &layout) {
  json::Object object{{"text", describe(layout)},
                      {"linear", toJson(layout.linear)},
                      {"grid", json::Array{layout.grid.rows, layout.grid.columns}},
                      {"shard", json::Array{layout.shard.rows, layout.shard.columns}},
                      {"page", name(layout.page)},
                      {"tile", json::Array{layout.tile.height, layout.tile.width}},
                      {"dtype", name(layout.dtype)},
                      {"buffer", name(layout.buffer)}};
  // In system memory there is none; a key that is absent reads back as just that.
  if (layout.memory)
    object["memory"] = name(*layout.memory);
  if (layout.cores) {
    json::Array ranges;
    for (const CoreRange &range : layout.cores->ranges)
      ranges.push_back(json::Array{range.start.x, range.start.y, range.end.x, range.end.y});
    object["cores"] = std::move(ranges);
  }
  if (layout.ignorePhysicalLayout)
    object["ignore_physical_layout"] = true;
  if (!layout.mesh.empty())
    // Names come from the IR and may hold any bytes, which JSON may not.
    object["mesh"] = json::fixUTF8(layout.mesh);
  return object;
}

/// "text" is for people and is not read.
bool fromJSON(const json::Value &value, TensorLayout &layout, json::Path path) {
  json::ObjectMapper object(value, path);
  // What a field that is absent means must not depend on what the caller's layout was before.
  layout = TensorLayout();
  std::optional<std::vector<CoreRange>> cores;
  if (!object || !object.map("linear", layout.linear) || !object.map("grid", layout.grid) ||
      !object.map("shard", layout.shard) || !object.map("page", layout.page) ||
      !object.map("tile", layout.tile) || !object.map("dtype", layout.dtype) ||
      !object.map("buffer", layout.buffer) || !object.map("memory", layout.memory) ||
      !object.map("cores", cores) ||
      !object.mapOptional("ignore_physical_layout", layout.ignorePhysicalLayout) ||
      !object.mapOptional("mesh", layout.mesh))
    return false;
  if (cores) {
    layout.cores.emplace();
    layout.cores->ranges.assign(cores->begin(), cores->end());
  }
  return true;
}

// ---- Op-specific configurations --------------------------------------------------------------------------

// All fields of every kind, also those that the kind has no use for: two configs are equal only if these are, too.
static json::Value toJson(const MatmulProgramConfig &config) {
  return json::Object{{"kind", kMatmulKinds[size_t(config.kind)]},
                      {"grid", json::Array{config.grid.x, config.grid.y}},
                      {"in0_block_w", config.in0BlockW},
                      {"out_subblock_h", config.outSubblockH},
                      {"out_subblock_w", config.outSubblockW},
                      {"out_block_h", config.outBlockH},
                      {"out_block_w", config.outBlockW},
                      {"per_core_m", config.perCoreM},
                      {"per_core_n", config.perCoreN},
                      {"transpose_mcast", config.transposeMcast},
                      {"fuse_batch", config.fuseBatch},
                      {"mcast_in0", config.mcastIn0},
                      {"fused_activation", json::fixUTF8(config.fusedActivation)}};
}

static bool fromJSON(const json::Value &value, MatmulProgramConfig &config, json::Path path) {
  json::ObjectMapper object(value, path);
  return object && object.map("kind", config.kind) && object.map("grid", config.grid) &&
         object.map("in0_block_w", config.in0BlockW) && object.map("out_subblock_h", config.outSubblockH) &&
         object.map("out_subblock_w", config.outSubblockW) && object.map("out_block_h", config.outBlockH) &&
         object.map("out_block_w", config.outBlockW) && object.map("per_core_m", config.perCoreM) &&
         object.map("per_core_n", config.perCoreN) && object.map("transpose_mcast", config.transposeMcast) &&
         object.map("fuse_batch", config.fuseBatch) && object.map("mcast_in0", config.mcastIn0) &&
         object.map("fused_activation", config.fusedActivation);
}

static json::Value toJson(const Conv2dConfig &config) {
  json::Object object{{"act_block_h_override", config.actBlockHOverride},
                      {"deallocate_activation", config.deallocateActivation},
                      {"slice", kSlices[size_t(config.slice)]},
                      {"num_slices", config.numSlices}};
  if (config.shardLayout)
    object["shard_layout"] = name(*config.shardLayout);
  if (config.reshardIfNotOptimal)
    object["reshard_if_not_optimal"] = *config.reshardIfNotOptimal;
  return object;
}

static bool fromJSON(const json::Value &value, Conv2dConfig &config, json::Path path) {
  json::ObjectMapper object(value, path);
  return object && object.map("shard_layout", config.shardLayout) &&
         object.map("act_block_h_override", config.actBlockHOverride) &&
         object.map("deallocate_activation", config.deallocateActivation) &&
         object.map("reshard_if_not_optimal", config.reshardIfNotOptimal) &&
         object.map("slice", config.slice) && object.map("num_slices", config.numSlices);
}

static json::Value toJson(const AttentionConfig &config) {
  return json::Object{{"grid", json::Array{config.grid.x, config.grid.y}},
                      {"q_chunk_size", config.queryChunk},
                      {"k_chunk_size", config.keyChunk}};
}

static bool fromJSON(const json::Value &value, AttentionConfig &config, json::Path path) {
  json::ObjectMapper object(value, path);
  return object && object.map("grid", config.grid) && object.map("q_chunk_size", config.queryChunk) &&
         object.map("k_chunk_size", config.keyChunk);
}

json::Value toJson(const OpSpecificConfig &config) {
  if (auto *matmul = std::get_if<MatmulProgramConfig>(&config))
    return json::Object{{"matmul", toJson(*matmul)}};
  if (auto *conv2d = std::get_if<Conv2dConfig>(&config))
    return json::Object{{"conv2d", toJson(*conv2d)}};
  if (auto *attention = std::get_if<AttentionConfig>(&config))
    return json::Object{{"attention", toJson(*attention)}};
  return nullptr;
}

/// The key names the kind, as a kind's fields alone would not tell one from another.
bool fromJSON(const json::Value &value, OpSpecificConfig &config, json::Path path) {
  config = std::monostate();
  // Most ops have no configuration of their own.
  if (value.kind() == json::Value::Null)
    return true;
  const json::Object *object = value.getAsObject();
  if (const json::Value *matmul = object ? object->get("matmul") : nullptr)
    return fromJSON(*matmul, config.emplace<MatmulProgramConfig>(), path.field("matmul"));
  if (const json::Value *conv2d = object ? object->get("conv2d") : nullptr)
    return fromJSON(*conv2d, config.emplace<Conv2dConfig>(), path.field("conv2d"));
  if (const json::Value *attention = object ? object->get("attention") : nullptr)
    return fromJSON(*attention, config.emplace<AttentionConfig>(), path.field("attention"));
  path.report("expected a matmul, conv2d or attention configuration, or null");
  return false;
}

} // namespace tessera
