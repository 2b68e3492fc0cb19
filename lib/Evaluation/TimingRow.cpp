//===- TimingRow.cpp - A call of an op and how long it took ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A row of docs/timings-format.md, read and written. A blank cell has a meaning
// (fillIn), and what it means is left blank again when a row is written: so a
// table stays readable, and reads back as the same rows.
//
//===----------------------------------------------------------------------===//
#include "TimingRow.h"

#include "Programs.h"

#include "tessera/OpModel/OpTable.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/Support/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

/// From a picosecond to eleven days: others would drown the rest in a mean.
constexpr double kLeastTime = 1e-3, kMostTime = 1e15;

constexpr std::pair<llvm::StringRef, KernelPart> kClocks[] = {{"kernel", KernelPart::Op},
                                                              {"math", KernelPart::MatmulMath}};
constexpr std::pair<llvm::StringRef, bool> kSplits[] = {{"seen", false}, {"unseen", true}};
/// More calls than any program has.
constexpr uint64_t kMostCalls = 1'000'000'000;

/// Columns that are text and nothing else.
struct TextColumn {
  llvm::StringLiteral name;
  std::string TimingRow::*text;
};
constexpr TextColumn kTexts[] = {{"family", &TimingRow::family},   {"group", &TimingRow::group},
                                 {"ranking", &TimingRow::ranking}, {"shape", &TimingRow::shape},
                                 {"doubt", &TimingRow::doubt},     {"reservation", &TimingRow::reservation},
                                 {"source", &TimingRow::source},   {"revision", &TimingRow::revision},
                                 {"note", &TimingRow::note}};

const Schema &schema() {
  static const Schema all = [] {
    Schema columns = callColumns();
    columns.push_back({"clock"});
    columns.push_back({"ns", true});
    for (const TextColumn &column : kTexts)
      columns.push_back({column.name});
    for (llvm::StringLiteral rare :
         {llvm::StringLiteral("program"), llvm::StringLiteral("calls"), llvm::StringLiteral("split")})
      columns.push_back({rare, false, true});
    return columns;
  }();
  return all;
}

/// What blank cells mean. cellsOf() asks it, too, and leaves blank what it would fill in.
void fillIn(TimingRow &row) {
  if (row.family.empty())
    row.family = defaultFamily(row.call);
  if (row.group.empty())
    row.group = kDefaultGroup.str();
  if (row.shape.empty())
    row.shape = defaultShape(row.call);
}

TimingRow readRow(RowReader &cells, LayoutPool &layouts) {
  TimingRow row;
  row.line = cells.line();
  row.call = readCall(cells, layouts);
  row.part = cells.choice<KernelPart>("clock", KernelPart::Op, kClocks);
  // The math thread's cycles are a part of the time that only the matmul's formula knows.
  const OpInfo *op = findOp(row.call.query.signature.name);
  if (row.part == KernelPart::MatmulMath && !(op && op->family == "matmul"))
    cells.fail("clock", "'math' is of matmuls");
  if (cells["ns"].getAsDouble(row.ns) || !hasTime(row))
    cells.fail("ns", "'" + cells["ns"] + "' is no time: nanoseconds from 0.001 to 1e15");
  for (const TextColumn &column : kTexts)
    row.*column.text = cells.text(column.name);
  row.program = cells.text("program");
  if (!cells["calls"].empty() &&
      (cells["calls"].getAsInteger(10, row.calls) || !row.calls || row.calls > kMostCalls))
    cells.fail("calls", "'" + cells["calls"] + "' is no number of calls: from 1 to 1e9");
  row.unseen = cells.choice<bool>("split", false, kSplits);
  fillIn(row);
  return row;
}

std::vector<std::string> cellsOf(const TimingRow &row) {
  std::vector<std::string> cells = cellsOf(row.call);
  for (const auto &[name, part] : kClocks)
    if (part == row.part)
      cells.push_back(part == KernelPart::Op ? "" : name.str());
  cells.push_back(exactNumber(row.ns));
  TimingRow blank;
  // What a blank cell means anyhow is left blank, so that a table can be read by people and reads back the
  // same.
  blank.call = row.call;
  fillIn(blank);
  for (const TextColumn &column : kTexts)
    cells.push_back(row.*column.text == blank.*column.text ? "" : row.*column.text);
  cells.push_back(row.program);
  cells.push_back(row.calls == 1 ? "" : std::to_string(row.calls));
  cells.push_back(row.unseen ? "unseen" : "");
  return cells;
}

} // namespace

bool hasTime(const TimingRow &row) { return row.ns >= kLeastTime && row.ns <= kMostTime; }

std::string defaultFamily(const Call &call) {
  llvm::StringRef op = call.query.signature.name;
  op.consume_front("ttnn.");
  return (op + " " + name(call.query.device.arch)).str();
}

// Without layouts: a shape in another place is no new one to a fit that is asked about unseen ones (Calibrate.cpp).
std::string defaultShape(const Call &call) {
  return llvm::join(
      llvm::map_range(call.query.signature.operands,
                      [](const OperandDesc &operand) { return descriptionText(operand.tensor); }),
      " ");
}

llvm::Expected<std::vector<TimingRow>> readTimings(const CsvTable &table) {
  if (llvm::Error error = checkColumns(table, schema(), "timings"))
    return std::move(error);
  LayoutPool layouts;
  std::vector<TimingRow> rows;
  for (size_t i = 0; i < table.size(); ++i) {
    RowReader cells(table.row(i), table.path());
    rows.push_back(readRow(cells, layouts));
    if (llvm::Error error = cells.takeError())
      return std::move(error);
  }
  return rows;
}

std::string timingsText(llvm::ArrayRef<TimingRow> rows) {
  std::vector<std::vector<std::string>> cells;
  for (const TimingRow &row : rows)
    cells.push_back(cellsOf(row));
  return csvText(schema(), cells);
}

// The call is analysed here, once; what is returned leaves nothing open but the calibration.
llvm::Expected<KernelTime> modelOf(const TimingRow &row) {
  const KernelQuery &query = row.call.query;
  if (isProgram(query.signature.name))
    return programTime(query);
  llvm::Expected<KernelTime> time = kernelTime(query, row.part);
  if (!time || row.call.alternatives.empty())
    return time;
  // A row whose results lay in several places is the mean of its runs (docs/timings-format.md), so the model's
  // time is, too.
  std::vector<KernelTime> runs = {std::move(*time)};
  for (const std::vector<TensorLayout> &outputs : row.call.alternatives) {
    KernelQuery run = query;
    run.outputs = outputs;
    llvm::Expected<KernelTime> other = kernelTime(std::move(run), row.part);
    if (!other)
      return other;
    runs.push_back(std::move(*other));
  }
  return [runs](const Calibration &calibration) {
    double sum = 0;
    for (const KernelTime &run : runs)
      sum += run(calibration);
    return sum / double(runs.size());
  };
}

} // namespace tessera::evaluation
