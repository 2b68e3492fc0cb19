//===- TtnnWorkers.cpp - The vendor's library, asked several things at once ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Questions are independent of each other, and the library answers one at a time; so several processes of it share a
// list. Answers are by question and not by who gave them, so the number of sessions changes no result.
//
//===----------------------------------------------------------------------===//
#include "tessera/Library/TtnnWorkers.h"

#include <atomic>
#include <mutex>
#include <thread>

using namespace tessera;
namespace json = llvm::json;

namespace {

/// A session more is worth its start from so many questions on.
constexpr size_t kQuestionsPerSession = 1000;

/// Questions that several sessions share, and their answers.
class Work {
public:
  Work(llvm::ArrayRef<std::string> requests, const ProgressFunction &progress)
      : answers(requests.size()), requests(requests), progress(progress) {}

  /// Takes one question after the other until there are none, or one fails.
  void runIn(TtnnSession &session) {
    for (size_t i; (i = next++) < requests.size();) {
      llvm::Expected<json::Object> answer = session.ask(requests[i]);
      std::lock_guard lock(mutex);
      if (!answer) {
        // The other sessions finish the question that they are at, and take no more.
        next = requests.size();
        trouble = llvm::joinErrors(std::move(trouble), answer.takeError());
        return;
      }
      // In the place of its question, whichever session answers: the order does not depend on the number of
      // sessions.
      answers[i] = std::move(*answer);
      reportProgress(progress, "asking ttnn", ++done, requests.size());
    }
  }

  std::vector<json::Object> answers;
  llvm::Error trouble = llvm::Error::success();

private:
  llvm::ArrayRef<std::string> requests;
  const ProgressFunction &progress;
  std::atomic<size_t> next = 0;
  std::mutex mutex; ///< of all that follows, answers and trouble
  size_t done = 0;
};

} // namespace

llvm::Expected<TtnnWorkers> TtnnWorkers::open(const TtnnLibrary &library, const DeviceSpec &device,
                                              unsigned most) {
  TtnnWorkers workers(library, device, most);
  if (llvm::Error error = workers.grow(1))
    return std::move(error);
  return workers;
}

/// Sessions are kept: the next questions find them running.
llvm::Error TtnnWorkers::grow(size_t count) {
  while (sessions.size() < count) {
    llvm::Expected<TtnnSession> session = TtnnSession::open(library, device);
    if (!session)
      return session.takeError();
    sessions.push_back(std::move(*session));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<json::Object>> TtnnWorkers::ask(llvm::ArrayRef<std::string> requests,
                                                           const ProgressFunction &progress) {
  size_t useful = 1 + requests.size() / kQuestionsPerSession;
  if (llvm::Error error = grow(std::min<size_t>(most, useful)))
    return std::move(error);
  Work work(requests, progress);
  std::vector<std::thread> others;
  // The first session is served by this thread: with one there is none to start.
  for (TtnnSession &session : llvm::MutableArrayRef(sessions).drop_front())
    others.emplace_back([&] { work.runIn(session); });
  work.runIn(sessions.front());
  for (std::thread &other : others)
    other.join();
  if (work.trouble)
    return std::move(work.trouble);
  return std::move(work.answers);
}
