//===- DefaultPolicy.h - Who decides unless somebody says -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_DEFAULTPOLICY_H
#define TESSERA_OPTIMIZER_POLICY_DEFAULTPOLICY_H

namespace tessera {

/// The one with the fastest plans among those that plan a layer of a language model within a second (docs/policies.md).
inline constexpr char kDefaultPolicy[] = "beam";

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_DEFAULTPOLICY_H
