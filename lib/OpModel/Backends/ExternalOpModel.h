//===- ExternalOpModel.h - A model whose answers come from outside --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What records and plug-ins share:
//
//  - A query becomes a question: canonical text, the same bytes for equal
//    queries (docs/op-model-backends.md). Its answer gets the pressure added.
//  - One question at a time, whichever thread asks, so that what lies outside
//    need not be thread-safe.
//  - query() and runtime() ask once if they follow each other with one question.
//  - What has no answer (NotImplemented) goes to the fallback, if there is one.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_EXTERNALOPMODEL_H
#define TESSERA_LIB_OPMODEL_BACKENDS_EXTERNALOPMODEL_H

#include "tessera/OpModel/OpModel.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// Everything a model says about one question, without pressure.
struct Answer {
  ValidationResult result;
  OpRuntime runtime;
};

class ExternalOpModel : public OpModel {
public:
  ~ExternalOpModel() override;

  ValidationResult query(const OpQuery &query) const final;
  OpRuntime runtime(const OpQuery &query) const final;

  /// Questions without an answer. One counts again if others were asked in between; a OpCostTable in front
  /// asks each only once.
  size_t unanswered() const;

  /// To be called once, after the last query. Writes what there is to write, and reports what went wrong
  /// outside while queries were answered: they can only say NotImplemented.
  virtual llvm::Error finish() { return llvm::Error::success(); }

protected:
  ExternalOpModel(OpModelContext context, std::unique_ptr<OpModel> fallback);

  /// Called by one thread at a time, with one known layout per operand and no additionalL1.
  virtual Answer ask(const std::string &question, const OpQuery &query) const = 0;

private:
  struct State;
  const Answer &answer(const OpQuery &query) const;

  std::unique_ptr<OpModel> fallback;
  std::unique_ptr<State> state;
};

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_EXTERNALOPMODEL_H
