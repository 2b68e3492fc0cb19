//===- CountsTest.cpp - What kernels execute, against what was counted ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Counts.h"
#include "SharedFiles.h"
#include "gtest/gtest.h"

#include <fstream>

using namespace tessera;

namespace {

double share(size_t part, size_t whole) { return whole ? double(part) / double(whole) : 0; }

/// Counts follow from how the kernels are written: docs/kernel-counts.md.
TEST(Counts, AreThoseOfTheSimulator) {
  auto ops = compareCounts((evidenceFolder() / "kernel_counts.csv").string());
  ASSERT_TRUE(bool(ops)) << llvm::toString(ops.takeError());
  const CountsAccuracy &all = ops->back();
  EXPECT_EQ(all.op, "all");
  // Of all calls: one that is not counted is a miss.
  EXPECT_GE(share(all.cores, all.calls), 0.90);
  EXPECT_GE(share(all.commands, all.calls), 0.85);
  EXPECT_GE(share(all.waits, all.calls), 0.85);
  EXPECT_GE(share(all.channel, all.calls), 0.85);
  EXPECT_LE(all.steps, 0.15);
}

/// Kernels of which the table has one call on Blackhole each: reads, writes, waits and cores are those of the simulator.
TEST(Counts, SingleCallsAreCounted) {
  auto ops = compareCounts((evidenceFolder() / "kernel_counts.csv").string());
  ASSERT_TRUE(bool(ops)) << llvm::toString(ops.takeError());
  for (const char *op : {"nlp_create_qkv_heads_decode blackhole", "paged_update_cache blackhole",
                         "rms_norm_pre_all_gather blackhole"}) {
    auto found = llvm::find_if(*ops, [&](const CountsAccuracy &each) { return each.op == op; });
    ASSERT_NE(found, ops->end()) << op;
    EXPECT_EQ(std::tuple(found->calls, found->cores, found->commands, found->waits),
              std::tuple(1u, 1u, 1u, 1u))
        << op;
    EXPECT_LE(found->steps, 0.02) << op;
  }
}

TEST(Counts, TablesAreChecked) {
  std::string path = testing::TempDir() + "/counts.csv";
  std::ofstream(path)
      << "op,device,operands,results,cores\nttnn.relu,n150,32x32xbf16@dram,32x32xbf16@dram,1\n";
  auto ops = compareCounts(path);
  ASSERT_FALSE(bool(ops));
  std::string message = llvm::toString(ops.takeError());
  EXPECT_NE(message.find("counts.csv"), std::string::npos) << message;
  EXPECT_NE(message.find("programs"), std::string::npos) << message;
}

TEST(Counts, WhatIsNoNumberIsNoCountOfZero) {
  std::string path = testing::TempDir() + "/no_counts.csv";
  std::string names =
      "op,device,operands,results,cores,programs,reader_steps,writer_steps,reader_l1_loads,"
      "writer_l1_loads,reads,read_bytes,read_waits,writes,write_bytes,write_waits,channel_bytes,"
      "channel_commands,noc0_byte_hops,noc1_byte_hops,served_bytes,serves,unpack_steps,unpacks,"
      "math,products,packs\n";
  std::ofstream(path) << names
                      << "ttnn.relu,n150,32x32xbf16@dram,32x32xbf16@dram,1,1,1,1,1,1,many,1,1,1,1,1,1,"
                         "1,1,1,1,1,1,1,1,1,1\n";
  auto ops = compareCounts(path);
  ASSERT_FALSE(bool(ops));
  std::string message = llvm::toString(ops.takeError());
  EXPECT_NE(message.find("no_counts.csv:2: column 'reads': 'many' is no count"), std::string::npos)
      << message;
}

} // namespace
