// The map of L1: addresses up, steps or time to the right.
import { bytes } from "../format";
import type { Rectangle } from "../model/memory";
import type { Plan } from "../model/plan";
import type { Range } from "../model/schema";
import type { Span, StepAxis } from "./axis";
import { fitted, type Size, ticks } from "./canvas";
import { holderColors, memoryColors, selectionColor, type Theme } from "./colors";

export const gutter = 78;
/** Below this width a rectangle has no outline. */
const kThin = 3;

export interface MapScene {
  plan: Plan;
  /** Those that have an address. */
  rectangles: Rectangle[];
  axis: StepAxis;
  addresses: Span;
  step: number | null;
  tensor: number | null;
}

export class AddressScale {
  constructor(readonly span: Span, readonly height: number) {}
  y(address: number): number { return this.height * (1 - (address - this.span.from) / (this.span.to - this.span.from)); }
  address(y: number): number { return this.span.from + (1 - y / this.height) * (this.span.to - this.span.from); }
}

/** Lines at 45 degrees, so that circular buffers are told from tensors without colours. */
function hatching(context: CanvasRenderingContext2D, color: string, down: boolean): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const c = tile.getContext("2d")!;
  c.fillStyle = color;
  c.globalAlpha = 0.45;
  c.fillRect(0, 0, 6, 6);
  c.globalAlpha = 1;
  c.strokeStyle = color;
  c.lineWidth = 1.5;
  c.beginPath();
  for (const shift of [-6, 0, 6]) { c.moveTo(shift, down ? 0 : 6); c.lineTo(shift + 6, down ? 6 : 0); }
  c.stroke();
  return context.createPattern(tile, "repeat") ?? color;
}

interface Box { x: number; y: number; width: number; height: number }

function boxOf(scene: MapScene, scale: AddressScale, begin: number, end: number, address: Range): Box {
  const x = scene.axis.stepX(begin), y = scale.y(address[1]);
  return { x, y, width: scene.axis.stepX(end) - x, height: scale.y(address[0]) - y };
}

function drawRegion(context: CanvasRenderingContext2D, size: Size, scale: AddressScale, range: Range, text: string, theme: Theme): void {
  const [top, bottom] = [scale.y(range[1]), scale.y(range[0])];
  context.fillStyle = theme.dim;
  context.fillRect(gutter, top, size.width - gutter, bottom - top);
  context.fillStyle = theme.muted;
  if (bottom - top > 14) context.fillText(text, gutter + 6, (Math.max(top, 0) + Math.min(bottom, size.height)) / 2 + 4);
}

/** Rectangles of one colour as one path. Of those narrower than a pixel that cover the same pixels one is drawn, as 10,000 steps are. */
export class Batch {
  readonly boxes: Box[] = [];
  private readonly pixels = new Set<number>();
  /** Of what stands on one line, as circular buffers do: the highest of each pixel column. */
  private readonly highest = new Map<number, Box>();
  constructor(private readonly context: CanvasRenderingContext2D, readonly fill: string | CanvasPattern, private readonly onOneLine: boolean) {}

  add(box: Box): void {
    const thin = box.width < 1;
    const shown = { ...box, width: Math.max(box.width, 1), height: Math.max(box.height, 1) };
    if (thin && !this.isNew(shown)) return;
    this.boxes.push(shown);
  }

  private isNew(box: Box): boolean {
    const column = Math.round(box.x);
    box.x = column;
    if (!this.onOneLine) {
      const key = (column * 4096 + Math.round(box.y)) * 4096 + Math.round(box.height);
      if (this.pixels.has(key)) return false;
      this.pixels.add(key);
      return true;
    }
    const other = this.highest.get(column);
    if (other) {
      if (box.y < other.y) { other.height += other.y - box.y; other.y = box.y; }
      return false;
    }
    this.highest.set(column, box);
    return true;
  }

  draw(outline: string): void {
    const { context } = this;
    context.fillStyle = this.fill;
    context.beginPath();
    for (const box of this.boxes) context.rect(box.x, box.y, box.width, box.height);
    context.fill();
    context.strokeStyle = outline;
    context.lineWidth = 1;
    context.beginPath();
    for (const box of this.boxes)
      if (box.width >= kThin && box.height >= kThin) context.rect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
    context.stroke();
  }
}

