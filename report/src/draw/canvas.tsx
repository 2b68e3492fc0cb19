// A canvas that fills its place in the page, in device pixels, and is drawn again when it or the theme changes.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";

export interface Size { width: number; height: number }
export type Draw = (context: CanvasRenderingContext2D, size: Size) => void;

interface Props extends Omit<JSX.HTMLAttributes<HTMLCanvasElement>, "ref" | "size"> {
  draw: Draw;
  label: string;
  onSize?: (size: Size) => void;
  canvasRef?: { current: HTMLCanvasElement | null };
}

export function Canvas({ draw, label, onSize, canvasRef, ...rest }: Props): JSX.Element {
  const own = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [themed, setThemed] = useState(0);
  useLayoutEffect(() => {
    const canvas = own.current!;
    if (canvasRef) canvasRef.current = canvas;
    const measure = () => {
      const next = { width: canvas.clientWidth, height: canvas.clientHeight };
      setSize((old) => (old.width === next.width && old.height === next.height ? old : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(canvas);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const again = () => setThemed((n) => n + 1);
    const media = matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", again);
    addEventListener("themechange", again);
    return () => { media.removeEventListener("change", again); removeEventListener("themechange", again); };
  }, []);
  useLayoutEffect(() => { onSize?.(size); }, [size]);
  useLayoutEffect(() => {
    const canvas = own.current!;
    if (!size.width || !size.height) return;
    const scale = devicePixelRatio || 1;
    const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const context = canvas.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.font = "12px system-ui, sans-serif";
    const begun = performance.now();
    draw(context, size);
    // What report/check reads: how long the last drawing of this canvas took.
    canvas.dataset.drawn = (performance.now() - begun).toFixed(2);
  }, [draw, size, themed]);
  return <canvas ref={own} role="img" aria-label={label} {...(rest as JSX.HTMLAttributes<HTMLCanvasElement>)} />;
}

/** `text`, cut to fit into `width`; "" if hardly anything is left. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let length = Math.floor((text.length * width) / Math.max(1, context.measureText(text).width));
  while (length > 2 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return length > 2 ? `${text.slice(0, length)}…` : "";
}

/** Round steps for an axis from `low` to `high`, at most `count` of them. */
export function ticks(low: number, high: number, count: number, base = 10): number[] {
  const span = Math.max(high - low, 1e-9);
  const rough = span / Math.max(count, 1);
  let step = base === 10 ? 10 ** Math.floor(Math.log10(rough)) : 2 ** Math.ceil(Math.log2(rough));
  if (base === 10) step *= [1, 2, 5, 10].find((m) => step * m >= rough) ?? 10;
  const list: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + 1e-9; at += step) list.push(at);
  return list;
}
