//===- Units.h - Quantities with their unit in the type ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A Bytes never adds to a Nanoseconds, and a header that says Bytes needs no
// comment about units. The representation is signed, so that a difference
// below zero stays visible instead of wrapping around. Sums and products of
// whole numbers saturate: shapes come from users, and a tensor of 2^63 bytes
// must not pass for an empty one.
//
//   Bytes free = usable - live;          // same unit: + - and comparisons
//   Bytes two = page * 2;                // scaling by a plain number
//   double share = live / usable;        // a ratio has no unit
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_UNITS_H
#define TESSERA_SUPPORT_UNITS_H

#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tessera {

/// A number of what `Tag` names.
template <class Tag, class Rep>
class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : count(value) {}

  constexpr Rep value() const { return count; }

  constexpr Quantity operator+(Quantity other) const {
    Rep sum = Rep();
    if constexpr (std::is_floating_point_v<Rep>)
      sum = count + other.count;
    else if (__builtin_add_overflow(count, other.count, &sum))
      sum = limit(count < 0);
    return Quantity(sum);
  }
  constexpr Quantity operator-(Quantity other) const {
    Rep difference = Rep();
    if constexpr (std::is_floating_point_v<Rep>)
      difference = count - other.count;
    else if (__builtin_sub_overflow(count, other.count, &difference))
      difference = limit(count < 0);
    return Quantity(difference);
  }
  constexpr Quantity operator*(Rep factor) const {
    Rep product = Rep();
    if constexpr (std::is_floating_point_v<Rep>)
      product = count * factor;
    else if (__builtin_mul_overflow(count, factor, &product))
      product = limit((count < 0) != (factor < 0));
    return Quantity(product);
  }
  constexpr double operator/(Quantity other) const { return double(count) / double(other.count); }
  constexpr Quantity &operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity &operator-=(Quantity other) { return *this = *this - other; }
  constexpr auto operator<=>(const Quantity &) const = default;

private:
  static constexpr Rep limit(bool negative) {
    return negative ? std::numeric_limits<Rep>::min() : std::numeric_limits<Rep>::max();
  }

  Rep count = Rep();
};

/// Memory, in bytes.
using Bytes = Quantity<struct BytesTag, int64_t>;
/// Time, in nanoseconds.
using Nanoseconds = Quantity<struct NanosecondsTag, double>;
/// A number of Tensix cores.
using CoreCount = Quantity<struct CoreCountTag, int64_t>;

/// ceil(a / b) for a >= 0, b > 0.
constexpr int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }
/// a rounded up to a multiple of b.
constexpr int64_t alignUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }
constexpr Bytes alignUp(Bytes a, Bytes b) { return b * ceilDiv(a.value(), b.value()); }

} // namespace tessera

#endif // TESSERA_SUPPORT_UNITS_H
