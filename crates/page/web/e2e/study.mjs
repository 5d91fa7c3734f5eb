// Study: the board, the table, the notation, the tree, chapters, edits, undo and save.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { api, atPath, checkAccessibility, clickSquare, drag, screenshot, tab, withPage } from "./harness.mjs";

test(
  "the page opens with the board, the table and the first chapter",
  withPage(
    async (page) => {
      await page.getByRole("table", { name: "Variations" }).waitFor();
      assert.match(await page.title(), /repertoire\.pgn/);
      assert.equal(await page.locator(".surface cg-board piece").count(), 32);
      await page.getByRole("button", { name: /^d4/ }).first().click();
      await atPath(page, "1.d4");
      await screenshot(page, "study");
      await checkAccessibility(page, "table");
    },
    { page: { viewport: { width: 1400, height: 820 } } },
  ),
);

test(
  "keys step as on Lichess, and ? lists them",
  withPage(async (page) => {
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.d4");
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.d4 Nf6");
    await page.keyboard.press("ArrowDown");
    await page.locator(".path b", { hasNotText: "Nf6" }).waitFor();
    await page.keyboard.press("0");
    await atPath(page, "Starting position");
    await page.keyboard.press("$");
    await page.locator(".path b", { hasNotText: "Starting" }).waitFor();
    await page.locator(".surface").hover();
    await page.mouse.wheel(0, -100);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await checkAccessibility(page, "keys");
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    await page.locator(".surface.orientation-black, .orientation-black").first().waitFor();
  }),
);

test(
  "moves are played by drag, by click and by name",
  withPage(async (page) => {
    await drag(page, "e2", "e4");
    await atPath(page, "1.e4");
    await clickSquare(page, "c7");
    await clickSquare(page, "c5");
    await atPath(page, "1.e4 c5");
    await page.getByLabel("Go to or play").fill("Nf3");
    await page.keyboard.press("Enter");
    await atPath(page, "1.e4 c5 2.Nf3");
    await page.getByLabel("Go to or play").fill("1.d4");
    await page.keyboard.press("Enter");
    await atPath(page, "1.d4");
  }),
);

test(
  "a pawn is promoted to the chosen piece",
  withPage(async (page) => {
    await page.getByRole("button", { name: "menu of this move" }).click();
    await page.getByRole("menuitem", { name: "Paste PGN or FEN…" }).click();
    await page.getByLabel("Several games become chapters").fill("8/P6k/8/8/8/8/7K/8 w - - 0 1");
    await page.keyboard.press("Control+Enter");
    await page.locator(".surface cg-board piece.black.pawn").first().waitFor({ state: "detached" });
    await drag(page, "a7", "a8");
    const promotion = page.getByRole("group", { name: "Promote to" });
    await promotion.waitFor();
    // A change in another tab does not close it.
    await api(page, "edit", { game: 0, node: 0, verb: "comment", text: "elsewhere" });
    await page.waitForTimeout(300);
    assert.ok(await promotion.isVisible());
    await screenshot(page, "promotion");
    await promotion.getByRole("button", { name: "knight" }).click();
    await atPath(page, "1.a8=N");
  }),
);

test(
  "arrows and circles are drawn with the right button and saved",
  withPage(async (page, server) => {
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.d4");
    await drag(page, "g8", "f6", "right");
    await page.locator(".cg-shapes line").first().waitFor();
    await drag(page, "d5", "d5", "right");
    await page.locator(".cg-shapes circle").first().waitFor();
    await page.waitForFunction(
      async () => (await (await fetch("api/position?game=0&path=d2d4")).json()).shapes.length === 2,
    );
    await page.keyboard.press("s");
    // The answer to the last shape may replace the note about the saved file.
    const saved = /1\. d4 \{\[%csl Gd5\]\[%cal Gg8f6\]\}/;
    const text = () => readFile(server.paths[0], "utf8");
    for (let turn = 0; turn < 100 && !saved.test(await text()); turn++) await page.waitForTimeout(100);
    assert.match(await text(), saved);
  }),
);

test(
  "comments, glyphs, clocks and tags are edited in place, undone, redone and saved",
  withPage(async (page, server) => {
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.d4");
    await page.keyboard.press("d");
    await page.keyboard.type("A first line\n<b>not bold</b>");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("status").filter({ hasText: "comment" }).waitFor();
    await page.keyboard.press("1");
    await page.getByRole("button", { name: "good move", pressed: true }).waitFor();
    await page.getByText("More about this move").click();
    await page.getByLabel("Clock").fill("1:30:00");
    await page.getByLabel("Clock").press("Enter");
    await page.getByRole("status").filter({ hasText: "clock" }).waitFor();
    await page.keyboard.press("u");
    await page.waitForFunction(
      async () => (await (await fetch("api/position?game=0&path=d2d4")).json()).clock === null,
    );
    await page.keyboard.press("r");
    await page.waitForFunction(
      async () => (await (await fetch("api/position?game=0&path=d2d4")).json()).clock === 5400,
    );
    await tab(page, "Games").click();
    await page
      .getByRole("table", { name: "Tags" })
      .getByLabel("Annotator", { exact: true })
      .fill("Somebody & <i>Co</i>");
    await page.keyboard.press("Tab");
    await page.getByRole("status").filter({ hasText: "Annotator" }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true, disabled: true }).waitFor();
    const saved = await readFile(server.paths[0], "utf8");
    assert.match(saved, /A first line\s<b>not bold<\/b>/);
    assert.match(saved, /\[Annotator "Somebody & <i>Co<\/i>"\]/);
    assert.match(saved, /\[%clk 1:30:00\]/);
  }),
);

