//===- DefaultRewrites.h - Which rewrites are made unless somebody says ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_DEFAULTREWRITES_H
#define TESSERA_DRIVER_DEFAULTREWRITES_H

namespace tessera {

/// As RewriteSelection::parse takes it. All: the public compiler fuses the same at its optimization level 2, where its
/// op model consents (docs/rewrites.md).
inline constexpr char kDefaultRewrites[] = "all";

} // namespace tessera

#endif // TESSERA_DRIVER_DEFAULTREWRITES_H
