//===- Html.cpp - Decisions as a page that opens from disk ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The report is one file that opens from disk: a page whose code and styles are
// in it, with the plans as JSON in a script element that is no script.
// `Page.html` is made by report/build and holds two marks, one for the title
// and one for the data; everything else of it is written as it is.
//
//===----------------------------------------------------------------------===//
#include "tessera/Report/Html.h"

#include "tessera/Report/Diff.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::report;
namespace json = llvm::json;

namespace tessera::report {
extern const llvm::StringRef kPage; ///< Page.html, made a C++ source by the build
} // namespace tessera::report

/// Where the page leaves room for the data and the title; report/index.html has both.
static constexpr llvm::StringLiteral kDataMark = "<!--tessera-report-data-->";
static constexpr llvm::StringLiteral kTitleMark = "tessera-report-title";

/// Above this the data is compressed: 10,000 ops are 27 MB of JSON, of which 2 are left. Below, people and scripts can
/// read it.
static constexpr size_t kLargestPlainJson = size_t(1) << 20;

/// JSON in which nothing can end the script element or begin a comment.
static void writeEscaped(llvm::raw_ostream &os, llvm::StringRef text) {
  // Only `<` needs it: `</script>` and `<!--` both begin with it (facts/report-formats 5).
  for (size_t from = 0; from < text.size();) {
    size_t at = std::min(text.find('<', from), text.size());
    os << text.slice(from, at);
    if (at < text.size())
      os << "\\u003c";
    from = at + 1;
  }
}

static void writeData(llvm::raw_ostream &os, llvm::StringRef text) {
  os << R"(<script id="tessera-report-data" type="application/json")";
  // Without zlib the page is large and opens all the same.
  if (text.size() <= kLargestPlainJson || !llvm::compression::zlib::isAvailable()) {
    os << ">";
    writeEscaped(os, text);
  } else {
    llvm::SmallVector<uint8_t> packed;
    llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(text), packed);
    os << R"( data-encoding="deflate base64">)" << llvm::encodeBase64(packed);
  }
  os << "</script>";
}

void report::writeJson(llvm::raw_ostream &stream, ReportedPlans plans) {
  json::OStream os(stream);
  auto add = [&](decisions::Decisions &plan) {
    // What the policy looked at is half of the file, and nothing here is drawn from it.
    for (decisions::FunctionDecisions &function : plan.functions)
      function.trace = {};
    decisions::write(os, plan);
  };
  os.object([&] {
    os.attributeArray("diffs", [&] {
      if (plans.against)
        for (const FunctionDiff &each : diff(plans.plan, *plans.against))
          os.value(toJson(each));
    });
    os.attribute("format", "tessera.report");
    if (plans.judgement)
      os.attribute("judgement", *plans.judgement);
    os.attributeArray("plans", [&] {
      add(plans.plan);
      if (plans.against)
        add(*plans.against);
    });
    os.attribute("version", 1);
  });
}

void report::writeHtml(llvm::raw_ostream &os, ReportedPlans plans) {
  std::string title;
  llvm::raw_string_ostream titleStream(title);
  llvm::printHTMLEscaped(plans.plan.input, titleStream);
  std::string text;
  llvm::raw_string_ostream json(text);
  writeJson(json, std::move(plans));
  // The title stands in front of the data in the page, so one pass over it finds both marks.
  auto [untilTitle, fromTitle] = kPage.split(kTitleMark);
  auto [untilData, fromData] = fromTitle.split(kDataMark);
  os << untilTitle << title << untilData;
  writeData(os, text);
  os << fromData;
}
