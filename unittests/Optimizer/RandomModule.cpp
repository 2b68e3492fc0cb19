//===- RandomModule.cpp - TTNN functions that mean nothing ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomModule.h"

#include "ModuleText.h"

#include <vector>

using namespace tessera;

namespace {

class ModuleWriter : public ModuleText {
public:
  using ModuleText::ModuleText;

  std::string write(unsigned ops) {
    for (int i = 0; i < 3; ++i)
      value({Shape{extent(), extent()}, below(4) ? DataType::BFloat16 : DataType::Float32});
    for (unsigned i = 0; i < ops; ++i)
      addOp();
    // The last values, so that most of the function is used.
    return moduleReturning(llvm::ArrayRef(values).take_back(3));
  }

private:
  int64_t extent() {
    constexpr int64_t kExtents[] = {32, 64, 96, 256, 512, 1024, 40, 33, 100, 1};
    return kExtents[below(std::size(kExtents))];
  }
  const Named &any() { return values[below(values.size())]; }
  /// One of that many dimensions; an argument if there is none.
  Named anyOfRank(size_t rank, Shape otherwise) {
    std::vector<Named> fitting;
    for (const Named &named : values)
      if (named.desc.shape.size() == rank)
        fitting.push_back(named);
    return fitting.empty() ? value({std::move(otherwise), DataType::BFloat16})
                           : fitting[below(fitting.size())];
  }
  /// An argument that ops may draw.
  Named value(TensorDesc desc) {
    values.push_back(argument(std::move(desc)));
    return values.back();
  }

  void op(const std::string &op, llvm::ArrayRef<Named> operands, const std::string &attributes,
          TensorDesc result, const std::string &device = "") {
    if (result.shape.size() <= 4 && volume(result.shape) <= (int64_t(1) << 21))
      values.push_back(made(op, operands, attributes, std::move(result), device));
  }

  static int64_t volume(llvm::ArrayRef<int64_t> shape) {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  }

  // ---- Element by element --------------------------------------------------------------------------------

  void unary() {
    struct Kind {
      const char *name, *attributes;
    };
    constexpr Kind kOps[] = {{"relu", ""},
                             {"neg", ""},
                             {"sigmoid", ""},
                             {"silu", ""},
                             {"gelu", ""},
                             {"tanh", ""},
                             {"abs", ""},
                             {"sin", ""},
                             {"leaky_relu", "parameter = 2.5e-01 : f32"},
                             {"clamp_scalar", "min = -5.0e-01 : f32, max = 7.5e-01 : f32"},
                             {"pow_scalar", "rhs = 2.0e+00 : f32"}};
    Named x = any();
    const Kind &kind = kOps[below(std::size(kOps))];
    op(kind.name, {x}, kind.attributes, x.desc);
  }

  /// A value of the same shape and type, or an argument of one row, one column or one element.
  Named partner(const Named &x) {
    std::vector<Named> fitting;
    for (const Named &other : values)
      if (other.desc == x.desc)
        fitting.push_back(other);
    if (fitting.size() > 1 && below(4) != 0)
      return fitting[below(fitting.size())];
    Shape shape = x.desc.shape;
    for (int64_t &extent : shape)
      if (below(2))
        extent = 1;
    return value(with(shape, x));
  }

  void binary() {
    constexpr const char *kOps[] = {"add", "subtract", "multiply", "maximum", "gt", "logical_and"};
    Named x = any();
    op(kOps[below(std::size(kOps))], {x, partner(x)}, "", x.desc);
  }

  void where() {
    Named x = any(), y = partner(x);
    op("where", {partner(x), x, y}, "", x.desc);
  }

  void typecast() {
    constexpr DataType kTypes[] = {DataType::BFloat16, DataType::Float32, DataType::BFP_BFloat8};
    Named x = any();
    op("typecast", {x}, "", {x.desc.shape, kTypes[below(std::size(kTypes))]});
  }

  // ---- Sums ----------------------------------------------------------------------------------------------

