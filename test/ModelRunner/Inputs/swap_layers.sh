# swap_layers.sh WEIGHTS OTHER RIGHT.npy OUT: fails unless each layer of other weights is seen in the logits
for block in mlp_decoder_block_0 moe_decoder_block_0 moe_decoder_block_1 moe_decoder_block_2; do
  rm -rf $4 && cp -r $1 $4 && rm -r $4/$block && cp -r $2/$block $4/ || exit 2
  tessera generate --weights $4 --prompt-ids 1,2,3 --prompt-ids 7,100,4,9 --max-new-tokens 4 -q --logits $4.npy > /dev/null || exit 2
  echo "$block: $(tessera model compare $3 $4.npy --min-correlation 0 2>&1 | tr '\n' ' ')"
  if tessera model compare $3 $4.npy --min-correlation 0.9 --min-top5 0 --max-divergence 100 > /dev/null 2>&1; then exit 1; fi
done
