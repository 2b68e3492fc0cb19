//===- Programs.h - Parts of ops that profiles time by themselves ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Convolutions and pools are several device programs (WindowPrograms.h), and
// profiles have a row for each. In a table of timings they are ops of their own,
// "program.halo", and the figures of their work are attributes.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_PROGRAMS_H
#define TESSERA_LIB_EVALUATION_PROGRAMS_H

#include "tessera/OpModel/KernelTime.h"
#include "tessera/OpModel/WindowPrograms.h"

namespace tessera::evaluation {

/// Whether an op is called "program.".
bool isProgram(llvm::StringRef op);
/// Its time. Errors name what is unknown and what is known.
llvm::Expected<KernelTime> programTime(const KernelQuery &query);

/// The programs as ops.
OpSignature programOf(const analytic::HaloWork &work);
OpSignature programOf(const analytic::PaddedSliceWork &work);
OpSignature programOf(const analytic::SliceWriteWork &work);
OpSignature programOf(const analytic::PoolWork &work);
/// `predecessor`: the kernel before Conv2d, which did the same work.
OpSignature programOf(const analytic::ConvWork &work, bool predecessor);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_PROGRAMS_H
