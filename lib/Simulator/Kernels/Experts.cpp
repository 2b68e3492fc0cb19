//===- Experts.cpp - Mixture of experts: tokens to experts and back ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tokens are counted chip by chip along the axis: token t of the gathered tensors
// is token t % own of chip t / own. What the kernels leave as it was, rows of tokens
// that no expert of the chip has, is zero here.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

namespace tessera::simulator {

namespace {

/// Which chips of the mesh have which experts, one-hot: 1 x 1 x experts x chips.
class Mapping {
public:
  explicit Mapping(const DenseTensor &table) : table(table), chips(table.shape().back()) {}
  int64_t experts() const { return table.volume() / chips; }
  bool has(size_t chip, int64_t expert) const {
    return expert >= 0 && expert < experts() && int64_t(chip) < chips &&
           table.at(expert * chips + int64_t(chip)) != 0;
  }
  /// In the order of their numbers.
  std::vector<int64_t> expertsOf(size_t chip) const {
    std::vector<int64_t> found;
    for (int64_t expert = 0; expert < experts(); ++expert)
      if (has(chip, expert))
        found.push_back(expert);
    return found;
  }

private:
  const DenseTensor &table;
  int64_t chips;
};

int64_t rowsOf(const DenseTensor &tensor) { return tensor.volume() / tensor.shape().back(); }

/// The rows at the places become equal.
llvm::Error copyRow(const DenseTensor &from, int64_t row, DenseTensor &to, int64_t place) {
  int64_t width = to.shape().back();
  if (from.shape().back() != width || row >= rowsOf(from) || place >= rowsOf(to))
    return failure("the tensors have rows of other tokens");
  for (int64_t i = 0; i < width; ++i)
    to.set(place * width + i, from.at(row * width + i));
  return llvm::Error::success();
}

void clear(DenseTensor &tensor) {
  for (int64_t i = 0, end = tensor.volume(); i < end; ++i)
    tensor.set(i, 0);
}

/// Whether an expert of the chip is among those of the token.
bool isWanted(const DenseTensor &experts, int64_t token, const Mapping &mapping, size_t chip) {
  int64_t choices = experts.shape().back();
  for (int64_t k = 0; k < choices; ++k)
    if (mapping.has(chip, wholeAt(experts, token * choices + k)))
      return true;
  return false;
}

/// Error if the operand that names experts, on any chip, is not of integers.
llvm::Error needNumbers(const CollectiveCall &call, size_t operand) {
  for (const KernelCall &each : call.calls)
    if (!each.operand(operand).isInteger())
      return failure("experts have whole numbers");
  return llvm::Error::success();
}

/// results[0] has a row for each token of the cluster, results[1] what experts each of them chose. Each device is
/// given its own results by reading all the others' operands, so the order of devices changes nothing.
llvm::Error runDispatch(CollectiveCall &call) {
  if (llvm::Error error = needNumbers(call, 1))
    return error;
  for (size_t device = 0; device < call.calls.size(); ++device) {
    // All metadata goes to each device, and of the tokens those that one of its experts is wanted for.
    DenseTensor &tokens = call.calls[device].results[0], &metadata = call.calls[device].results[1];
    clear(tokens);
    for (const auto &[place, origin] : llvm::enumerate(clusterOf(call, device))) {
      const KernelCall &from = call.calls[origin];
      Mapping mapping(from.operand(2));
      int64_t own = rowsOf(from.operand(0));
      for (int64_t token = 0; token < own; ++token) {
        int64_t row = int64_t(place) * own + token;
        if (llvm::Error error = copyRow(from.operand(1), token, metadata, row))
          return error;
        if (isWanted(from.operand(1), token, mapping, device))
          if (llvm::Error error = copyRow(from.operand(0), token, tokens, row))
            return error;
      }
    }
  }
  return llvm::Error::success();
}

/// Row of a chip's token among those of all chips, which lie side by side along dimension 1 or 2.
int64_t gatheredRow(llvm::ArrayRef<int64_t> own, int64_t token, int64_t place, int64_t chips, int64_t dim) {
  // Side by side along the batches, each chip's tokens follow those of the chip before; along positions they stand
  // within each batch.
  int64_t batch = token / own[2], position = token % own[2];
  return dim == 1 ? (place * own[1] + batch) * own[2] + position
                  : (batch * chips + place) * own[2] + position;
}

llvm::Error combineOn(CollectiveCall &call, size_t device) {
  KernelCall &self = call.calls[device];
  DenseTensor &result = self.result();
  Mapping mapping(self.operand(2));
  std::vector<size_t> cluster = clusterOf(call, device);
  int64_t dim = self.op.integer("output_shard_dim", 2), choices = result.shape()[0];
  if (result.rank() != 4 || choices != self.operand(1).shape().back())
    return failure("the result has no row for each expert of a token");
  clear(result);
  // The result has the token's rows expert by expert: all tokens of the first choice, then those of the second.
  int64_t own = rowsOf(result) / choices;
  for (int64_t token = 0; token < own; ++token) {
    int64_t row =
        gatheredRow(result.shape(), token, int64_t(placeIn(cluster, device)), int64_t(cluster.size()), dim);
    for (int64_t k = 0; k < choices; ++k) {
      int64_t expert = wholeAt(self.operand(1), row * choices + k);
      for (size_t holder : cluster) {
        // A chip computes for its experts one after the other, by their numbers, whatever numbers these are.
        std::vector<int64_t> held = mapping.expertsOf(holder);
        auto found = llvm::find(held, expert);
        if (found == held.end())
          continue;
        const DenseTensor &made = call.calls[holder].operand(0);
        int64_t each = rowsOf(made) / made.shape()[0];
        if (llvm::Error error = copyRow(made, (found - held.begin()) * each + row, result, k * own + token))
          return error;
      }
    }
  }
  return llvm::Error::success();
}

llvm::Error runCombine(CollectiveCall &call) {
  if (llvm::Error error = needNumbers(call, 1))
    return error;
  for (size_t device = 0; device < call.calls.size(); ++device)
    if (llvm::Error error = combineOn(call, device))
      return error;
  return llvm::Error::success();
}

/// Scores of the chip's experts for the tokens that chose them, and which blocks of tokens have any.
llvm::Error remapOn(KernelCall &call, size_t device) {
  const DenseTensor &scores = call.operand(0), &chosen = call.operand(2);
  DenseTensor &mapped = call.results[0], &reduced = call.results[1];
  Mapping mapping(call.operand(1));
  std::vector<int64_t> held = mapping.expertsOf(device);
  int64_t tokens = rowsOf(chosen), choices = chosen.shape().back(),
          block = call.op.integer("reduction_size", 1);
  auto experts = int64_t(held.size());
  if (rowsOf(scores) != tokens || scores.shape().back() != mapping.experts() ||
      mapped.volume() != tokens * experts || block < 1 ||
      reduced.volume() != (tokens + block - 1) / block * experts)
    return failure(
        "the results have no element for each expert of the chip and each token, or block of tokens");
  clear(mapped);
  clear(reduced);
  for (int64_t token = 0; token < tokens; ++token)
    for (int64_t i = 0; i < experts; ++i)
      for (int64_t k = 0; k < choices; ++k)
        // A block is marked if any of its tokens chose the expert.
        if (wholeAt(chosen, token * choices + k) == held[size_t(i)]) {
          mapped.set(token * experts + i, scores.at(token * mapping.experts() + held[size_t(i)]));
          reduced.set(token / block * experts + i, 1);
        }
  return llvm::Error::success();
}

llvm::Error runRemap(CollectiveCall &call) {
  if (llvm::Error error = needNumbers(call, 2))
    return error;
  for (size_t device = 0; device < call.calls.size(); ++device)
    if (llvm::Error error = remapOn(call.calls[device], device))
      return error;
  return llvm::Error::success();
}

/// Pairs that the sparsity marks by zero stay zero.
llvm::Error runSparseMatmul(KernelCall &call) {
  if (llvm::Error error = needFloats(call, {2}))
    return error;
  const DenseTensor &a = call.operand(0), &b = call.operand(1), &sparsity = call.operand(2);
  DenseTensor &result = call.result();
  MatrixProduct shape;
  shape.m = a.shape()[size_t(a.rank()) - 2];
  shape.k = a.shape().back();
  shape.n = b.shape().back();
  int64_t left = a.volume() / (shape.m * shape.k), right = b.volume() / (shape.k * shape.n);
  bool ofA = call.op.boolean("is_input_a_sparse", false), ofB = call.op.boolean("is_input_b_sparse", true);
  // Both sparse: matrix i of one belongs to matrix i of the other. A alone: to each of its matrices one of B. B alone:
  // every A meets every B.
  int64_t pairs = ofA && ofB ? right : ofA ? left : left * right;
  if (sparsity.volume() != pairs || left % (ofA ? right : 1) != 0 ||
      result.volume() != pairs * shape.m * shape.n)
    return failure("sparsity and result must have an element and a matrix for each pair");
  clear(result);
  std::vector<MatrixProduct> products;
  for (int64_t i = 0; i < pairs; ++i) {
    if (sparsity.at(i) == 0)
      continue;
    products.push_back(shape);
    products.back().a = a.floats.data() + (ofA ? i : i / right) * shape.m * shape.k;
    products.back().b = b.floats.data() + i % right * shape.k * shape.n;
    products.back().c = result.floats.data() + i * shape.m * shape.n;
  }
  return products.empty() ? llvm::Error::success() : multiply(products);
}

const KernelRow kExperts[] = {{"ttnn.all_to_all_dispatch", nullptr, runDispatch},
                              {"ttnn.all_to_all_combine", nullptr, runCombine},
                              {"ttnn.moe_expert_token_remap", nullptr, runRemap},
                              {"ttnn.sparse_matmul", runSparseMatmul}};

} // namespace

llvm::ArrayRef<KernelRow> expertKernels() { return kExperts; }

} // namespace tessera::simulator
