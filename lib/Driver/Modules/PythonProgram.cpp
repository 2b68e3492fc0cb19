//===- PythonProgram.cpp - A module as a program for ttnn -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// C++ lists what a program does, as JSON: arguments, steps, names, what is
// freed. The Python side, which knows how the library's functions are called,
// makes text of it. So calls are written in the place where `tessera judge`
// makes them as well, and a program says what was judged.
//
// Names of variables are given here, as judging a program looks tensors up by
// them (pythonNames).
//
//===----------------------------------------------------------------------===//
#include "PythonProgram.h"

#include "../Common/WrittenDeallocates.h"
#include "tessera/Bridge/Loops.h"
#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Library/TtnnLibrary.h"
#include "tessera/OpModel/LayoutJson.h"
#include "tessera/OpModel/Question.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace tessera;
namespace json = llvm::json;

namespace {

/// "p_1_n1" for "p[1]['n1']", and for "p_1___n1__" as a compiler writes that: letters and digits, no digit first, and one underscore for
/// whatever stands between them.
std::string identifier(llvm::StringRef text) {
  std::string name;
  for (char c : text)
    if (llvm::isAlnum(c))
      name += c;
    else if (name.empty() || name.back() != '_')
      name += '_';
  if (name.size() > 1 && name.back() == '_')
    name.pop_back();
  return name.empty() || llvm::isDigit(name.front()) ? "v_" + name : name;
}

/// What names in a program may not be: words of the language, and what the program itself uses.
constexpr llvm::StringLiteral kTaken[] = {
    "False",     "None",       "True",      "and",         "as",           "assert",       "async",
    "await",     "break",      "class",     "continue",    "def",          "del",          "elif",
    "else",      "except",     "finally",   "for",         "from",         "global",       "if",
    "import",    "in",         "is",        "lambda",      "nonlocal",     "not",          "or",
    "pass",      "raise",      "return",    "try",         "while",        "with",         "yield",
    "ttnn",      "device",     "input",     "kept",        "place",        "sharded",      "forward",
    "constants", "list",       "range",     "gather_rows", "is_true",      "whole_number", "numbers_of",
    "numpy",     "slice_part", "tensor_of", "places_of",   "scatter_rows", "CONSTANTS",    "INPUTS",
    "_kept",     "cumulate",   "json",      "pathlib",     "float",        "row_numbers",  "sort_in_order",
    "bool",      "enumerate",  "int",       "len",         "slice",        "tuple",        "zip"};

/// Names for variables or functions, each given once.
class Names {
public:
  Names() {
    for (llvm::StringRef word : kTaken)
      taken.insert(word);
  }
  /// The name that is wanted, or the first of NAME_2, NAME_3 and so on that is free.
  std::string unique(llvm::StringRef wanted) {
    std::string name = identifier(wanted);
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = identifier(wanted) + "_" + std::to_string(number);
    return name;
  }
  /// Takes a name that is given elsewhere.
  void take(llvm::StringRef name) { taken.insert(name); }

private:
  llvm::StringSet<> taken;
};

/// What the frontend called it, "l__self___weight" say: in an attribute, as it does parameters, or else in the location, as JAX
/// calls what a function takes. "arg3" if it did not.
std::string argumentName(const BuiltProblem &built, mlir::BlockArgument argument) {
  // MLIR's handles are not const, so the handle is copied.
  auto name = mlir::func::FuncOp(built.binding.function)
                  .getArgAttrOfType<mlir::StringAttr>(argument.getArgNumber(), "ttir.name");
  if (name && !name.getValue().empty())
    return name.getValue().str();
  auto named = argument.getLoc()->findInstanceOf<mlir::NameLoc>();
  return named && !named.getName().empty() ? named.getName().str()
                                           : "arg" + std::to_string(argument.getArgNumber());
}

/// What the functions of a file are called in the program, by their symbols. Where one is called, names of variables would
/// hide its own, so it has none that a variable has.
llvm::StringMap<std::string> functionNames(const OpsOfFile &file) {
  Names taken;
  for (const std::unique_ptr<BuiltProblem> &function : file.functions())
    for (const std::string &variable : pythonNames(*function))
      taken.take(variable);
  llvm::StringMap<std::string> names;
  for (const std::unique_ptr<BuiltProblem> &function : file.functions()) {
    llvm::StringRef symbol = mlir::func::FuncOp(function->binding.function).getSymName();
    if (!names.contains(symbol))
      names[symbol] = taken.unique(symbol);
  }
  return names;
}

/// By ValueId: whether an op of the function writes the value, or what may be a view of it, in place.
std::vector<bool> writtenInPlace(const Problem &problem) {
  std::vector<ValueId> memory = memories(problem);
  std::vector<bool> writtenMemory(problem.values.size(), false);
  for (const tessera::Op &op : problem.ops)
    for (unsigned operand : op.writes)
      writtenMemory[memory[op.operands[operand].index()].index()] = true;
  std::vector<bool> written(problem.values.size());
  for (size_t id = 0; id < written.size(); ++id)
    written[id] = writtenMemory[memory[id].index()];
  return written;
}

/// Writes what the Python side reads. Everything is a name, a number or a question: no Python is made here.
class ModuleWriter {
public:
  ModuleWriter(const OpsOfFile &file, json::OStream &os)
      : file(file), os(os), questions(file.layouts()), functions(functionNames(file)) {}

