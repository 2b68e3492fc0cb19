//===- Runner.cpp - Many attempts, and what is wrong with them ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Runner.h"

#include "Tools.h"

#include "tessera/Support/ToolProcess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::StringRef;

namespace tessera::fuzz {
namespace {

constexpr const char *kErrors = "stderr"; ///< what the attempt said, in its folder
/// Hangs that take no processor time end as well, but a busy machine is not a hang.
constexpr unsigned kWallClockFactor = 30;
constexpr rlim_t kMostMemory = rlim_t(4) << 30;

/// What a child tells its parent.
struct Progress {
  uint64_t index = 0; ///< of the attempt that runs; the end if all have
  RunResult result;
};

std::string contentsOf(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

void write(const llvm::Twine &path, StringRef contents) {
  std::string name = path.str();
  if (StringRef folder = llvm::sys::path::parent_path(name); !folder.empty())
    llvm::sys::fs::create_directories(folder);
  std::error_code error;
  llvm::raw_fd_ostream(name, error) << contents;
}

llvm::SmallString<128> createFolder() {
  // Files of an attempt live for milliseconds: in memory, if the system has a place for that.
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("/dev/shm/tessera-fuzz", folder))
    llvm::sys::fs::createUniqueDirectory("tessera-fuzz", folder);
  return folder;
}

/// What is wrong with how an attempt ended, or "".
std::string judge(const Attempt &attempt, int code, StringRef said) {
  size_t errors = said.count("error: ");
  if (code < 0 || code > 2)
    return "exit code " + std::to_string(code);
  bool answer = code == 0 || (code == 1 && attempt.mayAnswerNo && errors == 0);
  bool asExpected = answer ? errors == 0 : attempt.mayRepeatErrors ? errors >= 1 : errors == 1;
  if (!asExpected)
    return "exit code " + std::to_string(code) + " with " + std::to_string(errors) + " errors";
  return "";
}

// ---- The child -------------------------------------------------------------------------------------------

void limitTime(unsigned seconds) {
  itimerval processor{}, wall{};
  processor.it_value.tv_sec = seconds;
  wall.it_value.tv_sec = seconds * kWallClockFactor;
  ::setitimer(ITIMER_PROF, &processor, nullptr);
  ::setitimer(ITIMER_REAL, &wall, nullptr);
}

void limitMemory() {
#if !__has_feature(address_sanitizer) // which reserves terabytes
  rlimit limit{kMostMemory, kMostMemory};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

void redirect(int descriptor, const char *path) {
  int file = ::open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
  ::dup2(file, descriptor);
  ::close(file);
}

/// A child's share of the attempts, and its place for files.
class Worker {
public:
  Worker(const Kind &kind, const Inputs &inputs, const RunOptions &options, uint64_t first, uint64_t end)
      : kind(kind), inputs(inputs), options(options), end(end) {
    void *memory =
        ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    progress = new (memory) Progress();
    progress->index = first;
    folder = createFolder();
    write(folder + "/model.mlir", inputs.model);
  }
  Worker(const Worker &) = delete;
  ~Worker() {
    ::munmap(progress, sizeof(Progress));
    llvm::sys::fs::remove_directories(folder);
  }

  /// Forks a child that goes on with the next attempt.
  void start() {
    child = ::fork();
    if (child == 0)
      work();
  }

  /// Takes note of how the child ended. True if there is more to do.
  bool ended(int status) {
    if (status == 0)
      return false;
    bool all = progress->index == end;
    if (all) // the leak checker looks when a process ends
      --progress->index;
    fail(make(), (all ? "at the end, " : "") + describe(status), contentsOf(folder + "/" + kErrors));
    return ++progress->index != end;
  }

  const RunResult &result() const { return progress->result; }
  pid_t child = 0;

private:
  [[noreturn]] void work() {
    if (::chdir(folder.c_str()) != 0)
      ::_exit(1);
    redirect(STDERR_FILENO, kErrors);
    limitMemory();
    for (; progress->index != end; ++progress->index)
      attempt();
    std::exit(0);
  }

  void attempt() {
    Attempt next = make();
    removeOutputs();
    for (const auto &[name, contents] : next.files)
      write(name, contents);
    if (::ftruncate(STDERR_FILENO, 0) != 0)
      ::_exit(1);
    limitTime(options.seconds);
    int code = runTool(next.command);
    limitTime(0);
    std::string said = contentsOf(kErrors), wrong = judge(next, code, said);
    ++(code == 0 ? progress->result.accepted : progress->result.refused);
    if (!wrong.empty())
      fail(next, wrong, said);
  }

  Attempt make() const {
    Random random(options.seed, kind.name, progress->index);
    return kind.make(inputs, random);
  }

  /// What attempts leave behind must not reach the next.
  static void removeOutputs() {
    std::error_code error;
    std::vector<std::string> paths;
    for (llvm::sys::fs::directory_iterator i(".", error), end; !error && i != end; i.increment(error))
      if (StringRef name = llvm::sys::path::filename(i->path()); name != kErrors && name != "model.mlir")
        paths.push_back(i->path());
    for (const std::string &path : paths)
      if (llvm::sys::fs::is_directory(path))
        llvm::sys::fs::remove_directories(path);
      else
        llvm::sys::fs::remove(path);
  }

  void fail(const Attempt &attempt, StringRef wrong, StringRef said) {
    ++progress->result.failures;
    std::string name =
        (kind.name + "-" + llvm::Twine(options.seed) + "-" + llvm::Twine(progress->index)).str();
    std::string kept = options.failures + "/" + name;
    llvm::sys::fs::create_directories(kept);
    for (const auto &[file, contents] : attempt.files)
      write(kept + "/" + file, contents);
    write(kept + "/model.mlir", inputs.model);
    write(kept + "/command", quotedCommandLine(attempt.command) + "\n");
    write(kept + "/wrong", (wrong + "\n" + said).str());
    // In one piece: other children may have something to say.
    std::string line = (name + ": " + wrong + "; see " + kept + "\n").str();
    [[maybe_unused]] ssize_t written = ::write(options.messages, line.data(), line.size());
  }

  std::string describe(int status) const {
    if (WIFEXITED(status))
      return "the process ended with exit code " + std::to_string(WEXITSTATUS(status));
    int signal = WTERMSIG(status);
    if (signal == SIGPROF || signal == SIGALRM)
      return "no end after " + std::to_string(options.seconds) + " s of processor time";
    return "signal " + std::to_string(signal);
  }

  const Kind &kind;
  const Inputs &inputs;
  const RunOptions &options;
  uint64_t end;
  Progress *progress;
  llvm::SmallString<128> folder;
};

} // namespace

RunResult run(const Kind &kind, const Inputs &inputs, const RunOptions &options) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned job = 0; job != options.jobs; ++job) {
    uint64_t first = options.first + options.count * job / options.jobs;
    uint64_t end = options.first + options.count * (job + 1) / options.jobs;
    if (first != end) {
      workers.push_back(std::make_unique<Worker>(kind, inputs, options, first, end));
      workers.back()->start();
    }
  }
  for (size_t running = workers.size(); running != 0;) {
    int status = 0;
    pid_t child = ::wait(&status);
    for (const auto &worker : workers)
      if (worker->child == child && worker->ended(status))
        worker->start();
      else if (worker->child == child)
        --running;
  }
  RunResult sum;
  for (const auto &worker : workers) {
    sum.accepted += worker->result().accepted;
    sum.refused += worker->result().refused;
    sum.failures += worker->result().failures;
  }
  return sum;
}

} // namespace tessera::fuzz
