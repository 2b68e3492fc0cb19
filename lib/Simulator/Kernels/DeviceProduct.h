//===- DeviceProduct.h - Products of matrices, block by block -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_DEVICEPRODUCT_H
#define TESSERA_LIB_SIMULATOR_KERNELS_DEVICEPRODUCT_H

#include "Families.h"
#include "MatrixEngine.h"

namespace tessera::simulator {

/// How the sum over K is cut. Between two blocks partial sums leave the registers.
struct Summation {
  enum class Between : uint8_t {
    Reload,        ///< they are written to L1 and read back: rounding changes nothing
    Accumulate,    ///< packers add them to those in L1 (packer_l1_acc); the last block goes on from that sum
    AccumulateAll, ///< the last block, too, is added in L1: a bias is added from there
  };
  engine::Precision precision;
  int64_t blockK = 1; ///< tiles
  Between between = Between::Reload;
};

/// C = A * B as the matrix engine computes it: elements of C are what packers write of them in `between`'s last step, or else
/// what registers hold, bf16 or fp32. The bytes do not depend on the number of threads.
void multiplyOnDevice(llvm::ArrayRef<MatrixProduct> products, const Summation &summation);
/// The same where all B are one, which is read from memory, some columns at a time.
void multiplyOnDevice(llvm::ArrayRef<MatrixProduct> products, const Summation &summation,
                      const TensorInMemory &right);

/// One product, on this thread.
void multiplyHere(const MatrixProduct &product, const Summation &summation);

/// To bf16, ties to even: what a packer makes of a sum in L1.
float toNearestEven(float value);
/// What the matrix engine's adder makes of two elements in 16-bit or 32-bit registers.
float addOnDevice(float a, float b, bool fp32Dest);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_KERNELS_DEVICEPRODUCT_H