  void product() {
    Named x = any();
    Shape shape = x.desc.shape;
    int64_t inner = shape.back(), columns = extent();
    shape.back() = columns;
    Named weight = value(with({inner, columns}, x));
    std::string attributes = "transpose_a = false, transpose_b = false";
    if (below(2))
      return op("matmul", {x, weight}, attributes, with(shape, x));
    if (below(2))
      attributes = "activation = \"relu\", " + attributes;
    op("linear", {x, weight, value(with({1, columns}, x))}, attributes, with(shape, x));
  }

  void alongLast() {
    constexpr const char *kOps[] = {"sum", "mean", "max"};
    Named x = any();
    if (below(2))
      return op("softmax", {x}, "dimension = -1 : si32, numericStable = true", x.desc);
    Shape shape = x.desc.shape;
    shape.back() = 1;
    op(kOps[below(std::size(kOps))], {x},
       "dim_arg = [" + std::to_string(shape.size() - 1) + " : i32], keep_dim = true", with(shape, x));
  }

  void norm() {
    Named x = any();
    std::string op = below(2) ? "rms_norm" : "layer_norm", epsilon = "epsilon = 1.0e-05 : f32, ";
    if (below(2))
      return this->op(op, {x}, epsilon + "operandSegmentSizes = array<i32: 1, 0, 0>", x.desc);
    this->op(op, {x, argument(with({x.desc.shape.back()}, x))},
             epsilon + "operandSegmentSizes = array<i32: 1, 1, 0>", x.desc);
  }

  // ---- Data movement -------------------------------------------------------------------------------------

  void transposed() {
    Named x = any();
    Shape shape = x.desc.shape, order;
    for (size_t i = 0; i < shape.size(); ++i)
      order.push_back(int64_t(i));
    size_t last = shape.size() - 1, first = shape.size() == 4 && below(2) ? last - 2 : last - 1;
    size_t second = first == last - 1 ? last : last - 1;
    std::swap(order[first], order[second]);
    std::swap(shape[first], shape[second]);
    op("permute", {x}, "permutation = array<i64: " + numberList(order, "") + ">", with(shape, x));
  }

  /// Splits the rows in two, or folds them again.
  void reshaped() {
    Named x = any();
    Shape shape = x.desc.shape;
    if (shape.size() > 2)
      shape = {volume(llvm::ArrayRef(shape).drop_back()), shape.back()};
    else if (shape[0] % 2 == 0)
      shape = {2, shape[0] / 2, shape[1]};
    else if (below(2))
      shape = {1, 1, shape[0], shape[1]};
    else
      shape = {shape[0] * shape[1], 1};
    op("reshape", {x}, "shape = [" + numberList(shape) + "]", with(shape, x));
  }

  void joined() {
    Named x = any();
    Shape shape = x.desc.shape;
    size_t dim = below(shape.size());
    Named other = below(2) ? x : value(x.desc);
    shape[dim] *= 2;
    op("concat", {x, other}, "dim = " + std::to_string(dim) + " : si32", with(shape, x));
  }

  void sliced() {
    Named x = any();
    Shape shape = x.desc.shape, begins, ends, steps(shape.size(), 1);
    for (int64_t &extent : shape) {
      begins.push_back(extent > 32 && below(2) ? 32 : 0);
      ends.push_back(extent);
      extent -= begins.back();
    }
    op("slice_static", {x},
       "begins = [" + numberList(begins) + "], ends = [" + numberList(ends) + "], step = [" +
           numberList(steps) + "]",
       with(shape, x));
  }

  /// To whole tiles behind, which may be a view, or by anything.
  void padded() {
    Named x = any();
    Shape shape = x.desc.shape, padding;
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t before = below(6) == 0 ? 1 : 0, behind = 0;
      if (i + 2 >= shape.size())
        behind = below(2) ? alignUp(shape[i], 32) - shape[i] : int64_t(below(3));
      padding.insert(padding.end(), {before, behind});
      shape[i] += before + behind;
    }
    op("pad", {x},
       "padding = array<i32: " + numberList(padding, "") + ">, use_multicore = true, value = 1.5e+00 : f32",
       with(shape, x));
  }

