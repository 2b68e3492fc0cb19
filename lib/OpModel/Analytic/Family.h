//===- Family.h - A family of ops as a table of functions ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_FAMILY_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_FAMILY_H

#include "OpCall.h"
#include "tessera/Allocator/MadeBlock.h"
#include "tessera/OpModel/KernelCounts.h"
#include "tessera/OpModel/OpTable.h"

namespace tessera::analytic {

/// Collects circular buffers and temporaries. Sums only, unless a list is asked for.
class MemoryUse {
public:
  explicit MemoryUse(std::vector<CircularBuffer> *list = nullptr) : list(list) {}

  /// Buffers that follow belong to the next program; programs run one after the other.
  void program(llvm::StringRef name);
  /// A circular buffer of `pages` pages. None if pages <= 0.
  void buffer(llvm::StringRef holds, int64_t pages, int64_t pageBytes);
  /// Private memory of one kernel: a circular buffer until October 2026, since then a scratchpad. That takes L1, too, but no
  /// record of the library counts it (facts/vendor-library 6).
  void scratchpad(const OpCall &call, llvm::StringRef holds, int64_t pages, int64_t pageBytes);
  /// Buffers that follow, up to the next program, lie on other cores than those before.
  void otherCores();
  /// The op allocates this much per core for outputs and temporaries at its peak (largest call wins). Without
  /// any call it is that of make(), and the outputs.
  void tensors(int64_t bytes) { tensorPeak = std::max(tensorPeak.value_or(0), bytes); }
  /// A tensor in L1 beside the results is made now, of `bytes` per core. Returns its number; nothing if it takes nothing.
  /// `buffers`: circular ones of the program that writes it, where that is known not to be the op's hungriest.
  using Made = std::optional<size_t>;
  Made make(int64_t bytes, std::optional<int64_t> buffers = std::nullopt);
  /// It is freed before the next is made. What is never freed stays until the op's end.
  void free(Made made);
  /// Result `i`, of `bytes` per core, is made now, and not after all else.
  void makeResult(size_t i, int64_t bytes);
  /// The peak of circular buffers and tensors together, where it is less than the sum of the two peaks.
  void combinedPeak(int64_t bytes) { together = bytes; }

  /// The op writes this much L1 per core in place, without a result of its own.
  void writesInPlace(int64_t bytes) { inPlace = bytes; }

  /// Of the fullest core.
  int64_t circularBuffers() const { return std::max({peak, fullest, current}); }
  /// The same, with the scratchpads of each program.
  int64_t withScratchpads() const {
    return std::max(peakWithScratchpads, std::max(fullest, current) + scratch);
  }
  /// Of a program, whatever cores they lie on.
  int64_t addedBuffers() const { return std::max(addedPeak, added); }
  /// As a family stated them; nullopt: they follow from the other figures.
  std::optional<int64_t> tensorPeak, together;
  /// Bytes per core, by writesInPlace().
  int64_t inPlace = 0;
  llvm::SmallVector<MadeBlock, 4> made; ///< by make() and makeResult()
  /// L1 per core of `made` at the peak, with what is left of the results, of `allocated` bytes in all, made last.
  int64_t peakOfMade(int64_t allocated) const;

private:
  std::vector<CircularBuffer> *list;
  llvm::StringRef programName = "main";
  int64_t peak = 0, addedPeak = 0;              ///< of the programs before
  int64_t fullest = 0, current = 0, added = 0;  ///< of this program: by its other cores, these cores, all
  int64_t scratch = 0, peakWithScratchpads = 0; ///< of this program, of those before
  int64_t live = 0, livePeak = 0, results = 0;  ///< of `made`: now, at the peak, what of it are results
};

/// Steps that each make a tensor from what the one before it made, which is freed then. The last makes the result.
class Chain {
public:
  explicit Chain(MemoryUse &use) : use(use) {}
  /// `bytes` of L1 per core; 0: it makes its tensor elsewhere.
  void step(int64_t bytes);
  /// The next step makes this, too, before its tensor, and frees it with what it reads.
  void beside(int64_t bytes);
  /// What the last step made stays to the end.
  void keep() { kept = made.has_value(); }

private:
  void follow();

