//===- Harvest.h - Calls, and what the vendor's library says of them ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   makeCalls     calls as models and the search make them, from a seed
//   goldenCalls   the calls of a table of goldens
//   askLibrary    the library's answers to either, as goldens
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_EVALUATION_HARVEST_H
#define TESSERA_EVALUATION_HARVEST_H

#include "tessera/Evaluation/Evaluation.h"
#include "tessera/OpModel/KernelTime.h"

namespace tessera {

/// One call, and what it is called in reports.
struct NamedCall {
  std::string id; ///< "n150/1/matmul#17"
  KernelQuery query;
};

/// What calls are made.
struct HarvestOptions {
  DeviceSpec device;
  BackendVersion backend = BackendVersion::Newest; ///< whose behaviour the answers are
  uint64_t seed = 1;
  double scale = 1;             ///< 1: some 2,700 calls
  std::vector<std::string> ops; ///< "matmul" or "ttnn.matmul"; empty: all
};

/// Ops that can be harvested, without "ttnn.", sorted.
std::vector<llvm::StringRef> harvestedOps();
/// Calls with shapes of published models, their tensors in layouts and with configurations of the search. Equal options give equal
/// calls, and the calls of an op depend neither on the other ops nor, but for their number, on the scale.
std::vector<NamedCall> makeCalls(const HarvestOptions &options);
/// The calls of a table of goldens. Errors as evaluateGoldens().
llvm::Expected<std::vector<NamedCall>> goldenCalls(llvm::StringRef path, std::vector<RowRemark> &skipped);

namespace evaluation {
struct Golden;
}

/// Calls with what the library said of them.
class LibraryAnswers {
public:
  /// Calls that were not put to the library, and why.
  std::vector<RowRemark> skipped;
  std::string library; ///< "ttnn 0.77.0"

  size_t size() const;
  /// A table of goldens: docs/timings-format.md.
  std::string csv() const;
  /// Our formulas against the answers, by op. GoldenEvaluation::primary stays empty.
  GoldenEvaluation evaluate() const;

private:
  friend class LibraryInquiry;
  std::shared_ptr<std::vector<evaluation::Golden>> goldens;
};

/// Asks the library of `version`, with at most `workers` processes. Fails if it is not there, or does not start.
llvm::Expected<LibraryAnswers> askLibrary(llvm::ArrayRef<NamedCall> calls, llvm::StringRef version,
                                          unsigned workers, const ProgressFunction &progress = {});

} // namespace tessera

#endif // TESSERA_EVALUATION_HARVEST_H
