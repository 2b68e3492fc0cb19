//===- JudgeCommand.cpp - tessera judge -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Judgement.h"
#include "Session.h"

#include "tessera/Driver/Commands.h"

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
  auto backend = OpModelBackend::create(arguments.opModel,
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

} // namespace

int tessera::runJudge(const JudgeArguments &given) {
  JudgeArguments arguments = given;
  const DeviceSpec *chosen = arguments.device.empty() ? nullptr : findDeviceOrDiagnose(arguments.device);
  if ((!arguments.device.empty() && !chosen) || !checkOrDiagnose(arguments.opModel) ||
      !checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  llvm::Expected<TtnnLibrary> library = findTtnn(arguments.version);
  if (!library)
    return inputError(llvm::toString(library.takeError()));
  answerAsLibrary(arguments.opModel, arguments.version);
  auto read = [&](const std::string &path) {
    return OpsOfFile::read(path, arguments.allowBytecode, chosen, arguments.opModel);
  };
  std::unique_ptr<OpsOfFile> file = read(arguments.input);
  if (!file)
    return kInputError;
  if (arguments.against.empty())
    return judgeFile(arguments, *library, *file, nullptr);
  std::unique_ptr<OpsOfFile> before = read(arguments.against);
  if (!before)
    return kInputError;
  std::set<std::string> questions = questionsOf(*before);
  return judgeFile(arguments, *library, *file, &questions);
}
