//===- TtnnOpModel.cpp - Answers from the vendor's library ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TtnnOpModel.h"

#include "Answer.h"
#include "tessera/Library/TtnnWorkers.h"
#include "tessera/OpModel/Question.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera {
namespace json = llvm::json;

namespace {

/// The processes of the library that answer what was foreseen.
constexpr unsigned kWorkers = 2;

class TtnnOpModel final : public ExternalOpModel {
public:
  TtnnOpModel(OpModelContext context, TtnnLibrary library, Foresight foresight)
      : ExternalOpModel(context, createAnalyticOpModel(context)),
        formulas(createAnalyticOpModel(std::move(context))), library(std::move(library)),
        foresight(std::move(foresight)),
        fullName("ttnn " + (this->library.version.empty() ? this->library.python : this->library.version)) {}

  llvm::StringRef name() const override { return fullName; }

  llvm::Error finish() override {
    return trouble.empty() ? llvm::Error::success()
                           : llvm::createStringError(fullName + " stopped answering: " + trouble);
  }

protected:
  Answer ask(const std::string &question, const OpQuery &query) const override {
    Answer answer;
    // First the formulas: what they refuse is not asked about, since the rules that upstream's compiler adds because a
    // kernel hangs or computes nonsense are unknown to the library.
    answer.result = formulas->query(query);
    answer.runtime = formulas->runtime(query);
    bool legal = answer.result.ok() || answer.result.status == ValidationStatus::OutOfMemory;
    // After trouble nothing is asked any more; what is answered then goes nowhere, since finish() fails the run.
    if (!legal || !trouble.empty())
      return answer;
    std::vector<TensorLayout> expected;
    for (LayoutId id : answer.result.constraints.outputLayouts)
      expected.push_back(ctx.layouts[id]);
    llvm::Expected<json::Object> told = put(request(question, expected));
    if (!told) {
      trouble = llvm::toString(told.takeError());
      return answer;
    }
    return combined(std::move(answer), *told, query);
  }

private:
  /// Starts the library with the first question: a cache in front may know all answers.
  llvm::Expected<json::Object> put(const std::string &request) const {
    if (!workers)
      if (llvm::Error error = start())
        return std::move(error);
    if (auto known = foreseen.find(request); known != foreseen.end())
      return known->second;
    llvm::Expected<std::vector<json::Object>> told = workers->ask(request);
    if (!told)
      return told.takeError();
    return std::move(told->front());
  }

  llvm::Error start() const {
    llvm::Expected<TtnnWorkers> opened = TtnnWorkers::open(library, ctx.device, kWorkers);
    if (!opened)
      return opened.takeError();
    // Before the foreseen questions: they are answered by these.
    workers.emplace(std::move(*opened));
    if (!foresight.questions)
      return llvm::Error::success();
    std::vector<std::string> requests;
    for (const ForeseenQuestion &each : foresight.questions())
      requests.push_back(request(each.question, each.expected));
    llvm::Expected<std::vector<json::Object>> told = workers->ask(requests, foresight.progress);
    if (!told)
      return told.takeError();
    for (auto [asked, answer] : llvm::zip_equal(requests, *told))
      foreseen.try_emplace(asked, std::move(answer));
    return llvm::Error::success();
  }

  /// The question, with the layouts that the formulas expect of the results; as the plan will write the op.
  static std::string request(llvm::StringRef question, llvm::ArrayRef<TensorLayout> expected) {
    json::Array layouts;
    for (const TensorLayout &layout : expected)
      layouts.push_back(toCanonicalJson(layout));
    std::string text;
    llvm::raw_string_ostream(text) << "{\"question\":" << question
                                   << ",\"expected\":" << json::Value(std::move(layouts))
                                   << ",\"planned\":true}";
    return text;
  }

  Answer combined(Answer answer, const json::Object &told, const OpQuery &query) const {
    llvm::StringRef verdict = told.getString("verdict").value_or("");
    std::string message = told.getString("message").value_or("").str();
    if (verdict == "refused")
      return refusal(ValidationStatus::MetalBackendError, "ttnn.refused", query.op.name + ": " + message);
    // A call that takes the library down would take the program down.
    if (verdict == "crash")
      return refusal(ValidationStatus::MetalBackendError, "ttnn.crash", query.op.name + ": " + message);
    // What cannot be put to the library is the formulas' to answer.
    if (verdict != "accepted")
      return answer;
    if (std::string different = llvm::join(differencesOf(told), ", "); !different.empty())
      return refusal(ValidationStatus::MetalBackendError, "ttnn.result",
                     query.op.name + ": " + fullName + " makes a result of another " + different);
    // Whether it fits is decided afterwards, by figures that the library may have corrected.
    answer.result.status = ValidationStatus::Success;
    // Of programs that its capture leaves out the library's sums know nothing; ours are then the better ones.
    if (told.getInteger("unrecorded_programs").value_or(0) == 0)
      takeFigures(answer.result.constraints, told);
    return answer;
  }

  static void takeFigures(OpConstraints &constraints, const json::Object &told) {
    // Scratchpads, which the library does not record.
    Bytes unseen = std::max(Bytes(0), constraints.peakL1MemorySize - constraints.cbL1PeakSize -
                                          constraints.tensorL1PeakSize);
    constraints.cbL1PeakSize = Bytes(told.getInteger("circular_buffers").value_or(0));
    constraints.tensorL1PeakSize = Bytes(told.getInteger("l1_tensors").value_or(0));
    constraints.peakL1MemorySize = constraints.cbL1PeakSize + constraints.tensorL1PeakSize + unseen;
    // Margins are for figures that no backend has confirmed.
    constraints.safetyMargin = Bytes(0);
  }

  std::unique_ptr<OpModel> formulas;
  TtnnLibrary library;
  Foresight foresight;
  // ask() is called by one thread at a time.
  mutable std::optional<TtnnWorkers> workers;
  mutable llvm::StringMap<json::Object> foreseen; ///< by request
  std::string fullName;
  mutable std::string trouble; ///< why it answers no longer; "" if it does
};

} // namespace

llvm::Expected<std::unique_ptr<ExternalOpModel>> openTtnn(OpModelContext context, llvm::StringRef version,
                                                          Foresight foresight) {
  llvm::Expected<TtnnLibrary> library = findTtnn(version);
  if (!library)
    return library.takeError();
  // Its answers are kept there.
  if (std::error_code code = llvm::sys::fs::create_directories(ttnnFolder()))
    return llvm::createStringError(code, "cannot make '" + ttnnFolder() + "': " + code.message());
  return std::make_unique<TtnnOpModel>(std::move(context), std::move(*library), std::move(foresight));
}

} // namespace tessera
