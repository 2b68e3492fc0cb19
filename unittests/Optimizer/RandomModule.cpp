//===- RandomModule.cpp - TTNN functions that mean nothing ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomModule.h"

#include "tessera/Layout/TensorLayout.h"

#include <random>
#include <vector>

using namespace tessera;

namespace {

/// A tensor's type as text, DRAM interleaved in tiles. Ranks 2 and 3.
std::string typeText(const TensorDesc &desc) {
  TensorLayout layout = dramInterleaved(desc);
  std::string shape, map = "(d0, d1) -> (d0, d1)";
  for (int64_t extent : desc.shape)
    shape += std::to_string(extent) + "x";
  if (desc.shape.size() == 3)
    map = "(d0, d1, d2) -> (d0 * " + std::to_string(alignUp(desc.shape[1], 32)) + " + d1, d2)";
  std::string element = name(desc.dtype).str();
  return "tensor<" + shape + element + ", #ttnn.ttnn_layout<" + map + ", <1x1>, memref<" +
         std::to_string(layout.shard.rows) + "x" + std::to_string(layout.shard.columns) +
         "x!ttcore.tile<32x32, " + element + ">, #ttnn.buffer_type<dram>>, <interleaved>>>";
}

class ModuleWriter {
public:
  explicit ModuleWriter(uint64_t seed) : random(seed) {}

  std::string write(unsigned ops) {
    for (int i = 0; i < 3; ++i)
      argument({Shape{extent(), extent()}, below(4) ? DataType::BFloat16 : DataType::Float32});
    for (unsigned i = 0; i < ops; ++i)
      addOp();
    // The last values, so that most of the function is used.
    std::string names, types;
    for (size_t i = values.size() - 3; i < values.size(); ++i) {
      names += (names.empty() ? "" : ", ") + nameOf(i);
      types += (types.empty() ? "" : ", ") + typeText(values[i]);
    }
    return "module {\nfunc.func @main(" + arguments + ") -> (" + types + ") {\n" + body + "return " + names +
           " : " + types + "\n}\n}\n";
  }

private:
  size_t below(size_t bound) { return size_t(random() % bound); }
  int64_t extent() {
    constexpr int64_t kExtents[] = {32, 64, 96, 256, 512, 1024, 40, 33, 100, 1};
    return kExtents[below(std::size(kExtents))];
  }
  std::string nameOf(size_t value) const { return "%v" + std::to_string(value); }
  size_t any() { return below(values.size()); }
  TensorDesc with(Shape shape, size_t like) { return {std::move(shape), values[like].dtype}; }

  size_t argument(TensorDesc desc) {
    arguments += (arguments.empty() ? "" : ", ") + nameOf(values.size()) + ": " + typeText(desc);
    values.push_back(std::move(desc));
    return values.size() - 1;
  }

  void op(const std::string &name, std::vector<size_t> operands, const std::string &attributes,
          TensorDesc result) {
    if (result.shape.size() > 3 || volume(result.shape) > (int64_t(1) << 21))
      return;
    std::string names, types;
    for (size_t operand : operands) {
      names += (names.empty() ? "" : ", ") + nameOf(operand);
      types += (types.empty() ? "" : ", ") + typeText(values[operand]);
    }
    body += nameOf(values.size()) + " = \"ttnn." + name + "\"(" + names + ")" +
            (attributes.empty() ? "" : " <{" + attributes + "}>") + " : (" + types + ") -> " +
            typeText(result) + "\n";
    values.push_back(std::move(result));
  }

  static int64_t volume(llvm::ArrayRef<int64_t> shape) {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  }

  void unary() {
    constexpr const char *kOps[] = {"relu", "neg", "sigmoid", "silu", "gelu", "tanh", "abs", "sin"};
    size_t x = any();
    op(kOps[below(std::size(kOps))], {x}, "", values[x]);
  }

