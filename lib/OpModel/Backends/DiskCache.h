//===- DiskCache.h - Answers that outlive the run -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A cache file holds what a model answered in earlier runs, in the tables of a
// record (docs/op-model-backends.md). Unlike a record it may be deleted at any
// time, and it can never change a result:
//
//  - It belongs to one build of Tessera, by a hash over the sources that answers
//    depend on. Another build starts it anew.
//  - An answer is found under its question and its scope: who answers and in which
//    version, the calibration, the device with all its figures, the L1 budget.
//  - What cannot be read is asked again.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_BACKENDS_DISKCACHE_H
#define TESSERA_LIB_OPMODEL_BACKENDS_DISKCACHE_H

#include "ExternalOpModel.h"
#include "tessera/OpModel/Backends.h"

namespace tessera {

/// Answers from a cache file what is in it, the rest from another model. Any number of threads and processes
/// may use the file at once.
class DiskCachedOpModel : public ExternalOpModel {
public:
  /// After finish().
  virtual DiskCacheUse use() const = 0;
  /// Whether the file has an answer. The source may ask while it is asked.
  virtual bool knows(const std::string &question) const = 0;

protected:
  using ExternalOpModel::ExternalOpModel;
};

/// Puts the cache file `path`, which need not exist, in front of `source`; finish() adds what it did not
/// hold, all or nothing, and never fails. `scope` names the source and its version. Fails at once, with the
/// file as it was, if it cannot be written, is not a cache, or has another format.
llvm::Expected<std::unique_ptr<DiskCachedOpModel>> openDiskCache(std::unique_ptr<OpModel> source,
                                                                 llvm::StringRef path, llvm::StringRef scope);

} // namespace tessera

#endif // TESSERA_LIB_OPMODEL_BACKENDS_DISKCACHE_H
