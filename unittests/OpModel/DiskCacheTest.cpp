//===- DiskCacheTest.cpp - Answers that outlive the run -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "BackendsTest.h"

#include <thread>

using namespace tessera;

namespace {

constexpr size_t kCount = std::size(kQueries);

class DiskCacheTest : public BackendsTest {
protected:
  OpModelOptions cachedIn(llvm::StringRef name, std::string choice = "analytic") {
    return {std::move(choice), "newest", file(name)};
  }

  /// A run that asks all of kQueries and compares with what the model answers without a cache.
  DiskCacheUse run(const OpModelOptions &options) {
    OpModelOptions without = options;
    without.cacheFile.clear();
    std::optional<OpModelBackend> cached = backend(options), uncached = backend(without);
    if (!cached || !uncached)
      return {};
    for (llvm::StringRef text : kQueries)
      for (int64_t additional : {int64_t(0), int64_t(1000000), device.usableL1().value()}) {
        TextQuery q = parse(text);
        q.additionalL1 = Bytes(additional);
        expectEqual(cached->model().query(q.query()), uncached->model().query(q.query()), text);
        expectEqual(cached->model().runtime(q.query()), uncached->model().runtime(q.query()));
      }
    llvm::Error error = cached->finish();
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
    return *cached->use().disk;
  }

