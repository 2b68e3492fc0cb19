//===- LedgerPropertyTest.cpp - The draft's account and PlanChecker's ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A Draft knows at any time whether its decisions are legal together, how much
// L1 they need and what they cost. PlanChecker, planCost and it share nothing
// but the op model. After any edits, legal or not, made for good, tried or taken
// back, they have to say the same about the plan.
//
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "tessera/Optimizer/Ledger/Draft.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <rapidcheck.h>

using namespace tessera;

namespace {

/// Changes decisions of a draft at random.
class Shaker {
public:
  Shaker(const Problem &problem, Oracle &oracle, Draft &draft, const std::vector<uint8_t> &bytes)
      : problem(problem), oracle(oracle), draft(draft), bytes(bytes) {}

  size_t pick(size_t choices) { return size_t(bytes[next++ % bytes.size()]) % choices; }

  /// An op in another configuration, a copy in L1 interleaved, or all that an op reads of one value from elsewhere.
  void shake() {
    OpId op(pick(problem.ops.size()));
    if (problem[op].role == OpRole::Fixed)
      return;
    switch (pick(3)) {
    case 0:
      return draft.setConfig(op, oracle.legal(op)[pick(oracle.legal(op).size())]);
    case 1:
      return changeRead(op);
    default:
      for (ValueId result : problem[op].results) {
        LayoutId copy = oracle.l1Interleaved(result);
        if (copy != draft.home(result)) // else it would be the tensor at home once more
          draft.setInterleavedCopy(result, pick(2) ? copy : LayoutId());
      }
    }
  }
  size_t sharedReshards() const { return shared; }

private:
  void changeRead(OpId op) {
    llvm::ArrayRef<ValueId> operands = problem[op].operands;
    if (operands.empty())
      return;
    size_t operand = pick(operands.size());
    if (!draft.mayReadElsewhere(op, operand))
      return;
    const std::vector<LayoutId> &sharded = oracle.space(operands[operand]).sharded;
    Read read{Source(pick(3)), {}, pick(3) > 0};
    if (pick(2) && !sharded.empty())
      read.reshard = sharded[pick(std::min<size_t>(4, sharded.size()))];
    shared += read.shared && read.reshard.valid();
    for (size_t same = 0; same < operands.size(); ++same)
      if (operands[same] == operands[operand])
        draft.setRead(op, same, read);
  }

  const Problem &problem;
  Oracle &oracle;
  Draft &draft;
  const std::vector<uint8_t> &bytes;
  size_t next = 0, shared = 0;
};

/// Legal but for what the device has of L1.
constexpr Bytes kEndlessL1(int64_t(1) << 45);
bool isLegalApartFromL1(Draft &draft) {
  return draft.check({SchedulePos(), draft.end()}, kEndlessL1 * -1) == Outcome::Applied;
}

/// The least budget under which the draft would be legal.
Bytes peakOf(Draft &draft) {
  int64_t low = 0, high = kEndlessL1.value();
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    bool fits =
        draft.check({SchedulePos(), draft.end()}, draft.problem.l1Budget - Bytes(middle)) == Outcome::Applied;
    (fits ? high : low) = fits ? middle : middle + 1;
  }
  return Bytes(low);
}

/// What repair has to free where most is missing.
Bytes mostExcess(Draft &draft) {
  Bytes most;
  for (SchedulePos position; position < draft.end(); ++position)
    most = std::max(most, draft.excessAt(position));
  return most;
}

/// The largest need of a step. What is returned elsewhere than it is at home is brought there behind the last op, whatever is
/// decided: the draft has no position for that.
Bytes peakUpToTheLastOp(const Problem &problem, const Plan &plan, const L1Usage &l1) {
  auto bringsBack = [&](const PlanStep &step) {
    if (step.kind != PlanStep::Kind::Convert)
      return false;
    const Value &value = problem[plan[step.writes.front()].value];
    return value.home != value.declared;
  };
  size_t end = plan.steps.size();
  while (end > 0 && bringsBack(plan.steps[end - 1]))
    --end;
  Bytes peak;
  for (size_t step = 0; step < end; ++step)
    peak = std::max(peak, l1.tensors[step] + l1.buffers[step] + l1.margins[step]);
  return peak;
}

