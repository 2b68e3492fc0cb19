//===- SpillExhaustiveTest.cpp - Strategy dp against every plan -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Small random programs, each value in DRAM or in L1 interleaved. The search here
// is another than the strategy's: it knows no states, but tries every plan, one
// step after the other:
//
//   before each op    any set of values in L1 is written to DRAM as well
//   each operand      any tensor of the value there ever was, or a conversion of
//                     one
//   the op            any place of its result
//
// A tensor lives from where it is made to where it is read last, so reading an old
// one again may turn out not to fit.
//
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Policy/Spill.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

using namespace tessera;

namespace {

/// Figures of the mock device, the same for the text and for the search.
struct Program {
  struct Op {
    int operands[2]; ///< values by number; -1: none. Value 0 is an argument in DRAM
    int kib;         ///< of the result
    int buffers;     ///< KiB
  };
  std::vector<Op> ops;
  int budget = 0;                           ///< KiB
  int time = 100, dram = 0, conversion = 0; ///< ns
  std::string text() const;
};

std::string Program::text() const {
  std::string text = "device grid 1x1\nbudget " + std::to_string(budget) + "KiB\nmock default time " +
                     std::to_string(time) + " dram " + std::to_string(dram) +
                     "\nmock ttnn.to_memory_config time " + std::to_string(conversion) + " dram 0\n";
  for (size_t i = 0; i < ops.size(); ++i)
    text += "mock ttnn.op" + std::to_string(i) + " buffers " + std::to_string(ops[i].buffers) + "KiB\n";
  text += "%v0 = argument 32x32xbf16 dram\n";
  for (size_t i = 0; i < ops.size(); ++i) {
    text += "%v" + std::to_string(i + 1) + " = ttnn.op" + std::to_string(i) + "(%v" +
            std::to_string(ops[i].operands[0]);
    if (ops[i].operands[1] >= 0)
      text += ", %v" + std::to_string(ops[i].operands[1]);
    bool last = i + 1 == ops.size();
    text += ") : 32x" + std::to_string(16 * ops[i].kib) + "xbf16" +
            (last ? " legal [dram, l1]" : " declared l1 legal [l1, dram]") + "\n";
  }
  return text + "return %v" + std::to_string(ops.size()) + "\n";
}

/// Tries every plan that could take less than `limit`.
class EveryPlan {
public:
  EveryPlan(const Program &program, double limit) : program(program), best(limit) {
    tensors.push_back({0, false, 0, 0});
    step(0);
  }
  double leastTime() const { return best; }
  /// Whether there were too many plans to try.
  bool gaveUp() const { return tried >= kMostSteps; }

private:
  struct Tensor {
    int value;
    bool l1;
    int made, last; ///< steps
  };

  /// What is left takes at least the ops' own time.
  bool canWin() {
    ++tried;
    return tried < kMostSteps && time + program.time * int(program.ops.size() - ran) < best;
  }

  int size(int value) const { return value == 0 ? 2 : program.ops[size_t(value) - 1].kib; }

  /// Lets `tensor` live to step `now`; false if that does not fit. `undo` says how far it lived.
  bool use(size_t tensor, int now, int &undo) {
    Tensor &data = tensors[tensor];
    undo = data.last;
    bool fits = true;
    for (int at = data.last + 1; at <= now; ++at)
      if (data.l1)
        fits &= (held[size_t(at)] += size(data.value)) <= program.budget;
    data.last = std::max(data.last, now);
    return fits;
  }
  void unuse(size_t tensor, int undo) {
    Tensor &data = tensors[tensor];
    for (int at = undo + 1; at <= data.last; ++at)
      if (data.l1)
        held[size_t(at)] -= size(data.value);
    data.last = undo;
  }

  /// A conversion step of that tensor; then `next`.
  template <class Next>
  void convert(size_t source, Next next) {
    int now = int(held.size()), undo = 0;
    held.push_back(0);
    Tensor made{tensors[source].value, !tensors[source].l1, now, now};
    held.back() += made.l1 ? size(made.value) : 0;
    time += program.conversion;
    bool fits = use(source, now, undo) && held.back() <= program.budget;
    tensors.push_back(made);
    if (fits && canWin())
      next();
    tensors.pop_back();
    unuse(source, undo);
    time -= program.conversion;
    held.pop_back();
  }

  void step(size_t op) {
    if (op == program.ops.size()) {
      leave();
      return;
    }
    spillSome(op, 1);
  }

  /// The function returns its last result in DRAM.
  void leave() {
    int result = int(program.ops.size());
    for (size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].value == result) {
        if (!tensors[i].l1)
          best = std::min(best, time);
        else
          convert(i, [&] { best = std::min(best, time); });
      }
  }