function drawRectangles(context: CanvasRenderingContext2D, size: Size, scene: MapScene, scale: AddressScale, theme: Theme): void {
  const { plan, axis } = scene;
  const batches = new Map<string, Batch>();
  const batch = (key: string, fill: () => string | CanvasPattern) => {
    let found = batches.get(key);
    if (!found) batches.set(key, (found = new Batch(context, fill(), key === "buffers")));
    return found;
  };
  const labels: { box: Box; text: string }[] = [];
  const [low, high] = [axis.value(gutter), axis.value(size.width)];
  for (const each of scene.rectangles) {
    if (axis.begin(each.begin) > high || axis.begin(each.end) < low) continue;
    const box = boxOf(scene, scale, each.begin, each.end, each.address!);
    if (box.y > size.height || box.y + box.height < 0) continue;
    if (each.holder === "tensor") {
      const kind = plan.kindOf(each.tensor!);
      batch(kind, () => memoryColors[kind]).add(box);
      if (box.height >= 14 && box.width >= 36) labels.push({ box, text: plan.valueOf(each.tensor!).name });
    } else if (each.holder !== "margin") {
      const color = holderColors[each.holder];
      batch(each.holder, () => hatching(context, color, each.holder === "temporaries")).add(box);
      if (box.height >= 14 && box.width >= 90) labels.push({ box, text: each.holder === "buffers" ? `circular buffers ${bytes(each.bytes)}` : "temporaries" });
    }
  }
  for (const each of batches.values()) each.draw(theme.background);
  for (const { box, text } of labels) {
    const left = Math.max(box.x, gutter), width = Math.min(box.x + box.width, size.width) - left - 8;
    const shown = fitted(context, text, width);
    if (!shown) continue;
    const y = Math.min(Math.max((Math.max(box.y, 0) + Math.min(box.y + box.height, size.height)) / 2 + 4, 12), size.height - 4);
    context.lineWidth = 3;
    context.strokeStyle = theme.background;
    context.strokeText(shown, left + 4, y);
    context.fillStyle = theme.text;
    context.fillText(shown, left + 4, y);
  }
}

export function drawSelection(context: CanvasRenderingContext2D, size: Size, axis: StepAxis, step: number | null): void {
  if (step === null) return;
  const x = axis.stepX(step), width = Math.max(axis.stepX(step + 1) - x, 2);
  context.strokeStyle = selectionColor;
  context.lineWidth = 1.5;
  context.strokeRect(x, 0.75, width, size.height - 1.5);
}

function drawAddressAxis(context: CanvasRenderingContext2D, size: Size, scale: AddressScale, theme: Theme): void {
  context.clearRect(0, 0, gutter, size.height);
  context.fillStyle = theme.muted;
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.textAlign = "right";
  for (const at of ticks(scale.span.from, scale.span.to, size.height / 40, 2)) {
    const y = scale.y(at);
    context.beginPath();
    context.moveTo(gutter - 4, y);
    context.lineTo(gutter, y);
    context.stroke();
    if (y > 8 && y < size.height - 4) context.fillText(bytes(at), gutter - 7, y + 4);
  }
  context.textAlign = "left";
}

export function drawMap(context: CanvasRenderingContext2D, size: Size, scene: MapScene, theme: Theme): void {
  const { device } = scene.plan.f;
  const scale = new AddressScale(scene.addresses, size.height);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, size.width - gutter, size.height);
  context.clip();
  drawRegion(context, size, scale, [0, device.l1_reserved_bytes], "reserved", theme);
  drawRegion(context, size, scale, [device.l1_bytes - device.l1_small_bytes, device.l1_bytes], "L1_SMALL", theme);
  drawRectangles(context, size, scene, scale, theme);
  if (scene.tensor !== null) {
    const tensor = scene.plan.tensor(scene.tensor);
    if (tensor.address) {
      const box = boxOf(scene, scale, Math.max(tensor.begin, tensor.made_by ?? tensor.begin), tensor.end, tensor.address);
      context.strokeStyle = selectionColor;
      context.lineWidth = 3;
      context.strokeRect(box.x, box.y, Math.max(box.width, 2), Math.max(box.height, 2));
    }
  }
  drawSelection(context, size, scene.axis, scene.step);
  context.restore();
  drawAddressAxis(context, size, scale, theme);
}
