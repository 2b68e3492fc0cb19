//===- L1Reservations.cpp - Who holds L1 while others run ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/L1Reservations.h"

#include <algorithm>

using namespace tessera;

/// More than any sum of reservations.
static constexpr Bytes kNever(-(int64_t(1) << 60));

L1ReservationTimeline::L1ReservationTimeline(SchedulePos end, Bytes always)
    : owns(end.index(), kNever), tolerances(end.index(), kNever) {
  for (SchedulePos position; position < end; ++position) {
    // Where no need is set no limit may be exceeded, so a position starts far below zero.
    demand.append(kNever + always);
    company.append(kNever);
  }
}

void L1ReservationTimeline::setNeed(SchedulePos position, L1Need need) {
  auto set = [position](UsageTimeline<SchedulePos> &timeline, Bytes &known, Bytes now) {
    if (known != now)
      timeline.reserve({position, position + 1}, now - known);
    known = now;
  };
  set(demand, owns[position.index()], need.own.value_or(kNever));
  set(company, tolerances[position.index()], need.alone ? Bytes(0) : kNever);
}

SchedulePos L1ReservationTimeline::firstConflict(ScheduleInterval interval, Bytes limit) const {
  // Two rules, as in PlanChecker: the sum must fit, and beside an op of unknown needs nothing may lie that the
  // program has elsewhere.
  return std::min(demand.firstAbove(interval, limit), company.firstAbove(interval, Bytes(0)));
}

void L1ReservationTimeline::change(const L1Reservation &reservation, int64_t sign) {
  demand.reserve(reservation.positions, reservation.size * sign);
  if (!reservation.declared)
    company.reserve(reservation.positions, reservation.size * sign);
}
