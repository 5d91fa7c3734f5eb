// A thermograph as a picture: temperature upwards, values growing to the left; the pointer reads its stops.

import type { Corner, ThermographData } from "./api";
import { h, svg } from "./dom";

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
  const level = svg("line", { class: "level", x1: EDGE, x2: WIDTH - EDGE, visibility: "hidden" });
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
    level,
  );

  function read(event: PointerEvent): void {
    const box = picture.getBoundingClientRect();
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    const t = Math.min(top, Math.max(bottom, bottom + ((HEIGHT - EDGE - y) / (HEIGHT - 2 * EDGE)) * (top - bottom)));
    level.setAttribute("visibility", "visible");
    level.setAttribute("y1", String(up(t)));
    level.setAttribute("y2", String(up(t)));
    reading.textContent = `temperature ${t.toFixed(2)}: left stop ${stop(left, t).toFixed(2)}, right stop ${stop(right, t).toFixed(2)}`;
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

/** At most a dozen round numbers between two. */
function ticks(low: number, high: number): number[] {
  const step = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].find((size) => (high - low) / size <= 12) ?? (high - low) / 10;
  const list: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) list.push(Number(value.toFixed(4)));
  return list;
}
