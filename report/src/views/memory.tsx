// Who lies where in L1 and when, the sums that the budget limits, and DRAM.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { moved, type Span, StepAxis, type Unit, zoomed } from "../draw/axis";
import { Canvas, type Size } from "../draw/canvas";
import { holderColors, memoryColors, selectionColor, theme } from "../draw/colors";
import { dramColors, dramEnd, dramTensorAt, dramTensors, drawDramMap } from "../draw/dramMap";
import { AddressScale, drawMap, gutter } from "../draw/memoryMap";
import { dramBytes, drawStrip, pressureSeries } from "../draw/strips";
import { bytes, hex, percent } from "../format";
import { freeSpace, rectangles } from "../model/memory";
import { memoryNames, type Plan } from "../model/plan";
import type { Report } from "../state";
import { Legend, LegendItem } from "./parts";

interface Hover { x: number; y: number; lines: string[] }

function within(range: [number, number] | null, address: number): boolean {
  return range !== null && range[0] <= address && address < range[1];
}

/** The tensor at a place; the last one made, where views share it. */
function tensorAt(plan: Plan, step: number, address: number): number | null {
  return plan.holdersAt(step).filter((t) => within(plan.addressAt(t, step), address)).pop() ?? null;
}

function linesAt(plan: Plan, at: number, address: number): string[] {
  const step = plan.steps[at];
  const space = freeSpace(plan, at);
  const where = [`step ${at}, ${plan.stepName(at)}: ${bytes(plan.l1At(at))} of ${bytes(plan.f.budget_bytes)}`,
    `free ${bytes(space.free)}, largest hole ${bytes(space.largest)} (fragmented ${percent(space.free ? 1 - space.largest / space.free : 0)})`];
  const tensor = tensorAt(plan, at, address);
  if (tensor !== null) {
    const data = plan.tensor(tensor);
    return [plan.valueName(tensor), `${plan.shape(plan.valueOf(tensor))} in ${plan.layoutOf(tensor).text}`,
      `${bytes(data.l1_bytes)} per core at ${hex(plan.addressAt(tensor, at)![0])}${at < (data.made_by ?? 0) ? ", kept until it is made" : ""}`, `lives in steps ${data.begin} to ${data.end - 1}`,
      `read by ${data.readers.slice(0, 4).map((r) => plan.stepName(r)).join(", ") || "nothing"}${data.readers.length > 4 ? ` and ${data.readers.length - 4} more` : ""}`,
      ...where];
  }
  if (within(step.temporaries_address, address)) return [`temporaries of ${plan.stepName(at)}: ${bytes(step.l1.temporaries_bytes)}`, ...where];
  if (within(step.buffers_address, address)) return [`circular buffers of ${plan.stepName(at)}: ${bytes(step.l1.buffers_bytes)}`, ...where];
  return [`${hex(Math.max(0, Math.round(address)))}: nothing`, ...where];
}

function Tooltip({ hover, size }: { hover: Hover; size: Size }): JSX.Element {
  const left = hover.x > size.width / 2;
  const above = hover.y > size.height / 2;
  return (
    <div class="tooltip" style={{
      [left ? "right" : "left"]: `${left ? size.width - hover.x + 14 : hover.x + 14}px`,
      [above ? "bottom" : "top"]: `${above ? size.height - hover.y + 10 : hover.y + 10}px` }}>
      {hover.lines.map((line, i) => <div key={i} class={i ? "" : "first"}>{line}</div>)}
    </div>
  );
}

