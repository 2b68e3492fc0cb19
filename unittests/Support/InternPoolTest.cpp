//===- InternPoolTest.cpp - Equal values, one id ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/InternPool.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

using namespace tessera;

namespace {

using WordId = Id<struct WordTag>;

/// All words share one hash: equality must decide.
struct Word {
  std::string text;
  bool operator==(const Word &) const = default;
  friend llvm::hash_code hash_value(const Word &word) { return llvm::hash_code(word.text.size()); }
};

TEST(InternPool, IdsCountUpInOrderOfAppearance) {
  InternPool<Word, WordId> pool;
  EXPECT_EQ(pool.intern({"ab"}), WordId(0));
  EXPECT_EQ(pool.intern({"cd"}), WordId(1));
  EXPECT_EQ(pool.intern({"ab"}), WordId(0));
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(pool[WordId(1)].text, "cd");
}

TEST(InternPool, ReferencesStayValid) {
  InternPool<Word, WordId> pool;
  const Word &first = pool[pool.intern({"0"})];
  for (int i = 0; i != 5000; ++i)
    ASSERT_EQ(pool.intern({std::to_string(i)}).index(), size_t(i));
  EXPECT_EQ(&first, &pool[WordId(0)]);
  for (int i = 0; i != 5000; ++i)
    ASSERT_EQ(pool[WordId(i)].text, std::to_string(i));
}

TEST(InternPool, ThreadsAgreeOnIds) {
  InternPool<Word, WordId> pool;
  std::vector<std::vector<WordId>> ids(4);
  std::vector<std::thread> threads;
  for (std::vector<WordId> &mine : ids)
    threads.emplace_back([&] {
      for (int i = 0; i != 500; ++i) {
        WordId id = pool.intern({std::to_string(i)});
        mine.push_back(pool[id].text == std::to_string(i) ? id : WordId());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(pool.size(), 500u);
  for (const std::vector<WordId> &mine : ids)
    EXPECT_EQ(mine, ids[0]);
}

} // namespace
