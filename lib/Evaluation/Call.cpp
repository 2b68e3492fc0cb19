//===- Call.cpp - The call of an op that a row is about -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A call in a table is the text that 'tessera ops explain' takes, cut into columns.
// Each cell is read as such a text whose other parts are empty, so that tables and
// commands have one parser, and the text of a row can be asked about by hand.
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include "tessera/Device/DeviceNames.h"
#include "tessera/OpModel/QueryText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::evaluation {
namespace {

std::string text(GridShape grid) { return llvm::formatv("{0}x{1}", grid.rows, grid.columns); }

// ---- Printing -------------------------------------------------------------------------------------------

std::string operandsText(const KernelQuery &query) {
  std::vector<std::string> operands;
  for (auto [i, operand, layout] : llvm::enumerate(query.signature.operands, query.inputs))
    operands.push_back(operand.sameAs == i ? tensorText(operand.tensor, &layout, query.device)
                                           : "=" + std::to_string(operand.sameAs));
  return llvm::join(operands, ", ");
}

std::string resultsText(const KernelQuery &query, llvm::ArrayRef<TensorLayout> layouts) {
  std::vector<std::string> results;
  for (auto [i, tensor] : llvm::enumerate(query.signature.results))
    results.push_back(tensorText(tensor, i < layouts.size() ? &layouts[i] : nullptr, query.device));
  return llvm::join(results, ", ");
}

std::string resultsText(const Call &call) {
  std::string text = resultsText(call.query, call.query.outputs);
  for (const std::vector<TensorLayout> &layouts : call.alternatives)
    text += " | " + resultsText(call.query, layouts);
  return text;
}

llvm::StringRef backendName(BackendVersion version) {
  for (const BackendVersionInfo &info : backendVersions())
    if (info.version == version)
      return info.name;
  return "";
}

// ---- Reading --------------------------------------------------------------------------------------------

DeviceSpec readDevice(RowReader &row) {
  std::optional<DeviceSpec> device = deviceOf(row["device"]);
  if (!device) {
    row.fail("device", llvm::toString(deviceNamed(row["device"]).takeError()));
    // The error is kept in the row; reading goes on with some device so that the first mistake of the line is
    // the one that is told.
    device = builtinDevices().front();
  }
  device->workerGrid = row.grid("grid", device->workerGrid);
  device->mesh = row.grid("chips", device->mesh);
  return *device;
}

/// Reads cells as parts of a query's text.
class QueryCells {
public:
  QueryCells(RowReader &row, LayoutPool &layouts, const DeviceSpec &device)
      : row(row), layouts(layouts), device(device) {}

  /// `text`, which is `cell` of `column`, or part of it, behind `before`.
  TextQuery read(llvm::StringRef column, llvm::StringRef before, llvm::StringRef cell) {
    bool several = cell.contains("->") || (column != "attributes" && cell.contains(';'));
    // The text of a query has places for all of them, so a separator in a cell would silently fill another one.
    if (several) {
      row.fail(column, "operands, results, attributes and configuration stand in columns of their own");
      return {};
    }
    llvm::Expected<TextQuery> query = parseQueryText((before + cell).str(), layouts, device);
    if (query)
      return std::move(*query);
    row.fail(column, llvm::toString(query.takeError()));
    return {};
  }