  void write(llvm::StringRef title) {
    os.object([&] {
      os.attribute("title", title);
      os.attribute("grid", json::Array{file.device().workerGrid.rows, file.device().workerGrid.columns});
      os.attributeArray("functions", [&] {
        for (const std::unique_ptr<BuiltProblem> &function : file.functions())
          writeFunction(*function);
      });
    });
  }

private:
  /// A function: what it takes, what it does in which order, what it returns.
  void writeFunction(const BuiltProblem &built) {
    std::vector<std::string> names = pythonNames(built);
    written = writtenInPlace(built.problem);
    mlir::func::FuncOp function = built.binding.function;
    os.object([&] {
      os.attribute("name", functionName(function.getSymName()));
      os.attribute("forward", isForwardDeviceFunction(function));
      // What another function calls runs when that does, and not by itself.
      os.attribute("called", !mlir::SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()));
      os.attributeArray("arguments", [&] { writeArguments(built, names); });
      os.attributeArray("steps", [&] { writeSteps(built, names); });
      os.attributeArray("returned", [&] {
        for (mlir::Value value : function.getBody().front().getTerminator()->getOperands())
          os.value(nameOf(built, names, value));
      });
    });
  }

  /// What the function is called in the program; its symbol as an identifier if it is none of the file's.
  std::string functionName(llvm::StringRef symbol) const {
    auto found = functions.find(symbol);
    return found == functions.end() ? identifier(symbol) : found->second;
  }

  /// The variable that holds the value; names are in the order of the problem's values.
  static llvm::StringRef nameOf(const BuiltProblem &built, llvm::ArrayRef<std::string> names,
                                mlir::Value value) {
    auto found = llvm::find(built.binding.values, value);
    // What is no tensor has no name, and Python's word for nothing stands for it.
    return found == built.binding.values.end()
               ? "None"
               : llvm::StringRef(names[size_t(found - built.binding.values.begin())]);
  }

  /// The tensors among the arguments, with all that is needed to make them: a semaphore or a device is no tensor.
  void writeArguments(const BuiltProblem &built, llvm::ArrayRef<std::string> names) {
    for (mlir::BlockArgument argument : mlir::func::FuncOp(built.binding.function).getArguments()) {
      auto found = llvm::find(built.binding.values, argument);
      if (found == built.binding.values.end())
        continue;
      size_t id = size_t(found - built.binding.values.begin());
      const tessera::Value &value = built.problem.values[id];
      auto kind =
          mlir::func::FuncOp(built.binding.function)
              .getArgAttrOfType<ttcore::ArgumentTypeAttr>(argument.getArgNumber(), "ttcore.argument_type");
      os.object([&] {
        os.attribute("name", names[id]);
        // Whatever has no role has to be given to the program, and so has what is not the same in the next call.
        os.attribute("role", kind && !written[id] ? ttcore::stringifyArgumentType(kind.getValue())
                                                  : llvm::StringRef("input"));
        os.attribute("shape", json::Array(value.tensor.shape));
        os.attribute("dtype", name(value.tensor.dtype));
        os.attribute("layout", value.declared.valid() ? toCanonicalJson(built.problem.layout(value.declared))
                                                      : nullptr);
      });
    }
  }

