//===- Heads.cpp - Rotary embedding, splitting and joining heads ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// facts/formulas 8 (heads), 10; facts/hardware 4.5.
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Family.h"
#include "../Kernels.h"
#include "../Runtime.h"
#include "../Shards.h"

#include <numeric>

namespace tessera::analytic {
namespace {

// Shapes in this file, of B users, H heads, S positions and heads of D elements: a rotary embedding keeps B x H
// x S x D; concat gives B x S x (H * D) of it; split takes B x S x (H * D and keys and values beside it) apart
// into three tensors. While tokens are decoded, users take the place of positions: 1 x 1 x B x all heads becomes
// three of 1 x B x H x D, with a core for each user, and comes back with a core for each head.
// ---- rotary_embedding -----------------------------------------------------------------------------------
bool operandTiled(const OpCall &call) { return call.in[0].tiled() && call.out[0].tiled(); }

/// Rows are cut between shards only, all alike.
bool wholeEvenRows(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !in.sharded() || (!in.shardedAs(MemoryLayout::WidthSharded) &&
                           in.shardTiles().columns >= in.tileCols && in.tileRows % in.shardTiles().rows == 0);
}

bool newest(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

/// One table of cosines for all users and heads, as wide as they are.
bool tablesServeAll(const OpCall &call) {
  const TensorRef &in = call.in[0], &cos = call.in[1];
  return cos.desc->shape == call.in[2].desc->shape && cos.dim(0) == 1 && cos.dim(1) == 1 &&
         cos.tileCols == in.tileCols;
}
/// Halves begin with a tile, or are those of a single one. Padded to that the library takes others, and turns the padding in.
bool halvesAreTiles(const OpCall &call) {
  int64_t width = call.in[0].width;
  return width % 64 == 0 || (newest(call) && width == 32);
}
bool ofToken(const OpCall &call) { return call.op().attribute("token_index") != nullptr; }
/// A row for every row of the operand, or at least that of the token.
bool tablesLongEnough(const OpCall &call) {
  int64_t rows = ofToken(call) ? call.op().integer("token_index", 0) : alignUp(call.in[0].height, 32);
  return alignUp(call.in[1].height, 32) >= rows;
}

constexpr RuleInfo kRotaryTiled = {"rotary_embedding.tiled", "operand and result must be tiled",
                                   "facts/hardware 4.5"};
constexpr Rule kRotaryRules[] = {
    {kRotaryTiled, operandTiled},
    {{"rotary_embedding.width", "heads must be of a multiple of 64 elements, or of 32",
      "tt-metal 0.77 (rotary_embedding.cpp)"},
     halvesAreTiles},
    {{"rotary_embedding.table_types", "cos and sin must have the same data type",
      "tt-metal 0.77 (rotary_embedding_device_operation.cpp)"},
     [](const OpCall &call) { return call.in[1].dtype() == call.in[2].dtype(); }},
    {{"rotary_embedding.table_shapes",
      "cos and sin must be of one shape, for one user and head, and as wide as the operand",
      "tt-metal 0.77 (rotary_embedding.cpp)"},
     tablesServeAll},
    {{"rotary_embedding.table_rows",
      "cos and sin must have a row for each of the operand's, or for the token",
      "tt-metal 0.77 (rotary_embedding.cpp)"},
     tablesLongEnough},
    {{"rotary_embedding.token", "with a token index the operand must be of one position",
      "tt-metal 0.77 (rotary_embedding.cpp)"},
     [](const OpCall &call) { return !ofToken(call) || call.in[0].dim(0) == 1; }},
    {{"rotary_embedding.operand",
      "the operand must be interleaved, or sharded in whole rows of which every shard has as many",
      "facts/hardware 4.5, facts/ir 4.6"},
     wholeEvenRows},
    {{"rotary_embedding.first_cores", "a sharded operand must lie on the grid's first cores, row by row",
      "tt-metal 0.77 (rotary_embedding_program_factory.cpp), ttnn 0.81.1 executed (docs/programs.md)",
      "hangs on ttsim 1.10.0"},
     [](const OpCall &call) { return onFirstCores(call.in[0]); }},
    {{"rotary_embedding.result",
      "a result may be sharded by block only if the operand is, and never by width",
      "tt-metal 0.77 (rotary_embedding_device_operation.cpp)"},
     [](const OpCall &call) {
       const TensorRef &out = call.out[0];
       return !out.shardedAs(MemoryLayout::WidthSharded) &&
              (!out.shardedAs(MemoryLayout::BlockSharded) ||
               call.in[0].shardedAs(MemoryLayout::BlockSharded));
     }},
};

bool decodeMode(const OpCall &call) { return call.op().boolean("is_decode_mode", false); }

constexpr Rule kRotaryLlamaRules[] = {
    {{"rotary_embedding_llama.decode", "in decode mode all operands and the result must be height-sharded",
      "facts/dialect 9"},
     [](const OpCall &call) {
       auto heights = [](const TensorRef &tensor) { return tensor.shardedAs(MemoryLayout::HeightSharded); };
       return !decodeMode(call) ||
              (llvm::all_of(call.in, heights) && (!call.out[0].decided() || heights(call.out[0])));
     }},
    {{"rotary_embedding_llama.prefill", "in prefill mode the operand and the result must be interleaved",
      "tt-metal 0.77 (rotary_embedding_llama_device_operation.cpp)"},
     [](const OpCall &call) {
       return decodeMode(call) ||
              (!call.in[0].sharded() && (!call.out[0].decided() || !call.out[0].sharded()));
     }},
    {{"rotary_embedding_llama.prefill_tables",
      "in prefill mode cos and sin must be interleaved, or both height-sharded in shards of one row of "
      "tiles, and the matrix interleaved or "
      "height-sharded",
      "asked of ttnn 0.77.0 and 0.81.1"},
     [](const OpCall &call) {
       auto heights = [](const TensorRef &tensor) { return tensor.shardedAs(MemoryLayout::HeightSharded); };
       const TensorRef &cos = call.in[1], &sin = call.in[2], &matrix = call.in[3];
       bool interleaved = !cos.sharded() && !sin.sharded();
       bool rows = heights(cos) && heights(sin) && cos.shardTiles().rows == 1 && sin.shardTiles().rows == 1;
       return decodeMode(call) || ((interleaved || rows) && (!matrix.sharded() || heights(matrix)));
     }},
    {{"rotary_embedding_llama.tables", "cos, sin and the matrix must be tiled, too", "facts/dialect 9"},
     [](const OpCall &call) {
       return llvm::all_of(call.in, [](const TensorRef &tensor) { return tensor.tiled(); });
     }},
    {{"rotary_embedding_llama.table_shapes", "cos and sin must have the same shape",
      "tt-metal 0.77 (rotary_embedding_llama_device_operation.cpp)"},
     [](const OpCall &call) { return call.in[1].desc->shape == call.in[2].desc->shape; }},
    {{"rotary_embedding_llama.table_shards",
      "in decode mode a shard of cos and sin must serve all users of a shard of the operand",
      "tt-metal 0.77 (rotary_embedding_llama_sharded_program_factory.cpp)"},
     [](const OpCall &call) {
       // Heads of a user are rows of its tiles, so that a shard's rows of tiles say how many users it has.
       const TensorRef &in = call.in[0];
       int64_t users = in.shardTiles().rows / ceilDiv(in.height, 32);
       return call.context.version < BackendVersion::Newest || !decodeMode(call) ||
              users <= std::min(call.in[1].shardTiles().rows, call.in[2].shardTiles().rows);
     }},
    {{"rotary_embedding_llama.wide_sums", "heads of more than 128 elements must not be summed in 32 bits",
      "tt-metal 0.77 (rotary_embedding_llama_device_operation.cpp)"},
     [](const OpCall &call) {
       return call.in[0].width <= 128 || !call.op().boolean("compute_config.fp32_dest_acc_en", false);
     }},
    {{"rotary_embedding_llama.types", "all operands must be bf16",
      "tt-metal 0.77 (rotary_embedding_llama_device_operation.cpp)"},
     [](const OpCall &call) {
       return llvm::all_of(call.in,
                           [](const TensorRef &tensor) { return tensor.dtype() == DataType::BFloat16; });
     }},
    {kRotaryTiled, operandTiled},
};

/// A sharded result lies in the operand's shards, on its cores, if that is sharded, too. One by height lies else on as many
/// cores as share out its rows of tiles evenly, whatever was asked for.
void rotaryOutputs(OpCall &call) {
  outputsLikeOperand0(call);
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!newest(call))
    return;
  if (out.sharded() && in.sharded() && in.layout->memory == out.layout->memory)
    return call.setOutput(0, in.id);
  if (out.sharded() && in.sharded() && in.layout->cores) {
    TensorLayout alike = *in.layout;
    alike.memory = out.layout->memory;
    alike.grid = shardGridOn(*alike.memory, *alike.cores);
    return call.setOutput(0, alike);
  }
  if (!out.shardedAs(MemoryLayout::HeightSharded))
    return;
  // At worst one: it divides any number of rows.
  int64_t cores = std::min(call.cores(), out.tileRows);
  while (out.tileRows % cores != 0)
    --cores;
  call.setOutput(0, l1Sharded(*out.desc, MemoryLayout::HeightSharded, {cores, 1}, call.device().workerGrid));
}

/// Cos and sin in rows are tilized first, each where it lies (asked of ttnn 0.77.0 and 0.81.1).
llvm::SmallVector<const TensorRef *, 2> tablesInRows(const OpCall &call) {
  llvm::SmallVector<const TensorRef *, 2> tables;
  for (size_t i : {1, 2})
    if (newest(call) && call.in[i].rowMajor())
      tables.push_back(&call.in[i]);
  return tables;
}

/// Sharded operands and results are worked on where they lie. Heads of a single tile are rotated by a matrix; the rows of
/// cos and sin that belong to a token are untilized, in bf16, and tilized once more. Ten rows of a head and four tiles
/// otherwise (facts/formulas 10).
void rotaryMemory(const OpCall &call, MemoryUse &use) {
  // A tile of 16-bit numbers: that of the matrix, and of tables while they are rows, unless the operand's are smaller.
  constexpr int64_t half = 2048;
  const TensorRef &in = call.in[0], &cos = call.in[1], &sin = call.in[2], &out = call.out[0];
  // Programs before the rotation, so that their buffers and its buffers never lie there at once; what they make
  // stays to the end.
  for (const TensorRef *table : tablesInRows(call)) {
    TensorRef tiles = makeTensorRef(*table->desc, nullptr);
    tilizeProgram(call, use, tiles, tiles.tile);
    use.make(table->l1() ? call.perCoreInterleaved(tiles) : 0);
    use.program("rotate");
  }
  int64_t row = in.tileCols;
  // Both halves of such a head lie in one tile, so that they do not change places by the tile: a product does it.
  bool matrix = newest(call) && row == 1;
  use.buffer("operand", in.sharded() ? 0 : 2 * row, in.tile);
  use.buffer("rotated operand", matrix ? 0 : 2 * row, in.tile);
  use.buffer("matrix", matrix ? 1 : 0, std::min(half, in.tile));
  use.buffer("cos and sin", 2 * row, cos.tile + sin.tile);
  use.buffer("untilized cos and sin", ofToken(call) ? 2 * row : 0, half);
  if (matrix)
    use.buffer("intermediates", 3, in.tile);
  else
    use.buffer("scalar and intermediates", 1,
               newest(call) ? half + in.tile + cos.tile + sin.tile : 4 * in.tile);
  use.buffer("result", out.sharded() ? 0 : 2 * row, out.tile);
}
void rotaryLlamaMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t row = in.tileCols;
  // Eleven rows of a head and a tile in all (facts/formulas 10).
  use.buffer("rotated operand and products", 3 * row, in.tile);
  // All operands and the result are height-sharded then, and the kernel works on the shards themselves.
  if (decodeMode(call))
    return;
  use.buffer("operand", 2 * row, in.tile);
  use.buffer("cos and sin", 4 * row, call.in[1].tile);
  use.buffer("transformation", 1, call.in[3].tile);
  use.buffer("result", 2 * row, call.out[0].tile);
  // Gone since October 2026 (facts/vendor-library 6).
  if (newest(call) && !answersAsOctober2026(call))
    use.buffer("cos or sin of the row", row, call.in[1].tile);
}
constexpr PathCost kRotaryTiles = {P::RotarySharded, P::RotaryL1, P::RotaryDram};

/// Tiles of the core with most whole rows of them.
int64_t rowTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  // Interleaved, only rows of tiles are shared out: a low operand uses few cores.
  return in.sharded() ? in.shardTiles().volume() : ceilDiv(in.tileRows, call.cores()) * in.tileCols;
}

