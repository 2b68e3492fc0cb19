//===- RandomProblem.cpp - Random problem texts ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "llvm/Support/raw_ostream.h"
#include <rapidcheck.h>

using namespace tessera;

namespace {

class Generator {
public:
  Generator(const std::vector<uint8_t> &bytes, bool someInL1) : bytes(bytes), someInL1(someInL1), os(text) {}

  std::string run() {
    static constexpr const char *kGrids[] = {"1x2", "2x2", "2x4", "8x8"};
    os << "device grid " << kGrids[pick(4)] << "\nbudget " << 24 * (1 + pick(40)) << "KiB\n";
    os << "mock default time " << 100 * pick(20) << " dram " << 100 * pick(20) << " interleaved "
       << 50 * pick(10) << "\n";
    for (const char *op : kOps)
      mock(op);
    os << "mock ttnn.to_memory_config time " << 100 * pick(40) << " dram " << 100 * pick(10) << "\n";
    for (size_t i = 0, count = 1 + pick(3); i < count; ++i)
      os << newValue() << " = " << (pick(4) == 0 ? "constant " : "argument ") << type() << " dram\n";
    for (size_t i = 0, count = 1 + pick(14); i < count; ++i)
      op();
    finish();
    return text;
  }

private:
  static constexpr const char *kOps[] = {"ttnn.relu",   "ttnn.add",     "ttnn.matmul", "ttnn.reshape",
                                         "ttnn.conv2d", "ttnn.softmax", "ttnn.mystery"};

  size_t pick(size_t choices) { return (next < bytes.size() ? bytes[next++] : 0) % choices; }
  std::string newValue() { return "%v" + std::to_string(values++); }
  /// Recent values are more likely, so that chains get long.
  std::string value() {
    size_t back = pick(3) == 0 ? pick(values) : pick(std::min<size_t>(values, 3));
    return "%v" + std::to_string(values - 1 - back);
  }
  std::string type() {
    static constexpr const char *kTypes[] = {"32x64xbf16",   "64x256xbf16",  "256x64xf32",
                                             "256x256xbf16", "512x512xbf16", "1024x512xbf16"};
    return kTypes[pick(6)];
  }

  void mock(llvm::StringRef op) {
    os << "mock " << op;
    if (pick(2))
      os << " buffers " << 8 * pick(20) << "KiB";
    if (pick(5) == 1)
      os << " dram_buffers " << 8 * pick(30) << "KiB";
    if (pick(5) == 1)
      os << " margin " << 8 * pick(10) << "KiB";
    if (pick(2))
      os << " time " << 100 * pick(50) << " dram " << 100 * pick(50) << " interleaved " << 100 * pick(20);
    if (pick(3) == 1)
      os << " same_placement";
    if (pick(6) == 1)
      os << " dram_inputs";
    if (pick(6) == 1)
      os << " interleaved_inputs";
    if (op == "ttnn.reshape" && pick(2))
      os << " view";
    if (op == "ttnn.mystery" && pick(2))
      os << " not_implemented";
    os << "\n";
  }

  void op() {
    if (pick(12) == 1) {
      os << "ttnn.fill_cache(" << value() << ", " << value() << ")\n";
      return;
    }
    llvm::StringRef name = kOps[pick(std::size(kOps))];
    std::string operands = value();
    for (size_t i = pick(3); i > 0; --i)
      operands += ", " + value();
    bool two = pick(10) == 1;
    os << newValue();
    if (two)
      os << ", " << newValue();
    os << " = " << name << "(" << operands << ") : " << type();
    if (two)
      os << ", " << type();
    if (someInL1 && pick(6) == 1)
      os << (two ? " declared l1+dram" : " declared l1");
    if (name == "ttnn.mystery")
      os << " fixed";
    else if (!two)
      legal(name);
    os << "\n";
  }

  void legal(llvm::StringRef name) {
    if (name == "ttnn.conv2d" && pick(2))
      os << " legal [dram, l1/frees_input, dram/frees_input]";
    else if (size_t sharded = pick(4))
      os << " legal all " << 3 * sharded;
  }

  void finish() {
    os << "return " << value();
    if (pick(3) == 1)
      os << ", " << value();
    os << "\n";
  }

  const std::vector<uint8_t> &bytes;
  bool someInL1;
  size_t next = 0, values = 0;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace

std::string tessera::randomProblem(const std::vector<uint8_t> &bytes, bool someInL1) {
  return Generator(bytes, someInL1).run();
}

ProblemInstance tessera::parseUnfitted(const std::string &text) {
  llvm::Expected<ProblemInstance> instance = parseProblem(text, "random");
  if (!instance)
    RC_FAIL(llvm::toString(instance.takeError()));
  return std::move(*instance);
}

ProblemInstance tessera::parseRandom(const std::string &text) {
  ProblemInstance instance = parseUnfitted(text);
  RC_PRE(fitBase(instance.problem, *instance.model).check.ok());
  return instance;
}

std::string tessera::violations(const PlanCheck &check) {
  std::string text;
  for (const PlanViolation &violation : check.violations)
    text += violation.rule + ": " + violation.message + "\n";
  return text;
}
