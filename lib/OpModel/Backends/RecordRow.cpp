//===- RecordRow.cpp - Answers as they are stored -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RecordRow.h"

namespace tessera {
namespace {

constexpr ValidationStatus kStatuses[] = {
    ValidationStatus::Success, ValidationStatus::OutOfMemory, ValidationStatus::MetalBackendError,
    ValidationStatus::NotImplemented, ValidationStatus::UnmatchedReferenceConfig};
// Both in the order of RecordRow's fields, which is that of the columns.
constexpr Bytes OpConstraints::*kSizes[] = {&OpConstraints::cbL1PeakSize, &OpConstraints::tensorL1PeakSize,
                                            &OpConstraints::peakL1MemorySize,
                                            &OpConstraints::outputL1BufferSize, &OpConstraints::safetyMargin};
constexpr Nanoseconds OpRuntime::*kTimes[] = {&OpRuntime::compute, &OpRuntime::l1,       &OpRuntime::noc,
                                              &OpRuntime::dram,    &OpRuntime::dispatch, &OpRuntime::total};

} // namespace

RecordRow toRow(const Answer &answer, const OpQuery &query, const LayoutPool &layouts) {
  const ValidationResult &result = answer.result;
  RecordRow row;
  // That an answer does not fit depends on the budget, which is not recorded; its sizes are.
  bool fits = result.status != ValidationStatus::OutOfMemory;
  row.status = name(fits ? result.status : ValidationStatus::Success).str();
  if (fits) {
    row.rule = result.rule;
    row.message = result.message;
  }
  row.outputs = outputsText(query, result.constraints.outputLayouts, layouts);
  for (auto [stored, size] : llvm::zip_equal(row.sizes, kSizes))
    stored = (result.constraints.*size).value();
  for (auto [stored, time] : llvm::zip_equal(row.times, kTimes))
    stored = (answer.runtime.*time).value();
  return row;
}

std::string fromRow(const RecordRow &row, const OpQuery &query, LayoutPool &layouts, Answer &answer) {
  auto status = llvm::find_if(kStatuses, [&](ValidationStatus s) { return name(s) == row.status; });
  if (status == std::end(kStatuses))
    return "unknown status '" + row.status + "'";
  // What does not fit is not stored as such (toRow); whether it does is decided by applyPressure() for the budget of
  // this run.
  answer.result.status = *status;
  answer.result.rule = row.rule;
  answer.result.message = row.message;
  for (auto [stored, size] : llvm::zip_equal(row.sizes, kSizes))
    answer.result.constraints.*size = Bytes(stored);
  for (auto [stored, time] : llvm::zip_equal(row.times, kTimes))
    answer.runtime.*time = Nanoseconds(stored);
  std::string wrong = readOutputs(row.outputs, query, layouts, answer.result.constraints.outputLayouts);
  return wrong.empty() ? checkFigures(answer, query) : wrong;
}

} // namespace tessera
