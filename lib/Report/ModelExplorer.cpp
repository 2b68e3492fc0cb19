//===- ModelExplorer.cpp - A plan as a graph for Model Explorer -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Steps as nodes of a graph, for Google's Model Explorer. The viewer lays out
// one layer at a time and is slow with many nodes in one (facts/report-formats
// 3), so nodes are put into layers: those of the ops' scopes, and where a scope
// holds too much, ranges of numbers within it.
//
//===----------------------------------------------------------------------===//
#include "tessera/Report/Exports.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Decisions/Layers.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace tessera;
using namespace tessera::report;
using namespace tessera::decisions;
namespace json = llvm::json;

/// Nodes of a layer, and layers of a layer: one of 999 nodes takes the viewer 12 s, and 3,000 without layers never end.
static constexpr Index kPerLayer = 50, kLayersPerLayer = 20;

namespace {

/// Names come from the module, where any byte may stand; JSON must be UTF-8.
std::string utf8(llvm::StringRef text) { return json::fixUTF8(text); }

/// Ids of nodes: the viewer wants them unique in a graph, and steps and values have numbers of their own.
std::string stepNode(Index step) { return "step" + std::to_string(step); }
std::string valueNode(Index value) { return "value" + std::to_string(value); }

/// "steps 0-999/steps 0-49".
std::string layerOf(llvm::StringRef what, Index place) {
  auto range = [&](Index size) {
    Index first = place / size * size;
    return (what + " " + llvm::Twine(first) + "-" + llvm::Twine(first + size - 1)).str();
  };
  return range(kPerLayer * kLayersPerLayer) + "/" + range(kPerLayer);
}

/// The viewer's layer of each step: the groups of its op, which the page has as well. What is too much for one layer is
/// cut into pieces.
class Namespaces {
public:
  explicit Namespaces(const FunctionDecisions &f) {
    std::vector<std::vector<std::string>> groups = groupPaths(f);
    // First all places, as only then it is known which layers are too full.
    for (auto [index, step] : llvm::enumerate(f.steps)) {
      std::vector<Place> &places = steps.emplace_back();
      std::string layer;
      std::vector<std::string> path = step.op ? groups[size_t(*step.op)] : std::vector<std::string>();
      if (path.empty()) // the viewer is slow with nodes that are in no layer
        path.push_back("steps");
      for (const std::string &group : path) {
        // A member of a layer has its number from where it first turns up, so pieces follow the program.
        places.push_back({layer, group, placeIn(layer, group)});
        layer += (layer.empty() ? "" : "/") + group;
      }
      places.push_back({layer, "", placeIn(layer, "step " + std::to_string(index))});
    }
  }

  /// The viewer's name of the layer that the step is in: "layer_3/steps 0-49" for one in a group with many steps.
  std::string of(size_t step) const {
    std::string text;
    for (const Place &place : steps[step]) {
      // A layer of pieces is put in only where the layer would be too full: groups of the program stay as they are
      // elsewhere.
      if (Index(members.at(place.layer).size()) > kPerLayer)
        append(text, layerOf(place.group.empty() ? "steps" : "groups", place.index));
      if (!place.group.empty())
        append(text, place.group);
    }
    return text;
  }

private:
  struct Place {
    std::string layer, group; ///< "": the step itself
    Index index;              ///< among what is in the layer
  };

  /// Adds a part to a path with slashes.
  static void append(std::string &text, llvm::StringRef part) {
    text += (text.empty() ? "" : "/") + part.str();
  }
  /// The member's number in the layer, which is given to it if it has none yet.
  Index placeIn(const std::string &layer, llvm::StringRef member) {
    auto &in = members[layer];
    return in.try_emplace(member, Index(in.size())).first->second;
  }

  std::map<std::string, llvm::StringMap<Index>> members; ///< by layer
  std::vector<std::vector<Place>> steps;
};

/// Of the palette that the page has, too: oranges in DRAM, blues in L1, the darker one sharded, grey elsewhere.
llvm::StringRef colorOf(const TensorLayout &layout) {
  if (!layout.isL1())
    return layout.buffer == BufferType::DRAM ? "#e69f00" : "#bbbbbb";
  return layout.isSharded() ? "#0072b2" : "#56b4e9";
}

/// Writes one function as a graph.
class Graph {
public:
  Graph(json::OStream &out, const FunctionDecisions &f) : out(out), f(f), w(f), namespaces(f) {}

  /// The attributes of the layer "" are those that the viewer shows for the whole graph.
  void write() {
    out.object([&] {
      out.attribute("id", utf8(f.function));
      out.attribute("groupNodeAttributes",
                    json::Object{{"", json::Object{{"policy", utf8(f.policy)},
                                                   {"device", utf8(f.device.name)},
                                                   {"time before", formatNanoseconds(f.before.time)},
                                                   {"time after", formatNanoseconds(f.after.time)},
                                                   {"peak L1", formatBytes(f.after.peakL1)}}}});
      out.attributeArray("nodes", [&] {
        // What no step makes has a node of its own: an edge has to begin somewhere.
        for (auto [i, tensor] : llvm::enumerate(f.tensors))
          if (!tensor.madeBy)
            writeStart(Index(i));
        for (Index step = 0; step < Index(f.steps.size()); ++step)
          writeStep(step);
      });
    });
  }

private:
  /// One line of what the viewer shows beside a node.
  void attribute(llvm::StringRef key, const std::string &value) {
    out.object([&] {
      out.attribute("key", key);
      out.attribute("value", utf8(value));
    });
  }

