//===- MoveRow.h - One call of one op in data_movement.csv ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_IMPORT_MOVEROW_H
#define TESSERA_LIB_EVALUATION_IMPORT_MOVEROW_H

#include "Import.h"
#include "Question.h"

namespace tessera::evaluation {

/// An operand or a result as the row names it. Where it lies is still text: which layout that is depends on the shape
/// and on the cores that ran.
struct MoveTensor {
  TensorDesc desc;
  llvm::StringRef memory; ///< "dram_interleaved", "l1_height_sharded" ...
  PageLayout page = PageLayout::Tile;
};

/// One row: its operands, its arguments, and the query that it becomes.
class MoveRow {
public:
  /// An error says which cell is missing or not understood.
  /// `severalTimes`: its table has other times of the same call.
  static llvm::Expected<MoveRow> read(CsvTable::Row row, llvm::StringRef op, bool severalTimes);

  /// Arguments of the call: "dim=-1", "padding=[0:0,3:25]" (as a flat list).
  std::optional<int64_t> integer(llvm::StringRef key) const;
  std::vector<int64_t> list(llvm::StringRef key) const;
  Shape shape(llvm::StringRef key) const;
  /// The number before `words` in the note.
  std::optional<int64_t> notedInteger(llvm::StringRef words) const;

  /// The call as the table has it, for remarks.
  std::string what() const;
  /// The timing of the row once it has asked. Rows of one op and architecture are a family.
  TimingRow timing(llvm::StringRef name) &&;
  /// Gives the question its operands, as they are by now, and its results.
  llvm::Error ask(llvm::ArrayRef<Shape> results);

  std::vector<MoveTensor> in;
  DataType type = DataType::BFloat16; ///< of the results
  Question question;

private:
  MoveRow(CsvTable::Row row, DeviceSpec device, llvm::StringRef op);
  llvm::StringRef argument(llvm::StringRef key) const;
  llvm::Error readOperands(bool severalTimes);
  DataType unstatedType(bool severalTimes) const;
  std::optional<TensorLayout> layoutOf(const MoveTensor &tensor) const;

  CsvTable::Row row;
  DeviceSpec device;
};

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_IMPORT_MOVEROW_H
