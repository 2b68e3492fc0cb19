//===- L1Reservations.h - Who holds L1 while others run ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1RESERVATIONS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1RESERVATIONS_H

#include "tessera/Optimizer/Memory/Interval.h"
#include "tessera/Support/Id.h"
#include "tessera/Support/Units.h"

#include <vector>

namespace tessera {

/// A tensor in L1 that outlives the op that makes it (spec ttnn-optimizer-detailed-design.md 4.1.3). In the
/// spec endPos is the last user's position and counts; here the interval is half-open, as everywhere in
/// Tessera:
///
///   position   3      4      5      6
///   source ----+
///   held              [===========)           {4, 6}: read last at 5
struct L1Reservation {
  Interval positions;   ///< schedule positions, from one past the source to one past the last reader
  Bytes size;           ///< per core
  bool declared = true; ///< the input program has it there too
};

/// The L1 that reservations hold at each position of a fixed schedule. add and remove are linear in the
/// length of the interval, activeAt takes constant time.
class L1ReservationTimeline {
public:
  /// `always` is held at every position: arguments and constants in L1.
  L1ReservationTimeline(size_t positions, Bytes always)
      : active(positions, always), undeclared(positions, Bytes(0)) {}

  void add(const L1Reservation &reservation) { change(reservation, 1); }
  void remove(const L1Reservation &reservation) { change(reservation, -1); }

  /// getActiveL1Reservations of the spec: the sum over all reservations that hold L1 at `position`.
  Bytes activeAt(size_t position) const { return active[position]; }
  /// The part of it that the input program does not hold there.
  Bytes undeclaredAt(size_t position) const { return undeclared[position]; }
  size_t size() const { return active.size(); }

private:
  void change(const L1Reservation &reservation, int64_t sign);

  std::vector<Bytes> active, undeclared; ///< by position
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1RESERVATIONS_H
