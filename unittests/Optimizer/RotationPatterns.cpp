//===- RotationPatterns.cpp - What is turned by its position --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

using namespace tessera;

namespace {

/// x * cos + concat(-x2, x1) * sin.
Named turned(PatternText &p, const Named &x, const Named &cosines, const Named &sines, size_t off) {
  const int64_t size = x.desc.shape[3], half = off == 2 ? size / 4 : size / 2;
  Named first = p.slice(x, 3, 0, half), second = p.slice(x, 3, half, size);
  auto negated = [&](const Named &half) {
    return p.chance() ? p.same("neg", half)
                      : p.made("multiply", {p.number("-1.0", half), half}, "", half.desc);
  };
  Named quarter = off == 1 ? p.concat(second, negated(first), 3) : p.concat(negated(second), first, 3);
  Named straight = p.binary("multiply", x, cosines), across = p.binary("multiply", quarter, sines);
  if (off == 3)
    return p.binary("subtract", straight, across);
  return p.chance() ? p.binary("add", straight, across) : p.binary("add", across, straight);
}

/// Every second element of the rows, which may be made rows of pairs for that, or one of the halves.
Named part(PatternText &p, const Named &x, bool isSecond, bool isHalf) {
  const Shape &shape = x.desc.shape;
  const size_t last = shape.size() - 1;
  const int64_t half = shape[last] / 2;
  if (!isHalf && p.chance()) {
    Shape each = shape, pairs = shape;
    each[last] = pairs[last] = half;
    pairs.push_back(2);
    return p.reshape(p.slice(p.reshape(x, pairs), last + 1, isSecond, isSecond + 1), each);
  }
  return isHalf ? p.slice(x, last, isSecond * half, (1 + isSecond) * half)
                : p.slice(x, last, isSecond, shape[last] - (isSecond ? 0 : p.pick<int64_t>({0, 1})), 2);
}

/// Both in turns, or one after the other.
Named stacked(PatternText &p, const Named &a, const Named &b, bool isBehind, Shape to) {
  Shape one = a.desc.shape;
  one.insert(one.end() - (isBehind ? 0 : 1), 1);
  return p.reshape(p.concat(p.reshape(a, one), p.reshape(b, one), one.size() - (isBehind ? 1 : 2)),
                   std::move(to));
}

} // namespace

/// Off: the other half is negated; no halves; subtracted; a table per head; halves of half a tile; x is written in between.
void tessera::writeRotation(PatternText &p, size_t off) {
  // Off 4 has more than one, since heads of one position could be positions of one head.
  const int64_t positions = off == 6 || off == 4 ? 64 : p.pick<int64_t>({1, 1, 32, 64, 40});
  Shape shape{positions == 1 ? p.pick<int64_t>({1, 2, 32}) : p.pick<int64_t>({1, 2}), p.pick<int64_t>({2, 4}),
              positions, off == 5 ? 32 : p.pick<int64_t>({64, 128})};
  // Of one position each user may have a row.
  const bool isPerUser = shape[2] == 1 && p.chance();
  Shape rows{isPerUser ? shape[0] : 1, off == 4 ? shape[1] : 1, shape[2], shape[3]};
  // A table per head before positions would be one per position.
  if (off != 4 && p.chance()) {
    std::swap(shape[1], shape[2]);
    std::swap(rows[1], rows[2]);
  }
  Named x = off == 6 ? p.cache(shape) : p.input(shape);
  Named cosines = p.argument(p.with(rows, x)), sines = p.argument(p.with(rows, x));
  if (off == 6) {
    Named quarter =
        p.concat(p.same("neg", p.slice(x, 3, shape[3] / 2, shape[3])), p.slice(x, 3, 0, shape[3] / 2), 3);
    p.writeCache(x);
    return p.give(p.binary("add", p.binary("multiply", x, cosines), p.binary("multiply", quarter, sines)));
  }
  p.give(turned(p, x, cosines, sines, off));
}

/// Off: several positions; fewer heads are read.
void tessera::writeDecodeRotation(PatternText &p, size_t off) {
  const Shape shape{p.pick<int64_t>({1, 4, 8}), p.pick<int64_t>({2, 4, 8}), off == 1 ? 2 : 1,
                    p.pick<int64_t>({64, 128})};
  Named x = p.input(shape);
  Named cosines = p.argument(p.with({1, 1, shape[2], shape[3]}, x)), sines = p.argument(cosines.desc);
  if (off == 0 && p.chance())
    return p.give(turned(p, x, cosines, sines, 0));
  Named made =
      p.made("rotary_embedding", {x, cosines, sines}, "", p.with({shape[0], shape[1], 32, shape[3]}, x));
  if (off == 2)
    made = p.slice(made, 1, 0, 1);
  p.give(p.slice(made, 2, 0, shape[2]));
}

