//===- CompareAgainst.cpp - Plans beside one of another compiler ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What another compiler planned is read as a module and priced as it stands, by
// the op model that prices our plan. Figures of two compilers, each with its
// own model of times, could not be set side by side.
//
// With a library at hand both are judged by it, too: a plan that is faster by
// our figures and refused by the library is no better one.
//
//===----------------------------------------------------------------------===//
#include "CompareAgainst.h"

#include "../Common/Session.h"
#include "DecidedModule.h"
#include "Judgement.h"

#include "tessera/Bridge/Loops.h"
#include "tessera/Report/Diff.h"
#include "tessera/Support/TemporaryFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
namespace json = llvm::json;

/// Changes that are printed without --all.
static constexpr size_t kMostChanges = 10;

namespace {

/// What the library says of a file, whose ops the judgement names.
struct JudgedFile {
  std::unique_ptr<OpsOfFile> file;
  Judgement judgement;
};

/// A module that was planned, and what the library says of it if it is asked.
struct JudgedPlan {
  DecidedModule decided;
  decisions::Decisions decisions;
  std::optional<JudgedFile> judged;
};

/// Tells the user.
ExitCode fails(const std::string &what) {
  inputError(what);
  return kInputError;
}

/// The library, if it is to be asked; an error if it is not there.
llvm::Expected<std::optional<TtnnLibrary>> askedLibrary(const CompareArguments &arguments) {
  if (!arguments.judge)
    return std::nullopt;
  llvm::Expected<TtnnLibrary> library = findTtnn(arguments.version);
  if (!library)
    return library.takeError();
  return std::move(*library);
}

/// What the library says of a file. The op model answers as that version does, as for 'tessera judge'.
std::variant<JudgedFile, ExitCode> judgeFile(const CompareArguments &arguments, const TtnnLibrary &library,
                                             const std::string &path) {
  // The name was looked up when the module was planned.
  const DeviceSpec *device = arguments.device.empty() ? nullptr : findDevice(arguments.device);
  OpModelOptions model = arguments.opModel;
  answerAsLibrary(model, arguments.version);
  std::unique_ptr<OpsOfFile> file = OpsOfFile::read(path, arguments.allowBytecode, device, model);
  if (!file)
    return kInputError;
  auto backend =
      OpModelBackend::create(model, {file->device(), file->layouts(), file->l1Budget(kDefaultL1UsageCap)});
  if (!backend)
    return fails(llvm::toString(backend.takeError()));
  llvm::Expected<Judgement> judgement = judge(*file, *backend, nullptr, library, arguments.workers);
  if (!judgement)
    return fails(llvm::toString(judgement.takeError()));
  return JudgedFile{std::move(file), std::move(*judgement)};
}

/// The same of a module in memory, by way of a file that is gone afterwards.
std::variant<JudgedFile, ExitCode> judgeModule(const CompareArguments &arguments, const TtnnLibrary &library,
                                               mlir::ModuleOp module) {
  // By way of a file, as judging tells where each op stands in the text that it judges.
  llvm::Expected<TemporaryFile> file = TemporaryFile::make("tessera-compare", "mlir");
  if (!file)
    return fails(llvm::toString(file.takeError()));
  if (!writeFiles({{file->path(), [&](llvm::raw_ostream &os) { module.print(os); }}}))
    return kInputError;
  return judgeFile(arguments, library, file->path());
}

std::variant<JudgedPlan, ExitCode> planned(const CompareArguments &arguments) {
  auto decided = decideModule(arguments, [](OptimizerOptions &options, const ResultNames &) {
    options.decisions = true;
    return llvm::Error::success();
  });
  if (auto *code = std::get_if<ExitCode>(&decided))
    return *code;
  JudgedPlan plan{std::move(std::get<DecidedModule>(decided)), {}, std::nullopt};
  plan.decisions = decisionsOf(plan.decided.result, arguments.input);
  if (plan.decisions.functions.empty())
    return fails("'" + arguments.input + "' has no function that runs on the device");
  return plan;
}

/// Has the library say what it thinks of a plan, if there is one; the exit code where that cannot be had.
std::optional<ExitCode> judgePlan(JudgedPlan &plan, const CompareArguments &arguments,
                                  const TtnnLibrary *library) {
  if (!library)
    return std::nullopt;
  auto judged = judgeModule(arguments, *library, *plan.decided.module);
  if (auto *code = std::get_if<ExitCode>(&judged))
    return *code;
  plan.judged = std::move(std::get<JudgedFile>(judged));
  return std::nullopt;
}

/// Has all that follows answer for the version that the input was planned for: a plan of another compiler does not say
/// which it is for.
void answerAsPlanned(CompareArguments &arguments, const JudgedPlan &ours) {
  const std::string &version = ours.decided.result.opModel.backendVersion;
  if (arguments.version.empty())
    arguments.version =
        (libraryOf(version).empty() ? llvm::StringRef(kTtnnVersion) : libraryOf(version)).str();
  if (arguments.opModel.backendVersion.empty())
    arguments.opModel.backendVersion = version;
}

/// "172 of 174 ops accepted, 2 not asked, 120 of 121 addresses in L1 as replayed".
std::string sentence(const Judgement &judgement) {
  size_t all = 0, accepted = 0, uncovered = 0, troubles = 0, addresses = 0, equal = 0;
  for (const JudgedFunction &function : judgement.functions) {
    for (const JudgedOp &op : function.ops) {
      ++all;
      accepted += op.verdict == Verdict::Accepted;
      uncovered += op.verdict == Verdict::Uncovered;
    }
    troubles += function.troubles.size();
    addresses += function.addresses;
    equal += function.equal;
  }
  // What was not asked says nothing for or against a plan.
  std::string text = llvm::formatv("{0} of {1} ops accepted", accepted, all - uncovered);
  if (uncovered)
    text += llvm::formatv(", {0} not asked", uncovered);
  if (troubles)
    text += llvm::formatv(", {0} without room or in each other's way", troubles);
  return text + llvm::formatv("; {0} of {1} addresses in L1 as replayed", equal, addresses).str();
}

void printJudgements(llvm::raw_ostream &os, const JudgedPlan &theirs, const JudgedPlan &ours,
                     const report::SideNames &names) {
  if (theirs.judged && ours.judged)
    os << theirs.judged->judgement.library << "\n  " << names.before << ": "
       << sentence(theirs.judged->judgement) << "\n  " << names.after << ": "
       << sentence(ours.judged->judgement) << "\n\n";
}

/// Ops of the other plan that our op model refuses: they take part with layouts that it accepts, and the conversions
/// for these.
void printRepaired(llvm::raw_ostream &os, const JudgedPlan &theirs, const std::string &name) {
  size_t count = 0;
  for (const auto &[op, ops] : totalOf(theirs.decided.result.functions).repaired)
    count += size_t(ops);
  if (count)
    os << count << " ops of " << name
       << " are refused as they stand, and take part with other layouts and the conversions for these\n\n";
}

/// A loop runs its body as often as it likes, and a plan may have it in another form: so bodies do not count.
std::string shapesOf(const JudgedPlan &plan) {
  llvm::StringSet<> bodies;
  plan.decided.module.get()->walk([&](mlir::func::FuncOp function) {
    if (isLoopBody(function))
      bodies.insert(function.getSymName());
  });
  std::string text;
  for (const decisions::FunctionDecisions &function : plan.decisions.functions)
    if (!bodies.contains(function.function))
      text += (text.empty() ? "" : ", ") + report::shapesOf(function);
  return text;
}

/// Two plans are compared if they are of one program, as far as shapes tell; else what one gains over the other says
/// nothing.
llvm::Error checkAlike(const CompareArguments &arguments, const JudgedPlan &theirs, const JudgedPlan &ours) {
  std::string before = shapesOf(theirs), after = shapesOf(ours);
  if (before == after)
    return llvm::Error::success();
  // A deep model has hundreds of shapes: the first of them tell programs apart.
  return llvm::createStringError("'" + arguments.against + "' is no plan of '" + arguments.input +
                                 "': it computes " + llvm::StringRef(before).take_front(200) + ", and this " +
                                 llvm::StringRef(after).take_front(200));
}

json::Value judgementOrNull(const JudgedPlan &plan) {
  return plan.judged ? toJson(plan.judged->judgement) : json::Value(nullptr);
}

} // namespace

