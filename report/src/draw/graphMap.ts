// The graph on a canvas: what is small is drawn as a box, what is larger with its name.
import { time } from "../format";
import type { DrawnEdge, Drawing, Item } from "../model/graph";
import { opsOf, resultKind } from "../model/graph";
import type { Plan } from "../model/plan";
import { fitted, type Size } from "./canvas";
import { heat, memoryColors, noResultColor, selectionColor, type Theme, typeColor } from "./colors";

export type ColorBy = "memory" | "time" | "type";

export interface Camera { x: number; y: number; scale: number }

export interface GraphScene { plan: Plan; drawing: Drawing; camera: Camera; colorBy: ColorBy; step: number | null; types: string[]; longest: number }

function timeOf(plan: Plan, op: number): number { return plan.steps[plan.op(op).step].time.total_ns; }

function colorOf(scene: GraphScene, op: number): string {
  const { plan } = scene;
  if (scene.colorBy === "time") return heat(Math.sqrt(timeOf(plan, op) / scene.longest));
  const kind = resultKind(plan, op);
  if (kind === "none") return noResultColor;
  return scene.colorBy === "memory" ? memoryColors[kind] : typeColor(scene.types, plan.layoutOf(plan.steps[plan.op(op).step].writes[0]).dtype);
}

/** Colours of a closed group with how many ops have them. */
function colorsOf(scene: GraphScene, item: Item): [string, number][] {
  if (item.op !== null) return [[colorOf(scene, item.op), 1]];
  const counts = new Map<string, number>();
  for (const op of opsOf(item.group!)) {
    const color = colorOf(scene, op);
    counts.set(color, (counts.get(color) ?? 0) + (scene.colorBy === "time" ? timeOf(scene.plan, op) : 1));
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function drawItem(context: CanvasRenderingContext2D, scene: GraphScene, item: Item, theme: Theme): void {
  const { plan, camera } = scene;
  if (item.open) {
    context.strokeStyle = theme.line;
    context.fillStyle = theme.panel;
    context.fillRect(item.x, item.y, item.width, item.height);
    context.strokeRect(item.x, item.y, item.width, item.height);
    if (camera.scale > 0.45) {
      context.fillStyle = theme.muted;
      context.fillText(fitted(context, `− ${item.group!.name} (${item.group!.ops})`, item.width - 16), item.x + 8, item.y + 15);
    }
    return;
  }
  const detailed = camera.scale * item.height > 11;
  const band = detailed ? 9 : item.height;
  context.fillStyle = theme.background;
  context.fillRect(item.x, item.y, item.width, item.height);
  const colors = colorsOf(scene, item);
  const sum = colors.reduce((all, [, count]) => all + count, 0) || 1;
  let x = item.x;
  for (const [color, count] of colors) {
    context.fillStyle = color;
    context.fillRect(x, item.y + item.height - band, (item.width * count) / sum, band);
    x += (item.width * count) / sum;
  }
  const selected = item.op !== null && scene.step === plan.op(item.op).step;
  context.strokeStyle = selected ? selectionColor : theme.muted;
  context.lineWidth = selected ? 4 : 1;
  context.strokeRect(item.x, item.y, item.width, item.height);
  if (!detailed) return;
  context.lineWidth = 1;
  context.fillStyle = theme.text;
  const ns = item.op !== null ? timeOf(plan, item.op) : opsOf(item.group!).reduce((all, op) => all + timeOf(plan, op), 0);
  const right = time(ns);
  const room = item.width - 22 - context.measureText(right).width;
  const name = item.op !== null ? plan.opName(item.op) : `+ ${item.group!.name}`;
  context.fillText(fitted(context, name, item.group ? item.width - 14 : room), item.x + 7, item.y + 17);
  context.fillStyle = theme.muted;
  context.textAlign = "right";
  if (item.group) {
    context.textAlign = "left";
    context.fillText(`${item.group.ops} ops, ${right}`, item.x + 7, item.y + 31);
  } else context.fillText(right, item.x + item.width - 7, item.y + 17);
  context.textAlign = "left";
}

/** Straight in its lanes, bent between the ranks, where nothing lies. Returns its middle, for a mark. */
function curve(context: CanvasRenderingContext2D, { points }: DrawnEdge): { x: number; y: number } {
  context.moveTo(...points[0]);
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    if (x0 === x1) context.lineTo(x1, y1);
    else context.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
  }
  const middle = Math.floor((points.length - 1) / 2);
  const [[x0, y0], [x1, y1]] = [points[middle], points[middle + 1]];
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
}

export const diamondSize = 7;

/** Draws the edges; returns where their conversions are marked. */
function drawEdges(context: CanvasRenderingContext2D, scene: GraphScene, view: { top: number; bottom: number }, theme: Theme): { edge: DrawnEdge; x: number; y: number }[] {
  const marks: { edge: DrawnEdge; x: number; y: number }[] = [];
  const visible = scene.drawing.edges.filter((edge) => edge.to.y >= view.top && edge.from.y + edge.from.height <= view.bottom);
  for (const marked of [false, true]) {
    context.beginPath();
    for (const edge of visible) {
      if (edge.conversions.length > 0 !== marked) continue;
      const at = curve(context, edge);
      if (marked) marks.push({ edge, ...at });
    }
    context.strokeStyle = marked ? selectionColor : theme.muted;
    context.globalAlpha = marked ? 0.9 : 0.55;
    context.lineWidth = (marked ? 1.6 : 1) / Math.max(Math.min(scene.camera.scale, 1), 0.3);
    context.stroke();
    context.globalAlpha = 1;
  }
  return marks;
}

export interface Mark { x: number; y: number; edge: DrawnEdge }

export function drawGraph(context: CanvasRenderingContext2D, size: Size, scene: GraphScene, theme: Theme): Mark[] {
  const { camera, drawing, plan } = scene;
  context.save();
  context.translate(-camera.x * camera.scale, -camera.y * camera.scale);
  context.scale(camera.scale, camera.scale);
  const view = { left: camera.x, top: camera.y, right: camera.x + size.width / camera.scale, bottom: camera.y + size.height / camera.scale };
  const inView = (item: Item) => item.x <= view.right && item.x + item.width >= view.left && item.y <= view.bottom && item.y + item.height >= view.top;
  for (const item of drawing.items) if (item.open && inView(item)) drawItem(context, scene, item, theme);
  const marks = drawEdges(context, scene, view, theme);
  for (const item of drawing.items) if (!item.open && inView(item)) drawItem(context, scene, item, theme);
  const mark = diamondSize / Math.max(Math.min(camera.scale, 1), 0.35);
  for (const { x, y, edge } of marks) {
    const target = plan.steps[edge.conversions[0]].writes[0];
    context.beginPath();
    context.moveTo(x, y - mark);
    context.lineTo(x + mark, y);
    context.lineTo(x, y + mark);
    context.lineTo(x - mark, y);
    context.closePath();
    context.fillStyle = memoryColors[plan.kindOf(target)];
    context.fill();
    context.strokeStyle = edge.conversions.includes(scene.step ?? -1) ? selectionColor : theme.text;
    context.lineWidth = edge.conversions.includes(scene.step ?? -1) ? 3 : 1.2;
    context.stroke();
  }
  context.restore();
  return marks;
}

/** Where the whole graph lies on a small map. */
export function miniature(drawing: Drawing, size: Size): Camera {
  const scale = Math.min(size.width / (drawing.width + 40), size.height / (drawing.height + 40));
  return { scale, x: drawing.width / 2 - size.width / scale / 2, y: drawing.height / 2 - size.height / scale / 2 };
}

/** All boxes in their colours, and a frame around what the large map shows. */
export function drawMiniature(context: CanvasRenderingContext2D, size: Size, scene: GraphScene, shown: Size, theme: Theme): void {
  const { drawing, camera } = scene;
  const at = miniature(drawing, size);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, size.width, size.height);
  const rect = (x: number, y: number, width: number, height: number): [number, number, number, number] =>
    [(x - at.x) * at.scale, (y - at.y) * at.scale, Math.max(width * at.scale, 1), Math.max(height * at.scale, 1)];
  for (const item of drawing.items) {
    if (item.open) continue;
    context.fillStyle = colorsOf(scene, item)[0]?.[0] ?? theme.muted;
    context.fillRect(...rect(item.x, item.y, item.width, item.height));
  }
  context.strokeStyle = selectionColor;
  context.lineWidth = 1.5;
  context.strokeRect(...rect(camera.x, camera.y, shown.width / camera.scale, shown.height / camera.scale));
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.strokeRect(0.5, 0.5, size.width - 1, size.height - 1);
}
