//===- WeightWriter.h - One weight, from checkpoint to tensor file --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_MODELRUNNER_WEIGHTWRITER_H
#define TESSERA_LIB_MODELRUNNER_WEIGHTWRITER_H

#include "TensorFile.h"
#include "tessera/ModelRunner/SourceMatrix.h"

namespace tessera::runner {

/// What of the tensor's file is known before its data: shapes, places, sizes.
TensorHeader headerOf(const WeightTensor &tensor, GridShape mesh);

/// Bytes of the file, and of the checkpoint that go into it.
uint64_t fileBytes(const WeightTensor &tensor, GridShape mesh);
uint64_t sourceBytes(const WeightTensor &tensor, const Checkpoint &checkpoint);

/// Columns of the matrices as the checkpoint has them.
int64_t sourceColumns(const WeightTensor &tensor);

/// Prints the file. At most about `memory` bytes are held, or one row of tiles if that is more; the bytes that are
/// printed do not depend on it. An error if a scale is not finite or an element is NaN.
llvm::Error writeWeight(const WeightTensor &tensor, GridShape mesh, const Checkpoint &checkpoint,
                        ScaleBlock block, uint64_t memory, llvm::raw_ostream &os);

} // namespace tessera::runner

#endif // TESSERA_LIB_MODELRUNNER_WEIGHTWRITER_H
