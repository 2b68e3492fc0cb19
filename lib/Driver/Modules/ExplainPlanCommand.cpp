//===- ExplainPlanCommand.cpp - tessera explain, tessera candidates -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One command with four answers: an overview, one op, all ops, or where the
// time is. They share how the plan is come by. What is priced differs:
// runners-up take time, and a question about groups of steps needs none.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "CandidatesOfOp.h"
#include "DecidedModule.h"
#include "DecisionText.h"
#include "TimeGroupsText.h"

#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/StringExtras.h"

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
  // Behind the file: a run whose file cannot be written has failed and prints nothing.
  for (const DecidedOp &op : decided) {
    print(people, op);
    people << "\n";
  }
  return kSuccess;
}

/// Where the time is.
static int explainTimes(const decisions::Decisions &all, const ExplainPlanArguments &arguments,
                        decisions::TimeBy by) {
  json::Array functions;
  for (const decisions::FunctionDecisions &function : all.functions)
    functions.push_back(timeByAsJson(function, by));
  if (!writeFiles({jsonFile(arguments.json, json::Object{{"functions", std::move(functions)}}),
                   timeByCsv(arguments.csv, all, by)}))
    return kInputError;
  for (const decisions::FunctionDecisions &function : all.functions)
    // One of both may have standard output, not both (checkOutputs).
    printTimeBy(peopleBeside(arguments.csv == "-" ? arguments.csv : arguments.json), function, by,
                size_t(arguments.top));
  return kSuccess;
}

/// Puts the op's location in the place of a result of its, "%5".
static llvm::Error nameOp(std::string &wanted, const ResultNames &names) {
  llvm::Expected<std::string> op = names.opOf(wanted);
  if (op)
    wanted = *op;
  return op.takeError();
}

/// Of a number alone nobody sees who counted, and an override by the same one may mean another op.
static void sayWhoCounts(llvm::StringRef wanted, const std::string &kind, const std::string &called) {
  if (wanted.starts_with(kind + "#"))
    llvm::errs()
        << "tessera: note: '" << wanted << "' is '" << called
        << "', counted in the plan; overrides and 'tessera ops explain' count in the file, which rewrites "
           "number otherwise\n";
}

int tessera::explainPlan(const ExplainPlanArguments &arguments) {
  // Before anything is planned, as are all errors of the command line.
  if (!checkOutputs({{"--json", arguments.json}, {"--csv", arguments.csv}}, arguments.opModel))
    return kUsageError;
  std::optional<decisions::TimeBy> by;
  if (!arguments.by.empty()) {
    auto named = parseName<decisions::TimeBy>("--by", arguments.by, decisions::wordsOf(decisions::TimeBy()));
    if (!named)
      return usageError(llvm::toString(named.takeError()));
    by = *named;
  }
  std::string wanted = arguments.op;
  auto read = readShownDecisions(arguments, [&](OptimizerOptions &options, const ResultNames &names) {
    // First, as ops are priced by their location, which "%5" becomes here.
    llvm::Error wrong = nameOp(wanted, names);
    options.pricedOps = priceOnly(wanted);
    if (by) // asks for times only
      options.pricedOps = [](const decisions::OpFacts &) { return false; };
    return wrong;
  });
  if (auto *code = std::get_if<ExitCode>(&read))
    return *code;
  const auto &all = std::get<decisions::Decisions>(read);
  llvm::raw_ostream &people = peopleBeside(arguments.json);
  if (arguments.all)
    return explainAll(all, arguments.json, people);
  if (by)
    return explainTimes(all, arguments, *by);
  if (arguments.op.empty()) {
    json::Array functions;
    for (const decisions::FunctionDecisions &function : all.functions)
      functions.push_back(costliestAsJson(function, size_t(arguments.top)));
    if (!writeFiles({jsonFile(arguments.json, json::Object{{"functions", std::move(functions)}})}))
      return kInputError;
    for (const decisions::FunctionDecisions &function : all.functions)
      printCostliest(people, function, size_t(arguments.top));
    return kSuccess;
  }
  llvm::Expected<DecidedOp> op = findOp(all, wanted);
  if (!op)
    return usageError(llvm::toString(op.takeError()));
  if (!writeFiles({jsonFile(arguments.json, toJson(*op))}))
    return kInputError;
  const decisions::OpFacts &facts = op->function->ops[size_t(op->op)];
  if (op->function->rewrites && !op->function->rewrites->empty())
    sayWhoCounts(wanted, facts.name, facts.called());
  print(people, *op);
  return kSuccess;
}

/// Of the plan only the names of ops are wanted, so the policy that asks least makes it (askForCandidates).
int tessera::listCandidates(const CandidatesArguments &arguments) {
  if (!checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  std::string wanted = arguments.op;
  auto planned = decideModule(arguments, [&](OptimizerOptions &options, const ResultNames &names) {
    askForCandidates(options);
    return nameOp(wanted, names);
  });
  if (auto *code = std::get_if<ExitCode>(&planned))
    return *code;
  llvm::Expected<CandidatesOfOp> table =
      candidatesOf(std::get<DecidedModule>(planned).result, wanted, arguments.opModel, arguments.all,
                   arguments.top > 0 ? size_t(arguments.top) : std::numeric_limits<size_t>::max());
  if (!table)
    return usageError(llvm::toString(table.takeError()));
  if (!writeFiles({jsonFile(arguments.json, toJson(*table))}))
    return kInputError;
  if (std::get<DecidedModule>(planned).result.graph)
    sayWhoCounts(wanted, table->problem[table->op].name, table->problem[table->op].location);
  print(peopleBeside(arguments.json), *table);
  return kSuccess;
}
