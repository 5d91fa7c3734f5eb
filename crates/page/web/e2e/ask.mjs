// Ask: completion, help, marked errors, matches with boards, steps, save as.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { checkAccessibility, screenshot, tab, withPage } from "./harness.mjs";

test(
  "a query is completed, corrected, answered and saved",
  withPage(
    async (page, server) => {
      await tab(page, "Ask").click();
      const box = page.getByLabel("Query in CQL");
      await box.click();
      await page.keyboard.type("chec");
      const option = page.getByRole("option", { name: /^check/ }).first();
      await option.waitFor();
      await screenshot(page, "completion");
      await page.keyboard.press("Escape");
      await page.keyboard.type("x and mate");
      await page.locator(".marked mark").first().waitFor();
      assert.equal(await page.locator(".marked mark").first().textContent(), "checx");
      await page.getByRole("list", { name: "Errors in the query" }).locator("li").first().waitFor();
      await screenshot(page, "query-error");
      await box.fill("mate");
      await box.press("End");
      await page.locator(".help", { hasText: "mate" }).waitFor();
      await page.keyboard.press("Control+Enter");
      const match = page.getByRole("list", { name: "Matches" }).locator(".match").first();
      await match.waitFor();
      assert.ok((await match.locator("piece").count()) > 2);
      await page.locator(".ask-view .summary", { hasText: /position/ }).waitFor();
      await match.click();
      await page.locator(".path", { hasText: "checkmate" }).waitFor();
      await page.getByRole("button", { name: "next match" }).click();
      await screenshot(page, "ask");
      await checkAccessibility(page, "ask");
      await page.locator(".ask-view").getByRole("button", { name: "Save as" }).click();
      await page.getByLabel("File name").fill("mates.pgn");
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: /mates/ }).first().waitFor();
      assert.match(await readFile(join(server.folder, "mates.pgn"), "utf8"), /Morphy/);
    },
    { files: ["games.pgn"] },
  ),
);
