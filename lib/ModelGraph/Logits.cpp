//===- Logits.cpp - How near the logits of two runs are -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// How near two runs are. Correlation sees whether the values agree up to scale,
// top 5 whether the ranking does, divergence (Kullback-Leibler, in nats, of b
// from a) what it means for sampling, and the same token whether greedy
// decoding goes on alike. A user's rows are compared up to the first different
// token.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Logits.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>
#include <vector>

using namespace tessera::runner;

namespace {

using Row = llvm::ArrayRef<float>;

double meanOf(Row row) { return std::accumulate(row.begin(), row.end(), 0.0) / double(row.size()); }

double correlation(Row a, Row b) {
  double meanA = meanOf(a), meanB = meanOf(b), ab = 0, aa = 0, bb = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    ab += (x - meanA) * (y - meanB);
    aa += (x - meanA) * (x - meanA);
    bb += (y - meanB) * (y - meanB);
  }
  // Rows that do not vary are alike if they are equal.
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : a == b;
}

/// The likeliest tokens, ascending; of equal ones the first.
std::vector<size_t> likeliest(Row row, size_t count) {
  std::vector<size_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                    [&](size_t i, size_t j) { return row[i] != row[j] ? row[i] > row[j] : i < j; });
  order.resize(count);
  llvm::sort(order);
  return order;
}

double shareOfTop5(Row a, Row b) {
  std::vector<size_t> mine = likeliest(a, 5), other = likeliest(b, 5);
  return double(llvm::count_if(mine, [&](size_t token) { return llvm::is_contained(other, token); })) /
         double(mine.size());
}

/// Logarithms of probabilities.
std::vector<double> logSoftmax(Row row) {
  // Less the largest, or exp() of a large logit would be infinite.
  double most = *llvm::max_element(row), total = 0;
  for (float logit : row)
    total += std::exp(logit - most);
  std::vector<double> made;
  for (float logit : row)
    made.push_back(logit - most - std::log(total));
  return made;
}

double divergence(Row a, Row b) {
  double total = 0;
  for (auto [p, q] : llvm::zip_equal(logSoftmax(a), logSoftmax(b)))
    total += std::exp(p) * (p - q);
  return total;
}

} // namespace

LogitsComparison tessera::runner::compareRow(Row a, Row b) {
  return {1, correlation(a, b), shareOfTop5(a, b), divergence(a, b), likeliest(a, 1) == likeliest(b, 1)};
}

LogitsComparison tessera::runner::compareLogits(Row a, Row b, int64_t users, int64_t steps,
                                                int64_t vocabulary) {
  LogitsComparison all;
  all.top5 = 0;
  for (int64_t user = 0; user != users; ++user)
    for (int64_t step = 0; step != steps; ++step) {
      auto at = size_t((user * steps + step) * vocabulary);
      LogitsComparison row = compareRow(a.slice(at, size_t(vocabulary)), b.slice(at, size_t(vocabulary)));
      ++all.rows;
      // The least and not the mean: one row that has parted would vanish among hundreds.
      all.leastCorrelation = std::min(all.leastCorrelation, row.leastCorrelation);
      all.top5 += row.top5;
      all.divergence += row.divergence;
      all.sameToken += row.sameToken;
      // From here on the runs have read different tokens, and their rows have nothing in common.
      if (!row.sameToken)
        break;
    }
  all.top5 /= double(std::max<int64_t>(all.rows, 1));
  all.divergence /= double(std::max<int64_t>(all.rows, 1));
  return all;
}
