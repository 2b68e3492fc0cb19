// Small pieces that several views use.
import type { ComponentChildren, JSX } from "preact";
import { memoryColors } from "../draw/colors";
import { type MemoryKind, memoryNames } from "../model/plan";
import type { Report } from "../state";

/** A step by its name; a click selects it. */
export function StepLink({ report, step }: { report: Report; step: number }): JSX.Element {
  return <button class="link" onClick={() => report.select(step)}>{report.plan.stepName(step)}</button>;
}

export function TensorLink({ report, tensor, step }: { report: Report; tensor: number; step: number | null }): JSX.Element {
  return <button class="link" onClick={() => report.select(step, tensor)}>{report.plan.valueName(tensor)}</button>;
}

export interface Share { name: string; value: number; text: string; color: string }

/** Parts of a whole side by side, with a legend that names them. */
export function Stack({ shares, label, total }: { shares: Share[]; label: string; total?: number }): JSX.Element {
  const sum = total ?? shares.reduce((all, each) => all + each.value, 0);
  const shown = shares.filter((each) => each.value > 0);
  return (
    <figure class="stack" aria-label={label}>
      <div class="bar">
        {shown.map((each) => (
          <span key={each.name} style={{ width: `${(100 * each.value) / (sum || 1)}%`, background: each.color }}
            title={`${each.name}: ${each.text}`} />
        ))}
      </div>
      <figcaption>
        {shown.map((each) => <span key={each.name}><i style={{ background: each.color }} />{each.name} {each.text}</span>)}
      </figcaption>
    </figure>
  );
}

export function KindMark({ kind }: { kind: MemoryKind }): JSX.Element {
  return <i class={`mark ${kind}`} style={{ background: memoryColors[kind] }} title={memoryNames[kind]} />;
}

export function Legend({ children }: { children: ComponentChildren }): JSX.Element {
  return <div class="legend">{children}</div>;
}

export function LegendItem({ color, hatched, children }: { color: string; hatched?: boolean; children: ComponentChildren }): JSX.Element {
  return <span><i class={hatched ? "hatched" : ""} style={{ background: color }} />{children}</span>;
}