test(
  "the notation shows comments in full and folds",
  withPage(async (page) => {
    await tab(page, "Notation").click();
    const notation = page.getByRole("region", { name: "Notation" });
    await notation.getByText("White plays d4, c4 and g3", { exact: false }).waitFor();
    await screenshot(page, "notation");
    await checkAccessibility(page, "notation");
    const folds = notation.getByRole("button", { name: "fold this variation", exact: true });
    const before = await notation.locator(".moves").count();
    await folds.first().click();
    await notation.locator(".folded").first().waitFor();
    assert.ok((await notation.locator(".moves").count()) < before);
    await notation.getByRole("button", { name: "unfold this variation" }).first().click();
    await page.keyboard.press("Z");
    await notation.locator(".folded").first().waitFor();
  }),
);

test(
  "moves are promoted, cut, pasted and deleted from their menu",
  withPage(async (page) => {
    await page.getByRole("button", { name: /^d5/ }).first().click({ button: "right" });
    await screenshot(page, "menu");
    await page.getByRole("menuitem", { name: "Make first here" }).click();
    await page.getByRole("status").filter({ hasText: /d5/ }).waitFor();
    // Keys that are typed quickly act on what they would show.
    for (const key of ["Home", "ArrowRight", "ArrowRight", "x"]) await page.keyboard.press(key);
    await page.getByRole("status").filter({ hasText: "cut" }).waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.d4");
    await page.keyboard.press("v");
    await page.getByRole("button", { name: /^d5/ }).first().click();
    await atPath(page, "1.d4 d5");
    await page.keyboard.press("Delete");
    await page.locator(".path b", { hasNotText: "d5" }).waitFor();
  }),
);

test(
  "games are listed, searched, sorted and moved",
  withPage(
    async (page) => {
      await tab(page, "Games").click();
      const list = page.getByRole("list", { name: "Games" });
      await list.getByText("Morphy, Paul").first().waitFor();
      await screenshot(page, "games");
      await checkAccessibility(page, "games");
      await page.getByRole("button", { name: "Moves", exact: true }).click();
      await page.getByRole("button", { name: /^Moves/, pressed: true }).waitFor();
      await page.getByRole("searchbox", { name: "Search games" }).fill("anderssen");
      await list.getByText("Morphy, Paul").first().waitFor({ state: "detached" });
      await list.getByText("Dufresne, Jean").first().click();
      await atPath(page, "Starting position");
      await page.getByRole("searchbox", { name: "Search games" }).fill("");
      await page.getByRole("button", { name: /^No\./ }).click();
      await page.getByRole("button", { name: "move this chapter up" }).click();
      await page.getByRole("status").filter({ hasText: /moved/ }).waitFor();
      await page.keyboard.press("u");
      await page.getByRole("status").filter({ hasText: /und/i }).waitFor();
      await list.locator("[draggable=true]").nth(1).dragTo(list.locator("[draggable=true]").first());
      await page.getByRole("status").filter({ hasText: "moved chapter 2 to place 1" }).waitFor();
      await page.getByRole("button", { name: "New", exact: true }).click();
      await page.getByLabel("Name").fill("A new chapter");
      await page.keyboard.press("Enter");
      await page.locator(".tags h3", { hasText: "A new chapter" }).waitFor();
    },
    { files: ["repertoire.pgn", "games.pgn"] },
  ),
);

test(
  "the tree is drawn, zoomed, folded, and arcs lead to the same position",
  withPage(async (page) => {
    await tab(page, "Tree").click();
    const tree = page.getByRole("group", { name: "Tree of the game" });
    await tree.getByRole("button", { name: /^1\.d4/ }).waitFor();
    await page.locator(".arc").first().waitFor();
    await screenshot(page, "tree");
    await checkAccessibility(page, "tree");
    const before = await tree.locator(".item").count();
    await page.getByRole("button", { name: "zoom in" }).click();
    await tree.getByRole("button", { name: /^1\.d4/ }).click();
    await atPath(page, "1.d4");
    await page.getByRole("button", { name: "Fold", exact: true }).click();
    await tree.getByRole("button", { name: /folded line/ }).waitFor();
    assert.ok((await tree.locator(".item").count()) < before);
    await tree.getByRole("button", { name: /folded line/ }).click();
    await page.locator(".arc").first().dispatchEvent("click");
    await page.locator(".path b", { hasText: /1\.d4 .+/ }).waitFor();
  }),
);
