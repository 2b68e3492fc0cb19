//===- DFShardingTest.cpp -------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The boxes of facts/optimizer-design 4.1, each by its name, but for 4.1.3 (L1ReservationsTest.cpp).
//
//===----------------------------------------------------------------------===//
#include "ChainTest.h"

#include "DFSharding/ChainBuilder.h"
#include "DFSharding/ChainSet.h"

using namespace tessera;
using namespace tessera::df_sharding;

namespace {

// ---- 4.1.4 forks -----------------------------------------------------------------------------------------

TEST(ForkReservations, KeepTheShardedLayoutIfAllReadersTakeIt) {
  constexpr llvm::StringLiteral kText = R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %c = ttnn.add(%b, %a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %c
  )";
  Solved two(kText);
  EXPECT_EQ(two.reads("b", 0), "height_sharded");
  EXPECT_EQ(two.reads("c", 1), "height_sharded");
  EXPECT_EQ(two.figures().spills, 0);
  EXPECT_EQ(two.report.shardedForks, 1u);
  EXPECT_EQ(two.report.spills.fork, 0u);

  Solved one(kText, DFShardingOptions::version1());
  EXPECT_EQ(one.reads("b", 0), "dram");
  EXPECT_EQ(one.report.spills.fork, 1u);
  EXPECT_LT(two.time(), one.time());
}

TEST(ForkReservations, FallBackToL1Interleaved) {
  Solved solved(R"(
    mock ttnn.softmax interleaved_inputs
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.softmax(%a) : 256x256xbf16
    %c = ttnn.softmax(%a) : 256x256xbf16
    return %b, %c
  )");
  EXPECT_EQ(solved.makes("a"), "height_sharded");
  EXPECT_EQ(solved.reads("b", 0), "l1");
  EXPECT_EQ(solved.reads("c", 0), "l1");
  EXPECT_EQ(solved.figures().reshards, 1); // to L1 interleaved, once
  EXPECT_EQ(solved.report.interleavedForks, 1u);
}

TEST(ForkReservations, FallBackToDram) {
  Solved solved(R"(
    mock ttnn.softmax dram_inputs
    %x = argument 256x256xbf16 dram
    %y = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %a = ttnn.relu(%y) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.softmax(%a) : 256x256xbf16
    %c = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %b, %c
  )");
  EXPECT_EQ(solved.makes("a"), "height_sharded");
  EXPECT_EQ(solved.reads("b", 0), "dram");
  EXPECT_EQ(solved.reads("c", 0), "dram"); // all readers or none
  EXPECT_EQ(solved.report.spills.backend, 1u);
}

TEST(ForkReservations, GiveUpWhereTheSpanHasNoRoom) {
  Solved solved(R"(
    mock ttnn.softmax buffers 1290KiB
    %x = argument 256x256xbf16 dram
    %y = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %a = ttnn.relu(%y) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.relu(%a) : 256x256xbf16
    %c = ttnn.softmax(%b) : 256x256xbf16
    %d = ttnn.add(%c, %a) : 256x256xbf16
    return %d
  )");
  EXPECT_EQ(solved.reads("d", 1), "dram");
  EXPECT_EQ(solved.report.spills.memory, 1u);
}

TEST(ForkReservations, AConvMayNotFreeAForkedInput) {
  constexpr llvm::StringLiteral kText = R"(
    %x = argument 256x256xbf16 dram
    %w = constant 32x32xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.conv2d(%a, %w) : 256x256xbf16 legal [dram, l1/height_sharded/4x1/frees_input]
    %c = ttnn.add(%b, %a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %c
  )";
  Solved solved(kText);
  EXPECT_EQ(solved.reads("b", 0), "height_sharded");
  const OpConfig &config = solved.plan.configs[opAt(solved.problem, "b").index()];
  EXPECT_FALSE(std::get<Conv2dConfig>(config.specific).deallocateActivation);
}

TEST(ForkReservations, AConvFreesAnInputOfItsOwn) {
  Solved solved(R"(
    %x = argument 256x256xbf16 dram
    %w = constant 32x32xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.conv2d(%a, %w) : 256x256xbf16 legal [dram, l1/height_sharded/4x1/frees_input]
    return %b
  )");
  const OpConfig &config = solved.plan.configs[opAt(solved.problem, "b").index()];
  EXPECT_TRUE(std::get<Conv2dConfig>(config.specific).deallocateActivation);
}

// ---- 4.1.7 box 5, reshapes -------------------------------------------------------------------------------

constexpr llvm::StringLiteral kReshape = R"(
  mock ttnn.reshape interleaved_inputs
  mock ttnn.softmax interleaved_inputs
  %x = argument 256x256xbf16 dram
  %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %r = ttnn.reshape(%a) : 64x1024xbf16 legal [dram, l1]
  %s = ttnn.softmax(%r) : 64x1024xbf16
  return %s
)";

