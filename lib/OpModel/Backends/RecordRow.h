//===- RecordRow.h - Answers as they are stored ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_RECORDROW_H
#define TESSERA_LIB_OPMODEL_BACKENDS_RECORDROW_H

#include "Answer.h"
#include "RecordFile.h"

namespace tessera {

/// An answer as a row. "Out of memory" becomes "success" with the sizes that did not fit: whether they fit is
/// decided when the row is read.
RecordRow toRow(const Answer &answer, const OpQuery &query, const LayoutPool &layouts);

/// The inverse: interns what it reads. Returns what is wrong with the row, or "".
std::string fromRow(const RecordRow &row, const OpQuery &query, LayoutPool &layouts, Answer &answer);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_RECORDROW_H
