//===- RecordedOpModel.cpp - Answers that were given before ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A run that records writes down what its source answers, and a run that replays gives the same answers without that
// source: on a machine without the vendor's library, and in tests. Questions are the text of Question.h, so a record
// holds for whoever asks the same, whatever asks it.
//
//===----------------------------------------------------------------------===//
#include "RecordedOpModel.h"

#include "Answer.h"
#include "RecordRow.h"
#include "tessera/OpModel/Question.h"

namespace tessera {
namespace {

class RecordedOpModel final : public ExternalOpModel {
public:
  RecordedOpModel(OpModelContext context, std::unique_ptr<OpModel> fallback, RecordFile file,
                  std::string path)
      : ExternalOpModel(std::move(context), std::move(fallback)), file(std::move(file)),
        path(std::move(path)) {}

  llvm::StringRef name() const override { return "recorded"; }

  llvm::Error finish() override {
    // Answers so far stand, but nothing that was planned without one that cannot be read may: the run fails at its
    // end.
    if (failure.empty())
      return llvm::Error::success();
    return llvm::createStringError(llvm::inconvertibleErrorCode(), failure);
  }

protected:
  Answer ask(const std::string &question, const OpQuery &query) const override {
    llvm::Expected<std::optional<RecordRow>> row = file.find(question);
    if (!row)
      return unreadable(llvm::toString(row.takeError()));
    if (!*row)
      // No answer is not a refusal: a policy then leaves the op where it is, as it does with ops that a model does not
      // know.
      return refusal(ValidationStatus::NotImplemented, "recorded.missing",
                     query.op.name + ": '" + path + "' has no answer for these layouts on this device");
    Answer answer;
    if (std::string wrong = fromRow(**row, query, ctx.layouts, answer); !wrong.empty())
      return unreadable("'" + path + "' is corrupt: " + wrong + ", for " + query.op.name);
    return answer;
  }

private:
  /// The first failure is the one to report.
  Answer unreadable(std::string reason) const {
    if (failure.empty())
      failure = reason;
    return refusal(ValidationStatus::NotImplemented, "recorded.unreadable", std::move(reason));
  }

  mutable RecordFile file; // under the lock of ExternalOpModel, like `failure`
  std::string path;
  mutable std::string failure;
};

class RecordingOpModel final : public ExternalOpModel {
public:
  RecordingOpModel(std::unique_ptr<OpModel> source, std::string path, std::string modelVersion)
      : ExternalOpModel(source->context(), nullptr), source(std::move(source)), path(std::move(path)),
        modelVersion(std::move(modelVersion)) {}

  llvm::StringRef name() const override { return source->name(); }

  llvm::Error finish() override {
    llvm::Expected<RecordFile> file = RecordFile::openToWrite(path, RecordKind::Record, modelVersion);
    if (!file)
      return file.takeError();
    if (llvm::Error wrong = file->selectDevice(deviceText(ctx.device)))
      return wrong;
    // All at the end, in one transaction: a run that is killed leaves the record as it was.
    if (llvm::Error wrong = file->write(rows))
      return wrong;
    return file->commit();
  }

protected:
  Answer ask(const std::string &question, const OpQuery &query) const override {
    // Whatever the answer is, refusals too: a replay must not have to ask anybody.
    Answer answer{source->query(query), source->runtime(query)};
    rows.insert_or_assign(question, toRow(answer, query, ctx.layouts));
    return answer;
  }

private:
  std::unique_ptr<OpModel> source;
  std::string path, modelVersion;
  mutable std::map<std::string, RecordRow>
      rows; // under the lock of ExternalOpModel; sorted: the same file each time
};

} // namespace

llvm::Expected<std::unique_ptr<ExternalOpModel>> openRecord(OpModelContext context, llvm::StringRef path,
                                                            std::unique_ptr<OpModel> fallback) {
  llvm::Expected<RecordFile> file = RecordFile::openToRead(path);
  if (!file)
    return file.takeError();
  if (llvm::Error wrong = file->selectDevice(deviceText(context.device)))
    return std::move(wrong);
  return std::make_unique<RecordedOpModel>(std::move(context), std::move(fallback), std::move(*file),
                                           path.str());
}

llvm::Expected<std::unique_ptr<ExternalOpModel>>
openForRecording(std::unique_ptr<OpModel> source, llvm::StringRef path, llvm::StringRef modelVersion) {
  // At the start, since the end of a long run is too late to learn that its answers cannot be kept.
  if (llvm::Error wrong = RecordFile::checkWritable(path, RecordKind::Record, modelVersion))
    return std::move(wrong);
  return std::make_unique<RecordingOpModel>(std::move(source), path.str(), modelVersion.str());
}

} // namespace tessera
