//===- DiskCache.cpp - Answers that outlive the run -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A cache must not change a plan, so everything that an answer depends on is a part of its key: the sources of the
// code that answers (kBuild), device, budget and scope as the file's section, and the question itself. It may fail at
// any time; then all is asked as if there were none.
//
//===----------------------------------------------------------------------===//
#include "DiskCache.h"

#include "AnswerSources.h"
#include "RecordRow.h"
#include "tessera/OpModel/Question.h"

namespace tessera {
namespace {

/// Whose answers a cache file holds.
constexpr llvm::StringLiteral kBuild = "tessera " TESSERA_VERSION ", sources " TESSERA_ANSWER_SOURCES;

class DiskCache final : public DiskCachedOpModel {
public:
  DiskCache(std::unique_ptr<OpModel> source, std::optional<RecordFile> file, llvm::StringRef path,
            std::string scope)
      : DiskCachedOpModel(source->context(), nullptr), source(std::move(source)), file(std::move(file)),
        scope(std::move(scope)) {
    used.file = path.str();
  }

  llvm::StringRef name() const override { return source->name(); }
  DiskCacheUse use() const override { return used; }
  bool knows(const std::string &question) const override { return stored(question).has_value(); }

  llvm::Error finish() override {
    file.reset(); // a reader of our own would keep us from writing
    if (added.empty())
      return llvm::Error::success();
    // A cache that cannot be written costs the next run time, and this one nothing: a note, not a failure.
    if (llvm::Error wrong = writeAdded())
      note(llvm::toString(std::move(wrong)));
    else
      used.added = added.size();
    return llvm::Error::success();
  }

protected:
  Answer ask(const std::string &question, const OpQuery &query) const override {
    if (std::optional<Answer> known = find(question, query)) {
      ++used.hits;
      return std::move(*known);
    }
    ++used.misses;
    Answer answer{source->query(query), source->runtime(query)};
    // Also where a broken row stood, which it replaces in the file.
    added.insert_or_assign(question, toRow(answer, query, ctx.layouts));
    return answer;
  }

private:
  std::optional<RecordRow> stored(const std::string &question) const {
    if (!file)
      return std::nullopt;
    llvm::Expected<std::optional<RecordRow>> row = file->find(question);
    if (row)
      return std::move(*row);
    // A cache only saves time: with a broken one all is asked anew, and the user is told once.
    note(llvm::toString(row.takeError()));
    return std::nullopt;
  }

  std::optional<Answer> find(const std::string &question, const OpQuery &query) const {
    std::optional<RecordRow> row = stored(question);
    if (!row)
      return std::nullopt;
    Answer answer;
    std::string wrong = fromRow(*row, query, ctx.layouts, answer);
    if (wrong.empty())
      return answer;
    note("'" + used.file + "' is corrupt: " + wrong + ", for " + query.op.name);
    return std::nullopt;
  }

  llvm::Error writeAdded() {
    // Opened again only now: a file that is open for writing keeps other processes from it while the optimizer works.
    llvm::Expected<RecordFile> cache = RecordFile::openToWrite(used.file, RecordKind::Cache, kBuild);
    if (!cache)
      return cache.takeError();
    if (llvm::Error wrong = cache->selectDevice(scope))
      return wrong;
    if (llvm::Error wrong = cache->write(added))
      return wrong;
    return cache->commit();
  }

  /// The first problem is the one to report.
  void note(std::string problem) const {
    if (used.problem.empty())
      used.problem = std::move(problem);
  }

  std::unique_ptr<OpModel> source;
  // Under the lock of ExternalOpModel while questions are asked.
  mutable std::optional<RecordFile> file;
  std::string scope;
  mutable DiskCacheUse used;
  mutable std::map<std::string, RecordRow> added; // sorted: the same file each time
};

} // namespace

llvm::Expected<std::unique_ptr<DiskCachedOpModel>>
openDiskCache(std::unique_ptr<OpModel> source, llvm::StringRef path, llvm::StringRef scope) {
  // Before anything is planned: a file that is no cache is refused while nothing is lost yet.
  if (llvm::Error wrong = RecordFile::checkWritable(path, RecordKind::Cache, kBuild))
    return std::move(wrong);
  llvm::Expected<std::optional<RecordFile>> file = RecordFile::openCache(path, kBuild);
  if (!file)
    return file.takeError();
  // Answers depend on the budget, and the backend chooses matmul configurations by the L1 that is free.
  const OpModelContext &context = source->context();
  std::string fullScope = scope.str() + "; L1 budget " + std::to_string(context.l1Budget.value()) +
                          ", alone " + std::to_string(context.l1Alone.value()) + "; " +
                          deviceText(context.device);
  if (*file)
    if (llvm::Error wrong = (*file)->selectDevice(fullScope))
      return std::move(wrong);
  return std::make_unique<DiskCache>(std::move(source), std::move(*file), path, std::move(fullScope));
}

} // namespace tessera
