//===- Listening.h - A model that tells what it is asked ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_LISTENING_H
#define TESSERA_OPMODEL_LISTENING_H

#include "tessera/OpModel/OpModel.h"

#include <functional>

namespace tessera {

/// Hears a query, its text (Question.h) and what was answered.
using QuestionListener =
    std::function<void(const std::string &question, const OpQuery &query, const ValidationResult &answer)>;

/// `source`, with `heard` called once for each different question about legality. One call at a time, whichever thread asks.
std::unique_ptr<OpModel> listening(std::unique_ptr<OpModel> source, QuestionListener heard);

} // namespace tessera

#endif // TESSERA_OPMODEL_LISTENING_H
