//===- Embedded.h - What the commands do, for other programs --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Values instead of files, and failures instead of messages on standard error. JSON comes as text, so that whoever
// calls this needs neither MLIR's nor LLVM's headers: the Python module is one such (python/). Nothing is shared
// between calls, so that they may run side by side.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_EMBEDDED_H
#define TESSERA_DRIVER_EMBEDDED_H

#include "tessera/Device/L1Budget.h"
#include "tessera/Driver/Commands.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::embedded {

/// A message with its place; line and column count from 1, 0 if there is no place.
struct Diagnostic {
  std::string severity, message, file;
  unsigned line = 0, column = 0;
};

/// What went wrong. `message` is the first error; all that was said before it is among the diagnostics.
struct Failure {
  std::string message;
  std::vector<Diagnostic> diagnostics;
};

/// A value, or why there is none.
template <class T>
using Outcome = std::variant<T, Failure>;

struct OptimizeRequest {
  std::string text, name;           ///< the module; what messages call it
  std::vector<std::string> options; ///< those of `tessera optimize` that decide a plan: "--beam-width=16"
};

struct Optimized {
  std::string ir;
  std::string summary, decisions;      ///< JSON: as --json and --decisions write it
  std::vector<Diagnostic> diagnostics; ///< warnings and remarks
};

/// With the guard and its check of the text that is returned, but without a simulated run: verify() is asked for by
/// itself.
Outcome<Optimized> optimize(const OptimizeRequest &request);
/// "--beam-width", ...: what a request's options may be.
std::vector<std::string> optionNames();

/// Writes texts to their paths, all or none, as commands do (Support/AtomicFile.h). What went wrong, if anything.
std::optional<Failure> writeFiles(const std::vector<std::pair<std::string, std::string>> &textsByPath);

/// The page of decisions, compared with others unless these are empty.
Outcome<std::string> report(const std::string &decisions, const std::string &against);

// Questions about plans; `decisions` is the text of a decisions file.

/// As `tessera explain --json`: of the op that `op` names, or, where it is "", of what costs most, function by
/// function.
Outcome<std::string> explain(const std::string &decisions, const std::string &op);
/// As `tessera explain --by`, function by function.
Outcome<std::string> timeBy(const std::string &decisions, const std::string &by);
/// A table of `tessera export --csv` ("steps", "tensors", ...) as CSV.
Outcome<std::string> table(const std::string &decisions, const std::string &name);
/// What `after` does otherwise than `before`: the functions of `tessera diff --json`.
Outcome<std::string> diff(const std::string &before, const std::string &after);
/// As `tessera candidates --json` with `--all` or without. The request's policy is not asked.
Outcome<std::string> candidates(const OptimizeRequest &request, const std::string &op, bool all);
/// Runs two modules (text and name count) on simulated devices, as `tessera verify` does: `equal`, and its lines as
/// `text`. Inputs are "random:SEED" or .npy files with commas between them.
Outcome<std::string> verify(const OptimizeRequest &before, const OptimizeRequest &after,
                            const std::string &inputs);
/// The TTNN module that `tessera import stablehlo` makes of a StableHLO module, as text.
Outcome<std::string> compileStableHlo(const std::string &stablehlo, int64_t level, const std::string &device);
/// Who can decide.
std::vector<std::string> policyNames();
/// The built-in boards with their figures, as JSON.
std::string devices();

/// The layout of a tensor ("64x1024xbf16") in words ("l1/height_sharded/8x1", "hs8") on a device, as JSON:
/// docs/decisions-format.md's keys and `bytes_per_core`, `total_bytes`, `core_count`.
Outcome<std::string> layout(const std::string &tensor, const std::string &words, const std::string &device);

/// The metal_layout that `tessera layout` builds of these, and what follows from it, as JSON.
Outcome<std::string> metalLayout(const LayoutArguments &arguments);

/// What `tessera ops explain --json` says of "ttnn.add 64x1024@hs8, =0 -> ? ; attributes ; config".
Outcome<std::string> query(const std::string &text, const std::string &device, double l1UsageCap);

} // namespace tessera::embedded

#endif // TESSERA_DRIVER_EMBEDDED_H