int tessera::compareAgainst(const CompareArguments &given, const std::vector<std::string> &policies) {
  CompareArguments arguments = given;
  auto planBy = [&](const std::string &policy) {
    CompareArguments asked = arguments;
    asked.policy = policy;
    return planned(asked);
  };
  auto first = planBy(policies.front());
  if (auto *code = std::get_if<ExitCode>(&first))
    return *code;
  answerAsPlanned(arguments, std::get<JudgedPlan>(first));
  llvm::Expected<std::optional<TtnnLibrary>> library = askedLibrary(arguments);
  if (!library)
    return inputError(llvm::toString(library.takeError()));
  const TtnnLibrary *asked = *library ? &**library : nullptr;
  // Priced by the same op model as ours. All else that is asked for is the same, too: what differs then is the plans' doing.
  CompareArguments standing = arguments;
  standing.input = arguments.against;
  takeAsItStands(standing);
  auto theirs = planned(standing);
  if (auto *code = std::get_if<ExitCode>(&theirs))
    return *code;
  JudgedPlan &theirPlan = std::get<JudgedPlan>(theirs);
  if (std::optional<ExitCode> code = judgePlan(theirPlan, standing, asked))
    return *code;
  llvm::raw_ostream &people = arguments.json == "-" ? llvm::errs() : llvm::outs();
  json::Array plans;
  for (const std::string &policy : policies) {
    auto ours = &policy == &policies.front() ? std::move(first) : planBy(policy);
    if (auto *code = std::get_if<ExitCode>(&ours))
      return *code;
    JudgedPlan &ourPlan = std::get<JudgedPlan>(ours);
    if (std::optional<ExitCode> code = judgePlan(ourPlan, arguments, asked))
      return *code;
    if (llvm::Error other = checkAlike(arguments, theirPlan, ourPlan))
      return inputError(llvm::toString(std::move(other)));
    report::SideNames names{llvm::sys::path::filename(arguments.against).str(),
                            llvm::sys::path::filename(arguments.input).str() + " by " + policy};
    json::Array functions;
    // Their plan is the side before, so that a gain of ours is printed as one.
    for (const report::FunctionDiff &diff : report::diff(theirPlan.decisions, ourPlan.decisions)) {
      report::printSideBySide(people, diff, names, arguments.all ? diff.entries.size() : kMostChanges);
      functions.push_back(toJson(diff));
    }
    printRepaired(people, theirPlan, names.before);
    printJudgements(people, theirPlan, ourPlan, names);
    plans.push_back(json::Object{
        {"policy", policy}, {"functions", std::move(functions)}, {"judgement", judgementOrNull(ourPlan)}});
  }
  // In one file, so that their plan is in it once beside all of ours.
  return writeFiles({jsonFile(arguments.json, json::Object{{"format", "tessera.comparison"},
                                                           {"version", 1},
                                                           {"input", arguments.input},
                                                           {"against", arguments.against},
                                                           {"against_judgement", judgementOrNull(theirPlan)},
                                                           {"plans", std::move(plans)}})})
             ? kSuccess
             : kInputError;
}
