//===- QueryTextTest.cpp - Queries as text, and back ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "QueryText.h"

using namespace tessera;

namespace {

const DeviceSpec &n150() { return *findDevice("n150"); }

/// What is printed of the parsed text.
std::string again(llvm::StringRef text) {
  LayoutPool layouts;
  TextQuery q = parseQuery(text, layouts, n150());
  std::string printed = q.signature.name;
  for (size_t i = 0; i < q.inputs.size(); ++i)
    printed += (i ? ", " : " ") + tensorText(q.signature.operands[i].tensor, &layouts[q.inputs[i]], n150());
  for (size_t i = 0; i < q.signature.results.size(); ++i) {
    LayoutId id = q.config.outputs[i];
    printed +=
        (i ? ", " : " -> ") + tensorText(q.signature.results[i], id.valid() ? &layouts[id] : nullptr, n150());
  }
  std::string attributes = attributesText(q.signature), config = configText(q.config.specific);
  return printed + (attributes.empty() && config.empty() ? "" : " ; " + attributes) +
         (config.empty() ? "" : " ; " + config);
}

TEST(QueryTextTest, PrintsWhatItReads) {
  for (const char *text : {
           "ttnn.add 64x1024xbf16@hs2, 64x1024xf32@dram -> 64x1024xbf16@?",
           "ttnn.add 1x1xu32@l1/rm, scalarxbf16@host",
           "ttnn.relu 64x1024xbf16@ws8 -> 64x1024xbf16@bs2x8",
           "ttnn.relu 100x64xbf16@hs3/shard=96x64 -> 100x64xbf16@hs2/rm/shard=60x64",
           "ttnn.relu 256x64xbf16@hs8/cores=0:0-1:3 -> 256x64xbf16@hs8/cores=0:0-3:0+2:1-2:4",
           "ttnn.relu 4096x32xbf16@hs128/cores=0:0-7:15", // more than there are, to ask about
           "ttnn.matmul 32x64xbf16@ws2, 64x256xbfp_bf8@wsdram8",
           "ttnn.x 1x1xbf16@dram ; a=true b=3 c=[1,-2] d=0.1 e=2.0 f=1e-07 g=hifi2 h='2 : i32' i='5' j='' "
           "k='it''s; so' "
           "l='#a<b, c>' m=#a<b>",
           "ttnn.matmul 1x1xbf16@dram ;  ; mcast1d_in0 grid=8x4 k=2 m=1 n=4 sub=1x4",
           "ttnn.matmul 1x1xbf16@dram ;  ; mcast2d grid=8x8 k=2 m=4 n=4 sub=1x4 block=2x4 unfused",
           "ttnn.matmul 1x1xbf16@dram ;  ; dram_sharded grid=8x8 k=2 m=4 n=4 sub=0x0",
           "ttnn.conv2d 1x1xbf16@dram ;  ; conv shard=height_sharded act_block_h=32 deallocate "
           "slice=width slices=4",
           "ttnn.matmul 1x1xbf16@dram ;  ; mcast2d grid=8x8 k=2 m=4 n=4 sub=1x4 activation=silu transposed",
           "ttnn.conv2d 1x1xbf16@dram ;  ; conv shard=height_sharded reshard=false slice=backend",
           "ttnn.conv2d 1x1xbf16@dram ;  ; conv shard=height_sharded reshard",
       })
    EXPECT_EQ(again(text), text);
}

/// However it is said: L1 of one value counts once.
TEST(QueryTextTest, OneValueIsOneOperand) {
  LayoutPool layouts;
  auto query = parseQueryText("ttnn.where 32x32xbf16@l1, =0, =1", layouts, n150());
  ASSERT_TRUE(bool(query)) << llvm::toString(query.takeError());
  for (const OperandDesc &operand : query->signature.operands)
    EXPECT_EQ(operand.sameAs, 0u);
}

TEST(QueryTextTest, SaysWhatIsNoShard) {
  auto error = [](const std::string &tensor) {
    LayoutPool layouts;
    auto query = parseQueryText("ttnn.relu " + tensor, layouts, n150());
    return query ? "" : llvm::toString(query.takeError());
  };
  EXPECT_EQ(error("64x64@hs100"), "grid 100x1 has more cores than the device");
  EXPECT_EQ(error("64x64@hs2/shard=20x64"), "shard 20x64 is not of whole tiles");
  EXPECT_EQ(error("64x64@hs2/cores=0:0-5:0"), "6 cores do not hold 2 shards");
  EXPECT_EQ(error("64x64@dram/shard=32x64"), "an interleaved layout has no shard and no cores of its own");
  for (const char *word : {"cores=0:0", "cores=1:0-0:0", "shards=32x64"})
    EXPECT_EQ(llvm::StringRef(error("64x64@hs2/" + std::string(word))).split(';').first,
              "'" + std::string(word) + "' is no word of a layout");
}

} // namespace
