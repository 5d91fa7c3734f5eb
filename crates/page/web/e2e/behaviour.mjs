// Behaviour and safety: drafts, tabs that follow each other, links, small and zoomed screens, hostile text, read-only.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import test from "node:test";
import {
  api,
  atPath,
  checkAccessibility,
  closePage,
  launch,
  openPage,
  preparePage,
  ready,
  screenshot,
  serve,
  square,
  tab,
  withPage,
} from "./harness.mjs";

test(
  "text that was typed is there after a reload",
  withPage(async (page) => {
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.d4");
    await page.getByLabel("Comment", { exact: true }).pressSequentially("half a thought");
    await page.waitForURL(/path=d2d4/);
    await page.reload();
    await ready(page);
    await page.getByText("This comment was typed but not saved.").waitFor();
    assert.equal(await page.getByLabel("Comment", { exact: true }).inputValue(), "half a thought");
    await page.getByRole("button", { name: "Save it" }).click();
    await page.getByRole("status").filter({ hasText: "comment" }).waitFor();
    await tab(page, "Ask").click();
    await page.getByLabel("Query in CQL").fill("mate and");
    await page.waitForURL(/view=Ask/);
    await page.reload();
    assert.equal(await page.getByLabel("Query in CQL").inputValue(), "mate and");
  }),
);

test(
  "two tabs show the same state",
  withPage(async (page, server) => {
    const other = await preparePage(await page.context().newPage(), server);
    await page.getByLabel("Go to or play").fill("h4");
    await page.keyboard.press("Enter");
    await atPath(page, "1.h4");
    await other.getByRole("button", { name: /^h4/ }).first().waitFor();
    await other.getByRole("button", { name: /^undo/ }).first().click();
    await page.getByRole("button", { name: /^h4/ }).first().waitFor({ state: "detached" });
    assert.deepEqual(other.faults, []);
  }),
);

test(
  "the address leads to the position and the view",
  withPage(
    async (page) => {
      await atPath(page, "1.d4 d5 2.c4");
      await tab(page, "Notation").waitFor();
      assert.equal(await tab(page, "Notation").getAttribute("aria-selected"), "true");
      await page.keyboard.press("ArrowRight");
      await page.waitForURL(/path=d2d4,d7d5,c2c4,/);
      await page.getByRole("button", { name: "Link", exact: true }).click();
      assert.match(await page.getByLabel("Link", { exact: true }).inputValue(), /path=d2d4,d7d5,c2c4,/);
      assert.match(await page.getByLabel("PGN", { exact: true }).inputValue(), /1\. d4/);
    },
    { page: { hash: "#game=1&path=d2d4,d7d5,c2c4&view=Notation" } },
  ),
);

test(
  "everything is reached with the keyboard alone",
  withPage(async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "tab");
    for (const name of ["Notation", "Tree", "Games", "Positions", "Checks", "Ask", "Sums"]) {
      await page.keyboard.press("ArrowRight");
      assert.equal(await tab(page, name).getAttribute("aria-selected"), "true");
    }
  }),
);

for (const [name, options] of [
  ["a phone", { viewport: { width: 390, height: 780 }, hasTouch: true }],
  ["a phone on its side", { viewport: { width: 780, height: 390 }, hasTouch: true }],
  ["200 % zoom", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ["a wide dark screen", { viewport: { width: 1800, height: 1000 }, colorScheme: "dark" }],
]) {
  test(
    `the page fits ${name}`,
    withPage(
      async (page) => {
        for (const view of ["Table", "Tree", "Games", "Positions", "Checks", "Ask", "Sums"]) {
          await tab(page, view).click();
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(excess <= 0, `${view} is ${excess} pixels too wide`);
          await checkAccessibility(page, `${name}, ${view}`);
          if (["Table", "Sums", "Tree"].includes(view))
            await screenshot(page, `${name.replaceAll(/\W+/g, "-")}-${view}`);
        }
      },
      { page: options },
    ),
  );
}

test(
  "moves are played and views are used by touch",
  withPage(
    async (page) => {
      const tap = async (name) => {
        const { x, y } = await square(page, name);
        await page.touchscreen.tap(x, y);
      };
      // The header takes its final height with the name of the file.
      await page.locator(".file-name", { hasText: "repertoire" }).waitFor();
      await page.waitForTimeout(200);
      await tap("d2");
      await page.locator("cg-board square.selected").waitFor();
      assert.equal(await page.locator("cg-board square.move-dest").count(), 2);
      await tap("d4");
      await atPath(page, "1.d4");
      await tap("g7");
      await tap("g5");
      await atPath(page, "1.d4 g5");
      await page.getByRole("button", { name: /^undo: / }).tap();
      await page.getByRole("status").filter({ hasText: "g5" }).waitFor();
      await page.getByRole("button", { name: "starting position" }).tap();
      await atPath(page, "Starting position");
      await page.getByRole("button", { name: "next move" }).tap();
      await page.getByRole("button", { name: "next move" }).tap();
      await atPath(page, /^1\.d4 \S+$/);
      await page.getByRole("button", { name: "flip the board" }).tap();
      await page.getByRole("button", { name: "flip the board" }).tap();
      await page.locator(".variations .alternatives button").first().tap();
      await atPath(page, /^1\.d4 \S+$/);
      await page.getByRole("button", { name: "menu of this move" }).tap();
      await screenshot(page, "touch-menu");
      await page.getByRole("menuitem", { name: /^Copy y/ }).or(page.getByRole("menuitem", { name: "Copy" })).first().tap();
      await page.getByRole("status").filter({ hasText: "copied" }).waitFor();
      await tab(page, "Notation").tap();
      await page.locator(".notation-view, .notation").first().waitFor();
      await tab(page, "Games").tap();
      await page.getByRole("list", { name: "Games" }).locator("button.game-row").nth(1).tap();
      await atPath(page, "Starting position");
    },
    { page: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } },
  ),
);

