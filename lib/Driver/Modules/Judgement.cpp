//===- Judgement.cpp - What the vendor's library says of a module ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The library is asked in two rounds. First every question by itself, each text
// once, as layers of a model ask the same; then each function as a whole, in
// place. What is refused alone is not called in place: its results are put
// there as the module states them, so that one refusal does not hide what is
// wrong behind it.
//
// An op counts against the plan only if its question is not one that the module
// asked before it was planned.
//
//===----------------------------------------------------------------------===//
#include "Judgement.h"

#include "../Common/WrittenDeallocates.h"
#include "JudgedFunction.h"
#include "tessera/Bridge/OrderConstants.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/Library/TtnnWorkers.h"
#include "tessera/OpModel/Question.h"
#include "tessera/OpModel/Temporaries.h"
#include "tessera/Optimizer/Plan/BasePlan.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace tessera;
namespace json = llvm::json;

llvm::StringRef tessera::name(Verdict verdict) {
  static constexpr llvm::StringLiteral names[] = {"accepted", "refused", "uncovered", "crashed"};
  return names[unsigned(verdict)];
}

llvm::StringRef tessera::name(BufferAgreement agreement) {
  static constexpr llvm::StringLiteral names[] = {"equal", "too small", "too large", "unknown",
                                                  "not recorded"};
  return names[unsigned(agreement)];
}

bool Judgement::passes() const {
  return llvm::all_of(functions, [](const JudgedFunction &function) {
    return function.troubles.empty() && llvm::none_of(function.ops, std::mem_fn(&JudgedOp::isWrong));
  });
}

namespace {

// ---- Questions -------------------------------------------------------------------------------------------

/// What prepares constants runs on the chip as well, once.
bool isJudged(mlir::func::FuncOp function) {
  return isForwardDeviceFunction(function) || isConstEval(function);
}

/// Ops of other dialects, and what moves tensors between host and chip, are nobody's plan.
bool isAsked(const OpOfFile &op) {
  llvm::StringRef name = op.op().name;
  return name.starts_with("ttnn.") && name != "ttnn.to_device" && name != "ttnn.from_device" &&
         isJudged(op.function->binding.function);
}

// ---- One op ----------------------------------------------------------------------------------------------

Verdict verdictOf(const json::Object &answer) {
  return llvm::StringSwitch<Verdict>(answer.getString("verdict").value_or(""))
      .Case("accepted", Verdict::Accepted)
      .Case("refused", Verdict::Refused)
      .Case("crash", Verdict::Crashed)
      .Default(Verdict::Uncovered);
}

BufferAgreement agreementOf(Bytes ours, Bytes theirs) {
  return ours == theirs  ? BufferAgreement::Equal
         : ours < theirs ? BufferAgreement::TooSmall
                         : BufferAgreement::TooLarge;
}

/// What the results take of each core, or bank, of `buffer`.
Bytes bytesOfResults(const OpOfFile &op, BufferType buffer) {
  const Problem &problem = op.function->problem;
  Bytes sum;
  for (LayoutId id : op.op().declared.outputs)
    if (id.valid() && problem.layout(id).buffer == buffer)
      sum += bytesPerCore(problem.layout(id), problem.device);
  return sum;
}

/// Of the tensors that the library made, those beside the results.
Bytes temporariesOf(const json::Object &answer, llvm::StringRef key, Bytes results) {
  return std::max(Bytes(0), Bytes(answer.getInteger(key).value_or(0)) - results);
}

void readTemporaries(const json::Object &answer, const OpModelContext &context, const OpConstraints &ours,
                     JudgedOp &judged) {
  judged.theirTemporaries = temporariesOf(answer, "l1_tensors", bytesOfResults(*judged.op, BufferType::L1));
  judged.dramTemporaries =
      temporariesOf(answer, "dram_tensors", bytesOfResults(*judged.op, BufferType::DRAM));
  judged.ourTemporaries = temporariesL1(ours, context);
  // An op that our model refuses has no figures of ours to compare.
  if (judged.ourRule.empty())
    judged.temporaries = agreementOf(judged.ourTemporaries, judged.theirTemporaries);
}

void readAnswer(const json::Object &answer, const OpModel &ours, JudgedOp &judged) {
  judged.verdict = verdictOf(answer);
  judged.message = answer.getString("message").value_or("").str();
  judged.different = differencesOf(answer);
  judged.theirBuffers = Bytes(answer.getInteger("circular_buffers").value_or(0));
  llvm::SmallVector<LayoutId> inputs;
  ValidationResult result = ours.query(declaredQuery(*judged.op, inputs));
  judged.ourBuffers = result.constraints.cbL1PeakSize;
  // An op that does not fit, or makes another layout than the module says, is known all the same.
  bool known = result.ok() || result.status == ValidationStatus::OutOfMemory ||
               result.status == ValidationStatus::UnmatchedReferenceConfig;
  judged.ourRule = known ? "" : result.rule.empty() ? name(result.status).str() : result.rule;
  bool recorded = answer.getInteger("unrecorded_programs").value_or(0) == 0;
  // A call that was refused was captured in part at best, so its buffers say nothing.
  if (judged.verdict != Verdict::Accepted)
    return;
  if (!recorded)
    judged.buffers = BufferAgreement::NotRecorded;
  else if (judged.ourRule.empty())
    judged.buffers = agreementOf(judged.ourBuffers, judged.theirBuffers);
  readTemporaries(answer, ours.context(), result.constraints, judged);
}

// ---- A file ----------------------------------------------------------------------------------------------

class FileJudge {
public:
  FileJudge(const OpsOfFile &file, const OpModelBackend &ours, const std::set<std::string> *before,
            TtnnWorkers &library)
      : file(file), ours(ours), before(before), library(library) {}

