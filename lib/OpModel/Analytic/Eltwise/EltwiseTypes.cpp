//===- EltwiseTypes.cpp - Element types that binary ops take --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Asked of ttnn 0.77.0 for every op and pair of types.
//
//===----------------------------------------------------------------------===//
#include "EltwiseTypes.h"

#include "tessera/OpModel/MadeTypes.h"

#include "../Family.h"
#include "../Runtime.h"

namespace tessera::analytic {
namespace {

/// Kinds of types, as a set.
enum Kinds : unsigned { Floats = 1, Wide = 2, UWide = 4, U16 = 8, U8 = 16 };
constexpr unsigned kNumbers = Floats | Wide | UWide | U16;

/// Which pairs of different types an op takes, beside pairs of the same.
enum class Mix : uint8_t {
  None,
  OfFloats,
  OfFloatsAndIntegers, ///< 32-bit integers beside floats are cast first
  OfFloatsAndNarrow,   ///< u8 counts as u16, which it is cast to first
};

struct TypesRow {
  llvm::StringLiteral op;
  unsigned kinds;
  Mix mix;
};
// Pairs of one type go by `kinds`, others by `mix` alone: a type that an op has no kernel for may still be cast to one
// that it has.
constexpr TypesRow kRows[] = {
    {"ttnn.add", kNumbers, Mix::OfFloats},
    {"ttnn.atan2", Floats, Mix::None},
    {"ttnn.bitwise_and", Wide | UWide | U16, Mix::None},
    {"ttnn.bitwise_or", Wide | UWide | U16, Mix::None},
    {"ttnn.bitwise_right_shift", Wide | UWide | U16, Mix::None},
    {"ttnn.bitwise_xor", Wide | UWide | U16, Mix::None},
    {"ttnn.divide", Floats | Wide, Mix::OfFloatsAndIntegers},
    {"ttnn.eq", kNumbers | U8, Mix::OfFloatsAndNarrow},
    {"ttnn.ge", kNumbers | U8, Mix::OfFloatsAndNarrow},
    {"ttnn.gt", kNumbers | U8, Mix::OfFloatsAndNarrow},
    {"ttnn.le", kNumbers | U8, Mix::OfFloatsAndNarrow},
    {"ttnn.logical_and", kNumbers, Mix::OfFloats},
    {"ttnn.logical_left_shift", Wide | UWide | U16, Mix::None},
    {"ttnn.logical_or", kNumbers, Mix::OfFloats},
    {"ttnn.logical_right_shift", Wide | UWide, Mix::None},
    {"ttnn.logical_xor", kNumbers, Mix::OfFloats},
    {"ttnn.lt", kNumbers | U8, Mix::OfFloatsAndNarrow},
    {"ttnn.maximum", Floats | Wide | UWide, Mix::None},
    {"ttnn.minimum", Floats | Wide | UWide, Mix::None},
    {"ttnn.multiply", kNumbers, Mix::OfFloatsAndIntegers},
    {"ttnn.ne", kNumbers | U8, Mix::OfFloatsAndNarrow},
    {"ttnn.pow_tensor", Floats, Mix::None},
    {"ttnn.remainder", Floats | Wide | UWide, Mix::None},
    {"ttnn.subtract", kNumbers, Mix::OfFloats},
};

/// nullptr of an op that takes what it is given, as far as is known.
const TypesRow *rowOf(const OpCall &call) {
  const auto *row = llvm::find_if(kRows, [&](const TypesRow &row) { return row.op == call.row.name; });
  return row == std::end(kRows) ? nullptr : row;
}

unsigned kindOf(DataType type) {
  switch (type) {
  case DataType::Int32:
    return Wide;
  case DataType::UInt32:
    return UWide;
  case DataType::UInt16:
    return U16;
  case DataType::UInt8:
    return U8;
  default:
    return Floats;
  }
}

/// Of two different types. Floats of any kind mix freely with each other if anything mixes: f32, bf16 and block
/// floats have one kernel.
bool mixes(Mix mix, unsigned a, unsigned b) {
  if (a == Floats && b == Floats)
    return mix != Mix::None;
  unsigned both = a | b;
  if (mix == Mix::OfFloatsAndIntegers)
    return both == (Floats | Wide) || both == (Floats | UWide);
  return mix == Mix::OfFloatsAndNarrow && both == (U16 | U8);
}

} // namespace

bool isWhole(DataType type) { return kindOf(type) != Floats; }

bool typesSupported(const OpCall &call) {
  const TypesRow *row = rowOf(call);
  // Versions before were not asked op by op: they are not held to what a later one refuses.
  if (!row || call.in.size() < 2 || call.context.version < BackendVersion::Newest)
    return true;
  DataType a = call.in[0].dtype(), b = call.in[1].dtype();
  return a == b ? (row->kinds & kindOf(a)) != 0 : mixes(row->mix, kindOf(a), kindOf(b));
}

std::string legalTypes(const OpCall &call) {
  static constexpr std::pair<Kinds, llvm::StringLiteral> kNames[] = {
      {Floats, "floats"}, {Wide, "si32"}, {UWide, "u32"}, {U16, "u16"}, {U8, "u8"}};
  // In the order of the enumeration.
  static constexpr llvm::StringLiteral kMixes[] = {
      "", "; or two floats", "; or two floats; or a float and si32 or u32", "; or two floats; or u16 and u8"};
  const TypesRow *row = rowOf(call);
  if (!row)
    return "";
  std::string kinds;
  for (const auto &[kind, name] : kNames)
    if (row->kinds & kind)
      kinds += (kinds.empty() ? "" : ", ") + name.str();
  return "two of one type of " + kinds + kMixes[size_t(row->mix)].str();
}

/// A cast is a program of its own before the op, with a tensor between, which takes L1 until the op has run.
std::optional<DataType> convertedType(const OpCall &call, size_t i) {
  const TypesRow *row = rowOf(call);
  if (!row || call.in.size() != 2 || call.context.version < BackendVersion::Newest)
    return std::nullopt;
  DataType type = call.in[i].dtype(), other = call.in[1 - i].dtype();
  if (row->mix == Mix::OfFloatsAndNarrow && type == DataType::UInt8)
    return DataType::UInt16;
  if (row->mix == Mix::OfFloatsAndIntegers && isWhole(type) && !isWhole(other))
    // Integers that are cast to a block float would share exponents, and lose small ones beside large ones: bf16
    // it is.
    return isBlockFloat(other) ? DataType::BFloat16 : other;
  return std::nullopt;
}

OpRuntime conversionsTime(const OpCall &call) {
  OpRuntime time;
  for (size_t i = 0; i < call.in.size(); ++i)
    if (std::optional<DataType> type = convertedType(call, i))
      addTime(time, castTime(call, call.in[i], call.in[i].tile, tileBytes(*type).value()));
  return time;
}

bool keepsOperandType(const OpCall &call) { return makesOperandType(call.row.name, call.context.version); }

} // namespace tessera::analytic