test("text of files is shown as text", async () => {
  const server = await serve();
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  await server.stop();
  await writeFile(
    server.paths[0],
    `[Event "${evil.replaceAll('"', "'")}"]\n[White "${evil.replaceAll('"', "'")}"]\n\n1. e4 {${evil}} e5 *\n`,
  );
  const again = await launch(server.paths);
  const page = await openPage(again);
  for (const view of ["Notation", "Games", "Tree", "Positions"]) {
    await tab(page, view).click();
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(100);
  }
  assert.equal(await page.locator("img, body script").count(), 0);
  await closePage(page);
  await again.stop();
  await server.remove();
});

test(
  "a read-only server offers no edits",
  withPage(
    async (page) => {
      await page.getByText("read-only").waitFor();
      assert.equal(await page.getByRole("button", { name: "Save", exact: true }).count(), 0);
      page.expected = [403];
      await page.getByLabel("Go to or play").fill("h4");
      await page.keyboard.press("Enter");
      await page
        .getByRole("alert")
        .filter({ hasText: /read-only/i })
        .waitFor();
    },
    { options: ["--read-only"] },
  ),
);

test(
  "a second program that wants to edit the file is told who has it",
  withPage(async (page, server) => {
    await page.getByLabel("Go to or play").fill("h4");
    await page.keyboard.press("Enter");
    await atPath(page, "1.h4");
    const second = await launch(server.paths);
    const other = await openPage(second);
    other.expected = [423, 409];
    await other.getByLabel("Go to or play").fill("a4");
    await other.keyboard.press("Enter");
    await other
      .locator(".banner, .status.error")
      .filter({ hasText: /edit|use/ })
      .first()
      .waitFor();
    await closePage(other);
    await second.stop();
  }),
);

test(
  "changes by another program are noticed before they are overwritten",
  withPage(async (page, server) => {
    await page.getByLabel("Go to or play").fill("h4");
    await page.keyboard.press("Enter");
    await atPath(page, "1.h4");
    await writeFile(server.paths[0], (await readFile(server.paths[0], "utf8")) + '\n[Event "Other"]\n\n1. c4 *\n');
    await page.getByText("another program changed the file").waitFor();
    await screenshot(page, "changed-on-disk");
    page.expected = [409];
    await page.keyboard.press("Control+s");
    await page.getByRole("dialog", { name: "Save" }).getByRole("button", { name: "Cancel" }).click();
  }),
);

test("unsaved changes of a server that was killed are offered again", async () => {
  const server = await serve();
  const page = await openPage(server);
  await page.getByLabel("Go to or play").fill("h4");
  await page.keyboard.press("Enter");
  await atPath(page, "1.h4");
  await page.context().close();
  await server.stop("SIGKILL");
  const again = await launch(server.paths);
  const next = await openPage(again);
  await next.getByRole("button", { name: "Resume" }).click();
  await next.getByRole("button", { name: /^h4/ }).first().waitFor();
  const { files } = await api(next, "state");
  assert.equal(files[0].changed, true);
  await closePage(next);
  await again.stop();
  await server.remove();
});
