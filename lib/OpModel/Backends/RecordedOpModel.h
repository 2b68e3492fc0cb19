//===- RecordedOpModel.h - Answers that were given before -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A record is a SQLite file with the answers that one version of one model gave,
// for any number of devices. docs/op-model-backends.md states its schema. Answers
// are recorded without pressure, so a record holds for every L1 budget.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_RECORDEDOPMODEL_H
#define TESSERA_LIB_OPMODEL_BACKENDS_RECORDEDOPMODEL_H

#include "ExternalOpModel.h"

namespace tessera {

/// Answers from the record `path`. A question that is not in it goes to `fallback`, or is NotImplemented with
/// rule "recorded.missing" if that is null. Any number of processes may read a record at once. Fails if the
/// file cannot be read, is not a record, or has another format; finish() fails if a part of it turned out to be
/// corrupt.
llvm::Expected<std::unique_ptr<ExternalOpModel>> openRecord(OpModelContext context, llvm::StringRef path,
                                                            std::unique_ptr<OpModel> fallback);

/// Answers what `source` answers, and remembers it; finish() adds all of it to the record `path` in one
/// transaction, replacing older answers to the same questions, or leaves the file as it was and fails.
/// `modelVersion` names the source and the version of its figures. Fails at once if the file cannot be
/// written, or holds what is not a record or the answers of another model.
llvm::Expected<std::unique_ptr<ExternalOpModel>>
openForRecording(std::unique_ptr<OpModel> source, llvm::StringRef path, llvm::StringRef modelVersion);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_RECORDEDOPMODEL_H
