//===- BackendsRecordTest.cpp - What was recorded comes back --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "BackendsTest.h"

#include <thread>

using namespace tessera;

namespace {

class RecordTest : public BackendsTest {
protected:
  /// Records the answers to all of kQueries.
  void record(const std::string &path) {
    std::optional<OpModelBackend> recording = backend("record:" + path);
    ASSERT_TRUE(recording);
    for (llvm::StringRef text : kQueries) {
      TextQuery q = parse(text);
      recording->model().query(q.query());
    }
    llvm::Error error = recording->finish();
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
  }
};

TEST_F(RecordTest, EveryAnswerComesBackAtAnyPressure) {
  record(file("a.sqlite"));
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(context());
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite"));
  ASSERT_TRUE(recorded);
  std::set<ValidationStatus> seen;
  for (llvm::StringRef text : kQueries)
    for (int64_t additional : {int64_t(0), int64_t(1000000), device.usableL1().value()}) {
      TextQuery q = parse(text);
      q.additionalL1 = Bytes(additional);
      ValidationResult expected = analytic->query(q.query());
      expectEqual(recorded->model().query(q.query()), expected, text);
      expectEqual(recorded->model().runtime(q.query()), analytic->runtime(q.query()));
      seen.insert(expected.status);
    }
  EXPECT_EQ(seen.size(), 5u) << "the queries do not cover every status";
  EXPECT_EQ(recorded->use().unanswered, 2u); // the two that the analytic model does not know
  llvm::Error error = recorded->finish();
  EXPECT_FALSE(error) << llvm::toString(std::move(error));
}

TEST_F(RecordTest, HoldsForEveryBudget) {
  record(file("a.sqlite"));
  TextQuery q = parse(kQueries[0]);
  for (int64_t budget : {1000, 1000000}) {
    OpModelContext other{device, layouts, Bytes(budget), BackendVersion::Newest};
    llvm::Expected<OpModelBackend> recorded = OpModelBackend::create({"recorded:" + file("a.sqlite")}, other);
    ASSERT_TRUE(bool(recorded)) << llvm::toString(recorded.takeError());
    expectEqual(recorded->model().query(q.query()), createAnalyticOpModel(other)->query(q.query()),
                kQueries[0]);
  }
}

TEST_F(RecordTest, AMissIsNotImplemented) {
  record(file("a.sqlite"));
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite"));
  ASSERT_TRUE(recorded);
  TextQuery q = parse("ttnn.relu 96x64@l1 -> 96x64@l1");
  ValidationResult result = recorded->model().query(q.query());
  EXPECT_EQ(result.status, ValidationStatus::NotImplemented);
  EXPECT_EQ(result.rule, "recorded.missing");
  EXPECT_NE(result.message.find("ttnn.relu"), std::string::npos) << result.message;
  EXPECT_EQ(recorded->model().runtime(q.query()).total.value(), 0);
  EXPECT_EQ(recorded->use().unanswered, 1u);
}

TEST_F(RecordTest, AMissFallsThroughWhenAsked) {
  record(file("a.sqlite"));
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite") + ",fallthrough");
  ASSERT_TRUE(recorded);
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(context());
  TextQuery q = parse("ttnn.relu 96x64@l1 -> 96x64@l1");
  expectEqual(recorded->model().query(q.query()), analytic->query(q.query()), "miss");
  expectEqual(recorded->model().runtime(q.query()), analytic->runtime(q.query()));
  EXPECT_EQ(recorded->use().unanswered, 1u);
}

TEST_F(RecordTest, TellsQuestionsApart) {
  record(file("a.sqlite"));
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite"));
  ASSERT_TRUE(recorded);
  TextQuery known = parse("ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@l1");
  EXPECT_TRUE(recorded->model().query(known.query()).ok());
  auto missing = [&](TextQuery q) { return recorded->model().query(q.query()).rule == "recorded.missing"; };
  for (llvm::StringRef other :
       {"ttnn.add 64x1024@dram, 64x1024@l1 -> 64x1024@l1", "ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@dram",
        "ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@?", "ttnn.add 64x1024xf32@l1, 64x1024@l1 -> 64x1024@l1",
        "ttnn.add 64x1024@l1, 64x1024@l1 -> 64x1024@l1 ; a=1",
        "ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@bs8x8 ; ; mcast2d grid=8x8 k=4 m=1 n=1"})
    EXPECT_TRUE(missing(parse(other))) << other.str();
  // 1, 1.0, true and "1" are four attributes.
  TextQuery unknown = parse("ttnn.frobnicate 64x64@dram -> 64x64@dram ; a=1 b=[1,2] c=true");
  EXPECT_FALSE(missing(unknown));
  for (AttrValue value :
       {AttrValue(1.0), AttrValue(true), AttrValue(std::string("1")), AttrValue(std::vector<int64_t>{1}),
        AttrValue(std::string("\xff")), AttrValue(std::numeric_limits<double>::quiet_NaN())}) {
    unknown.signature.attributes[0].second = value;
    EXPECT_TRUE(missing(unknown)) << value.index();
  }
}

TEST_F(RecordTest, AnotherDeviceHasAnswersOfItsOwn) {
  record(file("a.sqlite"));
  TextQuery q = parse(kQueries[0]);
  device.l1BytesPerCycle += 1;
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite"));
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->model().query(q.query()).rule, "recorded.missing");
  record(file("a.sqlite")); // adds the second device
  for (double bytesPerCycle : {device.l1BytesPerCycle, device.l1BytesPerCycle - 1}) {
    device.l1BytesPerCycle = bytesPerCycle;
    std::optional<OpModelBackend> both = backend("recorded:" + file("a.sqlite"));
    ASSERT_TRUE(both);
    expectEqual(both->model().runtime(q.query()), createAnalyticOpModel(context())->runtime(q.query()));
  }
}

