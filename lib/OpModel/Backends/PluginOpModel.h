//===- PluginOpModel.h - Answers from a shared library --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_PLUGINOPMODEL_H
#define TESSERA_LIB_OPMODEL_BACKENDS_PLUGINOPMODEL_H

#include "ExternalOpModel.h"

namespace tessera {

/// A model that asks the plug-in in the shared library `path` (include/tessera/OpModel/plugin.h); its name()
/// is the plug-in's name and version. What the plug-in does not know goes to `fallback`, if that is not
/// null.
///
/// Fails if the library cannot be loaded, exports no plug-in, was compiled for another version of the
/// interface, or cannot answer for the device. Answers are checked: one that makes no sense (a layout that
/// does not hold together, a negative size) becomes a MetalBackendError with rule "plugin.bad_answer".
llvm::Expected<std::unique_ptr<ExternalOpModel>> loadPlugin(OpModelContext context, llvm::StringRef path,
                                                            std::unique_ptr<OpModel> fallback);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_PLUGINOPMODEL_H
