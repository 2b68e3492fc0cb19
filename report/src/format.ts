// Quantities for people, as lib/Support/Format.cpp writes them: three significant digits.

/** As C's printf: what lies in the middle goes to the even digit, where toFixed goes away from zero. Only eighths, quarters and halves can lie there. */
function fixed(value: number, digits: number): string {
  const isMiddle = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
  const below = Math.floor(Math.abs(value) * 10 ** digits);
  return isMiddle && below % 2 === 0 ? ((Math.sign(value) * below) / 10 ** digits).toFixed(digits) : value.toFixed(digits);
}

function significant(value: number): string {
  const size = Math.abs(value);
  return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
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
  return Number.isFinite(share) ? `${fixed(share * 100, 1)} %` : "-";
}

export function hex(address: number): string {
  return `0x${address.toString(16).padStart(6, "0")}`;
}

export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
