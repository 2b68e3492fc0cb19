//===- SparseMatmul.cpp - Matmuls of experts that may have nothing to do --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The 1D multicast matmul in a loop over the pairs of a matrix of `a` and one of
// `b`; pairs whose sparsity is 0 are skipped. Every core makes perCoreN columns of
// the result, outBlockW at a time, for which all K blocks pass:
//
//   step = smooth_max(latency + a word per core, bytes of the banks that are read)
//   time = pairs * blocks of the result * blocks of K * step
//
// The core that reads in0 hears from every other that its buffer is free before it
// multicasts. Columns that cores read at the same time are perCoreN apart, so that
// with an even perCoreN only some of the DRAM's banks are in use: 4 of 8 with 2 or 6,
// 2 with 4, all with 19. The result is filled with zeros first.
//
// The sparsity is data. Where the op does not say how many pairs are active (nnz),
// all are.
//
//===----------------------------------------------------------------------===//
#include "../Eltwise/EltwiseTypes.h"
#include "../Runtime.h"
#include "Matmul.h"

#include <numeric>

namespace tessera::analytic {
namespace {

bool sparse(const OpCall &call, llvm::StringRef which, bool otherwise) {
  return call.op().boolean(which, otherwise);
}

/// Pairs of matrices that are multiplied.
int64_t activePairs(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1];
  bool ofA = sparse(call, "is_input_a_sparse", false), ofB = sparse(call, "is_input_b_sparse", true);
  int64_t pairs = ofA && ofB ? b.batch : ofA ? a.batch : a.batch * b.batch;
  return std::clamp<int64_t>(call.op().integer("nnz", pairs), 1, pairs);
}

/// How the product of a pair is shared out, in tiles.
struct Cut {
  int64_t k = 1, rows = 1, columns = 1; ///< of a matrix
  int64_t perCoreRows = 1, perCoreColumns = 1;
  int64_t blockK = 1, blockRows = 1, blockColumns = 1;
  int64_t cores() const { return ceilDiv(columns, perCoreColumns); }
  /// Blocks of the result that a core makes of a pair, one after the other.
  int64_t blocks() const { return ceilDiv(perCoreRows, blockRows) * ceilDiv(perCoreColumns, blockColumns); }
};

/// Without a program config the columns are dealt out over one row of cores, one tile at a time: what the public compiler writes.
Cut cutOf(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1];
  Cut cut;
  cut.k = a.tileCols;
  cut.rows = ceilDiv(a.height, 32);
  cut.columns = b.tileCols;
  cut.perCoreRows = cut.rows;
  cut.perCoreColumns = ceilDiv(cut.columns, std::max<int64_t>(1, call.device().workerGrid.columns));
  if (const auto *config = std::get_if<MatmulProgramConfig>(&call.query.config.specific)) {
    cut.perCoreRows = std::max<int64_t>(1, config->perCoreM);
    cut.perCoreColumns = std::max<int64_t>(1, config->perCoreN);
    cut.blockK = std::max<int64_t>(1, config->in0BlockW);
    cut.blockRows = std::clamp<int64_t>(config->outBlockH, 1, cut.perCoreRows);
    cut.blockColumns = std::clamp<int64_t>(config->outBlockW, 1, cut.perCoreColumns);
  }
  return cut;
}

// ---- Rules ----------------------------------------------------------------------------------------------

bool pages(const OpCall &call) { return call.in[0].tiled() && call.in[1].tiled() && call.in[2].rowMajor(); }
bool floats(const OpCall &call) { return !isWhole(call.in[0].dtype()) && !isWhole(call.in[1].dtype()); }
bool oneInner(const OpCall &call) { return call.in[0].width == call.in[1].height; }

bool entryPerPair(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1];
  bool ofA = sparse(call, "is_input_a_sparse", false), ofB = sparse(call, "is_input_b_sparse", true);
  return (ofA || ofB) && call.in[2].elements() == (ofA && ofB ? b.batch : ofA ? a.batch : a.batch * b.batch);
}

/// The one factory there is.
bool multicastsIn0(const OpCall &call) {
  const auto *config = std::get_if<MatmulProgramConfig>(&call.query.config.specific);
  return !config || (config->kind == MatmulProgramConfig::Kind::MultiCast1D && config->mcastIn0);
}

