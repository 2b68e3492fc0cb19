//===- L1Reservations.cpp - Who holds L1 while others run ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "L1Reservations.h"

#include <algorithm>

using namespace tessera;

void L1ReservationTimeline::change(const L1Reservation &reservation, int64_t sign) {
  Bytes difference = reservation.size * sign;
  for (size_t i = reservation.positions.begin; i < std::min(reservation.positions.end, active.size()); ++i) {
    active[i] += difference;
    if (!reservation.declared)
      undeclared[i] += difference;
  }
}
