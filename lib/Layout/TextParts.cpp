//===- TextParts.cpp - What the sources of this room share ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TextParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace llvm;

namespace tessera {

std::string text(ArrayRef<int64_t> extents, StringRef separator) {
  return join(map_range(extents, [](int64_t extent) { return std::to_string(extent); }), separator);
}

AffineSum affineSum(const LinearMap::Result &sum) {
  AffineSum printed;
  unsigned terms = 0;
  for (size_t d = 0; d != sum.coefficients.size(); ++d) {
    int64_t factor = sum.coefficients[d];
    if (factor == 0)
      continue;
    printed.text += (terms++ ? " + d" : "d") + std::to_string(d);
    if (factor != 1)
      printed.text += " * " + std::to_string(factor);
    printed.compound |= factor != 1;
  }
  if (terms == 0 || sum.constant != 0)
    printed.text += (terms++ ? " + " : "") + std::to_string(sum.constant);
  printed.compound |= terms > 1;
  return printed;
}

std::string dimensionList(unsigned dims) {
  return "(" + join(map_range(seq(dims), [](unsigned d) { return "d" + std::to_string(d); }), ", ") + ")";
}

int64_t volumeOf(ArrayRef<int64_t> extents) {
  int64_t volume = 1;
  for (int64_t extent : extents)
    if (MulOverflow(volume, extent, volume))
      return std::numeric_limits<int64_t>::max();
  return volume;
}

bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> extents) {
  for (size_t d = index.size(); d-- > 0; index[d] = 0)
    if (++index[d] < extents[d])
      return true;
  return false;
}

} // namespace tessera
