//===- SharedFiles.h - Material that stands beside the checkout -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// ../shared is there for developers and in CI, not in a user's clone. Tests that
// need it skip, and say so, without it. TESSERA_SHARED names another folder.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_SHAREDFILES_H
#define TESSERA_UNITTESTS_SHAREDFILES_H

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace tessera {

inline std::filesystem::path sharedFolder() {
  const char *folder = std::getenv("TESSERA_SHARED");
  return folder ? folder : TESSERA_SHARED_DEFAULT;
}

/// The TTNN modules of real models, sorted; empty if they are not there.
inline std::vector<std::filesystem::path> sharedModels() {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto &entry : std::filesystem::directory_iterator(sharedFolder() / "models/ttnn", missing))
    if (entry.path().extension() == ".mlir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace tessera

#endif // TESSERA_UNITTESTS_SHAREDFILES_H
