// Measures the page on a file: first paint, and script time and whole time of a step.
//   node e2e/measure.mjs PATH_TO_gametree "" FILE [STEPS]
import { closeBrowser, openBrowser, ready, serve, useBundle } from "./harness.mjs";

const [file, steps = "100"] = process.argv.slice(4);
const server = await serve([file], ["--read-only"]);
const context = await (await openBrowser()).newContext({ viewport: { width: 1400, height: 900 } });
const page = await context.newPage();
const address = await useBundle(page, server);
const browser = await context.newCDPSession(page);
await browser.send("Performance.enable");
const scriptTime = async () => {
  const { metrics } = await browser.send("Performance.getMetrics");
  return 1000 * metrics.find((metric) => metric.name === "ScriptDuration").value;
};

const begun = Date.now();
await page.goto(address);
await ready(page);
const opened = Date.now() - begun;
const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
await page.waitForTimeout(1000);
const before = await scriptTime();
/** From the key to the next frame after the path has changed, in the page itself. */
const times = await page.evaluate(async (count) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const list = [];
  for (let step = 0; step < count; step += 1) {
    const start = performance.now();
    const changed = new Promise((done) =>
      new MutationObserver(done).observe(document.querySelector(".path"), { childList: true }),
    );
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await Promise.race([changed, new Promise((done) => setTimeout(done, 3000))]);
    await frame();
    list.push(performance.now() - start);
  }
  return list.sort((a, b) => a - b);
}, Number(steps));
const script = ((await scriptTime()) - before) / Number(steps);
console.log(`first paint ${paint.toFixed(0)} ms, position shown ${opened} ms`);
console.log(
  `a step: script ${script.toFixed(1)} ms; from key to frame ${times[times.length >> 1].toFixed(0)} ms (median), ${times.at(-1).toFixed(0)} ms (longest)`,
);
await closeBrowser();
await server.stop();
await server.remove();
