// Sums: typed and drawn positions, outcome, winning moves, value, thermograph, strategy, play.
import assert from "node:assert/strict";
import test from "node:test";
import { checkAccessibility, screenshot, tab, withPage } from "./harness.mjs";

test(
  "a sum is typed, drawn and solved",
  withPage(async (page) => {
    await tab(page, "Sums").click();
    const sum = page.getByLabel("Sum", { exact: true });
    await sum.fill("clobber XO + clobber XZ");
    await page.locator(".marked mark").first().waitFor();
    await sum.fill("clobber XO|OX + domineering ...|...");
    const board = page.getByRole("group", { name: /^clobber XO\|OX/ });
    await board.waitFor();
    await board.getByRole("button", { name: "a1 black" }).click();
    await page.waitForFunction(() =>
      document.querySelector('textarea[aria-label="Sum"]').value.startsWith("clobber OO|OX"),
    );
    await sum.fill("clobber XO|OX + domineering ...|... + {3|-1}");
    await page.getByRole("group", { name: /^domineering/ }).waitFor();
    await page.getByRole("button", { name: "Solve" }).click();
    await page.locator(".outcome", { hasText: "Outcome" }).waitFor();
    await page.getByRole("heading", { name: /Left .* moves win/ }).waitFor();
    await page.locator(".wins").first().hover();
    await page.locator(".cell.lit").first().waitFor();
    const picture = page.getByRole("img", { name: /^Thermograph/ });
    await picture.hover({ position: { x: 100, y: 150 } });
    const reading = /^temperature -?\d+(\/\d+)?: left stop -?\d+(\/\d+)?, right stop -?\d+(\/\d+)?$/;
    assert.match(await page.locator(".reading").textContent(), reading);
    await page.getByText("temperature", { exact: true }).waitFor();
    await screenshot(page, "sums");
    await checkAccessibility(page, "sums");
  }),
);

test(
  "the winning strategy is a tree with boards",
  withPage(async (page) => {
    await tab(page, "Sums").click();
    await page.getByLabel("Sum", { exact: true }).fill("clobber XOX|OXO + {1|-1}");
    await page.getByRole("button", { name: "Show the strategy" }).click();
    await page.locator(".strategy", { hasText: "wins" }).waitFor();
    await page.locator(".strategy summary").first().click();
    await page.locator(".strategy .grid").first().waitFor();
    await page.locator(".strategy details details summary").first().click();
    await page.locator(".strategy details details .components > *").first().waitFor();
    await screenshot(page, "strategy");
  }),
);

test(
  "a sum is played against the solver",
  withPage(async (page) => {
    await tab(page, "Sums").click();
    await page.getByLabel("Sum", { exact: true }).fill("domineering ..|..|..");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    for (let turn = 0; turn < 10; turn += 1) {
      await page.getByText(/Your move\.|solver wins|you win/).waitFor();
      const moves = page.getByRole("list", { name: "Your moves" }).getByRole("button");
      if ((await moves.count()) === 0) break;
      await moves.first().click();
      await page.getByText(/Your move\.|solver wins|you win/).waitFor();
    }
    await page.getByText(/solver wins|you win/).waitFor();
    await screenshot(page, "play");
  }),
);

test(
  "work that takes long shows its progress and can be cancelled",
  withPage(async (page) => {
    await tab(page, "Sums").click();
    await page.getByLabel("Sum", { exact: true }).fill("amazons X.....|......|......|......|......|.....O");
    await page.getByRole("button", { name: "Solve" }).click();
    await page.getByRole("progressbar", { name: "Progress" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".progress", { hasText: "canceled" }).waitFor();
  }),
);
