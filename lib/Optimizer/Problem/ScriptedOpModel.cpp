//===- ScriptedOpModel.cpp - The mock device of a problem text -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ScriptedOpModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

/// All sharded tensors of the query lie alike. Undecided outputs follow the first operand.
bool sharedPlacement(const OpQuery &query, LayoutPool &pool) {
  const TensorLayout *first = nullptr;
  auto agrees = [&](LayoutId id) {
    if (!id.valid() || !pool[id].isSharded())
      return true;
    if (!first)
      first = &pool[id];
    return pool[id].memory == first->memory && pool[id].grid == first->grid;
  };
  return llvm::all_of(query.inputs, agrees) && llvm::all_of(query.config.outputs, agrees);
}

MockBehaviour behaviourOf(const OpScript &script) {
  MockBehaviour behaviour = script.behaviour;
  // Without a rule there is no predicate, and the mock accepts what it accepts by itself.
  if (script.samePlacement || script.noShardedInputs || script.shardedInputs || script.dramInputs)
    behaviour.accepts = [same = script.samePlacement, interleaved = script.noShardedInputs,
                         sharded = script.shardedInputs,
                         dram = script.dramInputs](const OpQuery &query, LayoutPool &pool) {
      auto fits = [&](LayoutId id) {
        return !(interleaved && pool[id].isSharded()) && !(sharded && !pool[id].isSharded()) &&
               !(dram && pool[id].isL1());
      };
      return llvm::all_of(query.inputs, fits) && (!same || sharedPlacement(query, pool));
    };
  return behaviour;
}

} // namespace

void ScriptedOpModel::setScript(llvm::StringRef opName, OpScript script) {
  mock.behaviour(opName) = behaviourOf(script);
  scripts[opName] = std::move(script);
}

void ScriptedOpModel::setDefault(OpScript script) {
  mock.defaultBehaviour() = behaviourOf(script);
  fallback = std::move(script);
}

const OpScript &ScriptedOpModel::script(llvm::StringRef opName) const {
  auto found = scripts.find(opName);
  return found == scripts.end() ? fallback : found->second;
}

/// So much for the op, for each tensor in DRAM and for each that is interleaved in L1; on shapes and grids nothing
/// depends.
OpRuntime ScriptedOpModel::runtime(const OpQuery &query) const {
  const OpScript &opScript = script(query.op.name);
  OpRuntime runtime;
  runtime.compute = opScript.time;
  auto charge = [&](LayoutId id) {
    const TensorLayout &layout = layouts()[id];
    if (layout.isDram())
      runtime.dram += opScript.perDram;
    else if (layout.isL1() && layout.isInterleaved())
      runtime.noc += opScript.perInterleaved;
  };
  for (LayoutId id : query.inputs)
    charge(id);
  for (LayoutId id : query.config.outputs)
    if (id.valid())
      charge(id);
  // A sum and no maximum, so that whoever reads an instance can add up a plan's time by hand.
  runtime.total = runtime.compute + runtime.dram + runtime.noc;
  return runtime;
}
