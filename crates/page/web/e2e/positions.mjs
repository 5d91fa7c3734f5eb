// Positions: move orders, continuations, audit, differences, games against the book.
import { join } from "node:path";
import test from "node:test";
import {
  api,
  atPath,
  checkAccessibility,
  closePage,
  launch,
  openPage,
  run,
  screenshot,
  serve,
  tab,
  withPage,
} from "./harness.mjs";

test(
  "all move orders to a position, go there, and bring here",
  withPage(async (page) => {
    await page.getByLabel("Go to or play").fill("d4 d5 c4 e6 Nf3 Nf6 g3 Be7 Bg2 O-O O-O");
    await page.keyboard.press("Enter");
    await atPath(page, "6.O-O");
    await tab(page, "Positions").click();
    const orders = page.locator(".orders li");
    await orders.nth(1).waitFor();
    await screenshot(page, "positions");
    await checkAccessibility(page, "positions");
    await page.getByRole("button", { name: "Bring all continuations here" }).click();
    await page.getByRole("status").filter({ hasText: "moved the continuations" }).waitFor();
    // The list is loaded again when the change is undone.
    const answer = (route) => page.waitForResponse((response) => response.url().includes(route));
    const listed = answer("/api/undo").then(() => answer("/api/orders"));
    await page.keyboard.press("u");
    await listed;
    const other = page.locator(".orders li:not([aria-current]) .link").first();
    const path = (await other.textContent()).trim();
    await other.click();
    await atPath(page, path);
    await page.keyboard.press("b");
    await atPath(page, "1.d4 d5");
  }),
);

test(
  "positions mode: the table has the continuations of all chapters",
  withPage(async (page) => {
    await page.getByLabel("Go to or play").fill("d4 d5 c4 e6 Nf3 Nf6 g3 Be7 Bg2 O-O O-O");
    await page.keyboard.press("Enter");
    await atPath(page, "6.O-O");
    await tab(page, "Table").click();
    await page.keyboard.press("J");
    const elsewhere = page.locator(".variations .move", { has: page.locator(".elsewhere") });
    await elsewhere.first().waitFor();
    await page.locator(".variations [aria-current=true]", { hasText: "O-O" }).waitFor();
    await screenshot(page, "positions-mode");
    await checkAccessibility(page, "positions mode");
    const san = (await elsewhere.first().locator(".san").textContent()).trim();
    const title = await page.title();
    await elsewhere.first().click();
    await page.locator(".variations [aria-current=true]", { hasText: san }).waitFor();
    await page.waitForFunction((before) => document.title !== before, title);
    await page.keyboard.press("b");
    await atPath(page, "6.O-O");
    await page.getByLabel("positions of all chapters").uncheck();
    await elsewhere.first().waitFor({ state: "detached" });
  }),
);

test(
  "an audit lists findings that open their place",
  withPage(async (page) => {
    await tab(page, "Checks").click();
    await page.getByRole("button", { name: "Audit" }).click();
    const first = page.getByRole("list", { name: "Findings" }).locator(".finding .link").first();
    await first.waitFor();
    await screenshot(page, "audit");
    await checkAccessibility(page, "checks");
    await first.click();
    await page.locator(".path b", { hasText: "1." }).waitFor();
  }),
);

test(
  "two files are compared, and games with the book",
  withPage(
    async (page) => {
      await tab(page, "Checks").click();
      await page.getByRole("button", { name: "Compare files" }).click();
      const list = page.getByRole("list", { name: "Findings" });
      await list.locator(".finding").first().waitFor();
      await screenshot(page, "diff");
      // Rows lead to their chapter after it was moved, saved or not.
      const place = list.locator(".finding", { hasText: "game-removed" }).locator(".link").first();
      await place.click();
      const games = page.getByRole("list", { name: "Games" });
      await page.waitForTimeout(300);
      const before = await page.title();
      await api(page, "edit", { game: 0, node: 0, verb: "chapter-move", text: "3" });
      await page.getByRole("status").filter({ hasText: "elsewhere" }).waitFor();
      await tab(page, "Games").click();
      await games.locator("button.game-row").nth(1).click();
      await page.waitForFunction((title) => !document.title.endsWith(title), before);
      await tab(page, "Checks").click();
      await place.click();
      await page.waitForFunction((title) => document.title.endsWith(title), before);
      await api(page, "undo", { file: 0 });
      const form = page.getByRole("form", { name: "My games against the book" });
      await form.getByLabel("Side").selectOption("white");
      await form.getByRole("button").click();
      await list.getByText("Morphy", { exact: false }).first().waitFor();
      await screenshot(page, "against");
    },
    { files: ["repertoire.pgn", "games.pgn"] },
  ),
);

test("an archive gives opening statistics, and its moves are played by a click", async () => {
  const server = await serve(["repertoire.pgn", "games.pgn"]);
  await server.stop();
  const archive = join(server.folder, "games.archive");
  await run("archive", "create", archive, server.paths[1]);
  const again = await launch([server.paths[0]], ["--archive", archive]);
  const page = await openPage(again, { hash: "#view=Positions" });
  const statistics = page.getByRole("region", { name: "Opening statistics" });
  await statistics.getByRole("button", { name: "e4", exact: true }).waitFor();
  await screenshot(page, "opening");
  await checkAccessibility(page, "opening statistics");
  await statistics.getByRole("button", { name: "e4", exact: true }).click();
  await atPath(page, "1.e4");
  await statistics.getByRole("button", { name: "e5", exact: true }).waitFor();
  await closePage(page);
  await again.stop();
  await server.remove();
});
