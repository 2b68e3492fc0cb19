//===- TtnnWorkers.h - The vendor's library, asked several things at once -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIBRARY_TTNNWORKERS_H
#define TESSERA_LIBRARY_TTNNWORKERS_H

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Support/ProgressFunction.h"

namespace tessera {

/// Sessions of one library on chips of one kind, each with a process of its own. Further ones are started when there are many
/// questions: a start takes as long as some thousand answers.
class TtnnWorkers {
public:
  /// Starts the first session; never more than `most`.
  static llvm::Expected<TtnnWorkers> open(const TtnnLibrary &library, const DeviceSpec &device,
                                          unsigned most);

  /// What the library says of itself, as TtnnSession has it.
  const llvm::json::Object &about() const { return sessions.front().about(); }
  /// The answer to each request, in their order, which does not depend on the number of sessions.
  llvm::Expected<std::vector<llvm::json::Object>> ask(llvm::ArrayRef<std::string> requests,
                                                      const ProgressFunction &progress = {});

private:
  TtnnWorkers(TtnnLibrary library, DeviceSpec device, unsigned most)
      : library(std::move(library)), device(std::move(device)), most(most) {}
  /// Starts sessions until there are `count`. The error is that of the first that does not start; those before it
  /// stay.
  llvm::Error grow(size_t count);

  TtnnLibrary library;
  DeviceSpec device;
  /// Processes, each with a library of its own.
  unsigned most;
  std::vector<TtnnSession> sessions; ///< at least one
};

} // namespace tessera

#endif // TESSERA_LIBRARY_TTNNWORKERS_H