OpRuntime rotaryRuntime(const OpCall &call) {
  Work work = streamWork(call, rowTiles(call), kRotaryTiles);
  work.start = call[P::RotaryStart];
  // Of tables in rows the launch counts alone: one serves all users and heads, so that its tiles are few.
  work.programs = 1 + int(tablesInRows(call).size());
  return timeOf(call, work);
}

// ---- heads ----------------------------------------------------------------------------------------------
bool inputTiled(const OpCall &call) { return call.in[0].tiled(); }
bool halfOrFull(const OpCall &call) {
  return !newest(call) || call.in[0].dtype() == DataType::Float32 || call.in[0].dtype() == DataType::BFloat16;
}

/// The experimental op joins padded heads.
bool wholeTileHeads(const OpCall &call) {
  return call.row.name != "ttnn.concatenate_heads" || call.in[0].width % 32 == 0;
}

constexpr Rule kConcatHeadsRules[] = {
    {{"concatenate_heads.tiled", "the operand must be tiled",
      "tt-metal 0.77 (nlp_concat_heads_device_operation.cpp)"},
     inputTiled},
    {{"concatenate_heads.head_size", "heads must be whole tiles wide",
      "tt-metal 0.77 (concatenate_heads.cpp)"},
     wholeTileHeads},
    {{"concatenate_heads.interleaved", "the operand must be interleaved", "facts/ir 4.6", "tt-mlir#7145"},
     allOperandsInterleaved},
    {{"concatenate_heads.result_interleaved", "an interleaved operand gives an interleaved result",
      "facts/hardware 4.5"},
     outputsInterleaved},
};

