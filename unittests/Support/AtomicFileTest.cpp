//===- AtomicFileTest.cpp - Whole or untouched -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace tessera;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// What was asked of the system, in order: "sync file", "sync folder", "rename".
std::vector<std::string> asked;

} // namespace

// Stand before the C library's own.
extern "C" int fsync(int descriptor) {
  struct stat status;
  bool folder = ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  asked.push_back(folder ? "sync folder" : "sync file");
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
extern "C" int rename(const char *from, const char *to) noexcept {
  asked.push_back("rename");
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace {

class AtomicFileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-atomic", directory)); }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string file(StringRef name) {
    llvm::SmallString<128> path = directory;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  std::string contents(StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(file(name));
    return buffer ? (*buffer)->getBuffer().str() : "<unreadable>";
  }
  /// Names in the directory, so that a temporary left behind shows.
  size_t entries() {
    std::error_code error;
    size_t count = 0;
    for (llvm::sys::fs::directory_iterator i(directory, error), end; !error && i != end; i.increment(error))
      ++count;
    return count;
  }
  std::string write(StringRef name, StringRef text) {
    return llvm::toString(writeFileAtomically(file(name), [&](raw_ostream &os) { os << text; }));
  }

  llvm::SmallString<128> directory;
};

TEST_F(AtomicFileTest, CreatesAndReplaces) {
  EXPECT_EQ(write("plan.json", "old"), "");
  EXPECT_EQ(contents("plan.json"), "old");
  EXPECT_EQ(write("plan.json", "new and longer"), "");
  EXPECT_EQ(contents("plan.json"), "new and longer");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, OutlivesAPowerFailure) {
  asked.clear();
  EXPECT_EQ(write("plan.json", "whole"), "");
  EXPECT_EQ(asked, (std::vector<std::string>{"sync file", "rename", "sync folder"}));
}

TEST_F(AtomicFileTest, OldFileIsWholeWhileTheNewOneIsWritten) {
  ASSERT_EQ(write("plan.json", "old"), "");
  llvm::cantFail(writeFileAtomically(file("plan.json"), [&](raw_ostream &os) {
    os << "half";
    os.flush();
    EXPECT_EQ(contents("plan.json"), "old");
  }));
  EXPECT_EQ(contents("plan.json"), "half");
}

TEST_F(AtomicFileTest, KeepsPermissionsOfTheOldFile) {
  ASSERT_EQ(write("run.sh", "old"), "");
  ASSERT_FALSE(llvm::sys::fs::setPermissions(file("run.sh"), llvm::sys::fs::owner_all));
  ASSERT_EQ(write("run.sh", "new"), "");
  llvm::ErrorOr<llvm::sys::fs::perms> permissions = llvm::sys::fs::getPermissions(file("run.sh"));
  ASSERT_TRUE(bool(permissions));
  EXPECT_EQ(*permissions, llvm::sys::fs::owner_all);
}

TEST_F(AtomicFileTest, WritesThroughSymbolicLinks) {
  ASSERT_EQ(write("target", "old"), "");
  ASSERT_FALSE(llvm::sys::fs::create_link(file("target"), file("link")));
  ASSERT_EQ(write("link", "new"), "");
  EXPECT_EQ(contents("target"), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(file("link")));
}

TEST_F(AtomicFileTest, WritesThroughSymbolicLinksToWhatIsNotThereYet) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(file("folder")));
  ASSERT_FALSE(llvm::sys::fs::create_link("folder/new", file("relative")));
  ASSERT_FALSE(llvm::sys::fs::create_link(file("relative"), file("absolute")));
  EXPECT_TRUE(sameFile(file("absolute"), file("folder/new")));
  ASSERT_EQ(write("absolute", "text"), "");
  EXPECT_EQ(contents("folder/new"), "text");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(file("absolute")));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(file("relative")));
}

