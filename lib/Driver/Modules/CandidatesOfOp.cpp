//===- CandidatesOfOp.cpp - The ways to run an op -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The table answers what a search may choose from, so it is made of the op
// model and the problem alone. A plan is made all the same, by the policy that
// asks least: ops are named by what decisions call them, and rewrites decide
// which ops there are.
//
//===----------------------------------------------------------------------===//
#include "CandidatesOfOp.h"

#include "DecisionText.h"

#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/LayoutJson.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

using namespace tessera;
namespace json = llvm::json;

std::vector<const CandidateRow *> CandidatesOfOp::shown() const {
  std::vector<const CandidateRow *> list;
  for (const CandidateRow &row : rows)
    if ((all || !row.dominated) && list.size() < top)
      list.push_back(&row);
  return list;
}

void tessera::askForCandidates(OptimizerOptions &options) {
  // The table is the program's, whoever decides: of those that say how ops compute (--numerics), the policy that asks
  // least. Where the graph may be another, the plan says which it is.
  if (options.rewrites.none())
    options.policy = "configurations";
  options.decisions = true;
  options.pricedOps = [](const decisions::OpFacts &) { return false; }; // only names are asked for
}

llvm::Expected<CandidatesOfOp> tessera::candidatesOf(OptimizationResult &result, llvm::StringRef wanted,
                                                     OpModelOptions opModel, bool all, size_t top) {
  decisions::Decisions names = decisionsOf(result, "");
  llvm::Expected<DecidedOp> named = findOp(names, wanted);
  if (!named)
    return named.takeError();
  size_t function = size_t(named->function - names.functions.data());
  OpId op{size_t(named->op)};
  const Problem &problem = result.functions[function].built.problem;
  // Made anew, as the planner's ended with the plan; it answers as the planner's did, which may have asked the module
  // for whom.
  if (opModel.backendVersion.empty())
    opModel.backendVersion = result.opModel.backendVersion;
  auto backend = OpModelBackend::create(opModel, {problem.device, *result.layouts, problem.l1Budget});
  if (!backend)
    return backend.takeError();
  CandidatesOfOp table{problem, op, candidateTable(problem, op, backend->model()), all, top};
  if (llvm::Error error = backend->finish())
    return std::move(error);
  return table;
}

// ---- For people and programs -----------------------------------------------------------------------------

json::Value tessera::toJson(const CandidatesOfOp &table) {
  json::Array rows;
  auto texts = [&](llvm::ArrayRef<LayoutId> layouts) {
    json::Array list;
    for (LayoutId layout : layouts)
      list.push_back(layout.valid() ? toJson(table.problem.layout(layout)) : json::Value(nullptr));
    return list;
  };
  // As in the table for people: no plan needs a row that another one beats, and `rows_in_all` tells that there are
  // more.
  for (const CandidateRow *each : table.shown()) {
    const CandidateRow &row = *each;
    const OpRuntime &t = row.time;
    rows.push_back(json::Object{{"inputs", texts(row.inputs)},
                                {"outputs", texts(row.config.outputs)},
                                {"config", toJson(row.config.specific)},
                                {"time_ns", json::Object{{"total", t.total.value()},
                                                         {"compute", t.compute.value()},
                                                         {"l1", t.l1.value()},
                                                         {"noc", t.noc.value()},
                                                         {"dram", t.dram.value()},
                                                         {"dispatch", t.dispatch.value()}}},
                                {"own_l1_bytes", row.own.value()},
                                {"margin_bytes", row.margin.value()},
                                {"declared", row.declared},
                                {"dominated", row.dominated}});
  }
  const Op &op = table.problem[table.op];
  return json::Object{{"op", op.name},
                      {"location", op.location},
                      {"device", table.problem.device.name},
                      {"budget_bytes", table.problem.l1Budget.value()},
                      {"rows_in_all", int64_t(table.rows.size())},
                      {"rows", std::move(rows)}};
}

static std::string layoutList(const Problem &problem, llvm::ArrayRef<LayoutId> layouts) {
  std::string text;
  for (LayoutId layout : layouts)
    text += (text.empty() ? "" : ", ") + (layout.valid() ? describe(problem.layout(layout)) : "any");
  return text;
}

void tessera::print(llvm::raw_ostream &os, const CandidatesOfOp &table) {
  const Problem &problem = table.problem;
  const Op &op = problem[table.op];
  os << op.location << "  (" << op.name << ", " << problem.device.name << "; L1 per core to share "
     << formatBytes(problem.l1Budget) << ")\n";
  TextTable text({{"time", Align::Right},
                  {"bound by"},
                  {"own L1", Align::Right},
                  {"margin", Align::Right},
                  {"operands"},
                  {"results"},
                  {"configuration"},
                  {"remark"}});
  std::vector<const CandidateRow *> shown = table.shown();
  for (const CandidateRow *row : shown)
    text.add({formatNanoseconds(row->time.total), boundBy(row->time).str(), formatBytes(row->own),
              formatBytes(row->margin), layoutList(problem, row->inputs),
              layoutList(problem, row->config.outputs), describe(row->config.specific),
              row->declared    ? "as in the input"
              : row->dominated ? "dominated"
                               : ""});
  text.print(os);
  os << shown.size() << " of " << table.rows.size() << " legal ways";
  // Either bound may have left rows out, and the option that shows them is named.
  if (shown.size() == table.top)
    os << ", the fastest (--top)";
  else if (shown.size() < table.rows.size())
    os << "; the others take no less time and no less L1 than one between the same layouts (--all)";
  os << "\n";
}
