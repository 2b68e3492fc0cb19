//===- CliffsCommand.cpp - tessera ops cliffs -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A model of times that jumps where the hardware does not would lead a search
// astray, which takes any step that looks cheap. Jumps are looked for by moving
// one tensor of one op at a time, and each that is found has to have a reason
// that is written down, or the command fails.
//
//===----------------------------------------------------------------------===//
#include "../Common/OpsOfFile.h"
#include "../Common/Session.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Evaluation/Cliffs.h"
#include "tessera/OpModel/QueryText.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tessera;

namespace {

/// The files themselves, and those with TTNN modules of each folder in order of their names; nullopt after a diagnostic.
std::optional<std::vector<std::string>> filesOf(const std::vector<std::string> &inputs) {
  std::vector<std::string> files;
  for (const std::string &input : inputs) {
    if (!llvm::sys::fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    std::error_code error;
    std::vector<std::string> inFolder;
    for (llvm::sys::fs::directory_iterator it(input, error), end; it != end && !error; it.increment(error))
      if (llvm::sys::path::extension(it->path()) == ".mlir")
        inFolder.push_back(it->path());
    // A part of a folder would pass for all of it.
    if (error) {
      inputError("cannot read '" + input + "': " + error.message());
      return std::nullopt;
    }
    // Nothing to search would pass for nothing that was found.
    if (inFolder.empty()) {
      inputError("no .mlir files in '" + input + "'");
      return std::nullopt;
    }
    llvm::sort(inFolder);
    files.insert(files.end(), inFolder.begin(), inFolder.end());
  }
  return files;
}

/// The op with its tensors in the pages that the program gives them; nullopt if one is not on the device.
std::optional<CliffSubject> subjectOf(const OpOfFile &op) {
  const Problem &problem = op.function->problem;
  CliffSubject subject;
  subject.signature = problem.signature(op.id);
  auto add = [&](ValueId value, llvm::SmallVectorImpl<PageLayout> &pages) {
    const TensorLayout &layout = problem.layout(problem[value].declared);
    pages.push_back(layout.page);
    return layout.onDevice();
  };
  for (ValueId value : op.op().operands)
    if (!add(value, subject.operands))
      return std::nullopt;
  for (ValueId value : op.op().results)
    if (!add(value, subject.results))
      return std::nullopt;
  // A tensor that could not be described leaves no place to vary.
  if (subject.operands.size() != subject.signature.operands.size() ||
      subject.results.size() != subject.signature.results.size())
    return std::nullopt;
  return subject;
}

bool searchModule(const std::string &path, bool allowBytecode, const DeviceSpec &device,
                  CliffSearch &search) {
  // The version that the model answers for: a context names none unless it is told to.
  std::unique_ptr<OpsOfFile> file = OpsOfFile::read(path, allowBytecode, &device, {"analytic", "pinned"});
  if (!file)
    return false;
  for (const OpOfFile &op : file->ops())
    if (std::optional<CliffSubject> subject = subjectOf(op)) {
      search.add(*subject);
      // Policies insert conversions behind any op, so those of its results are searched as well.
      for (const TensorDesc &result : subject->signature.results)
        search.addConversions(result);
    }
  return true;
}

/// One query a line, as `tessera ops explain` takes them; # begins a comment.
bool searchQueries(const std::string &path, const DeviceSpec &device, CliffSearch &search) {
  llvm::SourceMgr sources;
  if (!readInput(path, /*allowBytecode=*/false, sources))
    return false;
  llvm::SmallVector<llvm::StringRef> lines;
  sources.getMemoryBuffer(sources.getMainFileID())->getBuffer().split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    llvm::StringRef text = line.split('#').first.trim();
    if (text.empty())
      continue;
    // A subject keeps kinds of pages and no layouts, so the pool may go.
    LayoutPool layouts;
    llvm::Expected<TextQuery> query = parseQueryText(text, layouts, device);
    if (!query) {
      inputError(llvm::formatv("{0}:{1}: {2}", path, number + 1, llvm::toString(query.takeError())));
      return false;
    }
    CliffSubject subject{query->signature, {}, {}};
    for (LayoutId id : query->inputs)
      subject.operands.push_back(layouts[id].page);
    for (LayoutId id : query->config.outputs)
      subject.results.push_back(id.valid() ? layouts[id].page : PageLayout::Tile);
    search.add(subject);
    for (const TensorDesc &result : subject.signature.results)
      search.addConversions(result);
  }
  return true;
}

std::string times(const LayoutChange &worst) {
  return worst.ratio() == 0 || worst.from.query == worst.to.query
             ? "-"
             : llvm::formatv("{0:F2}", worst.ratio()).str();
}

std::string microseconds(const LayoutChange &worst) {
  return llvm::formatv("{0:F2} -> {1:F2}", worst.from.time.total.value() / 1e3,
                       worst.to.time.total.value() / 1e3)
      .str();
}

/// A table of Markdown, one row per family, kind and reason.
void writeReport(const DeviceSpec &device, const CliffSearch &search, llvm::raw_ostream &os) {
  os << llvm::formatv("## {0}\n\n{1} signatures, {2} comparisons; {3} pairs unexplained.\n\n", device.name,
                      search.subjects(), search.comparisons(), search.unexplained())
     << "| family | | what moves | pairs | reason | worst ratio | us | from | worst case |\n"
     << "|---|---|---|---:|---|---:|---:|---|---|\n";
  for (const auto &[key, cliff] : search.cliffs())
    os << llvm::formatv("| {0} | {1} | {2} | {3} | {4} | {5} | {6} | {7} | `{8}` |\n", key.family,
                        name(key.kind), key.slot, cliff.count, key.reason.empty() ? "**none**" : key.reason,
                        times(cliff.worst), microseconds(cliff.worst), cliff.worst.from.place,
                        cliff.worst.to.query);
  os << "\n";
}

void printUnexplained(const DeviceSpec &device, const CliffSearch &search) {
  for (const auto &[key, cliff] : search.cliffs())
    if (key.reason.empty())
      llvm::errs() << llvm::formatv(
          "tessera: error: {0}: unexplained {1} of {2}, {3} from {4} to {5}: {6} us, {7} "
          "pairs\n  {8}\n  {9}\n",
          device.name, name(key.kind), key.family, key.slot, cliff.worst.from.place, cliff.worst.to.place,
          microseconds(cliff.worst), cliff.count, cliff.worst.from.query, cliff.worst.to.query);
}

} // namespace