TEST_F(RecordTest, QueriesWithoutLayoutsAreRefused) {
  record(file("a.sqlite"));
  std::optional<OpModelBackend> recorded = backend("recorded:" + file("a.sqlite"));
  ASSERT_TRUE(recorded);
  TextQuery q = parse(kQueries[0]);
  q.inputs = {LayoutId(), LayoutId(12345)};
  EXPECT_EQ(recorded->model().query(q.query()).rule, "op.layout_count");
  EXPECT_EQ(recorded->model().runtime(q.query()).total.value(), 0);
}

TEST_F(RecordTest, TheSameRunWritesTheSameFile) {
  record(file("a.sqlite"));
  record(file("b.sqlite"));
  EXPECT_FALSE(contents(file("a.sqlite")).empty());
  EXPECT_TRUE(contents(file("a.sqlite")) == contents(file("b.sqlite")));
}

TEST_F(RecordTest, NothingIsWrittenWithoutFinish) {
  {
    std::optional<OpModelBackend> recording = backend("record:" + file("a.sqlite"));
    ASSERT_TRUE(recording);
    TextQuery q = parse(kQueries[0]);
    recording->model().query(q.query());
  }
  EXPECT_FALSE(llvm::sys::fs::exists(file("a.sqlite")));
}

TEST_F(RecordTest, ReadersAndAWriterGetAlong) {
  record(file("a.sqlite"));
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  auto ask = [&] {
    LayoutPool own;
    OpModelContext mine{device, own, device.usableL1(), BackendVersion::Newest};
    for (int round = 0; round < 20; ++round) {
      llvm::Expected<OpModelBackend> recorded =
          OpModelBackend::create({"recorded:" + file("a.sqlite")}, mine);
      if (!recorded) {
        llvm::consumeError(recorded.takeError());
        return;
      }
      TextQuery q = parseQuery(kQueries[0], own, device);
      right += recorded->model().query(q.query()).ok();
    }
  };
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(ask);
  for (int i = 0; i < 5; ++i)
    record(file("a.sqlite"));
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 4 * 20);
}

// ---- Files that are not records ---------------------------------------------------------------------------

TEST_F(RecordTest, BadFilesAreOneClearError) {
  EXPECT_CONTAINS(refusal("recorded:" + file("absent")), "absent': No such file or directory");
  EXPECT_CONTAINS(refusal("record:" + file("no/such/folder/a.sqlite")),
                  "a.sqlite': No such file or directory");
  EXPECT_CONTAINS(refusal("recorded:" + folder.str().str()), "cannot read '");

  write(file("text"), std::string(5000, 'x'));
  write(file("empty"), "");
  sql(file("foreign"), "CREATE TABLE phone(number)");
  for (std::string mode : {"recorded:", "record:"}) {
    EXPECT_CONTAINS(refusal(mode + file("text")), "text': file is not a database");
    EXPECT_CONTAINS(refusal(mode + file("foreign")), "foreign' is not a record of op model answers");
  }
  EXPECT_CONTAINS(refusal("recorded:" + file("empty")), "empty' is not a record of op model answers");
  EXPECT_EQ(contents(file("text")), std::string(5000, 'x'));
}

