//===- OpSignature.cpp - What an op computes, without where --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A signature is a key: two ops that compute the same must be equal and hash alike, wherever they stand. So attributes
// are sorted by name, and which operands are one value is said by number (sameAs) and not by the value.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpSignature.h"

#include "tessera/Support/InternPool.h"

#include <algorithm>

namespace tessera {
namespace {

// With the kind of the value, since 1, 1.0 and true are different attributes.
llvm::hash_code hashAttribute(const AttrValue &value) {
  if (const auto *list = std::get_if<std::vector<int64_t>>(&value))
    return llvm::hash_combine(value.index(), llvm::hash_combine_range(list->begin(), list->end()));
  if (const auto *text = std::get_if<std::string>(&value))
    return llvm::hash_combine(value.index(), llvm::StringRef(*text));
  if (const auto *number = std::get_if<double>(&value))
    return llvm::hash_combine(value.index(), std::hash<double>()(*number));
  if (const auto *integer = std::get_if<int64_t>(&value))
    return llvm::hash_combine(value.index(), *integer);
  return llvm::hash_combine(value.index(), std::get<bool>(value));
}

OpSignature conversion(llvm::StringRef name, const TensorDesc &from, const TensorDesc &to) {
  OpSignature signature;
  signature.name = name.str();
  // The tensor's own value, and not a constant: what is converted at run time.
  signature.operands.push_back({from, 0, false});
  signature.results.push_back(to);
  return signature;
}

} // namespace

/// In the order of the fields, each list as long as it is: two lists that run together differently are told apart by
/// the comparison.
llvm::hash_code hash_value(const OpSignature &signature) {
  llvm::hash_code hash = llvm::hash_value(llvm::StringRef(signature.name));
  for (const OperandDesc &operand : signature.operands)
    hash = llvm::hash_combine(hash, operand.tensor, operand.sameAs, operand.constant);
  for (const TensorDesc &result : signature.results)
    hash = llvm::hash_combine(hash, result);
  for (const auto &[name, value] : signature.attributes)
    hash = llvm::hash_combine(hash, llvm::StringRef(name), hashAttribute(value));
  return hash;
}

void OpSignature::addAttribute(std::string name, AttrValue value) {
  // Sorted, so that signatures are equal and hash alike whatever the order in which attributes came.
  auto after = llvm::upper_bound(attributes, name,
                                 [](const std::string &key, const auto &entry) { return key < entry.first; });
  attributes.insert(after, {std::move(name), std::move(value)});
}

// Attributes are asked for by every rule of every query, and sorted anyway.
const AttrValue *OpSignature::attribute(llvm::StringRef name) const {
  auto it = std::lower_bound(
      attributes.begin(), attributes.end(), name,
      [](const auto &entry, llvm::StringRef key) { return llvm::StringRef(entry.first) < key; });
  return it != attributes.end() && it->first == name ? &it->second : nullptr;
}

int64_t OpSignature::integer(llvm::StringRef name, int64_t otherwise) const {
  const AttrValue *value = attribute(name);
  const auto *integer = value ? std::get_if<int64_t>(value) : nullptr;
  return integer ? *integer : otherwise;
}

bool OpSignature::boolean(llvm::StringRef name, bool otherwise) const {
  const AttrValue *value = attribute(name);
  const auto *flag = value ? std::get_if<bool>(value) : nullptr;
  return flag ? *flag : otherwise;
}

double OpSignature::number(llvm::StringRef name, double otherwise) const {
  const AttrValue *value = attribute(name);
  // A whole number is one, too: "alpha=2" in a query's text is read as an integer.
  if (const auto *number = value ? std::get_if<double>(value) : nullptr)
    return *number;
  const auto *integer = value ? std::get_if<int64_t>(value) : nullptr;
  return integer ? double(*integer) : otherwise;
}

llvm::StringRef OpSignature::string(llvm::StringRef name, llvm::StringRef otherwise) const {
  const AttrValue *value = attribute(name);
  const auto *text = value ? std::get_if<std::string>(value) : nullptr;
  return text ? llvm::StringRef(*text) : otherwise;
}

llvm::ArrayRef<int64_t> OpSignature::integers(llvm::StringRef name) const {
  const AttrValue *value = attribute(name);
  const auto *list = value ? std::get_if<std::vector<int64_t>>(value) : nullptr;
  return list ? llvm::ArrayRef<int64_t>(*list) : llvm::ArrayRef<int64_t>();
}

OpSignature toMemoryConfigSignature(const TensorDesc &tensor) {
  return conversion("ttnn.to_memory_config", tensor, tensor);
}

OpSignature toLayoutSignature(const TensorDesc &from, const TensorDesc &to) {
  return conversion("ttnn.to_layout", from, to);
}

OpSignature typecastSignature(const TensorDesc &from, const TensorDesc &to) {
  return conversion("ttnn.typecast", from, to);
}

// ---- SignaturePool --------------------------------------------------------------------------------------

struct SignaturePool::Storage : InternPool<OpSignature, SignatureId> {};

SignaturePool::SignaturePool() : storage(std::make_unique<Storage>()) {}
SignaturePool::~SignaturePool() = default;

SignatureId SignaturePool::intern(const OpSignature &signature) { return storage->intern(signature); }
const OpSignature &SignaturePool::operator[](SignatureId id) const { return (*storage)[id]; }
size_t SignaturePool::size() const { return storage->size(); }

} // namespace tessera