TEST(ReshapeReservations, ReadAndWriteL1Interleaved) {
  Solved solved(kReshape);
  EXPECT_EQ(solved.makes("a"), "height_sharded");
  EXPECT_EQ(solved.reads("r", 0), "l1");
  EXPECT_EQ(solved.makes("r"), "l1");
  EXPECT_EQ(solved.reads("s", 0), "l1");
  EXPECT_EQ(solved.report.reshapeReservations, 1u);
}

TEST(ReshapeReservations, CanBeSwitchedOff) {
  DFShardingOptions parts;
  parts.reshapeReservations = false;
  Solved solved(kReshape, parts);
  EXPECT_EQ(solved.reads("r", 0), "dram");
  EXPECT_EQ(solved.report.reshapeReservations, 0u);
}

TEST(ReshapeReservations, AReshapeThatIsReturnedDoesNotStopTheOthers) {
  // Upstream leaves the whole step at the first reshape that the function returns (facts/ir 3.4).
  Solved solved(R"(
    mock ttnn.softmax interleaved_inputs
    mock ttnn.reshape interleaved_inputs
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %r = ttnn.reshape(%a) : 64x1024xbf16 legal [dram, l1]
    %b = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %q = ttnn.reshape(%b) : 64x1024xbf16 legal [dram, l1]
    %s = ttnn.softmax(%q) : 64x1024xbf16
    return %r, %s
  )");
  EXPECT_EQ(solved.reads("q", 0), "l1");
  EXPECT_EQ(solved.reads("s", 0), "l1");
}

// ---- 4.1.6 concats ---------------------------------------------------------------------------------------

/// On two dimensions, dim 0 is the last but one: width sharded inputs. Height sharding has more cores here.
constexpr llvm::StringLiteral kConcat = R"(
  %x = argument 256x256xbf16 dram
  %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1, l1/width_sharded/1x2]
  %b = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1, l1/width_sharded/1x2]
  %c = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1, l1/width_sharded/1x2]
  %j = ttnn.concat(%a, %b, %c) : 768x256xbf16 legal [dram, l1/width_sharded/1x4, l1/width_sharded/1x2]
  %r = ttnn.relu(%j) : 768x256xbf16 legal [dram, l1/height_sharded/4x1, l1/width_sharded/1x2]
  return %r
)";

TEST(SetConcatChainPreferences, InputsAndTheOneReaderTakeWhatTheConcatNeeds) {
  ProblemInstance instance = instanceOf(kConcat);
  Oracle oracle(instance.problem, *instance.model);
  Draft draft(instance.problem, oracle, programOrder(instance.problem));
  ChainSet chains(draft, buildChains(instance.problem, true), /*mayCost=*/false);
  setConcatChainPreferences(chains);
  ASSERT_EQ(chains.size(), 5u);
  for (size_t i : {0, 1, 2, 4})
    EXPECT_EQ(chains[i].preferredOutputMemLayout, MemoryLayout::WidthSharded) << i;
}

TEST(SetConcatChainPreferences, KnowsTheDimensions) {
  Problem problem;
  SignaturePool signatures;
  problem.signatures = &signatures;
  OpSignature concat;
  concat.name = "ttnn.concat";
  concat.results = {{{2, 64, 64, 64}, DataType::BFloat16}};
  auto layoutFor = [&](int64_t dim) {
    concat.attributes = {{"dim", dim}};
    problem.ops.assign(1, {});
    problem.ops[0].signature = signatures.intern(concat);
    return concatInputLayout(problem, OpId(0));
  };
  EXPECT_EQ(layoutFor(3), MemoryLayout::HeightSharded);
  EXPECT_EQ(layoutFor(-1), MemoryLayout::HeightSharded);
  EXPECT_EQ(layoutFor(2), MemoryLayout::WidthSharded);
  EXPECT_EQ(layoutFor(-2), MemoryLayout::WidthSharded);
  EXPECT_EQ(layoutFor(1), std::nullopt);
  EXPECT_EQ(layoutFor(0), std::nullopt);
}

