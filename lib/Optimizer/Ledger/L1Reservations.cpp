//===- L1Reservations.cpp - Who holds L1 while others run ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/L1Reservations.h"

#include <algorithm>

using namespace tessera;

/// More than any sum of reservations.
static constexpr Bytes kNever(-(int64_t(1) << 60));

template <class Position>
ReservationTimeline<Position>::ReservationTimeline(Position end, Bytes always)
    : owns(end.index(), kNever), tolerances(end.index(), kNever) {
  for (Position position; position < end; ++position) {
    // Where no need is set no limit may be exceeded, so a position starts far below zero.
    demand.append(kNever + always);
    company.append(kNever);
  }
}

template <class Position>
void ReservationTimeline<Position>::setNeed(Position position, L1Need need) {
  auto set = [position](UsageTimeline<Position> &timeline, Bytes &known, Bytes now) {
    if (known != now)
      timeline.reserve({position, position + 1}, now - known);
    known = now;
  };
  set(demand, owns[position.index()], need.own.value_or(kNever));
  set(company, tolerances[position.index()], need.alone ? Bytes(0) : kNever);
}

template <class Position>
Position ReservationTimeline<Position>::firstConflict(Interval<Position> interval, Bytes limit) const {
  // Two rules, as in PlanChecker: the sum must fit, and beside an op of unknown needs nothing may lie that the
  // program has elsewhere.
  return std::min(demand.firstAbove(interval, limit), company.firstAbove(interval, Bytes(0)));
}

template <class Position>
Bytes ReservationTimeline<Position>::excessAt(Position position, Bytes limit) const {
  // Beside an op of unknown needs any byte that the plan added is too much, whatever the limit.
  return std::max({demand.at(position) - limit, company.at(position), Bytes(0)});
}

template <class Position>
void ReservationTimeline<Position>::change(const Reservation<Position> &reservation, int64_t sign) {
  demand.reserve(reservation.positions, reservation.size * sign);
  if (!reservation.declared)
    company.reserve(reservation.positions, reservation.size * sign);
}

template class tessera::ReservationTimeline<SchedulePos>;
template class tessera::ReservationTimeline<StepIndex>;
