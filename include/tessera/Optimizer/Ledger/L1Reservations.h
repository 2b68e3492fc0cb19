//===- L1Reservations.h - Who holds L1 while others run ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_L1RESERVATIONS_H
#define TESSERA_OPTIMIZER_LEDGER_L1RESERVATIONS_H

#include "tessera/Optimizer/Memory/UsageTimeline.h"
#include "tessera/Support/Id.h"
#include "tessera/Support/Units.h"

#include <optional>
#include <vector>

namespace tessera {

/// A tensor in L1 that outlives the op that makes it (facts/optimizer-design 4.1.3). In the
/// design endPos is the last user's position and counts; here the interval is half-open, as everywhere in
/// Tessera:
///
///   position   3      4      5      6
///   source ----+
///   held              [===========)           {4, 6}: read last at 5
template <class Position>
struct Reservation {
  Interval<Position> positions; ///< from one past the source to one past the last reader
  Bytes size;                   ///< per core; less than none in an attempt that shortens another
  bool declared = true;         ///< the input program has it there too
  bool operator==(const Reservation &) const = default;
};
using L1Reservation = Reservation<SchedulePos>;

/// What a position needs beside what reservations hold there.
struct L1Need {
  std::optional<Bytes> own; ///< nullopt: nothing that is known of
  bool alone = false;       ///< it may need all of L1: only what the input program has there too may stay
};

/// The L1 that reservations hold at each position, of a fixed schedule or of a finished plan, and what each position needs beside it.
/// All takes O(log positions), however long the reservations, so an attempt is made, looked at and taken back.
template <class Position>
class ReservationTimeline {
public:
  /// `always` is held at every position: arguments and constants in L1. No position needs anything yet.
  ReservationTimeline(Position end, Bytes always);

  void add(const Reservation<Position> &reservation) { change(reservation, 1); }
  void remove(const Reservation<Position> &reservation) { change(reservation, -1); }
  /// Takes the place of the need that was set before.
  void setNeed(Position position, L1Need need);

  /// getActiveL1Reservations of the design: the sum over all reservations that hold L1 at `position`.
  Bytes activeAt(Position position) const { return demand.at(position) - owns[position.index()]; }
  /// The same and what the position needs beside it; far below zero if nothing is known of that.
  Bytes demandAt(Position position) const { return demand.at(position); }
  Position end() const { return Position(owns.size()); }
  /// The first position of `interval` where a need and what is held exceed `limit`, or that must be alone and is not;
  /// end() if there is none.
  Position firstConflict(Interval<Position> interval, Bytes limit) const;
  /// By how much a position exceeds `limit`, or what lies there that may not; 0 if all is well.
  Bytes excessAt(Position position, Bytes limit) const;

private:
  void change(const Reservation<Position> &reservation, int64_t sign);

  // By position: what is held plus what is needed, and what is held beyond what may be. A position without such a rule
  // is far below zero there, so that it never shows.
  UsageTimeline<Position> demand, company;
  std::vector<Bytes> owns, tolerances; ///< the parts that are not reservations
};
using L1ReservationTimeline = ReservationTimeline<SchedulePos>;

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_L1RESERVATIONS_H
