//===- CandidateTable.cpp - All ways to run one op ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/CandidateTable.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Support/SortStably.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

/// Rows in the order of what they take, L1 behind time. The table is for one op and one question, so that it asks
/// of the op model whatever might be legal and leaves the choice of what to show to its readers.
class TableBuilder {
public:
  TableBuilder(const Problem &problem, OpId op, const OpCostTable &model)
      : problem(problem), op(op), model(model), conversions(model) {}

  std::vector<CandidateRow> run() {
    OperandLayouts declared = declaredInputs(problem, op);
    std::vector<OperandLayouts> asMade = operandsAsMade(declared);
    // Operands as declared, as their producers may make them, and as the search for legal configurations tries
    // them: the table is for people who ask what an op could do, so it is wider than what any policy looks at.
    for (const OpConfig &config : problem[op].legal) {
      add(config, declared);
      // Plausible operand layouts follow the result's, and a fixed op reads what it is declared to read.
      if (config.outputs.empty() || problem[op].operands.empty() || problem[op].role == OpRole::Fixed)
        continue;
      for (const OperandLayouts &inputs : asMade)
        add(config, inputs);
      forEachPlausibleInputs(problem, op, config.outputs.front(), [&](llvm::ArrayRef<LayoutId> inputs) {
        add(config, inputs);
        return false;
      });
    }
    for (CandidateRow &row : rows)
      row.declared = row.config == problem[op].declared && row.inputs == declared;
    markDominated();
    return std::move(rows);
  }

private:
  /// One operand in each layout that its producer may make, the others as declared; or all operands of its shape in it.
  /// Both, since joins ask for operands placed alike while most other ops look at one operand alone.
  std::vector<OperandLayouts> operandsAsMade(const OperandLayouts &declared) const {
    std::vector<OperandLayouts> all;
    llvm::ArrayRef<ValueId> operands = problem[op].operands;
    for (ValueId made : operands) {
      const Value &value = problem[made];
      if (!value.producer.valid() || value.kind != ValueKind::Activation)
        continue;
      // Of arguments and constants no op decides the layout.
      for (const OpConfig &config : problem[value.producer].legal) {
        if (config.outputs.size() != problem[value.producer].results.size())
          continue;
        // A layout fits a shape, so only operands of the same tensor type come along.
        OperandLayouts one = declared, alike = declared;
        for (auto [index, operand] : llvm::enumerate(operands)) {
          const Value &other = problem[operand];
          if (operand == made)
            one[index] = alike[index] = config.outputs[value.resultIndex];
          else if (other.kind == ValueKind::Activation && other.tensor == value.tensor)
            alike[index] = config.outputs[value.resultIndex];
        }
        all.push_back(std::move(one));
        all.push_back(std::move(alike));
      }
    }
    return all;
  }

  /// A row, if the op model takes it, and is asked about it for the first time: declared, made and plausible
  /// operands overlap.
  void add(const OpConfig &config, llvm::ArrayRef<LayoutId> inputs) {
    auto isSame = [&](const CandidateRow &row) {
      return row.config == config && llvm::ArrayRef(row.inputs) == inputs;
    };
    if (!isAllowed(problem[op], config, inputs) || llvm::any_of(rows, isSame))
      return;
    // In an empty L1, as the table of op costs has it: what lies beside the op is the plan's affair.
    StepCost cost = costInEmptyL1(problem, op, inputs, config, model, conversions);
    if (!cost.legal)
      return;
    CandidateRow row{llvm::SmallVector<LayoutId, 4>(inputs), config, {}, {}, {}};
    row.time.total = cost.time;
    // A conversion op may take two programs, by way of another layout: there is no one answer about them.
    if (problem[op].role != OpRole::Conversion) {
      OpQuery query{problem.signature(op), inputs, config};
      row.time = model.runtime(query);
      row.margin = model.query(query).constraints.safetyMargin;
    }
    // The margin has a column of its own: it is what unconfirmed figures ask for, and no memory that the op
    // uses.
    row.own = cost.own - row.margin;
    rows.push_back(std::move(row));
  }

  /// Dominated is a row beside another that reads and makes the same, is no slower, and takes no more L1: no plan has
  /// a use for it.
  void markDominated() {
    // Of equals, the first that was found.
    auto key = [](const CandidateRow &row) { return std::pair(row.time.total, row.own + row.margin); };
    sortStably(rows, [&](const CandidateRow &a, const CandidateRow &b) { return key(a) < key(b); });
    // Quadratic, but of the rows of one op.
    for (size_t i = 0; i < rows.size(); ++i)
      // All that stands before takes no more time.
      for (size_t faster = 0; faster < i && !rows[i].dominated; ++faster)
        // Only rows that read and make the same layouts can replace each other. With the margin, which has to
        // be free as well.
        rows[i].dominated = rows[faster].inputs == rows[i].inputs &&
                            rows[faster].config.outputs == rows[i].config.outputs &&
                            rows[faster].own + rows[faster].margin <= rows[i].own + rows[i].margin;
  }

  const Problem &problem;
  OpId op;
  OpCostTable model;
  Conversions conversions;
  std::vector<CandidateRow> rows;
};

} // namespace

std::vector<CandidateRow> tessera::candidateTable(const Problem &problem, OpId op, const OpCostTable &model) {
  return TableBuilder(problem, op, model).run();
}
