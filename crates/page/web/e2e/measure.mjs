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
const start = Date.now();
for (let step = 0; step < Number(steps); step += 1) {
  const path = await page.locator(".path").textContent();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((old) => document.querySelector(".path").textContent !== old, path, { polling: 5 });
}
const took = Date.now() - start;
console.log(`first paint ${paint.toFixed(0)} ms, position shown ${opened} ms`);
console.log(`a step: script ${((await scriptTime()) - before) / Number(steps)} ms, with the server and this driver ${(took / Number(steps)).toFixed(1)} ms`);
await closeBrowser();
await server.stop();
await server.remove();
