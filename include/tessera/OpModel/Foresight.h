//===- Foresight.h - What a run will most likely ask ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A search asks one question at a time and waits for the answer. A backend that
// takes long over one but can answer several at once wants to hear them before
// they are asked. Whether a question was foreseen changes no answer.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_FORESIGHT_H
#define TESSERA_OPMODEL_FORESIGHT_H

#include "tessera/OpModel/OpModel.h"
#include "tessera/Support/ProgressFunction.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera {

struct ForeseenQuestion {
  std::string question;               ///< as QuestionWriter has it (Question.h)
  std::vector<TensorLayout> expected; ///< where the formulas say that its results lie
};

struct Foresight {
  /// Called when an answer is missing for the first time, and not before: it may take as long as planning. May be empty.
  std::function<std::vector<ForeseenQuestion>()> questions;
  ProgressFunction progress; ///< of their answers
};

} // namespace tessera

#endif // TESSERA_OPMODEL_FORESIGHT_H