  MemoryUse &use;
  llvm::SmallVector<MemoryUse::Made, 2> read; ///< by the step that is under way
  std::optional<int64_t> made;                ///< by that step: a temporary if another follows
  bool kept = false;
};

/// One condition of legality. A rule must be able to judge any operands that those before it let through.
struct Rule {
  /// ID, requirement and source: what messages, `tessera ops OP` and tests go by.
  RuleInfo info;
  /// True if the call obeys.
  bool (*holds)(const OpCall &);
  /// What would be legal, where the requirement alone does not say it.
  std::string (*legal)(const OpCall &) = nullptr;
};

/// One family; all functions must cope with any operands that passed the rules.
struct Family {
  llvm::StringRef name;
  llvm::ArrayRef<llvm::StringRef> operandNames; ///< for messages; "operand 3" beyond the list
  llvm::ArrayRef<Rule> rules;                   ///< tried in order; later ones may rely on earlier ones
  /// Decides undecided results, and corrects decided ones to what the backend would really produce.
  void (*outputs)(OpCall &);
  /// Lists circular buffers program by program and what the op makes in L1. Asked of legal calls only, results
  /// decided.
  void (*memory)(const OpCall &, MemoryUse &);
  /// Nanoseconds of one execution, launches included. Asked of legal calls only.
  OpRuntime (*runtime)(const OpCall &);
  /// A real backend has confirmed the memory figures of such a call (facts/formulas 3, 15, 16);
  /// null: of every call. Not asked where nothing is confirmed whatever the op is, see safetyMargin.
  bool (*confirmed)(const OpCall &) = nullptr;
  /// Counts what the kernels of such a call execute, and returns the time of programs that it leaves out; nothing where
  /// `runtime` alone says how long the call takes (docs/kernel-counts.md).
  std::optional<OpRuntime> (*counts)(const OpCall &, ProgramCounts &) = nullptr;
};

/// Cycles per tile: a parameter that was fitted, or a figure that was not.
struct Cycles {
  constexpr Cycles(double value) : value(value) {}
  constexpr Cycles(Parameter id) : id(id) {}
  double of(const OpCall &call) const { return id ? call[*id] : value; }
  std::optional<Parameter> id;
  double value = 0;
};

/// Per-op facts within a family.
struct OpRow {
  llvm::StringRef name;
  const Family *family;
  /// Tensor operands; optional ones count in the maximum. A common rule refuses calls with more or fewer.
  unsigned minOperands, maxOperands;
  unsigned results = 1;
  Cycles cycles = 0.0;  ///< compute cycles per output tile where the family's figure does not fit; 0: does
  unsigned variant = 0; ///< what a family distinguishes among its ops; see the family's enum
  bool hostOperands = false; ///< operands and results may lie on the host
};

/// The op of that name, or nullptr.
const OpRow *findRow(llvm::StringRef name);

/// Rules that every op obeys, tried before the family's.
llvm::ArrayRef<Rule> commonRules();
/// The rows of each family, in table order. One function per family file.
using Rows = llvm::ArrayRef<OpRow>;
Rows eltwiseUnaryRows();
Rows eltwiseBinaryRows();
Rows eltwiseTernaryRows();
Rows matmulRows();
Rows convRows();
Rows poolRows();
Rows embeddingRows();
Rows quantizationRows();
Rows reductionRows();
Rows argmaxRows();
Rows cumulativeRows();
Rows sortRows();
Rows upsampleRows();
Rows normRows();
Rows batchNormRows();
Rows reshapeRows();
Rows permuteRows();
Rows rearrangeRows();
Rows repeatRows();
Rows conversionRows();
Rows attentionRows();
Rows attentionPrefillRows();
Rows headsRows();
Rows cacheRows();
Rows creationRows();
Rows collectiveRows();
Rows gatherRows();
Rows groupNormRows();
Rows normPartsRows();
Rows trainingRows();
Rows samplingRows();
Rows conv3dRows();
Rows sparseMatmulRows();
Rows expertsRows();

// ---- Optional operands ----------------------------------------------------------------------------------
/// Is optional operand `segment` of the op present? Without segment sizes operands are taken in order.
bool hasSegment(const OpCall &call, size_t segment);
/// The optional operand, wherever it stands among those that are there; nullptr: it is not.
const TensorRef *segmentOperand(const OpCall &call, size_t segment);

// ---- Predicates that several families use ---------------------------------------------------------------

/// The backend is that of August 2026 or later.
bool answersAsNewest(const OpCall &call);
/// The backend is that of October 2026 or later.
bool answersAsOctober2026(const OpCall &call);
/// Results as well; undecided ones count as tiled.
bool allOperandsTiled(const OpCall &call);
/// In DRAM or L1.
bool allOperandsInterleaved(const OpCall &call);
/// The first result is tiled or row-major as the first operand is.
bool keepsPages(const OpCall &call);
/// Results that are undecided count as interleaved.
bool outputsInterleaved(const OpCall &call);
/// Not (interleaved operand 0 and sharded output).
bool noShardedOutputFromInterleaved(const OpCall &call);

/// Circular buffers of the element-wise kernel of two operands, which other ops end with. EltwiseShards.cpp.
void binaryBuffers(const OpCall &call, MemoryUse &use, const TensorRef &lhs, const TensorRef &rhs,
                   const TensorRef &result);

/// Cycles of the vector unit for one tile of `tile` bytes that the activations (OpModel/Activations.h) are applied to: those
/// of the unary ops. One that is no unary op takes as long as a sequence of instructions does. EltwiseUnary.cpp.
double activationCycles(const OpCall &call, llvm::StringRef activations, int64_t tile);

/// Of a version whose library says so: an L1 result is made of whole shards, those on the last cores included. Norm.cpp.
void wholeShards(const OpCall &call, MemoryUse &use);

/// Operands and results are all interleaved.
bool everythingInterleaved(const OpCall &call);

/// Operands and results are all interleaved and tiled.
bool tiledInterleaved(const OpCall &call);
/// Family::confirmed of families whose figures stand on source code alone.
bool neverConfirmed(const OpCall &call);

/// What must stay free beside a call's own figures because they are unconfirmed, in bytes per core; 0 if they
/// are not. Rules.cpp.
int64_t safetyMargin(const OpCall &call, const OpConstraints &figures);

// ---- Output choices that several families use -----------------------------------------------------------
/// Undecided outputs lie where operand 0 lies.
void outputsLikeOperand0(OpCall &call);
/// Undecided outputs are DRAM interleaved.
void outputsInDram(OpCall &call);
/// All outputs that are decided are of operand 0's type, tiled or row-major as it is, whatever was asked for.
void pagesOfOperand0(OpCall &call);
/// The same, where undecided outputs lie where operand 0 lies.
void outputsInPagesOfOperand0(OpCall &call);
/// The same, where they are DRAM interleaved.
void outputsInDramInPagesOfOperand0(OpCall &call);
/// Undecided outputs are DRAM interleaved and row-major.
void outputsInDramRowMajor(OpCall &call);
/// No results, or results decided elsewhere.
void noOutputs(OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_FAMILY_H
