// Opens reports in headless Chromium, looks at every view, and writes pictures. Checks what docs/report.md promises; one line per report.
//
//   node tools/screens.mjs OUT NAME=FILE ...
import { mkdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import puppeteer from "puppeteer-core";

const [out, ...reports] = process.argv.slice(2);
const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
const kLongReport = 5000;
/** Steps of a report whose sums are looked at: of the models all, of the generated one the first. */
const kMostSums = 500;
const failures = [];

const browser = await puppeteer.launch({ executablePath: executable, headless: true, args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"] });
mkdirSync(out, { recursive: true });

function check(name, holds, what) {
  if (!holds) failures.push(`${name}: ${what}`);
}

/** Texts of the page's elements that lie over one another: what a reader could not read. */
function overlaps() {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim() || node.parentElement.closest("option, noscript, script, .tooltip, .help")) continue;
    // What a closed <details> holds has rectangles, and nobody sees it.
    if (!node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let e = node.parentElement; e; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.overflowX !== "visible" || style.overflowY !== "visible") {
        const r = e.getBoundingClientRect();
        clip = { left: Math.max(clip.left, r.left), top: Math.max(clip.top, r.top), right: Math.min(clip.right, r.right), bottom: Math.min(clip.bottom, r.bottom) };
      }
    }
    for (const rect of range.getClientRects()) {
      const box = { left: Math.max(rect.left, clip.left), top: Math.max(rect.top, clip.top), right: Math.min(rect.right, clip.right), bottom: Math.min(rect.bottom, clip.bottom), text: node.textContent, node };
      if (box.right - box.left > 2 && box.bottom - box.top > 4) boxes.push(box);
    }
  }
  const found = [];
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length; j++) {
      const [a, b] = [boxes[i], boxes[j]];
      // Lines of text may touch by their leading.
      if (a.node !== b.node && a.left + 1 < b.right && b.left + 1 < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom) found.push(`'${a.text}' and '${b.text}'`);
    }
  return found;
}

async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The graph opens at a size at which names can be read, finds an op in place, and the small map moves the large one. */
async function inGraph(name, page) {
  await page.keyboard.press("Escape");
  const scale = () => page.$eval("#graph-map", (map) => Number(map.dataset.scale));
  check(name, (await scale()) >= 0.7, `the graph opens at a scale of ${await scale()}`);
  await page.keyboard.press("/");
  await page.type("#graph-search", "ttnn");
  await page.keyboard.press("Enter");
  await page.waitForSelector("aside h2");
  await settle(page);
  check(name, await page.$("#graph-map"), "finding an op leaves the graph");
  const picture = () => page.$eval("#graph-map", (map) => map.toDataURL());
  const before = await picture();
  const map = await (await page.$(".miniature")).boundingBox();
  await page.mouse.click(map.x + map.width / 2, map.y + map.height - 20);
  await settle(page);
  check(name, before !== (await picture()), "a click on the small map shows the same");
  await page.emulateMediaType("print");
  check(name, (await page.$eval("main", (main) => getComputedStyle(main).printColorAdjust)) === "exact", "print drops colours");
  await page.emulateMediaType(null);
  await page.$eval("#graph-search", (input) => { input.value = ""; input.dispatchEvent(new Event("input", { bubbles: true })); });
}

/** Who holds L1 adds up to the plan checker's figure at every step. The key j goes through them; the page does it by itself, as one frame for each
    step would take longer than all else. */
async function sumsOfHolders(name, page, steps) {
  await page.keyboard.press("Escape");
  const wrong = await page.evaluate(async (steps) => {
    const wrong = [];
    for (let step = 0; step < steps; step++) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      // The view is drawn anew before the next task, so nothing has to be painted in between.
      const shown = () => document.querySelector(".cores .lead").textContent.includes(`(step ${step})`);
      for (let tries = 0; tries < 20 && !shown(); tries++) await null;
      if (!shown()) return [`the key j does not lead to step ${step}`];
      const list = document.querySelector(".holders");
      const held = [...list.children].reduce((sum, item) => sum + Number(item.dataset.bytes), 0);
      if (held !== Number(list.dataset.total)) wrong.push(`who holds L1 at step ${step} adds up to ${held} bytes, the plan checker has ${list.dataset.total}`);
    }
    return wrong;
  }, steps);
  check(name, !wrong.length, wrong.slice(0, 3).join("; "));
}

async function zoomTime(page, id) {
  const box = await (await page.$(id)).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const times = [];
  for (let i = 0; i < 12; i++) {
    // Wall clock from the wheel event to the frame after the redraw, as a reader sees it; the canvas notes the drawing alone.
    await page.mouse.wheel({ deltaY: i < 6 ? -120 : 120 });
    await settle(page);
    times.push(Number(await page.$eval(id, (canvas) => canvas.dataset.drawn)));
  }
  return Math.max(...times);
}

/** In half a window, and in one of a telephone, nothing lies beside it. */
async function inNarrowWindows(name, page, tabs) {
  for (const width of [700, 400]) {
    await page.setViewport({ width, height: 800 });
    for (const tab of tabs) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      const beside = await page.evaluate(() => Math.max(...[document.documentElement, document.querySelector("main")].map((e) => e.scrollWidth - e.clientWidth)));
      check(name, beside <= 0, `${tab}: ${beside} pixels lie beside a window of ${width}`);
    }
  }
  await page.setViewport({ width: 1280, height: 800 });
}

