//===- Window.h - The sliding window of a call ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_WINDOW_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_WINDOW_H

#include "tessera/OpModel/Window.h"

namespace tessera::analytic {

class OpCall;

/// The call's window from its attributes (conv2d, conv_transpose2d, pools). A transposed convolution is the
/// plain one of stride 1 over its input spread out by the stride.
Window windowOf(const OpCall &call, bool transposed);

/// The most cores up to `available` such that none of them is left without one of `units`, which are handed out
/// `multiple` at a time.
int64_t busyCores(int64_t units, int64_t available, int64_t multiple = 1);
/// The greatest number up to `most` that divides both.
int64_t commonDivisor(int64_t a, int64_t b, int64_t most);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_WINDOW_H