  static void expectUse(const DiskCacheUse &use, size_t hits, size_t misses) {
    EXPECT_EQ(use.hits, hits);
    EXPECT_EQ(use.misses, misses);
    EXPECT_EQ(use.added, misses);
    EXPECT_EQ(use.problem, "");
  }
};

TEST_F(DiskCacheTest, TheSecondRunFindsEveryAnswer) {
  expectUse(run(cachedIn("cache")), 0, kCount);
  std::string written = contents(file("cache"));
  DiskCacheUse second = run(cachedIn("cache"));
  expectUse(second, kCount, 0);
  EXPECT_EQ(second.hitRate(), 1.0);
  EXPECT_EQ(second.file, file("cache"));
  EXPECT_TRUE(contents(file("cache")) == written) << "nothing to add, nothing written";
}

TEST_F(DiskCacheTest, EqualRunsWriteEqualFiles) {
  run(cachedIn("a"));
  run(cachedIn("b"));
  EXPECT_FALSE(contents(file("a")).empty());
  EXPECT_TRUE(contents(file("a")) == contents(file("b")));
}

TEST_F(DiskCacheTest, NothingIsWrittenWithoutFinish) {
  {
    std::optional<OpModelBackend> cached = backend(cachedIn("cache"));
    ASSERT_TRUE(cached);
    TextQuery q = parse(kQueries[0]);
    cached->model().query(q.query());
  }
  EXPECT_FALSE(llvm::sys::fs::exists(file("cache")));
}

// ---- What may not share answers --------------------------------------------------------------------------
TEST_F(DiskCacheTest, AnswersBelongToOneModelVersionAndDevice) {
  run(cachedIn("cache"));
  expectUse(run(cachedIn("cache", "mock")), 0, kCount);
  OpModelOptions pinned = cachedIn("cache");
  pinned.backendVersion = "pinned";
  expectUse(run(pinned), 0, kCount);
  write(file("slow.json"),
        R"({"format": "tessera-calibration", "version": 1, "wormhole_b0": {"dram.read": 1}})");
  expectUse(run(cachedIn("cache", "analytic:" + file("slow.json"))), 0, kCount);
  device.clockGHz *= 2;
  expectUse(run(cachedIn("cache")), 0, kCount);
  device.clockGHz /= 2;
  // All of them stay side by side.
  expectUse(run(cachedIn("cache")), kCount, 0);
  expectUse(run(cachedIn("cache", "mock")), kCount, 0);
  expectUse(run(pinned), kCount, 0);
}

TEST_F(DiskCacheTest, AnswersBelongToOneBudget) {
  // The backend chooses the configuration of a matmul by the L1 that is free.
  run(cachedIn("cache"));
  OpModelContext tight{device, layouts, Bytes(200 * 1024), BackendVersion::Newest};
  llvm::Expected<OpModelBackend> cached = OpModelBackend::create(cachedIn("cache"), tight);
  ASSERT_TRUE(bool(cached));
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(tight);
  for (llvm::StringRef text : kQueries) {
    TextQuery q = parse(text);
    expectEqual(cached->model().query(q.query()), analytic->query(q.query()), text);
  }
  EXPECT_EQ(cached->use().disk->hits, 0u);
}

TEST_F(DiskCacheTest, AnotherBuildStartsAnew) {
  run(cachedIn("cache"));
  sql(file("cache"), "UPDATE model SET version = 'tessera 0.0.1, sources 0123456789abcdef';"
                     "UPDATE answer SET total_ns = 5, compute_ns = 5");
  expectUse(run(cachedIn("cache")), 0, kCount);
  expectUse(run(cachedIn("cache")), kCount, 0);
}

TEST_F(DiskCacheTest, AReaderIsNotFooledByAnotherBuildThatStartsAnew) {
  run(cachedIn("cache"));
  std::optional<OpModelBackend> reader = backend(cachedIn("cache"));
  ASSERT_TRUE(reader);
  // Meanwhile another build has put answers of its own under the first free number.
  sql(file("cache"), "DELETE FROM device; INSERT INTO device(text) VALUES('another scope');"
                     "UPDATE answer SET device = (SELECT id FROM device), total_ns = 5");
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(context());
  TextQuery q = parse(kQueries[0]);
  EXPECT_EQ(reader->model().runtime(q.query()).total, analytic->runtime(q.query()).total);
}

// ---- Files that cannot be used ---------------------------------------------------------------------------
TEST_F(DiskCacheTest, WhatIsNoCacheIsLeftAlone) {
  write(file("text"), std::string(5000, 'x'));
  sql(file("foreign"), "CREATE TABLE phone(number)");
  std::optional<OpModelBackend> recording = backend("record:" + file("record"));
  ASSERT_TRUE(recording);
  TextQuery q = parse(kQueries[0]);
  recording->model().query(q.query());
  ASSERT_FALSE(recording->finish());
  for (const char *name : {"text", "foreign", "record"}) {
    std::string before = contents(file(name));
    EXPECT_NE(refusal(cachedIn(name)), "") << name;
    EXPECT_TRUE(contents(file(name)) == before) << name;
  }
  EXPECT_CONTAINS(refusal(cachedIn("text")), "text': file is not a database");
  EXPECT_CONTAINS(refusal(cachedIn("foreign")), "foreign' is not a cache of op model answers");
  EXPECT_CONTAINS(refusal(cachedIn("record")), "record' is not a cache of op model answers");
  EXPECT_CONTAINS(refusal(cachedIn("no/such/folder")), "No such file or directory");
  EXPECT_CONTAINS(refusal(cachedIn("")), "': not a regular file");
  EXPECT_CONTAINS(refusal(OpModelOptions{"analytic", "pinned", "/dev/null"}),
                  "'/dev/null': not a regular file");

  run(cachedIn("cache"));
  EXPECT_CONTAINS(refusal("recorded:" + file("cache")), "cache' is not a record of op model answers");
  sql(file("cache"), "PRAGMA user_version = 99");
  EXPECT_CONTAINS(refusal(cachedIn("cache")),
                  "is a cache in format 99; this version reads format 2; delete it, or name another file");
}

TEST_F(DiskCacheTest, AnEmptyFileIsAnEmptyCache) {
  write(file("cache"), "");
  expectUse(run(cachedIn("cache")), 0, kCount);
  expectUse(run(cachedIn("cache")), kCount, 0);
}

TEST_F(DiskCacheTest, CorruptRowsAreAskedAgainAndReplaced) {
  run(cachedIn("cache"));
  sql(file("cache"), "UPDATE answer SET cb_l1_peak_bytes = -5");
  DiskCacheUse use = run(cachedIn("cache"));
  EXPECT_EQ(use.hits, 0u);
  EXPECT_EQ(use.added, kCount);
  EXPECT_CONTAINS(use.problem, "cache' is corrupt: a size of -5 bytes");
  expectUse(run(cachedIn("cache")), kCount, 0);
}

TEST_F(DiskCacheTest, TornFilesGiveNoWrongAnswers) {
  run(cachedIn("cache"));
  std::string whole = contents(file("cache"));
  ASSERT_GT(whole.size(), 3 * kPage);
  size_t reported = 0;
  for (size_t page = 0; page < whole.size() / kPage; ++page) {
    std::string torn = whole;
    std::fill_n(torn.begin() + long(page * kPage), long(kPage), '\x5a');
    write(file("torn"), torn);
    llvm::Expected<OpModelBackend> usable = OpModelBackend::create(cachedIn("torn"), context());
    if (!usable) {
      llvm::consumeError(usable.takeError());
      ++reported;
      continue;
    }
    reported += !run(cachedIn("torn")).problem.empty(); // compares every answer
  }
  EXPECT_GT(reported, 0u);
}

TEST_F(DiskCacheTest, AFileThatCannotBeWrittenAtTheEndIsAProblemButNoFailure) {
  llvm::sys::fs::create_directory(file("folder"));
  std::optional<OpModelBackend> cached = backend(cachedIn("folder/cache"));
  ASSERT_TRUE(cached);
  TextQuery q = parse(kQueries[0]);
  cached->model().query(q.query());
  llvm::sys::fs::remove_directories(file("folder"));
  EXPECT_FALSE(cached->finish());
  EXPECT_CONTAINS(cached->use().disk->problem, "cannot write '");
  EXPECT_EQ(cached->use().disk->added, 0u);
}

// ---- Several at once -------------------------------------------------------------------------------------
TEST_F(DiskCacheTest, ManyThreadsGetTheSameAnswers) {
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(context());
  std::vector<TextQuery> queries;
  std::vector<Nanoseconds> expected;
  for (llvm::StringRef text : kQueries) {
    queries.push_back(parse(text));
    expected.push_back(analytic->runtime(queries.back().query()).total);
  }
  for (bool filled : {false, true}) {
    std::optional<OpModelBackend> cached = backend(cachedIn("cache"));
    ASSERT_TRUE(cached);
    std::atomic<size_t> right = 0;
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (size_t i = 0; i < 100; ++i) {
          size_t n = (i + t) % kCount;
          right += cached->model().runtime(queries[n].query()).total == expected[n];
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(right, 400u);
    ASSERT_FALSE(cached->finish());
    if (filled) {
      EXPECT_EQ(cached->use().disk->misses, 0u);
    }
  }
}

TEST_F(DiskCacheTest, WritersAtOnceLoseNothing) {
  std::vector<std::thread> threads;
  std::atomic<size_t> problems = 0;
  for (size_t t = 0; t < kCount; ++t)
    threads.emplace_back([&, t] {
      LayoutPool own;
      llvm::Expected<OpModelBackend> cached =
          OpModelBackend::create(cachedIn("cache"), {device, own, device.usableL1()});
      if (!cached) {
        llvm::consumeError(cached.takeError());
        ++problems;
        return;
      }
      TextQuery q = parseQuery(kQueries[t], own, device);
      cached->model().query(q.query());
      llvm::consumeError(cached->finish());
      problems += !cached->use().disk->problem.empty();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(problems, 0u);
  expectUse(run(cachedIn("cache")), kCount, 0);
}

} // namespace
