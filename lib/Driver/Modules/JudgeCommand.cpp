//===- JudgeCommand.cpp - tessera judge -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One command for three questions: are the ops of a module accepted, alone and
// in place; does a program that was written of it run to its end; and do the
// kernels compute the same as in DRAM. A program needs its module beside it, as
// it does not say by itself where its tensors should lie.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "ExecutedOps.h"
#include "Judgement.h"
#include "PythonProgram.h"

#include "tessera/Bridge/Loops.h"
#include "tessera/Bridge/ModuleVersion.h"
#include "tessera/Driver/Commands.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

int printJudgement(const JudgeArguments &arguments, const Judgement &judgement) {
  if (!writeFiles({jsonFile(arguments.json, toJson(judgement))}))
    return kInputError;
  // JSON on standard output must stand alone there.
  print(arguments.json == "-" ? llvm::errs() : llvm::outs(), judgement);
  return judgement.passes() ? kSuccess : kInputError;
}

int judgeFile(const JudgeArguments &arguments, const TtnnLibrary &library, const OpsOfFile &file,
              const std::set<std::string> *before) {
  auto backend = OpModelBackend::create(file.opModel(),
                                        {file.device(), file.layouts(), file.l1Budget(kDefaultL1UsageCap)});
  if (!backend)
    return inputError(llvm::toString(backend.takeError()));
  llvm::Expected<Judgement> judgement = judge(file, *backend, before, library, arguments.workers);
  if (!judgement)
    return inputError(llvm::toString(judgement.takeError()));
  if (llvm::Error error = backend->finish())
    return inputError(llvm::toString(std::move(error)));
  return printJudgement(arguments, *judgement);
}

/// How a program fared.
struct JudgedProgram {
  std::string trouble; ///< "" if it came to its end
  int64_t statements = 0;
  size_t addresses = 0, equal = 0; ///< of tensors in L1
  std::string firstDifference;
};

/// Compares where the program's tensors were with where the module's are, by their names.
void compareAddresses(const BuiltProblem &built, const PlanReplay &replay,
                      const llvm::json::Object &addresses, JudgedProgram &judged) {
  // The program tells addresses by the names of its variables, which were given in the same way when it was written.
  std::vector<std::string> names = pythonNames(built);
  for (size_t id = 0; id < names.size(); ++id) {
    std::optional<int64_t> theirs = addresses.getInteger(names[id]);
    const std::optional<AddressRange> &ours = replay.tensors[id];
    bool isMade = built.problem.values[id].producer.valid(); // inputs come from the host
    if (!isMade || built.problem.layout(built.problem.values[id].declared).buffer != BufferType::L1 ||
        (!theirs && !ours))
      continue;
    ++judged.addresses;
    if (theirs && ours && ours->begin.value() == *theirs)
      ++judged.equal;
    else if (judged.firstDifference.empty() && !theirs) // one that has stopped may not have come to it
      judged.firstDifference =
          names[id] + " was not made in L1, and is to lie at " + std::to_string(ours->begin.value());
    else if (judged.firstDifference.empty())
      judged.firstDifference =
          names[id] + " lies at " + std::to_string(*theirs) +
          (ours ? ", not at " + std::to_string(ours->begin.value()) : ", and the replay has no room for it");
  }
}

/// Whether the program runs the function once, and not in a loop, where each run finds other tensors beside its own.
bool isEntry(mlir::func::FuncOp function) {
  return isForwardDeviceFunction(function) && !isLoopBody(function);
}

/// The shapes of what the module's program takes.
llvm::json::Array shapesTaken(const OpsOfFile &file) {
  llvm::json::Array shapes;
  for (const std::unique_ptr<BuiltProblem> &built : file.functions())
    if (mlir::func::FuncOp function = built->binding.function; isEntry(function))
      for (mlir::Type type : function.getArgumentTypes())
        if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
          shapes.push_back(llvm::json::Array(tensor.getShape()));
  return shapes;
}

