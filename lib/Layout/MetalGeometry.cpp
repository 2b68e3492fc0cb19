//===- MetalGeometry.cpp - Where each element lies ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalGeometry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>

using namespace llvm;

namespace tessera {
namespace {

int64_t product(ArrayRef<int64_t> extents) {
  int64_t volume = 1;
  for (int64_t extent : extents)
    volume *= extent;
  return volume;
}

/// Dimensions that `result` reads and nothing has found yet, largest stride first.
SmallVector<unsigned, 8> unknownDims(const LinearMap::Result &result, ArrayRef<int64_t> shape,
                                     const SmallBitVector &known) {
  SmallVector<unsigned, 8> dims;
  for (unsigned d = 0; d != shape.size(); ++d)
    if (!known[d] && result.coefficients[d] != 0)
      dims.push_back(d);
  sort(dims, [&](unsigned a, unsigned b) {
    return std::pair(-result.coefficients[a], a) < std::pair(-result.coefficients[b], b);
  });
  return dims;
}

/// Whether each stride steps over all that the smaller ones reach: then division finds the indices.
bool strideOver(const LinearMap::Result &result, ArrayRef<unsigned> dims, ArrayRef<int64_t> shape) {
  int64_t reached = 0;
  for (unsigned d : reverse(dims)) {
    if (result.coefficients[d] <= reached)
      return false;
    reached += result.coefficients[d] * (shape[d] - 1);
  }
  return true;
}

Error cannotDecode(const LinearMap &linear, ArrayRef<int64_t> shape, const SmallBitVector &known) {
  for (unsigned r = 0; r != linear.results.size(); ++r) {
    SmallVector<unsigned, 8> dims = unknownDims(linear.results[r], shape, known);
    if (dims.empty())
      continue;
    std::string names = join(map_range(dims, [](unsigned d) { return "d" + std::to_string(d); }), ", ");
    return createStringError(
        formatv("result {0} of the linear map mixes {1}: their strides do not step over one "
                "another, so two elements may share a place",
                r, names)
            .str());
  }
  unsigned lost = known.find_first_unset();
  return createStringError(
      formatv("no result of the linear map reads d{0}: its {1} elements would share a place", lost,
              shape[lost])
          .str());
}

} // namespace

Expected<SmallVector<DecodeStep, 4>> planDecoding(const LinearMap &linear, ArrayRef<int64_t> shape) {
  SmallVector<DecodeStep, 4> plan;
  SmallBitVector known(shape.size()), used(linear.results.size());
  if (is_contained(shape, 0))
    known.set(); // no elements, nothing to find
  for (unsigned d = 0; d != shape.size(); ++d)
    if (shape[d] == 1)
      known.set(d); // always 0
  for (bool progress = true; progress && !known.all();) {
    progress = false;
    for (unsigned r = 0; r != linear.results.size(); ++r) {
      SmallVector<unsigned, 8> dims = unknownDims(linear.results[r], shape, known);
      if (dims.empty() || !strideOver(linear.results[r], dims, shape))
        continue;
      for (unsigned d : dims)
        known.set(d);
      used.set(r);
      plan.push_back({r, std::move(dims)});
      progress = true;
    }
  }
  if (!known.all())
    return cannotDecode(linear, shape, known);
  for (unsigned r = 0; r != linear.results.size(); ++r)
    if (!used[r])
      plan.push_back({r, {}}); // finds nothing, but must agree
  return plan;
}

int64_t ElementBox::volume() const {
  int64_t volume = 1;
  for (size_t d = 0; d != begin.size(); ++d)
    volume *= end[d] - begin[d];
  return volume;
}

bool ElementBox::contains(ArrayRef<int64_t> index) const {
  for (size_t d = 0; d != begin.size(); ++d)
    if (index[d] < begin[d] || index[d] >= end[d])
      return false;
  return true;
}

Expected<MetalGeometry> MetalGeometry::create(MetalLayout layout, ArrayRef<int64_t> shape) {
  std::vector<MetalViolation> violations = checkMetalLayout(layout, shape);
  if (!violations.empty())
    return createStringError(
        join(map_range(violations, [](const MetalViolation &v) { return v.message; }), "; "));
  auto decoding = planDecoding(layout.linear, shape);
  if (!decoding)
    return decoding.takeError();

  MetalGeometry geometry;
  geometry.logical.assign(shape.begin(), shape.end());
  geometry.decoding = std::move(*decoding);
  Shape extents = layout.linear.extents(shape);
  geometry.collapsed.assign(extents.begin(), extents.end());
  for (unsigned r = 0; r != layout.rank(); ++r)
    geometry.scalar.push_back(ceilDiv(extents[r], layout.grid[r]));
  geometry.padded.assign(layout.shard.begin(), layout.shard.end());
  geometry.coreVolume = product(layout.grid);
  geometry.elementBits = tessera::elementBits(layout.dtype);
  geometry.unitBytes = scalarBytes(layout.dtype).value();
  if (layout.tile) {
    geometry.tileHeight = layout.tile->height;
    geometry.tileWidth = layout.tile->width;
    geometry.faceHeight = std::min<int64_t>(16, geometry.tileHeight);
    geometry.faceWidth = std::min<int64_t>(16, geometry.tileWidth);
    geometry.facesPerRow = geometry.tileWidth / geometry.faceWidth;
    geometry.padded[layout.rank() - 2] *= geometry.tileHeight;
    geometry.padded[layout.rank() - 1] *= geometry.tileWidth;
    geometry.unitBytes = tileBytes(layout.dtype, *layout.tile).value();
    geometry.exponentBytes = tessera::exponentBytes(layout.dtype, *layout.tile).value();
  }
  geometry.description = std::move(layout);
  return geometry;
}

int64_t MetalGeometry::logicalVolume() const { return product(logical); }
int64_t MetalGeometry::physicalVolume() const { return product(padded) * coreVolume; }
Bytes MetalGeometry::bytesPerCore() const { return Bytes(product(description.shard) * unitBytes); }
double MetalGeometry::utilisation() const {
  int64_t physical = physicalVolume();
  return physical == 0 ? 1 : double(logicalVolume()) / double(physical);
}

// ---- To memory ------------------------------------------------------------------------------------------

void MetalGeometry::locate(ArrayRef<int64_t> index, MetalLocation &location) const {
  assert(index.size() == logical.size() && "index of another rank");
  unsigned rank = description.rank();
  Index core, inShard;
  core.resize_for_overwrite(rank);
  inShard.resize_for_overwrite(rank);
  for (unsigned r = 0; r != rank; ++r) {
    const LinearMap::Result &result = description.linear.results[r];
    int64_t physical = result.constant;
    for (size_t d = 0; d != index.size(); ++d)
      physical += result.coefficients[d] * index[d];
    core[r] = physical / scalar[r];
    inShard[r] = physical - core[r] * scalar[r];
  }
  locateInShard(core, inShard, location);
}

MetalLocation MetalGeometry::locate(ArrayRef<int64_t> index) const {
  MetalLocation location;
  locate(index, location);
  return location;
}

void MetalGeometry::locateInShard(ArrayRef<int64_t> core, ArrayRef<int64_t> inShard,
                                  MetalLocation &location) const {
  unsigned rank = description.rank();
  location.core.assign(core.begin(), core.end());
  location.inShard.assign(inShard.begin(), inShard.end());
  location.collapsed.resize_for_overwrite(rank);
  location.unit.assign(inShard.begin(), inShard.end());
  for (unsigned r = 0; r != rank; ++r)
    location.collapsed[r] = core[r] * scalar[r] + inShard[r];

  int64_t inUnit = 0;
  if (description.tile) {
    int64_t &tileRow = location.unit[rank - 2], &tileColumn = location.unit[rank - 1];
    tileRow /= tileHeight;
    tileColumn /= tileWidth;
    int64_t row = inShard[rank - 2] - tileRow * tileHeight,
            column = inShard[rank - 1] - tileColumn * tileWidth;
    int64_t faceOfRow = row / faceHeight, faceOfColumn = column / faceWidth;
    location.face = faceOfRow * facesPerRow + faceOfColumn;
    location.faceRow = row - faceOfRow * faceHeight;
    location.faceColumn = column - faceOfColumn * faceWidth;
    inUnit = (location.face * faceHeight + location.faceRow) * faceWidth + location.faceColumn;
  } else {
    location.face = location.faceRow = location.faceColumn = 0;
  }

  int64_t unit = 0;
  for (unsigned r = 0; r != rank; ++r)
    unit = unit * description.shard[r] + location.unit[r];
  int64_t bits = inUnit * elementBits;
  location.offset = Bytes(unit * unitBytes + exponentBytes + bits / 8);
  location.bit = bits % 8;
  if (exponentBytes > 0)
    location.exponent = Bytes(unit * unitBytes + inUnit / 16);
  else
    location.exponent.reset();
}

// ---- And back -------------------------------------------------------------------------------------------

bool MetalGeometry::decode(ArrayRef<int64_t> physical, Index &index) const {
  index.assign(logical.size(), 0);
  for (const DecodeStep &step : decoding) {
    const LinearMap::Result &result = description.linear.results[step.result];
    int64_t rest = physical[step.result] - result.constant;
    for (size_t d = 0; d != logical.size(); ++d)
      rest -= result.coefficients[d] * index[d]; // 0 where not known yet
    if (rest < 0)
      return false;
    for (unsigned d : step.unknown) {
      index[d] = rest / result.coefficients[d];
      rest -= index[d] * result.coefficients[d];
      if (index[d] >= logical[d])
        return false;
    }
    if (rest != 0)
      return false;
  }
  return true;
}

bool MetalGeometry::logicalIndex(ArrayRef<int64_t> core, ArrayRef<int64_t> inShard, Index &index) const {
  Index physical;
  physical.resize_for_overwrite(description.rank());
  for (unsigned r = 0; r != description.rank(); ++r) {
    physical[r] = core[r] * scalar[r] + inShard[r];
    if (inShard[r] >= scalar[r] || physical[r] >= collapsed[r])
      return false;
  }
  return logicalVolume() > 0 && decode(physical, index);
}

bool MetalGeometry::isPadding(ArrayRef<int64_t> core, ArrayRef<int64_t> inShard) const {
  Index index;
  return !logicalIndex(core, inShard, index);
}

std::optional<Index> MetalGeometry::elementAt(Bytes offset, unsigned bit) const {
  if (offset < Bytes(0) || offset >= bytesPerCore() || bit >= 8)
    return std::nullopt;
  int64_t unit = offset.value() / unitBytes, inUnit = offset.value() % unitBytes - exponentBytes;
  int64_t bits = inUnit * 8 + bit;
  if (inUnit < 0 || bits % elementBits != 0)
    return std::nullopt;
  int64_t element = bits / elementBits, faceVolume = faceHeight * faceWidth;
  if (element >= tileHeight * tileWidth)
    return std::nullopt;

  unsigned rank = description.rank();
  Index index;
  index.resize_for_overwrite(rank);
  for (unsigned r = rank; r-- > 0;) {
    index[r] = unit % description.shard[r];
    unit /= description.shard[r];
  }
  if (description.tile) {
    int64_t face = element / faceVolume, inFace = element % faceVolume;
    index[rank - 2] = index[rank - 2] * tileHeight + face / facesPerRow * faceHeight + inFace / faceWidth;
    index[rank - 1] = index[rank - 1] * tileWidth + face % facesPerRow * faceWidth + inFace % faceWidth;
  }
  return index;
}

} // namespace tessera
