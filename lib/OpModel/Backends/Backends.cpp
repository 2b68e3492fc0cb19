//===- Backends.cpp - Who answers: --op-model -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Backends.h"

#include "tessera/OpModel/PluginOpModel.h"
#include "tessera/OpModel/RecordedOpModel.h"
#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera {
namespace {

/// What the built-in figures are: ours, of the backend version that docs/op-model.md names.
constexpr llvm::StringLiteral kAnalyticVersion = "analytic " TESSERA_VERSION ", tt-mlir 83a805e36c";

/// A model, and the part of it that is not ours, if any.
struct Created {
  std::unique_ptr<OpModel> model;
  ExternalOpModel *external = nullptr;
};
using Result = llvm::Expected<Created>;

Result created(llvm::Expected<std::unique_ptr<ExternalOpModel>> model) {
  if (!model)
    return model.takeError();
  ExternalOpModel *external = model->get();
  return Created{std::move(*model), external};
}

std::unique_ptr<OpModel> fallbackFor(llvm::StringRef option, const OpModelContext &context) {
  return option == "fallthrough" ? createAnalyticOpModel(context) : nullptr;
}

Result createRecording(llvm::StringRef file, llvm::StringRef option, OpModelContext context);

/// One way to answer. `file` and `option` are what follows the colon and the comma.
struct Backend {
  OpModelBackendInfo info;
  bool takesFile;
  bool (*takesOption)(llvm::StringRef option);
  Result (*create)(llvm::StringRef file, llvm::StringRef option, OpModelContext context);
};

bool isFallthrough(llvm::StringRef option) { return option == "fallthrough"; }
bool isSource(llvm::StringRef option) {
  return option == "analytic" || (option.starts_with("plugin:") && checkOpModelChoice(option).empty());
}

const Backend kBackends[] = {
    {{"analytic", "analytic", "the built-in formulas, no chip needed"},
     false,
     [](llvm::StringRef) { return false; },
     [](llvm::StringRef, llvm::StringRef, OpModelContext context) -> Result {
       return Created{createAnalyticOpModel(std::move(context)), nullptr};
     }},
    {{"recorded", "recorded:FILE[,fallthrough]", "answers from a record (SQLite)"},
     true,
     isFallthrough,
     [](llvm::StringRef file, llvm::StringRef option, OpModelContext context) {
       return created(openRecord(context, file, fallbackFor(option, context)));
     }},
    {{"record", "record:FILE[,analytic|,plugin:FILE[,fallthrough]]",
      "answers from another backend, and records them"},
     true,
     isSource,
     createRecording},
    {{"plugin", "plugin:FILE[,fallthrough]", "answers from a shared library"},
     true,
     isFallthrough,
     [](llvm::StringRef file, llvm::StringRef option, OpModelContext context) {
       return created(loadPlugin(context, file, fallbackFor(option, context)));
     }},
};

/// "recorded:FILE,fallthrough" in its parts; `backend` is null if no backend has that name.
struct Choice {
  explicit Choice(llvm::StringRef text) {
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

/// What a record says about who answered.
std::string versionOf(const Choice &source, const OpModel &model) {
  if (!source.backend->takesFile)
    return kAnalyticVersion.str();
  std::string version = model.name().str();
  return source.option.empty() ? version : version + ", else " + kAnalyticVersion.str();
}

Result createRecording(llvm::StringRef file, llvm::StringRef option, OpModelContext context) {
  Choice source(option.empty() ? llvm::StringRef("analytic") : option);
  Result answering = source.backend->create(source.file, source.option, context);
  if (!answering)
    return answering.takeError();
  std::string version = versionOf(source, *answering->model);
  return created(openForRecording(std::move(answering->model), file, version));
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

std::string checkOpModelChoice(llvm::StringRef text) {
  Choice choice(text);
  if (!choice.backend) {
    llvm::SmallVector<llvm::StringRef> names;
    std::string forms;
    for (const OpModelBackendInfo &info : opModelBackends()) {
      names.push_back(info.name);
      forms += (forms.empty() ? "" : ", ") + info.form.str();
    }
    return ("unknown op model '" + choice.name + "'" + didYouMean(choice.name, names) + "; known: " + forms)
        .str();
  }
  bool fileAsExpected = choice.backend->takesFile ? !choice.file.empty() : choice.name == text;
  if (fileAsExpected && (choice.option.empty() || choice.backend->takesOption(choice.option)))
    return "";
  return ("op model '" + text + "' is not of the form " + choice.backend->info.form).str();
}

OpModelBackend::OpModelBackend(std::unique_ptr<OpModel> model, ExternalOpModel *external)
    : cached(std::make_unique<CachedOpModel>(std::move(model))), external(external) {}

llvm::Expected<OpModelBackend> OpModelBackend::create(llvm::StringRef text, OpModelContext context) {
  if (std::string wrong = checkOpModelChoice(text); !wrong.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), wrong);
  Choice choice(text);
  Result made = choice.backend->create(choice.file, choice.option, std::move(context));
  if (!made)
    return made.takeError();
  return OpModelBackend(std::move(made->model), made->external);
}

OpModelUse OpModelBackend::use() const {
  CacheStatistics statistics = cached->statistics();
  OpModelUse use;
  use.name = cached->name().str();
  use.queries = statistics.hits + statistics.misses;
  use.hitRate = statistics.hitRate();
  if (external)
    use.unanswered = external->unanswered();
  return use;
}

llvm::Error OpModelBackend::finish() { return external ? external->finish() : llvm::Error::success(); }

} // namespace tessera
