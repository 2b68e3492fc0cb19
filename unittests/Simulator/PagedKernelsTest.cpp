//===- PagedKernelsTest.cpp - Attention to pages, rows by position --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

using Values = std::vector<double>;
using List = std::vector<int64_t>;

/// Two users, two heads that share keys of one element; caches of three blocks of two positions. All scores are equal, so
/// a result is the mean of the values that are seen.
KernelRun pagedAttention(DenseTensor table, DenseTensor positions) {
  DenseTensor query = counting({1, 2, 2, 1}), keys({{3, 1, 2, 1}, DataType::Float32}),
              values = tensorOf({3, 1, 2, 1}, {1, 3, 10, 30, 100, 300});
  KernelRun run("ttnn.paged_scaled_dot_product_attention_decode",
                {query, keys, values, std::move(table), std::move(positions)});
  run.with("operandSegmentSizes", List{1, 1, 1, 1, 0, 1, 0}).with("is_causal", true);
  return run;
}

TEST(PagedKernels, AttentionReadsTheBlocksOfTheUser) {
  KernelRun run =
      pagedAttention(tensorOf({2, 2}, {2, 0, 1, 0}, DataType::Int32), tensorOf({2}, {2, 0}, DataType::Int32));
  // User 0 sees block 2 and the first position of block 0; user 1 the first of block 1.
  EXPECT_EQ(valuesOf(run.result({1, 2, 2, 1})), (Values{float(401 / 3.0), float(401 / 3.0), 10, 10}));
}

TEST(PagedKernels, AUserThatIsNotThereIsLeftOut) {
  KernelRun run =
      pagedAttention(tensorOf({2, 1}, {2, 1}, DataType::Int32), tensorOf({2}, {-1, 1}, DataType::Int32));
  EXPECT_EQ(valuesOf(run.result({1, 2, 2, 1})), (Values{0, 0, 20, 20}));
}

TEST(PagedKernels, BlocksAndPositionsThatAreNoneAreErrors) {
  KernelRun block =
      pagedAttention(tensorOf({2, 1}, {3, 1}, DataType::Int32), tensorOf({2}, {0, 0}, DataType::Int32));
  block.result({1, 2, 2, 1});
  EXPECT_EQ(block.error, "block 3 of a cache of 3");
  KernelRun position =
      pagedAttention(tensorOf({2, 1}, {2, 1}, DataType::Int32), tensorOf({2}, {0, 2}, DataType::Int32));
  position.result({1, 2, 2, 1});
  EXPECT_EQ(position.error, "position 2 of a page table for 2");
}

/// Heads that share keys read those of their own key head.
TEST(PagedKernels, KeyHeads) {
  DenseTensor query = counting({1, 1, 4, 1}), keys({{1, 2, 1, 1}, DataType::Float32}),
              values = tensorOf({1, 2, 1, 1}, {5, 7});
  KernelRun run(
      "ttnn.paged_scaled_dot_product_attention_decode",
      {query, keys, values, tensorOf({1, 1}, {0}, DataType::Int32), tensorOf({1}, {0}, DataType::Int32)});
  run.with("operandSegmentSizes", List{1, 1, 1, 1, 0, 1, 0}).with("is_causal", true);
  EXPECT_EQ(valuesOf(run.result({1, 1, 4, 1})), (Values{5, 5, 7, 7}));
}

