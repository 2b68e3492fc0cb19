//===- Backends.cpp - Who answers: --op-model -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Backends.h"

#include "DiskCache.h"
#include "DoubtingOpModel.h"
#include "PluginOpModel.h"
#include "RecordedOpModel.h"
#include "TtnnOpModel.h"
#include "tessera/Library/TtnnLibrary.h"
#include "tessera/OpModel/MockOpModel.h"
#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera {
namespace {

/// By its name, or by the version of its library.
const BackendVersionInfo *findVersion(llvm::StringRef name) {
  for (const BackendVersionInfo &info : backendVersions())
    // Most versions have no library, so that nothing would be the name of the first of them.
    if (!name.empty() && (info.name == name || info.library == name))
      return &info;
  return nullptr;
}

/// "unknown <what> 'pined'; did you mean 'pinned'?; known: ...".
std::string unknownName(llvm::StringRef what, llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> names,
                        llvm::ArrayRef<llvm::StringRef> forms) {
  return ("unknown " + what + " '" + name + "'" + didYouMean(name, names) +
          "; known: " + llvm::join(forms, ", "))
      .str();
}

// ---- The table of backends -------------------------------------------------------------------------------

/// A model, and the part of it that is not ours, if any.
struct Created {
  std::unique_ptr<OpModel> model;
  ExternalOpModel *external = nullptr;
  std::string version; ///< who answers: the name, and what changes when an answer may
};
using Result = llvm::Expected<Created>;

/// The built-in figures: ours, for one version of the backend, of one calibration.
std::string analyticVersion(const OpModelContext &context) {
  // What changes an answer must change this text: records and caches take equal texts for equal answers.
  std::string version = "analytic " TESSERA_VERSION ", ";
  if (context.version == BackendVersion::Pinned)
    version += "tt-mlir 83a805e36c"; // docs/op-model-backends.md
  for (const BackendVersionInfo &info : backendVersions())
    if (info.version == context.version && context.version != BackendVersion::Pinned)
      version += "backend " + info.name.str();
  if (context.calibration && *context.calibration != builtInCalibration()) {
    // By its figures, not by its name: a file may be written anew under the same name, and two files may say the same.
    std::string figures;
    llvm::raw_string_ostream(figures) << llvm::json::Value(toJson(*context.calibration));
    version += ", calibration " + llvm::toHex(llvm::MD5::hash(llvm::arrayRefFromStringRef(figures)), true);
  }
  return version;
}

Result createAnalytic(OpModelContext context) {
  std::string version = analyticVersion(context);
  return Created{createAnalyticOpModel(std::move(context)), nullptr, std::move(version)};
}

Result created(llvm::Expected<std::unique_ptr<ExternalOpModel>> model, std::string version) {
  if (!model)
    return model.takeError();
  // Kept apart, since only these count what they could not answer and have something to finish.
  ExternalOpModel *external = model->get();
  return Created{std::move(*model), external, std::move(version)};
}

std::unique_ptr<OpModel> fallbackFor(llvm::StringRef option, const OpModelContext &context) {
  return option == "fallthrough" ? createAnalyticOpModel(context) : nullptr;
}

Result createPlugin(llvm::StringRef file, llvm::StringRef option, OpModelContext context, const Foresight &) {
  auto model = loadPlugin(context, file, fallbackFor(option, context));
  if (!model)
    return model.takeError();
  std::string version = (*model)->name().str();
  // What the plug-in does not know the formulas answer, so that their version is part of who answered.
  if (!option.empty())
    version += ", else " + analyticVersion(context);
  return created(std::move(model), std::move(version));
}

/// `version` is what stands where other backends have a file.
Result createTtnn(llvm::StringRef version, llvm::StringRef, OpModelContext context,
                  const Foresight &foresight) {
  // The library tells no times: what is kept of its answers is as old as the formulas that they came from.
  std::string formulas = analyticVersion(context);
  auto model =
      openTtnn(std::move(context), version.empty() ? llvm::StringRef(kTtnnVersion) : version, foresight);
  if (!model)
    return model.takeError();
  std::string name = (*model)->name().str();
  // Nor does it read questions: the same one may be called otherwise by another Tessera, and be answered otherwise.
  return created(std::move(model), name + ", calls " + ttnnCallsVersion() + ", times: " + formulas);
}

Result createRecording(llvm::StringRef file, llvm::StringRef option, OpModelContext context,
                       const Foresight &foresight);

enum class FileUse { None, Optional, Required };

/// One way to answer. `file` and `option` are what follows the colon and the comma.
struct Backend {
  OpModelBackendInfo info;
  FileUse takesFile;
  bool (*takesOption)(llvm::StringRef option);
  bool cacheable; ///< false: it is a file of answers itself
  /// Where answers are kept if the user names no file, so dear are they; null: nowhere.
  std::string (*ownCache)();
  Result (*create)(llvm::StringRef file, llvm::StringRef option, OpModelContext context,
                   const Foresight &foresight);
};

std::string checkChoice(llvm::StringRef choice);
bool isNothing(llvm::StringRef) { return false; }
bool isFallthrough(llvm::StringRef option) { return option == "fallthrough"; }
bool isSource(llvm::StringRef option) {
  return option == "analytic" || option == "mock" || option == "ttnn" ||
         (option.starts_with("plugin:") && checkChoice(option).empty());
}

/// A row for each way to answer, in the order of the help. Nothing else lists them: words are checked, told and run by
/// these rows. The calibration of `analytic:FILE` is already in the context.
const Backend kBackends[] = {
    {{"analytic", "analytic[:CALIBRATION]", "the built-in formulas, no chip needed"},
     FileUse::Optional,
     isNothing,
     true,
     nullptr,
     [](llvm::StringRef, llvm::StringRef, OpModelContext context, const Foresight &) {
       return createAnalytic(std::move(context));
     }},
    {{"recorded", "recorded:FILE[,fallthrough]", "answers from a record (SQLite)"},
     FileUse::Required,
     isFallthrough,
     false,
     nullptr,
     [](llvm::StringRef file, llvm::StringRef option, OpModelContext context, const Foresight &) {
       return created(openRecord(context, file, fallbackFor(option, context)), "");
     }},
    {{"ttnn", "ttnn[:VERSION]",
      "the vendor's library, without a chip; times by the built-in formulas (tessera setup ttnn)"},
     FileUse::Optional,
     isNothing,
     true,
     ttnnAnswers,
     createTtnn},
    {{"record", "record:FILE[,analytic|,mock|,ttnn|,plugin:FILE[,fallthrough]]",
      "answers from another backend, and records them"},
     FileUse::Required,
     isSource,
     false,
     nullptr,
     createRecording},
    {{"plugin", "plugin:FILE[,fallthrough]", "answers from a shared library"},
     FileUse::Required,
     isFallthrough,
     true,
     nullptr,
     createPlugin},
    {{"mock", "mock",
      "accepts every layout, 1 us per op, no circular buffers: for tests of policies and tools"},
     FileUse::None,
     isNothing,
     true,
     nullptr,
     [](llvm::StringRef, llvm::StringRef, OpModelContext context, const Foresight &) -> Result {
       return Created{std::make_unique<MockOpModel>(std::move(context)), nullptr, "mock"};
     }},
};

/// "recorded:FILE,fallthrough" in its parts; `backend` is null if no backend has that name.
struct Choice {
  explicit Choice(llvm::StringRef text) {
    // At the first colon and the first comma only: what follows may be a choice itself, as in
    // "record:FILE,plugin:OTHER,fallthrough".
    auto [head, rest] = text.split(':');
    name = head;
    auto [path, behind] = rest.split(',');
    file = path;
    option = behind;
    const Backend *found = llvm::find_if(kBackends, [&](const Backend &b) { return b.info.name == name; });
    backend = found == std::end(kBackends) ? nullptr : found;
  }
  llvm::StringRef name, file, option;
  const Backend *backend;
};

/// Why `text` has none of the forms in Backends.h, with the forms that it could have had; "" if it has one.
std::string checkChoice(llvm::StringRef text) {
  Choice choice(text);
  if (!choice.backend) {
    llvm::SmallVector<llvm::StringRef> names, forms;
    for (const OpModelBackendInfo &info : opModelBackends()) {
      names.push_back(info.name);
      forms.push_back(info.form);
    }
    return unknownName("op model", choice.name, names, forms);
  }
  // "mock:" has no file and is not bare either: a colon promises something.
  bool bare = choice.name == text;
  bool fileAsExpected = bare ? choice.backend->takesFile != FileUse::Required
                             : choice.backend->takesFile != FileUse::None && !choice.file.empty();
  if (fileAsExpected && (choice.option.empty() || choice.backend->takesOption(choice.option)))
    return "";
  return ("op model '" + text + "' is not of the form " + choice.backend->info.form).str();
}

Result createRecording(llvm::StringRef file, llvm::StringRef option, OpModelContext context,
                       const Foresight &foresight) {
  // isSource() has checked it: nothing that is a file of answers itself, so that no record feeds another one.
  Choice source(option.empty() ? llvm::StringRef("analytic") : option);
  Result answering = source.backend->create(source.file, source.option, std::move(context), foresight);
  if (!answering)
    return answering.takeError();
  std::string version = answering->version;
  return created(openForRecording(std::move(answering->model), file, version), version);
}

/// The file as part of a cache's scope: a plug-in may be rebuilt without a new version.
std::string libraryHash(const Choice &choice) {
  if (choice.name != "plugin")
    return "";
  llvm::ErrorOr<llvm::MD5::MD5Result> hash = llvm::sys::fs::md5_contents(choice.file);
  return hash ? ", library " + std::string(hash->digest()) : "";
}

} // namespace