  llvm::Expected<Judgement> run() {
    collectQuestions();
    judgement.library =
        ("ttnn " + library.about().getString("version").value_or("of an unknown version")).str();
    judgement.device = file.device().name;
    judgement.ofModule = file.version();
    // Alone first: what is refused there is not called in place.
    if (llvm::Error error = askAlone())
      return std::move(error);
    for (auto [built, judged, asked] : llvm::zip_equal(functions, judgement.functions, questions)) {
      for (JudgedOp &op : judged.ops) {
        const std::string &question = asked[op.op->id.index()];
        readAnswer(answers.find(question)->second, ours.model(), op);
        if (llvm::Error error = setApartDifferencesBefore(question, op))
          return error;
      }
      if (llvm::Error error = judgeInPlace(*built, judged, asked))
        return error;
    }
    return std::move(judgement);
  }

private:
  /// One function of the judgement per forward function, one question per op.
  void collectQuestions() {
    QuestionWriter writer(file.layouts());
    const BuiltProblem *current = nullptr;
    for (const OpOfFile &op : file.ops()) {
      if (!isJudged(op.function->binding.function))
        continue;
      // Ops of a function stand together in the list.
      if (op.function != current) {
        current = op.function;
        functions.push_back(current);
        judgement.functions.emplace_back();
        judgement.functions.back().name = current->problem.function;
        judgement.functions.back().isConstEval = isConstEval(current->binding.function);
        questions.emplace_back(current->problem.ops.size());
      }
      std::string &question = questions.back()[op.id.index()];
      question = questionOf(op, writer);
      if (question.empty())
        continue;
      JudgedOp judged;
      judged.op = &op;
      // The plan is not to blame for what its input asks for in the same words (docs/judge.md).
      judged.decided = !before || !before->contains(question);
      judgement.functions.back().ops.push_back(std::move(judged));
    }
  }

