// A server on copies of the examples and a browser with pages that fail the test on any console error.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const examples = resolve(here, "../../../../examples");
const program = process.argv[2];
if (!program) throw new Error("usage: node run.mjs PATH_TO_gametree [FOLDER_FOR_SCREENSHOTS]");
export const pictures = process.argv[3] ?? null;
/** A folder with a bundle to test in place of the one in the program. */
const bundle = process.env.PAGE ?? null;

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser = null;
export async function openBrowser() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Containers run as root, where the sandbox of Chromium cannot start.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  return browser;
}

/** Ends the browser, and servers that failed tests left behind. */
export async function closeBrowser() {
  await browser?.close();
  for (const child of servers) child.kill("SIGKILL");
}

const servers = new Set();

/** Runs the program to its end. */
export async function run(...words) {
  await promisify(execFile)(program, words);
}

/** Starts a server on copies of files from the examples, or on the paths given with a slash. */
export async function serve(files = ["repertoire.pgn"], options = []) {
  const folder = await mkdtemp(join(tmpdir(), "gametree-page-"));
  const paths = [];
  for (const file of files) {
    const path = file.includes("/") ? file : join(folder, file);
    if (path !== file) await copyFile(join(examples, file), path);
    paths.push(path);
  }
  return {
    folder,
    paths,
    ...(await launch(paths, options)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A server on these paths as they are. */
export async function launch(paths, options = []) {
  const child = spawn(program, ["serve", ...paths, "--no-open", "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  servers.add(child);
  child.once("exit", () => servers.delete(child));
  const errors = [];
  child.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const line = await new Promise((done, fail) => {
    createInterface({ input: child.stdout }).once("line", done);
    child.once("exit", (code) => fail(new Error(`gametree serve ended with ${code}: ${errors.join("")}`)));
  });
  const address = line.match(/http\S+/)[0];
  const ended = new Promise((done) => child.once("exit", done));
  return {
    address,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
  };
}

/** Opens the page; `page.faults` collects errors of its console, and `closePage` checks them. */
export async function openPage(server, { hash = "", ...options } = {}) {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  return preparePage(page, server, hash);
}

export async function preparePage(page, server, hash = "") {
  page.faults = [];
  page.setDefaultTimeout(15_000);
  page.on("console", (message) => {
    if (message.type() === "error" && !isExpected(page, message)) page.faults.push(message.text());
  });
  page.on("pageerror", (error) => page.faults.push(String(error.stack ?? error)));
  await page.goto((await useBundle(page, server)) + hash);
  await ready(page);
  return page;
}

/** Waits until the page shows a position and listens to keys. */
export async function ready(page) {
  await page.locator("[role=tab][aria-selected=true]").waitFor();
}

/** Chromium logs refused requests; a test that provokes one names its status. */
function isExpected(page, message) {
  return page.expected?.some((status) => message.text().includes(`status of ${status}`)) ?? false;
}

/** Returns the address to open; with a bundle of its own, past the redirection, which cannot be routed. */
export async function useBundle(page, server) {
  if (!bundle) return server.address;
  const files = {
    "/": ["index.html", "text/html"],
    "/page.js": ["page.js", "text/javascript"],
    "/style.css": ["style.css", "text/css"],
  };
  await page.route(
    ({ pathname }) => pathname in files,
    async (route) => {
      const [name, contentType] = files[new URL(route.request().url()).pathname];
      await route.fulfill({ path: join(bundle, name), contentType });
    },
  );
  await page.context().request.get(server.address);
  return new URL("/", server.address).href;
}

export async function closePage(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** A test with a server and a page of its own. */
export function withPage(work, { files, options, page: pageOptions } = {}) {
  return async () => {
    const server = await serve(files, options);
    try {
      const page = await openPage(server, pageOptions);
      await work(page, server);
      await closePage(page);
    } finally {
      await server.stop();
      await server.remove();
    }
  };
}

/** Fails on any accessibility finding of axe-core that is serious or critical. */
export async function checkAccessibility(page, where) {
  await page.evaluate(axeSource);
  const findings = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations
      .filter((found) => ["serious", "critical"].includes(found.impact))
      .map(
        (found) =>
          `${found.id}: ${found.nodes
            .slice(0, 3)
            .map((node) => node.html)
            .join(" ")}`,
      );
  });
  assert.deepEqual(findings, [], where);
}

export async function screenshot(page, name) {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  // Pieces move for a while.
  await page.waitForTimeout(250);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** The middle of a square of the board, White below. */
export async function square(page, name) {
  const box = await page.locator(".surface cg-board").boundingBox();
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1])];
  return { x: box.x + ((file + 0.5) * box.width) / 8, y: box.y + ((8 - rank + 0.5) * box.height) / 8 };
}

export async function drag(page, from, to, button = "left") {
  const [start, end] = [await square(page, from), await square(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down({ button });
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up({ button });
}

export async function clickSquare(page, name) {
  const { x, y } = await square(page, name);
  await page.mouse.click(x, y);
}

export function tab(page, name) {
  return page.getByRole("tab", { name, exact: true });
}

/** Waits until the path below the board has this text. */
export async function atPath(page, text) {
  await page.locator(".path b", { hasText: text }).waitFor();
}

/** Asks the server as a script would. */
export function api(page, route, body) {
  return page.evaluate(
    async ([address, content]) => {
      const options = content
        ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) }
        : {};
      return (await fetch(`api/${address}`, options)).json();
    },
    [route, body ?? null],
  );
}
