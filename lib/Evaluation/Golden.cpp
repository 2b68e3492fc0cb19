//===- Golden.cpp - What a real backend answered --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tests of the backend assert bounds as well as numbers (facts/formulas 0), so a cell
// holds conditions: a number is one of equality.
//
//===----------------------------------------------------------------------===//
#include "Golden.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

const Schema &schema() {
  static const Schema all = [] {
    Schema columns = {{"id"}};
    llvm::append_range(columns, callColumns());
    columns.push_back({"legal"});
    for (const GoldenFigure &figure : goldenFigures())
      columns.push_back({figure.column});
    llvm::append_range(columns, Schema{{"operands_counted"}, {"source"}, {"revision"}, {"note"}});
    return columns;
  }();
  return all;
}

/// Each condition of a cell counts by itself: a number among what must be equal, a bound among the bounds.
/// "8192", ">=4096 <=16384".
void readConditions(RowReader &cells, const GoldenFigure &figure, Golden &golden) {
  llvm::SmallVector<llvm::StringRef> words;
  cells[figure.column].split(words, ' ', -1, false);
  for (llvm::StringRef word : words) {
    GoldenCondition condition{&figure, "=", 0};
    // The longer one first, as it begins with the shorter.
    for (llvm::StringRef relation : {">=", ">", "<="})
      if (condition.relation == "=" && word.consume_front(relation))
        condition.relation = relation.str();
    if (word.getAsInteger(10, condition.value))
      cells.fail(figure.column, "'" + cells[figure.column] + "' is no condition: 8192, >=4096, >0, <=16384");
    golden.conditions.push_back(std::move(condition));
  }
}

Golden readRow(RowReader &cells, llvm::StringRef path, LayoutPool &layouts) {
  Golden golden;
  golden.id = cells["id"].empty() ? llvm::formatv("{0}:{1}", path, cells.line()).str() : cells.text("id");
  golden.call = readCall(cells, layouts);
  if (!golden.call.alternatives.empty())
    cells.fail("results", "an answer is about one run: no '|'");
  if (!cells["legal"].empty())
    golden.legal = cells.flag("legal", true);
  for (const GoldenFigure &figure : goldenFigures())
    readConditions(cells, figure, golden);
  golden.operandsCounted = cells.flag("operands_counted", false);
  golden.source = cells.text("source");
  golden.revision = cells.text("revision");
  golden.note = cells.text("note");
  return golden;
}

/// In the order of the schema. Conditions of one figure share its cell.
std::vector<std::string> cellsOf(const Golden &golden) {
  std::vector<std::string> cells = {golden.id};
  llvm::append_range(cells, cellsOf(golden.call));
  cells.push_back(!golden.legal ? "" : *golden.legal ? "true" : "false");
  for (const GoldenFigure &figure : goldenFigures()) {
    std::string cell;
    for (const GoldenCondition &condition : golden.conditions)
      if (condition.figure == &figure)
        cell += llvm::formatv("{0}{1}{2}", cell.empty() ? "" : " ",
                              condition.relation == "=" ? "" : condition.relation, condition.value);
    cells.push_back(std::move(cell));
  }
  llvm::append_range(cells, std::vector<std::string>{golden.operandsCounted ? "true" : "", golden.source,
                                                     golden.revision, golden.note});
  return cells;
}

} // namespace

llvm::ArrayRef<GoldenFigure> goldenFigures() {
  static constexpr GoldenFigure kFigures[] = {
      {"circular_buffers", "circular buffers", &OpConstraints::cbL1PeakSize,
       &GoldenAccuracy::circularBuffers},
      {"tensors", "tensors", &OpConstraints::tensorL1PeakSize, &GoldenAccuracy::tensorPeak},
      {"peak", "peak", &OpConstraints::peakL1MemorySize, &GoldenAccuracy::peak},
      {"output", "output", &OpConstraints::outputL1BufferSize, &GoldenAccuracy::outputBytes}};
  return kFigures;
}

llvm::Expected<std::vector<Golden>> readGoldens(const CsvTable &table) {
  if (llvm::Error error = checkColumns(table, schema(), "goldens"))
    return std::move(error);
  LayoutPool layouts;
  std::vector<Golden> goldens;
  for (size_t i = 0; i < table.size(); ++i) {
    RowReader cells(table.row(i), table.path());
    goldens.push_back(readRow(cells, table.path(), layouts));
    if (llvm::Error error = cells.takeError())
      return std::move(error);
  }
  return goldens;
}

std::string goldensText(llvm::ArrayRef<Golden> rows) {
  std::vector<std::vector<std::string>> cells;
  for (const Golden &golden : rows)
    cells.push_back(cellsOf(golden));
  return csvText(schema(), cells);
}

} // namespace tessera::evaluation
