// Bundles the page into a folder (argument, or the variable OUT, or dist): index.html, page.js, style.css.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? process.env.OUT ?? join(here, "dist");

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.ts", style: "src/page.css" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome114", "firefox125", "safari17"],
  legalComments: "eof",
  logLevel: "warning",
});
await copyFile(join(here, "public/index.html"), join(out, "index.html"));
