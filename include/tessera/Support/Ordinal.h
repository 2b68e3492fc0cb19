//===- Ordinal.h - Places in an order, by type ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_ORDINAL_H
#define TESSERA_SUPPORT_ORDINAL_H

#include <compare>
#include <cstddef>

namespace tessera {

/// A place in the order that `Tag` names, counted from 0; one past the last is its end. Places are compared and
/// stepped, never added; a place of one order is none of another.
template <class Tag>
class Ordinal {
public:
  constexpr Ordinal() = default;
  constexpr explicit Ordinal(size_t index) : number(index) {}

  constexpr size_t index() const { return number; }
  constexpr auto operator<=>(const Ordinal &) const = default;
  constexpr Ordinal &operator++() {
    ++number;
    return *this;
  }
  constexpr Ordinal operator+(size_t count) const { return Ordinal(number + count); }
  /// `count` must not exceed the index.
  constexpr Ordinal operator-(size_t count) const { return Ordinal(number - count); }

private:
  size_t number = 0;
};

/// Where an op stands in a schedule of a Problem's ops.
using SchedulePos = Ordinal<struct ScheduleTag>;
/// A step of a Plan: conversions count, so it is not where the step's op stands in the schedule.
using StepIndex = Ordinal<struct StepTag>;

} // namespace tessera

#endif // TESSERA_SUPPORT_ORDINAL_H
