//===- Evaluation.h - The op model against what was measured --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `tessera ops evaluate` puts the rows of two kinds of tables to the analytic
// model and compares:
//
//   goldens  what a real backend answered: legality, circular buffers, tensors
//            (columns: facts/opmodel-formulas.md 0)
//   timings  what real chips took (columns: facts/hardware-and-performance.md 0)
//
// Columns are found by name, in any order. Every row is either counted or in the
// list of skipped rows, with the reason.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_EVALUATION_H
#define TESSERA_OPMODEL_EVALUATION_H

#include "tessera/OpModel/OpModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace tessera {

/// A row that was not counted, or one that the model gets wrong.
struct RowRemark {
  std::string where; ///< case id, or file and line
  std::string what;
};

/// Right answers of all.
struct Share {
  size_t right = 0, all = 0;
  void count(bool ok) {
    right += ok;
    ++all;
  }
  void operator+=(const Share &other) {
    right += other.right;
    all += other.all;
  }
  /// 0..1; nullopt if nothing was counted.
  std::optional<double> value() const {
    return all ? std::optional(double(right) / double(all)) : std::nullopt;
  }
};

/// Figures per core. Exact: of legal rows that state the figure and are marked exact. `notBelow`: of the same
/// rows, those where no figure is more than 2 % under the backend's.
struct GoldenAccuracy {
  Share legality, circularBuffers, tensorPeak, peak, outputBytes, bounds, notBelow;
  void operator+=(const GoldenAccuracy &other);
};

struct GoldenEvaluation {
  std::map<std::string, GoldenAccuracy> families; ///< all revisions
  GoldenAccuracy all;                             ///< every row that counts
  GoldenAccuracy primary;                         ///< rows of the revision that the model follows
  std::vector<RowRemark> wrong, skipped;
};

/// The backend revision (tt-mlir) whose behaviour the model has: facts/opmodel-formulas.md 0.
llvm::StringRef primaryRevision();
/// Evaluates a table of goldens for an n150. Errors: unreadable or malformed file, missing columns, a cell
/// that does not parse; each with file and line.
llvm::Expected<GoldenEvaluation> evaluateGoldens(llvm::StringRef path);

/// One measured time and the model's.
struct Timing {
  std::string where;  ///< file and line
  std::string what;   ///< shapes and configuration, for people
  std::string family; ///< "gemm wormhole", "exp", "reshard" ...
  std::string group;  ///< the figure that it counts to: "gemm", "decode_matmul", "unary", "op_trace" ...
  /// Rows of the same ranking class are configurations of the same op; empty: not ranked.
  std::string rankingClass;
  double measured = 0, predicted = 0; ///< ns, time of the kernel on the device without its launch
  bool mixed = false;   ///< several configurations in one row: the slowest run took 1.5 times the fastest
  double error() const; ///< |predicted - measured| / measured
};

/// Errors as shares of the measured time.
struct TimingAccuracy {
  size_t count = 0;
  double mean = 0, median = 0, worst = 0;
};

struct TimingEvaluation {
  std::vector<Timing> timings;
  std::vector<RowRemark> skipped;
  std::map<std::string, TimingAccuracy> families, groups;
  /// By group: of pairs of the same ranking class whose measured times differ by more than 10 %, those that
  /// the model puts in the right order.
  std::map<std::string, Share> ranking;
};

/// Evaluates one CSV file, or all of a folder in order of their names. Files without a known set of columns
/// are listed as skipped. Errors as above.
llvm::Expected<TimingEvaluation> evaluateTimings(llvm::StringRef fileOrFolder);

/// The keys that docs/op-model.md lists, shares in 0..1; a key without rows is null.
llvm::json::Object toJson(const GoldenEvaluation &evaluation);
llvm::json::Object toJson(const TimingEvaluation &evaluation);

} // namespace tessera

#endif // TESSERA_OPMODEL_EVALUATION_H