llvm::ArrayRef<OpModelBackendInfo> opModelBackends() {
  static const std::vector<OpModelBackendInfo> all = [] {
    std::vector<OpModelBackendInfo> infos;
    for (const Backend &backend : kBackends)
      infos.push_back(backend.info);
    return infos;
  }();
  return all;
}

std::string recordFile(llvm::StringRef choice) {
  Choice parts(choice);
  return parts.name == "record" ? parts.file.str() : "";
}

std::string checkOpModelOptions(const OpModelOptions &options) {
  // First, since what follows looks at the backend that was chosen.
  if (std::string wrong = checkChoice(options.choice); !wrong.empty())
    return wrong;
  if (!options.backendVersion.empty() && !findVersion(options.backendVersion)) {
    llvm::SmallVector<llvm::StringRef> names;
    for (const BackendVersionInfo &info : backendVersions())
      names.push_back(info.name);
    return unknownName("backend version", options.backendVersion, names, names);
  }
  if (!options.cacheFile.empty() && !Choice(options.choice).backend->cacheable)
    return "op model '" + options.choice + "' takes no cache file: it is a file of answers itself";
  return "";
}

/// The backend's version that answers where the library of `asked` does: another one if the environment names it.
static const BackendVersionInfo &versionOfLibrary(llvm::StringRef asked) {
  std::string version = asked.str();
  if (llvm::Expected<TtnnLibrary> library = findTtnn(asked))
    version = library->version;
  else
    llvm::consumeError(library.takeError()); // is told where it is opened
  // A library that no row of the table names is asked all the same; the formulas beside it answer for the default
  // version.
  const BackendVersionInfo *found = findVersion(version);
  return found ? *found : *findVersion(kDefaultBackendVersion);
}

