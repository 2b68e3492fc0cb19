//===- Decoding.cpp - A selection as a plan -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A selection says in which forms ops read and make values, and where those wait. The plan follows in the order of the
// ops: a form that is wanted is made from the nearest copy that is there. A value that rests is nowhere else meanwhile,
// so that it takes no more L1 than the selection holds for it; copies of others stay as long as somebody reads them.
//
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
        table(table), builder(problem, policy.str()), copies(problem.values.size()) {
    for (ValueId value : givenValues(problem))
      enter(value, problem[value].declared, builder.original(value));
  }

  Plan run(const Schedule &order) {
    positions = positionsIn(order);
    for (OpId op : order)
      run(op);
    // What is returned otherwise than it lies by then.
    for (ValueId value : problem.returned)
      if (problem[value].producer.valid())
        inForm(value, *space.forms[value.index()].find(problem[value].declared), problem[value].producer);
    return builder.finish();
  }

private:
  void enter(ValueId value, LayoutId layout, TensorId tensor) {
    copies[value.index()].try_emplace(*space.forms[value.index()].find(layout), tensor);
  }

  /// Made from the nearest that there is, if it is not there.
  /// Copies are looked through in the order of their forms, so of two that are as near the one with the lower number
  /// is taken each time.
  TensorId inForm(ValueId value, Form form, OpId op) {
    std::map<Form, TensorId> &its = copies[value.index()];
    if (auto known = its.find(form); known != its.end())
      return known->second;
    const Distances &distances = *space.forms[value.index()].distances;
    auto nearest = std::min_element(its.begin(), its.end(), [&](const auto &a, const auto &b) {
      return distances.at(a.first, form) < distances.at(b.first, form);
    });
    TensorId tensor = nearest->second;
    // Stops on the way are copies, too, and may be nearer to what the next reader wants.
    for (Form stop : distances.path(nearest->first, form))
      its[stop] = tensor = builder.convert(tensor, space.forms[value.index()].layouts[stop], op);
    return tensor;
  }

  void run(OpId id) {
    const Op &op = problem[id];
    const Way &way = translation.wayOf(id, selection);
    auto values = distinctValues(op);
    std::map<ValueId, TensorId> read;
    for (auto [value, form] : llvm::zip_equal(values, way.itsReads))
      read[value] = inForm(value, form, id);
    // A value that is given twice is one tensor, read twice.
    std::vector<TensorId> operands;
    for (ValueId value : op.operands)
      operands.push_back(read[value]);
    builder.run(id, std::move(operands), table[way.config]);
    for (auto [value, form] : llvm::zip_equal(values, way.itsReads)) {
      Translation::Rests rests = translation.restsOf(value, selection);
      if (rests.behind)
        leaveToRest(value, *rests.behind, id);
      // Until the first reader the value lies where it rests alone, and one copy made for a reader goes on to no other.
      else if (rests.before)
        std::erase_if(copies[value.index()],
                      [&](const auto &copy) { return copy.first != *rests.before && copy.first != form; });
    }
    // Results after operands: what the op leaves to rest is free before its own results move.
    for (auto [value, form] : llvm::zip_equal(op.results, way.itsMakes)) {
      copies[value.index()][form] = builder.original(value);
      restBeforeReaders(value, form, id);
    }
  }

  /// The value leaves the form that it was made in, for where it waits: that of all, or that of the last reader and another one of the first.
  void restBeforeReaders(ValueId value, Form made, OpId op) {
    Translation::Rests rests = translation.restsOf(value, selection);
    if (!rests.before || space.l1Bytes(value, *rests.before) >= space.l1Bytes(value, made))
      return;
    if (!rests.parted)
      return leaveToRest(value, *rests.before, op);
    std::optional<Form> own = translation.waitsIn(value, *rests.parted, firstRead(value));
    // No form takes less L1 than where they part, which no allowed selection has (Translation::wait).
    if (!own)
      return;
    TensorId ofFirst = inForm(value, *own, op);
    leaveToRest(value, *rests.before, op);
    copies[value.index()].try_emplace(*own, ofFirst);
  }

  /// In which form the first op reads it that does.
  Form firstRead(ValueId value) const {
    // By the order of the plan, which need not be the program's.
    OpId first =
        *llvm::min_element(llvm::map_range(problem[value].uses, [](const Use &use) { return use.op; }),
                           [&](OpId a, OpId b) { return positions[a.index()] < positions[b.index()]; });
    return translation.wayOf(first, selection).itsReads[placeOf(problem[first], value)];
  }

  /// From now on the value is where it rests, and nowhere else.
  void leaveToRest(ValueId value, Form rest, OpId op) {
    copies[value.index()] = {{rest, inForm(value, rest, op)}};
  }

  const Translation &translation;
  const Space &space;
  const Problem &problem;
  llvm::ArrayRef<SelectionState> selection;
  const OpCostTable &table;
  PlanBuilder builder;
  std::vector<std::map<Form, TensorId>> copies; ///< by value: those that may be read from now on
  std::vector<SchedulePos> positions;           ///< by OpId: in the order of the plan
};
} // namespace

Plan optimal::decoded(const Translation &translation, const Schedule &order,
                      llvm::ArrayRef<SelectionState> selection, const OpCostTable &table,
                      llvm::StringRef policy) {
  return Decoder(translation, selection, table, policy).run(order);
}
