//===- Npy.h - NumPy's file of one array ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_NPY_H
#define TESSERA_SIMULATOR_NPY_H

#include "tessera/Simulator/DenseTensor.h"

namespace tessera::simulator {

/// Reads an array of f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 or b1, little-endian, in row-major order, as a tensor of type
/// `wanted.dtype`. Errors: cannot read, no .npy file, another shape than `wanted.shape`, fewer bytes than the header says, a
/// number that an integer type does not hold.
llvm::Expected<DenseTensor> readNpy(llvm::StringRef path, const TensorDesc &wanted);
/// The same errors but the last one, without reading elements.
llvm::Error checkNpy(llvm::StringRef path, const TensorDesc &wanted);

/// Of the array that the file holds. The same errors but those of a wanted shape.
llvm::Expected<Shape> shapeOfNpy(llvm::StringRef path);

/// Writes floating-point formats as f4, u32 as u4, other integers as i4.
void writeNpy(const DenseTensor &tensor, llvm::raw_ostream &os);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_NPY_H
