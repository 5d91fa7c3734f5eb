// Drives the page of a built gametree in Chromium:
//   node --test-reporter=tap e2e/run.mjs PATH_TO_gametree [FOLDER_FOR_SCREENSHOTS]
import { after } from "node:test";
import { closeBrowser } from "./harness.mjs";

after(closeBrowser);
for (const part of ["study", "positions", "archive", "ask", "sums", "behaviour"]) await import(`./${part}.mjs`);