  void repeated() {
    Named x = any();
    Shape shape = x.desc.shape, repeats(shape.size(), 1);
    size_t dim = below(shape.size());
    shape[dim] *= 2;
    if (below(2))
      return op("repeat_interleave", {x}, "dim = " + std::to_string(dim) + " : si32, repeats = 2 : ui32",
                with(shape, x));
    repeats[dim] = 2;
    op("repeat", {x}, "repeat_dims = #ttnn.shape<" + shapeText(repeats) + ">", with(shape, x));
  }

  void embedded() {
    Named table = anyOfRank(2, {100, 64});
    Named index = argument({{int64_t(1 + below(64))}, DataType::UInt32});
    op("embedding", {index, table}, "", with({index.desc.shape[0], table.desc.shape[1]}, table));
  }

  // ---- Attention, caches, images -------------------------------------------------------------------------

  /// Writes rows to a cache, and leaves it to be read; a value that was drawn before sees it as it was.
  void cacheUpdated() {
    int64_t users = int64_t(1 + below(3)), heads = int64_t(1 + below(4)), width = below(2) ? 32 : 64;
    Named cache = caches.empty() || below(2) ? value({{users, heads, 64, width}, DataType::BFloat16})
                                             : caches[below(caches.size())];
    caches.push_back(cache);
    writeCache(cache);
    if (below(2))
      op("neg", {cache}, "", cache.desc);
  }

  void attention() {
    Named query = anyOfRank(4, {1, 4, 64, 64});
    Shape shape = query.desc.shape;
    Named key = value(with(shape, query)), values = value(with(shape, query));
    op("scaled_dot_product_attention", {query, key, values},
       std::string("is_causal = ") + (below(2) ? "true" : "false") +
           ", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
       query.desc);
  }

  void headsJoined() {
    Named x = anyOfRank(4, {2, 4, 40, 32});
    Shape s = x.desc.shape;
    op("concatenate_heads", {x}, "", with({s[0], s[2], s[1] * s[3]}, x));
  }

  /// Of 8 x 8 pixels.
  std::string windowText(int64_t kernel, int64_t padding) {
    std::string size = std::to_string(kernel), around = std::to_string(padding);
    return "dilation = array<i32: 1, 1>, kernel_size = array<i32: " + size + ", " + size +
           ">, padding = array<i32: " + around + ", " + around + ">, stride = array<i32: 1, 1>";
  }

  void pooled() {
    int64_t channels = below(2) ? 32 : 48;
    Named x = value({{1, 1, 64, channels}, DataType::BFloat16});
    op("max_pool2d", {x},
       "batch_size = 1 : si32, ceil_mode = false, channels = " + std::to_string(channels) +
           " : si32, input_height = 8 : si32, input_width = 8 : si32, " + windowText(3, 1),
       x.desc);
  }

  void convolved() {
    int64_t channels = below(2) ? 32 : 16, outputs = below(2) ? 64 : 33;
    Named x = value({{1, 1, 64, channels}, DataType::BFloat16});
    Named weight = argument(with({outputs, channels, 3, 3}, x), Place::HostRows);
    op("conv2d", {x, weight},
       "batch_size = 1 : i32, groups = 1 : i32, in_channels = " + std::to_string(channels) +
           " : i32, out_channels = " + std::to_string(outputs) +
           " : i32, input_height = 8 : i32, input_width = 8 : i32, " + windowText(3, 1),
       with({1, 1, 64, outputs}, x), device());
  }

  void addOp() {
    using Writer = ModuleWriter;
    constexpr void (Writer::*kMakers[])() = {
        &Writer::unary,      &Writer::unary,        &Writer::binary,    &Writer::binary,
        &Writer::product,    &Writer::product,      &Writer::alongLast, &Writer::norm,
        &Writer::transposed, &Writer::reshaped,     &Writer::joined,    &Writer::sliced,
        &Writer::where,      &Writer::typecast,     &Writer::padded,    &Writer::repeated,
        &Writer::embedded,   &Writer::cacheUpdated, &Writer::attention, &Writer::headsJoined,
        &Writer::pooled,     &Writer::convolved};
    (this->*kMakers[below(std::size(kMakers))])();
  }

  std::vector<Named> values, caches;
};

} // namespace

std::string tessera::randomModule(uint64_t seed, unsigned ops) { return ModuleWriter(seed).write(ops); }
