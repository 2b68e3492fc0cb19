//===- Perfetto.cpp - The estimated timeline of a plan --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A plan as a timeline: every function a process, its rows the steps, the
// conversions, what each step is estimated to spend in compute, L1, NoC and
// DRAM, and groups of steps; two counters say what lies in L1 and DRAM. Times
// are the op model's estimates, one step after the other: nothing of it was
// measured.
//
//===----------------------------------------------------------------------===//
#include "tessera/Report/Exports.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Decisions/TimeGroups.h"

#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::report;
using namespace tessera::decisions;
namespace json = llvm::json;

namespace {

/// Rows of a process, in the order in which they are shown.
enum Thread : int { kOps = 1, kConversions, kCompute, kL1, kNoc, kDram, kKinds, kLayers, kBounds };
constexpr llvm::StringLiteral kThreadNames[] = {"ops",  "conversions", "compute", "L1",      "NoC",
                                                "DRAM", "kinds",       "layers",  "bound by"};

/// Nanoseconds as the format's microseconds.
double microseconds(Nanoseconds time) { return time.value() / 1000; }

class Timeline {
public:
  Timeline(json::OStream &out, const FunctionDecisions &f, int64_t process)
      : out(out), f(f), w(f), process(process) {}

  void write() {
    nameRows();
    // Steps follow each other without a gap, as the estimate of a function is the sum of its steps.
    Nanoseconds at(0);
    std::vector<Bytes> dram = dramBytes();
    for (auto [i, step] : llvm::enumerate(f.steps)) {
      writeStep(Index(i), step, at);
      counter("L1 bytes", at,
              json::Object{{"tensors", step.l1.tensors.value()},
                           {"circular buffers", step.l1.buffers.value()},
                           {"margin", step.l1.margin.value()}});
      counter("DRAM bytes", at, json::Object{{"tensors", dram[i].value()}});
      at += step.time.total;
    }
    writeStretches(kKinds, TimeBy::Kind);
    writeStretches(kLayers, TimeBy::Layer);
    writeStretches(kBounds, TimeBy::Bound);
    // A counter holds until the next sample.
    counter("L1 bytes", at, json::Object{{"tensors", 0}, {"circular buffers", 0}, {"margin", 0}});
    counter("DRAM bytes", at, json::Object{{"tensors", 0}});
  }

private:
  void event(llvm::StringRef phase, llvm::StringRef name, llvm::function_ref<void()> rest) {
    out.object([&] {
      out.attribute("ph", phase);
      out.attribute("name", name);
      out.attribute("pid", process);
      rest();
    });
  }

  void nameRows() {
    auto label = [&](llvm::StringRef what, std::optional<int64_t> thread, json::Object args) {
      event("M", what, [&] {
        if (thread)
          out.attribute("tid", *thread);
        out.attribute("args", std::move(args));
      });
    };
    label("process_name", std::nullopt,
          json::Object{{"name", f.device.name + " @" + f.function + ", policy " + f.policy}});
    for (auto [i, name] : llvm::enumerate(kThreadNames)) {
      label("thread_name", int64_t(i) + 1, json::Object{{"name", name}});
      label("thread_sort_index", int64_t(i) + 1, json::Object{{"sort_index", int64_t(i)}});
    }
  }

  void slice(llvm::StringRef name, int64_t thread, Nanoseconds at, Nanoseconds duration, json::Object args) {
    event("X", name, [&] {
      out.attribute("cat", thread == kConversions ? "conversion" : "op");
      out.attribute("tid", thread);
      out.attribute("ts", microseconds(at));
      out.attribute("dur", microseconds(duration));
      out.attribute("args", std::move(args));
    });
  }