TEST_F(AtomicFileTest, LinksThatLeadNowhereAreErrors) {
  ASSERT_FALSE(llvm::sys::fs::create_link("missing/new", file("nowhere")));
  ASSERT_FALSE(llvm::sys::fs::create_link("circle", file("circle")));
  EXPECT_EQ(write("nowhere", "x"), "cannot write '" + file("nowhere") + "': No such file or directory");
  EXPECT_EQ(write("circle", "x"), "cannot write '" + file("circle") + "': Too many levels of symbolic links");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(AtomicFileTest, DevicesAreWrittenInPlace) {
  EXPECT_EQ(llvm::toString(writeFileAtomically("/dev/null", [](raw_ostream &os) { os << "gone"; })), "");
  llvm::sys::fs::file_status status;
  ASSERT_FALSE(llvm::sys::fs::status("/dev/null", status));
  EXPECT_EQ(status.type(), llvm::sys::fs::file_type::character_file);
}

TEST_F(AtomicFileTest, ErrorsNamePathAndReason) {
  EXPECT_EQ(write("missing/plan.json", "x"),
            "cannot write '" + file("missing/plan.json") + "': No such file or directory");
  ASSERT_FALSE(llvm::sys::fs::create_directory(file("folder")));
  EXPECT_EQ(write("folder", "x"), "cannot write '" + file("folder") + "': Is a directory");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, FullDeviceIsAnErrorNotAnAbort) {
  if (!llvm::sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full on this system";
  std::string message = llvm::toString(writeFileAtomically("/dev/full", [](raw_ostream &os) { os << "x"; }));
  EXPECT_EQ(message, "cannot write '/dev/full': No space left on device");
}

TEST_F(AtomicFileTest, AllFilesOrNone) {
  ASSERT_EQ(write("plan.json", "old"), "");
  auto text = [](raw_ostream &os) { os << "new"; };
  auto writeBoth = [&](std::string second) {
    return llvm::toString(writeFilesAtomically({{file("plan.json"), text}, {std::move(second), text}}));
  };
  EXPECT_EQ(writeBoth(file("missing/other.json")),
            "cannot write '" + file("missing/other.json") + "': No such file or directory");
  if (llvm::sys::fs::exists("/dev/full"))
    EXPECT_EQ(writeBoth("/dev/full"), "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(contents("plan.json"), "old");
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(writeBoth(file("other.json")), "");
  EXPECT_EQ(contents("plan.json"), "new");
  EXPECT_EQ(contents("other.json"), "new");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(AtomicFileTest, TemporariesOfKilledRunsAreRemoved) {
  ASSERT_EQ(write("plan.json.tmp-0", "half"), "");
  ASSERT_EQ(write("other.json.tmp-0", "of another file"), "");
  EXPECT_EQ(write("plan.json", "whole"), "");
  EXPECT_EQ(contents("plan.json"), "whole");
  EXPECT_EQ(contents("plan.json.tmp-0"), "<unreadable>");
  EXPECT_EQ(contents("other.json.tmp-0"), "of another file");
}

TEST_F(AtomicFileTest, TwoAtATimeDoNotDisturbOneAnother) {
  llvm::cantFail(writeFileAtomically(file("plan.json"), [&](raw_ostream &os) {
    os << "the one that ends last";
    os.flush();
    EXPECT_EQ(write("plan.json", "the other"), "");
    EXPECT_EQ(contents("plan.json"), "the other");
  }));
  EXPECT_EQ(contents("plan.json"), "the one that ends last");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, SameFileByWhateverPath) {
  ASSERT_EQ(write("old", ""), "");
  ASSERT_FALSE(llvm::sys::fs::create_directory(file("folder")));
  ASSERT_FALSE(llvm::sys::fs::create_link(file("old"), file("link")));
  ASSERT_FALSE(llvm::sys::fs::create_link(directory, file("here")));
  EXPECT_TRUE(sameFile("-", "-"));
  EXPECT_FALSE(sameFile("-", file("old")));
  EXPECT_TRUE(sameFile(file("old"), file("link")));
  EXPECT_TRUE(sameFile(file("new"), file("folder/../new")));
  EXPECT_TRUE(sameFile(file("new"), file("here/new")));
  EXPECT_TRUE(sameFile("new", "./new"));
  EXPECT_FALSE(sameFile(file("new"), file("old")));
  EXPECT_FALSE(sameFile(file("new"), file("folder/new")));
  EXPECT_FALSE(sameFile("/dev/null", "/dev/null"));
}

TEST_F(AtomicFileTest, DashIsStandardOutput) {
  testing::internal::CaptureStdout();
  llvm::cantFail(writeFileAtomically("-", [](raw_ostream &os) { os << "to people\n"; }));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "to people\n");
}

} // namespace