/// The result is written from the same buffer that the operand is read into: joining heads changes where tiles go,
/// and nothing in them.
void concatHeadsMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  // All heads of a row of tiles twice, so that the next row is read while one is written (facts/formulas 8).
  use.buffer("heads of one row", 2 * in.dim(1) * in.tileCols, in.tile);
}

// Each tile is waited for before the next is asked for, as in copies, whose latency it has in DRAM (tt-metal:
// reader_tm_tile_layout_nlp_concat_heads.cpp and _nlp_create_qkv_heads.cpp). L1 answers sooner, on Blackhole, whose NoC is twice as
// wide, in two thirds of Wormhole's cycles.
constexpr StreamCost kHeadTiles = {P::HeadsStart, P::CopyDram, P::HeadsL1, P::DramCopyWrite};

/// All heads of one row of tiles are one core's work; since October 2026 cores share heads as well, which is counted.
/// `whole`: the tensor that holds them side by side.
OpRuntime headsTime(const OpCall &call, const TensorRef &whole) {
  int64_t rows = whole.batch * ceilDiv(whole.height, 32);
  return streamTime(call, ceilDiv(rows, call.cores()) * whole.tileCols, kHeadTiles);
}
OpRuntime concatHeadsRuntime(const OpCall &call) { return headsTime(call, call.out[0]); }
OpRuntime splitRuntime(const OpCall &call) {
  OpRuntime time = headsTime(call, call.in[0]);
  // Keys and values in a tensor of their own are split like the queries, one after the other.
  if (call.in.size() > 1)
    addTime(time, headsTime(call, call.in[1]));
  return time;
}

