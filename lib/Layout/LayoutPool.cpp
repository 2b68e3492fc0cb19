//===- LayoutPool.cpp - Interned layouts ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LayoutPool.h"

#include "tessera/Support/InternPool.h"

namespace tessera {

struct LayoutPool::Storage : InternPool<TensorLayout, LayoutId> {};

LayoutPool::LayoutPool() : storage(std::make_unique<Storage>()) {}
LayoutPool::~LayoutPool() = default;

LayoutId LayoutPool::intern(const TensorLayout &layout) { return storage->intern(layout); }
const TensorLayout &LayoutPool::operator[](LayoutId id) const { return (*storage)[id]; }
size_t LayoutPool::size() const { return storage->size(); }

} // namespace tessera
