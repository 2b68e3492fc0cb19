//===- LinearMap.cpp - Linear maps between index spaces -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The map is a sum of products and nothing else, so the largest image of a box
// is that of its last corner, if no coefficient is negative (checkMetalLayout
// refuses those): extents need no search.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LinearMap.h"

#include <cassert>

using namespace llvm;

namespace tessera {

hash_code hash_value(const LinearMap &map) {
  hash_code hash = hash_combine(map.dims, map.results.size());
  for (const LinearMap::Result &result : map.results)
    hash = hash_combine(hash, result.constant,
                        hash_combine_range(result.coefficients.begin(), result.coefficients.end()));
  return hash;
}

Shape LinearMap::apply(ArrayRef<int64_t> index) const {
  assert(index.size() == dims && "index of another rank");
  Shape image;
  for (const Result &result : results) {
    int64_t value = result.constant;
    for (unsigned d = 0; d != dims; ++d)
      value += result.coefficients[d] * index[d];
    image.push_back(value);
  }
  return image;
}

Shape LinearMap::extents(ArrayRef<int64_t> shape) const {
  assert(shape.size() == dims && "shape of another rank");
  Shape image;
  for (const Result &result : results) {
    int64_t last = result.constant;
    bool empty = false;
    for (unsigned d = 0; d != dims; ++d) {
      // A dimension that this result does not read leaves it as it is, empty or not.
      empty |= shape[d] == 0 && result.coefficients[d] != 0;
      last += result.coefficients[d] * (shape[d] - 1);
    }
    image.push_back(empty ? 0 : last + 1);
  }
  return image;
}

} // namespace tessera
