//===- OpSignature.h - What an op computes, without where ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_OPSIGNATURE_H
#define TESSERA_OPMODEL_OPSIGNATURE_H

#include "tessera/Layout/TensorLayout.h"
#include "tessera/Support/Id.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tessera {

/// An attribute as plain data. Shapes, begins, permutations ... are integer lists; nested or unknown attributes
/// are kept as their text.
using AttrValue = std::variant<bool, int64_t, double, std::string, std::vector<int64_t>>;

/// A tensor operand.
struct OperandDesc {
  TensorDesc tensor;
  /// The first operand that is the same value: add(%a, %a) has sameAs 0, 0. Its bytes count once.
  unsigned sameAs = 0;
  /// Weights and other values that do not change between runs.
  bool constant = false;
  bool operator==(const OperandDesc &) const = default;
};

/// Op kind, attributes, logical shapes and data types: everything an OpModel answer depends on except layouts
/// and configuration. Two identical layers of a model have identical signatures. Non-tensor operands (the
/// device) do not appear.
struct OpSignature {
  std::string name; ///< "ttnn.matmul"
  std::vector<OperandDesc> operands;
  std::vector<TensorDesc> results;
  std::vector<std::pair<std::string, AttrValue>> attributes; ///< sorted by name; program configs excluded

  bool operator==(const OpSignature &) const = default;
  /// Of all that == compares, so that equal signatures meet in a table.
  friend llvm::hash_code hash_value(const OpSignature &signature);

  /// Adds an attribute in its place.
  void addAttribute(std::string name, AttrValue value);
  /// The attribute of that name, or nullptr.
  const AttrValue *attribute(llvm::StringRef name) const;
  /// Typed access; `otherwise` if absent or of another type.
  int64_t integer(llvm::StringRef name, int64_t otherwise) const;
  bool boolean(llvm::StringRef name, bool otherwise) const;
  double number(llvm::StringRef name, double otherwise) const;
  llvm::StringRef string(llvm::StringRef name, llvm::StringRef otherwise = "") const;
  /// A list of numbers; valid as long as the signature is not changed.
  llvm::ArrayRef<int64_t> integers(llvm::StringRef name) const; ///< empty if absent
};

/// The signature of `ttnn.to_memory_config` (same page layout and data type) on one tensor.
OpSignature toMemoryConfigSignature(const TensorDesc &tensor);
/// The signature of `ttnn.to_layout`: page layout (and float-family data type) changes.
OpSignature toLayoutSignature(const TensorDesc &from, const TensorDesc &to);
/// The signature of `ttnn.typecast`: only the data type changes.
OpSignature typecastSignature(const TensorDesc &from, const TensorDesc &to);

/// Gives equal signatures the same id. Thread-safe like LayoutPool.
class SignaturePool {
public:
  SignaturePool();
  ~SignaturePool();
  /// A new id if no equal signature was here before. Takes time linear in the signature's text.
  SignatureId intern(const OpSignature &signature);
  /// Valid as long as the pool; it never moves.
  const OpSignature &operator[](SignatureId id) const;
  /// Ids are dense, from 0 to this.
  size_t size() const;

private:
  struct Storage;
  std::unique_ptr<Storage> storage;
};

} // namespace tessera

#endif // TESSERA_OPMODEL_OPSIGNATURE_H