/// Heads of single users: each core collects its rows in pieces of sixteen elements, one after the other.
/// `pieces`: of the busiest core, a row of a face of a tile each (16 elements), which is the longest run of one row
/// that tiled memory has.
OpRuntime headsOfUsersTime(const OpCall &call, double pieces) {
  Work work;
  addDramTraffic(call, work);
  work.noc = pieces * call[call.in[0].dram() ? P::HeadsPieceDram : P::HeadsPieceL1];
  work.start = call[P::HeadsStart];
  return timeOf(call, work);
}
/// A core holds a head of all users.
OpRuntime concatHeadsDecodeRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return headsOfUsersTime(call, double(in.dim(1)) * double(ceilDiv(in.width, 16)));
}
/// A core holds all heads of a user.
OpRuntime createDecodeRuntime(const OpCall &call) {
  return headsOfUsersTime(call, double(ceilDiv(call.in[0].width, 16)));
}

bool headsOperandSharded(const OpCall &call) {
  return call.in[0].shardedAs(MemoryLayout::HeightSharded) && call.in[0].l1();
}
/// Newer versions take no notice of the request.
bool headsResultWidthSharded(const OpCall &call) {
  return newest(call) || !call.out[0].decided() || call.out[0].shardedAs(MemoryLayout::WidthSharded);
}
/// The runtime names cores that are no rectangle; heads then go to the first of them.
bool usersFromFirstCore(const OpCall &call) {
  const TensorLayout &layout = *call.in[0].layout;
  return !newest(call) || !layout.cores || layout.cores->ranges.front().start == CoreCoord{0, 0};
}
// Named are cores in several ranges: those that no rectangle describes.
bool headsFitNamedCores(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool named = in.layout->cores && in.layout->cores->ranges.size() > 1;
  return !newest(call) || !named || call.op().integer("num_heads", 1) <= in.shardCores();
}
/// A shard holds the heads of one user.
bool userInShard(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !newest(call) || (in.shardTiles() == GridShape{ceilDiv(in.height, 32), in.tileCols});
}
bool headsFitCores(const OpCall &call) {
  int64_t heads = call.op().integer("num_heads", 1);
  return heads >= 1 && heads <= call.cores();
}

