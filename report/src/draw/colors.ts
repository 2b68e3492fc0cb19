// Colours of the Okabe-Ito palette, which those who see red and green alike can tell apart; what matters is also said by hatching, form or text.
import type { MemoryKind } from "../model/plan";

export const memoryColors: Record<MemoryKind, string> = {
  l1_sharded: "#0072b2", l1_interleaved: "#56b4e9", dram: "#e69f00", host: "#999999",
};
export const holderColors = { buffers: "#009e73", temporaries: "#cc79a7", margin: "#8a8a8a" };
/** Of ops that make nothing, such as those that write into a cache; no memory's and no type's. */
export const noResultColor = "#5b4a8a";
export const selectionColor = "#d55e00";

export const boundColors: Record<string, string> = {
  compute: "#0072b2", L1: "#56b4e9", NoC: "#cc79a7", DRAM: "#e69f00", dispatch: "#999999",
};

const typeColors = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];
export function typeColor(types: string[], type: string): string {
  return typeColors[Math.max(0, types.indexOf(type)) % typeColors.length];
}

/** From little to much, dark to light (cividis), 0 to 1. */
export function heat(share: number): string {
  const stops = [[0, 32, 76], [57, 72, 108], [124, 123, 120], [188, 175, 111], [255, 234, 70]];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const mix = stops[i].map((low, c) => Math.round(low + (stops[i + 1][c] - low) * (at - i)));
  return `rgb(${mix.join(",")})`;
}

export interface Theme { background: string; panel: string; text: string; muted: string; line: string; dim: string }

/** The page's own colours, for what is drawn on a canvas. */
export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return { background: of("background"), panel: of("panel"), text: of("text"), muted: of("muted"), line: of("line"), dim: of("dim") };
}
