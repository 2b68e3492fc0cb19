// Ways of edges through a layered drawing: what passes a rank has a lane of its own there, beside its boxes, so that no edge crosses a box.
import type { Item } from "./graph";

/** A place of an edge in a rank; as tall as the rank. */
export interface Lane { x: number; top: number; bottom: number }

/** A box among its neighbours, with the lanes from it to ranks below (out) and to it from those above (entry), from above to below. */
export interface Stop { item: Item; rank: number; bottom: number; out: Lane[]; entry: Lane[] }

export type Point = [number, number];

export function shiftLanes(stops: Iterable<Stop>, dx: number, dy: number): void {
  for (const stop of stops) {
    stop.bottom += dy;
    for (const lane of [...stop.out, ...stop.entry]) { lane.x += dx; lane.top += dy; lane.bottom += dy; }
  }
}

function along(points: Point[], lanes: Lane[]): void {
  for (const { x, top, bottom } of lanes) points.push([x, top], [x, bottom]);
}

/** The corners of an edge. `from` and `to` lead outwards: a box, the open group that it is in, and so on; the last two are neighbours. */
export function route(from: Stop[], to: Stop[]): Point[] {
  const points: Point[] = [];
  let x = from[0].item.x + from[0].item.width / 2;
  from.forEach((stop, level) => {
    points.push([x, stop.item.y + stop.item.height], [x, stop.bottom]);
    const outermost = level === from.length - 1;
    along(points, outermost ? stop.out.slice(0, to[to.length - 1].rank - stop.rank - 1) : stop.out);
    x = points[points.length - 1][0];
  });
  [...to].reverse().forEach((stop, level) => {
    if (level > 0) along(points, stop.entry);
    // Into a group straight down, to where its inside goes on.
    const inside = to[to.length - 2 - level];
    if (inside) points.push([inside.entry[0]?.x ?? inside.item.x + inside.item.width / 2, stop.item.y]);
  });
  const [{ item }] = to;
  points.push([item.x + item.width / 2, item.y]);
  return points;
}
