//===- JudgedFunction.cpp - A function as the vendor's library is asked ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A function is asked as one request, since what an address is depends on all
// that was made and freed before it. The library runs the steps in their order
// with its own allocator and answers with a record per step.
//
// Records have no names. Request and answer are walked by the same loops over
// ops and deallocates, and who changes the one has to change the other.
//
//===----------------------------------------------------------------------===//
#include "JudgedFunction.h"

#include "../Common/WrittenDeallocates.h"
#include "tessera/OpModel/LayoutJson.h"
#include "tessera/OpModel/Question.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
namespace json = llvm::json;

namespace {

// ---- The request -----------------------------------------------------------------------------------------

class ProgramWriter {
public:
  ProgramWriter(const BuiltProblem &built, json::OStream &os)
      : problem(built.problem), built(built), os(os) {}

  void write(llvm::ArrayRef<std::string> questions, llvm::ArrayRef<bool> accepted) {
    os.object([&] {
      os.attributeObject("program", [&] {
        os.attributeArray("arguments", [&] { writeArguments(); });
        os.attributeArray("steps", [&] { writeSteps(questions, accepted); });
      });
    });
  }

private:
  void writeArguments() {
    for (auto [index, value] : llvm::enumerate(problem.values)) {
      // Results of const-eval functions lie there all the time, as arguments do.
      bool given = !value.producer.valid() || problem[value.producer].name == "ttcore.load_cached";
      if (!given || !value.declared.valid())
        continue;
      os.object([&] {
        os.attribute("id", int64_t(index));
        os.attribute("shape", json::Array(value.tensor.shape));
        os.attribute("dtype", name(value.tensor.dtype));
        os.attribute("layout", toCanonicalJson(problem.layout(value.declared)));
      });
    }
  }

  void writeSteps(llvm::ArrayRef<std::string> questions, llvm::ArrayRef<bool> accepted) {
    Deallocations freed = writtenDeallocates(built);
    for (size_t i = 0; i < freed.size(); ++i) {
      for (const Deallocation &each : freed[i])
        os.object([&] {
          os.attribute("free", int64_t(each.tensor.index()));
          os.attribute("force", each.force);
        });
      // Ops that are not asked leave no step, and nothing in the library's memory.
      if (i < questions.size() && !questions[i].empty())
        writeStep(problem.ops[i], questions[i], accepted[i]);
    }
  }

  void writeStep(const Op &op, llvm::StringRef question, bool accepted) {
    os.object([&] {
      os.attributeBegin("question");
      // It is JSON already.
      os.rawValue(question);
      os.attributeEnd();
      // What is refused alone is not called: its results are put there as the module states them, so that the rest can
      // be asked.
      os.attribute("call", accepted);
      writeIds("operands", op.operands);
      writeIds("results", op.results);
    });
  }

  void writeIds(llvm::StringRef key, llvm::ArrayRef<ValueId> ids) {
    os.attributeArray(key, [&] {
      for (ValueId id : ids)
        os.value(int64_t(id.index()));
    });
  }

  const Problem &problem;
  const BuiltProblem &built;
  json::OStream &os;
};

// ---- The answer ------------------------------------------------------------------------------------------

class ProgramReader {
public:
  ProgramReader(const Problem &problem, const PlanReplay &replay, JudgedFunction &judged)
      : problem(problem), replay(replay), judged(judged) {}

  void read(const JudgedOp &op, const json::Object &step) {
    if (std::optional<llvm::StringRef> trouble = step.getString("trouble"))
      judged.troubles.push_back({op.op, trouble->str()});
    // Not called, or not as the module says: the addresses are those of what stands in for it, and agree or not with
    // reason.
    compareAddresses(op, step);
  }

private:
  void compareAddresses(const JudgedOp &op, const json::Object &step) {
    const json::Array *addresses = step.getArray("addresses");
    for (auto [index, value] : llvm::enumerate(op.op->op().results)) {
      if (!addresses || index >= addresses->size() ||
          problem.layout(problem[value].declared).buffer != BufferType::L1)
        continue;
      std::optional<int64_t> theirs = (*addresses)[index].getAsInteger();
      const std::optional<AddressRange> &ours = replay.tensors[value.index()];
      // Nowhere on both sides is no address to compare; nowhere on one side is a disagreement.
      if (!theirs && !ours)
        continue;
      ++judged.addresses;
      if (theirs && ours && ours->begin.value() == *theirs)
        ++judged.equal;
      else if (!judged.firstAddress)
        judged.firstAddress = {op.op,
                               llvm::formatv("{0}, not {1}", theirs ? std::to_string(*theirs) : "nowhere",
                                             ours ? std::to_string(ours->begin.value()) : "nowhere")};
    }
  }

  const Problem &problem;
  const PlanReplay &replay;
  JudgedFunction &judged;
};

/// The answer's records of ops, without those of what is freed, whose trouble is noted.
std::vector<const json::Object *> stepsOf(const json::Array &records, const BuiltProblem &built,
                                          llvm::ArrayRef<JudgedOp> ops, JudgedFunction &judged) {
  std::vector<const json::Object *> steps;
  size_t at = 0, op = 0;
  Deallocations freed = writtenDeallocates(built);
  for (size_t i = 0; i < freed.size(); ++i) {
    for (size_t n = 0; n < freed[i].size() && at < records.size(); ++n, ++at)
      if (const json::Object *record = records[at].getAsObject())
        if (std::optional<llvm::StringRef> trouble = record->getString("trouble"))
          // What is freed has no op of its own, so it is told with the one before it.
          judged.troubles.push_back({op ? ops[op - 1].op : nullptr, "deallocate: " + trouble->str()});
    // The answer has a record per step in the order of the request, without names: freed tensors and ops are
    // told apart by walking both in the order in which ProgramWriter wrote them.
    bool asked = op < ops.size() && ops[op].op->id.index() == i;
    if (asked && at < records.size()) {
      steps.push_back(records[at++].getAsObject());
      ++op;
    }
  }
  return steps;
}

} // namespace

std::string tessera::programRequest(const BuiltProblem &built, llvm::ArrayRef<std::string> questions,
                                    llvm::ArrayRef<bool> accepted) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream);
  ProgramWriter(built, os).write(questions, accepted);
  return text;
}

void tessera::readProgramAnswer(const json::Object &answer, const BuiltProblem &built,
                                const PlanReplay &replay, JudgedFunction &judged) {
  for (llvm::StringRef key : {"trouble", "message"})
    if (std::optional<llvm::StringRef> trouble = answer.getString(key))
      judged.troubles.push_back({nullptr, trouble->str()});
  const json::Array *records = answer.getArray("steps");
  if (!records)
    return;
  std::vector<const json::Object *> steps = stepsOf(*records, built, judged.ops, judged);
  ProgramReader reader(built.problem, replay, judged);
  for (auto [op, step] : llvm::zip(judged.ops, steps))
    if (step)
      reader.read(op, *step);
}
