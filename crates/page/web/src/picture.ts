// The tree as a picture: pan with the pointer or the scroll bars, zoom, fold; arcs join equal positions.

import { post } from "./api";
import type { Folds, Picture, PictureItem } from "./api";
import { button, count, debounce, h, replace, svg } from "./dom";
import type { Session } from "./session";
import type { View } from "./view";

/** More than the window is fetched, so that small pans show no gaps. */
const MARGIN = 600;

export function pictureView(session: Session): View {
  const folds: Folds = { all: null, closed: [], open: [] };
  const canvas = svg("svg", { role: "group", "aria-label": "Tree of the game" });
  const scroller = h(
    "div.scroller",
    { tabindex: "0", role: "region", "aria-label": "Tree picture; scroll with the arrow keys" },
    canvas,
  );
  scroller.classList.add("own-keys");
  let zoom = Number(localStorage.getItem("zoom")) || 1;
  let shown: Picture | null = null;
  let follow = true;

  const download = h("a.button", { download: "tree.svg" }, "SVG");
  const element = h(
    "div.picture-view",
    {},
    h(
      "div.row",
      {},
      button("−", "zoom out", () => setZoom(zoom / 1.25)),
      button("+", "zoom in", () => setZoom(zoom * 1.25)),
      button("Current move", "scroll to the current move", () => center()),
      button("Fold", "fold what follows the current move", () => fold(session.position.node, true)),
      button("Unfold", "show what follows the current move", () => fold(session.position.node, false)),
      button("Reset folds", "fold as at first", () => resetFolds()),
      download,
    ),
    scroller,
  );

  async function load(): Promise<void> {
    const { game, node } = session.position;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    const window = follow
      ? null
      : {
          x: scrollLeft / zoom - MARGIN,
          y: scrollTop / zoom - MARGIN,
          width: clientWidth / zoom + 2 * MARGIN,
          height: clientHeight / zoom + 2 * MARGIN,
        };
    await session.attempt(async () => {
      shown = await post<Picture>("picture", { game, node, folds, window, most: 2000 });
      draw(shown);
      if (follow) center();
      follow = false;
    });
  }

  function draw(picture: Picture): void {
    canvas.setAttribute("width", String(picture.width * zoom + 40));
    canvas.setAttribute("height", String(picture.height * zoom + 40));
    const lit = currentLine(picture.items, session.position.node);
    replace(
      canvas,
      svg(
        "g",
        { transform: `scale(${zoom}) translate(10 10)` },
        ...picture.items.map((item) => branch(item, lit.has(item.node) && item.kind !== "folded")),
        ...picture.arcs.map(arcOf),
        ...picture.items.map((item) => itemOf(item, lit)),
      ),
    );
    download.href = `api/picture.svg?game=${session.position.game}${matchMedia("(prefers-color-scheme: dark)").matches ? "&dark=1" : ""}`;
  }

  function itemOf(item: PictureItem, lit: Set<number>): SVGElement {
    const current = item.node === session.position.node && item.kind !== "folded";
    const classes = [
      "item",
      item.kind,
      item.mainline && "mainline",
      lit.has(item.node) && item.kind !== "folded" && "lit",
    ];
    const label = item.kind === "folded" ? `+${item.lines}` : item.text || "start";
    const name =
      item.kind === "folded"
        ? `${label}: show ${count(item.lines, "folded line")}`
        : `${label}, ${count(item.lines, "line")}`;
    const act = () =>
      item.kind === "folded" ? fold(item.node, false) : void session.go(session.position.game, { node: item.node });
    return svg(
      "g",
      {
        class: classes.filter(Boolean).join(" "),
        role: "button",
        tabindex: current ? 0 : -1,
        "aria-label": name,
        "aria-current": current ? "true" : null,
        onclick: act,
        ondblclick: () => fold(item.node, true),
        onkeydown: (event: KeyboardEvent) => event.key === "Enter" && act(),
      },
      svg("rect", { x: item.x, y: item.y - item.height / 2, width: item.width, height: item.height, rx: 3 }),
      svg(
        "text",
        { x: item.x + item.width / 2, y: item.y, "text-anchor": "middle", "dominant-baseline": "central" },
        label,
      ),
    );
  }

  function arcOf(arc: Picture["arcs"][number]): SVGElement {
    const target = arc.from === session.position.node ? arc.to : arc.from;
    const here = [arc.from, arc.to].includes(session.position.node);
    const bend = Math.min(80, Math.abs(arc.y2 - arc.y1) / 2 + 20);
    const path = `M${arc.x1} ${arc.y1} C${arc.x1 - bend} ${arc.y1} ${arc.x2 - bend} ${arc.y2} ${arc.x2} ${arc.y2}`;
    const go = () => void session.jump(session.position.game, { node: target });
    return svg("path", { class: here ? "arc here" : "arc", d: path, onclick: go }, svg("title", {}, "same position; click to go there"));
  }

  function fold(node: number, close: boolean): void {
    folds.open = folds.open.filter((known) => known !== node);
    folds.closed = folds.closed.filter((known) => known !== node);
    (close ? folds.closed : folds.open).push(node);
    void load();
  }

  function resetFolds(): void {
    folds.open = [];
    folds.closed = [];
    follow = true;
    void load();
  }

  /** Keeps the middle of the picture where it is. */
  function setZoom(value: number): void {
    const before = zoom;
    zoom = Math.min(3, Math.max(0.15, value));
    localStorage.setItem("zoom", String(zoom));
    const middle = [
      scroller.scrollLeft + scroller.clientWidth / 2,
      scroller.scrollTop + scroller.clientHeight / 2,
    ] as const;
    if (shown) draw(shown);
    scroller.scrollLeft = (middle[0] * zoom) / before - scroller.clientWidth / 2;
    scroller.scrollTop = (middle[1] * zoom) / before - scroller.clientHeight / 2;
    void load();
  }

  function center(): void {
    const place = shown?.current;
    if (!place) return;
    scroller.scrollLeft = place.x * zoom - scroller.clientWidth / 2;
    scroller.scrollTop = place.y * zoom - scroller.clientHeight / 2;
  }

  scroller.addEventListener(
    "scroll",
    debounce(120, () => void load()),
  );
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      setZoom(zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
    },
    { passive: false },
  );
  dragToPan(scroller);

  return {
    name: "Tree",
    element,
    topics: ["position", "game"],
    update(topic) {
      if (topic === "game") folds.closed = folds.open = [];
      follow = true;
      void load();
    },
  };
}