constexpr Rule kConcatHeadsDecodeRules[] = {
    {{"nlp_concat_heads_decode.heads", "each head needs a core of its own", "facts/hardware 4.5"},
     headsFitCores},
    {{"nlp_concat_heads_decode.operand", "the operand must be height-sharded in L1, one core per user",
      "facts/hardware 4.5"},
     headsOperandSharded},
    {{"nlp_concat_heads_decode.user_in_shard", "a shard must hold the heads of one user",
      "tt-metal 0.77 (nlp_concat_heads_decode_device_operation.cpp)"},
     userInShard},
    {{"nlp_concat_heads_decode.first_core", "the operand's cores must begin with the device's first core",
      "tt-metal 0.77 (nlp_concat_heads_decode.cpp)"},
     usersFromFirstCore},
    {{"nlp_concat_heads_decode.named_cores",
      "on cores that are no rectangle there may be as many heads as cores", "facts/vendor-library 5"},
     headsFitNamedCores},
    {{"nlp_concat_heads_decode.tiled", "the operand must be tiled",
      "tt-metal 0.77 (nlp_concat_heads_decode_device_operation.cpp)"},
     inputTiled},
    {{"nlp_concat_heads_decode.type", "the operand must be f32 or bf16",
      "tt-metal 0.77 (nlp_concat_heads_decode_device_operation.cpp)"},
     halfOrFull},
    {{"nlp_concat_heads_decode.result", "the result is width-sharded, one core per head",
      "facts/hardware 4.5"},
     headsResultWidthSharded},
};

/// The cores that heads are dealt out to: the device's, or the operand's if the runtime names them.
GridShape gridOfHeads(const OpCall &call) {
  const std::optional<CoreRangeSet> &cores = call.in[0].layout->cores;
  if (!newest(call) || !cores || cores->ranges.size() < 2)
    return call.device().workerGrid;
  CoreRange named = cores->boundingBox();
  return {named.end.y - named.start.y + 1, named.end.x - named.start.x + 1};
}

/// One core per head whatever was asked for: a request for another grid is answered with UnmatchedReferenceConfig.
void concatHeadsDecodeOutputs(OpCall &call) {
  TensorLayout produced = l1Sharded(*call.out[0].desc, MemoryLayout::WidthSharded,
                                    {1, call.op().integer("num_heads", 1)}, gridOfHeads(call));
  LayoutId id = call.context.layouts.intern(produced);
  if (!call.out[0].decided() || call.out[0].id != id)
    call.setOutput(0, id);
}
/// Of a kernel that reads pieces from other cores straight into its shard of the result.
void noBuffers(const OpCall &, MemoryUse &) {}

