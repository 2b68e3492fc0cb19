//===- NpyTest.cpp - NumPy's files ----------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include "tessera/Simulator/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::simulator;

namespace {

/// A file that goes when the test does.
struct TemporaryFile {
  explicit TemporaryFile(llvm::StringRef content) {
    int descriptor = 0;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tessera", "npy", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::SmallString<64> path;
};

std::string written(const DenseTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeNpy(tensor, os);
  return text;
}

TEST(Npy, ComesBack) {
  for (DataType dtype : {DataType::Float32, DataType::Int32, DataType::UInt32}) {
    DenseTensor tensor = counting({2, 3}, dtype);
    std::string text = written(tensor);
    EXPECT_EQ((text.size() - 24) % 64, 0u) << "data begin at a multiple of 64";
    llvm::Expected<DenseTensor> back = readNpy(TemporaryFile(text).path, tensor.desc);
    ASSERT_TRUE(bool(back));
    EXPECT_EQ(valuesOf(*back), valuesOf(tensor));
  }
}

TEST(Npy, HeaderAsNumPyWritesIt) {
  std::string text = written(counting({3}));
  EXPECT_NE(text.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"), std::string::npos);
}

TEST(Npy, ErrorsSayWhatIsWrong) {
  auto error = [](const std::string &text, TensorDesc wanted) {
    TemporaryFile file(text);
    llvm::Expected<DenseTensor> tensor = readNpy(file.path, wanted);
    return tensor ? std::string() : llvm::toString(tensor.takeError()).substr(file.path.size() + 3);
  };
  std::string good = written(counting({2, 3}));
  TensorDesc wanted{{2, 3}, DataType::Float32};
  EXPECT_EQ(error("nothing", wanted), "is no .npy file");
  EXPECT_EQ(error(good, {{3, 2}, DataType::Float32}), "holds 2x3 f32; the argument is 3x2 f32");
  EXPECT_EQ(error(good.substr(0, good.size() - 1), wanted), "ends before its data do");
  EXPECT_EQ(error(written(counting({2}, DataType::Float32, 0.5)), {{2}, DataType::Int32}),
            "holds 0.5 at element 1; the argument is 2 si32, which cannot");
  EXPECT_EQ(error(written(counting({2}, DataType::Int32, -1)), {{2}, DataType::UInt16}),
            "holds -1 at element 1; the argument is 2 u16, which cannot");
}

} // namespace
