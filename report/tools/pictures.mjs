// The pictures of docs/report.md: node tools/pictures.mjs report.html, made by
// `tessera report examples/llama_decode.mlir -o report.html --policy beam --against greedy`.
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const places = { memory: "#memory&step=35", graph: "#graph&step=35" };
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: ["--no-sandbox"] });
for (const [name, place] of Object.entries(places)) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1100, height: 680 });
  await page.goto(`file://${resolve(process.argv[2])}${place}`);
  await page.waitForSelector("canvas");
  await new Promise((done) => setTimeout(done, 500));
  await page.screenshot({ path: resolve(import.meta.dirname, `../../docs/images/report-${name}.png`) });
}
await browser.close();
