//===- OpTable.h - What the analytic op model knows ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The analytic backend as data: the ops it knows, the legality rules it applies
// and, for one query, everything that went into the answer. `tessera ops` prints
// these; policies only need OpModel.h.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_OPTABLE_H
#define TESSERA_OPMODEL_OPTABLE_H

#include "tessera/OpModel/KernelCounts.h"
#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// One legality rule. The ID also stands in ValidationResult::rule and in docs/op-model.md.
struct RuleInfo {
  llvm::StringRef id;          ///< "matmul.1d_mcast_in1.in1_interleaved"
  llvm::StringRef requirement; ///< what a legal op has, in words: "1D mcast_in1 needs an interleaved in1"
  llvm::StringRef source;      ///< section of docs/facts, "facts/hardware 4.1", or what else it rests on
  /// The issue of a kernel that hangs or gives wrong results, "tt-metal#34765", or what shows it, where the rule refuses on
  /// purpose what the library accepts; else empty.
  llvm::StringRef strictFor = {};
};

/// One op that the model knows.
struct OpInfo {
  llvm::StringRef name;              ///< "ttnn.matmul"
  llvm::StringRef family;            ///< "matmul"
  unsigned minOperands, maxOperands; ///< tensor operands
  unsigned results;                  ///< tensor results
  llvm::ArrayRef<llvm::StringRef>
      rules; ///< IDs of the rules that apply, in the order in which they are tried
};

/// All ops, sorted by name.
llvm::ArrayRef<OpInfo> knownOps();
/// The op of that name, or nullptr.
const OpInfo *findOp(llvm::StringRef name);
/// All rules, those that every op obeys first, then family by family; each ID once.
llvm::ArrayRef<RuleInfo> legalityRules();
/// The rule of that ID, or nullptr.
const RuleInfo *findRule(llvm::StringRef id);

/// One circular buffer of one program of an op.
struct CircularBuffer {
  llvm::StringRef program; ///< "matmul", "tilize": an op may launch several programs, one after the other
  llvm::StringRef holds;   ///< what it holds: "in0 block"
  int64_t pages = 0;       ///< tiles, or rows of a row-major tensor
  Bytes bytes;             ///< all pages
};

/// Everything behind one answer.
struct Explanation {
  ValidationResult result;
  OpRuntime runtime;
  llvm::StringRef family; ///< empty if the op is unknown
  /// Program by program. Buffers that alias a tensor take no L1 of their own and are left out.
  /// Empty if the query is illegal.
  std::vector<CircularBuffer> buffers;
  /// The largest sum over the buffers of one program, which is what the backend's own statistics tell; cbL1PeakSize is that of
  /// the fullest core, which is less where cores of one program have different buffers.
  Bytes addedBuffers;
  Bytes operands; ///< L1 per core of the query's distinct operands
  /// What the kernels execute, program by program; empty where the time is by formula, or the query is illegal.
  ProgramCounts counts;
};

/// The analytic backend's answer to `query`, with what led to it.
Explanation explain(const OpModelContext &context, const OpQuery &query);

} // namespace tessera

#endif // TESSERA_OPMODEL_OPTABLE_H
