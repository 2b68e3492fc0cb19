//===- Replay.h - Recorded runs against our allocator ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_ALLOCATOR_REPLAY_H
#define TESSERA_ALLOCATOR_REPLAY_H

#include "tessera/Allocator/AllocatorTrace.h"

#include <string>

namespace tessera {

/// The first figure of a trace or program where replay and record differ.
struct Disagreement {
  /// For people: nothing reads these texts back.
  std::string where;              ///< "wh.csv:12: trace 3, event 7 (A)"
  std::string what;               ///< the column: "addr"
  std::string recorded, replayed; ///< as the column has it; "nothing" if it is blank
};

/// How many events of a trace our allocator answers as the device's did, in every figure.
struct TraceAgreement {
  /// Events that agree. Those after the first that does not are compared, too, and mostly do not for its sake.
  size_t events = 0;
  std::optional<Disagreement> first;
};

/// Replays all events. After a disagreement our own state goes on.
TraceAgreement replay(const AllocatorTrace &trace);

/// Lays the program's buffers and checks them; nullopt if every address and the verdict agree.
std::optional<Disagreement> replay(const ProgramTrace &program);

} // namespace tessera

#endif // TESSERA_ALLOCATOR_REPLAY_H
