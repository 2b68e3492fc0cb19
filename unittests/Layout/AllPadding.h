//===- AllPadding.h - The padding of all shards ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_LAYOUT_ALLPADDING_H
#define TESSERA_UNITTESTS_LAYOUT_ALLPADDING_H

#include "tessera/Layout/MetalGeometry.h"

namespace tessera {

inline void
forAllPadding(const MetalGeometry &geometry,
              llvm::function_ref<void(llvm::ArrayRef<int64_t> core, const ElementBox &box)> visit) {
  for (int64_t number = 0; number != geometry.cores(); ++number) {
    Index core = geometry.coreAt(number);
    geometry.forEachPaddingRegion(core, [&](const ElementBox &box) {
      visit(core, box);
      return true;
    });
  }
}

inline int64_t regionVolume(const MetalGeometry &geometry) {
  int64_t volume = 0;
  forAllPadding(geometry, [&](llvm::ArrayRef<int64_t>, const ElementBox &box) { volume += box.volume(); });
  return volume;
}

} // namespace tessera

#endif // TESSERA_UNITTESTS_LAYOUT_ALLPADDING_H