  /// With a value of the same shape, or with one row, one column or one element of the same type.
  void binary() {
    constexpr const char *kOps[] = {"add", "subtract", "multiply", "maximum"};
    size_t x = any();
    std::vector<size_t> fitting;
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] == values[x])
        fitting.push_back(i);
    size_t y = fitting[below(fitting.size())];
    if (fitting.size() == 1 || below(4) == 0) {
      Shape shape = values[x].shape;
      for (int64_t &extent : shape)
        if (below(2))
          extent = 1;
      y = argument(with(shape, x));
    }
    op(kOps[below(std::size(kOps))], {x, y}, "", values[x]);
  }

  void product() {
    size_t x = any();
    Shape shape = values[x].shape;
    int64_t inner = shape.back(), columns = extent();
    shape.back() = columns;
    size_t weight = argument(with({inner, columns}, x));
    op("matmul", {x, weight}, "transpose_a = false, transpose_b = false", with(shape, x));
  }

  void alongLast() {
    size_t x = any();
    if (below(2))
      return op("softmax", {x}, "dimension = -1 : si32, numericStable = true", values[x]);
    Shape shape = values[x].shape;
    shape.back() = 1;
    op("sum", {x}, "dim_arg = [" + std::to_string(shape.size() - 1) + " : i32], keep_dim = true",
       with(shape, x));
  }

  void norm() {
    size_t x = any();
    op("rms_norm", {x}, "epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0>", values[x]);
  }

  void transposed() {
    size_t x = any();
    Shape shape = values[x].shape;
    size_t rank = shape.size();
    std::swap(shape[rank - 1], shape[rank - 2]);
    op("permute", {x}, rank == 2 ? "permutation = array<i64: 1, 0>" : "permutation = array<i64: 0, 2, 1>",
       with(shape, x));
  }

  /// Splits the rows in two, or folds them again.
  void reshaped() {
    size_t x = any();
    Shape shape = values[x].shape;
    if (shape.size() == 3)
      shape = {shape[0] * shape[1], shape[2]};
    else if (shape[0] % 2 == 0)
      shape = {2, shape[0] / 2, shape[1]};
    else
      shape = {shape[0] * shape[1], 1};
    std::string text;
    for (int64_t extent : shape)
      text += (text.empty() ? "" : ", ") + std::to_string(extent) + " : i32";
    op("reshape", {x}, "shape = [" + text + "]", with(shape, x));
  }

  void joined() {
    size_t x = any();
    Shape shape = values[x].shape;
    size_t dim = below(shape.size());
    shape[dim] *= 2;
    op("concat", {x, x}, "dim = " + std::to_string(dim) + " : si32", with(shape, x));
  }

  void sliced() {
    size_t x = any();
    Shape shape = values[x].shape;
    std::string begins, ends, steps;
    for (int64_t &extent : shape) {
      int64_t begin = extent > 32 && below(2) ? 32 : 0, end = extent;
      begins += (begins.empty() ? "" : ", ") + std::to_string(begin) + " : i32";
      ends += (ends.empty() ? "" : ", ") + std::to_string(end) + " : i32";
      steps += (steps.empty() ? "" : ", ") + std::string("1 : i32");
      extent = end - begin;
    }
    op("slice_static", {x}, "begins = [" + begins + "], ends = [" + ends + "], step = [" + steps + "]",
       with(shape, x));
  }

  void addOp() {
    using Maker = void (ModuleWriter::*)();
    constexpr Maker kMakers[] = {&ModuleWriter::unary,     &ModuleWriter::unary,   &ModuleWriter::binary,
                                 &ModuleWriter::binary,    &ModuleWriter::product, &ModuleWriter::product,
                                 &ModuleWriter::alongLast, &ModuleWriter::norm,    &ModuleWriter::transposed,
                                 &ModuleWriter::reshaped,  &ModuleWriter::joined,  &ModuleWriter::sliced};
    (this->*kMakers[below(std::size(kMakers))])();
  }

  std::mt19937_64 random;
  std::vector<TensorDesc> values;
  std::string arguments, body;
};

} // namespace

std::string tessera::randomModule(uint64_t seed, unsigned ops) { return ModuleWriter(seed).write(ops); }
