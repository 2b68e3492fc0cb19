//===- ModuleText.h - TTNN functions, written op by op --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_MODULETEXT_H
#define TESSERA_UNITTESTS_OPTIMIZER_MODULETEXT_H

#include "tessera/Layout/TensorLayout.h"

#include <random>
#include <string>

namespace tessera {

/// "1 : i32, 2 : i32"
std::string numberList(llvm::ArrayRef<int64_t> numbers, const char *type = " : i32");
/// "2x3x4"
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// The text of a module with one function `main`, and the random numbers that say what it does. The same for the same seed.
class ModuleText {
public:
  explicit ModuleText(uint64_t seed) : random(seed) {}

  enum class Place : uint8_t { DramTiles, DramRows, HostRows };
  struct Named {
    std::string name;
    TensorDesc desc;
    std::string type;
  };

  size_t below(size_t bound) { return size_t(random() % bound); }
  std::string newName() { return "%v" + std::to_string(names++); }
  /// A tensor of that shape, of the elements of another.
  static TensorDesc with(Shape shape, const Named &like) { return {std::move(shape), like.desc.dtype}; }

  /// An argument of the function; `attributes` as "{...}".
  Named argument(TensorDesc desc, Place place = Place::DramTiles, const std::string &attributes = "");
  /// An op with what stands before its name, as "%v1 = " does.
  void line(const std::string &result, const std::string &op, llvm::ArrayRef<Named> operands,
            const std::string &attributes, const std::string &resultType, const std::string &device = "");
  /// An op with one result.
  Named made(const std::string &op, llvm::ArrayRef<Named> operands, const std::string &attributes,
             TensorDesc result, const std::string &device = "", Place place = Place::DramTiles);
  /// An op of two results.
  std::pair<Named, Named> madeTwo(const std::string &op, llvm::ArrayRef<Named> operands,
                                  const std::string &attributes, TensorDesc first, TensorDesc second);
  /// Makes rows of random positions of a cache, users x heads x positions x elements, others.
  void writeCache(const Named &cache);
  /// The name of the device.
  std::string device();
  std::string moduleReturning(llvm::ArrayRef<Named> results) const;

private:
  std::mt19937_64 random;
  std::string arguments, body;
  size_t names = 0;
};

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_MODULETEXT_H
