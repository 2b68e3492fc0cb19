//===- TraceRow.h - One row of a profile -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_IMPORT_TRACEROW_H
#define TESSERA_LIB_EVALUATION_IMPORT_TRACEROW_H

#include "Import.h"
#include "Question.h"

namespace tessera::evaluation {

/// A tensor of a row, as the profiler saw it when the program ran.
struct TraceTensor {
  TensorDesc desc;
  TensorLayout layout;
  bool dram = false, tiled = true;
};

/// The text after `key` up to the next of `ends`; "" if there is none.
llvm::StringRef after(llvm::StringRef text, llvm::StringRef key, llvm::StringRef ends);
/// The number after `key`.
int64_t numberAfter(llvm::StringRef text, llvm::StringRef key, int64_t otherwise);
/// Integers between separators, "[0; 2; 3; 1]".
std::vector<int64_t> listAfter(llvm::StringRef text, llvm::StringRef key);

/// One row of the table: a device program, its tensors and attributes.
class TraceRow {
public:
  explicit TraceRow(CsvTable::Row row);

  /// Cores that a device can have.
  bool sane() const { return cores >= 1 && cores <= 1024; }
  /// Matmuls plan on the cores there are and reshards connect any of them; the others run on those that the
  /// row says.
  GridShape grid() const;
  /// "input_0" ... "output_0"; nullopt if missing or of an unknown kind. `as`: read with these pages instead.
  std::optional<TraceTensor> tensor(llvm::StringRef which, std::optional<PageLayout> as = std::nullopt) const;
  /// The program as the table has it, for remarks.
  std::string what() const;
  /// The timing of the row. Rows of one op and architecture are a family.
  TimingRow timing(Call call) const;

  CsvTable::Row row;
  llvm::StringRef attributes, op, arch;
  int64_t cores = 0;
  std::optional<GridShape> shard; ///< the one that is recorded: the result's, if that is sharded

private:
  /// Whether the recorded shard may be that of the tensor.
  bool hasShardOf(llvm::StringRef which) const;
  TensorLayout sharded(const TensorDesc &desc, MemoryLayout memory, PageLayout page, bool recorded) const;
};

/// Programs that are no op of TTNN but part of one: halo, convolution and pool kernels, padded slice, slice
/// write. What they are asked about; an error if the row does not say it; nullopt for all other programs.
/// TracePrograms.cpp.
std::optional<llvm::Expected<Call>> windowProgram(const TraceRow &trace);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_IMPORT_TRACEROW_H
