//===- MetalGeometry.cpp - Where each element lies ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A place is found in three steps, each a division with a rest: the linear map
// gives a physical index per dimension, the grid splits it into core and index
// in the shard, the tile splits that into tile, face and element (the header
// has an example). The way back undoes the linear map, for which `planDecoding`
// finds an order once per layout: after that an element costs a division per
// dimension in both directions. Everything that could overflow or be ambiguous
// is refused in create(). What follows it computes without checks, since tools
// locate every element of a tensor.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalGeometry.h"

#include "TextParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>

using namespace llvm;

namespace tessera {
namespace {

using Terms = SmallVector<DecodeStep::Term, 4>;

/// Dimensions of more than one element that `result` reads and that are known, or are not.
Terms termsOf(const LinearMap::Result &result, ArrayRef<int64_t> shape, const SmallBitVector &known,
              bool wanted) {
  Terms terms;
  for (unsigned d = 0; d != shape.size(); ++d)
    if (known[d] == wanted && shape[d] > 1 && result.coefficients[d] != 0)
      terms.push_back({d, result.coefficients[d], shape[d]});
  return terms;
}

/// Largest stride first, if each steps over all that the smaller ones reach: then division finds the indices.
bool sortByStride(Terms &terms) {
  sort(terms, [](const DecodeStep::Term &a, const DecodeStep::Term &b) { return a.stride > b.stride; });
  int64_t reached = 0;
  for (const DecodeStep::Term &term : reverse(terms)) {
    if (term.stride <= reached)
      return false;
    reached += term.stride * (term.extent - 1);
  }
  return true;
}

/// Why planDecoding() stopped: `(d0, d1) -> (d0 + d1)` has strides of which neither steps over the other, and in
/// `(d0, d1) -> (d1)` nothing says which d0 it was. In both two elements would lie at one place.
Error cannotDecode(const LinearMap &linear, ArrayRef<int64_t> shape, const SmallBitVector &known) {
  // A result that still has unknown dimensions is one that could not be divided; if there is none, a dimension is read
  // by no result.
  for (unsigned r = 0; r != linear.results.size(); ++r) {
    Terms terms = termsOf(linear.results[r], shape, known, false);
    if (terms.empty())
      continue;
    std::string names = join(
        map_range(terms, [](const DecodeStep::Term &term) { return "d" + std::to_string(term.dim); }), ", ");
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
    return plan; // no elements, nothing to find
  for (unsigned d = 0; d != shape.size(); ++d)
    if (shape[d] == 1)
      known.set(d); // always 0
  // A step first subtracts what earlier ones found, so the dimensions that are known by now belong to it.
  auto addStep = [&](unsigned r, Terms unknown) {
    const LinearMap::Result &result = linear.results[r];
    plan.push_back({r, result.constant, termsOf(result, shape, known, true), std::move(unknown)});
    used.set(r);
  };
  // A result can be read backwards once all but steppable dimensions of it are known, so each round may unlock others.
  for (bool progress = true; progress && !known.all();) {
    progress = false;
    for (unsigned r = 0; r != linear.results.size(); ++r) {
      Terms unknown = termsOf(linear.results[r], shape, known, false);
      if (unknown.empty() || !sortByStride(unknown))
        continue;
      addStep(r, unknown);
      for (const DecodeStep::Term &term : unknown)
        known.set(term.dim);
      progress = true;
    }
  }
  if (!known.all())
    return cannotDecode(linear, shape, known);
  for (unsigned r = 0; r != linear.results.size(); ++r)
    if (!used[r])
      addStep(r, {}); // finds nothing, but must agree
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

NocAlignment nocAlignment(MemorySpace space, const DeviceSpec &device) {
  switch (space) {
  case MemorySpace::System:
    return {};
  case MemorySpace::SystemMMIO: // over PCIe as from DRAM
  case MemorySpace::DeviceDRAM:
    return {device.dramAlignment, device.dramAlignment};
  case MemorySpace::DeviceL1:
    // Pages to what L1 addresses, the whole to the DRAM's alignment: the allocator rounds so in L1, too
    // (facts/allocator 4).
    return {device.l1Alignment, device.dramAlignment};
  }
  llvm_unreachable("every memory has its alignment");
}

Expected<MetalGeometry> MetalGeometry::create(MetalLayout layout, ArrayRef<int64_t> shape,
                                              NocAlignment alignment) {
  // These rules bound the sizes, so that what follows needs no check for overflow but where the alignment enters.
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
  // The grid cuts elements before tiles round up (facts/tensor-layout, "Padding"), which is why padding lies
  // within shards.
  for (unsigned r = 0; r != layout.rank(); ++r)
    geometry.scalar.push_back(ceilDiv(extents[r], layout.grid[r]));
  geometry.padded.assign(layout.shard.begin(), layout.shard.end());
  geometry.coreVolume = volumeOf(layout.grid);
  geometry.empty = is_contained(shape, 0);
  geometry.elementBits = tessera::elementBits(layout.dtype);
  geometry.unitBytes = scalarBytes(layout.dtype).value();
  // As divisors that are known beforehand (Divisor), which spares a division for each dimension and element.
  for (int64_t extent : geometry.scalar)
    geometry.shardDivisors.emplace_back(extent);
  if (layout.tile) {
    TileShape tile = *layout.tile;
    geometry.tileHeight = Divisor(tile.height);
    geometry.tileWidth = Divisor(tile.width);
    // Faces are 16x16, of smaller tiles as large as the tile (facts/hardware 1.3).
    geometry.faceHeight = Divisor(std::min<int64_t>(16, tile.height));
    geometry.faceWidth = Divisor(std::min<int64_t>(16, tile.width));
    geometry.facesPerRow = tile.width / geometry.faceWidth.value();
    geometry.padded[layout.rank() - 2] *= tile.height;
    geometry.padded[layout.rank() - 1] *= tile.width;
    geometry.unitBytes = tileBytes(layout.dtype, tile).value();
    geometry.exponentBytes = tessera::exponentBytes(layout.dtype, tile).value();
  }
  geometry.alignment = alignment;
  // A row of scalars is a page, and each page begins where the NoC can address it.
  bool inRows = !layout.tile && layout.rank() > 0;
  geometry.pageDims = layout.rank() - inRows;
  int64_t row = inRows ? layout.shard.back() * geometry.unitBytes : geometry.unitBytes;
  geometry.strideOfPage = alignUp(row, alignment.page.value());
  int64_t bytes = volumeOf(ArrayRef(layout.shard).take_front(geometry.pageDims));
  if (MulOverflow(bytes, geometry.strideOfPage, bytes) || MulOverflow(bytes, geometry.coreVolume, bytes))
    return failure("the tensor's physical size exceeds what 64 bits can count");
  // Element sizes divide alignments, so what fills a row up is elements, too.
  if (inRows)
    geometry.padded.back() = geometry.strideOfPage / geometry.unitBytes;
  geometry.description = std::move(layout);
  return geometry;
}

Index MetalGeometry::coreAt(int64_t number) const {
  Index core(description.rank(), 0);
  for (unsigned r = description.rank(); r-- > 0; number /= description.grid[r])
    core[r] = number % description.grid[r];
  return core;
}

int64_t MetalGeometry::logicalVolume() const { return volumeOf(logical); }
int64_t MetalGeometry::physicalVolume() const { return volumeOf(padded) * coreVolume; }
Bytes MetalGeometry::pageBytes() const {
  return Bytes(pageDims == description.rank() ? unitBytes : description.shard.back() * unitBytes);
}
Bytes MetalGeometry::bytesPerCore() const {
  return Bytes(volumeOf(ArrayRef(description.shard).take_front(pageDims)) * strideOfPage);
}
double MetalGeometry::utilisation() const {
  int64_t physical = physicalVolume();
  return physical == 0 ? 1 : double(logicalVolume()) / double(physical);
}

// ---- To memory ------------------------------------------------------------------------------------------

void MetalGeometry::locate(ArrayRef<int64_t> index, MetalLocation &location) const {
  assert(index.size() == logical.size() && "index of another rank");
  unsigned rank = description.rank();
  // The caller's vectors are used again: tools locate every element of a tensor.
  location.collapsed.resize_for_overwrite(rank);
  location.core.resize_for_overwrite(rank);
  location.inShard.resize_for_overwrite(rank);
  for (unsigned r = 0; r != rank; ++r) {
    const LinearMap::Result &result = description.linear.results[r];
    int64_t physical = result.constant;
    for (size_t d = 0; d != index.size(); ++d)
      physical += result.coefficients[d] * index[d];
    location.collapsed[r] = physical;
    location.core[r] = shardDivisors[r].divide(physical);
    location.inShard[r] = physical - location.core[r] * scalar[r];
  }
  placeInUnit(location);
}

MetalLocation MetalGeometry::locate(ArrayRef<int64_t> index) const {
  MetalLocation location;
  locate(index, location);
  return location;
}

/// Unit, face and offset of `location.inShard`.
void MetalGeometry::placeInUnit(MetalLocation &location) const {
  unsigned rank = description.rank();
  const Index &inShard = location.inShard;
  // In the order of the table in docs/tensor-layout.md, "From an index to a byte": tile, face, row and column
  // in the face. Everything is a division and a rest by extents that are known, so nothing is looked up.
  location.unit = inShard;
  int64_t inUnit = 0;
  if (description.tile) {
    int64_t &tileRow = location.unit[rank - 2], &tileColumn = location.unit[rank - 1];
    tileRow = tileHeight.divide(tileRow);
    tileColumn = tileWidth.divide(tileColumn);
    int64_t row = inShard[rank - 2] - tileRow * tileHeight.value();
    int64_t column = inShard[rank - 1] - tileColumn * tileWidth.value();
    int64_t faceOfRow = faceHeight.divide(row), faceOfColumn = faceWidth.divide(column);
    location.face = faceOfRow * facesPerRow + faceOfColumn;
    location.faceRow = row - faceOfRow * faceHeight.value();
    location.faceColumn = column - faceOfColumn * faceWidth.value();
    inUnit =
        (location.face * faceHeight.value() + location.faceRow) * faceWidth.value() + location.faceColumn;
  } else {
    location.face = location.faceRow = location.faceColumn = 0;
  }

  int64_t page = 0;
  // Pages are numbered row-major over the memref; the elements of a row of scalars are the last dimension and lie
  // inside the page.
  for (unsigned r = 0; r != pageDims; ++r)
    page = page * description.shard[r] + location.unit[r];
  int64_t unitBegin = page * strideOfPage + (pageDims == rank ? 0 : location.unit.back() * unitBytes);
  int64_t bits = inUnit * elementBits;
  location.offset = Bytes(unitBegin + exponentBytes + bits / 8);
  location.bit = bits % 8;
  if (exponentBytes > 0)
    // One exponent byte for 16 elements of a row, all of them before the mantissas (facts/hardware 1.3).
    location.exponent = Bytes(unitBegin + inUnit / 16);
  else
    location.exponent.reset();
}

// ---- And back -------------------------------------------------------------------------------------------

bool MetalGeometry::logicalIndex(ArrayRef<int64_t> core, ArrayRef<int64_t> inShard, Index &index) const {
  for (size_t r = 0; r != core.size(); ++r)
    // Tiles round shards up: beyond the scalar shard there is padding, even where the next core has elements.
    if (inShard[r] >= scalar[r])
      return false;
  if (empty)
    return false;
  index.assign(logical.size(), 0);
  for (const DecodeStep &step : decoding) {
    int64_t rest = core[step.result] * scalar[step.result] + inShard[step.result] - step.constant;
    for (const DecodeStep::Term &term : step.known)
      rest -= term.stride * index[term.dim];
    if (rest < 0)
      return false;
    for (const DecodeStep::Term &term : step.unknown) {
      int64_t found = rest / term.stride;
      if (found >= term.extent) // beyond the tensor, too
        return false;
      index[term.dim] = found;
      rest -= found * term.stride;
    }
    // A place between two strides belongs to no element.
    if (rest != 0)
      return false;
  }
  return true;
}

bool MetalGeometry::isPadding(ArrayRef<int64_t> core, ArrayRef<int64_t> inShard) const {
  Index index;
  return !logicalIndex(core, inShard, index);
}

std::optional<Index> MetalGeometry::elementAt(Bytes offset, unsigned bit) const {
  if (offset < Bytes(0) || offset >= bytesPerCore() || bit >= 8)
    return std::nullopt;
  unsigned rank = description.rank();
  int64_t page = offset.value() / strideOfPage, inPage = offset.value() % strideOfPage;
  int64_t column = pageDims == rank ? 0 : inPage / unitBytes;
  int64_t inUnit = inPage - column * unitBytes - exponentBytes;
  int64_t bits = inUnit * 8 + bit;
  // An offset among the exponents, or inside an element, is where none begins.
  if (inUnit < 0 || bits % elementBits != 0)
    return std::nullopt;
  int64_t element = bits / elementBits, faceVolume = faceHeight.value() * faceWidth.value();
  // Tiny tiles have more room for exponents than they need (exponentBytes has a least size), and a page is filled up to
  // its alignment; neither holds elements.
  if (element >= tileHeight.value() * tileWidth.value())
    return std::nullopt;

  Index index(rank, column);
  for (unsigned r = pageDims; r-- > 0;) {
    index[r] = page % description.shard[r];
    page /= description.shard[r];
  }
  if (description.tile) {
    int64_t face = element / faceVolume, inFace = element % faceVolume;
    int64_t &row = index[rank - 2], &column = index[rank - 1];
    row = row * tileHeight.value() + face / facesPerRow * faceHeight.value() + inFace / faceWidth.value();
    column = column * tileWidth.value() + face % facesPerRow * faceWidth.value() + inFace % faceWidth.value();
  }
  return index;
}

} // namespace tessera
