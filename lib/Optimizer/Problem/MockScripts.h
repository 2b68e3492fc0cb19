//===- MockScripts.h - The mock statements of a problem text -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_PROBLEM_MOCKSCRIPTS_H
#define TESSERA_LIB_OPTIMIZER_PROBLEM_MOCKSCRIPTS_H

#include "ProblemWords.h"
#include "ScriptedOpModel.h"

namespace tessera {

/// Collects `mock` statements (docs/problem-format.md, "Mock device") until the model can be made of them.
class MockScripts {
public:
  /// What follows the word `mock`: default|<op> {behaviour}. False on an error.
  bool parse(ProblemWords &words);
  /// Of what was parsed by then.
  std::unique_ptr<OpModel> createModel(OpModelContext context) const;

private:
  /// One word with what belongs to it, into the script. False on an error.
  bool behaviour(ProblemWords &words, OpScript &script);

  OpScript defaultScript;
  std::vector<std::pair<std::string, OpScript>> scripts; ///< by op name, in the order of the text
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_PROBLEM_MOCKSCRIPTS_H
