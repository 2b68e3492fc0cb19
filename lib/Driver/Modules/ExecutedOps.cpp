//===- ExecutedOps.cpp - Ops of a module on the library's own kernels -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The mock chip says whether the library accepts an op, not whether its kernels
// compute the right thing in the layouts that a plan chose. So each op is
// executed on a simulator of the hardware twice, as planned and with all of its
// tensors in DRAM, and both results are compared. In DRAM there are no shards
// and no choice of cores that could be wrong, which makes the second the
// reference.
//
//===----------------------------------------------------------------------===//
#include "ExecutedOps.h"
#include "../Common/Progress.h"
#include "../Common/Session.h"
#include "Judgement.h"
#include "KernelRun.h"

#include "tessera/Simulator/DenseTensor.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace tessera;
namespace json = llvm::json;

namespace {

/// More than what kernels that block their sums otherwise are apart by (0.5 %), and far less than what reading a wrong
/// place gives.
constexpr double kApart = 0.05;

/// What became of the ops of one kind that ask different things.
struct Tally {
  size_t ops = 0, same = 0, near = 0, apart = 0, refused = 0, left = 0;
};

int64_t elements(const OpOfFile &op) {
  int64_t sum = 0;
  for (llvm::ArrayRef<ValueId> values : {llvm::ArrayRef(op.op().operands), llvm::ArrayRef(op.op().results)})
    for (ValueId value : values)
      sum += simulator::volumeOf(op.function->problem[value].tensor.shape);
  return sum;
}

class Execution {
public:
  Execution(TtnnSession &session, int64_t mostElements) : session(session), mostElements(mostElements) {}

  /// Executes the op, which asks `question`. The error is that of a library that answers nothing.
  llvm::Error run(const OpOfFile &op, llvm::StringRef question) {
    Tally &tally = byKind[op.op().name];
    ++tally.ops;
    // A simulator of the hardware is slow, and one large op would take longer than all others.
    if (elements(op) > mostElements) {
      ++tally.left;
      return llvm::Error::success();
    }
    // A fixed seed: what differs now differs in the next run, too.
    llvm::Expected<json::Object> answer = session.ask(("{\"execute\":" + question + ",\"seed\":1}").str());
    if (!answer)
      return answer.takeError();
    note(op, *answer, tally);
    return llvm::Error::success();
  }

  void print(llvm::raw_ostream &os) const {
    TextTable table({{"op"},
                     {"ops", Align::Right},
                     {"same bits", Align::Right},
                     {"near", Align::Right},
                     {"apart", Align::Right},
                     {"refused", Align::Right},
                     {"not executed", Align::Right}});
    Tally all;
    // Blanks for none, so that what is apart is seen.
    auto cell = [](size_t count) { return count ? std::to_string(count) : ""; };
    auto row = [&](llvm::StringRef name, const Tally &tally) {
      table.add({name.str(), cell(tally.ops), cell(tally.same), cell(tally.near), cell(tally.apart),
                 cell(tally.refused), cell(tally.left)});
    };
    for (const auto &[kind, tally] : byKind) {
      row(kind, tally);
      for (size_t Tally::*count :
           {&Tally::ops, &Tally::same, &Tally::near, &Tally::apart, &Tally::refused, &Tally::left})
        all.*count += tally.*count;
    }
    row("all", all);
    table.print(os);
    for (const std::string &line : lines)
      os << line << "\n";
  }

  /// Nothing is apart or refused.
  bool passes() const {
    return llvm::all_of(byKind,
                        [](const auto &entry) { return entry.second.apart + entry.second.refused == 0; });
  }

private:
  void note(const OpOfFile &op, const json::Object &answer, Tally &tally) {
    std::string message = answer.getString("message").value_or("").str();
    if (const json::Array *distances = answer.getArray("apart")) {
      double most = 0;
      for (const json::Value &distance : *distances)
        // By the worst of its results, as a single wrong one makes the op wrong.
        most = std::max(most, distance.getAsNumber().value_or(0));
      ++(most == 0 ? tally.same : most <= kApart ? tally.near : tally.apart);
      if (most > kApart)
        lines.push_back(
            "apart: " + describe(op) + ": " +
            // The Python side says 1e30 where shapes or what is finite differ.
            (most < 1e6 ? llvm::formatv("{0:F1} % (rms) from", 100 * most).str() : "not comparable with") +
            " what it computes in DRAM");
    } else if (answer.getString("verdict") == "uncovered") {
      // No form in DRAM, or no call at all: nothing is said against the op.
      ++tally.left;
    } else {
      ++tally.refused;
      lines.push_back("refused: " + describe(op) + ": " + message);
    }
  }

  TtnnSession &session;
  int64_t mostElements;
  std::map<llvm::StringRef, Tally> byKind;
  std::vector<std::string> lines;
};

} // namespace

int tessera::judgeByExecution(const JudgeArguments &arguments, const OpsOfFile &file) {
  llvm::Expected<TtnnSession> session =
      openOnSimulator(arguments.simulator, arguments.version, file.device());
  if (!session)
    return inputError(llvm::toString(session.takeError()));
  QuestionWriter writer(file.layouts());
  std::set<std::string> asked;
  Execution execution(*session, arguments.mostElements);
  Progress progress(Progress::wanted(false));
  for (auto [number, op] : llvm::enumerate(file.ops())) {
    std::string question = questionOf(op, writer);
    progress.update("ops", number, file.ops().size(), double(number) / double(file.ops().size()));
    // Ops that ask the same run the same kernels on the same values.
    if (!question.empty() && asked.insert(question).second)
      if (llvm::Error error = execution.run(op, question))
        return inputError(llvm::toString(std::move(error)));
  }
  progress.clear();
  llvm::outs() << "library    ttnn "
               << session->about().getString("version").value_or("of an unknown version")
               << " with its kernels, on " << llvm::sys::path::filename(arguments.simulator) << " as "
               << file.device().name << "\n\n";
  execution.print(llvm::outs());
  return execution.passes() ? kSuccess : kInputError;
}
