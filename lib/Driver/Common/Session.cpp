//===- Session.cpp - What commands on modules have in common --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What every command has in common with a user: how errors are worded, which
// exit code they end in, where they go, and that a file is there as a whole or
// not at all.
//
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "tessera/Device/DeviceNames.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/Support/ModuleText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tessera;

std::unique_ptr<mlir::MLIRContext> tessera::makeContext() {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  // Ops of others pass through; what they are is not our business.
  context->allowUnregisteredDialects();
  // The line of the file is shown with a diagnostic; the op's text would be the same again.
  context->printOpOnDiagnostic(false);
  return context;
}

/// Null: standard error. Of each thread, as calls of a program that embeds Tessera may run side by side.
static thread_local llvm::raw_ostream *listening = nullptr;

llvm::raw_ostream &tessera::errorStream() { return listening ? *listening : llvm::errs(); }
CapturedErrors::CapturedErrors() : before(std::exchange(listening, &stream)) {}
CapturedErrors::~CapturedErrors() { listening = before; }

int tessera::inputError(const llvm::Twine &message) {
  errorStream() << "tessera: error: " << message << "\n";
  return kInputError;
}

int tessera::usageError(const llvm::Twine &message) {
  inputError(message);
  return kUsageError;
}

const DeviceSpec *tessera::findDeviceOrDiagnose(llvm::StringRef name) {
  llvm::Expected<const DeviceSpec *> device = deviceNamed(name);
  if (device)
    return *device;
  usageError(llvm::toString(device.takeError()));
  return nullptr;
}

std::optional<uint64_t> tessera::readSizeOrDiagnose(llvm::StringRef option, llvm::StringRef text) {
  llvm::StringRef number = text;
  unsigned shift = number.consume_back("K")   ? 10
                   : number.consume_back("M") ? 20
                   : number.consume_back("G") ? 30
                                              : 0;
  uint64_t value = 0;
  // Compared before it is shifted, as the shift may overflow.
  if (!number.getAsInteger(10, value) && value > 0 && value <= (uint64_t(1) << 44) >> shift)
    return value << shift;
  usageError(option + " takes a number of bytes up to 16384G, e.g. 512M, not '" + text + "'");
  return std::nullopt;
}

bool tessera::checkOrDiagnose(const OpModelOptions &options) {
  std::string wrong = checkOpModelOptions(options);
  if (!wrong.empty())
    usageError(wrong);
  return wrong.empty();
}

/// On one line, without the source: a deep model has a remark for every layer.
static void printRemark(mlir::Diagnostic &diagnostic) {
  if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    llvm::errs() << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn();
  else
    llvm::errs() << "tessera";
  llvm::errs() << ": remark: " << diagnostic.str() << "\n";
}

/// Of a line that is shown with a diagnostic. An op with all its types has some hundreds of characters, one with weights
/// in its text has millions.
static constexpr size_t kLongestLine = 4000, kShownOfLonger = 160;

/// As LLVM prints it, but of a very long line the part around the place alone.
static void printWithLine(const llvm::SMDiagnostic &diagnostic, void *) {
  llvm::StringRef line = diagnostic.getLineContents();
  if (line.size() <= kLongestLine || diagnostic.getColumnNo() < 0) {
    diagnostic.print(nullptr, llvm::errs());
    return;
  }
  size_t column = std::min(size_t(diagnostic.getColumnNo()), line.size());
  size_t begin = column - std::min(column, kShownOfLonger / 2);
  std::string place =
      llvm::formatv("{0}:{1}:{2}", diagnostic.getFilename(), diagnostic.getLineNo(), column + 1);
  llvm::SMDiagnostic(place, diagnostic.getKind(), diagnostic.getMessage()).print(nullptr, llvm::errs());
  llvm::StringRef front = begin > 0 ? "... " : "", back = begin + kShownOfLonger < line.size() ? " ..." : "";
  llvm::errs() << front << line.substr(begin, kShownOfLonger) << back << "\n";
  llvm::errs().indent(unsigned(front.size() + column - begin)) << "^\n";
}

