// Addresses of DRAM, by step or time.
import { bytes } from "../format";
import type { Plan } from "../model/plan";
import type { StepAxis } from "./axis";
import { type Size, ticks } from "./canvas";
import { memoryColors, type Theme } from "./colors";
import { AddressScale, Batch, drawSelection, gutter } from "./memoryMap";
import { drawStepTicks } from "./strips";

/** What is there from the start, and what steps make. */
export const dramColors = { given: "#b8860b", made: memoryColors.dram };

/** Tensors that have an address in DRAM; empty for older files, which have none. */
export function dramTensors(plan: Plan): number[] {
  return plan.f.tensors.flatMap((tensor, i) => (tensor.dram_address ? [i] : []));
}

export function dramEnd(plan: Plan, tensors: number[]): number {
  return tensors.reduce((most, t) => Math.max(most, plan.tensor(t).dram_address![1]), 1);
}

export interface DramScene { plan: Plan; tensors: number[]; axis: StepAxis; most: number; step: number | null }

export function drawDramMap(context: CanvasRenderingContext2D, size: Size, scene: DramScene, theme: Theme): void {
  const { plan, axis } = scene;
  const height = size.height - 20;
  const scale = new AddressScale({ from: 0, to: scene.most * 1.04 }, height);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, size.width - gutter, size.height);
  context.clip();
  const batches = { given: new Batch(context, dramColors.given, false), made: new Batch(context, dramColors.made, false) };
  for (const t of scene.tensors) {
    const { begin, end, dram_address, made_by } = plan.tensor(t);
    const x = axis.stepX(begin), right = axis.stepX(end);
    if (right < gutter || x > size.width) continue;
    const y = scale.y(dram_address![1]);
    batches[made_by === null ? "given" : "made"].add({ x, y, width: right - x, height: scale.y(dram_address![0]) - y });
  }
  batches.given.draw(theme.background);
  batches.made.draw(theme.background);
  drawSelection(context, { ...size, height }, axis, scene.step);
  context.restore();
  context.fillStyle = theme.muted;
  context.textAlign = "right";
  for (const at of ticks(0, scene.most, 2, 2)) if (scale.y(at) > 8) context.fillText(bytes(at), gutter - 7, Math.min(scale.y(at) + 4, height));
  context.textAlign = "left";
  drawStepTicks(context, size, axis, theme);
}

/** The tensor at a place of the strip. */
export function dramTensorAt(scene: DramScene, size: Size, x: number, y: number): number | null {
  const step = scene.axis.step(x);
  const address = new AddressScale({ from: 0, to: scene.most * 1.04 }, size.height - 20).address(y);
  return scene.plan.liveAt(step).find((t) => {
    const range = scene.plan.tensor(t).dram_address;
    return range && range[0] <= address && address < range[1];
  }) ?? null;
}
