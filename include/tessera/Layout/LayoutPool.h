//===- LayoutPool.h - Interned layouts ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_LAYOUTPOOL_H
#define TESSERA_LAYOUT_LAYOUTPOOL_H

#include "tessera/Layout/TensorLayout.h"
#include "tessera/Support/Id.h"

#include <memory>

namespace tessera {

/// Gives equal layouts the same id, in order of first appearance. Safe to use from several threads, but ids
/// are only deterministic if layouts are interned in a deterministic order.
class LayoutPool {
public:
  LayoutPool();
  ~LayoutPool();

  /// The layout's id: that of an equal one, or the next number.
  LayoutId intern(const TensorLayout &layout);
  /// The reference stays valid as long as the pool.
  const TensorLayout &operator[](LayoutId id) const;
  size_t size() const;

private:
  struct Storage;
  std::unique_ptr<Storage> storage;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_LAYOUTPOOL_H
