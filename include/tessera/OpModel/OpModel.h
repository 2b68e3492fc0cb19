//===- OpModel.h - What a device says about one op -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// An OpModel answers, for one op with given input layouts and a requested
// configuration: is it legal, what layouts come out, how much L1 does it need
// while it runs, and how long does it take. Policies know nothing else about
// hardware. Backends: analytic (this library's own formulas, no chip needed),
// mock (tests), and more to come; all behind this interface.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_OPMODEL_H
#define TESSERA_OPMODEL_OPMODEL_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Layout/LayoutPool.h"
#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpSignature.h"
#include "tessera/OpModel/Parameters.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace tessera {

/// facts/optimizer-design 3.4.1; facts/ir 4.7.
enum class ValidationStatus : uint8_t {
  Success,
  OutOfMemory,              ///< legal, but circular buffers and tensors do not fit in L1
  MetalBackendError,        ///< the backend refuses this combination of layouts and configuration
  NotImplemented,           ///< the model does not know this op
  UnmatchedReferenceConfig, ///< legal, but the backend would produce another layout than requested
};
/// "success", "out_of_memory", ...: as in records and JSON. Of a number that is no status "unknown".
llvm::StringRef name(ValidationStatus status);

/// Memory figures are per core (per L1 bank), for the core that holds most.
/// Meaning of the fields: facts/formulas 1, at the primary revision (inputs excluded).
struct OpConstraints {
  Bytes cbL1PeakSize; ///< circular buffers that alias no tensor, at the peak
  Bytes
      tensorL1PeakSize; ///< L1 tensors that the op allocates (outputs, temporaries), at the peak; not inputs
  /// The two together at the peak, which is at most their sum, and scratchpads, which are in neither (facts/vendor-library 5).
  Bytes peakL1MemorySize;
  Bytes outputL1BufferSize; ///< outputs in L1; 0 if in DRAM
  /// What must stay free beside all of that, since no backend has confirmed the figures; else 0. In none of them.
  Bytes safetyMargin;
  llvm::SmallVector<LayoutId, 1> outputLayouts; ///< what the backend produces, one per tensor result
  bool operator==(const OpConstraints &) const = default;
};

/// The answer to a question about legality and memory. Whatever the status, it is an answer: nothing throws, nothing
/// aborts.
struct ValidationResult {
  ValidationStatus status = ValidationStatus::NotImplemented;
  std::string rule;          ///< ID of the violated legality rule, e.g. "matmul.1d_mcast_in1.in1_interleaved"
  std::string message;       ///< for a user: what was given, what would be legal
  OpConstraints constraints; ///< complete on Success; on OutOfMemory the sizes that did not fit
  bool ok() const { return status == ValidationStatus::Success; }
};

/// Time of one execution and what it is made of. Parts overlap on the device, so `total` is not their sum.
struct OpRuntime {
  /// Work of each resource as if it were alone; `dispatch` is what launches and starts take.
  Nanoseconds compute, l1, noc, dram, dispatch;
  /// What policies compare: with launches and starts, of all programs of the op.
  Nanoseconds total;
  bool operator==(const OpRuntime &) const = default;
};

/// One question. References must outlive the call only.
struct OpQuery {
  const OpSignature &op;
  llvm::ArrayRef<LayoutId> inputs; ///< one per operand of the signature
  const OpConfig &config;
  /// L1 per core held by live tensors that are not operands of this op. The op's own L1 operands are added by
  /// the model (once per distinct value).
  Bytes additionalL1{0};
};

/// The tt-metal behaviour to answer for, oldest first, so that "since" and "until" are comparisons
/// (facts/formulas 0, "Revisions used"). Pinned is tt-mlir 83a805e36c, the one that all formulas are checked against.
enum class BackendVersion : uint8_t {
  January2025,
  August2025,
  September2025,
  Autumn2025, ///< October
  EarlyNovember2025,
  Pinned, ///< 20 November 2025
  LateNovember2025,
  Newest,      ///< August 2026: the tt-metal of tt-mlir's head
  October2026, ///< ahead of tt-mlir
};

