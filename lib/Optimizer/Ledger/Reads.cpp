//===- Reads.cpp - An op's decisions on a draft, all operands at once ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/Reads.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace tessera;

Read tessera::readIn(Draft &draft, ValueId value, LayoutId layout) {
  LayoutId made = draft.made(value), home = draft.home(value);
  bool isMade = draft.problem[value].producer.valid();
  if (isMade && layout == made)
    return {Source::Original, LayoutId()};
  if (layout == home)
    return {Source::Home, LayoutId()};
  // From where it is made, if there is a way: then the copy at home need not exist for this reader.
  bool direct = isMade && draft.oracle.convert(value, made, layout).legal;
  return {direct ? Source::Original : Source::Home, layout, /*shared=*/true};
}

LayoutId tessera::layoutRead(const Draft &draft, OpId op, ValueId value) {
  return draft.layoutRead(op, firstOperand(draft.problem[op], value));
}

llvm::SmallVector<LayoutId, 3> tessera::inputsOf(const Draft &draft, OpId op) {
  return llvm::map_to_vector<3>(distinctValues(draft.problem[op]),
                                [&](ValueId value) { return layoutRead(draft, op, value); });
}

void tessera::setReads(Draft &draft, OpId op, ValueId value, Read read) {
  for (auto [operand, read_] : llvm::enumerate(draft.problem[op].operands))
    if (read_ == value && draft.mayReadElsewhere(op, operand))
      draft.setRead(op, operand, read);
}

/// Whether the reader may run with what it reads now, but `value` in `layout`.
static bool mayRead(Draft &draft, OpId reader, ValueId value, LayoutId layout) {
  auto [config, inputs] = draft.queryOf(reader);
  setInput(draft.problem[reader], value, layout, inputs);
  return draft.oracle.run(reader, inputs, config).legal;
}

/// Readers of the op's results are to stay with their layouts, all or those that may not follow to `config`: with what they read now,
/// before the op changes.
static void keepReaders(Draft &draft, OpId op, ConfigId config, Readers readers) {
  auto stays = [&](OpId reader, ValueId value) {
    return readers == Readers::Stay ||
           !mayRead(draft, reader, value, draft.oracle[config].outputs[draft.problem[value].resultIndex]);
  };
  // Who reads home, or reshards, reads a layout that does not change with what the op makes.
  for (ValueId result : draft.problem[op].results)
    for (const Use &use : draft.problem[result].uses)
      if (Read now = draft.read(use.op, use.operand); now.source != Source::Home && !now.reshard.valid() &&
                                                      draft.mayReadElsewhere(use.op, use.operand) &&
                                                      stays(use.op, result))
        draft.setRead(use.op, use.operand,
                      {Source::Original, layoutRead(draft, use.op, result), /*shared=*/true});
}

void tessera::take(Draft &draft, OpId op, ConfigId config, llvm::ArrayRef<LayoutId> inputs, Readers readers) {
  // Before the op changes: what its readers read now is asked of the draft as it is.
  if (readers != Readers::Follow)
    keepReaders(draft, op, config, readers);
  draft.setConfig(op, config);
  for (auto [value, layout] : llvm::zip_equal(distinctValues(draft.problem[op]), inputs))
    setReads(draft, op, value, readIn(draft, value, layout));
}

void tessera::takeAll(Draft &draft, llvm::ArrayRef<Decision> decisions) {
  // Producers come first, so readers follow what is decided already, and are set themselves when it is their turn.
  for (OpId op : draft.schedule())
    if (draft.problem[op].role != OpRole::Fixed)
      take(draft, op, decisions[op.index()], Readers::Follow);
}
