//===- DoubtingOpModel.h - A model that asks another about some ops -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_DOUBTINGOPMODEL_H
#define TESSERA_LIB_OPMODEL_BACKENDS_DOUBTINGOPMODEL_H

#include "tessera/OpModel/OpModel.h"

#include <memory>
#include <set>
#include <string>

namespace tessera {

/// Answers as `source` does, but that ops whose signature's text (signatureText() of a question) is in `doubted` are refused
/// where `library`, the vendor's, refuses them. `library` must outlive it.
std::unique_ptr<OpModel> doubting(std::unique_ptr<OpModel> source, const OpModel &library,
                                  std::set<std::string> doubted);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_DOUBTINGOPMODEL_H
