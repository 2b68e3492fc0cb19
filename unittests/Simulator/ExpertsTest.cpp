//===- ExpertsTest.cpp - Mixtures of experts by hand-computed values ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

using namespace tessera;
using namespace tessera::simulator;

namespace {

using Values = std::vector<double>;
using Operands = std::vector<DenseTensor>;

/// Runs an op on a column of chips, `operands[d]` on chip d; by chip and result.
std::vector<std::vector<Values>> onColumn(const OpSignature &op, const std::vector<Operands> &operands,
                                          const std::vector<Shape> &shapes) {
  std::vector<std::vector<const DenseTensor *>> pointers(operands.size());
  std::vector<Operands> results(operands.size());
  std::vector<KernelCall> calls;
  OpSpecificConfig config;
  for (size_t d = 0; d < operands.size(); ++d) {
    for (const DenseTensor &operand : operands[d])
      pointers[d].push_back(&operand);
    for (const Shape &shape : shapes)
      results[d].emplace_back(TensorDesc{shape, DataType::Float32});
    calls.push_back({op, config, pointers[d], results[d]});
  }
  CollectiveCall call{{int64_t(operands.size()), 1}, calls};
  llvm::cantFail(findKernel(op.name)->collective(call));
  std::vector<std::vector<Values>> made(operands.size());
  for (size_t d = 0; d < operands.size(); ++d)
    for (const DenseTensor &result : results[d])
      made[d].push_back(valuesOf(result));
  return made;
}

OpSignature alongColumns(llvm::StringRef name) {
  OpSignature op{name.str(), {}, {}, {}};
  op.addAttribute("cluster_axis", int64_t(0));
  return op;
}

DenseTensor numbers(Shape shape, std::initializer_list<double> values) {
  return tensorOf(std::move(shape), values, DataType::UInt16);
}

/// Expert 0 is on chip 0, expert 1 on chip 1. Chip 0 has tokens 1 and 2 for experts 0 and 1, chip 1 tokens 11 and 12 for expert 1.
DenseTensor mapping() { return tensorOf({1, 1, 2, 2}, {1, 0, 0, 1}); }

TEST(ExpertKernels, TokensGoToTheirExpertsAndBack) {
  auto sent = onColumn(alongColumns("ttnn.all_to_all_dispatch"),
                       {{tensorOf({2, 1, 1, 1}, {1, 2}), numbers({2, 1, 1, 1}, {0, 1}), mapping()},
                        {tensorOf({2, 1, 1, 1}, {11, 12}), numbers({2, 1, 1, 1}, {1, 1}), mapping()}},
                       {{1, 4, 1, 1}, {1, 4, 1, 1}});
  EXPECT_EQ(sent[0], (std::vector<Values>{{1, 0, 0, 0}, {0, 1, 1, 1}}));
  EXPECT_EQ(sent[1], (std::vector<Values>{{0, 2, 11, 12}, {0, 1, 1, 1}}));
  OpSignature combine = alongColumns("ttnn.all_to_all_combine");
  combine.addAttribute("output_shard_dim", int64_t(1));
  DenseTensor metadata = numbers({1, 4, 1, 1}, {0, 1, 1, 1});
  auto back = onColumn(combine,
                       {{tensorOf({1, 4, 1, 1}, {100, 0, 0, 0}), metadata, mapping()},
                        {tensorOf({1, 4, 1, 1}, {0, 200, 1100, 1200}), metadata, mapping()}},
                       {{1, 2, 1, 1}});
  EXPECT_EQ(back[0], (std::vector<Values>{{100, 200}}));
  EXPECT_EQ(back[1], (std::vector<Values>{{1100, 1200}}));
}

TEST(ExpertKernels, ScoresOfOwnExperts) {
  OpSignature remap{"ttnn.moe_expert_token_remap", {}, {}, {}};
  remap.addAttribute("reduction_size", int64_t(2));
  DenseTensor scores = tensorOf({1, 4, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
              chosen = numbers({1, 4, 1, 1}, {0, 1, 1, 1});
  auto made = onColumn(remap, {{scores, mapping(), chosen}, {scores, mapping(), chosen}},
                       {{1, 4, 1, 1}, {1, 1, 2, 1}});
  EXPECT_EQ(made[0], (std::vector<Values>{{1, 0, 0, 0}, {1, 0}}));
  EXPECT_EQ(made[1], (std::vector<Values>{{0, 4, 6, 8}, {1, 1}}));
}

TEST(ExpertKernels, PairsWithoutSparsityAreZero) {
  DenseTensor b = tensorOf({1, 2, 2, 1}, {1, 1, 10, 0});
  KernelRun dense("ttnn.sparse_matmul",
                  {tensorOf({2, 1, 1, 2}, {1, 2, 3, 4}), b, tensorOf({2, 1, 1, 2}, {1, 0, 0, 2})});
  EXPECT_EQ(valuesOf(dense.result({2, 1, 1, 2, 1, 1})), (Values{3, 0, 0, 30}));
  KernelRun sparse("ttnn.sparse_matmul",
                   {tensorOf({1, 2, 1, 2}, {1, 2, 3, 4}), b, tensorOf({1, 1, 1, 2}, {1, 1})});
  EXPECT_EQ(valuesOf(sparse.with("is_input_a_sparse", true).result({1, 2, 1, 1})), (Values{3, 30}));
}

} // namespace
