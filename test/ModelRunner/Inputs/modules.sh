# modules.sh HF OUT: converts, configures and runs every module by itself, in both modes
set -e
for module in embedding mla_norm mla q_norm kv_norm mlp_norm mlp moe moe_gate experts shared_experts block norm lm_head; do
  at=$2/$module
  tessera weights convert --hf $1 --out $at --mesh 1x2 --module $module -q
  tessera config state --hf $1 --mesh 1x2 --module $module --max-positions 64 -o $at/state.json
  for mode in prefill decode; do
    tessera config --hf $1 --mode $mode --mesh 1x2 --module $module -o $at/$mode.json
    tessera model trace --hf $1 --mode $mode --mesh 1x2 --module $module -o $at/$mode.mlir
    tessera model run --weights $at --mode $mode --module $module --config $at/$mode.json --state $at/state.json \
      --max-positions 64 --output $at/$mode.npy
  done
done
