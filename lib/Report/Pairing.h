//===- Pairing.h - Two lists, entry by entry ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REPORT_PAIRING_H
#define TESSERA_LIB_REPORT_PAIRING_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::report {

/// Places in two lists: what belongs together, or what only one has.
using Pairs = std::vector<std::pair<std::optional<size_t>, std::optional<size_t>>>;

/// A longest common subsequence, the rest one-sided, in the order of both. Where two long lists have little in common
/// (more than 4,000 x 4,000 entries between what is equal at the ends), entries are paired by their turn among their
/// equals instead, as far as that keeps the order.
Pairs pairUp(const std::vector<std::string> &before, const std::vector<std::string> &after);

} // namespace tessera::report

#endif // TESSERA_LIB_REPORT_PAIRING_H
