//===- SharedFiles.h - Evidence of the repository, and beside it ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// evidence/ holds the measured rows that tests judge by. ../shared is there for
// developers and in CI, not in a user's clone; TESSERA_SHARED names another
// folder. Tests take what the repository holds where it is missing.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_SHAREDFILES_H
#define TESSERA_UNITTESTS_SHAREDFILES_H

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace tessera {

inline std::filesystem::path evidenceFolder() { return TESSERA_EVIDENCE; }

inline std::filesystem::path sharedFolder() {
  const char *folder = std::getenv("TESSERA_SHARED");
  return folder ? folder : TESSERA_SHARED_DEFAULT;
}

inline std::filesystem::path realModelFolder() { return sharedFolder() / "models/ttnn"; }
inline bool hasRealModels() { return std::filesystem::exists(realModelFolder()); }

/// The TTNN modules of real models, sorted; the examples of the repository if they are not there.
inline std::vector<std::filesystem::path> modelFiles() {
  std::vector<std::filesystem::path> files;
  std::filesystem::path examples = evidenceFolder().parent_path() / "examples";
  for (const auto &entry :
       std::filesystem::directory_iterator(hasRealModels() ? realModelFolder() : examples))
    if (entry.path().extension() == ".mlir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace tessera

#endif // TESSERA_UNITTESTS_SHAREDFILES_H
