//===- Evaluation.h - The op model against what was measured --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `tessera ops evaluate` puts the rows of two kinds of tables to the analytic
// model and compares:
//
//   goldens  what a real backend answered: legality, circular buffers, tensors
//   timings  what real chips took
//
// docs/timings-format.md has their columns, which are found by name, in any
// order. Tables that were published with other columns are converted as they are
// read. Every row is either counted or in the list of skipped rows, with the
// reason.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_EVALUATION_EVALUATION_H
#define TESSERA_EVALUATION_EVALUATION_H

#include "tessera/OpModel/OpModel.h"
#include "tessera/Support/ProgressFunction.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <functional>
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
/// rows, those where no figure is more than 2 % under the backend's. `results`: of rows that the library just answered, those whose
/// results are laid out as the model says. Calls that the backend accepts and a rule refuses on purpose (RuleInfo::strictFor) count
/// in `strict` alone.
struct GoldenAccuracy {
  Share legality, circularBuffers, tensorPeak, peak, outputBytes, bounds, notBelow, results;
  size_t strict = 0;
  size_t tooLax = 0; ///< rows that the model accepts and the backend refuses
  void operator+=(const GoldenAccuracy &other);
};

/// What comes of a table of goldens.
struct GoldenEvaluation {
  std::map<std::string, GoldenAccuracy> families; ///< all revisions
  GoldenAccuracy all;                             ///< every row that counts
  GoldenAccuracy primary;                         ///< rows of the revision that the model follows
  std::vector<RowRemark> wrong, strict, skipped;
};

/// The backend revision (tt-mlir) whose behaviour the model has: facts/formulas 0.
llvm::StringRef primaryRevision();
/// Evaluates a table of goldens. Errors: unreadable or malformed file, missing or unknown columns, a cell that
/// does not parse; each with file and line.
llvm::Expected<GoldenEvaluation> evaluateGoldens(llvm::StringRef path);
/// The table with the columns of docs/timings-format.md. Rows that are no query of one op go to `skipped`. Errors as above.
llvm::Expected<std::string> convertGoldens(llvm::StringRef path, std::vector<RowRemark> &skipped);

/// One measured time and the model's.
struct Timing {
  std::string where;  ///< file and line
  std::string what;   ///< shapes and configuration, for people
  std::string family; ///< "gemm wormhole", "exp", "reshard" ...
  std::string group;  ///< the figure that it counts to: "gemm", "decode_matmul", "unary", "op_trace" ...
  /// Rows of the same ranking class are configurations of the same op; empty: not ranked.
  std::string rankingClass;
  /// Cross-validation never learns from one row with this shape to judge another.
  std::string shape;
  double measured = 0, predicted = 0; ///< ns, time of the kernel on the device without its launch
  /// The prediction of a model that has not seen this shape; nullopt if not asked for, or if only rows of
  /// this shape determine a parameter that it needs.
  std::optional<double> crossValidated;
  /// Why the row's label is not that of its time; empty: it is. Such rows count to no fit and to no figure
  /// but those of their own family and group, which end in "doubtful".
  std::string doubt;
  /// Why the model may be far off although the label is right: what the table does not say. Such rows count.
  std::string reservation;
  std::string table;    ///< name of the file, without folder and ending
  std::string board;    ///< as `tessera devices` has it, with the mesh if there are several chips: "p150 4x8"
  std::string opFamily; ///< of the op model (`tessera ops`); the op's name where it has none
  std::string program;  ///< the model or trace that the call is of; empty: a call by itself
  uint64_t calls = 1;   ///< how often the program makes it; sums count the row as often
  /// Kept to check: in no fit, in no figure but those that say so.
  bool unseen = false;
  /// ns under other parameters. Safe to call from several threads.
  std::function<double(const Calibration &)> model;
};

/// The model takes more than three times, or less than a third, of what was measured.
bool isFarOff(const Timing &timing);

/// Errors as shares of the measured time.
struct TimingAccuracy {
  size_t count = 0;
  double mean = 0, median = 0, worst = 0;
};