  /// Ops in their order and, in front of each, what is freed before it; the last of the list is behind all ops.
  void writeSteps(const BuiltProblem &built, llvm::ArrayRef<std::string> names) {
    Deallocations freed = writtenDeallocates(built);
    // The file lists a function's ops together and in the problem's order: from its first one on, both are walked side
    // by side.
    auto op = llvm::find_if(file.ops(), [&](const OpOfFile &each) { return each.function == &built; });
    for (size_t i = 0; i < freed.size(); ++i) {
      for (const Deallocation &each : freed[i])
        os.object([&] {
          os.attribute("free", names[each.tensor.index()]);
          os.attribute("force", each.force);
        });
      if (i < built.problem.ops.size())
        writeStep(*op++, names);
    }
  }

  /// A step is one of three: the load of prepared constants, a loop that calls a function, or a call of the
  /// library.
  void writeStep(const OpOfFile &op, llvm::ArrayRef<std::string> names) {
    os.object([&] {
      // Where the Python side cannot write a step, its error begins with this.
      os.attribute("place", (op.line ? "line " + std::to_string(op.line) + ", " : "") + op.names.front());
      if (auto load = llvm::dyn_cast<ttcore::LoadCachedOp>(op.ir())) {
        os.attribute("load", functionName(load.getCallee()));
        if (llvm::any_of(op.op().results, [&](ValueId result) { return written[result.index()]; }))
          os.attribute("written", true);
      } else if (isLoop(op.ir()))
        writeLoop(op);
      else
        writeCall(op);
      writeNames("operands", op.op().operands, names);
      writeNames("results", op.op().results, names);
    });
  }

  /// Null if nobody knows what it runs.
  void writeLoop(const OpOfFile &op) {
    std::optional<FunctionLoop> loop = functionLoop(op.ir());
    if (!loop)
      return os.attribute("loop", nullptr);
    json::Object written{{"body", functionName(loop->body.getSymName())},
                         {"states", int64_t(loop->states)},
                         {"outputs", json::Array(loop->outputs)}};
    // A bound is the value of an operand, known when the program runs, or a number that the module states.
    json::Array bounds;
    for (const LoopBound &bound : loop->bounds)
      bounds.push_back(bound.operand ? json::Object{{"operand", int64_t(*bound.operand)}}
                                     : json::Object{{"value", bound.value}});
    if (loop->condition)
      written["condition"] = functionName(loop->condition.getSymName());
    else
      written["bounds"] = std::move(bounds);
    os.attribute("loop", std::move(written));
  }

  /// The op as a question to the library, which is what `tessera judge` asks.
  void writeCall(const OpOfFile &op) {
    llvm::SmallVector<LayoutId> inputs;
    os.attributeBegin("question");
    os.rawValue(questions.write(declaredQuery(op, inputs)));
    os.attributeEnd();
    // A question has shapes and types only, and a program needs the numbers as well.
    if (auto constant = llvm::dyn_cast<ttnn::ConstantOp>(op.ir()))
      os.attribute("constant", elementsOf(llvm::dyn_cast<mlir::DenseElementsAttr>(constant.getValueAttr())));
  }

  /// All elements in row-major order, one that is repeated as often as it stands for; null if the module has no
  /// numbers.
  static json::Value elementsOf(mlir::DenseElementsAttr elements) {
    if (!elements)
      return nullptr;
    json::Array numbers;
    if (elements.getElementType().isIntOrIndex()) {
      // The one bit of a truth value is no sign.
      bool isUnsigned =
          elements.getElementType().isUnsignedInteger() || elements.getElementType().isInteger(1);
      for (const llvm::APInt &each : elements.getValues<llvm::APInt>())
        numbers.push_back(isUnsigned ? int64_t(each.getZExtValue()) : each.getSExtValue());
      return numbers;
    }
    for (llvm::APFloat each : elements.getValues<llvm::APFloat>()) {
      double number = each.convertToDouble();
      // JSON has no word for what is none, and no integer is a negative zero; Python's float() reads these.
      if (each.isNegZero())
        numbers.push_back("-0.0");
      else if (each.isFinite())
        numbers.push_back(number);
      else
        numbers.push_back(each.isNaN() ? "nan" : each.isNegative() ? "-inf" : "inf");
    }
    return numbers;
  }