int judgeProgram(const JudgeArguments &arguments, const TtnnLibrary &library, const OpsOfFile &file,
                 llvm::StringRef main) {
  auto backend = OpModelBackend::create(file.opModel(),
                                        {file.device(), file.layouts(), file.l1Budget(kDefaultL1UsageCap)});
  llvm::Expected<TtnnSession> session = TtnnSession::open(library, file.device());
  if (!session)
    return inputError(llvm::toString(session.takeError()));
  if (!backend)
    return inputError(llvm::toString(backend.takeError()));
  std::string request;
  llvm::raw_string_ostream(request) << llvm::json::Value(
      llvm::json::Object{{"python", main}, {"takes", shapesTaken(file)}});
  llvm::Expected<llvm::json::Object> answer = session->ask(request);
  if (!answer)
    return inputError(llvm::toString(answer.takeError()));
  JudgedProgram judged;
  // The first is the program's own, the second that of who runs the library, if that went down with it.
  for (llvm::StringRef key : {"trouble", "message"})
    if (std::optional<llvm::StringRef> trouble = answer->getString(key))
      judged.trouble = trouble->str();
  judged.statements = answer->getInteger("ops").value_or(0);
  for (const std::unique_ptr<BuiltProblem> &built : file.functions())
    if (const llvm::json::Object *addresses = answer->getObject("addresses");
        addresses && isEntry(built->binding.function))
      compareAddresses(*built, replayAsJudged(file, *built, backend->model()), *addresses, judged);
  llvm::outs() << "library    ttnn "
               << session->about().getString("version").value_or("of an unknown version")
               << ", a mock chip as " << file.device().name << "\n"
               << "program    " << judged.statements << " statements ran"
               << (judged.trouble.empty() ? ", to the end\n" : "\n");
  if (!judged.trouble.empty())
    llvm::outs() << "stopped    " << judged.trouble << "\n";
  llvm::outs() << "L1         " << judged.equal << " of " << judged.addresses << " addresses as replayed\n";
  if (!judged.firstDifference.empty())
    llvm::outs() << "           the first that is not: " << judged.firstDifference << "\n";
  return judged.trouble.empty() ? kSuccess : kInputError;
}

/// Says if the plan is for a device with more cores than the file's own description has, as `optimize --device` makes
/// it: all that follows from that would else look like defects of the plan.
void noteOtherGrid(const OpsOfFile &file) {
  GridShape grid = file.device().workerGrid;
  for (const std::unique_ptr<BuiltProblem> &built : file.functions())
    for (const Value &value : built->problem.values) {
      const TensorLayout &layout = built->problem.layout(value.declared);
      // DRAM has the banks of any device of the kind: only cores tell that it is another one.
      if (!layout.isL1() || !layout.cores)
        continue;
      CoreCoord last = layout.cores->boundingBox().end;
      if (last.x < grid.columns && last.y < grid.rows)
        continue;
      llvm::errs() << "tessera: note: '" << value.name << "' lies on core (" << last.x << ", " << last.y
                   << "), and " << file.device().name << " has " << grid.columns << " columns and "
                   << grid.rows << " rows of them; --device says for which device the plan is\n";
      // The first is enough: all others have the same cause.
      return;
    }
}

/// Which library is asked: the one that the user names, else the one that the module is for, else the default. The op
/// model answers beside it as that version does, unless the user names another one.
void askedLibrary(JudgeArguments &arguments, llvm::StringRef ofModule) {
  if (arguments.version.empty())
    arguments.version = libraryOf(ofModule).str();
  if (arguments.version.empty())
    arguments.version = (arguments.simulator.empty() ? kTtnnVersion : kKernelsVersion).str();
  answerAsLibrary(arguments.opModel, arguments.version);
}

} // namespace

int tessera::runJudge(const JudgeArguments &given) {
  JudgeArguments arguments = given;
  const DeviceSpec *chosen = arguments.device.empty() ? nullptr : findDeviceOrDiagnose(arguments.device);
  if ((!arguments.device.empty() && !chosen) || !checkOrDiagnose(arguments.opModel) ||
      !checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  // What the user has to mend comes before the library is started, which takes seconds.
  llvm::Expected<std::string> main =
      arguments.python.empty() ? std::string() : mainOfProgram(arguments.python, arguments.input);
  if (!main)
    return inputError(llvm::toString(main.takeError()));
  auto read = [&](const std::string &path) {
    return OpsOfFile::read(path, arguments.allowBytecode, chosen, [&](mlir::ModuleOp module) {
      askedLibrary(arguments, versionOfModule(module));
      return arguments.opModel;
    });
  };
  std::unique_ptr<OpsOfFile> file = read(arguments.input);
  if (!file)
    return kInputError;
  llvm::Expected<TtnnLibrary> library = findTtnn(arguments.version);
  if (!library)
    return inputError(llvm::toString(library.takeError()));
  if (file->functions().empty()) // the library would accept all of nothing
    return inputError("'" + arguments.input + "' has no function that runs on the device");
  noteOtherGrid(*file);
  if (!arguments.simulator.empty())
    return judgeByExecution(arguments, *file);
  if (!arguments.python.empty())
    return judgeProgram(arguments, *library, *file, *main);
  if (arguments.against.empty())
    return judgeFile(arguments, *library, *file, nullptr);
  std::unique_ptr<OpsOfFile> before = read(arguments.against);
  if (!before)
    return kInputError;
  std::set<std::string> questions = questionsOf(*before);
  return judgeFile(arguments, *library, *file, &questions);
}