  bool hasIn(int value, bool l1) const {
    return llvm::any_of(tensors, [&](const Tensor &t) { return t.value == value && t.l1 == l1; });
  }

  void spillSome(size_t op, int value) {
    if (value > int(op)) {
      read(op, 0, {});
      return;
    }
    spillSome(op, value + 1);
    if (hasIn(value, false))
      return;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].value == value && tensors[i].l1)
        convert(i, [&] { spillSome(op, value + 1); });
  }

  void read(size_t op, size_t operand, std::vector<size_t> chosen) {
    if (operand == 2 || program.ops[op].operands[operand] < 0) {
      run(op, chosen);
      return;
    }
    int value = program.ops[op].operands[operand];
    if (operand == 1 && value == program.ops[op].operands[0]) {
      run(op, chosen);
      return;
    }
    size_t count = tensors.size();
    for (size_t i = 0; i < count; ++i) {
      if (tensors[i].value != value)
        continue;
      std::vector<size_t> with = chosen;
      with.push_back(i);
      read(op, operand + 1, with);
      with.back() = tensors.size();
      convert(i, [&] { read(op, operand + 1, with); });
    }
  }

  void run(size_t op, const std::vector<size_t> &chosen) {
    for (bool l1 : {true, false}) {
      int now = int(held.size()), inDram = l1 ? 0 : 1;
      bool twice = program.ops[op].operands[0] == program.ops[op].operands[1];
      for (size_t tensor : chosen)
        inDram += tensors[tensor].l1 ? 0 : twice ? 2 : 1;
      int value = int(op) + 1;
      held.push_back(program.ops[op].buffers + (l1 ? size(value) : 0));
      double took = program.time + double(program.dram) * inDram;
      time += took;
      std::vector<int> undo(chosen.size());
      bool fits = held.back() <= program.budget;
      for (size_t i = 0; i < chosen.size(); ++i)
        fits &= use(chosen[i], now, undo[i]);
      tensors.push_back({value, l1, now, now});
      ++ran;
      if (fits && canWin())
        step(op + 1);
      --ran;
      tensors.pop_back();
      for (size_t i = chosen.size(); i-- > 0;)
        unuse(chosen[i], undo[i]);
      time -= took;
      held.pop_back();
    }
  }

  static constexpr size_t kMostSteps = 1000000;

  const Program &program;
  double best, time = 0;
  size_t ran = 0, tried = 0; ///< ops on the way that is tried; steps on all
  std::vector<Tensor> tensors;
  std::vector<int> held = {0}; ///< KiB by step; arguments are there before the first
};

/// From bytes, so that a smaller failure is a smaller program.
Program randomProgram(const std::vector<uint8_t> &bytes) {
  size_t at = 0;
  auto below = [&](int limit) { return at < bytes.size() ? bytes[at++] % limit : 0; };
  Program program;
  program.budget = 100;
  program.dram = 50 * (1 + below(4));
  program.conversion = 60 + 40 * below(8);
  int ops = 2 + (below(4) == 0 ? below(7) : 4 + below(3));
  for (int i = 0; i < ops; ++i) {
    Program::Op op{{below(i + 1), below(3) == 0 ? -1 : below(i + 1)}, 10 + 2 * below(30), 2 * below(15)};
    if (op.operands[1] == op.operands[0])
      op.operands[1] = -1;
    program.ops.push_back(op);
  }
  return program;
}

TEST(SpillDp, EqualsTheBestOfAllPlansOnProgramsOfUpToEightOps) {
  auto bytes = rc::gen::resize(60, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  bool holds = rc::check("dp is the best of all plans", [&] {
    Program program = randomProgram(*bytes);
    RC_LOG() << program.text();
    ProblemInstance instance = parseRandom(program.text());
    const Problem &problem = instance.problem;
    PolicyOptions options;
    options.spill = SpillStrategy::Dp;
    PolicyFigures figures;
    options.figures = &figures;
    Plan plan = spillPlan(problem, *instance.model, declaredPlan(problem), options);
    RC_ASSERT(violations(checkPlan(problem, plan, *instance.model)) == "");
    double time = planCost(problem, plan, *instance.model).total().value();
    EveryPlan others(program, time - 1e-6); // those that take less
    if (others.gaveUp())
      RC_DISCARD("too many plans");
    RC_ASSERT(others.leastTime() >= time - 1e-6);
    RC_CLASSIFY(time > planCost(problem, declaredPlan(problem), *instance.model).total().value(),
                "something leaves L1");
    RC_CLASSIFY(program.ops.size() >= 6, "six ops or more");
  });
  EXPECT_TRUE(holds);
}

} // namespace