/// Off: the rest of another tensor; a position that stands twice; the rest behind, where it was before; another table for each head.
void tessera::writeWholeRotation(PatternText &p, size_t off) {
  const int64_t others = p.pick<int64_t>({1, 4, 5}), positions = p.pick<int64_t>({32, 64, 40}),
                heads = p.pick<int64_t>({2, 3}), size = p.pick<int64_t>({64, 128});
  const bool areBefore = p.chance(), areHeadsFirst = p.chance();
  const size_t along = areHeadsFirst ? 2 : 1;
  Shape shape{p.pick<int64_t>({1, 2}), heads, others + positions, size};
  if (!areHeadsFirst)
    std::swap(shape[1], shape[2]);
  Named x = p.input(shape), y = off == 1 ? p.input(shape) : x;
  auto cut = [&](const Named &from, int64_t begin, int64_t end) {
    Named part = p.slice(from, along, begin, end);
    return areHeadsFirst ? part : p.permute(part, {0, 2, 1, 3});
  };
  const int64_t begin = areBefore ? others : 0, restBegin = areBefore ? 0 : positions;
  Named part = cut(x, begin, begin + positions),
        rest = off == 2 ? cut(y, begin, begin + others) : cut(y, restBegin, restBegin + others);
  const Shape rows{1, off == 4 ? heads : 1, positions, size};
  Named cosines = p.argument(p.with(rows, x)), sines = p.argument(p.with(rows, x));
  Named made = turned(p, part, cosines, sines, 0);
  const bool isRestFirst = off == 3 ? !areBefore : areBefore;
  p.give(isRestFirst ? p.concat(rest, made, 2) : p.concat(made, rest, 2));
}

/// Off: parts of two tensors; halves; one part after the other; another table in one product; a function of one part.
void tessera::writePairs(PatternText &p, size_t off) {
  const Shape shape{p.pick<int64_t>({1, 2}), p.pick<int64_t>({4, 32}), p.pick<int64_t>({2, 8}),
                    p.pick<int64_t>({32, 64, 16, 40})};
  Named x = p.input(shape), y = off == 1 ? p.input(shape) : x;
  const bool inTurns = off != 3;
  // Heads may be cut from rows in f32 that were cast before.
  if (off == 0 && p.chance())
    x = y =
        p.reshape(p.cast(p.reshape(x, {shape[0], shape[1], shape[2] * shape[3]}), DataType::Float32), shape);
  if (off == 4 || (off == 0 && p.chance())) {
    const DataType dtype = p.pick<DataType>({DataType::BFloat16, DataType::Float32});
    Named a = p.cast(part(p, x, false, false), dtype), b = p.cast(part(p, x, true, false), dtype);
    Shape rows{1, shape[1], 1, shape[3] / 2};
    Named cosines = p.argument({rows, dtype}), sines = p.argument({rows, dtype}),
          other = off == 4 ? p.argument({rows, dtype}) : sines;
    Named even = p.binary("subtract", p.binary("multiply", a, cosines), p.binary("multiply", b, sines)),
          odd = p.binary("add", p.binary("multiply", a, other), p.binary("multiply", b, cosines));
    return p.give(stacked(p, even, odd, true, shape));
  }
  const bool second = p.chance();
  Named even = part(p, x, second, off == 2), odd = part(p, y, !second, off == 2);
  if (off == 5)
    odd = p.same("abs", odd);
  if (p.chance())
    even = p.same("neg", even);
  p.give(stacked(p, even, odd, inTurns, p.chance() ? Shape{shape[0] * shape[1], shape[2], shape[3]} : shape));
}

/// Rows of pairs as rows of halves, or the other way round. Off: of f32; the rows change places, too.
static void writeShuffledColumns(PatternText &p, size_t off) {
  const int64_t half = p.pick<int64_t>({8, 16, 32, 20});
  const Shape shape{p.pick<int64_t>({1, 2}), 2, p.pick<int64_t>({2, 32, 40}), 2 * half};
  const bool ofPairs = p.chance();
  Named x = p.input(shape, off == 2 ? DataType::Float32 : DataType::BFloat16);
  if (off == 0 && p.chance())
    x = p.cast(x, DataType::Float32);
  Shape parts{shape[0], shape[1], shape[2], ofPairs ? half : 2, ofPairs ? 2 : half};
  Named turned = p.permute(p.reshape(x, parts), off == 5 ? Shape{0, 1, 4, 2, 3} : Shape{0, 1, 2, 4, 3});
  Named made = p.reshape(turned, p.chance() ? Shape{shape[0] * shape[1], shape[2], shape[3]} : shape);
  p.give(off == 0 && p.chance() && made.desc.dtype == DataType::Float32 ? p.cast(made, DataType::BFloat16)
                                                                        : made);
}

/// Off: halves of whole tiles; of f32; of two tensors; x is written in between; rows that change places, too.
void tessera::writeColumns(PatternText &p, size_t off) {
  if (off == 5 || ((off == 0 || off == 2) && p.chance()))
    return writeShuffledColumns(p, off);
  const Shape shape{p.pick<int64_t>({1, 2}), p.pick<int64_t>({2, 4}), p.pick<int64_t>({1, 32, 40}),
                    off == 1 ? p.pick<int64_t>({64, 128}) : p.pick<int64_t>({16, 48, 80, 96})};
  const DataType dtype = off == 2 ? DataType::Float32 : DataType::BFloat16;
  Named x = off == 4 ? p.cache(shape) : p.input(shape, dtype), y = off == 3 ? p.input(shape, dtype) : x;
  const int64_t half = shape[3] / 2;
  const bool isWide = off == 0 && p.chance();
  auto widened = [&](const Named &value) { return isWide ? p.cast(value, DataType::Float32) : value; };
  Named second = p.same("neg", p.slice(widened(x), 3, half, shape[3])),
        first = p.slice(widened(y), 3, 0, half);
  if (off == 4)
    p.writeCache(x);
  p.give(p.concat(second, first, 3));
}
