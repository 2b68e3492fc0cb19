//===- MeshOption.h - The option --mesh -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODELS_MESHOPTION_H
#define TESSERA_LIB_DRIVER_MODELS_MESHOPTION_H

#include "../Common/Session.h"
#include "tessera/ModelRunner/HfConfig.h"

#include <optional>

namespace tessera {

/// "4x8"; nullopt after a diagnostic.
inline std::optional<GridShape> readMeshOrDiagnose(llvm::StringRef text) {
  constexpr int64_t kMost = 1024; // devices along an axis
  GridShape mesh;
  auto [rows, columns] = text.split('x');
  auto wrong = [&](llvm::StringRef number, int64_t &value) {
    return number.getAsInteger(10, value) || value < 1 || value > kMost;
  };
  if (!wrong(rows, mesh.rows) && !wrong(columns, mesh.columns))
    return mesh;
  usageError("--mesh takes rows and columns, each from 1 to 1024, e.g. 4x8, not '" + text + "'");
  return std::nullopt;
}

/// What the folder --hf says of its model, if the mesh can share that out; nullopt after a diagnostic. Asked before any
/// tensor is read, which may take hours.
inline std::optional<runner::HfConfig> readHfOrDiagnose(const std::string &folder, GridShape mesh) {
  llvm::Expected<runner::HfConfig> hf = runner::readHfFolder(folder);
  llvm::Error error = hf ? runner::checkMesh(*hf, mesh) : hf.takeError();
  if (!error)
    return std::move(*hf);
  inputError(llvm::toString(std::move(error)));
  return std::nullopt;
}

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODELS_MESHOPTION_H
