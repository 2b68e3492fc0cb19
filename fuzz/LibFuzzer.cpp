//===- LibFuzzer.cpp - Inputs that coverage drives ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One program per target, `libfuzzer-NAME`, of the preset `asan`; its corpus lies
// in fuzz/libfuzzer/NAME. What `tessera-fuzz` does by rules, libFuzzer does by
// looking at which branches an input takes. An input must end in an answer or an
// error: exit code 0, 1 or 2.
//
//   build/asan/bin/libfuzzer-problem -close_fd_mask=3 /tmp/found fuzz/libfuzzer/problem test/Policy
//
//===----------------------------------------------------------------------===//
#include "Tools.h"

#include "tessera/Lowering/Passes.h"
#include "tessera/OpModel/OpModel.h"
#include "tessera/Optimizer/Passes.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "tessera/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace tessera;
using llvm::StringRef;

namespace {

void write(StringRef path, StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << contents;
}

std::string repositoryFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(llvm::Twine(TESSERA_ROOT "/") + path);
  if (buffer)
    return (*buffer)->getBuffer().str();
  llvm::report_fatal_error("cannot read " + path);
}

/// A command of the words of `line`, and more.
void runAndCheck(StringRef line, const std::vector<std::string> &more = {}) {
  std::vector<std::string> command;
  for (StringRef word : llvm::split(line, ' '))
    command.push_back(word.str());
  command.insert(command.end(), more.begin(), more.end());
  if (int code = fuzz::runTool(command); code < 0 || code > 2)
    std::abort();
}

void runIr(StringRef input) {
  write("input.mlir", input);
  runAndCheck("tessera optimize input.mlir -q --max-legal-layouts 4 -o out.mlir");
}

/// Arguments, separated by spaces.
void runOverrides(StringRef input) {
  std::vector<std::string> arguments;
  for (StringRef word : llvm::split(input.trim(), ' '))
    if (!word.empty() && !word.contains('/') && !word.contains('\0')) // outputs stay in the folder
      arguments.push_back(word.str());
  runAndCheck("tessera optimize model.mlir -q --max-legal-layouts 1 -o out.mlir", arguments);
}

void runProblem(StringRef input) {
  write("input.problem", input);
  runAndCheck("tessera-solve input.problem");
}

/// A plan that can be read is judged, and reads back from what is written of it.
void runPlan(StringRef input) {
  static const auto *const instance =
      new ProblemInstance(llvm::cantFail(parseProblem(repositoryFile("test/Policy/fork-join.problem"), "")));
  llvm::Expected<llvm::json::Value> json = parseJson(input);
  if (!json)
    return llvm::consumeError(json.takeError());
  llvm::Expected<Plan> plan = planFromJson(instance->problem, *json);
  if (!plan)
    return llvm::consumeError(plan.takeError());
  checkPlan(instance->problem, *plan, *instance->model);
  llvm::json::Value written = toJson(instance->problem, *plan);
  if (toJson(instance->problem, llvm::cantFail(planFromJson(instance->problem, written))) != written)
    std::abort();
}

void runRecord(StringRef input) {
  write("answers", input);
  runAndCheck("tessera optimize add.mlir -q --max-legal-layouts 1 --op-model recorded:answers -o out.mlir");
}

struct Target {
  llvm::StringLiteral name;
  void (*run)(StringRef input);
};
constexpr Target kTargets[] = {{"ir", runIr},
                               {"overrides", runOverrides},
                               {"problem", runProblem},
                               {"plan", runPlan},
                               {"record", runRecord}};

const Target *target = nullptr;
std::string workingFolder;

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  for (const Target &each : kTargets)
    if (each.name == TESSERA_FUZZ_TARGET)
      target = &each;
  registerTesseraLoweringPasses();
  registerTesseraOptimizerPasses();
  llvm::SmallString<128> folder;
  if (!target || llvm::sys::fs::createUniqueDirectory("tessera-libfuzzer", folder))
    llvm::report_fatal_error("no such target, or no folder for temporary files");
  workingFolder = folder.str().str();
  std::atexit([] { llvm::sys::fs::remove_directories(workingFolder); });
  write(workingFolder + "/model.mlir", repositoryFile("examples/resnet_block.mlir"));
  write(workingFolder + "/add.mlir", repositoryFile("fuzz/libfuzzer/ir/add.mlir"));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int started =
      ::open(".", O_RDONLY | O_DIRECTORY); // where libFuzzer's own folders are seen from
  if (::chdir(workingFolder.c_str()) != 0)
    std::abort();
  target->run(StringRef(reinterpret_cast<const char *>(data), size));
  return ::fchdir(started);
}
