// The ops as a graph whose layers and blocks open and close.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Canvas, type Size } from "../draw/canvas";
import { heat, memoryColors, noResultColor, selectionColor, theme, typeColor } from "../draw/colors";
import { type Camera, type ColorBy, diamondSize, drawGraph, drawMiniature, type Mark, miniature } from "../draw/graphMap";
import { type Drawing, graphEdges, type Item, layout, resultKind } from "../model/graph";
import { type Group, groupsOf, isSource } from "../model/groups";
import { type MemoryKind, memoryNames, type Plan } from "../model/plan";
import type { Report } from "../state";
import { Legend, LegendItem } from "./parts";

/** Ops that are all shown at first. */
const kSmall = 120;

function allGroups(group: Group): string[] {
  return group.children.flatMap((child) => (typeof child === "number" ? [] : [child.id, ...allGroups(child)]));
}

/** The groups around an op, the outermost first. */
function around(group: Group, op: number): string[] {
  for (const child of group.children) {
    if (typeof child === "number") continue;
    const inside = child.children.includes(op) ? [] : around(child, op);
    if (child.children.includes(op) || inside.length) return [child.id, ...inside];
  }
  return [];
}

/** At this scale names can be read. */
const kReadable = 0.75;

/** The whole graph if that can be read, else its beginning. */
export function fit(drawing: Drawing, size: Size): Camera {
  const scale = Math.max(Math.min(1, size.width / (drawing.width + 60)), kReadable);
  const first = drawing.items.find((item) => item.y === 0);
  const middle = first && drawing.width * scale > size.width ? first.x + Math.min(first.width / 2, size.width / scale / 2 - 30) : drawing.width / 2;
  return { scale, x: middle - size.width / scale / 2, y: -16 / scale };
}

function allOf(drawing: Drawing, size: Size): Camera {
  const scale = Math.max(Math.min(1, size.width / (drawing.width + 160), size.height / (drawing.height + 40)), 0.004);
  return { scale, x: drawing.width / 2 - size.width / scale / 2, y: drawing.height / 2 - size.height / scale / 2 };
}

function itemAt(drawing: Drawing, x: number, y: number): Item | null {
  // Items stand behind the groups that they are in.
  for (let i = drawing.items.length - 1; i >= 0; i--) {
    const item = drawing.items[i];
    if (x >= item.x && x < item.x + item.width && y >= item.y && y < item.y + item.height) return item;
  }
  return null;
}

function Colors({ colorBy, types, withNone }: { colorBy: ColorBy; types: string[]; withNone: boolean }): JSX.Element {
  return (
    <Legend>
      {colorBy === "memory" ? (Object.keys(memoryColors) as MemoryKind[]).map((kind) => <LegendItem key={kind} color={memoryColors[kind]}>{memoryNames[kind]}</LegendItem>)
        : colorBy === "type" ? types.map((type) => <LegendItem key={type} color={typeColor(types, type)}>{type}</LegendItem>)
          : [0, 0.5, 1].map((share) => <LegendItem key={share} color={heat(share)}>{["little time", "", "most time"][share * 2]}</LegendItem>)}
      {withNone && colorBy !== "time" ? <LegendItem color={noResultColor}>no result</LegendItem> : null}
      <span><i style={{ background: selectionColor, transform: "rotate(45deg)" }} />conversion on an edge</span>
    </Legend>
  );
}

/** Goes from match to match, in the graph. */
function Find({ report, ops }: { report: Report; ops: number[] }): JSX.Element {
  const { plan, view } = report;
  const [wanted, setWanted] = useState("");
  const found = useMemo(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length ? ops.filter((op) => words.every((word) => `${plan.opName(op)} ${plan.op(op).name}`.toLowerCase().includes(word))) : [];
  }, [plan, ops, wanted]);
  const place = found.indexOf(opOfStep(plan, view.step) ?? -1);
  const go = (back: boolean) => {
    if (found.length) report.select(plan.op(found[(place + (back ? (place < 0 ? 0 : -1) : 1) + found.length) % found.length]).step);
  };
  return (
    <label><input id="graph-search" type="search" placeholder="find ops  ( / )" aria-label="Find ops in the graph" value={wanted}
      onInput={(e) => setWanted(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === "Enter") go(e.shiftKey); }} />
      {wanted ? <span class="muted"> {place < 0 ? "" : `${place + 1} of `}{found.length}</span> : null}</label>
  );
}

