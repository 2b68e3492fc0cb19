// Quantities for people, as lib/Support/Format.cpp writes them: three significant digits.

function significant(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

function scaled(value: number, step: number, units: string[]): string {
  let unit = 0;
  for (; unit + 1 < units.length && Math.abs(value) >= step - 0.5; unit++) value /= step;
  return `${significant(value)} ${units[unit]}`;
}

export function bytes(value: number): string {
  return Math.abs(value) < 1024 ? `${value} B` : scaled(value / 1024, 1024, ["KiB", "MiB", "GiB", "TiB"]);
}

export function time(ns: number): string {
  return ns === 0 ? "0 ns" : scaled(ns, 1000, ["ns", "us", "ms", "s"]);
}

export function signedTime(ns: number): string {
  return (ns < 0 ? "-" : "+") + time(Math.abs(ns));
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(1)} %` : "-";
}

export function hex(address: number): string {
  return `0x${address.toString(16).padStart(6, "0")}`;
}

export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
