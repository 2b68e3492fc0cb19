//===- Decoding.cpp - A selection as a plan -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Decoding.h"

#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace tessera;
using namespace tessera::optimal;

namespace {
class Decoder {
public:
  Decoder(const Translation &translation, llvm::ArrayRef<SelectionState> selection, const OpCostTable &table,
          llvm::StringRef policy)
      : translation(translation), space(translation.space), problem(space.problem), selection(selection),
        table(table), builder(problem, policy.str()), copies(problem.values.size()),
        readersLeft(problem.values.size()) {
    for (size_t value = 0; value < problem.values.size(); ++value) {
      readersLeft[value] = countReaders(problem.values[value]);
      if (!problem.values[value].producer.valid())
        enter(ValueId(value), problem.values[value].declared, builder.original(ValueId(value)));
    }
  }

  Plan run(const Schedule &order) {
    for (OpId op : order)
      run(op);
    // What is returned otherwise than it lies by then.
    for (ValueId value : problem.returned)
      if (problem[value].producer.valid())
        inForm(value, *space.forms[value.index()].find(problem[value].declared), ConversionReason::Return,
               problem[value].producer);
    return builder.finish();
  }

private:
  void enter(ValueId value, LayoutId layout, TensorId tensor) {
    copies[value.index()].try_emplace(*space.forms[value.index()].find(layout), tensor);
  }

  /// Made from the nearest that there is, if it is not there.
  TensorId inForm(ValueId value, Form form, ConversionReason reason, OpId op) {
    std::map<Form, TensorId> &its = copies[value.index()];
    if (auto known = its.find(form); known != its.end())
      return known->second;
    const Distances &distances = *space.forms[value.index()].distances;
    auto nearest = std::min_element(its.begin(), its.end(), [&](const auto &a, const auto &b) {
      return distances.at(a.first, form) < distances.at(b.first, form);
    });
    TensorId tensor = nearest->second;
    for (Form stop : distances.path(nearest->first, form))
      tensor = builder.convert(tensor, space.forms[value.index()].layouts[stop], reason, op);
    return its[form] = tensor;
  }

  void run(OpId id) {
    const Op &op = problem[id];
    const Way &way = translation.wayOf(id, selection);
    auto values = distinctValues(op);
    std::map<ValueId, TensorId> read;
    for (auto [value, form] : llvm::zip_equal(values, way.itsReads))
      read[value] = inForm(value, form, reasonOf(value), id);
    std::vector<TensorId> operands;
    for (ValueId value : op.operands)
      operands.push_back(read[value]);
    builder.run(id, std::move(operands), table[way.config]);
    for (ValueId value : values)
      if (--readersLeft[value.index()] > 0)
        leaveToRest(value);
    for (auto [value, form] : llvm::zip_equal(op.results, way.itsMakes)) {
      copies[value.index()][form] = builder.original(value);
      if (std::optional<Form> rest = translation.restOf(value, selection);
          rest && space.l1Bytes(value, *rest) < space.l1Bytes(value, form)) {
        inForm(value, *rest, ConversionReason::Spill, id);
        if (readersLeft[value.index()] == 1)
          leaveToRest(value);
      }
    }
  }

  /// From now on the value is where it rests, and nowhere else.
  void leaveToRest(ValueId value) {
    std::map<Form, TensorId> &its = copies[value.index()];
    if (std::optional<Form> rest = translation.restOf(value, selection); rest && its.count(*rest))
      its = {{*rest, its[*rest]}};
  }

  ConversionReason reasonOf(ValueId value) const {
    std::optional<Form> rest = translation.restOf(value, selection);
    return rest && copies[value.index()].size() == 1 && copies[value.index()].begin()->first == *rest &&
                   !problem.layout(space.forms[value.index()].layouts[*rest]).isL1()
               ? ConversionReason::Reload
               : ConversionReason::Reshard;
  }

  const Translation &translation;
  const Space &space;
  const Problem &problem;
  llvm::ArrayRef<SelectionState> selection;
  const OpCostTable &table;
  PlanBuilder builder;
  std::vector<std::map<Form, TensorId>> copies; ///< by value: those that may be read from now on
  std::vector<size_t> readersLeft;
};
} // namespace

Plan optimal::decoded(const Translation &translation, const Schedule &order,
                      llvm::ArrayRef<SelectionState> selection, const OpCostTable &table,
                      llvm::StringRef policy) {
  return Decoder(translation, selection, table, policy).run(order);
}