function branch(item: PictureItem, lit: boolean): SVGElement | null {
  if (item.px === null || item.py === null) return null;
  const middle = (item.px + item.x) / 2;
  const width = 1 + Math.min(5, Math.log2(item.lines + 1) / 2);
  return svg("path", {
    class: lit ? "branch lit" : "branch",
    d: `M${item.px} ${item.py} C${middle} ${item.py} ${middle} ${item.y} ${item.x} ${item.y}`,
    "stroke-width": width,
  });
}

/** The nodes on the way to the current one, as far as they are in sight. */
function currentLine(items: PictureItem[], current: number): Set<number> {
  const parents = new Map(items.filter((item) => item.kind !== "folded").map((item) => [item.node, item.parent]));
  const line = new Set<number>();
  for (let node: number | null | undefined = current; node !== null && node !== undefined; node = parents.get(node))
    line.add(node);
  return line;
}

function dragToPan(scroller: HTMLElement): void {
  scroller.addEventListener("pointerdown", (event) => {
    // Touch pans by itself.
    if (event.button !== 0 || event.pointerType === "touch" || (event.target as Element).closest(".item, .arc")) return;
    const start = { x: event.clientX + scroller.scrollLeft, y: event.clientY + scroller.scrollTop };
    const move = (moved: PointerEvent) => scroller.scrollTo(start.x - moved.clientX, start.y - moved.clientY);
    scroller.setPointerCapture(event.pointerId);
    scroller.addEventListener("pointermove", move);
    scroller.addEventListener("pointerup", () => scroller.removeEventListener("pointermove", move), { once: true });
  });
}