/// What rows come to: by family (an op or a kernel on an architecture) and by group (a figure of docs/op-model.md).
struct TimingFigures {
  std::map<std::string, TimingAccuracy> families, groups;
  /// By group: of pairs of the same ranking class whose measured times differ by more than 10 %, those that
  /// the model puts in the right order.
  std::map<std::string, Share> ranking;
};

/// What comes of one or several tables of timings.
struct TimingEvaluation {
  std::vector<Timing> timings;
  std::vector<Timing>
      unknown; ///< measured calls that the model has no time for; each is among `skipped` as well
  std::vector<RowRemark> skipped;
  TimingFigures figures;                       ///< of `predicted`, rows that are not unseen
  TimingFigures unseen;                        ///< the same of unseen rows
  std::optional<TimingFigures> crossValidated; ///< of `crossValidated`
};

/// What rows are put together by.
enum class TimingGrouping : uint8_t { Table, Family, Board, Program };

/// Rows of one group. Doubtful ones are not among them.
struct TimingSums {
  size_t rows = 0;
  /// Errors as shares of the measured time, of all rows and of those above kShortTiming; 0 without such rows.
  double median = 0, longMedian = 0;
  size_t longRows = 0;
  /// Measured over predicted time, where a model that has not seen the rows predicts it, if there is one: one row in ten lies below the first,
  /// one in ten above the second. Without those that are far off.
  std::pair<double, double> spread{1, 1};
  double measured = 0, predicted = 0; ///< ns, all calls of all rows
  double unknown = 0;                 ///< ns that were measured of calls that the model has no time for
  /// Predicted over measured time of what the model knows; nullopt without rows.
  std::optional<double> ratio() const {
    return measured > 0 ? std::optional(predicted / measured) : std::nullopt;
  }
  /// Share of all measured time that the model has a time for; nullopt if nothing was measured.
  std::optional<double> known() const {
    return measured + unknown > 0 ? std::optional(measured / (measured + unknown)) : std::nullopt;
  }
};
/// ns. Profiles that print whole microseconds say little about less.
constexpr double kShortTiming = 3000;

/// "table" ...
llvm::StringRef name(TimingGrouping by);

/// Rows that parameters may have been fitted to, and those that were kept to check.
struct TimingSplit {
  TimingSums seen, unseen;
};
/// By name of the group. Family: of the op model, and board.
std::map<std::string, TimingSplit> groupTimings(const TimingEvaluation &evaluation, TimingGrouping by);

/// Evaluates one CSV file, or all of a folder in order of their names. Files without a known set of columns
/// are listed as skipped. Errors as above.
llvm::Expected<TimingEvaluation> evaluateTimings(llvm::StringRef fileOrFolder,
                                                 const Calibration &calibration = builtInCalibration());

/// The table with the columns of docs/timings-format.md. Rows that these cannot express go to `skipped`, and so does the file
/// if it is no table of timings. Errors as above.
llvm::Expected<std::string> convertTimings(llvm::StringRef path, std::vector<RowRemark> &skipped);

/// The parameters that fit the timings best, from `start`: least squares of the logarithm of predicted over
/// measured time, robust (errors far above 10 % count linearly), families weighing alike. Values that no
/// timing depends on stay as they are.
Calibration calibrate(llvm::ArrayRef<Timing> timings, const Calibration &start,
                      const ProgressFunction &progress = {});

/// Splits the shapes of each group into `folds` parts and predicts each part with parameters fitted to the
/// others, starting from values up to 35 % off the built-in ones, so that nothing learned from the part
/// remains. `seed` decides the parts and the start. The folds run in parallel; the result does not depend on
/// it.
void crossValidate(TimingEvaluation &evaluation, unsigned folds, uint64_t seed,
                   const ProgressFunction &progress = {});

/// The keys that docs/op-model.md lists, shares in 0..1; a key without rows is null.
llvm::json::Object toJson(const GoldenEvaluation &evaluation);
llvm::json::Object toJson(const TimingEvaluation &evaluation);

} // namespace tessera

#endif // TESSERA_EVALUATION_EVALUATION_H
