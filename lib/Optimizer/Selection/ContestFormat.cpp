//===- ContestFormat.cpp - Instances of the contest -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// All lists of a file are read before a problem is made of them: there the costs of all nodes stand side by side, then
// the usages of all, and a problem has them node by node. What is said of them in errors are the file's own names.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/ContestFormat.h"
#include "tessera/Support/Json.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <limits>

#include <zlib.h>

using namespace tessera;
using llvm::json::Array;
using llvm::json::Object;

namespace {
using Numbers = std::vector<int64_t>;

/// Lists of lists of numbers, as the format has them everywhere.
llvm::Expected<std::vector<Numbers>> numbersOf(const Object &parent, llvm::StringRef group,
                                               llvm::StringRef key) {
  auto error = [&](const llvm::Twine &what) { return llvm::createStringError(group + "." + key + what); };
  const Array *lists = parent.getArray(key);
  if (!lists)
    return error(" is not a list");
  std::vector<Numbers> all;
  all.reserve(lists->size());
  for (const llvm::json::Value &list : *lists) {
    const Array *entries = list.getAsArray();
    if (!entries)
      return error("[" + llvm::Twine(all.size()) + "] is not a list");
    Numbers &numbers = all.emplace_back();
    numbers.reserve(entries->size());
    for (const llvm::json::Value &entry : *entries) {
      std::optional<int64_t> number = entry.getAsInteger();
      if (!number)
        return error("[" + llvm::Twine(all.size() - 1) + "] has an entry that is not an integer");
      numbers.push_back(*number);
    }
  }
  return all;
}

/// All numbers of the instance before anything is asked of them.
struct Lists {
  std::vector<Numbers> intervals, costs, usages, ends, edgeCosts;
};

llvm::Expected<Lists> listsOf(const Object &problem) {
  const Object *nodes = problem.getObject("nodes"), *edges = problem.getObject("edges");
  if (!nodes || !edges)
    return llvm::createStringError("problem has no `nodes` or no `edges`");
  Lists lists;
  struct Wanted {
    const Object *from;
    llvm::StringRef group, key;
    std::vector<Numbers> &into;
  };
  for (const Wanted &wanted :
       {Wanted{nodes, "nodes", "intervals", lists.intervals}, Wanted{nodes, "nodes", "costs", lists.costs},
        Wanted{nodes, "nodes", "usages", lists.usages}, Wanted{edges, "edges", "nodes", lists.ends},
        Wanted{edges, "edges", "costs", lists.edgeCosts}}) {
    llvm::Expected<std::vector<Numbers>> numbers = numbersOf(*wanted.from, wanted.group, wanted.key);
    if (!numbers)
      return numbers.takeError();
    wanted.into = std::move(*numbers);
  }
  if (lists.costs.size() != lists.intervals.size() || lists.usages.size() != lists.intervals.size())
    return llvm::createStringError(llvm::formatv("{0} intervals, {1} lists of costs and {2} of usages",
                                                 lists.intervals.size(), lists.costs.size(),
                                                 lists.usages.size()));
  if (lists.ends.size() != lists.edgeCosts.size())
    return llvm::createStringError(
        llvm::formatv("{0} edges and {1} lists of their costs", lists.ends.size(), lists.edgeCosts.size()));
  return lists;
}

/// The builder takes as many usages as costs for granted, so that is asked before it is called.
llvm::Error addNodes(SelectionProblemBuilder &builder, const Lists &lists) {
  for (size_t node = 0; node < lists.intervals.size(); ++node) {
    const Numbers &interval = lists.intervals[node];
    if (interval.size() != 2)
      return llvm::createStringError(llvm::formatv("the interval of node {0} has not two ends", node));
    if (lists.costs[node].size() != lists.usages[node].size())
      return llvm::createStringError(llvm::formatv("node {0} has {1} costs and {2} usages", node,
                                                   lists.costs[node].size(), lists.usages[node].size()));
    builder.addNode(lists.costs[node]);
    // Half-open in both, so that ends need no change.
    builder.addHolding({interval[0], interval[1]}, lists.usages[node]);
  }
  return llvm::Error::success();
}

llvm::Error addEdges(SelectionProblemBuilder &builder, Lists &lists) {
  for (size_t edge = 0; edge < lists.ends.size(); ++edge) {
    // By row of the first node's states, which is the order of a matrix here as well.
    const Numbers &ends = lists.ends[edge];
    if (ends.size() != 2)
      return llvm::createStringError(llvm::formatv("edge {0} has not two ends", edge));
    for (int64_t end : ends)
      // Before the builder, which takes an edge's nodes for granted; costs and usages are checked where problems of
      // every origin are (checkSelectionProblem).
      if (end < 0 || size_t(end) >= lists.intervals.size())
        return llvm::createStringError(
            llvm::formatv("edge {0} names node {1}, which is not there", edge, end));
    builder.addEdge(SelectionNode(ends[0]), SelectionNode(ends[1]), std::move(lists.edgeCosts[edge]));
  }
  return llvm::Error::success();
}
} // namespace

llvm::Expected<SelectionProblem> tessera::parseContestInstance(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> json = parseJson(text);
  if (!json)
    return json.takeError();
  const Object *top = json->getAsObject();
  const Object *object = top ? top->getObject("problem") : nullptr;
  if (!object)
    return llvm::createStringError("no object `problem`");
  llvm::Expected<Lists> lists = listsOf(*object);
  if (!lists)
    return lists.takeError();
  // Without a limit whatever is used fits.
  SelectionUsage capacity = std::numeric_limits<SelectionUsage>::max();
  if (const llvm::json::Value *limit = object->get("usage_limit")) {
    std::optional<int64_t> bytes = limit->getAsInteger();
    if (!bytes)
      return llvm::createStringError("usage_limit is not an integer");
    capacity = *bytes;
  }
  SelectionProblemBuilder builder;
  if (llvm::Error error = addNodes(builder, *lists))
    return error;
  if (llvm::Error error = addEdges(builder, *lists))
    return error;
  SelectionProblem problem = std::move(builder).finish(capacity);
  if (llvm::Error error = checkSelectionProblem(problem))
    return error;
  return problem;
}

/// What zlib makes of the whole file, which may be several streams one behind the other.
static llvm::Expected<std::string> gunzip(llvm::StringRef packed) {
  z_stream stream = {};
  // 16: with gzip's header, not zlib's.
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
    return llvm::createStringError("zlib does not start");
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = uInt(packed.size());
  std::string text;
  // Block by block, as the stream does not say beforehand how long it is.
  std::vector<char> block(1 << 20);
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef *>(block.data());
    stream.avail_out = uInt(block.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(block.data(), block.size() - stream.avail_out);
    if (state == Z_STREAM_END && stream.avail_in > 0)
      state = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END)
    return llvm::createStringError("the gzip stream is damaged or cut off");
  return text;
}

llvm::Expected<std::string> tessera::readMaybeGzipped(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError().message());
  llvm::StringRef bytes = (*buffer)->getBuffer();
  // By what is in it and not by its name, as standard input has none.
  if (!bytes.starts_with("\x1f\x8b"))
    return bytes.str();
  return gunzip(bytes);
}
