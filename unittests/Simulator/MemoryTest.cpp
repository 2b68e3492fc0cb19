//===- MemoryTest.cpp - Memory that is used again -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include "tessera/Simulator/DeviceMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compiler.h"

using namespace tessera;
using namespace tessera::simulator;

namespace {

bool isZero(llvm::ArrayRef<uint8_t> bytes) {
  return llvm::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

TEST(DeviceMemory, IsZeroUntilItIsWrittenAlsoAfterAnotherDevice) {
  const DeviceSpec &device = *findDevice("n150");
  const AddressRange ranges[] = {{Bytes(0), Bytes(4096)}, {Bytes(1 << 20), Bytes((1 << 20) + 100)}};
  for (int run = 0; run < 2; ++run) {
    DeviceMemory chip = llvm::cantFail(DeviceMemory::create(device));
    for (BankedMemory memory : {BankedMemory::Dram, BankedMemory::L1})
      for (AddressRange range : ranges) {
        EXPECT_TRUE(isZero(chip.bytes(memory, 7, range))) << "run " << run;
        EXPECT_TRUE(isZero(chip.bytes(memory, 11, range))) << "run " << run;
        chip.overwrite(memory, range, 0xff);
      }
  }
}

TEST(DeviceMemory, APatternIsThereWhereverItIsAskedForAndNowhereElse) {
  // Patterns are written when their memory is asked for: ranges that begin and end anywhere must not show that.
  DeviceMemory chip = llvm::cantFail(DeviceMemory::create(*findDevice("n150")));
  constexpr int64_t kEnd = 200000;
  std::vector<uint8_t> expected(kEnd, 0);
  auto check = [&] {
    for (int64_t begin : {int64_t(0), int64_t(16383), int64_t(70001)})
      EXPECT_TRUE(llvm::ArrayRef(expected).drop_front(size_t(begin)) ==
                  llvm::ArrayRef<uint8_t>(chip.bytes(BankedMemory::Dram, 3, {Bytes(begin), Bytes(kEnd)})));
  };
  auto fill = [&](int64_t begin, int64_t end, uint8_t pattern) {
    chip.overwrite(BankedMemory::Dram, {Bytes(begin), Bytes(end)}, pattern);
    std::fill(expected.begin() + begin, expected.begin() + end, pattern);
  };
  fill(100, 150000, 0xff);
  fill(40000, 40010, 0xfe);
  chip.bytes(BankedMemory::Dram, 3, {Bytes(90000), Bytes(90001)})[0] = expected[90000] = 7;
  check();
  fill(16384, 3 * 16384, 0xfe);
  fill(16384, 199999, 0xff);
  fill(5, 6, 0xfe);
  check();
}

TEST(DeviceMemory, TwoDevicesAtATimeShareNothing) {
  const DeviceSpec &device = *findDevice("n150");
  const AddressRange range{Bytes(0), Bytes(64)};
  DeviceMemory one = llvm::cantFail(DeviceMemory::create(device)),
               other = llvm::cantFail(DeviceMemory::create(device));
  one.overwrite(BankedMemory::Dram, range, 0xff);
  EXPECT_TRUE(isZero(other.bytes(BankedMemory::Dram, 0, range)));
}

TEST(Elements, LargeBlocksAreUsedAgain) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  GTEST_SKIP() << "malloc's blocks are watched";
#endif
  constexpr size_t kLarge = 1 << 22;
  auto first = std::make_unique<Elements<float>>(kLarge);
  const float *place = first->data();
  Elements<float> beside(kLarge);
  EXPECT_NE(beside.data(), place);
  first.reset();
  Elements<float> again(kLarge);
  EXPECT_EQ(again.data(), place);
}

TEST(DenseTensor, IsZeroUnlessItIsSaidToBeUnset) {
  TensorDesc large{{1 << 11, 1 << 11}, DataType::Float32};
  {
    DenseTensor tensor = DenseTensor::unset(large);
    llvm::fill(tensor.floats, 1.0f);
  }
  DenseTensor tensor(large);
  EXPECT_TRUE(llvm::all_of(tensor.floats, [](float value) { return value == 0; }));
}

} // namespace
