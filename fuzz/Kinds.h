//===- Kinds.h - What is fuzzed -------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A kind of input: where its examples come from, and the commands that read it.
// The examples are the repository's own tests and examples, split where lit
// splits them, and the lists in fuzz/corpus.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_KINDS_H
#define TESSERA_FUZZ_KINDS_H

#include "Mutator.h"

#include "llvm/Support/Error.h"

#include <map>

namespace tessera::fuzz {

/// One run of a tool. Files are named within its working folder.
struct Attempt {
  std::vector<std::string> command;                       ///< "tessera", "optimize", ...
  std::vector<std::pair<std::string, std::string>> files; ///< name and contents
  bool mayAnswerNo = false;     ///< exit code 1 without an error: what was asked about is not legal
  bool mayRepeatErrors = false; ///< MLIR's parser has more than one message for some mistakes
};

struct Inputs {
  /// Reads the examples below the root of the repository, and records what the op model says about one of them.
  /// Works in the current folder.
  static llvm::Expected<Inputs> read(const std::string &root);

  Corpus problems, json, goldens, timings, overrides, layouts, queries;
  Corpus programs; ///< modules that can be optimized, most of them
  Corpus modules;  ///< of tests of the dialects: a few ops each
  Corpus traceIndexes, traceEvents, tracePrograms, traceBuffers; ///< the files of recorded runs
  Corpus wrongModules;                                           ///< of tests of errors
  Corpus records;                                                ///< files
  Corpus decisions;                                              ///< decisions files
  Corpus modelJson;                           ///< of the model runner: config.json, op configs, merge cases
  Corpus checkpoints;                         ///< safetensors files
  Corpus tensorFiles;                         ///< what is converted from them
  std::map<std::string, std::string> weights; ///< the same, by name: a folder that a model can be run with
  Corpus recordFields;                        ///< texts in their rows
  std::string model;                          ///< a module that options are tried on
};

struct Kind {
  llvm::StringLiteral name, about;
  Attempt (*make)(const Inputs &inputs, Random &random);
};

llvm::ArrayRef<Kind> kinds();

/// A module through the optimizer, a pass, or what else reads modules.
Attempt tryModule(const Inputs &inputs, Random &random);

/// As a shell cuts a line.
std::vector<std::string> words(llvm::StringRef line);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_KINDS_H