  void writeStep(Index index, const StepFacts &step, Nanoseconds at) {
    std::string name = w.stepName(index);
    // Each row can be read and searched by itself.
    auto place = [&] { return json::Object{{"step", index}, {"op", w.stepKind(index)}}; };
    json::Object args{{"step", index},
                      {"op", w.stepKind(index)},
                      {"bound by", step.time.boundBy},
                      {"L1 bytes", step.l1.total().value()}};
    if (!step.writes.empty())
      args["result"] = w.layoutOf(step.writes.front());
    if (!step.configText.empty())
      args["configuration"] = step.configText;
    slice(name, step.isRun() ? kOps : kConversions, at, step.time.total, std::move(args));
    const std::pair<Thread, Nanoseconds> parts[] = {
        {kCompute, step.time.compute}, {kL1, step.time.l1}, {kNoc, step.time.noc}, {kDram, step.time.dram}};
    // Slices of a row must not overlap, and a part may be estimated to be longer than what hides it.
    for (auto [thread, time] : parts)
      if (time > Nanoseconds(0))
        slice(name, thread, at, std::min(time, step.time.total), place());
    if (!step.isRun())
      writeArrow(index, step, at);
  }

  /// A slice for each stretch of steps of one group.
  void writeStretches(Thread row, TimeBy what) {
    std::vector<std::string> names = groupNames(f, what);
    Nanoseconds at(0);
    for (size_t first = 0, end = 0; first != f.steps.size(); first = end) {
      Nanoseconds begin = at;
      for (; end != f.steps.size() && names[end] == names[first]; ++end)
        at += f.steps[end].time.total;
      slice(names[first], row, begin, at - begin,
            json::Object{{"step", int64_t(first)}, {"steps", int64_t(end - first)}});
    }
  }

  /// From a conversion to the first step that reads what it made.
  void writeArrow(Index index, const StepFacts &step, Nanoseconds at) {
    const std::vector<Index> &readers = w.tensor(step.writes.front()).readers;
    // An arrow can only point ahead.
    if (readers.empty() || readers.front() <= index)
      return;
    Nanoseconds then = at;
    for (Index i = index; i < readers.front(); ++i)
      then += w.step(i).time.total;
    const StepFacts &reader = w.step(readers.front());
    auto end = [&](llvm::StringRef phase, int64_t thread, Nanoseconds when) {
      event(phase, "converted", [&] {
        out.attribute("cat", "conversion");
        // Arrows are joined by their number over all processes, and every function is a process.
        out.attribute("id", process * 1000000 + index);
        out.attribute("tid", thread);
        out.attribute("ts", microseconds(when));
        // The arrow ends within the slice that encloses it, and not at the next one that begins (facts/report-formats
        // 4).
        if (phase == "f")
          out.attribute("bp", "e");
      });
    };
    end("s", kConversions, at);
    end("f", reader.isRun() ? kOps : kConversions, then);
  }

  void counter(llvm::StringRef name, Nanoseconds at, json::Object args) {
    event("C", name, [&] {
      out.attribute("ts", microseconds(at));
      out.attribute("args", std::move(args));
    });
  }

  std::vector<Bytes> dramBytes() const {
    // One more than there are steps, for what lives to the end.
    std::vector<Bytes> held(f.steps.size() + 1);
    for (const TensorFacts &tensor : f.tensors) {
      if (f.layouts[size_t(tensor.layout)].buffer != BufferType::DRAM)
        continue;
      // Begins and ends first and their running sum after, so that long-lived tensors cost no more than others.
      held[std::min(size_t(tensor.begin), f.steps.size())] += tensor.total;
      held[std::min(size_t(tensor.end), f.steps.size())] -= tensor.total;
    }
    for (size_t i = 1; i < held.size(); ++i)
      held[i] += held[i - 1];
    return held;
  }

  json::OStream &out;
  const FunctionDecisions &f;
  DecisionWords w;
  int64_t process;
};

} // namespace

void report::writePerfetto(llvm::raw_ostream &os, const Decisions &all) {
  json::OStream out(os);
  out.object([&] {
    out.attribute("displayTimeUnit", "ns");
    out.attributeArray("traceEvents", [&] {
      for (auto [i, function] : llvm::enumerate(all.functions))
        Timeline(out, function, int64_t(i) + 1).write();
    });
  });
  os << "\n";
}