  /// A list of variables under that key.
  void writeNames(llvm::StringRef key, llvm::ArrayRef<ValueId> ids, llvm::ArrayRef<std::string> names) {
    os.attributeArray(key, [&] {
      for (ValueId id : ids)
        os.value(names[id.index()]);
    });
  }

  const OpsOfFile &file;
  json::OStream &os;
  QuestionWriter questions;
  llvm::StringMap<std::string> functions; ///< names by symbols
  std::vector<bool> written;              ///< of the function that is being listed, by ValueId
};

/// An op that has a tensor which no layout places, as text for people; "" if there is none.
std::string firstUnplaced(const OpsOfFile &file) {
  auto isPlaced = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return !tensor || mlir::succeeded(ttnn::placedTensor(tensor));
  };
  for (const OpOfFile &op : file.ops())
    if (!llvm::all_of(op.ir()->getOperandTypes(), isPlaced) ||
        !llvm::all_of(op.ir()->getResultTypes(), isPlaced))
      return describe(op);
  return "";
}

} // namespace

std::vector<std::string> tessera::pythonNames(const BuiltProblem &function) {
  const Problem &problem = function.problem;
  std::vector<std::string> names(problem.values.size());
  Names taken;
  // Arguments first, so that they keep the names of the model where an op is called alike.
  for (size_t i = 0; i < names.size(); ++i)
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(function.binding.values[i]))
      names[i] = taken.unique(argumentName(function, argument));
  // Results of an op with several are numbered, as "split_0" and "split_1".
  for (const Op &op : problem.ops)
    for (auto [number, result] : llvm::enumerate(op.results))
      names[result.index()] =
          taken.unique(op.results.size() == 1 ? op.location : op.location + "_" + std::to_string(number));
  return names;
}

llvm::Expected<std::string> tessera::programOfModule(const OpsOfFile &file, llvm::StringRef title) {
  // Before anything is written: half a program is of no use.
  if (std::string unplaced = firstUnplaced(file); !unplaced.empty())
    return llvm::createStringError(unplaced +
                                   " has a tensor without a layout, so no program can say where it lies");
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream);
  ModuleWriter(file, os).write(title);
  return text;
}

// A name and a text for each file, sorted by names, so that the same module gives the same output.
llvm::Expected<std::vector<std::pair<std::string, std::string>>>
tessera::writePythonProgram(llvm::StringRef module) {
  llvm::Expected<json::Object> answer = askPackage("write-program", module);
  if (!answer)
    return answer.takeError();
  if (std::optional<llvm::StringRef> trouble = answer->getString("trouble"))
    return llvm::createStringError(*trouble);
  const json::Object *written = answer->getObject("files");
  if (!written)
    return llvm::createStringError("the Python side wrote no files");
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto &[name, text] : *written)
    files.emplace_back(name.str(), text.getAsString().value_or("").str());
  // LLVM's JSON objects have no order of their own.
  llvm::sort(files);
  return files;
}

llvm::Expected<std::string> tessera::mainOfProgram(llvm::StringRef folder, llvm::StringRef module) {
  llvm::SmallString<128> main(folder);
  llvm::sys::path::append(main, "main.py");
  // Naming main.py itself is an easy mistake, and "no such file" would not explain it.
  if (llvm::sys::fs::is_regular_file(folder))
    return llvm::createStringError("'" + folder +
                                   "' is a file; --python names the folder that the program is in");
  if (!llvm::sys::fs::exists(main))
    return llvm::createStringError("there is no '" + main.str() + "'; 'tessera export " + module +
                                   " --python " + folder + "' writes it");
  if (std::error_code error = llvm::sys::fs::make_absolute(main))
    return llvm::createStringError(error, "'" + folder + "': " + error.message());
  return main.str().str();
}