TEST(PagedKernels, RowsScatter) {
  auto scatter = [](double position) {
    KernelRun run("ttnn.rows_scatter", {counting({2, 3, 2}), tensorOf({1, 1, 1}, {position}, DataType::Int32),
                                        tensorOf({2, 1, 2}, {-1, -2, -3, -4})});
    run.with("reduce", std::string("#ttcore.reduce_type<invalid>")).with("column", false);
    run.with("sizes", List{3}).with("windows", List{1});
    return run;
  };
  EXPECT_EQ(valuesOf(scatter(1).result({2, 3, 2})), (Values{0, 1, -1, -2, 4, 5, 6, 7, -3, -4, 10, 11}));
  for (double beyond : {3.0, -1.0})
    EXPECT_EQ(valuesOf(scatter(beyond).result({2, 3, 2})), (Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

/// Two updates of a tensor of 2 x 2 x 3 rows of one element, windows of 1 x 2 x 1: each user at a position of its own.
TEST(PagedKernels, RowsScatterOfUsers) {
  KernelRun users("ttnn.rows_scatter",
                  {counting({1, 12, 1}), tensorOf({1, 3, 2}, {0, 1, 0, 0, 2, 1}, DataType::Int32),
                   tensorOf({1, 4, 1}, {-1, -2, -3, -4})});
  users.with("reduce", std::string("#ttcore.reduce_type<invalid>")).with("column", false);
  users.with("sizes", List{2, 2, 3}).with("windows", List{1, 2, 1});
  EXPECT_EQ(valuesOf(users.result({1, 12, 1})), (Values{0, 1, -1, 3, 4, -2, 6, -3, 8, 9, -4, 11}));
}

/// One update of each of two entries, elements counted where rows are two wide.
TEST(PagedKernels, RowsScatterOfEntries) {
  KernelRun entries("ttnn.rows_scatter",
                    {counting({2, 3, 2}), tensorOf({2, 2, 1}, {2, 0, 0, 0}, DataType::Int32),
                     tensorOf({2, 2}, {-1, -2, -3, -4})});
  entries.with("reduce", std::string("#ttcore.reduce_type<invalid>")).with("column", true);
  entries.with("sizes", List{3, 2}).with("windows", List{1, 2});
  EXPECT_EQ(valuesOf(entries.result({2, 3, 2})), (Values{0, 1, 2, 3, -1, -2, -3, -4, 8, 9, 10, 11}));
}

/// Gradients of a table: rows that are read twice are summed up.
TEST(PagedKernels, RowsScatterMeets) {
  auto scattered = [](const char *reduction) {
    KernelRun run("ttnn.rows_scatter", {counting({1, 3, 2}), tensorOf({1, 1, 3}, {2, 0, 2}, DataType::Int32),
                                        tensorOf({1, 3, 2}, {10, 20, 30, -40, 2, 50})});
    run.with("reduce", "#ttcore.reduce_type<" + std::string(reduction) + ">").with("column", false);
    run.with("sizes", List{3}).with("windows", List{1});
    return valuesOf(run.result({1, 3, 2}));
  };
  EXPECT_EQ(scattered("invalid"), (Values{30, -40, 2, 3, 2, 50}));
  EXPECT_EQ(scattered("sum"), (Values{30, -39, 2, 3, 16, 75}));
  EXPECT_EQ(scattered("prod"), (Values{0, -40, 2, 3, 80, 5000}));
  EXPECT_EQ(scattered("min"), (Values{0, -40, 2, 3, 2, 5}));
  EXPECT_EQ(scattered("max"), (Values{30, 1, 2, 3, 10, 50}));
}

/// One row of one element, to which another comes.
double meeting(const char *reduction, double there, double comes, DataType type) {
  KernelRun run("ttnn.rows_scatter",
                {tensorOf({1, 1}, {there}, type), tensorOf({1, 1, 1}, {0}, DataType::Int32),
                 tensorOf({1, 1}, {comes}, type)});
  run.with("reduce", "#ttcore.reduce_type<" + std::string(reduction) + ">").with("column", false);
  run.with("sizes", List{1}).with("windows", List{1});
  return run.result({1, 1}, type).at(0);
}

TEST(PagedKernels, IntegersThatMeet) {
  EXPECT_EQ(meeting("max", 3e9, 5, DataType::UInt32), 3e9) << "has no sign";
  EXPECT_EQ(meeting("min", 3e9, 5, DataType::UInt32), 5);
  EXPECT_EQ(meeting("min", -3, 5, DataType::Int32), -3);
  EXPECT_EQ(meeting("sum", 2147483647, 1, DataType::Int32), -2147483648.0) << "wraps around";
  EXPECT_EQ(meeting("prod", 65536, 65537, DataType::Int32), 65536);
}

TEST(PagedKernels, NaNThatIsMet) {
  for (const char *reduction : {"sum", "prod", "min", "max"}) {
    EXPECT_TRUE(std::isnan(meeting(reduction, 1, std::nan(""), DataType::Float32))) << reduction;
    EXPECT_TRUE(std::isnan(meeting(reduction, std::nan(""), 1, DataType::Float32))) << reduction;
  }
}

/// Rows by number; one beyond the last is the last, or no number at all.
TEST(PagedKernels, RowsGather) {
  auto gather = [](bool fills) {
    KernelRun run("ttnn.rows_gather", {counting({1, 3, 2}), tensorOf({1, 1, 3}, {2, 0, 7}, DataType::Int32)});
    run.with("column", false).with("fill_out_of_bounds", fills);
    run.with("sizes", List{3}).with("windows", List{1});
    return valuesOf(run.result({1, 3, 2}));
  };
  EXPECT_EQ(gather(false), (Values{4, 5, 0, 1, 4, 5}));
  Values filled = gather(true);
  EXPECT_EQ((Values{filled[0], filled[1], filled[2], filled[3]}), (Values{4, 5, 0, 1}));
  EXPECT_TRUE(std::isnan(filled[4]) && std::isnan(filled[5]));
}

TEST(PagedKernels, WindowsThatFitNowhereAreErrors) {
  KernelRun run("ttnn.rows_gather", {counting({1, 3, 2}), tensorOf({1, 1, 1}, {0}, DataType::Int32)});
  run.with("column", false).with("fill_out_of_bounds", false);
  run.with("sizes", List{3}).with("windows", List{4}).result({1, 4, 2});
  EXPECT_EQ(run.error, "the simulator gathers windows of rows, as many as the result has");
}

/// Windows of a row and two elements each, for each of two entries.
TEST(PagedKernels, RowsGatherOfColumns) {
  KernelRun run("ttnn.rows_gather",
                {counting({2, 2, 3}), tensorOf({2, 2, 1}, {1, 0, 0, 1}, DataType::Int32)});
  run.with("column", true).with("fill_out_of_bounds", false);
  run.with("sizes", List{2, 3}).with("windows", List{1, 2});
  EXPECT_EQ(valuesOf(run.result({2, 1, 2})), (Values{3, 4, 7, 8}));
}

} // namespace