const BackendVersionInfo &backendVersionOf(const OpModelOptions &options) {
  if (const BackendVersionInfo *named = findVersion(options.backendVersion))
    return *named;
  Choice choice(options.choice);
  // A record has the version of whom it asks.
  if (choice.name == "record")
    return backendVersionOf({choice.option.str()});
  return choice.name == "ttnn"
             ? versionOfLibrary(choice.file.empty() ? llvm::StringRef(kTtnnVersion) : choice.file)
             : *findVersion(kDefaultBackendVersion);
}

DeviceSpec asOpenedBy(const OpModelOptions &options, const DeviceSpec &device) {
  return asOpenedBy(backendVersionOf(options).version, device);
}

void answerAsLibrary(OpModelOptions &options, llvm::StringRef library) {
  if (options.backendVersion.empty())
    options.backendVersion = versionOfLibrary(library).name;
}

OpModelOptions answeringFor(llvm::StringRef version, OpModelOptions options) {
  if (!options.backendVersion.empty() || !findVersion(version))
    return options;
  Choice choice(options.choice);
  if (choice.name == "analytic" || choice.name == "mock")
    options.backendVersion = version.str();
  // It answers as whichever version it is, so that is what has to be chosen.
  else if (options.choice == "ttnn" && !libraryOf(version).empty())
    options.choice = "ttnn:" + libraryOf(version).str();
  return options;
}

