//===- Tables.cpp - Decisions as CSV files --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Decisions as CSV, for spreadsheets and scripts: a file per kind of thing
// (steps, tensors, circular buffers, runners-up, spills), its columns named in
// the table at the end, a function that adds rows for each. Numbers are whole:
// nanoseconds and bytes, without units, since these stand in the columns'
// names.
//
//===----------------------------------------------------------------------===//
#include "tessera/Report/Exports.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Support/Csv.h"

using namespace tessera;
using namespace tessera::report;
using namespace tessera::decisions;

namespace {

using Row = std::vector<std::string>;

std::string text(int64_t number) { return std::to_string(number); }
std::string text(Bytes bytes) { return text(bytes.value()); }
/// Rounded and not cut: sums over a column should come near the plan's time.
std::string text(Nanoseconds time) { return text(int64_t(std::llround(time.value()))); }
// Blank, and not -1: a reader of tables takes it for missing.
std::string text(std::optional<Index> index) { return index ? text(*index) : ""; }
/// Numbers, which a spreadsheet can add.
std::string text(bool flag) { return flag ? "1" : "0"; }
/// The begin (0) or end (1) of a range; blank for a tensor or a step that has no address.
std::string at(const Addresses &range, size_t side) { return range ? text((*range)[side]) : ""; }

/// The steps or tensors of a list, blanks between them.
std::string list(llvm::ArrayRef<Index> numbers) {
  std::string all;
  for (Index number : numbers)
    all += (all.empty() ? "" : " ") + text(number);
  return all;
}

/// Takes one row, without the function's name.
using AddRow = llvm::function_ref<void(Row)>;

/// Ops and conversions in the order they run. Values must be in the order of the columns below, here and in all
/// that follow.
void addSteps(const FunctionDecisions &f, AddRow add) {
  DecisionWords w(f);
  for (auto [i, s] : llvm::enumerate(f.steps))
    add({text(Index(i)),
         word(s.kind),
         w.stepName(Index(i)),
         w.stepKind(Index(i)),
         s.reason ? word(*s.reason) : "",
         list(s.reads),
         list(s.writes),
         s.configText,
         text(s.time.total),
         text(s.time.compute),
         text(s.time.l1),
         text(s.time.noc),
         text(s.time.dram),
         text(s.time.dispatch),
         s.time.boundBy,
         text(s.l1.tensors),
         text(s.l1.buffers),
         text(s.l1.margin),
         text(s.l1.temporaries),
         at(s.buffersAddress, 0),
         at(s.buffersAddress, 1)});
}

/// A row per tensor of the plan: a value has one for each layout that it is held in.
void addTensors(const FunctionDecisions &f, AddRow add) {
  DecisionWords w(f);
  for (auto [i, t] : llvm::enumerate(f.tensors)) {
    const ValueFacts &value = f.values[size_t(t.value)];
    add({text(Index(i)), value.name, DecisionWords::shape(value), word(value.kind), w.layout(t.layout),
         text(t.madeBy), text(t.begin), text(t.end), list(t.readers), text(t.returned), text(t.l1),
         text(t.total), at(t.address, 0), at(t.address, 1), at(t.dramAddress, 0), at(t.dramAddress, 1)});
  }
}

/// A row per circular buffer of a step. Sizes are those on one core.
void addBuffers(const FunctionDecisions &f, AddRow add) {
  for (auto [i, step] : llvm::enumerate(f.steps))
    for (const BufferFacts &buffer : step.circularBuffers)
      add({text(Index(i)), buffer.program, buffer.holds, text(buffer.pages), text(buffer.bytes)});
}

/// What else was considered for each op, ranks from 0; several layouts of one have semicolons between them.
void addRunnersUp(const FunctionDecisions &f, AddRow add) {
  DecisionWords w(f);
  auto layouts = [&](llvm::ArrayRef<Index> indices) {
    std::string all;
    for (Index index : indices)
      all += (all.empty() ? "" : "; ") + w.layout(index);
    return all;
  };
  for (const OpFacts &op : f.ops)
    for (auto [rank, r] : llvm::enumerate(op.runnersUp))
      add({text(op.step), op.location, op.name, text(Index(rank)), layouts(r.outputs), layouts(r.inputs),
           r.configText, text(r.delta), text(r.deltaOp), text(r.deltaInputs), text(r.deltaReaders),
           text(r.op), text(r.own), word(r.lost), r.because});
}

/// What went to DRAM, why, and what that costs, blank where the cost was not asked for.
void addSpills(const FunctionDecisions &f, AddRow add) {
  DecisionWords w(f);
  for (const SpillFacts &s : f.spills)
    add({text(s.tensor), w.valueOf(s.tensor).name, text(s.step), word(s.cause), word(s.way), text(s.atStep),
         text(s.missing), s.delta ? text(*s.delta) : "", text(s.edges), s.policyReason});
}

/// One file: its name, its columns and what fills them.
struct Table {
  llvm::StringLiteral name;
  std::vector<llvm::StringRef> columns; ///< behind `function`
  void (*addRows)(const FunctionDecisions &, AddRow);
};

const std::vector<Table> &tables() {
  // Columns are an interface: scripts find them by name (docs/report.md), so they keep their names and new ones
  // are added behind.
  static const std::vector<Table> all = {
      {"steps.csv",
       {"step",
        "kind",
        "name",
        "op",
        "reason",
        "reads",
        "writes",
        "configuration",
        "time_ns",
        "compute_ns",
        "l1_ns",
        "noc_ns",
        "dram_ns",
        "dispatch_ns",
        "bound_by",
        "tensors_bytes",
        "buffers_bytes",
        "margin_bytes",
        "temporaries_bytes",
        "buffers_begin",
        "buffers_end"},
       addSteps},
      {"tensors.csv",
       {"tensor", "name", "shape", "kind", "layout", "made_by", "begin", "end", "readers", "returned",
        "l1_bytes", "total_bytes", "address_begin", "address_end", "dram_address_begin", "dram_address_end"},
       addTensors},
      {"circular_buffers.csv", {"step", "program", "holds", "pages", "bytes"}, addBuffers},
      {"runners_up.csv",
       {"step", "location", "op", "rank", "outputs", "inputs", "configuration", "delta_ns", "delta_op_ns",
        "delta_inputs_ns", "delta_readers_ns", "op_ns", "own_bytes", "lost", "because"},
       addRunnersUp},
      {"spills.csv",
       {"tensor", "name", "step", "cause", "way", "at_step", "missing_bytes", "delta_ns", "edges",
        "policy_reason"},
       addSpills}};
  return all;
}

} // namespace

std::vector<CsvFile> report::csvFiles(const Decisions &all) {
  std::vector<CsvFile> files;
  for (const Table &table : tables()) {
    std::vector<llvm::StringRef> columns{"function"};
    llvm::append_range(columns, table.columns);
    std::vector<Row> rows;
    for (const FunctionDecisions &function : all.functions)
      table.addRows(function, [&](Row row) {
        // All functions of a module share the files, so each row names its own.
        row.insert(row.begin(), function.function);
        rows.push_back(std::move(row));
      });
    files.push_back({table.name.str(), csvText(columns, rows)});
  }
  return files;
}
