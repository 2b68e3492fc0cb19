//===- MockScripts.cpp - The mock statements of a problem text -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "MockScripts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

bool MockScripts::parse(ProblemWords &words) {
  std::optional<Token> name = words.word("an op name or 'default'");
  if (!name)
    return false;
  auto known = scripts.find(name->text);
  // A second line for an op adds to its first; a first one starts from the defaults so far.
  OpScript script = known == scripts.end() ? defaultScript : known->second;
  while (words.lexer.peek().kind == Token::Kind::Word)
    if (!behaviour(words, script))
      return false;
  (name->text == "default" ? defaultScript : scripts[name->text]) = std::move(script);
  return true;
}

namespace {

/// One behaviour by its name; reads what belongs to it.
struct Behaviour {
  llvm::StringRef name;
  bool (*read)(ProblemWords &words, OpScript &script);
};

template <ValidationStatus status>
bool force(ProblemWords &, OpScript &script) {
  script.behaviour.forced = status;
  return true;
}

/// One table, so that a word, what is read behind it and what the error lists as known are the same.
const Behaviour kBehaviours[] = {
    {"time", [](ProblemWords &words, OpScript &script) { return words.time(script.time); }},
    {"dram", [](ProblemWords &words, OpScript &script) { return words.time(script.perDram); }},
    {"interleaved", [](ProblemWords &words, OpScript &script) { return words.time(script.perInterleaved); }},
    {"buffers",
     [](ProblemWords &words, OpScript &script) { return words.bytes(script.behaviour.circularBuffers); }},
    {"dram_buffers",
     [](ProblemWords &words, OpScript &script) {
       return words.bytes(script.behaviour.circularBuffersWithDramOutput.emplace());
     }},
    {"margin",
     [](ProblemWords &words, OpScript &script) { return words.bytes(script.behaviour.safetyMargin); }},
    {"view", [](ProblemWords &, OpScript &script) { return script.behaviour.aliasesInput = true; }},
    {"same_placement", [](ProblemWords &, OpScript &script) { return script.samePlacement = true; }},
    {"interleaved_inputs", [](ProblemWords &, OpScript &script) { return script.noShardedInputs = true; }},
    {"sharded_inputs", [](ProblemWords &, OpScript &script) { return script.shardedInputs = true; }},
    {"dram_inputs", [](ProblemWords &, OpScript &script) { return script.dramInputs = true; }},
    {name(ValidationStatus::OutOfMemory), force<ValidationStatus::OutOfMemory>},
    {name(ValidationStatus::MetalBackendError), force<ValidationStatus::MetalBackendError>},
    {name(ValidationStatus::NotImplemented), force<ValidationStatus::NotImplemented>},
    {name(ValidationStatus::UnmatchedReferenceConfig), force<ValidationStatus::UnmatchedReferenceConfig>}};

} // namespace

bool MockScripts::behaviour(ProblemWords &words, OpScript &script) {
  Token item = words.lexer.take();
  for (const Behaviour &behaviour : kBehaviours)
    if (item.text == behaviour.name)
      return behaviour.read(words, script);
  // From the table itself, so that the message names whatever can be said.
  std::string known = llvm::join(
      llvm::map_range(kBehaviours, [](const Behaviour &behaviour) { return behaviour.name; }), ", ");
  return words.fail(item, "unknown mock behaviour '" + item.text + "'; known: " + known);
}

// ---- The model -------------------------------------------------------------------------------------------

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
    behaviour.accepts = [script](const OpQuery &query, LayoutPool &pool) {
      auto fits = [&](LayoutId id) {
        return !(script.noShardedInputs && pool[id].isSharded()) &&
               !(script.shardedInputs && !pool[id].isSharded()) && !(script.dramInputs && pool[id].isL1());
      };
      return llvm::all_of(query.inputs, fits) && (!script.samePlacement || sharedPlacement(query, pool));
    };
  return behaviour;
}

class ScriptedOpModel final : public OpModel {
public:
  ScriptedOpModel(const OpModelContext &context, const OpScript &fallback,
                  const llvm::StringMap<OpScript> &scripts)
      : OpModel(context), mock(context), fallback(fallback), scripts(scripts) {
    mock.defaultBehaviour() = behaviourOf(fallback);
    for (const auto &[name, script] : scripts)
      mock.behaviour(name) = behaviourOf(script);
  }

  ValidationResult query(const OpQuery &query) const override { return mock.query(query); }
  llvm::StringRef name() const override { return "scripted"; }

  /// So much for the op, for each tensor in DRAM and for each that is interleaved in L1; on shapes and grids nothing
  /// depends.
  OpRuntime runtime(const OpQuery &query) const override {
    auto known = scripts.find(query.op.name);
    const OpScript &script = known == scripts.end() ? fallback : known->second;
    OpRuntime runtime;
    runtime.compute = script.time;
    auto charge = [&](LayoutId id) {
      const TensorLayout &layout = layouts()[id];
      if (layout.isDram())
        runtime.dram += script.perDram;
      else if (layout.isL1() && layout.isInterleaved())
        runtime.noc += script.perInterleaved;
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

private:
  MockOpModel mock;
  OpScript fallback;
  llvm::StringMap<OpScript> scripts;
};

} // namespace

std::unique_ptr<OpModel> MockScripts::createModel(OpModelContext context) const {
  return std::make_unique<ScriptedOpModel>(context, defaultScript, scripts);
}
