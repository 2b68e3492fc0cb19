import { render } from "preact";
import { App } from "./app";
import { embeddedData } from "./model/data";
import { Report } from "./state";
import "./style.css";

async function main(): Promise<void> {
  const place = document.getElementById("page")!;
  try {
    const report = new Report(await embeddedData());
    render(<App report={report} />, place);
    performance.mark("tessera-first-paint");
  } catch (error) {
    place.textContent = `This report cannot be drawn: ${(error as Error).message}`;
    throw error;
  }
}

void main();