function opOfStep(plan: Plan, step: number | null): number | null { return step === null ? null : plan.steps[step].op; }

export function Graph({ report }: { report: Report }): JSX.Element {
  const { plan, view } = report;
  const [sources, setSources] = useState(false);
  const [colorBy, setColorBy] = useState<ColorBy>("memory");
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [hover, setHover] = useState<{ x: number; y: number; text: string } | null>(null);
  const visible = useMemo(() => plan.f.ops.map((_, i) => i).filter((op) => sources || !isSource(plan, op)), [plan, sources]);
  const root = useMemo(() => groupsOf(plan, visible), [plan, visible]);
  const edges = useMemo(() => graphEdges(plan, sources), [plan, sources]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(root.ops <= kSmall ? allGroups(root) : []));
  const drawing = useMemo(() => layout(root, edges, open), [root, edges, open]);
  const [camera, setCamera] = useState<Camera | null>(null);
  const types = useMemo(() => [...new Set(plan.f.layouts.map((each) => each.dtype))].sort(), [plan]);
  const longest = useMemo(() => plan.steps.reduce((most, step) => Math.max(most, step.time.total_ns), 1), [plan]);
  const withNone = useMemo(() => plan.f.ops.some((_, i) => resultKind(plan, i) === "none"), [plan]);
  const marks = useRef<Mark[]>([]);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const shown = camera ?? (size.width ? fit(drawing, size) : { x: 0, y: 0, scale: 1 });

  // What was selected elsewhere: its groups open, and it comes into view.
  const op = opOfStep(plan, view.step);
  useEffect(() => {
    if (op === null) return;
    const missing = around(root, op).filter((id) => !open.has(id));
    if (missing.length) setOpen(new Set([...open, ...missing]));
  }, [op, root]);
  useEffect(() => {
    const item = op === null ? undefined : drawing.itemOf.get(op);
    if (!item || item.op !== op || !size.width) return;
    const [x, y] = [(item.x - shown.x) * shown.scale, (item.y - shown.y) * shown.scale];
    if (shown.scale >= 0.4 && x > 0 && y > 0 && x < size.width - 100 && y < size.height - 30) return;
    const scale = Math.max(shown.scale, 0.8);
    setCamera({ scale, x: item.x + item.width / 2 - size.width / scale / 2, y: item.y - size.height / scale / 2 });
  }, [op, drawing, size.width]);

  const zoom = (factor: number, px = size.width / 2, py = size.height / 2) => {
    const scale = Math.min(Math.max(shown.scale * factor, 0.004), 3);
    setCamera({ scale, x: shown.x + px / shown.scale - px / scale, y: shown.y + py / shown.scale - py / scale });
  };
  useEffect(() => {
    const element = canvas.current!;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-Math.max(-1, Math.min(1, event.deltaY / 300))), event.offsetX, event.offsetY);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });

  const world = (event: PointerEvent) => ({ x: shown.x + event.offsetX / shown.scale, y: shown.y + event.offsetY / shown.scale });
  const markAt = (x: number, y: number) => marks.current.find((mark) => Math.abs(mark.x - x) + Math.abs(mark.y - y) < (diamondSize + 2) / Math.max(Math.min(shown.scale, 1), 0.35));
  const toggle = (group: Group, item: Item) => {
    const next = new Set(open);
    if (next.has(group.id)) next.delete(group.id);
    else next.add(group.id);
    setOpen(next);
    setCamera({ ...shown, x: shown.x, y: Math.min(shown.y, Math.max(item.y - 20 / shown.scale, shown.y)) });
  };
  const click = (event: PointerEvent) => {
    const { x, y } = world(event);
    const mark = markAt(x, y);
    if (mark) return report.select(mark.edge.conversions[0]);
    const item = itemAt(drawing, x, y);
    if (!item) return;
    if (item.op !== null) report.select(plan.op(item.op).step);
    else if (!item.open || y < item.y + 24) toggle(item.group!, item);
  };
  const move = (event: PointerEvent) => {
    if (drag.current && event.buttons) {
      const [dx, dy] = [event.offsetX - drag.current.x, event.offsetY - drag.current.y];
      if (!drag.current.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      drag.current = { x: event.offsetX, y: event.offsetY, moved: true };
      setHover(null);
      setCamera({ ...shown, x: shown.x - dx / shown.scale, y: shown.y - dy / shown.scale });
      return;
    }
    const { x, y } = world(event);
    const mark = markAt(x, y);
    const item = mark ? null : itemAt(drawing, x, y);
    const text = mark ? mark.edge.conversions.slice(0, 3).map((step) => `${plan.stepName(step)}: ${plan.sentence(step)}`).join("\n")
      : item && item.op !== null ? `${plan.opName(item.op)}: ${plan.sentence(plan.op(item.op).step)}`
        : item && !item.open ? `${item.group!.name}: a click opens it` : null;
    setHover(text ? { x: event.offsetX, y: event.offsetY, text } : null);
  };
  const keys = (event: KeyboardEvent) => {
    const step = 60 / shown.scale;
    const actions: Record<string, () => void> = {
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": () => setCamera(allOf(drawing, size)),
      ArrowUp: () => setCamera({ ...shown, y: shown.y - step }), ArrowDown: () => setCamera({ ...shown, y: shown.y + step }),
      ArrowLeft: () => setCamera({ ...shown, x: shown.x - step }), ArrowRight: () => setCamera({ ...shown, x: shown.x + step }),
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  };
  useEffect(() => setHover(null), [shown.x, shown.y, shown.scale, drawing]);
  const draw = useCallback((context: CanvasRenderingContext2D, drawn: Size) => {
    marks.current = drawGraph(context, drawn, { plan, drawing, camera: shown, colorBy, step: view.step, types, longest }, theme());
  }, [plan, drawing, shown.x, shown.y, shown.scale, colorBy, view.step, types, longest]);
  const drawMap = useCallback((context: CanvasRenderingContext2D, drawn: Size) =>
    drawMiniature(context, drawn, { plan, drawing, camera: shown, colorBy, step: view.step, types, longest }, size, theme()),
  [plan, drawing, shown.x, shown.y, shown.scale, colorBy, types, longest, size]);
  const goTo = (event: PointerEvent) => {
    const map = event.currentTarget as HTMLCanvasElement;
    const at = miniature(drawing, { width: map.clientWidth, height: map.clientHeight });
    setCamera({ ...shown, x: at.x + event.offsetX / at.scale - size.width / shown.scale / 2, y: at.y + event.offsetY / at.scale - size.height / shown.scale / 2 });
  };
  const show = (ids: string[]) => { setOpen(new Set(ids)); setCamera(null); };

  return (
    <div class="graph">
      <div class="tools">
        <label>colour <select aria-label="Colour by" value={colorBy} onChange={(e) => setColorBy(e.currentTarget.value as ColorBy)}>
          <option value="memory">memory</option><option value="time">time</option><option value="type">data type</option></select></label>
        <button onClick={() => show(allGroups(root))}>open all</button>
        <button onClick={() => show([])}>close all</button>
        <button onClick={() => zoom(1.4)} aria-label="Zoom in">+</button>
        <button onClick={() => zoom(1 / 1.4)} aria-label="Zoom out">−</button>
        <button onClick={() => setCamera(allOf(drawing, size))}>all</button>
        <label><input type="checkbox" checked={sources} onChange={(e) => setSources(e.currentTarget.checked)} />constants</label>
        <Find report={report} ops={visible} />
        <Colors colorBy={colorBy} types={types} withNone={withNone} />
      </div>
      <div class="map">
        <Canvas draw={draw} label="Graph of the ops" onSize={setSize} canvasRef={canvas} id="graph-map" tabIndex={0} data-scale={shown.scale}
          onPointerDown={(e) => { drag.current = { x: e.offsetX, y: e.offsetY, moved: false }; e.currentTarget.setPointerCapture(e.pointerId); }}
          onPointerMove={move} onPointerUp={(e) => { if (drag.current && !drag.current.moved) click(e); drag.current = null; }}
          onPointerLeave={() => setHover(null)} onKeyDown={keys} />
        <Canvas class="miniature" draw={drawMap} label="The whole graph, and what is shown of it" onPointerDown={goTo}
          onPointerMove={(e) => { if (e.buttons) goTo(e); }} />
        {hover ? (
          <div class="tooltip" style={{ [hover.x > size.width / 2 ? "right" : "left"]: `${hover.x > size.width / 2 ? size.width - hover.x + 14 : hover.x + 14}px`,
            [hover.y > size.height / 2 ? "bottom" : "top"]: `${hover.y > size.height / 2 ? size.height - hover.y + 10 : hover.y + 10}px`, whiteSpace: "pre-line" }}>{hover.text}</div>) : null}
      </div>
    </div>
  );
}