constexpr Rule kSplitRules[] = {
    {{"split_heads.tiled", "the operands must be tiled",
      "tt-metal 0.77 (split_query_key_value_and_split_heads.cpp)"},
     allOperandsTiled},
    {{"split_heads.head_size", "heads must be of whole tiles: their size a multiple of 32",
      "tt-metal 0.77 (split_query_key_value_and_split_heads.cpp)"},
     [](const OpCall &call) { return call.out[0].width % 32 == 0; }},
    {{"split_heads.interleaved", "the operands must be interleaved", "facts/ir 4.6 (corrupts)",
      "tt-metal#41526"},
     allOperandsInterleaved},
    {{"split_heads.result_interleaved", "the results must be interleaved", "facts/ir 4.6", "tt-metal#41526"},
     outputsInterleaved},
};

void splitMemory(const OpCall &call, MemoryUse &use) {
  // Since October 2026 twice as many tiles at a time as evenly divide a head, of two, four and eight.
  int64_t heads =
      answersAsOctober2026(call) ? 2 * std::max<int64_t>(2, std::gcd(call.out[0].tileCols, 8)) : 4;
  // Two tiles in and two out, three times as many where keys come out transposed (facts/formulas 8).
  use.buffer("operand and result", call.op().boolean("transpose_key", false) ? 12 : heads, call.in[0].tile);
}

/// From cores that are no rectangle a kernel of its own cuts heads, with room for values as for queries.
bool valuesLikeQueries(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool named = in.sharded() && in.layout->cores && in.layout->cores->ranges.size() > 1;
  return !newest(call) || !named || ceilDiv(call.out[0].dim(2), 32) == ceilDiv(call.out[2].dim(2), 32);
}

/// The kernel reckons how many tiles a core has, as if all had as many, and goes on to the next after those.
bool pieceAlike(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !in.shardedAs(MemoryLayout::WidthSharded) ||
         in.tileCols == in.shardTiles().columns * in.shardCores();
}

constexpr Rule kCreateDecodeRules[] = {
    {{"nlp_create_qkv_heads_decode.operand", "the operand must be interleaved or width-sharded",
      "facts/hardware 4.5"},
     [](const OpCall &call) {
       return !call.in[0].sharded() || call.in[0].shardedAs(MemoryLayout::WidthSharded);
     }},
    {{"nlp_create_qkv_heads_decode.result", "the results are height-sharded, one core per user",
      "facts/hardware 4.5"},
     [](const OpCall &call) {
       return llvm::all_of(call.out, [&](const TensorRef &out) {
         return !out.decided() || out.shardedAs(MemoryLayout::HeightSharded) ||
                (newest(call) && !out.sharded());
       });
     }},
    {{"nlp_create_qkv_heads_decode.result_cores", "a result that says its cores must have one for each user",
      "tt-metal 0.77 (nlp_create_qkv_heads_decode_device_operation.cpp)"},
     [](const OpCall &call) {
       return llvm::all_of(call.out, [&](const TensorRef &out) {
         return !newest(call) || !out.sharded() || out.shardCores() >= call.in[0].height;
       });
     }},
    {{"nlp_create_qkv_heads_decode.head_tiles", "heads in shards must be whole tiles wide",
      "tt-metal 0.77 (tensor_layout.cpp)"},
     [](const OpCall &call) {
       return llvm::all_of(call.out, [&](const TensorRef &out) {
         return !newest(call) || !out.sharded() || out.width % 32 == 0;
       });
     }},
    {{"nlp_create_qkv_heads_decode.tiled", "the operand must be tiled",
      "tt-metal 0.77 (nlp_create_qkv_heads_decode_device_operation.cpp)"},
     inputTiled},
    {{"nlp_create_qkv_heads_decode.type", "the operand must be f32 or bf16",
      "tt-metal 0.77 (nlp_create_qkv_heads_decode_device_operation.cpp)"},
     halfOrFull},
    {{"nlp_create_qkv_heads_decode.named_cores",
      "from shards on cores that are no rectangle queries and values must have as many rows of tiles",
      "ttnn 0.77.0, 0.81.1"},
     valuesLikeQueries},
    {{"nlp_create_qkv_heads_decode.even_shards", "every core of a sharded operand must have as many tiles",
      "ttnn 0.81.1 (reader_tm_tile_layout_nlp_create_qkv_heads_decode.cpp), executed (docs/programs.md)",
      "wrong values on ttsim 1.10.0"},
     pieceAlike},
    {{"nlp_create_qkv_heads_decode.users", "there are at most 32 users, and each needs a core of its own",
      "facts/hardware 4.5, ttnn 0.81.1"},
     [](const OpCall &call) { return call.in[0].height <= std::min<int64_t>(32, call.cores()); }},
};

