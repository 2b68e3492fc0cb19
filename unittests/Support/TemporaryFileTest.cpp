//===- TemporaryFileTest.cpp - Gone afterwards -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/TemporaryFile.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

using namespace tessera;

namespace {

TEST(TemporaryFile, IsGoneAtTheEndOfItsScope) {
  std::string path;
  {
    TemporaryFile file = llvm::cantFail(TemporaryFile::make("tessera-test", "txt"));
    TemporaryFile moved = std::move(file);
    path = moved.path();
    EXPECT_TRUE(llvm::StringRef(path).ends_with(".txt"));
    EXPECT_TRUE(llvm::sys::fs::exists(path));
  }
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST(TemporaryFile, ErrorNamesTheFolder) {
  const char *before = std::getenv("TMPDIR");
  std::optional<std::string> kept = before ? std::optional<std::string>(before) : std::nullopt;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  llvm::Expected<TemporaryFile> file = TemporaryFile::make("tessera-test", "txt");
  kept ? ::setenv("TMPDIR", kept->c_str(), 1) : ::unsetenv("TMPDIR");
  ASSERT_FALSE(bool(file));
  EXPECT_EQ(llvm::toString(file.takeError()),
            "cannot make a file in '/no/such/folder', the folder for temporary files (TMPDIR names "
            "another): No such file or directory");
}

} // namespace
