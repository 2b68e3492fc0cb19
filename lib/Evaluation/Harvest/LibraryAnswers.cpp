//===- LibraryAnswers.cpp - What the vendor's library says of calls -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Golden.h"

#include "tessera/Evaluation/Harvest.h"
#include "tessera/Library/TtnnWorkers.h"
#include "tessera/OpModel/LayoutJson.h"
#include "tessera/OpModel/Question.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera {

using evaluation::Golden;
namespace json = llvm::json;

namespace {

// ---- The question ---------------------------------------------------------------------------------------

/// A request of python/tessera/ttnn/server.py: the call, and the layouts that our formulas expect of its results.
std::string requestOf(const KernelQuery &asked) {
  LayoutPool layouts;
  evaluation::QueryInPool query(asked, layouts);
  // The library is asked in a capture without dispatch, where nothing runs out of memory (facts/vendor-library
  // 3), so the layouts that are expected must not depend on a budget either.
  constexpr Bytes kEndless(int64_t(1) << 50);
  OpModelContext context{asked.device, layouts, kEndless, asked.backend};
  // What our formulas expect goes along for the answer to name differences; the library is not told.
  json::Array expected;
  for (LayoutId id : createAnalyticOpModel(context)->query(query.query()).constraints.outputLayouts)
    expected.push_back(toCanonicalJson(layouts[id]));
  std::string text;
  llvm::raw_string_ostream(text) << "{\"question\":" << QuestionWriter(layouts).write(query.query())
                                 << ",\"expected\":" << json::Value(std::move(expected)) << "}";
  return text;
}

// ---- The answer -----------------------------------------------------------------------------------------

/// The largest sum over the buffers of one program: what the backend's own statistics tell, and goldens hold.
int64_t addedBuffers(const json::Object &answer) {
  // Of several programs only one runs at a time, so its buffers alone count.
  int64_t most = 0;
  if (const json::Array *programs = answer.getArray("programs"))
    for (const json::Value &program : *programs) {
      int64_t sum = 0;
      if (const json::Array *buffers = program.getAsArray())
        for (const json::Value &buffer : *buffers)
          if (const json::Object *fields = buffer.getAsObject())
            sum += fields->getInteger("bytes").value_or(0);
      most = std::max(most, sum);
    }
  return most;
}

void addFigures(Golden &golden, const json::Object &answer) {
  llvm::ArrayRef<evaluation::GoldenFigure> figures = evaluation::goldenFigures();
  auto add = [&](llvm::StringRef column, int64_t value) {
    const auto *figure = llvm::find_if(figures, [&](const auto &figure) { return figure.column == column; });
    golden.conditions.push_back({figure, "=", value});
  };
  // Some programs do not tell of their buffers.
  if (answer.getInteger("unrecorded_programs").value_or(0) == 0)
    add("circular_buffers", addedBuffers(answer));
  add("tensors", answer.getInteger("l1_tensors").value_or(0));
}

/// The golden that the answer makes of a call; nullopt, with `why`, if the call was not put to the library.
std::optional<Golden> goldenOf(const NamedCall &call, const json::Object &answer, std::string &why) {
  llvm::StringRef verdict = answer.getString("verdict").value_or("");
  std::string message = answer.getString("message").value_or("").str();
  if (verdict != "accepted" && verdict != "refused" && verdict != "crash") {
    why = message;
    return std::nullopt;
  }
  Golden golden;
  golden.id = call.id;
  golden.call.query = call.query;
  golden.legal = verdict == "accepted";
  // Of a call that was refused no figure is complete.
  if (*golden.legal) {
    addFigures(golden, answer);
    golden.differences = llvm::join(differencesOf(answer), ", ");
  }
  golden.note = std::move(message);
  return golden;
}

} // namespace

// ---- Asking ---------------------------------------------------------------------------------------------

/// Calls are asked device by device; answers come back in the order of the calls.
class LibraryInquiry {
public:
  LibraryInquiry(llvm::ArrayRef<NamedCall> calls, TtnnLibrary library, unsigned workers,
                 const ProgressFunction &progress)
      : calls(calls), library(std::move(library)), workers(workers), progress(progress),
        answers(calls.size()) {}

  llvm::Expected<LibraryAnswers> run() {
    // Each device takes a session of its own. A MapVector, so that they are asked in the order of the calls.
    llvm::MapVector<std::string, std::vector<size_t>, std::map<std::string, unsigned>> byDevice;
    for (auto [i, call] : llvm::enumerate(calls))
      byDevice[deviceText(call.query.device)].push_back(i);
    for (const auto &[device, which] : byDevice)
      if (llvm::Error error = ask(which))
        return std::move(error);
    return collected();
  }

private:
  llvm::Error ask(llvm::ArrayRef<size_t> which) {
    auto session = TtnnWorkers::open(library, calls[which.front()].query.device, workers);
    if (!session)
      return session.takeError();
    version = session->about().getString("version").value_or("").str();
    // All at once, so that the workers share them out.
    std::vector<std::string> requests;
    for (size_t i : which)
      requests.push_back(requestOf(calls[i].query));
    auto told = session->ask(requests, progress);
    if (!told)
      return told.takeError();
    for (auto [i, answer] : llvm::zip_equal(which, *told))
      answers[i] = std::move(answer);
    return llvm::Error::success();
  }

  LibraryAnswers collected() const {
    LibraryAnswers all;
    all.library = "ttnn " + version;
    all.goldens = std::make_shared<std::vector<Golden>>();
    for (auto [call, answer] : llvm::zip_equal(calls, answers)) {
      std::string why;
      std::optional<Golden> golden = goldenOf(call, answer, why);
      if (!golden) {
        all.skipped.push_back({call.id, call.query.signature.name + ": " + why});
        continue;
      }
      golden->source = "ttnn";
      golden->revision = version;
      all.goldens->push_back(std::move(*golden));
    }
    return all;
  }

  llvm::ArrayRef<NamedCall> calls;
  TtnnLibrary library;
  unsigned workers;
  const ProgressFunction &progress;
  std::vector<json::Object> answers;
  std::string version;
};

llvm::Expected<LibraryAnswers> askLibrary(llvm::ArrayRef<NamedCall> calls, llvm::StringRef version,
                                          unsigned workers, const ProgressFunction &progress) {
  llvm::Expected<TtnnLibrary> library = findTtnn(version);
  if (!library)
    return library.takeError();
  return LibraryInquiry(calls, std::move(*library), workers, progress).run();
}

size_t LibraryAnswers::size() const { return goldens->size(); }
std::string LibraryAnswers::csv() const { return evaluation::goldensText(*goldens); }

GoldenEvaluation LibraryAnswers::evaluate() const {
  GoldenEvaluation evaluation;
  for (const Golden &golden : *goldens) {
    GoldenAccuracy accuracy = evaluation::scoreOf(golden, evaluation);
    evaluation.families[golden.call.query.signature.name] += accuracy;
    evaluation.all += accuracy;
  }
  evaluation.skipped = skipped;
  return evaluation;
}

} // namespace tessera
