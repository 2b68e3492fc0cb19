//===- MatmulMachine.h - Fitted parameters of the matmul kernels ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Effective parameters, fitted to published device timings with least squares;
// not physical constants. Cycles are those of the worker clock. Tables: index 0
// wormhole_b0, 1 blackhole.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MATMULMACHINE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MATMULMACHINE_H

#include "tessera/Device/DeviceSpec.h"

namespace tessera::analytic {

/// Block kernel. Fitted to perf/gemm_flops.csv (186 and 180 rows with device time); writeTile, fp32Pack
/// and Blackhole's dram1d to the matmuls of perf/op_traces.csv (26 rows, Blackhole).
struct BlockMachine {
  double phase, product;       ///< cycles per tile product: per fidelity phase, and on top
  double unpackIn1, unpackIn0; ///< bytes per cycle of the operand that is unpacked for every product
  double subblock;             ///< cycles per eight result tiles and K block
  double fp32Pack;             ///< factor on `subblock` with fp32 accumulation
  double latency;              ///< cycles per K block
  double readRate, perPage;    ///< one reader: bytes per cycle, and cycles per tile at least
  double multicast;            ///< bytes per cycle delivered
  double dram2d, dram1d; ///< bytes per cycle, all readers: a row and a column of cores (2D), all cores (1D)
  double dramWrite;      ///< bytes per cycle, all cores
  double writeTile;      ///< cycles per tile and core at least when a block is written to DRAM
  double start;          ///< cycles
  double sharpness;      ///< of the overlap of fetch and compute
};
inline constexpr BlockMachine kBlockMachines[] = {
    {16.63, 1.276, 44.85, 50.42, 50.91, 2, 331.6, 26.06, 60.01, 25.65, 141.7, 180.0, 91.68, 0, 1611, 6.018},
    {16.56, 0.4406, 65.2, 74.6, 71.66, 8.3, 545.4, 46.1, 44.59, 42.04, 312.8, 150.4, 184.9, 218.7, 4572,
     10.7},
};

/// 1D multicast of one tile row. Fitted to perf/decode_matmul_n150.csv (46 rows) and decode_matmul_p150.csv
/// (15 rows, two shapes).
struct DecodeMachine {
  double startNs;
  double latency, perTile; ///< cycles per K block; per weight tile and core
  double dramGBs;          ///< all cores
  double pageNs;           ///< per weight tile, all cores together
  double spread;           ///< how much the DRAM slows down as per_core_N grows; empirical
  double fill;             ///< K blocks more than there are
  double sharpness;
};
inline constexpr DecodeMachine kDecodeMachines[] = {
    {5316, 12.22, 161.6, 243.5, 0.01, 0.3308, 0, 5},
    {4500, 425.4, 42.07, 887.4, 1.169, 0, 1, 6},
};

/// DRAM-sharded weights. Fitted to the same files (38 and 36 rows).
struct DramShardedMachine {
  double startNs;
  double latency;        ///< cycles per K block
  double dramGBs;        ///< all banks
  double phase, product; ///< as in BlockMachine
  double sharpness;
};
inline constexpr DramShardedMachine kDramShardedMachines[] = {
    {5828, 25.12, 248.0, 16.6, 1.2, 8},
    {4784, 596.2, 620.6, 16.55, 0.47, 5},
};

/// Height-sharded in0 with one K block. Fitted to perf/matmul_height_sharded_n150.csv (2920 rows; data type
/// not recorded there, bf16 assumed). Cycles = ns.
struct HeightShardedMachine {
  double start;
  double narrow;             ///< per tile product with subblocks one tile wide
  double wide, wideSubblock; ///< per tile product otherwise; and per product divided by the subblock's width
  double in1Tile, outTile;   ///< per weight tile fetched, per result tile
};
inline constexpr HeightShardedMachine kHeightShardedMachine = {1383, 61.12, 30.28, 33.33, 144.8, 37.69};

inline size_t archIndex(Arch arch) { return arch == Arch::Blackhole ? 1 : 0; }
inline const BlockMachine &blockMachine(Arch arch) { return kBlockMachines[archIndex(arch)]; }
inline const DecodeMachine &decodeMachine(Arch arch) { return kDecodeMachines[archIndex(arch)]; }
inline const DramShardedMachine &dramShardedMachine(Arch arch) {
  return kDramShardedMachines[archIndex(arch)];
}

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MATMULMACHINE_H