/// Where DRAM is read in larger units than L1, pieces of heads pass through a buffer of each of the two readers.
void createDecodeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t alignment = call.device().dramAlignment.value();
  if (newest(call) && in.dram() && call.device().arch == Arch::Blackhole)
    use.buffer("pieces of heads", 2, alignUp(call.out[0].width * in.scalar, alignment) + alignment);
}

void createDecodeOutputs(OpCall &call) {
  // Whatever was asked for: the cores are those of the users, row by row from the first.
  for (size_t i = 0; i < call.out.size(); ++i) {
    // Interned first: if the request was for this very layout, the result keeps it and is no correction.
    LayoutId id = call.context.layouts.intern(l1Sharded(*call.out[i].desc, MemoryLayout::HeightSharded,
                                                        {call.in[0].height, 1}, call.device().workerGrid));
    if (call.out[i].id != id)
      call.setOutput(i, id);
  }
}

constexpr llvm::StringRef kRotaryOperands[] = {"operand", "cos", "sin", "transformation"};
const Family kRotary = {"rotary_embedding", kRotaryOperands, kRotaryRules,          rotaryOutputs,
                        rotaryMemory,       rotaryRuntime,   everythingInterleaved, countRotary};
const Family kRotaryLlama = {"rotary_embedding", kRotaryOperands, kRotaryLlamaRules,    outputsLikeOperand0,
                             rotaryLlamaMemory,  rotaryRuntime,   everythingInterleaved};
const Family kConcatHeads = {
    "concatenate_heads", {},      kConcatHeadsRules, outputsInPagesOfOperand0, concatHeadsMemory,
    concatHeadsRuntime,  nullptr, countConcatHeads};
const Family kConcatHeadsDecode = {"nlp_concat_heads_decode", {},        kConcatHeadsDecodeRules,
                                   concatHeadsDecodeOutputs,  noBuffers, concatHeadsDecodeRuntime};
const Family kSplit = {"split_heads", {},           kSplitRules, outputsInPagesOfOperand0,
                       splitMemory,   splitRuntime, nullptr,     countSplitHeads};
const Family kCreateDecode = {"nlp_create_qkv_heads_decode",
                              {},
                              kCreateDecodeRules,
                              createDecodeOutputs,
                              createDecodeMemory,
                              createDecodeRuntime,
                              neverConfirmed,
                              countCreateHeadsDecode};

const OpRow kRows[] = {
    {"ttnn.concatenate_heads", &kConcatHeads, 1, 1},
    {"ttnn.nlp_concat_heads", &kConcatHeads, 1, 1},
    {"ttnn.nlp_concat_heads_decode", &kConcatHeadsDecode, 1, 1},
    {"ttnn.nlp_create_qkv_heads_decode", &kCreateDecode, 1, 2, 3},
    {"ttnn.nlp_create_heads_segformer", &kSplit, 1, 1, 3},
    {"ttnn.rotary_embedding", &kRotary, 3, 3},
    {"ttnn.rotary_embedding_llama", &kRotaryLlama, 4, 4},
    {"ttnn.split_query_key_value_and_split_heads", &kSplit, 1, 2, 3},
};

} // namespace

Rows headsRows() { return kRows; }

} // namespace tessera::analytic