TEST(ResolveConcatChains, AllInputsStayInL1) {
  Solved solved(kConcat);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(solved.reads("j", i), "width_sharded");
  EXPECT_EQ(solved.makes("j"), "width_sharded");
  // On the inputs' grid, although more cores are on offer.
  EXPECT_EQ(solved.problem.layout(solved.plan.configs[3].outputs[0]).coreCount(), CoreCount(2));
  EXPECT_EQ(solved.reads("r", 0), "width_sharded"); // the concat's chain merges into its reader's
  EXPECT_EQ(solved.figures().spills, 0);
  EXPECT_EQ(solved.report.concatMerges, 1u);

  Solved one(kConcat, DFShardingOptions::version1());
  EXPECT_EQ(one.reads("j", 0), "dram");
  EXPECT_LT(solved.time(), one.time());
}

TEST(ResolveConcatChains, OneInputThatIsNoChainFailsIt) {
  Solved solved(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/width_sharded/1x2]
    %j = ttnn.concat(%a, %x) : 512x256xbf16 legal [dram, l1/width_sharded/1x2]
    return %j
  )");
  EXPECT_EQ(solved.reads("j", 0), "dram");
  EXPECT_EQ(solved.makes("j"), "dram");
  EXPECT_EQ(solved.report.concatMerges, 0u);
}

TEST(ResolveConcatChains, OpsBetweenTheInputsCountToo) {
  // a, b: 64 KiB per core each. softmax runs between them with 1250 KiB of buffers.
  Solved solved(R"(
    mock ttnn.softmax buffers 1250KiB
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/width_sharded/1x2]
    %s = ttnn.softmax(%x) : 256x256xbf16
    %b = ttnn.relu(%s) : 256x256xbf16 legal [dram, l1/width_sharded/1x2]
    %j = ttnn.concat(%a, %b) : 512x256xbf16 legal [dram, l1/width_sharded/1x2]
    return %j
  )");
  EXPECT_EQ(solved.report.concatMerges, 0u);
  EXPECT_EQ(solved.report.spills.memory, 2u); // both inputs or none
}

// ---- 4.1.2, 4.1.5 merges ---------------------------------------------------------------------------------

constexpr llvm::StringLiteral kMerge = R"(
  %x = argument 256x256xbf16 dram
  %y = argument 256x256xbf16 dram
  %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %b = ttnn.relu(%y) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %c = ttnn.add(%b, %a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  return %c
)";

TEST(SimpleMerge, ChainBReadsChainAFromL1) {
  Solved solved(kMerge);
  EXPECT_EQ(solved.reads("c", 0), "height_sharded");
  EXPECT_EQ(solved.reads("c", 1), "height_sharded");
  EXPECT_EQ(solved.figures().spills, 0);
  EXPECT_EQ(solved.report.simpleMerges, 1u);

  Solved one(kMerge, DFShardingOptions::version1());
  EXPECT_EQ(one.reads("c", 1), "dram");
  EXPECT_EQ(one.report.spills.operandZero, 1u);
  EXPECT_LT(solved.time(), one.time());
}

TEST(ValidateChainBWithMergedInput, TheJoinMustTakeTheLayout) {
  Solved solved(R"(
    mock ttnn.add same_placement
    %x = argument 256x256xbf16 dram
    %y = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/width_sharded/1x4]
    %b = ttnn.relu(%y) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %c = ttnn.add(%b, %a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %c
  )");
  EXPECT_EQ(solved.reads("c", 1), "dram");
  EXPECT_EQ(solved.report.simpleMerges, 0u);
  EXPECT_EQ(solved.report.spills.backend, 1u);
}

TEST(ValidateScheduleRangeWithReservation, AnOpOutsideOfChainsMayForbidTheMerge) {
  std::string between = R"(
    %x = argument 256x256xbf16 dram
    %y = argument 256x256xbf16 dram
    %a0 = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %a = ttnn.relu(%a0) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %s = ttnn.softmax(%y) : 256x256xbf16
    %b = ttnn.relu(%s) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %c = ttnn.add(%b, %a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %c
  )";
  Solved fits("mock ttnn.softmax buffers 1268KiB\n" + between); // + 32 KiB for a = 1300
  EXPECT_EQ(fits.report.simpleMerges, 1u);
  Solved tooMuch("mock ttnn.softmax buffers 1269KiB\n" + between);
  EXPECT_EQ(tooMuch.report.simpleMerges, 0u);
  EXPECT_EQ(tooMuch.report.spills.memory, 1u);
  EXPECT_EQ(tooMuch.reads("c", 1), "dram");
}

