// Curves below the map: sums against the budget, and DRAM.
import { bytes, time } from "../format";
import type { Plan } from "../model/plan";
import type { StepAxis } from "./axis";
import { type Size, ticks } from "./canvas";
import { holderColors, memoryColors, selectionColor, type Theme } from "./colors";
import { drawSelection, gutter } from "./memoryMap";

export interface Series { name: string; color: string; values: Float64Array; style: "area" | "line" | "dashed" }

/** The largest value of each pixel column: what is narrower than a pixel must not vanish. */
function columns(axis: StepAxis, values: Float64Array, width: number): Float64Array {
  const out = new Float64Array(Math.max(0, Math.ceil(width - gutter)));
  for (let step = axis.first; step <= axis.last && step < values.length; step++) {
    const from = Math.max(0, Math.floor(axis.stepX(step) - gutter));
    const to = Math.min(out.length, Math.max(Math.ceil(axis.stepX(step + 1) - gutter), from + 1));
    for (let x = from; x < to; x++) out[x] = Math.max(out[x], values[step]);
  }
  return out;
}

function drawSeries(context: CanvasRenderingContext2D, size: Size, axis: StepAxis, series: Series, y: (value: number) => number): void {
  const values = columns(axis, series.values, size.width);
  context.beginPath();
  values.forEach((value, x) => {
    if (x === 0) context.moveTo(gutter, y(value));
    context.lineTo(gutter + x, y(value));
    context.lineTo(gutter + x + 1, y(value));
  });
  if (series.style === "area") {
    context.lineTo(gutter + values.length, y(0));
    context.lineTo(gutter, y(0));
    context.fillStyle = series.color;
    context.fill();
    return;
  }
  context.setLineDash(series.style === "dashed" ? [5, 3] : []);
  context.strokeStyle = series.color;
  context.lineWidth = 1.5;
  context.stroke();
  context.setLineDash([]);
}

export interface Strip { axis: StepAxis; series: Series[]; limit: number | null; most: number; step: number | null; axisBelow: boolean }

export function drawStrip(context: CanvasRenderingContext2D, size: Size, strip: Strip, theme: Theme): void {
  const bottom = size.height - (strip.axisBelow ? 20 : 2);
  const y = (value: number) => bottom - (value / (strip.most || 1)) * (bottom - 8);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, size.width - gutter, size.height);
  context.clip();
  for (const series of strip.series) drawSeries(context, size, strip.axis, series, y);
  if (strip.limit !== null) {
    context.strokeStyle = selectionColor;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(gutter, y(strip.limit));
    context.lineTo(size.width, y(strip.limit));
    context.stroke();
  }
  drawSelection(context, { ...size, height: bottom }, strip.axis, strip.step);
  context.restore();
  context.fillStyle = theme.muted;
  context.textAlign = "right";
  for (const at of ticks(0, strip.most, Math.max(2, size.height / 36), 2)) if (y(at) > 8) context.fillText(bytes(at), gutter - 7, Math.min(y(at) + 4, bottom));
  context.textAlign = "left";
  if (strip.axisBelow) drawStepTicks(context, size, strip.axis, theme);
}

export function drawStepTicks(context: CanvasRenderingContext2D, size: Size, axis: StepAxis, theme: Theme): void {
  context.fillStyle = theme.muted;
  context.textAlign = "center";
  for (const at of ticks(axis.span.from, axis.span.to, (size.width - gutter) / 90)) {
    const x = axis.x(at);
    if (x < gutter + 12 || x > size.width - 24 || (axis.unit === "step" && at !== Math.floor(at))) continue;
    context.fillText(axis.unit === "step" ? `${at}` : time(at), x, size.height - 5);
  }
  context.textAlign = "right";
  context.fillText(axis.unit, gutter - 7, size.height - 5);
  context.textAlign = "left";
}

export function pressureSeries(plan: Plan, largest: Float64Array): Series[] {
  const n = plan.steps.length;
  const all = new Float64Array(n), withoutMargin = new Float64Array(n), tensors = new Float64Array(n);
  plan.steps.forEach(({ l1 }, i) => {
    tensors[i] = l1.tensors_bytes;
    withoutMargin[i] = l1.tensors_bytes + l1.buffers_bytes;
    all[i] = withoutMargin[i] + l1.margin_bytes;
  });
  return [
    { name: "margin", color: holderColors.margin, values: all, style: "area" },
    { name: "circular buffers", color: holderColors.buffers, values: withoutMargin, style: "area" },
    { name: "tensors", color: memoryColors.l1_sharded, values: tensors, style: "area" },
    { name: "largest hole", color: holderColors.temporaries, values: largest, style: "dashed" },
  ];
}

/** Bytes of tensors in DRAM at each step. */
export function dramBytes(plan: Plan): Float64Array {
  const n = plan.steps.length;
  const change = new Float64Array(n + 1), held = new Float64Array(n);
  plan.f.tensors.forEach((tensor, i) => {
    if (plan.kindOf(i) !== "dram") return;
    change[Math.min(tensor.begin, n)] += tensor.total_bytes;
    change[Math.min(tensor.end, n)] -= tensor.total_bytes;
  });
  let now = 0;
  for (let i = 0; i < n; i++) held[i] = now += change[i];
  return held;
}