  /// Every question once, whatever the number of ops that ask it.
  llvm::Error askAlone() {
    for (auto [judged, asked] : llvm::zip_equal(judgement.functions, questions))
      for (const JudgedOp &op : judged.ops)
        // Many ops of a deep model ask the same, and each answer takes time.
        answers.try_emplace(asked[op.op->id.index()]);
    std::vector<std::string> requests;
    // The map is sorted, so requests and answers are zipped in the same order, whatever the order of the ops.
    for (const auto &[question, answer] : answers)
      requests.push_back("{\"question\":" + question + "}");
    auto told = library.ask(requests);
    if (!told)
      return told.takeError();
    for (auto [known, answer] : llvm::zip_equal(answers, *told))
      known.second = std::move(answer);
    return llvm::Error::success();
  }

  /// In whichever layouts the module before planning has such an op.
  llvm::Error setApartDifferencesBefore(llvm::StringRef question, JudgedOp &op) {
    if (!before || !op.decided || op.different.empty())
      return llvm::Error::success();
    std::vector<std::string> requests;
    // The question itself is another one, as the plan has chosen layouts; what tells that the library differs
    // from the module anyhow is the same op in any layouts.
    for (const std::string &asked : *before)
      if (signatureText(asked) == signatureText(question))
        requests.push_back("{\"question\":" + asked + "}");
    auto told = library.ask(requests);
    if (!told)
      return told.takeError();
    for (const json::Object &answer : *told)
      for (std::string &field : differencesOf(answer))
        if (auto found = llvm::find(op.different, field); found != op.different.end()) {
          op.different.erase(found);
          op.differentBefore.push_back(std::move(field));
        }
    return llvm::Error::success();
  }

  llvm::Error judgeInPlace(const BuiltProblem &built, JudgedFunction &judged,
                           llvm::ArrayRef<std::string> asked) {
    llvm::SmallVector<bool> accepted(asked.size());
    for (const JudgedOp &op : judged.ops)
      accepted[op.op->id.index()] = op.verdict == Verdict::Accepted;
    // One request for the whole function: addresses depend on what was made and freed before. So it is asked
    // after the single ops, of which it calls those that are accepted.
    llvm::Expected<std::vector<json::Object>> told = library.ask(programRequest(built, asked, accepted));
    if (!told)
      return told.takeError();
    readProgramAnswer(told->front(), built, replayAsJudged(file, built, ours.model()), judged);
    return llvm::Error::success();
  }

  const OpsOfFile &file;
  const OpModelBackend &ours;
  const std::set<std::string> *before;
  TtnnWorkers &library;
  std::vector<const BuiltProblem *> functions;
  std::vector<std::vector<std::string>> questions; ///< by function and op; "": not asked
  std::map<std::string, json::Object> answers;     ///< the same question is asked once
  Judgement judgement;
};

} // namespace

PlanReplay tessera::replayAsJudged(const OpsOfFile &file, const BuiltProblem &built,
                                   const OpCostTable &model) {
  DeviceSpec device = file.device();
  // The library's device is opened with as much L1_SMALL, and addresses are compared by value.
  device.l1SmallSize = kL1SmallSize;
  return replayPlan(built.problem, declaredPlan(built.problem), model, writtenDeallocates(built), device);
}

std::string tessera::questionOf(const OpOfFile &op, QuestionWriter &writer) {
  llvm::SmallVector<LayoutId> inputs;
  OpQuery query = declaredQuery(op, inputs);
  // A tensor that no layout places cannot be made.
  bool placed = llvm::all_of(inputs, std::mem_fn(&LayoutId::valid));
  return isAsked(op) && placed ? writer.write(query) : "";
}

std::set<std::string> tessera::questionsOf(const OpsOfFile &file) {
  QuestionWriter writer(file.layouts());
  std::set<std::string> questions;
  for (const OpOfFile &op : file.ops())
    questions.insert(questionOf(op, writer));
  return questions;
}

llvm::Expected<Judgement> tessera::judge(const OpsOfFile &file, const OpModelBackend &ours,
                                         const std::set<std::string> *before, const TtnnLibrary &library,
                                         unsigned workers) {
  llvm::Expected<TtnnWorkers> session = TtnnWorkers::open(library, file.device(), workers);
  if (!session)
    return session.takeError();
  return FileJudge(file, ours, before, *session).run();
}