/// Two chains could merge into d's; the second one's result is twice as large.
constexpr llvm::StringLiteral kTwoCandidates = R"(
  %x = argument 256x256xbf16 dram
  %z = argument 512x256xbf16 dram
  %small0 = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %small = ttnn.relu(%small0) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %large0 = ttnn.relu(%z) : 512x256xbf16 legal [dram, l1/height_sharded/4x1]
  %large = ttnn.relu(%large0) : 512x256xbf16 legal [dram, l1/height_sharded/4x1]
  %b = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1] after large
  %c = ttnn.add(%b, %small) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %d = ttnn.add(%c, %large) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  return %d
)";

TEST(MergeCandidateSelection, TheLargestOutputWinsAndOneMergeIsTheLimit) {
  Solved solved(kTwoCandidates);
  EXPECT_EQ(solved.reads("d", 1), "height_sharded");
  EXPECT_EQ(solved.reads("c", 1), "dram");
  EXPECT_EQ(solved.report.simpleMerges, 1u);
  EXPECT_EQ(solved.report.spills.operandZero, 1u);
}

constexpr llvm::StringLiteral kThreeWay = R"(
  %x = argument 256x256xbf16 dram
  %y = argument 256x256xbf16 dram
  %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %c = ttnn.relu(%y) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %j = ttnn.add(%a, %c) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %k = ttnn.gelu(%j) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  return %k
)";

TEST(ThreeWayMerge, BothOperandsStayInL1) {
  Solved solved(kThreeWay);
  EXPECT_EQ(solved.reads("j", 0), "height_sharded");
  EXPECT_EQ(solved.reads("j", 1), "height_sharded");
  EXPECT_EQ(solved.report.threeWayMerges, 1u);
  EXPECT_EQ(solved.report.simpleMerges, 0u);
}

TEST(ThreeWayMerge, WithoutItOneOfTheTwoIsMerged) {
  DFShardingOptions parts;
  parts.threeWayMerges = false;
  Solved solved(kThreeWay, parts);
  EXPECT_EQ(solved.report.threeWayMerges, 0u);
  EXPECT_EQ(solved.report.simpleMerges, 1u);
}

TEST(ValidateChainWithPredecessorInL1, ChainCMustRunBesideA) {
  std::string text = "mock ttnn.silu buffers 1236KiB\n" + kThreeWay.str();
  size_t relu = text.find("ttnn.relu(%y)");
  text.replace(relu, 9, "ttnn.silu"); // c: 1236 + its own 32 = 1268, and 32 for a
  EXPECT_EQ(Solved(text).report.threeWayMerges, 1u);
  text.replace(text.find("1236KiB"), 7, "1237KiB");
  EXPECT_EQ(Solved(text).report.threeWayMerges, 0u);
}

TEST(ValidateThreeWayMergeJoinOp, TheJoinIsAskedWithBothShardedInputs) {
  // One sharded operand is fine, two that lie differently are not.
  Solved solved(R"(
    mock ttnn.add same_placement
    %x = argument 256x256xbf16 dram
    %a0 = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %a = ttnn.relu(%a0) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %c0 = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/width_sharded/1x4]
    %c = ttnn.relu(%c0) : 256x256xbf16 legal [dram, l1/width_sharded/1x4]
    %j = ttnn.add(%a, %c) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %j
  )");
  EXPECT_EQ(solved.report.threeWayMerges, 0u);
  EXPECT_EQ(solved.report.simpleMerges, 1u);
  EXPECT_EQ(solved.reads("j", 0), "height_sharded");
  EXPECT_EQ(solved.reads("j", 1), "dram");
}

TEST(ThreeWayMerge, FragmentationReserveBehindTheJoin) {
  // k needs 1204 + its result 32 + j 32 = 1268; a and c took 64, which may leave holes: 1332 > 1300.
  std::string text = "mock ttnn.gelu buffers 1204KiB\n" + kThreeWay.str();
  EXPECT_EQ(Solved(text).report.threeWayMerges, 0u);
  DFShardingOptions parts;
  parts.fragmentationReserve = false;
  EXPECT_EQ(Solved(text, parts).report.threeWayMerges, 1u);
  text.replace(text.find("1204KiB"), 7, "1172KiB");
  EXPECT_EQ(Solved(text).report.threeWayMerges, 1u);
}

// ---- The policy as a whole -------------------------------------------------------------------------------

