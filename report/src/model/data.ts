// The data that `tessera report` has put into the page.
import type { ReportData } from "./schema";

export async function embeddedData(): Promise<ReportData> {
  const element = document.getElementById("tessera-report-data");
  if (!element) throw new Error("there is no data in this page: `tessera report` puts it there");
  const text = element.textContent ?? "";
  const data = JSON.parse(element.dataset.encoding ? await inflated(text) : text) as ReportData;
  if (data.format !== "tessera.report" || data.version !== 1) throw new Error("the data in this page is of another version of tessera");
  return data;
}

async function inflated(base64: string): Promise<string> {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}
