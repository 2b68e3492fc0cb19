//===- BackendsChoiceTest.cpp - Who answers, for which version ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "BackendsTest.h"

using namespace tessera;

namespace {

std::string check(const std::string &choice) { return checkOpModelOptions({choice}); }

TEST(BackendChoice, KnownFormsAreAccepted) {
  for (const char *choice :
       {"analytic", "analytic:a.json", "recorded:a.sqlite", "recorded:a.sqlite,fallthrough",
        "record:a.sqlite", "record:a.sqlite,analytic", "record:a.sqlite,mock", "record:a.sqlite,plugin:b.so",
        "record:a.sqlite,plugin:b.so,fallthrough", "plugin:b.so", "plugin:b.so,fallthrough", "mock"})
    EXPECT_EQ(check(choice), "") << choice;
}

TEST(BackendChoice, OthersAreRefusedWithWhatWouldBeRight) {
  for (const char *choice :
       {"analytic:", "analytic:a,b", "analytic,fallthrough", "recorded", "recorded:", "recorded:,fallthrough",
        "recorded:a,maybe", "record", "record:a,recorded:b", "record:a,record:b",
        "record:a,plugin:", "plugin", "plugin:a,b", "mock:", "mock:a", "mock,fallthrough", ""})
    EXPECT_NE(check(choice), "") << choice;
  EXPECT_EQ(check("plugin:"), "op model 'plugin:' is not of the form plugin:FILE[,fallthrough]");
  std::string unknown = check("analitic");
  EXPECT_CONTAINS(unknown, "unknown op model 'analitic'; did you mean 'analytic'?");
  for (const OpModelBackendInfo &info : opModelBackends())
    EXPECT_CONTAINS(unknown, info.form);
}

TEST(BackendChoice, VersionsAndCacheFilesAreChecked) {
  for (const BackendVersionInfo &info : backendVersions())
    EXPECT_EQ(checkOpModelOptions({"analytic", info.name.str()}), "");
  EXPECT_EQ(
      checkOpModelOptions({"analytic", "newst"}),
      "unknown backend version 'newst'; did you mean 'newest'?; known: january-2025, august-2025, "
      "september-2025, autumn-2025, early-november-2025, pinned, late-november-2025, newest, october-2026");
  for (const char *choice : {"analytic", "mock", "plugin:a.so"})
    EXPECT_EQ(checkOpModelOptions({choice, "pinned", "cache"}), "") << choice;
  for (const char *choice : {"recorded:a", "record:a"})
    EXPECT_CONTAINS(checkOpModelOptions({choice, "pinned", "cache"}), "takes no cache file") << choice;
}

TEST(BackendChoice, TheLibraryHasItsVersion) {
  unsetenv("TESSERA_TTNN"); // outranks what is asked for
  auto version = [](const char *choice, const char *named = "") {
    return backendVersionOf({choice, named}).name.str();
  };
  EXPECT_EQ(version("analytic"), "newest");
  EXPECT_EQ(version("ttnn"), "newest");
  EXPECT_EQ(version("ttnn:0.81.1"), "october-2026");
  EXPECT_EQ(version("record:a,ttnn"), "newest");
  EXPECT_EQ(version("ttnn:0.1"), "newest");
  EXPECT_EQ(version("ttnn:0.81.1", "pinned"), "pinned");
  EXPECT_EQ(version("analytic", "0.81.1"), "october-2026");
  OpModelOptions open, closed{"analytic", "pinned"};
  answerAsLibrary(open, "0.81.1");
  answerAsLibrary(closed, "0.81.1");
  EXPECT_EQ(open.backendVersion, "october-2026");
  EXPECT_EQ(closed.backendVersion, "pinned");
}

class ChoiceTest : public BackendsTest {};

TEST_F(ChoiceTest, TheVersionReachesTheFormulas) {
  // The behaviour of a sharded tanh changed after early November (lib/OpModel/Analytic/Eltwise/EltwiseUnary.cpp).
  TextQuery q = parse("ttnn.tanh 64x1024@hs2 -> 64x1024@hs2");
  std::optional<OpModelBackend> older = backend(OpModelOptions{"analytic", "autumn-2025"}),
                                newest = backend("analytic");
  ASSERT_TRUE(older && newest);
  EXPECT_NE(older->model().query(q.query()).constraints.cbL1PeakSize,
            newest->model().query(q.query()).constraints.cbL1PeakSize);
  EXPECT_EQ(older->use().backendVersion, "autumn-2025");
  EXPECT_EQ(newest->use().backendVersion, "newest");
}

TEST_F(ChoiceTest, RecordsOfOtherVersionsAreNotMixed) {
  auto recordAs = [&](const char *version) {
    llvm::Expected<OpModelBackend> recording =
        OpModelBackend::create({"record:" + file("a.sqlite"), version}, context());
    if (!recording)
      return llvm::toString(recording.takeError());
    TextQuery q = parse(kQueries[0]);
    recording->model().query(q.query());
    return llvm::toString(recording->finish());
  };
  EXPECT_EQ(recordAs("pinned"), "");
  EXPECT_CONTAINS(recordAs("newest"), "holds the answers of 'analytic");
  EXPECT_EQ(recordAs("pinned"), "");
}

TEST_F(ChoiceTest, TheMockAcceptsWhatTheFormulasRefuse) {
  TextQuery refused = parse("ttnn.matmul 64x64@dram, 32x64@dram -> 64x64@dram");
  std::optional<OpModelBackend> analytic = backend("analytic"), mock = backend("mock");
  ASSERT_TRUE(analytic && mock);
  EXPECT_FALSE(analytic->model().query(refused.query()).ok());
  EXPECT_TRUE(mock->model().query(refused.query()).ok());
  EXPECT_EQ(mock->model().runtime(refused.query()).total, Nanoseconds(1000));
  EXPECT_EQ(mock->use().name, "mock");
  EXPECT_FALSE(mock->use().unanswered);
}

TEST_F(ChoiceTest, ACalibrationChangesTimes) {
  write(file("slow.json"), R"({"format": "tessera-calibration", "version": 1,
                               "wormhole_b0": {"dram.read": 1.0}})");
  write(file("bad.json"),
        R"({"format": "tessera-calibration", "version": 1, "wormhole_b0": {"dram.reed": 1.0}})");
  TextQuery q = parse("ttnn.exp 2048x2048@dram -> 2048x2048@dram");
  std::optional<OpModelBackend> builtIn = backend("analytic"),
                                slow = backend("analytic:" + file("slow.json"));
  ASSERT_TRUE(builtIn && slow);
  EXPECT_GT(slow->model().runtime(q.query()).total, builtIn->model().runtime(q.query()).total);
  EXPECT_CONTAINS(refusal("analytic:" + file("bad.json")),
                  "unknown parameter 'dram.reed'; did you mean 'dram.read'");
  EXPECT_CONTAINS(refusal("analytic:" + file("absent.json")), "cannot read calibration");
}

} // namespace
