// A thermograph as a picture: temperature upwards, values growing to the left; the pointer reads its stops.

import type { Corner, ThermographData } from "./api";
import { h, svg } from "./dom";
import { fraction, minus, over, plus, readFraction, textOf, times } from "./fraction";
import type { Fraction } from "./fraction";

const [WIDTH, HEIGHT, EDGE] = [420, 300, 30];

export function thermographOf(data: ThermographData): HTMLElement {
  const [left, right] = [upwards(data.left), upwards(data.right)];
  const temperature = Math.max(...left.map((corner) => corner.t), ...right.map((corner) => corner.t));
  const top = Math.max(temperature, 0.5) * 1.3;
  const bottom = Math.min(0, ...left.map((corner) => corner.t), ...right.map((corner) => corner.t));
  const values = [...left, ...right].map((corner) => corner.x);
  const [low, high] = [Math.min(...values) - 0.5, Math.max(...values) + 0.5];
  const across = (x: number) => EDGE + ((high - x) / (high - low)) * (WIDTH - 2 * EDGE);
  const up = (t: number) => HEIGHT - EDGE - ((t - bottom) / (top - bottom)) * (HEIGHT - 2 * EDGE);

  const wall = (line: Corner[], name: string) => {
    const mast = { t: top, x: stop(line, top) };
    const path = [...line.filter((corner) => corner.t <= top), mast].map(
      (corner) => `${across(corner.x)},${up(corner.t)}`,
    );
    return svg("polyline", { class: `wall ${name}`, points: path.join(" ") });
  };
  const reading = h("p.reading", { "aria-live": "polite" }, `mean ${data.mean}, temperature ${data.temperature}`);
  const line = svg("line", { class: "level", x1: EDGE, x2: WIDTH - EDGE, visibility: "hidden" });
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "thermograph",
      role: "img",
      "aria-label": `Thermograph: mean ${data.mean}, temperature ${data.temperature}`,
    },
    ...ticks(low, high).map((x) =>
      svg(
        "g",
        { class: "tick" },
        svg("line", { x1: across(x), x2: across(x), y1: up(bottom), y2: up(top) }),
        svg("text", { x: across(x), y: HEIGHT - 10, "text-anchor": "middle" }, x),
      ),
    ),
    ...ticks(bottom, top).map((t) =>
      svg(
        "g",
        { class: "tick" },
        svg("line", { x1: EDGE, x2: WIDTH - EDGE, y1: up(t), y2: up(t) }),
        svg("text", { x: 6, y: up(t), "dominant-baseline": "central" }, t),
      ),
    ),
    wall(left, "left"),
    wall(right, "right"),
    line,
  );

  function read(event: PointerEvent): void {
    const box = picture.getBoundingClientRect();
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    const level = bottom + ((HEIGHT - EDGE - y) / (HEIGHT - 2 * EDGE)) * (top - bottom);
    const t = nearest(Math.min(top, Math.max(bottom, level)), [...left, ...right], 1.5 * ((top - bottom) / HEIGHT));
    line.setAttribute("visibility", "visible");
    line.setAttribute("y1", String(up(number(t))));
    line.setAttribute("y2", String(up(number(t))));
    reading.textContent = `temperature ${textOf(t)}: left stop ${exactStop(left, t)}, right stop ${exactStop(right, t)}`;
  }
  picture.addEventListener("pointermove", read);
  return h("figure", {}, picture, h("figcaption", {}, reading));
}

function upwards(wall: Corner[]): Corner[] {
  return [...wall].sort((a, b) => a.t - b.t);
}

/** The value of a wall at a temperature, between its corners. */
function stop(wall: Corner[], t: number): number {
  const after = wall.findIndex((corner) => corner.t >= t);
  if (after === -1) return wall.at(-1)?.x ?? 0;
  const [a, b] = [wall[after - 1], wall[after]!];
  return a && b.t > a.t ? a.x + ((b.x - a.x) * (t - a.t)) / (b.t - a.t) : b.x;
}

function number({ above, below }: Fraction): number {
  return Number(above) / Number(below);
}

/** A temperature that can be read exactly: that of a corner nearby, or a fraction with a small power of two. */
function nearest(t: number, corners: Corner[], reach: number): Fraction {
  const near = corners.filter((corner) => Math.abs(corner.t - t) <= 2 * reach);
  near.sort((a, b) => Math.abs(a.t - t) - Math.abs(b.t - t));
  const exact = near[0] && readFraction(near[0].t_text);
  if (exact) return exact;
  let below = 1;
  while (1 / below > 4 * reach) below *= 2;
  return fraction(BigInt(Math.round(t * below)), BigInt(below));
}

/** The same as `stop`, exactly. */
function exactStop(wall: Corner[], t: Fraction): string {
  const at = number(t);
  const after = wall.findIndex((corner) => corner.t >= at);
  const end = wall.at(after === -1 ? -1 : after);
  const [a, b] = [after > 0 ? wall[after - 1] : undefined, end];
  if (!b) return "";
  const exact = [a?.t_text, a?.x_text, b.t_text, b.x_text].map((text) => readFraction(text ?? ""));
  const [t1, x1, t2, x2] = exact;
  if (after === -1 || !a || a.t === b.t || !t1 || !x1 || !t2 || !x2) return b.x_text;
  return textOf(plus(x1, times(over(minus(x2, x1), minus(t2, t1)), minus(t, t1))));
}

/** At most a dozen round numbers between two. */
function ticks(low: number, high: number): number[] {
  const step = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].find((size) => (high - low) / size <= 12) ?? (high - low) / 10;
  const list: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) list.push(Number(value.toFixed(4)));
  return list;
}
