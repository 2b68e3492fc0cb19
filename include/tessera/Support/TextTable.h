//===- TextTable.h - Aligned tables for people ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   TextTable table({{"op"}, {"L1", Align::Right}});
//   table.add({"matmul_0", "64.0 KiB"});
//   table.print(os);
//
//   op              L1
//   --------  --------
//   matmul_0  64.0 KiB
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_TEXTTABLE_H
#define TESSERA_SUPPORT_TEXTTABLE_H

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tessera {

enum class Align : unsigned char { Left, Right };

class TextTable {
public:
  struct Column {
    std::string header;
    Align align = Align::Left; ///< of the header and the cells; numbers read best on the right
  };

  explicit TextTable(std::vector<Column> columns) : columns(std::move(columns)) {}

  /// Adds a row. Missing cells at its end are blank; surplus cells are left out.
  void add(std::vector<std::string> cells);
  size_t rows() const { return cells.size(); }

  /// Header, rule and rows; columns two blanks apart, no blanks at line ends. Widths count terminal columns,
  /// so UTF-8 text aligns too. On a terminal no wider than that (streamWidth).
  void print(llvm::raw_ostream &os) const;
  /// At most `width` columns wide, as far as that goes: the widest columns of text are narrowed, and cells go on in
  /// further lines. 0: as wide as the cells are.
  void print(llvm::raw_ostream &os, size_t width) const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> cells;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_TEXTTABLE_H
