//===- ProgramText.h - A TTNN function, written down op by op -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BENCHMARKS_PROGRAMTEXT_H
#define TESSERA_BENCHMARKS_PROGRAMTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace tessera {

/// The type of a tensor: its alias in the module, and what that stands for.
struct TensorText {
  std::string alias, definition;
};

/// In tiles, DRAM interleaved. `element` as MLIR writes it: "bf16".
TensorText dramTensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef element = "bf16");
/// In tiles, height sharded in L1: one tile row on each of the first cores of an 8x8 grid. The shape has as many rows as
/// that takes: 32 per core, at most 64 cores, full grid rows.
TensorText heightShardedTensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef element = "bf16");

struct ValueText {
  std::string name, type; ///< `type`: the alias
};

/// One function of device ops that returns one value.
class ProgramText {
public:
  /// `wanted` ops; a layer more or less is up to who writes them.
  explicit ProgramText(size_t wanted) : wanted(wanted) {}

  bool isLongEnough() const { return ops >= wanted; }

  /// `kind` as in #ttcore.argument_type.
  ValueText argument(llvm::StringRef kind, const TensorText &type);
  /// `name` without the dialect; `properties` with " <{" and "}>".
  ValueText op(llvm::StringRef name, llvm::ArrayRef<ValueText> operands, const TensorText &type,
               llvm::StringRef properties = "");
  /// Of the type of its first operand.
  ValueText eltwise(llvm::StringRef name, llvm::ArrayRef<ValueText> operands);
  /// An op without results.
  void sink(llvm::StringRef name, llvm::ArrayRef<ValueText> operands, llvm::StringRef properties);

  /// The text of the module.
  std::string returning(const ValueText &value) const;

private:
  ValueText write(llvm::StringRef name, llvm::ArrayRef<ValueText> operands, llvm::StringRef type,
                  llvm::StringRef properties);

  size_t wanted, ops = 0;
  std::map<std::string, std::string> definitions; ///< by alias
  std::vector<std::string> arguments;
  std::string body;
};

} // namespace tessera

#endif // TESSERA_BENCHMARKS_PROGRAMTEXT_H