async function look(name, path) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  const problems = [];
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) problems.push(`asked for ${request.url()}`); });
  await page.goto(`file://${resolve(path)}`, { waitUntil: "load" });
  await page.waitForSelector(".overview");
  await settle(page);
  const painted = () => page.evaluate(() => performance.getEntriesByName("tessera-first-paint")[0].startTime);
  let paint = await painted();
  const data = await page.evaluate(() => ({ tabs: [...document.querySelectorAll("nav button")].map((b) => b.id.replace("tab-", "")), lead: document.querySelector(".lead").textContent }));
  const ops = Number(/(\d+) ops?/.exec(data.lead)[1]);
  const steps = Number(/ in (\d+) steps?/.exec(data.lead)[1]);
  const limit = ops >= kLongReport ? 5000 : 2000;
  if (paint >= limit) {
    // Once more: another program may have had the processor.
    await page.reload({ waitUntil: "load" });
    await page.waitForSelector(".overview");
    paint = await painted();
  }
  check(name, paint < limit, `first paint after ${paint.toFixed(0)} ms`);
  const size = statSync(path).size;
  check(name, size <= 3 * 2 ** 20 + 2000 * ops, `${size} bytes for ${ops} ops`);
  const shot = async (view) => { await settle(page); await page.screenshot({ path: `${out}/${name}-${view}.png` }); const bad = await page.evaluate(overlaps); check(name, !bad.length, `${view}: text over text: ${bad.slice(0, 3).join("; ")}`); };
  const open = async (tab) => { await page.click(`#tab-${tab}`); await settle(page); };

  await shot("overview");
  // A click on a count of values in DRAM lists them.
  for (const count of await page.$$(".causes summary")) {
    await count.click();
    const { told, listed } = await count.evaluate((summary) => ({ told: Number.parseInt(summary.textContent, 10), listed: summary.parentElement.open ? summary.parentElement.querySelectorAll("li button").length : 0 }));
    check(name, listed > 0 && listed <= told, `a click on ${told} values in DRAM lists ${listed}`);
  }
  // The lists that a reader opens by a click.
  await page.$$eval("details", (all) => all.forEach((details) => { details.open = true; }));
  await shot("overview-lists");
  await open("ops");
  // The step that takes most time, by its name.
  await page.click(".row.head .c-time");
  await settle(page);
  const slowest = await page.$eval(".scroll .row .c-name", (e) => e.textContent);
  await page.type("#search", slowest);
  await settle(page);
  const row = await page.$(".scroll .row");
  check(name, row, `search does not find '${slowest}'`);
  const wanted = await row.$eval(".c-name", (e) => e.textContent);
  await row.click();
  await page.waitForSelector("aside h2");
  const shown = await page.$eval("aside h2", (e) => e.textContent);
  check(name, shown === wanted, `a click on ${wanted} shows ${shown}`);
  await shot("ops");
  await open("memory");
  let drawn = await zoomTime(page, "#memory-map");
  if (drawn > 50) drawn = Math.min(drawn, await zoomTime(page, "#memory-map"));
  check(name, drawn <= 50, `zooming the memory view takes ${drawn} ms`);
  await page.click(".memory .tools button:last-of-type");
  const box = await (await page.$("#memory-map")).boundingBox();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
  await shot("memory");
  await open("cores");
  const summed = Math.min(steps, kMostSums);
  await sumsOfHolders(name, page, summed);
  const sharded = await page.$(".holders .mark.l1_sharded");
  if (sharded) { await sharded.click(); await settle(page); check(name, await page.$(".core.holds"), "a sharded tensor lies on no core"); }
  for (const tab of data.tabs.filter((t) => ["graph", "cores", "diff"].includes(t))) { await open(tab); await shot(tab); }
  await open("graph");
  await inGraph(name, page);
  const begun = Date.now();
  await page.evaluate(() => [...document.querySelectorAll(".graph button")].find((b) => b.textContent === "open all").click());
  await settle(page);
  const opened = Date.now() - begun;
  const graph = await zoomTime(page, "#graph-map");
  await page.evaluate(() => [...document.querySelectorAll(".graph button")].find((b) => b.textContent === "all").click());
  await shot("graph-all");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await settle(page);
  for (const tab of ["overview", "memory", "graph"]) { await open(tab); await shot(`${tab}-dark`); }
  await page.emulateMediaFeatures([]);
  await inNarrowWindows(name, page, data.tabs);
  check(name, await page.evaluate(() => document.querySelector("img, iframe, object") === null), "a name of the model became an element");
  check(name, !problems.length, `the console: ${problems.slice(0, 3).join("; ")}`);
  console.log(`${name}: ${ops} ops, ${size} bytes, first paint ${paint.toFixed(0)} ms, sums of ${summed} of ${steps} steps, zoom ${drawn.toFixed(1)} ms; graph opened in ${opened} ms, zoom ${graph.toFixed(1)} ms`);
  await page.close();
}

try {
  for (const each of reports) {
    const [name, path] = each.split("=");
    await look(name, path);
  }
} finally {
  await browser.close();
}
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exit(failures.length ? 1 : 0);