TEST(DFSharding, OneVersionIsNeverWorseThanTheOther) {
  for (llvm::StringRef text :
       {llvm::StringRef(kThreeRelus), llvm::StringRef(kReshape), llvm::StringRef(kConcat),
        llvm::StringRef(kMerge), llvm::StringRef(kTwoCandidates), llvm::StringRef(kThreeWay)})
    EXPECT_LE(Solved(text).time(), Solved(text, DFShardingOptions::version1()).time());
}

TEST(DFSharding, SolverStateCanBeDumped) {
  ShardSolverJsonDump dump;
  DFShardingOptions parts;
  parts.observer = &dump;
  Solved solved(kMerge, parts);
  llvm::json::Value json = dump.take();
  ASSERT_EQ(json.getAsArray()->size(), 2u); // one solver per chain
  EXPECT_EQ((*json.getAsArray())[0].getAsObject()->getString("chain"), "a");
}

TEST(DFSharding, TensorsThatTheProgramHasInL1AreRespected) {
  // x lies in L1 for good: 128 KiB on 4 cores = 32 KiB.
  std::string text = R"(
    %x = argument 256x256xbf16 l1
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.gelu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %b
  )";
  // gelu: x 32 + a 32 + b 32 + buffers
  EXPECT_EQ(Solved("mock ttnn.gelu buffers 1204KiB\n" + text).report.completed, 1u);
  EXPECT_EQ(Solved("mock ttnn.gelu buffers 1205KiB\n" + text).report.completed, 0u);
}

TEST(DFSharding, NothingLiesAcrossAnOpOfUnknownBuffers) {
  Solved solved(R"(
    mock ttnn.mystery not_implemented
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %m = ttnn.mystery(%a) : 256x256xbf16 fixed
    %b = ttnn.relu(%m) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %c = ttnn.add(%b, %a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %c
  )");
  EXPECT_EQ(solved.reads("m", 0), "dram");
  EXPECT_EQ(solved.reads("c", 1), "dram");
}

TEST(DFSharding, TellsProgress) {
  ProblemInstance instance = instanceOf(kMerge);
  std::vector<std::string> seen;
  PolicyOptions options;
  options.progress = ProgressFunction([&](llvm::StringRef what, size_t done, size_t all, double) {
    seen.push_back((what + " " + std::to_string(done) + "/" + std::to_string(all)).str());
  });
  solveDFSharding2(instance.problem, *instance.model, options);
  for (const char *part :
       {"solving chains", "keeping forks in L1", "merging chains", "comparing chains with DRAM"})
    for (const char *step : {" 1/2", " 2/2"})
      EXPECT_TRUE(llvm::is_contained(seen, std::string(part) + step)) << part << step;
}

// ---- Reshards within a chain -----------------------------------------------------------------------------

/// The mock of an instance, which does not reshard from four height shards to others.
class PickyOpModel final : public OpModel {
public:
  explicit PickyOpModel(const OpModel &mock) : OpModel(mock.context()), mock(mock) {}
  ValidationResult query(const OpQuery &query) const override {
    ValidationResult answer = mock.query(query);
    if (query.op.name == "ttnn.to_memory_config") {
      const TensorLayout &from = layouts()[query.inputs.front()],
                         &to = layouts()[query.config.outputs.front()];
      if (from.memory == MemoryLayout::HeightSharded && from.grid.rows == 4 && to.isSharded())
        answer.status = ValidationStatus::MetalBackendError;
    }
    return answer;
  }
  OpRuntime runtime(const OpQuery &query) const override { return mock.runtime(query); }
  llvm::StringRef name() const override { return "picky"; }

private:
  const OpModel &mock;
};

TEST(ChainSolver, AReshardThatIsIllegalForOneProducerLayoutIsTriedFromTheNext) {
  ProblemInstance instance = instanceOf(R"(
    mock ttnn.gelu time 1000 dram 1000 same_placement
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1, l1/height_sharded/2x1]
    %b = ttnn.gelu(%a) : 256x256xbf16 legal [dram, l1/width_sharded/1x4]
    return %b
  )");
  PickyOpModel model(*instance.model);
  DFShardingReport report;
  Plan plan = solveDFSharding(instance.problem, model, {}, {}, &report);
  EXPECT_EQ(report.failed, 0u);
  EXPECT_EQ(report.completed, 1u);
  EXPECT_EQ(instance.problem.layout(plan.configs[0].outputs.front()).grid, (GridShape{2, 1}));
  EXPECT_TRUE(checkPlan(instance.problem, plan, model).ok());
}

} // namespace