int tessera::searchCliffs(const CliffsArguments &arguments) {
  std::string report;
  llvm::raw_string_ostream os(report);
  size_t unexplained = 0;
  std::optional<std::vector<std::string>> files = filesOf(arguments.inputs);
  if (!files)
    return kInputError;
  for (const std::string &deviceName : arguments.devices) {
    const DeviceSpec *device = findDeviceOrDiagnose(deviceName);
    if (!device)
      return kUsageError;
    LayoutPool layouts;
    std::unique_ptr<OpModel> model = createAnalyticOpModel({*device, layouts, l1Budget(*device)});
    CliffSearch search(*model);
    for (const std::string &file : *files)
      if (!(llvm::StringRef(file).ends_with(".txt")
                ? searchQueries(file, *device, search)
                : searchModule(file, arguments.allowBytecode, *device, search)))
        return kInputError;
    llvm::outs() << llvm::formatv("{0}: {1} signatures, {2} comparisons, {3} pairs unexplained\n",
                                  device->name, search.subjects(), search.comparisons(),
                                  search.unexplained());
    // A device takes minutes: its line is to be seen before the next one starts.
    llvm::outs().flush();
    printUnexplained(*device, search);
    writeReport(*device, search, os);
    unexplained += search.unexplained();
  }
  // The report is written as a whole at the end, so that a search that stops early leaves the old one.
  if (!writeFiles({{arguments.report, [&](llvm::raw_ostream &file) { file << report; }}}))
    return kInputError;
  return unexplained ? kInputError : kSuccess;
}
