//===- PluginOpModel.cpp - Answers from a shared library ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PluginOpModel.h"

#include "../Pressure.h"
#include "Answer.h"
#include "tessera/OpModel/Question.h"
#include "tessera/OpModel/plugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <dlfcn.h>

namespace tessera {
namespace {

constexpr ValidationStatus kStatuses[] = {
    ValidationStatus::Success, ValidationStatus::OutOfMemory, ValidationStatus::MetalBackendError,
    ValidationStatus::NotImplemented, ValidationStatus::UnmatchedReferenceConfig};
static_assert(TESSERA_SUCCESS == 0 && TESSERA_OUT_OF_MEMORY == 1 && TESSERA_BACKEND_ERROR == 2 &&
                  TESSERA_NOT_IMPLEMENTED == 3 && TESSERA_UNMATCHED_CONFIG == 4,
              "kStatuses is indexed by them");

struct CloseLibrary {
  void operator()(void *library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;
using Model = std::unique_ptr<TesseraModel, void (*)(TesseraModel *)>;

/// Text from outside may be missing and hold any bytes.
std::string textOf(const char *text) { return text ? llvm::json::fixUTF8(text) : std::string(); }

llvm::Error cannotLoad(llvm::StringRef path, const llvm::Twine &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "cannot use plug-in '" + path + "': " + reason);
}

llvm::Expected<const TesseraPlugin *> findPlugin(void *library, llvm::StringRef path) {
  auto entry = reinterpret_cast<TesseraPluginEntry>(dlsym(library, TESSERA_PLUGIN_SYMBOL));
  if (!entry)
    return cannotLoad(path, "it does not export " TESSERA_PLUGIN_SYMBOL);
  // Not called before the library is known to export it, and once only: the struct is the library's as long as it is
  // loaded.
  const TesseraPlugin *plugin = entry();
  if (!plugin)
    return cannotLoad(path, TESSERA_PLUGIN_SYMBOL " returned null");
  // Nothing behind these two fields may be read before they are known to be right.
  if (plugin->abi_version != TESSERA_PLUGIN_ABI_VERSION)
    return cannotLoad(path, "it was compiled for version " + llvm::Twine(plugin->abi_version) +
                                " of the plug-in interface, this is version " +
                                llvm::Twine(TESSERA_PLUGIN_ABI_VERSION));
  if (plugin->size < sizeof(TesseraPlugin))
    return cannotLoad(path, "its TesseraPlugin has " + llvm::Twine(plugin->size) + " bytes, not " +
                                llvm::Twine(sizeof(TesseraPlugin)));
  if (!plugin->name || !plugin->version || !plugin->create || !plugin->answer || !plugin->destroy)
    return cannotLoad(path, "its TesseraPlugin has a null field");
  return plugin;
}

/// "" after filling in `out`; else what is wrong with the plug-in's answer.
std::string readAnswer(const TesseraAnswer &in, const OpQuery &query, LayoutPool &layouts, Answer &out) {
  if (in.status < 0 || size_t(in.status) >= std::size(kStatuses))
    return "unknown status " + std::to_string(in.status);
  // Nothing from outside is believed: status, layouts and figures are checked before anything computes with
  // them.
  ValidationResult &result = out.result;
  result.status = kStatuses[in.status];
  result.rule = textOf(in.rule);
  result.message = textOf(in.message);
  result.constraints.cbL1PeakSize = Bytes(in.cb_l1_peak_bytes);
  result.constraints.tensorL1PeakSize = Bytes(in.tensor_l1_peak_bytes);
  result.constraints.peakL1MemorySize = Bytes(in.l1_peak_bytes);
  result.constraints.outputL1BufferSize = Bytes(in.output_l1_bytes);
  out.runtime = {Nanoseconds(in.compute_ns), Nanoseconds(in.l1_ns),       Nanoseconds(in.noc_ns),
                 Nanoseconds(in.dram_ns),    Nanoseconds(in.dispatch_ns), Nanoseconds(in.total_ns)};
  std::string wrong;
  // Who refuses need not say where results would lie; who does is held to it.
  if (in.status == TESSERA_SUCCESS || in.output_layouts)
    wrong = readOutputs(textOf(in.output_layouts), query, layouts, result.constraints.outputLayouts);
  return wrong.empty() ? checkFigures(out, query) : wrong;
}

/// Success promises the requested layouts (OpModel.h); a plug-in need not compare them itself.
void checkRequested(const OpQuery &query, ValidationResult &result, const LayoutPool &layouts) {
  // Ids tell: a layout that was read is interned in the pool that the requested one is of.
  llvm::ArrayRef<LayoutId> requested = query.config.outputs, made = result.constraints.outputLayouts;
  for (size_t i = 0; result.ok() && i < std::min(requested.size(), made.size()); ++i) {
    if (!requested[i].valid() || requested[i] == made[i])
      continue;
    result.status = ValidationStatus::UnmatchedReferenceConfig;
    result.rule = "op.output_layout";
    result.message = query.op.name + ": result " + std::to_string(i) + " was requested as " +
                     describe(layouts[requested[i]]) + ", the backend makes " + describe(layouts[made[i]]);
  }
}

class PluginOpModel final : public ExternalOpModel {
public:
  PluginOpModel(OpModelContext context, std::unique_ptr<OpModel> fallback, Library library,
                const TesseraPlugin &plugin, Model model)
      : ExternalOpModel(std::move(context), std::move(fallback)), library(std::move(library)), plugin(plugin),
        model(std::move(model)), fullName(textOf(plugin.name) + " " + textOf(plugin.version)) {}

