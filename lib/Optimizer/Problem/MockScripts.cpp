//===- MockScripts.cpp - The mock statements of a problem text -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "MockScripts.h"

#include "llvm/ADT/STLExtras.h"

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

bool MockScripts::behaviour(ProblemWords &words, OpScript &script) {
  Token item = words.lexer.take();
  if (item.text == "buffers")
    return words.bytes(script.behaviour.circularBuffers);
  if (item.text == "dram_buffers")
    return words.bytes(script.behaviour.circularBuffersWithDramOutput.emplace());
  if (item.text == "margin")
    return words.bytes(script.behaviour.safetyMargin);
  const std::pair<llvm::StringRef, Nanoseconds *> times[] = {
      {"time", &script.time}, {"dram", &script.perDram}, {"interleaved", &script.perInterleaved}};
  for (auto [name, time] : times)
    if (item.text == name)
      return words.time(*time);
  const std::pair<llvm::StringRef, bool *> switches[] = {{"view", &script.behaviour.aliasesInput},
                                                         {"same_placement", &script.samePlacement},
                                                         {"interleaved_inputs", &script.noShardedInputs},
                                                         {"dram_inputs", &script.dramInputs}};
  for (auto [name, flag] : switches)
    if (item.text == name)
      return *flag = true;
  for (ValidationStatus status :
       {ValidationStatus::OutOfMemory, ValidationStatus::MetalBackendError, ValidationStatus::NotImplemented,
        ValidationStatus::UnmatchedReferenceConfig})
    if (item.text == name(status)) {
      script.behaviour.forced = status;
      return true;
    }
  return words.fail(item, "unknown mock behaviour '" + item.text + "'");
}

std::unique_ptr<OpModel> MockScripts::createModel(OpModelContext context) const {
  auto model = std::make_unique<ScriptedOpModel>(std::move(context));
  model->setDefault(defaultScript);
  for (const auto &[name, script] : scripts)
    model->setScript(name, script);
  return model;
}
