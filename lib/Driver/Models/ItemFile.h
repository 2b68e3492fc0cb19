//===- ItemFile.h - Configurations as files -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODELS_ITEMFILE_H
#define TESSERA_LIB_DRIVER_MODELS_ITEMFILE_H

#include "tessera/ModelRunner/OpConfigs.h"

namespace tessera {

/// None if there is no file; nullopt after a diagnostic.
std::optional<runner::Item> readItem(const std::string &path,
                                     runner::Dialect dialect = runner::Dialect::Compat);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODELS_ITEMFILE_H
