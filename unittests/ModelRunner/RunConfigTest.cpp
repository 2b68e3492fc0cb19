//===- RunConfigTest.cpp - Op configs as structs, and their merge ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/RunConfig.h"
#include "tessera/ModelRunner/ItemJson.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runner;

namespace {

const MeshDevice kMesh{"mesh", {4, 8}};

LinearConfig waitingLinear() {
  LinearConfig linear;
  linear.input_tensor_b = FromWeightConfig{MeshDeviceStub{{4, 8}}};
  linear.memory_config = kL1WidthSharded;
  linear.program_config = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig{4, 1, 2, std::nullopt};
  return linear;
}

Dict dict(llvm::StringRef key, Item item) {
  Dict made;
  made[key] = std::move(item);
  return made;
}

TEST(OpConfigTest, ComesBackFromItemAndJson) {
  Item item = toItem(waitingLinear());
  llvm::Expected<Item> read = itemFromJson(itemToJson(item));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(*read, item);
  std::optional<LinearConfig> linear = fromItem<LinearConfig>(*read);
  ASSERT_TRUE(linear);
  EXPECT_EQ(std::get<0>(*linear->program_config).per_core_N, 2);
  EXPECT_FALSE(linear->compute_kernel_config);
  EXPECT_FALSE(fromItem<MulConfig>(*read));
}

TEST(OpConfigTest, AListTakesThePlaceOfWhatWasThere) {
  std::vector<int64_t> list = {7, 8};
  EXPECT_TRUE(ItemTraits<std::vector<int64_t>>::from(Item(Sequence{{Item(int64_t(1))}, false}), list));
  EXPECT_EQ(list, std::vector<int64_t>{1});
}

TEST(OpConfigTest, DefaultsAreFilledAndNoneIsKept) {
  llvm::Expected<Item> filled =
      itemFromJson(*llvm::json::parse(R"({"$op": "TopKConfig", "f": {"dim": -1}})"));
  ASSERT_TRUE(bool(filled));
  EXPECT_EQ(fromItem<TopKConfig>(*filled)->largest, true);
  TopKConfig unsorted;
  unsorted.dim = -1;
  unsorted.sorted.reset();
  llvm::Expected<Item> back = itemFromJson(itemToJson(toItem(unsorted)));
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(fromItem<TopKConfig>(*back)->sorted, std::nullopt);
}

TEST(OpConfigTest, PrintsAsPythonDoes) {
  EXPECT_EQ(str(toItem(MulConfig{std::nullopt, std::vector{UnaryOpType::SILU}})),
            "MulConfig(memory_config=None, input_tensor_a_activations=['SILU'])");
  EXPECT_EQ(str(Sequence{{Item("it's"), Item(1e-6), Item(true)}, true}), "(\"it's\", 1e-06, True)");
  EXPECT_EQ(str(Sequence{{Item()}, true}), "(None,)");
  EXPECT_EQ(str(Sequence{{Item(1.0), Item(1e5), Item(-0.25), Item(0.0001), Item(1e16), Item(123456789012.5)},
                         false}),
            "[1.0, 100000.0, -0.25, 0.0001, 1e+16, 123456789012.5]");
  EXPECT_EQ(str(Sequence{{Item("a\tb\x01"), Item(0.1), Item(0.0)}, false}), "['a\\tb\\x01', 0.1, 0.0]");
}

TEST(OpConfigTest, FieldsStandInTheirPlaceAlone) {
  auto error = [](const char *text) {
    llvm::Expected<Item> item = itemFromJson(*llvm::json::parse(text));
    return item ? std::string() : llvm::toString(item.takeError());
  };
  EXPECT_EQ(error(R"({"$op": "TopKConfig", "dim": -1})"),
            "'dim' stands beside '$op', which has its fields in 'f'");
  EXPECT_EQ(error(R"({"$op": "TopKConfig", "f": [-1]})"), "'f' takes an object");
}

TEST(RunConfigTest, InputsStayAsTheyWere) {
  // The published code grows the caller's list of one layer.
  Item model = dict("layers", Sequence{{toItem(waitingLinear())}});
  Sequence weights;
  for (const char *path : {"0", "1", "2"})
    weights.items.push_back(dict("input_tensor_b", SavedWeight{path, {}}));
  const Item before = *itemFromJson(itemToJson(model));
  for (int time = 0; time != 2; ++time) {
    RunConfig run = runConfig(model, dict("layers", weights), Item(dict("mesh_device", kMesh)));
    ASSERT_TRUE(run.problems.empty()) << run.problems.front().message;
    EXPECT_EQ(run.config.get<Dict>()->find("layers")->get<Sequence>()->items.size(), 3u);
  }
  EXPECT_EQ(model, before);
}

TEST(RunConfigTest, LoadedWeightsAreSharedPerDevice) {
  Dict model, weights;
  for (const char *key : {"a", "b"}) {
    model[key] = FromWeightConfig{MeshDeviceStub{{4, 8}}};
    weights[key] = SavedWeight{"w", {}};
  }
  Dict state = dict("mesh_device", kMesh);
  int loads = 0;
  WeightCache cache;
  MergeOptions options{MergeMode::Checked, nullptr, &cache};
  options.load = [&](const SavedWeight &weight, const MeshDeviceItem &device) {
    ++loads;
    return Item(LoadedTensor{weight.path, device, {}});
  };
  EXPECT_TRUE(runConfig(model, weights, Item(state), options).problems.empty());
  EXPECT_EQ(loads, 1);
  state["mesh_device"] = MeshDevice{"other", {4, 8}};
  EXPECT_TRUE(runConfig(model, weights, Item(state), options).problems.empty());
  EXPECT_EQ(loads, 2);
}

TEST(RunConfigTest, CheckedReportsALostListItem) {
  // One layer against none: the published code makes it none.
  Item model = dict("l", Sequence{{Item(1)}}), state = dict("l", Sequence{});
  EXPECT_TRUE(runConfig(model, Item(), state, {MergeMode::Compat, nullptr, nullptr}).problems.empty());
  RunConfig checked = runConfig(model, Item(), state);
  ASSERT_EQ(checked.problems.size(), 1u);
  EXPECT_EQ(checked.problems[0].path, "l");
}

} // namespace
