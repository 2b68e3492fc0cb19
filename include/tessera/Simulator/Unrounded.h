//===- Unrounded.h - What a program would compute without formats ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_UNROUNDED_H
#define TESSERA_SIMULATOR_UNROUNDED_H

#include "tessera/Simulator/Program.h"

namespace tessera::simulator {

/// The same functions with all floats in fp32 and all tensors on the host: nothing is rounded to bf16 or block float between
/// two ops, and no address matters. Run in exact arithmetic it is the truth that a program's errors are measured against: what
/// it rounds itself lies a factor of 2^16 below bf16. Arguments in block float keep their format, as their elements are what
/// it can hold; those in bf16 become fp32, and who gives them rounds them before (Value::desc of the original has the format).
Program unrounded(const Program &program);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_UNROUNDED_H
