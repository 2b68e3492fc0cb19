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
  auto known = llvm::find_if(scripts, [&](const auto &entry) { return entry.first == name->text; });
  // A second line for an op adds to its first; a first one starts from the defaults so far.
  OpScript script = known == scripts.end() ? defaultScript : known->second;
  while (words.lexer.peek().kind == Token::Kind::Word)
    if (!behaviour(words, script))
      return false;
  if (name->text == "default")
    defaultScript = std::move(script);
  else if (known != scripts.end())
    known->second = std::move(script);
  else
    scripts.emplace_back(name->text.str(), std::move(script));
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

std::unique_ptr<OpModel> MockScripts::createModel(OpModelContext context) const {
  auto model = std::make_unique<ScriptedOpModel>(std::move(context));
  model->setDefault(defaultScript);
  for (const auto &[name, script] : scripts)
    model->setScript(name, script);
  return model;
}
