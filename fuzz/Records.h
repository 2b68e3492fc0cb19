//===- Records.h - Records with something wrong in them -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_RECORDS_H
#define TESSERA_FUZZ_RECORDS_H

#include "Mutator.h"

namespace tessera::fuzz {

/// The texts in all rows of a record of op model answers; several times the same counts once.
std::vector<std::string> textsOf(const std::string &path);

/// The record with one field of one row changed: a file that SQLite has nothing against. Works in the current folder.
std::string withMutatedField(const std::string &file, const Corpus &fields, Random &random);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_RECORDS_H