std::string json(const Problem &problem, const Plan &plan) {
  return llvm::formatv("{0}", toJson(problem, plan)).str();
}

/// What the drafts of all runs were: a property of legal plans says nothing if there is none.
struct Seen {
  size_t legal = 0, illegal = 0, tight = 0, peaks = 0, margins = 0, shared = 0;
};

/// Takes L1 away, down to what the base plan needs, so that tensors get into each other's way.
void tighten(ProblemInstance &instance, uint8_t byte) {
  Problem &problem = instance.problem;
  PlanCheck base = checkPlan(problem, basePlan(problem, *instance.model), *instance.model);
  if (base.l1.alone.empty())
    problem.l1Budget = std::max(base.l1.peak, Bytes(problem.l1Budget.value() * (1 + byte % 8) / 8));
}

TEST(Ledger, SaysAfterAnyEditsWhatThePlanCheckerSays) {
  auto bytes = rc::gen::resize(300, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  Seen seen;
  EXPECT_TRUE(rc::check("ledger", [&] {
    std::string text = randomProblem(*bytes);
    RC_LOG() << text;
    ProblemInstance instance = parseRandom(text);
    const std::vector<uint8_t> edits = *rc::gen::nonEmpty(bytes);
    tighten(instance, edits.back());
    const Problem &problem = instance.problem;
    Oracle oracle(problem, *instance.model);
    bool depthFirst = edits.front() % 2;
    Draft draft(problem, oracle, depthFirst ? depthFirstOrder(problem) : programOrder(problem));
    // Ops that the model refuses as declared count in planCost only: the same in every plan.
    Nanoseconds outside = planCost(problem, draft.write("base"), *instance.model).total() - draft.time();
    Shaker shaker(problem, oracle, draft, edits);
    for (int edit = 0; edit < 24; ++edit) {
      std::string before = json(problem, draft.write("ledger"));
      auto change = [&] { shaker.shake(); };
      switch (shaker.pick(4)) {
      case 0: // taken back: as if nothing had been
        draft.tryOut(change, [] { return false; });
        RC_ASSERT(json(problem, draft.write("ledger")) == before);
        break;
      case 1:
        if (draft.attempt(change, /*mayCost=*/true) != Outcome::Applied)
          RC_ASSERT(json(problem, draft.write("ledger")) == before);
        break;
      default: // whatever comes of it, but mostly what each op by itself may do
        draft.tryOut(change, [&] { return isLegalApartFromL1(draft) || shaker.pick(8) == 0; });
      }
      Plan plan = draft.write("ledger");
      PlanCheck check = checkPlan(problem, plan, *instance.model);
      bool fits = draft.checkAll() == Outcome::Applied;
      RC_ASSERT(fits == check.ok());
      ++(fits ? seen.legal : seen.illegal);
      if (!isLegalApartFromL1(draft))
        continue;
      seen.tight += !fits;
      RC_ASSERT(mostExcess(draft) == std::max(Bytes(0), peakOf(draft) - problem.l1Budget));
      RC_ASSERT(
          std::abs((planCost(problem, plan, *instance.model).total() - outside - draft.time()).value()) <
          1e-2);
      // For a step that exceeds the budget by itself, and may if it runs alone, the draft has no figure of its own.
      if (fits && check.l1.alone.empty()) {
        RC_ASSERT(peakOf(draft).value() == peakUpToTheLastOp(problem, plan, check.l1).value());
        ++seen.peaks;
      }
      seen.margins += check.l1.peak > Bytes(0) && check.l1.margins[check.l1.peakStep.index()] > Bytes(0);
    }
    seen.shared += shaker.sharedReshards();
  }));
  for (size_t count : {seen.legal, seen.illegal, seen.tight, seen.peaks, seen.margins, seen.shared})
    EXPECT_GT(count, 0u);
}

} // namespace
