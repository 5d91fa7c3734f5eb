// An archive as the thing itself: its games as a list, a game to look at, statistics, queries.
import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import {
  api,
  atPath,
  checkAccessibility,
  clickSquare,
  closePage,
  launch,
  openPage,
  run,
  screenshot,
  serve,
  tab,
} from "./harness.mjs";

/** A server of an archive of the example games, and a page of it. */
function withArchive(work, pageOptions) {
  return async () => {
    const files = await serve(["games.pgn"]);
    await files.stop();
    const archive = join(files.folder, "base");
    await run("archive", "create", archive, files.paths[0]);
    const server = await launch([archive]);
    try {
      const page = await openPage(server, pageOptions);
      await work(page, { ...server, folder: files.folder });
      await closePage(page);
    } finally {
      await server.stop();
      await files.remove();
    }
  };
}

const rows = (page) => page.getByRole("list", { name: "Games" }).locator("button.game-row");

test(
  "the games of an archive are listed, sorted, filtered and opened to be read",
  withArchive(async (page) => {
    await rows(page).nth(3).waitFor();
    assert.equal(await page.getByRole("tab", { name: "Checks" }).isVisible(), false);
    const heads = page.getByRole("group", { name: "Sort by" });
    await heads.getByRole("button", { name: /^White/ }).click();
    await rows(page).first().filter({ hasNotText: "Morphy" }).waitFor();
    await heads.getByRole("button", { name: /^No/ }).click();
    await rows(page).first().filter({ hasText: "Morphy" }).waitFor();
    await screenshot(page, "archive");
    await checkAccessibility(page, "archive");
    const condition = page.getByLabel("Only games that meet a condition").first();
    page.expected = [400, 403];
    await condition.fill("White=anderssen and (");
    await page.locator(".games-view .fault").waitFor();
    await condition.fill("White=anderssen and Year>=1852");
    await page.locator(".total", { hasText: "1 game" }).waitFor();
    await rows(page).first().click();
    await page.locator(".tags h3", { hasText: "Dufresne" }).waitFor();
    await page.getByText("read-only").waitFor();
    await tab(page, "Table").click();
    await page.keyboard.press("ArrowRight");
    await atPath(page, "1.e4");
    await page.keyboard.press("End");
    await page.locator(".path", { hasText: "checkmate" }).waitFor();
    await screenshot(page, "archive-game");
    await tab(page, "Tree").click();
    await page.locator("svg [data-node], .picture-view svg").first().waitFor();
    const refused = await api(page, "edit", { game: 3, node: 1, verb: "comment", text: "no" });
    assert.equal(refused.error.code, "read_only");
  }),
);

test(
  "statistics follow the position, and its games are opened there",
  withArchive(
    async (page) => {
      const statistics = page.getByRole("region", { name: "Opening statistics" });
      await statistics.getByRole("button", { name: "e4", exact: true }).click();
      await atPath(page, "1.e4");
      await statistics.getByRole("button", { name: "e5", exact: true }).click();
      await statistics.getByRole("button", { name: "Nf3", exact: true }).click();
      await atPath(page, "1.e4 e5 2.Nf3");
      await screenshot(page, "archive-statistics");
      await checkAccessibility(page, "statistics of an archive");
      await statistics.getByRole("button", { name: /Morphy/ }).first().click();
      await atPath(page, "1.e4 e5 2.Nf3");
      await page.getByText("read-only").waitFor();
      // A move that this game does not have is played on the board before the games.
      await clickSquare(page, "b8");
      await clickSquare(page, "c6");
      await atPath(page, "2.Nf3 Nc6");
      await statistics.getByRole("button", { name: /^\d+ games?$/ }).click();
      await page.getByLabel("with this position").waitFor();
      // The total arrives with the rows.
      const total = page.locator(".total").filter({ hasText: /game/ });
      const before = await total.textContent();
      await rows(page).first().click();
      await atPath(page, "Nc6");
      assert.equal(await total.textContent(), before);
      await screenshot(page, "archive-here");
    },
    { hash: "#view=Positions" },
  ),
);

test(
  "an archive is searched, and the matches are saved beside it",
  withArchive(
    async (page, server) => {
      const box = page.getByLabel("Query in CQL");
      await box.fill("mate");
      await page.getByRole("form").or(page.locator(".ask-view")).getByLabel("Only games").first().fill("White=morphy");
      await box.press("Control+Enter");
      const match = page.getByRole("list", { name: "Matches" }).locator(".match");
      await match.first().waitFor();
      assert.equal(await match.count(), 1);
      await match.first().getByText("Morphy").waitFor();
      await match.first().click();
      await page.locator(".path", { hasText: "checkmate" }).waitFor();
      await screenshot(page, "archive-ask");
      await checkAccessibility(page, "query of an archive");
      await page.locator(".ask-view").getByRole("button", { name: "Save as" }).click();
      await page.getByLabel("File name").fill("mates.pgn");
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: /mates/ }).first().waitFor();
      await access(join(server.folder, "mates.pgn"));
    },
    { hash: "#view=Ask" },
  ),
);

test(
  "an archive in the dark, on a phone",
  withArchive(
    async (page) => {
      await rows(page).nth(3).waitFor();
      await screenshot(page, "archive-phone");
      await tab(page, "Positions").click();
      await page.getByRole("region", { name: "Opening statistics" }).getByRole("button", { name: "e4", exact: true }).waitFor();
      await screenshot(page, "archive-phone-statistics");
    },
    { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  ),
);
