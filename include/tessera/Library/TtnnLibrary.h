//===- TtnnLibrary.h - The vendor's library, asked without a chip ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `ttnn` is a package of Python that answers for chips which are not there (docs/judge.md). It is optional, lives in
// an environment of its own in the user's cache folder, and is only ever run as a child process: what it does to
// itself, it does not do to Tessera.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIBRARY_TTNNLIBRARY_H
#define TESSERA_LIBRARY_TTNNLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The version that is set up and asked unless another is named: the tt-metal that the matched tt-mlir pins.
inline constexpr llvm::StringLiteral kTtnnVersion = "0.77.0";
/// Names a Python that has ttnn, of whichever version; outranks what was set up.
inline constexpr llvm::StringLiteral kTtnnVariable = "TESSERA_TTNN";

/// A Python that has the library.
struct TtnnLibrary {
  std::string version; ///< "0.77.0"; "" if the environment names it, until it is asked
  std::string python;  ///< path of the interpreter
};

/// Where everything about the library is kept: the user's cache folder, with tessera/ttnn behind it.
std::string ttnnFolder();
/// Versions that `setupTtnn` has completed, sorted by name.
std::vector<TtnnLibrary> installedTtnn();
/// The library that answers for `version`. The error says how to get it.
llvm::Expected<TtnnLibrary> findTtnn(llvm::StringRef version);

/// How an environment for the library can be made here.
struct PythonMaker {
  std::string program; ///< path of uv, or of a Python of a version that the library has wheels for
  bool isUv = false;
};
/// uv, else Python 3.10 or 3.12 in PATH or below pyenv's folder; nullopt if there is neither.
std::optional<PythonMaker> findPythonMaker();
/// `python`, if not "", is the interpreter to take instead of looking for one. Downloads some 100 MB. What a run that
/// was stopped has left is made anew.
llvm::Expected<TtnnLibrary> setupTtnn(llvm::StringRef version, llvm::StringRef python);

/// The mock chip that is asked about.
struct MockChip {
  std::string arch; ///< "wormhole_b0", "blackhole"
  int64_t rows = 8, columns = 8;
  int64_t dramBanks = 12;
};

/// What the library is, and answers to requests in their order (python/tessera/ttnn/server.py has the form of both).
struct TtnnAnswers {
  llvm::json::Object about;
  std::vector<llvm::json::Value> answers;
};
/// Puts requests, a line of JSON each, to the library on such a chip. The error has the library's own words.
llvm::Expected<TtnnAnswers> askTtnn(const TtnnLibrary &library, const MockChip &chip,
                                    llvm::ArrayRef<std::string> requests);

} // namespace tessera

#endif // TESSERA_LIBRARY_TTNNLIBRARY_H
