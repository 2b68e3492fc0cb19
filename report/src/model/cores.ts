// Which core holds which part of a tensor, and how full each core is.
import type { Plan } from "./plan";
import type { Layout } from "./schema";
import { type Holder, sharesAt } from "./shares";

export interface Core { x: number; y: number }

/** Row by row, as shards are placed; of an interleaved tensor all cores. */
export function coresOf(plan: Plan, layout: Layout): Core[] {
  const [rows, columns] = plan.f.device.grid;
  const rectangles = layout.cores ?? [[0, 0, columns - 1, rows - 1]];
  const list: Core[] = [];
  for (const [x0, y0, x1, y1] of rectangles)
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) list.push({ x, y });
  return list;
}

export interface CoreUse { x: number; y: number; tensors: number; buffers: number; held: number[] }

/** Each core of the device, row by row, with what it holds at a step. Circular buffers and temporaries are the op model's, alike on all cores. */
export function coreUse(plan: Plan, step: number): CoreUse[] {
  const [rows, columns] = plan.f.device.grid;
  const shares = sharesAt(plan, step);
  const everywhere = (holder: Holder) => shares.find((share) => share.holder === holder)?.bytes ?? 0;
  const use: CoreUse[] = Array.from({ length: rows * columns }, (_, i) => ({
    x: i % columns, y: Math.floor(i / columns), tensors: everywhere("temporaries"), buffers: everywhere("circular buffers"), held: [],
  }));
  for (const { tensor, bytes } of shares) {
    if (tensor === null) continue;
    for (const { x, y } of coresOf(plan, plan.layoutOf(tensor))) {
      const core = use[y * columns + x];
      if (!core) continue;
      core.tensors += bytes;
      core.held.push(tensor);
    }
  }
  return use;
}

export interface Shard { index: number; rows: [number, number]; columns: [number, number]; empty: boolean }

/** The part of a tensor that its i-th core holds, in elements of the tensor as two dimensions; null if it is interleaved. */
export function shardOf(plan: Plan, tensor: number, core: Core): Shard | null {
  const layout = plan.layoutOf(tensor);
  if (layout.memory === undefined || layout.memory === "interleaved") return null;
  const index = coresOf(plan, layout).findIndex((each) => each.x === core.x && each.y === core.y);
  const [gridRows, gridColumns] = layout.grid;
  if (index < 0 || index >= gridRows * gridColumns) return null;
  const unit = layout.page === "tile" ? layout.tile : [1, 1];
  const height = layout.shard[0] * unit[0], width = (layout.shard[1] ?? 1) * unit[1];
  const [row, column] = [Math.floor(index / gridColumns), index % gridColumns];
  const { shape } = plan.valueOf(tensor);
  const lastColumn = shape[shape.length - 1] ?? 1;
  return {
    index, rows: [row * height, (row + 1) * height], columns: [column * width, Math.min((column + 1) * width, Math.max(lastColumn, column * width))],
    empty: column * width >= lastColumn,
  };
}
