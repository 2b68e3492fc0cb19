//===- Id.h - Dense typed indices -----------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_ID_H
#define TESSERA_SUPPORT_ID_H

#include <compare>
#include <cstdint>
#include <functional>

#include "llvm/ADT/Hashing.h"

namespace tessera {

/// An index into the table that `Tag` names. Default-constructed ids are invalid.
template <class Tag>
class Id {
public:
  constexpr Id() = default;
  constexpr explicit Id(size_t index) : number(uint32_t(index)) {}

  constexpr bool valid() const { return number != kInvalid; }
  /// Requires a valid id.
  constexpr size_t index() const { return number; }
  constexpr auto operator<=>(const Id &) const = default;
  friend llvm::hash_code hash_value(Id id) { return llvm::hash_value(id.number); }

private:
  static constexpr uint32_t kInvalid = ~uint32_t(0);
  uint32_t number = kInvalid;
};

/// A layout in a LayoutPool.
using LayoutId = Id<struct LayoutTag>;
/// An op signature in a SignaturePool.
using SignatureId = Id<struct SignatureTag>;
/// An op of a Problem.
using OpId = Id<struct OpTag>;
/// A tensor value of a Problem: what the program computes, wherever it lives.
using ValueId = Id<struct ValueTag>;
/// A tensor of a Plan: one value in one layout, in memory from one step to another.
using TensorId = Id<struct TensorTag>;

} // namespace tessera

#endif // TESSERA_SUPPORT_ID_H