  /// The layouts; empty if all are of the backend's choice.
  std::vector<TensorLayout> results(llvm::StringRef cell, std::vector<TensorDesc> &tensors) {
    TextQuery text = read("results", "op () -> ", cell);
    tensors = std::move(text.signature.results);
    std::vector<TensorLayout> outputs;
    for (LayoutId id : text.config.outputs)
      if (id.valid())
        outputs.push_back(layouts[id]);
    // Half of a choice is none: a backend is told all of its results' layouts, or decides them all.
    if (!outputs.empty() && outputs.size() != tensors.size())
      row.fail("results", "either all results have a layout, or none (@?)");
    return outputs;
  }

private:
  RowReader &row;
  LayoutPool &layouts;
  const DeviceSpec &device;
};

void readResults(QueryCells &cells, RowReader &row, Call &call) {
  // The first run says what the results are, further ones where they lay then.
  llvm::SmallVector<llvm::StringRef> runs;
  row["results"].split(runs, '|');
  call.query.outputs = cells.results(runs[0], call.query.signature.results);
  for (llvm::StringRef run : llvm::drop_begin(runs)) {
    std::vector<TensorDesc> tensors;
    call.alternatives.push_back(cells.results(run, tensors));
    if (tensors != call.query.signature.results || call.alternatives.back().size() != tensors.size())
      row.fail("results", "runs with results of their own (|) differ in nothing but their layouts");
  }
}

} // namespace

std::string Call::text() const {
  const KernelQuery &q = query;
  std::string text = q.signature.name;
  if (!q.signature.operands.empty())
    text += " " + operandsText(q);
  if (!q.signature.results.empty())
    text += " -> " + resultsText(*this);
  std::string attributes = attributesText(q.signature), config = configText(q.specific);
  if (!attributes.empty() || !config.empty())
    text += " ; " + attributes;
  return config.empty() ? text : text + " ; " + config;
}

Schema callColumns() {
  return {{"op", true},       {"device", true}, {"grid"},       {"chips"}, {"backend"},
          {"operands", true}, {"results"},      {"attributes"}, {"config"}};
}

std::vector<std::string> cellsOf(const Call &call) {
  const KernelQuery &q = call.query;
  // Only what is not the board's own is written, so that tables can be read.
  const DeviceSpec board = deviceOf(q.device.name).value_or(q.device);
  return {q.signature.name,
          q.device.name,
          q.device.workerGrid == board.workerGrid ? "" : text(q.device.workerGrid),
          q.device.mesh == board.mesh ? "" : text(q.device.mesh),
          q.backend == BackendVersion::Pinned ? "" : backendName(q.backend).str(),
          operandsText(q),
          resultsText(call),
          attributesText(q.signature),
          configText(q.specific)};
}

Call readCall(RowReader &row, LayoutPool &layouts) {
  Call call;
  KernelQuery &q = call.query;
  q.device = readDevice(row);
  std::vector<std::pair<llvm::StringRef, BackendVersion>> versions;
  for (const BackendVersionInfo &info : backendVersions())
    versions.push_back({info.name, info.version});
  q.backend = row.choice<BackendVersion>("backend", BackendVersion::Pinned, versions);
  QueryCells cells(row, layouts, q.device);
  // Each cell is read as the text of a query with nothing else in it, so that tables and the command line have one
  // parser.
  TextQuery operands = cells.read("operands", "op ", row["operands"]);
  q.signature.operands = std::move(operands.signature.operands);
  for (LayoutId id : operands.inputs)
    q.inputs.push_back(layouts[id]);
  q.signature.attributes =
      std::move(cells.read("attributes", "op () -> () ; ", row["attributes"]).signature.attributes);
  q.specific = std::move(cells.read("config", "op () -> () ; ; ", row["config"]).config.specific);
  readResults(cells, row, call);
  llvm::StringRef op = row["op"];
  q.signature.name = (op.contains('.') ? "" : "ttnn.") + op.str();
  if (op.empty())
    row.fail("op", "names no op");
  return call;
}

std::optional<DeviceSpec> deviceOf(llvm::StringRef nameOrArch, GridShape grid) {
  const DeviceSpec *device = findDevice(nameOrArch);
  if (!device)
    // Sources spell architectures in several ways; of each the smallest board is taken.
    device = findDevice(nameOrArch.starts_with("worm")    ? "n150"
                        : nameOrArch.starts_with("black") ? "p150"
                                                          : llvm::StringRef());
  if (!device)
    return std::nullopt;
  DeviceSpec spec = *device;
  if (grid.rows > 0 && grid.columns > 0)
    spec.workerGrid = grid;
  return spec;
}

} // namespace tessera::evaluation