SessionDiagnostics::SessionDiagnostics(mlir::MLIRContext *context, llvm::SourceMgr &sources, bool remarks)
    : withPlace(sources, context, llvm::errs()), first(context, [remarks](mlir::Diagnostic &diagnostic) {
        using enum mlir::DiagnosticSeverity;
        if (diagnostic.getSeverity() == Remark) {
          if (remarks)
            printRemark(diagnostic);
          return mlir::success();
        }
        // Without a place there is no line to show, only the message.
        bool ours = isa<mlir::UnknownLoc>(diagnostic.getLocation()) &&
                    (diagnostic.getSeverity() == Error || diagnostic.getSeverity() == Warning);
        if (ours)
          llvm::errs() << "tessera: " << (diagnostic.getSeverity() == Error ? "error: " : "warning: ")
                       << diagnostic.str() << "\n";
        return mlir::success(ours);
      }) {
  sources.setDiagHandler(printWithLine);
}

/// Of a file, to see whether it is text.
static constexpr size_t kLookedAt = 4096;

/// Why a file is no module before the parser looks at it, which would name a token and show the line, all of the file
/// where JSON is on one, and bytes of no text; "" of what may be one.
static std::string noModule(const std::string &path, llvm::StringRef text) {
  if (path == "-" && text.empty())
    return "standard input is empty; it can be read once only";
  std::string shown = path == "-" ? "standard input" : "'" + path + "'";
  if (!text.starts_with("ML\xefR") && text.take_front(kLookedAt).contains('\0'))
    return shown + " is neither text nor MLIR bytecode, and so no module";
  // A module may have its resources in front of all else, and no JSON text begins like these.
  if (text.ltrim().starts_with("{") && !text.ltrim().starts_with("{-#"))
    return shown + " is JSON and no module; 'tessera explain', 'report', 'diff' and 'export' read decisions, "
                   "by the name of their file";
  return "";
}

bool tessera::readInput(const std::string &path, bool allowBytecode, llvm::SourceMgr &sources) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    inputError("cannot read '" + path + "': " + buffer.getError().message());
    return false;
  }
  if (std::string why = noModule(path, (*buffer)->getBuffer()); !why.empty()) {
    inputError(why);
    return false;
  }
  if (llvm::Error unreadable = checkModuleText(**buffer, allowBytecode)) {
    llvm::errs() << llvm::toString(std::move(unreadable))
                 << "\n"; // has its place in front, like the parser's
    return false;
  }
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return true;
}

bool tessera::checkOutputs(std::vector<OutputOption> outputs, const OpModelOptions &opModel) {
  // Records and caches are outputs, too.
  outputs.push_back({"--op-model", recordFile(opModel.choice)});
  outputs.push_back({"--op-model-cache", opModel.cacheFile});
  llvm::erase_if(outputs, [](const OutputOption &output) { return output.path.empty(); });
  for (size_t i = 0; i != outputs.size(); ++i)
    for (const OutputOption &earlier : llvm::ArrayRef(outputs).take_front(i)) {
      if (!sameFile(outputs[i].path, earlier.path))
        continue;
      usageError(earlier.option + " and " + outputs[i].option + " both write " +
                 (earlier.path == "-" ? std::string("standard output") : "'" + outputs[i].path + "'"));
      return false;
    }
  return true;
}

bool tessera::canBeMade(const std::string &file) {
  namespace fs = llvm::sys::fs;
  // Standard output, whatever lies in the working folder under that name.
  if (file == "-")
    return true;
  // Empty for files of the working folder, and for "", of which none is made.
  llvm::StringRef folder = llvm::sys::path::parent_path(file);
  if (fs::is_directory(file))
    inputError("cannot write '" + file + "': Is a directory");
  else if (!folder.empty() && !fs::is_directory(folder))
    inputError("cannot write '" + file + "': there is no folder '" + folder + "'");
  else
    return true;
  return false;
}

OutputFile tessera::jsonFile(const std::string &path, llvm::json::Value value) {
  return {path,
          [value = std::move(value)](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}", value) << "\n"; }};
}

bool tessera::writeFiles(std::vector<OutputFile> files) {
  llvm::erase_if(files, [](const OutputFile &file) { return file.path.empty(); });
  if (llvm::Error error = writeFilesAtomically(files)) {
    inputError(llvm::toString(std::move(error)));
    return false;
  }
  return true;
}
