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

#include "tessera/Device/DeviceSpec.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The version that is set up and asked unless another is named: the tt-metal that the matched tt-mlir pins.
inline constexpr llvm::StringLiteral kTtnnVersion = "0.77.0";
/// The version whose kernels are run on a simulator of the hardware: the one that this was tried with.
inline constexpr llvm::StringLiteral kKernelsVersion = "0.81.1";
/// Names a Python that has ttnn, of whichever version; outranks what was set up.
inline constexpr llvm::StringLiteral kTtnnVariable = "TESSERA_TTNN";

/// A Python that has the library.
struct TtnnLibrary {
  std::string version; ///< "0.77.0"; "" if it is no environment of its own, until it is asked
  std::string python;  ///< path of the interpreter
};

/// Where everything about the library is kept: the user's cache folder, with tessera/ttnn behind it.
std::string ttnnFolder();
/// The file in it that keeps what the library answered, of all versions and boards.
std::string ttnnAnswers();
/// What changes with how the library is called and its answers are read: the Python side that this program brings.
std::string ttnnCallsVersion();
/// Versions that `setupTtnn` has completed, sorted by name.
std::vector<TtnnLibrary> installedTtnn();
/// The library that answers for `version`. The error says how to get it.
llvm::Expected<TtnnLibrary> findTtnn(llvm::StringRef version);

/// Versions of Python that the library has wheels for, the best first.
std::vector<llvm::StringRef> ttnnPythons();
/// `python`, if not "", is the interpreter to take instead of looking for one. Downloads some 100 MB. What a run that
/// was stopped has left is made anew.
llvm::Expected<TtnnLibrary> setupTtnn(llvm::StringRef version, llvm::StringRef python);

/// One request to a command of the Python side that needs no library, to the first Python 3 in PATH.
llvm::Expected<llvm::json::Object> askPackage(llvm::StringRef command, llvm::StringRef request);

/// What kernels run on and are compiled with where there is no chip (docs/programs.md).
struct RealKernels {
  std::string simulator; ///< path of a library that stands in for the chip, such as libttsim.so
  std::string sfpi;      ///< folder of SFPI, the compiler of kernels
};

/// Names the folder of SFPI; outranks the one that 'tessera setup jax' brings.
inline constexpr llvm::StringLiteral kSfpiVariable = "TESSERA_SFPI";
/// The folder of the compiler of kernels. The error says how to get it.
llvm::Expected<std::string> findSfpi();

/// The library on one chip, for as long as there are questions. Not thread-safe.
class TtnnSession {
public:
  /// Starts the library with a chip as `device` describes one: a mock chip, where nothing runs, or with `kernels` a simulated one, where
  /// kernels do. The error has the library's own words.
  static llvm::Expected<TtnnSession> open(const TtnnLibrary &library, const DeviceSpec &device,
                                          const std::optional<RealKernels> &kernels = std::nullopt);
  TtnnSession(TtnnSession &&) noexcept;
  ~TtnnSession();

  /// What the library says of itself: version, grid, l1_begin, l1_end.
  const llvm::json::Object &about() const { return information; }
  /// The answer to one request, a line of JSON; python/tessera/ttnn/server.py has the form of both.
  llvm::Expected<llvm::json::Object> ask(llvm::StringRef request);

private:
  struct Server;
  explicit TtnnSession(std::unique_ptr<Server> server);

  std::unique_ptr<Server> server;
  llvm::json::Object information;
};

/// Of an answer: in which fields results are not as asked for, of all results, each once: "dtype", "shard".
std::vector<std::string> differencesOf(const llvm::json::Object &answer);

} // namespace tessera

#endif // TESSERA_LIBRARY_TTNNLIBRARY_H
