//===- ListeningOpModel.cpp - A model that tells what it is asked ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Listening.h"
#include "tessera/OpModel/Question.h"

#include "../Pressure.h"

#include "llvm/ADT/StringSet.h"

#include <mutex>

namespace tessera {
namespace {

class ListeningOpModel final : public OpModel {
public:
  ListeningOpModel(std::unique_ptr<OpModel> source, QuestionListener heard)
      : OpModel(source->context()), source(std::move(source)), heard(std::move(heard)), writer(ctx.layouts) {}

  ValidationResult query(const OpQuery &query) const override {
    ValidationResult answer = source->query(query);
    // Such a query has no text.
    if (!idsValid(query, ctx))
      return answer;
    // While the listener is called, too: it may write to one file from wherever it is called.
    std::lock_guard lock(mutex);
    std::string question = writer.write(query);
    if (asked.insert(question).second)
      heard(question, query, answer);
    return answer;
  }
  OpRuntime runtime(const OpQuery &query) const override { return source->runtime(query); }
  llvm::StringRef name() const override { return source->name(); }

private:
  std::unique_ptr<OpModel> source;
  QuestionListener heard;
  mutable std::mutex mutex; ///< of all that follows
  mutable QuestionWriter writer;
  mutable llvm::StringSet<> asked;
};

} // namespace

std::unique_ptr<OpModel> listening(std::unique_ptr<OpModel> source, QuestionListener heard) {
  return std::make_unique<ListeningOpModel>(std::move(source), std::move(heard));
}

} // namespace tessera
