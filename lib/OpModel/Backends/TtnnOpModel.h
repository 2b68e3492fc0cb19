//===- TtnnOpModel.h - Answers from the vendor's library ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_TTNNOPMODEL_H
#define TESSERA_LIB_OPMODEL_BACKENDS_TTNNOPMODEL_H

#include "ExternalOpModel.h"
#include "tessera/OpModel/Foresight.h"

namespace tessera {

/// A model that puts to the vendor's library (Library/TtnnLibrary.h) what the built-in formulas accept. The library decides
/// whether an op is legal and what its circular buffers and tensors take; times are the formulas', who alone tell any, so
/// what they refuse stays refused. An op whose result the library lays out otherwise than the formulas is refused with rule
/// "ttnn.result", what the library refuses with "ttnn.refused", what takes it down with "ttnn.crash".
///
/// Fails if the library of that version is not set up; finish() fails if it did not start. Its name() is "ttnn VERSION".
/// What `foresight` names is asked first of all, several things at once: one after the other takes most of a run's time.
llvm::Expected<std::unique_ptr<ExternalOpModel>> openTtnn(OpModelContext context, llvm::StringRef version,
                                                          Foresight foresight);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_TTNNOPMODEL_H