export function Memory({ report }: { report: Report }): JSX.Element {
  const { plan, view } = report;
  const [unit, setUnit] = useState<Unit>("step");
  const whole = useMemo(() => StepAxis.whole(plan, unit), [plan, unit]);
  const allAddresses = useMemo<Span>(() => ({ from: 0, to: plan.f.device.l1_bytes }), [plan]);
  const [span, setSpan] = useState<Span>(whole);
  const [addresses, setAddresses] = useState<Span>(allAddresses);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [hover, setHover] = useState<Hover | null>(null);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const rects = useMemo(() => rectangles(plan).filter((each) => each.address !== null).sort((a, b) => a.begin - b.begin), [plan]);
  const largest = useMemo(() => Float64Array.from(plan.steps, (_, i) => freeSpace(plan, i).largest), [plan]);
  const pressure = useMemo(() => pressureSeries(plan, largest), [plan, largest]);
  const dram = useMemo(() => dramBytes(plan), [plan]);
  const inDram = useMemo(() => dramTensors(plan), [plan]);
  const dramMost = useMemo(() => dramEnd(plan, inDram), [plan, inDram]);
  const [dramHover, setDramHover] = useState<Hover | null>(null);
  const [dramSize, setDramSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => { setSpan(whole); }, [whole]);

  const axisFor = (width: number) => new StepAxis(plan, unit, span, gutter, width);
  const axis = axisFor(size.width);
  const least = unit === "step" ? 2 : Math.max((whole.to - whole.from) / plan.steps.length / 50, 1);

  // What was selected elsewhere comes into view.
  useEffect(() => {
    if (view.step === null || !size.width) return;
    const at = axis.begin(view.step);
    if (at < span.from || at >= span.to) setSpan(moved(span, whole, at - (span.from + span.to) / 2));
  }, [view.step, size.width, unit]);

  const zoom = (factor: number, x?: number) => setSpan((old) => zoomed(old, whole, x === undefined ? (old.from + old.to) / 2 : x, factor, Math.min(least, whole.to)));
  const reset = () => { setSpan(whole); setAddresses(allAddresses); };
  const scaleOf = () => new AddressScale(addresses, size.height);

  // The wheel's default, to scroll the page, can be prevented only by a listener that is not passive.
  useEffect(() => {
    const element = canvas.current!;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY / 240)));
      if (event.shiftKey) setAddresses(zoomed(addresses, allAddresses, scaleOf().address(event.offsetY), factor, 1024));
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) setSpan(moved(span, whole, (event.deltaX / size.width) * (span.to - span.from)));
      else zoom(factor, axis.value(event.offsetX));
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });

  const move = (event: PointerEvent) => {
    const [x, y] = [event.offsetX, event.offsetY];
    if (drag.current && event.buttons) {
      const [dx, dy] = [x - drag.current.x, y - drag.current.y];
      if (!drag.current.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      drag.current = { x, y, moved: true };
      setHover(null);
      setSpan(moved(span, whole, (-dx / (size.width - gutter)) * (span.to - span.from)));
      setAddresses(moved(addresses, allAddresses, (dy / size.height) * (addresses.to - addresses.from)));
      return;
    }
    if (x < gutter || !plan.steps.length) return setHover(null);
    setHover({ x, y, lines: linesAt(plan, axis.step(x), scaleOf().address(y)) });
  };
  const release = (event: PointerEvent) => {
    if (drag.current && !drag.current.moved && event.offsetX >= gutter && plan.steps.length) {
      const step = axis.step(event.offsetX);
      report.select(step, tensorAt(plan, step, scaleOf().address(event.offsetY)));
    }
    drag.current = null;
  };
  const keys = (event: KeyboardEvent) => {
    const width = span.to - span.from;
    const actions: Record<string, () => void> = {
      "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7), "0": reset,
      ArrowLeft: () => setSpan(moved(span, whole, -width / 8)), ArrowRight: () => setSpan(moved(span, whole, width / 8)),
    };
    const action = actions[event.key];
    if (action) { event.preventDefault(); action(); }
  };

  const draw = useCallback((context: CanvasRenderingContext2D, drawn: Size) =>
    drawMap(context, drawn, { plan, rectangles: rects, axis: axisFor(drawn.width), addresses, step: view.step, tensor: view.tensor }, theme()),
  [plan, rects, unit, span, addresses, view.step, view.tensor]);
  const drawPressure = useCallback((context: CanvasRenderingContext2D, drawn: Size) =>
    drawStrip(context, drawn, { axis: axisFor(drawn.width), series: pressure, limit: plan.f.budget_bytes, most: plan.f.budget_bytes * 1.06, step: view.step, axisBelow: false }, theme()),
  [plan, pressure, unit, span, view.step]);
  const dramScene = (width: number) => ({ plan, tensors: inDram, axis: axisFor(width), most: dramMost, step: view.step });
  const drawDram = useCallback((context: CanvasRenderingContext2D, drawn: Size) => {
    if (inDram.length) return drawDramMap(context, drawn, dramScene(drawn.width), theme());
    drawStrip(context, drawn, { axis: axisFor(drawn.width), series: [{ name: "DRAM", color: memoryColors.dram, values: dram, style: "area" }], limit: null,
      most: dram.reduce((a, b) => Math.max(a, b), 0) * 1.06, step: view.step, axisBelow: true }, theme());
  }, [plan, dram, inDram, dramMost, unit, span, view.step]);
  const moveDram = (event: PointerEvent) => {
    const tensor = event.offsetX < gutter || !plan.steps.length ? null : dramTensorAt(dramScene(dramSize.width), dramSize, event.offsetX, event.offsetY);
    if (tensor === null) return setDramHover(null);
    const data = plan.tensor(tensor);
    setDramHover({ x: event.offsetX, y: event.offsetY, lines: [plan.valueName(tensor), `${plan.shape(plan.valueOf(tensor))}, ${bytes(data.total_bytes)} over ${plan.f.device.dram_banks ?? "all"} banks`,
      `lives in steps ${data.begin} to ${data.end - 1}`] });
  };
  const clickDram = (event: MouseEvent) => {
    if (event.offsetX < gutter || !plan.steps.length) return;
    report.select(axis.step(event.offsetX), dramTensorAt(dramScene(dramSize.width), dramSize, event.offsetX, event.offsetY));
  };

  return (
    <div class="memory">
      <div class="tools">
        <label>across <select aria-label="Across" value={unit} onChange={(e) => { setSpan(StepAxis.whole(plan, e.currentTarget.value as Unit)); setUnit(e.currentTarget.value as Unit); }}>
          <option value="step">steps</option><option value="time">time</option></select></label>
        <button onClick={() => zoom(0.6)} aria-label="Zoom in">+</button>
        <button onClick={() => zoom(1 / 0.6)} aria-label="Zoom out">−</button>
        <button onClick={reset}>all</button>
        <Legend>
          <LegendItem color={memoryColors.l1_sharded}>{memoryNames.l1_sharded}</LegendItem>
          <LegendItem color={memoryColors.l1_interleaved}>{memoryNames.l1_interleaved}</LegendItem>
          <LegendItem color={holderColors.buffers} hatched>circular buffers</LegendItem>
          <LegendItem color={holderColors.temporaries} hatched>temporaries</LegendItem>
        </Legend>
      </div>
      <h3>Addresses in L1, of each core</h3>
      <div class="map">
        <Canvas draw={draw} label="Map of L1: address by step" onSize={setSize} canvasRef={canvas} id="memory-map" tabIndex={0}
          onPointerDown={(e) => { drag.current = { x: e.offsetX, y: e.offsetY, moved: false }; e.currentTarget.setPointerCapture(e.pointerId); }}
          onPointerMove={move} onPointerUp={release} onPointerLeave={() => setHover(null)} onDblClick={reset} onKeyDown={keys} />
        {hover ? <Tooltip hover={hover} size={size} /> : null}
      </div>
      <h3>Bytes of each core against the budget
        <Legend>
          <LegendItem color={memoryColors.l1_sharded}>tensors</LegendItem><LegendItem color={holderColors.buffers}>circular buffers</LegendItem>
          <LegendItem color={holderColors.margin}>margin</LegendItem><LegendItem color={selectionColor}>budget {bytes(plan.f.budget_bytes)}</LegendItem>
          <LegendItem color={holderColors.temporaries}>largest hole (dashed)</LegendItem>
        </Legend></h3>
      <Canvas class="strip" draw={drawPressure} label="L1 in use against the budget, by step" />
      <h3>{inDram.length ? "Addresses in DRAM, of each bank" : "Bytes in DRAM"}
        {inDram.length ? <Legend><LegendItem color={dramColors.given}>there from the start</LegendItem><LegendItem color={dramColors.made}>made by a step</LegendItem></Legend> : null}</h3>
      <div class="strip-box">
        <Canvas class="strip" draw={drawDram} label="DRAM, by step" onSize={setDramSize} onPointerMove={moveDram} onPointerLeave={() => setDramHover(null)} onClick={clickDram} />
        {dramHover ? <Tooltip hover={dramHover} size={dramSize} /> : null}
      </div>
    </div>
  );
}
