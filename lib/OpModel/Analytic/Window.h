//===- Window.h - The sliding window of a call ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_WINDOW_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_WINDOW_H

#include "tessera/OpModel/Window.h"

namespace tessera::analytic {

class OpCall;

/// The call's window from its attributes (conv2d, conv_transpose2d, pools). A transposed convolution is the
/// plain one of stride 1 over its input spread out by the stride.
Window windowOf(const OpCall &call, bool transposed);

/// The most cores up to `available` such that none of them is left without one of `units`.
int64_t busyCores(int64_t units, int64_t available);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_WINDOW_H