/// One version of the backend whose behaviour the formulas know, by the name that --backend-version takes.
struct BackendVersionInfo {
  llvm::StringRef name; ///< "autumn-2025"
  BackendVersion version;
  llvm::StringRef
      library; ///< the vendor's library that answers so (facts/vendor-library), "0.77.0"; "": none that is known
  /// Where L1 for tensors begins at least, by Arch (facts/hardware 1.2); 0: where DeviceSpec has it.
  Bytes l1Base[2];
};
/// Oldest first.
llvm::ArrayRef<BackendVersionInfo> backendVersions();
/// The device as that version opens it: firmware and kernel configurations take more of L1 from version to version.
DeviceSpec asOpenedBy(BackendVersion version, DeviceSpec device);

/// What every backend shares: the device, and the pools that ids refer to.
struct OpModelContext {
  DeviceSpec device;
  LayoutPool &layouts;
  /// L1 per core that a program may use at any point: usable L1 x tensor-l1-usage-cap, less const-eval use.
  Bytes l1Budget;
  BackendVersion version = BackendVersion::Pinned;
  /// Of the analytic model's formulas for time; null: builtInCalibration(). Must outlive the model.
  const Calibration *calibration = nullptr;
  /// All that the runtime leaves, whatever share of it l1Budget is: an op may use it while no tensor lies in L1 but its own
  /// (fitsAlone), and the backend chooses kernels by it. Zero: no more than l1Budget.
  Bytes l1Alone{0};
  /// What const-eval results hold all the time: no budget has it.
  Bytes l1Held{0};
};

/// What all backends answer. Safe to ask from several threads at once. An answer depends on the query and the context
/// only, so that it may be kept.
class OpModel {
public:
  explicit OpModel(OpModelContext context) : ctx(std::move(context)) {}
  virtual ~OpModel() = default;

  /// Success iff the op is legal, produces the requested layouts (where requested), and
  /// peakL1MemorySize + safetyMargin + L1 operands + additionalL1 <= l1Budget. Never fails on any input.
  virtual ValidationResult query(const OpQuery &query) const = 0;
  /// Time of a legal query. Meaningless (but harmless) for an illegal one.
  virtual OpRuntime runtime(const OpQuery &query) const = 0;
  /// Both in one, for those who ask much: the answer of query(), but that it may lack a message, and the runtime.
  virtual ValidationResult figures(const OpQuery &query, OpRuntime &time) const {
    time = runtime(query);
    return this->query(query);
  }
  /// "analytic", "mock", ...
  virtual llvm::StringRef name() const = 0;

  /// Valid as long as the model; the pools that it refers to are the caller's.
  const OpModelContext &context() const { return ctx; }
  const DeviceSpec &device() const { return ctx.device; }
  LayoutPool &layouts() const { return ctx.layouts; }

protected:
  OpModelContext ctx;
};

/// Whether an op that needs more than `budget` (`answer` has its figures) may run all the same, where no tensor lies in L1 but
/// its own: those are within the budget, and with its circular buffers and temporaries it fits into
/// OpModelContext::l1Alone. The cap is about tensors; what an op needs to run cannot be moved away. tt-mlir's spilling does not ask about an op that
/// writes DRAM while no tensor lies in L1 (facts/ir 4.8).
bool fitsAlone(const OpModel &model, const OpQuery &query, const ValidationResult &answer, Bytes budget);

/// L1 per core that the query's distinct operands hold.
Bytes operandL1Bytes(const OpQuery &query, const OpModelContext &context);

/// The built-in formulas. See docs/op-model.md.
std::unique_ptr<OpModel> createAnalyticOpModel(OpModelContext context);

} // namespace tessera

#endif // TESSERA_OPMODEL_OPMODEL_H