TEST_F(RecordTest, OtherFormatsAndModelsAreRefused) {
  record(file("a.sqlite"));
  sql(file("a.sqlite"), "UPDATE model SET version = 'crystal ball 1'");
  EXPECT_CONTAINS(refusal("record:" + file("a.sqlite")),
                  "holds the answers of 'crystal ball 1', not of 'analytic");
  EXPECT_EQ(refusal("recorded:" + file("a.sqlite")), "");
  sql(file("a.sqlite"), "PRAGMA user_version = 99");
  EXPECT_CONTAINS(refusal("recorded:" + file("a.sqlite")),
                  "is a record in format 99; this version reads format 2");
  sql(file("a.sqlite"), "PRAGMA user_version = 2; DROP TABLE answer");
  EXPECT_CONTAINS(refusal("recorded:" + file("a.sqlite")), "no such table: answer");
}

TEST_F(RecordTest, CorruptRowsAreReportedAtTheEnd) {
  const char *const damage[] = {
      "UPDATE answer SET status = 'maybe'",
      "UPDATE answer SET cb_l1_peak_bytes = -5",
      "UPDATE answer SET total_ns = -5",
      "UPDATE answer SET output_layouts = '[null'",
      "UPDATE answer SET output_layouts = '[{\"grid\":[1,1]}]'",
      "UPDATE answer SET output_layouts = '[null,null]'",
      "UPDATE answer SET output_layouts = '{}'",
      "UPDATE answer SET output_layouts = replace('[X]', 'X', json_set(substr(question, "
      "instr(question, '\"inputs\":[') + 10, instr(question, '],\"outputs\"') - instr(question, "
      "'\"inputs\":[') - 10), "
      "'$.grid', json('[-1,0]'))) WHERE question LIKE '%ttnn.relu%'",
  };
  for (const char *statement : damage) {
    std::string path = file("damaged.sqlite");
    llvm::sys::fs::remove(path);
    record(path);
    sql(path, statement);
    std::optional<OpModelBackend> recorded = backend("recorded:" + path);
    ASSERT_TRUE(recorded);
    TextQuery q = parse("ttnn.relu 64x64@l1 -> 64x64@?");
    ValidationResult result = recorded->model().query(q.query());
    EXPECT_EQ(result.status, ValidationStatus::NotImplemented) << statement;
    EXPECT_EQ(result.rule, "recorded.unreadable") << statement;
    std::string message = llvm::toString(recorded->finish());
    EXPECT_CONTAINS(message, "damaged.sqlite' is corrupt: ");
  }
}

TEST_F(RecordTest, TornFilesGiveNoWrongAnswers) {
  std::unique_ptr<OpModel> analytic = createAnalyticOpModel(context());
  record(file("a.sqlite"));
  std::string whole = contents(file("a.sqlite"));
  ASSERT_GT(whole.size(), 3 * kPage);
  size_t reported = 0; // pages without which some answer cannot be read
  for (size_t page = 1; page < whole.size() / kPage; ++page) {
    std::string torn = whole;
    std::fill_n(torn.begin() + long(page * kPage), long(kPage), '\x5a');
    write(file("torn.sqlite"), torn);
    llvm::Expected<OpModelBackend> recorded =
        OpModelBackend::create({"recorded:" + file("torn.sqlite")}, context());
    if (!recorded) {
      ++reported;
      llvm::consumeError(recorded.takeError());
      continue;
    }
    bool unreadable = false;
    for (llvm::StringRef text : kQueries) {
      TextQuery q = parse(text);
      ValidationResult result = recorded->model().query(q.query());
      unreadable |= result.rule == "recorded.unreadable";
      if (result.status != ValidationStatus::NotImplemented)
        expectEqual(result, analytic->query(q.query()), text);
    }
    std::string message = llvm::toString(recorded->finish());
    EXPECT_EQ(!message.empty(), unreadable) << "page " << page;
    reported += unreadable;
  }
  EXPECT_GT(reported, 1u);
}

} // namespace