  llvm::StringRef name() const override { return fullName; }

protected:
  Answer ask(const std::string &question, const OpQuery &query) const override {
    TesseraAnswer raw = {};
    raw.size = sizeof(TesseraAnswer);
    // What a plug-in that does not touch the answer means.
    raw.status = TESSERA_NOT_IMPLEMENTED;
    plugin.answer(model.get(), question.c_str(), &raw);
    Answer answer;
    if (std::string wrong = readAnswer(raw, query, ctx.layouts, answer); !wrong.empty())
      return refusal(ValidationStatus::MetalBackendError, "plugin.bad_answer",
                     fullName + " gave an answer that makes no sense for " + query.op.name + ": " + wrong);
    checkRequested(query, answer.result, ctx.layouts);
    if (answer.result.status == ValidationStatus::OutOfMemory)
      refuseIfSizesFit(query, answer.result);
    if (!answer.result.ok() && answer.result.rule.empty())
      answer.result.rule = "plugin.refused";
    if (!answer.result.ok() && answer.result.message.empty())
      answer.result.message = query.op.name + ": refused by " + fullName;
    return answer;
  }

private:
  /// The pressure of other tensors is judged by the sizes in the answer. If they fit, the plug-in knows of something
  /// else that does not, and refuses.
  void refuseIfSizesFit(const OpQuery &query, ValidationResult &result) const {
    ValidationResult bySizes = result;
    applyPressure(bySizes, residentL1(query, result.constraints, ctx), Bytes(0), ctx.l1Budget);
    if (!bySizes.ok())
      return;
    result.status = ValidationStatus::MetalBackendError;
    if (result.rule.empty())
      result.rule = "plugin.out_of_memory";
  }

  Library library; // closed after `model` is destroyed
  const TesseraPlugin &plugin;
  Model model;
  std::string fullName;
};

} // namespace

llvm::Expected<std::unique_ptr<ExternalOpModel>> loadPlugin(OpModelContext context, llvm::StringRef path,
                                                            std::unique_ptr<OpModel> fallback) {
  // dlopen() looks for a bare name in the system's folders only.
  bool here = !path.contains('/') && llvm::sys::fs::exists(path);
  // All symbols now, since a missing one would end the run in the middle of planning; seen by nobody else, since two
  // plug-ins may have the same names.
  Library library(dlopen(((here ? "./" : "") + path).str().c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library)
    return cannotLoad(path, dlerror());
  llvm::Expected<const TesseraPlugin *> plugin = findPlugin(library.get(), path);
  if (!plugin)
    return plugin.takeError();
  const char *reason = nullptr;
  Model model((*plugin)->create(deviceText(context.device).c_str(), &reason), (*plugin)->destroy);
  if (!model)
    return cannotLoad(path, reason ? textOf(reason) : "it gives no reason");
  return std::make_unique<PluginOpModel>(std::move(context), std::move(fallback), std::move(library),
                                         **plugin, std::move(model));
}

} // namespace tessera
