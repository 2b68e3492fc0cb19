//===- ExplainPlanCommand.cpp - tessera explain, tessera candidates -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DecidedModule.h"
#include "DecisionText.h"
#include "Session.h"

#include "tessera/OpModel/LayoutJson.h"
#include "tessera/Optimizer/Decisions/CandidateTable.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
namespace json = llvm::json;

/// JSON on standard output must stand alone there.
static llvm::raw_ostream &peopleBeside(const std::string &json) {
  return json == "-" ? llvm::errs() : llvm::outs();
}

/// Every op of every function.
static int explainAll(const decisions::Decisions &all, const std::string &path, llvm::raw_ostream &people) {
  json::Array ops;
  std::vector<DecidedOp> decided;
  for (const decisions::FunctionDecisions &function : all.functions)
    for (size_t op = 0; op < function.ops.size(); ++op) {
      decided.push_back({&function, decisions::Index(op)});
      if (!path.empty())
        ops.push_back(toJson(decided.back()));
    }
  if (!writeFiles({jsonFile(path, json::Object{{"ops", std::move(ops)}})}))
    return kInputError;
  for (const DecidedOp &op : decided) {
    print(people, op);
    people << "\n";
  }
  return kSuccess;
}

int tessera::explainPlan(const ExplainPlanArguments &arguments) {
  if (!checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  auto read = readShownDecisions(
      arguments, [&](OptimizerOptions &options) { options.pricedOps = priceOnly(arguments.op); });
  if (auto *code = std::get_if<ExitCode>(&read))
    return *code;
  const auto &all = std::get<decisions::Decisions>(read);
  llvm::raw_ostream &people = peopleBeside(arguments.json);
  if (arguments.all)
    return explainAll(all, arguments.json, people);
  if (arguments.op.empty()) {
    json::Array functions;
    for (const decisions::FunctionDecisions &function : all.functions)
      functions.push_back(costliestAsJson(function));
    if (!writeFiles({jsonFile(arguments.json, json::Object{{"functions", std::move(functions)}})}))
      return kInputError;
    for (const decisions::FunctionDecisions &function : all.functions)
      printCostliest(people, function);
    return kSuccess;
  }
  llvm::Expected<DecidedOp> op = findOp(all, arguments.op);
  if (!op)
    return usageError(llvm::toString(op.takeError()));
  if (!writeFiles({jsonFile(arguments.json, toJson(*op))}))
    return kInputError;
  print(people, *op);
  return kSuccess;
}

// ---- candidates ------------------------------------------------------------------------------------------

namespace {

/// An op's table with what it is about.
struct OpTable {
  const Problem &problem;
  OpId op;
  std::vector<CandidateRow> rows;
  bool all; ///< dominated rows too

  size_t shown() const {
    return size_t(llvm::count_if(rows, [this](const CandidateRow &row) { return all || !row.dominated; }));
  }
};

json::Value toJson(const OpTable &table) {
  json::Array rows;
  auto texts = [&](llvm::ArrayRef<LayoutId> layouts) {
    json::Array list;
    for (LayoutId layout : layouts)
      list.push_back(layout.valid() ? toJson(table.problem.layout(layout)) : json::Value(nullptr));
    return list;
  };
  for (const CandidateRow &row : table.rows) {
    // As in the table for people: no plan needs a row that another one beats, and `rows_in_all` tells that
    // there are more.
    if (row.dominated && !table.all)
      continue;
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

std::string layoutList(const Problem &problem, llvm::ArrayRef<LayoutId> layouts) {
  std::string text;
  for (LayoutId layout : layouts)
    text += (text.empty() ? "" : ", ") + (layout.valid() ? describe(problem.layout(layout)) : "any");
  return text;
}

void print(llvm::raw_ostream &os, const OpTable &table) {
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
                  {""}});
  for (const CandidateRow &row : table.rows)
    if (table.all || !row.dominated)
      text.add({formatNanoseconds(row.time.total), boundBy(row.time).str(), formatBytes(row.own),
                formatBytes(row.margin), layoutList(problem, row.inputs),
                layoutList(problem, row.config.outputs), describe(row.config.specific),
                row.declared    ? "as in the input"
                : row.dominated ? "dominated"
                                : ""});
  text.print(os);
  os << table.shown() << " of " << table.rows.size() << " legal ways";
  if (table.shown() < table.rows.size())
    os << "; the others take no less time and no less L1 than one between the same layouts (--all)";
  os << "\n";
}

/// The op of that name, by the names that `tessera explain` takes too.
llvm::Expected<std::pair<const OptimizedFunction *, OpId>>
select(DecidedModule &decided, const std::string &input, llvm::StringRef wanted) {
  decisions::Decisions names = decisionsOf(decided.result, input);
  llvm::Expected<DecidedOp> op = findOp(names, wanted);
  if (!op)
    return op.takeError();
  size_t function = size_t(op->function - names.functions.data());
  return std::pair(&decided.result.functions[function], OpId(size_t(op->op)));
}

} // namespace

int tessera::listCandidates(const CandidatesArguments &arguments) {
  if (!checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  auto planned = decideModule(arguments, [](OptimizerOptions &options) {
    // The table is the program's, whoever decides: of those that say how ops compute (--numerics), the policy that asks least. Where
    // the graph may be another, the plan says which it is.
    if (options.rewrites.none())
      options.policy = "configurations";
    options.decisions = true;
    options.pricedOps = [](const decisions::OpFacts &) { return false; }; // only names are asked for
  });
  if (auto *code = std::get_if<ExitCode>(&planned))
    return *code;
  DecidedModule &decided = std::get<DecidedModule>(planned);
  auto selected = select(decided, arguments.input, arguments.op);
  if (!selected)
    return usageError(llvm::toString(selected.takeError()));
  auto [function, op] = *selected;
  const Problem &problem = function->built.problem;
  auto backend =
      OpModelBackend::create(arguments.opModel, {problem.device, *decided.result.layouts, problem.l1Budget});
  if (!backend)
    return inputError(llvm::toString(backend.takeError()));
  OpTable table{problem, op, candidateTable(problem, op, backend->model()), arguments.all};
  if (llvm::Error error = backend->finish())
    return inputError(llvm::toString(std::move(error)));
  if (!writeFiles({jsonFile(arguments.json, toJson(table))}))
    return kInputError;
  print(peopleBeside(arguments.json), table);
  return kSuccess;
}