bool blocksFit(const OpCall &call) {
  Cut cut = cutOf(call);
  return cut.k % cut.blockK == 0 && cut.perCoreRows >= cut.rows && cut.cores() <= call.cores() &&
         cut.perCoreColumns % cut.blockColumns == 0;
}

constexpr llvm::StringLiteral kSource = "tt-metal: sparse_matmul_device_operation.cpp";
constexpr Rule kRules[] = {
    {{"sparse_matmul.pages", "both factors must be tiled, the sparsity row-major", kSource}, pages},
    {{"sparse_matmul.types", "both factors must be floats", kSource}, floats},
    {{"sparse_matmul.inner", "the inner extents must be equal", kSource}, oneInner},
    {{"sparse_matmul.sparsity", "one factor at least is sparse, and the sparsity has an entry for each pair",
      kSource},
     entryPerPair},
    {{"sparse_matmul.interleaved", "operands and result must be interleaved", kSource},
     everythingInterleaved},
    {{"sparse_matmul.config", "a program config must be 1D and multicast in0", kSource}, multicastsIn0},
    {{"sparse_matmul.blocks",
      "in0_block_w must divide K, all rows be one core's, and the columns fit on the grid", kSource},
     blocksFit},
};

// ---- Memory, time ---------------------------------------------------------------------------------------

void memory(const OpCall &call, MemoryUse &use) {
  Cut cut = cutOf(call);
  int64_t result = cut.blockRows * cut.blockColumns;
  constexpr int64_t accumulator = 4096; // f32 at most
  use.buffer("in0 block", 2 * cut.blockRows * cut.blockK, call.in[0].tile);
  use.buffer("in1 block", 2 * cut.blockK * cut.blockColumns, call.in[1].tile);
  use.buffer("sparsity", 2, alignUp(call.in[2].rowBytes(), 32));
  use.buffer("out block", result, call.out[0].tile);
  use.buffer("accumulator", cut.k > cut.blockK ? result : 0, accumulator);
}

/// DRAM banks that the cores read from in one step.
int64_t banksInUse(const OpCall &call, const Cut &cut) {
  int64_t banks = std::max<int64_t>(1, call.device().dramBanks);
  int64_t starts = std::min(cut.cores(), banks / std::gcd(banks, cut.perCoreColumns));
  // Rows of a matrix whose columns are no multiple of the banks begin at other banks.
  int64_t rows = cut.columns % banks ? cut.blockK : 1;
  return std::min(banks, starts * cut.blockColumns * rows);
}

/// ns of a block of K: what comes, and what is multiplied meanwhile.
double stepTime(const OpCall &call, const Cut &cut) {
  double clock = clockOf(call.device()), cores = double(cut.cores());
  double in1 = cores * double(cut.blockK * cut.blockColumns * call.in[1].tile),
         in0 = double(cut.blockK * cut.blockRows * call.in[0].tile);
  double dram = (in1 + in0) / (double(banksInUse(call, cut)) * call[P::DramBank]);
  double handshake = (call[P::SparseStep] + call[P::SparseCore] * cores) / clock;
  int fidelity = statedComputeConfig(call.op()).value_or(ComputeConfig()).fidelity;
  double products = double(cut.blockK * cut.blockRows * cut.blockColumns) *
                    (call[P::BlockPhase] * fidelity + call[P::BlockProduct]) / clock;
  return smoothMax(6, {call.in[1].dram() ? dram : 0, handshake, products});
}

OpRuntime runtime(const OpCall &call) {
  Cut cut = cutOf(call);
  // Written first, by a program of their own: pairs that are not active leave them as they are.
  Work zeros;
  zeros.dramWrite = call.out[0].dram() ? double(call.out[0].bytes()) : 0;
  OpRuntime time = timeOf(call, zeros);
  OpRuntime products;
  products.dispatch = call.device().launch + Nanoseconds(call[P::StreamStart]);
  products.noc = Nanoseconds(double(activePairs(call) * cut.blocks() * ceilDiv(cut.k, cut.blockK)) *
                             stepTime(call, cut));
  products.total = products.dispatch + products.noc;
  addTime(time, products);
  return time;
}

constexpr llvm::StringRef kOperands[] = {"a", "b", "sparsity"};
const Family kSparse = {"sparse_matmul", kOperands, kRules, outputsInDram, memory, runtime, neverConfirmed};
const OpRow kRows[] = {{"ttnn.sparse_matmul", &kSparse, 3, 3}};

} // namespace

Rows sparseMatmulRows() { return kRows; }

} // namespace tessera::analytic