llvm::StringRef libraryOf(llvm::StringRef version) {
  const BackendVersionInfo *found = findVersion(version);
  return found ? found->library : "";
}

bool refusedByLibrary(const ValidationResult &answer) {
  return llvm::StringRef(answer.rule).starts_with("ttnn.");
}

// ---- OpModelBackend --------------------------------------------------------------------------------------

/// What of `foresight` the cache file that will stand in front has no answer to.
static Foresight unlessKnown(Foresight foresight, std::shared_ptr<DiskCachedOpModel *> disk) {
  // Nobody foresees anything: an empty function tells the model so, where a wrapped one would not.
  if (!foresight.questions)
    return foresight;
  auto all = std::move(foresight.questions);
  // Looked through when it is called, not now: answers that the file has are then known, and `disk` points to
  // something.
  foresight.questions = [all, disk] {
    std::vector<ForeseenQuestion> questions = all();
    llvm::erase_if(questions,
                   [&](const ForeseenQuestion &each) { return *disk && (*disk)->knows(each.question); });
    return questions;
  };
  return foresight;
}

llvm::Expected<OpModelBackend> OpModelBackend::create(const OpModelOptions &options, OpModelContext context,
                                                      Foresight foresight) {
  if (std::string wrong = checkOpModelOptions(options); !wrong.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), wrong);
  OpModelBackend backend;
  const BackendVersionInfo &version = backendVersionOf(options);
  backend.backendVersion = version.name;
  context.version = version.version;
  Choice choice(options.choice);
  if (choice.name == "analytic" && !choice.file.empty()) {
    llvm::Expected<Calibration> calibration = readCalibration(choice.file);
    if (!calibration)
      return calibration.takeError();
    // On the heap: the context points to it, and the backend that owns it is moved.
    backend.calibration = std::make_unique<Calibration>(*calibration);
    context.calibration = backend.calibration.get();
  }
  // The cache file is opened after the model, and the foresight that the model takes has to ask it: it looks
  // through this pointer once both are there.
  auto front = std::make_shared<DiskCachedOpModel *>(nullptr);
  Result made = choice.backend->create(choice.file, choice.option, std::move(context),
                                       unlessKnown(std::move(foresight), front));
  if (!made)
    return made.takeError();
  backend.external = made->external;
  std::string cacheFile =
      options.cacheFile.empty() && choice.backend->ownCache ? choice.backend->ownCache() : options.cacheFile;
  if (!cacheFile.empty()) {
    auto disk = openDiskCache(std::move(made->model), cacheFile, made->version + libraryHash(choice));
    if (!disk)
      return disk.takeError();
    backend.disk = *front = disk->get();
    made->model = std::move(*disk);
  }
  // In front of the cache: what is doubted must not be answered by what was believed before.
  if (!options.doubted.empty()) {
    llvm::Expected<OpModelBackend> library =
        create({"ttnn:" + options.doubtedVersion, backend.backendVersion}, made->model->context());
    if (!library)
      return library.takeError();
    backend.library = std::make_unique<OpModelBackend>(std::move(*library));
    made->model = doubting(std::move(made->model), backend.library->model(), options.doubted);
  }
  // The table last, so that each question reaches any of these once.
  backend.table = std::make_unique<OpCostTable>(std::move(made->model));
  return std::move(backend);
}

OpModelUse OpModelBackend::use() const {
  TableStatistics statistics = table->statistics();
  OpModelUse use;
  use.name = table->name().str();
  use.backendVersion = backendVersion;
  use.queries = statistics.hits + statistics.misses;
  use.hitRate = statistics.hitRate();
  if (external)
    use.unanswered = external->unanswered();
  if (disk)
    use.disk = disk->use();
  return use;
}

llvm::Error OpModelBackend::finish() {
  llvm::Error failed = external ? external->finish() : llvm::Error::success();
  if (library && !failed)
    failed = library->finish();
  // Not after a failure: a library that stopped answering leaves the formulas' answers behind, which the file would
  // keep as its own.
  if (disk && !failed)
    return disk->finish();
  return failed;
}

} // namespace tessera
