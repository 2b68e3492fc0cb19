//===- ExternalOpModel.cpp - A model whose answers come from outside ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ExternalOpModel.h"

#include "../Pressure.h"
#include "tessera/OpModel/Question.h"

#include <mutex>

namespace tessera {

struct ExternalOpModel::State {
  explicit State(const LayoutPool &layouts) : writer(layouts) {}
  std::mutex mutex;
  QuestionWriter writer;
  // One only: everything else is kept by the table of op costs in front.
  std::string lastQuestion;
  Answer lastAnswer;
  size_t unanswered = 0;
};

ExternalOpModel::ExternalOpModel(OpModelContext context, std::unique_ptr<OpModel> fallback)
    : OpModel(std::move(context)), fallback(std::move(fallback)),
      state(std::make_unique<State>(ctx.layouts)) {}
ExternalOpModel::~ExternalOpModel() = default;

/// Called under the lock.
const Answer &ExternalOpModel::answer(const OpQuery &query) const {
  std::string question = state->writer.write(query);
  // query() and runtime() are mostly called one after the other: the second costs no second question.
  if (question != state->lastQuestion) {
    // Without what other tensors hold: one answer serves every place of the schedule, and the pressure is added to it
    // afterwards.
    state->lastAnswer = ask(question, {query.op, query.inputs, query.config, Bytes(0)});
    state->lastQuestion = std::move(question);
    state->unanswered += state->lastAnswer.result.status == ValidationStatus::NotImplemented;
  }
  return state->lastAnswer;
}

ValidationResult ExternalOpModel::query(const OpQuery &query) const {
  if (!idsValid(query, ctx))
    return layoutsMissing(query);
  ValidationResult result;
  {
    std::lock_guard lock(state->mutex);
    result = answer(query).result;
  }
  // Only what the model does not know is passed on; what it refuses is an answer.
  if (result.status == ValidationStatus::NotImplemented && fallback)
    return fallback->query(query);
  applyPressure(result, residentL1(query, result.constraints, ctx), query.additionalL1, ctx.l1Budget);
  return result;
}

OpRuntime ExternalOpModel::runtime(const OpQuery &query) const {
  if (!idsValid(query, ctx))
    return OpRuntime();
  // `last` refers into the state, so the lock is kept until it is read.
  std::unique_lock lock(state->mutex);
  const Answer &last = answer(query);
  if (last.result.status != ValidationStatus::NotImplemented || !fallback)
    return last.runtime;
  // Plug-ins are asked one question at a time; the built-in formulas need not wait for that.
  lock.unlock();
  return fallback->runtime(query);
}

size_t ExternalOpModel::unanswered() const {
  std::lock_guard lock(state->mutex);
  return state->unanswered;
}

} // namespace tessera