  /// A node with its edges, which in this format belong to the node that they lead to.
  void node(const std::string &id, llvm::StringRef label, const std::string &layer,
            llvm::ArrayRef<Index> makes, llvm::function_ref<void()> attributes, llvm::ArrayRef<Index> reads) {
    out.object([&] {
      out.attribute("id", id);
      out.attribute("label", utf8(label));
      out.attribute("namespace", utf8(layer));
      out.attributeArray("attrs", attributes);
      out.attributeArray("incomingEdges", [&] {
        for (auto [operand, tensor] : llvm::enumerate(reads))
          writeEdge(operand, tensor);
      });
      out.attributeArray("outputsMetadata", [&] {
        for (auto [i, tensor] : llvm::enumerate(makes))
          out.object([&] {
            out.attribute("id", std::to_string(i));
            out.attributeArray("attrs", [&] {
              // These two label the edges (facts/report-formats 3).
              attribute("tensor_shape", DecisionWords::shape(w.valueOf(tensor)) + " " + w.layoutOf(tensor));
              attribute("__tensor_tag", w.valueOf(tensor).name);
            });
          });
      });
      // The colour is that of the first result; what makes nothing has the viewer's own.
      if (!makes.empty())
        out.attributeObject("style",
                            [&] { out.attribute("backgroundColor", colorOf(layout(makes.front()))); });
    });
  }

  const TensorLayout &layout(Index tensor) const { return f.layouts[size_t(w.tensor(tensor).layout)]; }

  /// From the output of a step, by its number among these, to the operand of the node being written.
  void writeEdge(size_t operand, Index tensor) {
    std::optional<Index> maker = w.tensor(tensor).madeBy;
    // A tensor that is there from the start is the only output of its node.
    size_t output = 0;
    if (maker) {
      const std::vector<Index> &writes = w.step(*maker).writes;
      output = size_t(llvm::find(writes, tensor) - writes.begin());
    }
    out.object([&] {
      out.attribute("sourceNodeId", maker ? stepNode(*maker) : valueNode(tensor));
      out.attribute("sourceNodeOutputId", std::to_string(output));
      out.attribute("targetNodeInputId", std::to_string(operand));
    });
  }

  /// A tensor that is there from the start.
  void writeStart(Index tensor) {
    const ValueFacts &value = w.valueOf(tensor);
    // In layers like steps: a deep model has more constants than one layer of the viewer can take.
    node(valueNode(tensor), value.name, layerOf("arguments and constants", starts++), {tensor},
         [&] {
           attribute("kind", word(value.kind));
           attribute("layout", w.layoutOf(tensor));
         },
         {});
  }

  /// A step, with all that the page of a report says of it, too.
  void writeStep(Index index) {
    const StepFacts &step = w.step(index);
    node(
        stepNode(index), w.stepKind(index), namespaces.of(size_t(index)), step.writes,
        [&] {
          attribute("name", w.stepName(index));
          attribute("time", formatNanoseconds(step.time.total));
          attribute("bound by", step.time.boundBy);
          attribute("L1", formatBytes(step.l1.total()) + " of " + formatBytes(f.budget));
          if (!step.configText.empty())
            attribute("configuration", step.configText);
          for (Index tensor : step.writes)
            attribute("result", w.layoutOf(tensor));
          for (auto [operand, tensor] : llvm::enumerate(step.reads))
            attribute("operand " + std::to_string(operand), w.layoutOf(tensor));
        },
        step.reads);
  }

  json::OStream &out;
  const FunctionDecisions &f;
  DecisionWords w;
  Namespaces namespaces;
  Index starts = 0;
};

} // namespace

void report::writeModelExplorer(llvm::raw_ostream &os, const Decisions &all) {
  json::OStream out(os);
  out.object([&] {
    out.attribute("label", utf8(all.input));
    out.attributeArray("graphs", [&] {
      for (const FunctionDecisions &function : all.functions)
        Graph(out, function).write();
    });
  });
  os << "\n";
}

void report::writeModelExplorerTimes(llvm::raw_ostream &os, const Decisions &all) {
  json::OStream out(os);
  out.object([&] {
    for (const FunctionDecisions &function : all.functions)
      // The graph's id is its function's name, and by that the viewer puts colours to nodes.
      out.attributeObject(utf8(function.function), [&] {
        out.attribute("name", "time us");
        out.attributeObject("results", [&] {
          for (auto [i, step] : llvm::enumerate(function.steps))
            // Microseconds: the viewer prints numbers as they are, and of nanoseconds they would be long.
            out.attribute(stepNode(Index(i)), json::Object{{"value", step.time.total.value() / 1000}});
        });
        out.attribute("gradient", json::Array{json::Object{{"stop", 0}, {"bgColor", "#ffffff"}},
                                              json::Object{{"stop", 1}, {"bgColor", "#d55e00"}}});
      });
  });
  os << "\n";
}
