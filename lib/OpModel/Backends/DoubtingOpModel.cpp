//===- DoubtingOpModel.cpp - A model that asks another about some ops -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DoubtingOpModel.h"

#include "../Pressure.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/Question.h"

#include <mutex>

namespace tessera {
namespace {

class DoubtingOpModel final : public OpModel {
public:
  DoubtingOpModel(std::unique_ptr<OpModel> source, const OpModel &library, std::set<std::string> doubted)
      : OpModel(source->context()), source(std::move(source)), library(library), doubted(std::move(doubted)),
        writer(ctx.layouts) {}

  ValidationResult query(const OpQuery &query) const override {
    ValidationResult answer = source->query(query);
    // What is refused anyway needs no second opinion, and the library takes far longer for one. What does not fit now
    // may fit another budget, so that it is asked about.
    bool legal = answer.ok() || answer.status == ValidationStatus::OutOfMemory;
    if (!legal || !isDoubted(query))
      return answer;
    ValidationResult told = library.query(query);
    // Only a refusal is taken over. Sizes and times stay those of `source`, so that all ops of a plan have theirs from
    // one model.
    return refusedByLibrary(told) ? told : answer;
  }
  OpRuntime runtime(const OpQuery &query) const override { return source->runtime(query); }
  llvm::StringRef name() const override { return source->name(); }

private:
  bool isDoubted(const OpQuery &query) const {
    if (!idsValid(query, ctx))
      return false;
    std::lock_guard lock(mutex);
    size_t signature = signatures.intern(query.op).index();
    if (signature >= doubts.size())
      doubts.resize(signature + 1);
    // An op is asked about in hundreds of layouts, and its signature's text is the same in all of them.
    std::optional<bool> &known = doubts[signature];
    if (!known)
      known = doubted.contains(signatureText(writer.write(query)).str());
    return *known;
  }

  std::unique_ptr<OpModel> source;
  const OpModel &library;
  const std::set<std::string> doubted;
  mutable std::mutex mutex;
  mutable QuestionWriter writer;
  mutable SignaturePool signatures;
  mutable std::vector<std::optional<bool>>
      doubts; ///< by signature; nullopt: not looked up yet, which takes a question's text
};

} // namespace

std::unique_ptr<OpModel> doubting(std::unique_ptr<OpModel> source, const OpModel &library,
                                  std::set<std::string> doubted) {
  return std::make_unique<DoubtingOpModel>(std::move(source), library, std::move(doubted));
}

} // namespace tessera
