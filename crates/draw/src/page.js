'use strict';
// A tree of moves on a canvas. Only the visible part is drawn, so the size of the tree hardly
// matters.

const book = JSON.parse(document.getElementById('data').textContent);
const canvas = document.getElementById('tree');
const pen = canvas.getContext('2d');

// --- The tree -------------------------------------------------------------------------------
// Nodes are numbered in preorder; node 0 is where the picture starts.

let data;                   // the current chapter
let sans, changes;          // moves by node; changed squares by node, from 1 on
let count, parent, firstChild, nextSibling;
let end;                    // the node after the last one below each
let ply, lines;             // lines: number of lines through each
let place;                  // nodes with the same number are the same position
let hidden;                 // 1: folded
let marked, onMainline;
let sameAs;                 // the nodes of each position that occurs several times

function readChapter(chapter) {
  data = chapter;
  sans = data.moves.split(' ');
  changes = data.changes.split(' ');
  count = sans.length;
  [parent, firstChild, nextSibling] = [0, 0, 0].map(() => new Int32Array(count).fill(-1));
  [end, ply, lines, place] = [0, 0, 0, 0].map(() => new Int32Array(count));
  [hidden, marked, onMainline] = [0, 0, 0].map(() => new Uint8Array(count));
  for (const n of data.marked) marked[n] = 1;
  const path = [], last = new Int32Array(count).fill(-1);
  for (let n = 0; n < count; n++) {
    if (n > 0) path.length -= data.up[n - 1];
    const above = path.length ? path[path.length - 1] : -1;
    parent[n] = above;
    ply[n] = path.length;
    if (above >= 0) {
      if (last[above] < 0) firstChild[above] = n; else nextSibling[last[above]] = n;
      last[above] = n;
    }
    path.push(n);
    place[n] = n;
  }
  for (let n = count - 1; n >= 0; n--) {
    end[n] = Math.max(end[n], n + 1);
    if (firstChild[n] < 0) lines[n] = 1;
    if (parent[n] >= 0) {
      end[parent[n]] = Math.max(end[parent[n]], end[n]);
      lines[parent[n]] += lines[n];
    }
  }
  for (let n = 0; n >= 0; n = firstChild[n]) onMainline[n] = 1;
  sameAs = new Map();
  for (const [node, same] of data.transpositions) {
    place[node] = same;
    if (!sameAs.has(same)) sameAs.set(same, [same]);
    sameAs.get(same).push(node);
  }
}

const foldAsAtFirst = () => { hidden.fill(0); for (const n of data.folded) hidden[n] = 1; };
const isBelow = (node, above) => node > above && node < end[above];
const whiteMoved = n => (data.start.ply + ply[n] - 1) % 2 === 0;
const hasMove = n => sans[n] !== '';

function number(n) {
  const half = data.start.ply + ply[n] - 1;
  return (half >> 1) + 1 + (half % 2 ? '...' : '.');
}

function label(n) {
  if (!hasMove(n)) return '';
  const opens = n === 0 || (parent[n] === 0 && !hasMove(0));
  const needed = opens || whiteMoved(n) || firstChild[parent[n]] !== n;
  return (needed ? number(n) : '') + sans[n] + (data.signs[n] || '');
}

function* children(n) { for (let c = firstChild[n]; c >= 0; c = nextSibling[c]) yield c; }

function foldLabel(nodes, folded) {
  return folded === 1 ? '+' + nodes : '+' + nodes + ' in ' + folded + ' lines';
}

// --- Layout ---------------------------------------------------------------------------------
// A line of primary moves is straight. Lines are placed as high as there is space, those that leave
// the line above last first: so no branch ever crosses a line. A long game with few variations is
// divided into rows, here called bands.

const CARD = 20, ROW = 26, GAP = 22, PAD = 6, TRUNK = 12, TRACK = 5, RETURN = 5, SIDE = 12;
const MOST_TRACKS = 12, MOST_RETURNS = 8;
const FEW_CARDS = 2.5;      // on average in a column of a tree that is divided into bands
let items = [];     // {node, fold, column, band, x, row, width, text, from}
let itemOf = new Map(), rows = [], arcs = [], size = { width: 0, height: 0 };
let bands = [];     // {from, to, top, bottom, entries, right}: columns, and rows of cards

function layOut() {
  items = [];
  itemOf = new Map();
  const floor = [];                     // the first free row of each column
  const starts = [{ node: 0, from: null }];
  while (starts.length) {
    const { node, from, fold } = starts.pop();
    // 1. The line that starts here.
    const line = [];
    if (fold) line.push({ node: -1, fold, column: from.column + 1 });
    else {
      let last = node;
      for (let n = node; n >= 0; n = primary(n)) line.push({ node: last = n, column: ply[n] });
      if (firstChild[last] >= 0) line.push({ node: -1, fold: foldOf(last), column: ply[last] + 1 });
    }
    // 2. The first row below its start that is free in all its columns.
    let row = from ? from.row + 1 : 0;
    for (const item of line) row = Math.max(row, floor[item.column] || 0);
    for (const item of line) { item.row = row; floor[item.column] = row + 1; }
    // 3. Its alternatives, from the end of the line on.
    let before = from;
    const branches = [];
    for (const item of line) {
      item.from = before;
      before = item;
      items.push(item);
      if (item.node >= 0) {
        itemOf.set(item.node, item);
        branches.push(...branchesOf(item));
      }
    }
    // The stack returns last what is pushed first.
    starts.push(...branches);
  }
  const widths = measure();
  findArcs();
  bands = [{ from: 0, to: widths.length, top: 0, entries: [] }];
  for (const item of items) item.band = 0;
  bands[0].bottom = 1 + items.reduce((most, item) => Math.max(most, item.row), 0);
  let tracks = planArcs(widths.length, null);
  divide(widths, tracks);
  if (bands.length > 1) planArcs(widths.length, tracks);
  putInPlace(widths, tracks);
  showSummary();
}

function measure() {
  const widths = [];
  for (const item of items) {
    item.text = item.fold ? foldLabel(item.fold.nodes, item.fold.lines) : label(item.node);
    item.width = item.text ? textWidth(item.text, isMainline(item)) + 2 * PAD : 12;
    widths[item.column] = Math.max(widths[item.column] || 0, item.width);
  }
  return widths;
}

const channelWidth = tracks => tracks ? TRACK * tracks + 2 : 0;

// Divides the columns into bands that are no wider than the canvas, if the tree is long and flat
// and few branches continue in the next band.
let isFlat = false;
function divide(widths, tracks) {
  const columnWidth = c => widths[c] + channelWidth(tracks[c]) + GAP;
  const whole = widths.reduce((sum, _, c) => sum + columnWidth(c), -GAP);
  isFlat = items.length <= FEW_CARDS * widths.length && whole > 2 * bands[0].bottom * ROW;
  const most = Math.max(400, canvas.clientWidth - 40);
  if (!isFlat || whole <= most) return;
  const entries = new Int32Array(widths.length);
  for (const item of items) entries[item.column]++;
  const isGoodStart = c => (data.start.ply + c - 1) % 2 === 0;
  for (let returns = 1; returns <= MOST_RETURNS; returns++) {
    const width = most - 2 * (SIDE + RETURN * returns), found = [];
    for (let from = 0; from < widths.length;) {
      let to = from + 1, total = columnWidth(from) - GAP;
      while (to < widths.length && total + columnWidth(to) <= width) total += columnWidth(to++);
      if (to < widths.length && to - from > 2 && !isGoodStart(to)) to--;
      found.push({ from, to, entries: [] });
      from = to;
    }
    if (found.every((band, i) => i === 0 || entries[band.from] <= returns)) return stackBands(found);
  }
}

// Puts the bands below one another, without the rows that only other bands use.
function stackBands(found) {
  bands = found;
  const bandOf = [];
  bands.forEach((band, i) => { band.items = []; for (let c = band.from; c < band.to; c++) bandOf[c] = i; });
  for (const item of items) bands[item.band = bandOf[item.column]].items.push(item);
  let top = 0;
  bands.forEach((band, i) => {
    band.items.sort((a, b) => a.row - b.row);
    if (i > 0) {
      band.entries = band.items.filter(item => item.column === band.from);
      top += Math.ceil((8 + band.entries.length * RETURN) / ROW);
    }
    band.top = top;
    let old = -1;
    top -= 1;
    for (const item of band.items) {
      if (item.row !== old) { old = item.row; top++; }
      item.row = top;
    }
    band.bottom = ++top;
    delete band.items;
  });
}

// Computes the columns' places, and then those of the cards and arcs.
function putInPlace(widths, tracks) {
  const returns = bands.reduce((most, band) => Math.max(most, band.entries.length), 0);
  const inset = bands.length > 1 ? SIDE + RETURN * returns : 0;
  const starts = [];
  let right = 0;
  for (const band of bands) {
    let x = inset;
    for (let c = band.from; c < band.to; c++) { starts.push(x); x += widths[c] + channelWidth(tracks[c]) + GAP; }
    band.right = x - GAP;
    right = Math.max(right, band.right);
  }
  rows = Array.from({ length: bands[bands.length - 1].bottom }, () => []);
  for (const item of items) {
    item.x = starts[item.column];
    rows[item.row].push(item);
  }
  for (const row of rows) row.sort((a, b) => a.x - b.x);
  for (const arc of arcs) arc.points = polylineOf(arc, bus => starts[bus.column] + widths[bus.column] + TRACK * (bus.track + 1) + 1);
  size = { width: right + inset, height: rows.length * ROW };
}

// The first child that is not folded away.
function primary(n) {
  for (const c of children(n)) if (!hidden[c]) return c;
  return -1;
}

// How much is folded away at a node.
function foldOf(n) {
  const fold = { nodes: 0, lines: 0, at: n };
  for (const c of children(n)) {
    if (hidden[c]) { fold.nodes += end[c] - c; fold.lines += lines[c]; }
  }
  return fold;
}

// Alternatives that are shown, then a mark for those that are not; in the order the stack wants.
function branchesOf(item) {
  const shown = [];
  for (const c of children(item.node)) if (!hidden[c]) shown.push({ node: c, from: item });
  if (!shown.length) return shown;
  shown.shift();
  const fold = foldOf(item.node);
  if (fold.nodes) shown.push({ fold, from: item });
  return shown.reverse();
}

const SIGN = new RegExp('([' + Object.keys(book.signs).join('') + '])');
const FONT = '12px "DejaVu Sans", Verdana, sans-serif';
const BOLD = 'bold ' + FONT;
const widthsOfLetters = [new Map(), new Map()];
function textWidth(text, bold) {
  const known = widthsOfLetters[bold ? 1 : 0];
  let width = 0;
  for (const letter of text) {
    let advance = known.get(letter);
    if (advance === undefined) {
      pen.font = bold ? BOLD : FONT;
      advance = book.signs[letter] ? book.advance * 12 : pen.measureText(letter).width;
      known.set(letter, advance);
    }
    width += advance;
  }
  return width;
}

// --- Arcs -----------------------------------------------------------------------------------
// An arc joins two cards of the same position. Arcs run in the channels after the columns and in the
// space between rows, never through a card. Arcs of one position share their vertical parts.

// An arc where a known position is reached from another position.
function findArcs() {
  arcs = [];
  for (const item of items) item.group = null;
  if (!data.arcs) return;
  const first = new Map(), origins = new Set(), groups = new Map();
  for (const item of [...itemOf.values()].sort((a, b) => a.node - b.node)) {
    const n = item.node, here = place[n];
    const origin = parent[n] < 0 ? '' : place[parent[n]] + ' ' + here;
    const isNew = !origins.has(origin);
    origins.add(origin);
    const known = first.get(here);
    if (known === undefined) first.set(here, item);
    else if (isNew && !isBelow(n, known.node)) {
      if (!groups.has(here)) groups.set(here, { number: groups.size, buses: new Map() });
      known.group = item.group = groups.get(here);
      arcs.push({ from: known, to: item, group: known.group });
    }
  }
}

const joint = item => item.row * ROW + 16;

// Finds a route for each arc; returns the number of tracks after each column. A given number of
// tracks is not exceeded.
function planArcs(columnCount, limits) {
  const buses = Array.from({ length: columnCount }, () => []), lanes = new Map();
  for (const arc of arcs) arc.group.buses.clear();
  const busAt = (group, column, y) => {
    let bus = group.buses.get(column);
    if (!bus) {
      bus = { column, top: y, bottom: y, track: 0 };
      group.buses.set(column, bus);
      buses[column].push(bus);
    }
    return reach(bus, y);
  };
  const reach = (bus, y) => { bus.top = Math.min(bus.top, y); bus.bottom = Math.max(bus.bottom, y); return bus; };
  const above = band => bands[Math.max(band, 1)].top * ROW - 3;
  for (const arc of arcs) {
    const { from, to, group } = arc;
    arc.first = busAt(group, from.column, joint(from));
    arc.second = busAt(group, to.column, joint(to));
    arc.bridge = null;
    if (arc.first === arc.second) continue;
    const apart = Math.abs(from.band - to.band);
    if (apart > 1) arc.bridge = [above(from.band), above(to.band)];
    else if (apart === 1) arc.bridge = [bands[Math.min(from.band, to.band)].bottom * ROW - 3];
    else arc.bridge = [freeLane(lanes, from, to)];
    reach(arc.first, arc.bridge[0]);
    reach(arc.second, arc.bridge[arc.bridge.length - 1]);
  }
  return buses.map((list, column) => assignTracks(list, limits ? Math.max(1, limits[column]) : MOST_TRACKS));
}

// The space between two rows near a card that no other arc uses between the same columns.
function freeLane(lanes, from, to) {
  const left = Math.min(from.column, to.column), right = Math.max(from.column, to.column);
  for (const step of [1, 0, 2, -1, 3, -2]) {
    const row = to.row + step;
    if (row < 0) continue;
    if (!lanes.has(row)) lanes.set(row, []);
    const used = lanes.get(row);
    if (used.slice(-64).some(([l, r]) => l <= right && left <= r)) continue;
    used.push([left, right]);
    return row * ROW - 3;
  }
  return (to.row + 1) * ROW - 3;
}

// Overlapping buses of a channel get different tracks; the one that starts first is the outermost.
function assignTracks(list, most) {
  list.sort((a, b) => a.top - b.top);
  const ends = [];
  for (const bus of list) {
    let track = ends.findIndex(end => end + TRACK < bus.top);
    if (track < 0) track = ends.length < most ? ends.length : ends.indexOf(Math.min(...ends));
    ends[track] = Math.max(ends[track] ?? -Infinity, bus.bottom);
    bus.track = track;
  }
  for (const bus of list) bus.track = ends.length - 1 - bus.track;
  return ends.length;
}

function polylineOf(arc, busX) {
  const { from, to, first, second, bridge } = arc;
  const x1 = busX(first), x2 = busX(second), y1 = joint(from), y2 = joint(to);
  const polyline = [[from.x + from.width, y1], [x1, y1]];
  if (bridge && bridge.length === 1) polyline.push([x1, bridge[0]], [x2, bridge[0]]);
  if (bridge && bridge.length === 2) polyline.push([x1, bridge[0]], [0, bridge[0]], [0, bridge[1]], [x2, bridge[1]]);
  polyline.push([x2, y2], [to.x + to.width, y2]);
  return polyline;
}

// --- Drawing --------------------------------------------------------------------------------

let view = { x: 0, y: 0, scale: 1 };    // where the picture's corner lies on the canvas
let current = 0, pointed = -1, pointedArc = null, flipped = false, ink = {};
let onPath = new Set();                 // the nodes from the start to the current one

function readInks() {
  const style = getComputedStyle(document.body);
  for (const name of ['paper', 'text', 'faint', 'mainline', 'branch', 'white', 'on-white',
    'black', 'on-black', 'card-edge', 'fold', 'on-fold', 'comment', 'current', 'lit', 'marked', 'arc0', 'arc1', 'arc2', 'arc3', 'arc4', 'arc5'])
    ink[name] = style.getPropertyValue('--' + name).trim();
}

let asked = false;
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(); });
}

const middle = item => item.row * ROW + CARD / 2;
const isMainline = item => item.node >= 0 && onMainline[item.node] === 1;
function draw() {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, width, height);
  pen.translate(view.x, view.y);
  pen.scale(view.scale, view.scale);
  const sight = {
    left: -view.x / view.scale, right: (width - view.x) / view.scale,
    top: -view.y / view.scale, bottom: (height - view.y) / view.scale,
  };
  drawBranches(sight);
  drawArcs(sight);
  drawCards(sight);
  drawArcEnds(sight);
}

// The path to the current node, then thin lines, so that the mainline is on top.
function drawBranches(sight) {
  pen.lineCap = pen.lineJoin = 'round';
  const paths = [
    [item => onPath.has(item.node), ink.lit, 7],
    [item => !isMainline(item), ink.branch, 0],
    [isMainline, ink.mainline, 0],
  ];
  for (const [belongs, colour, halo] of paths) {
    pen.strokeStyle = colour;
    for (const item of items) {
      if (!item.from || !belongs(item) || !isBranchInSight(item, sight)) continue;
      pen.lineWidth = thickness(item) + halo;
      pen.beginPath();
      traceBranch(item);
      pen.stroke();
    }
  }
}

function isBranchInSight(item, sight) {
  const from = item.from;
  if (middle(from) > sight.bottom || middle(item) < sight.top) return false;
  return from.band !== item.band || (item.x >= sight.left && from.x <= sight.right);
}

function traceBranch(item) {
  const from = item.from, y1 = middle(from), y2 = middle(item);
  if (from.band !== item.band) return trace(returnLine(item));
  pen.moveTo(from.x + from.width, y1);
  if (y1 !== y2) {
    const trunk = item.x - TRUNK, bend = Math.min(7, (y2 - y1) / 2);
    pen.lineTo(trunk - bend, y1);
    pen.quadraticCurveTo(trunk, y1, trunk, y1 + bend);
    pen.lineTo(trunk, y2 - bend);
    pen.quadraticCurveTo(trunk, y2, trunk + bend, y2);
  }
  pen.lineTo(item.x, y2);
}

// The line from the end of a band to the start of the next; those of several branches are nested.
function returnLine(item) {
  const from = item.from, band = bands[item.band], i = band.entries.indexOf(item);
  const right = bands[item.band - 1].right + 2 + RETURN * (band.entries.length - i);
  const gutter = band.top * ROW - 10 - RETURN * i, left = item.x - SIDE + RETURN - RETURN * i;
  return [[from.x + from.width, middle(from)], [right, middle(from)], [right, gutter], [left, gutter],
    [left, middle(item)], [item.x, middle(item)]];
}

// A line with rounded corners.
function trace(points) {
  pen.moveTo(...points[0]);
  for (let i = 1; i + 1 < points.length; i++) {
    const [x0, y0] = points[i - 1], [x, y] = points[i], [x2, y2] = points[i + 1];
    const radius = Math.min(5, Math.hypot(x - x0, y - y0) / 2, Math.hypot(x2 - x, y2 - y) / 2);
    pen.arcTo(x, y, x2, y2, radius);
  }
  pen.lineTo(...points[points.length - 1]);
}

const thickness = item => 1.2 + 0.8 * Math.log2(item.fold ? item.fold.lines : lines[item.node]);

// The arcs at the pointer, or at the card under it, stand out; the others then step back.
const isHot = arc => arc === pointedArc || (pointed >= 0 && (arc.from.node === pointed || arc.to.node === pointed));
const DASHES = [[], [7, 4], [1.5, 4]];

function drawArcs(sight) {
  const someHot = arcs.some(isHot);
  for (const arc of arcs) {
    const ys = arc.points.map(point => point[1]);
    if (Math.min(...ys) > sight.bottom || Math.max(...ys) < sight.top) continue;
    const hot = isHot(arc), number = arc.group.number;
    pen.globalAlpha = someHot && !hot ? 0.25 : 1;
    pen.strokeStyle = pen.fillStyle = ink['arc' + number % 6];
    pen.lineWidth = hot ? 3.5 : 1.5;
    pen.setLineDash(DASHES[Math.floor(number / 6) % 3]);
    pen.beginPath();
    trace(arc.points);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

// A dot on each card where an arc ends.
function drawArcEnds(sight) {
  for (const arc of arcs) {
    for (const [x, y] of [arc.points[0], arc.points[arc.points.length - 1]]) {
      if (y < sight.top || y > sight.bottom) continue;
      pen.beginPath();
      pen.arc(x - 1, y, isHot(arc) ? 4 : 2.4, 0, 2 * Math.PI);
      pen.fillStyle = ink['arc' + arc.group.number % 6];
      pen.fill();
    }
  }
}

function drawCards(sight) {
  const hot = new Set(arcs.filter(isHot).flatMap(arc => [arc.from, arc.to]));
  const readable = view.scale > 0.35;
  pen.font = FONT;
  pen.textBaseline = 'alphabetic';
  const firstRow = Math.max(0, Math.floor(sight.top / ROW));
  const lastRow = Math.min(rows.length - 1, Math.ceil(sight.bottom / ROW));
  for (let r = firstRow; r <= lastRow; r++) {
    for (const item of rows[r]) {
      if (item.x > sight.right) break;
      if (item.x + item.width >= sight.left) drawCard(item, hot.has(item), readable);
    }
  }
}

function drawCard(item, hot, readable) {
  const y = item.row * ROW;
  const side = item.fold ? 'fold' : !hasMove(item.node) ? 'mainline' : whiteMoved(item.node) ? 'white' : 'black';
  const outline = grow => {
    pen.beginPath();
    if (item.text) pen.roundRect(item.x - grow, y - grow, item.width + 2 * grow, CARD + 2 * grow, (item.fold ? 3 : CARD / 2) + grow);
    else pen.arc(item.x + 6, y + CARD / 2, 6 + grow, 0, 2 * Math.PI);
  };
  if (onPath.has(item.node)) {
    outline(3);
    pen.fillStyle = ink.lit;
    pen.fill();
  }
  outline(0);
  pen.fillStyle = item.node === current ? ink.current : ink[side];
  pen.fill();
  const isPointed = item.node >= 0 && item.node === pointed, isMarked = item.node >= 0 && marked[item.node];
  const arcInk = item.group && ink['arc' + item.group.number % 6];
  pen.strokeStyle = hot ? arcInk : isPointed ? ink.current : isMarked ? ink.marked : arcInk || ink['card-edge'];
  pen.lineWidth = hot ? 3.5 : isPointed || isMarked ? 3 : arcInk ? 1.8 : 1;
  pen.stroke();
  if (item.text && readable) {
    pen.fillStyle = item.node === current ? '#1f2328' : ink['on-' + side];
    drawText(item.text, item.x + PAD, y + CARD / 2 + 4.3, isMainline(item));
  }
  if (item.node >= 0 && data.comments[item.node]) {
    pen.beginPath();
    pen.arc(item.x + item.width - 3, y + 2, 2.6, 0, 2 * Math.PI);
    pen.fillStyle = ink.comment;
    pen.fill();
  }
}

// Text from left to right; signs that fonts lack are drawn as outlines.
const outlines = new Map();
function drawText(text, x, y, bold) {
  pen.font = bold ? BOLD : FONT;
  pen.textAlign = 'left';
  for (const part of text.split(SIGN).filter(Boolean)) {
    const paths = book.signs[part];
    if (paths) {
      if (!outlines.has(part)) outlines.set(part, paths.map(path => new Path2D(path)));
      pen.save();
      pen.translate(x, y);
      pen.scale(12, 12);
      pen.fill(outlines.get(part)[bold ? 1 : 0]);
      pen.restore();
    } else pen.fillText(part, x, y);
    x += textWidth(part, bold);
  }
}

// --- The board ------------------------------------------------------------------------------

const SQUARES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SVG = 'http://www.w3.org/2000/svg';

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Each move says which squares look different after it: square and piece by turns.
function position(n) {
  const path = [];
  for (let at = n; at > 0; at = parent[at]) path.push(at);
  const squares = data.start.board.split('');
  for (const at of path.reverse()) {
    const change = changes[at - 1];
    for (let i = 0; i < change.length; i += 2) squares[SQUARES.indexOf(change[i])] = change[i + 1];
  }
  return squares;
}

function corner(square) {
  const file = square % 8, rank = square >> 3;
  return flipped ? [(7 - file) * 100, rank * 100] : [file * 100, (7 - rank) * 100];
}

let shown = -1;
function showNode(n) {
  shown = n;
  const squares = document.getElementById('squares'), marks = document.getElementById('marks');
  const pieces = document.getElementById('pieces'), arrows = document.getElementById('arrows');
  for (const group of [squares, marks, pieces, arrows]) group.replaceChildren();
  for (let s = 0; s < 64; s++) {
    const [x, y] = corner(s), dark = (s + (s >> 3)) % 2 === 0;
    const style = 'fill:var(--' + (dark ? 'dark' : 'light') + '-square)';
    squares.append(element('rect', { x, y, width: 100, height: 100, style }));
  }
  drawCoordinates(squares);
  const change = n > 0 ? changes[n - 1] : data.start.last;
  for (const square of new Set([change[0], change[2]])) {
    if (square === undefined) continue;
    const [x, y] = corner(SQUARES.indexOf(square));
    marks.append(element('rect', { x, y, width: 100, height: 100, style: 'fill:var(--last);fill-opacity:.5' }));
  }
  position(n).forEach((piece, s) => {
    if (piece === '.') return;
    const [x, y] = corner(s), white = piece === piece.toUpperCase();
    pieces.append(element('use', { href: '#' + (white ? 'w' : 'b') + piece.toUpperCase(), x, y }));
  });
  for (const shape of (data.shapes[n] || '').split(',').filter(Boolean)) drawShape(shape, marks, arrows);
  showWords(n);
}

// Letters below the board, numbers to its left.
function drawCoordinates(group) {
  for (let i = 0; i < 8; i++) {
    const letter = 'abcdefgh'[flipped ? 7 - i : i], number = flipped ? i + 1 : 8 - i;
    group.appendChild(element('text', { x: i * 100 + 50, y: 838 })).textContent = letter;
    group.appendChild(element('text', { x: -24, y: i * 100 + 62 })).textContent = number;
  }
}

const PAINTS = { G: '#2f8f2f', R: '#c42b2b', Y: '#e0a800', B: '#1f66c7' };
const squareOf = name => 'abcdefgh'.indexOf(name[0]) + 8 * (Number(name[1]) - 1);

function drawShape(shape, marks, arrows) {
  const paint = PAINTS[shape[0]];
  const [x1, y1] = corner(squareOf(shape.slice(1, 3))).map(at => at + 50);
  if (shape.length === 3) {
    marks.append(element('circle', { cx: x1, cy: y1, r: 45, fill: 'none', stroke: paint, 'stroke-width': 9, 'stroke-opacity': .75 }));
    return;
  }
  const [x2, y2] = corner(squareOf(shape.slice(3, 5))).map(at => at + 50);
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const tip = length - 6, neck = tip - 42;
  const points = [[28, 9], [neck, 9], [neck, 25], [tip, 0], [neck, -25], [neck, -9], [28, -9]];
  const at = ([along, aside]) => [x1 + along * ux - aside * uy, y1 + along * uy + aside * ux].join(',');
  arrows.append(element('polygon', { points: points.map(at).join(' '), fill: paint, 'fill-opacity': .75 }));
}

// The moves that lead to a node, from the start of the game.
function pathTo(n) {
  const path = [], before = data.start.path;
  for (let at = n; at >= 0; at = parent[at]) if (hasMove(at)) path.push(at);
  const isFirst = i => i === 0 && !before;
  const moves = path.reverse().map((at, i) => (isFirst(i) || whiteMoved(at) ? number(at) : '') + sans[at] + (data.signs[at] || ''));
  return before ? [before, ...moves] : moves;
}

// Text as nodes of the page: signs that fonts lack become small pictures.
function words(text, bold = false) {
  return text.split(SIGN).filter(Boolean).map(part => {
    const paths = book.signs[part];
    if (!paths) return document.createTextNode(part);
    const picture = element('svg', { class: 'sign', viewBox: '0 -0.8 ' + book.advance + ' 1', role: 'img', 'aria-label': part });
    picture.append(element('path', { d: paths[bold ? 1 : 0] }));
    return picture;
  });
}

function showWords(n) {
  const moves = pathTo(n), last = document.createElement('b');
  last.replaceChildren(...words(moves.pop() || 'start', true));
  document.getElementById('path').replaceChildren(...words(moves.join(' ') + ' '), last);
  const white = (data.start.ply + ply[n]) % 2 === 0;
  document.getElementById('turn').className = white ? 'white' : 'black';
  document.getElementById('turn').textContent = (white ? 'White' : 'Black') + ' to move';
  document.getElementById('comment').replaceChildren(...words(data.comments[n] || ''));
  const transpositions = (sameAs.get(place[n]) || []).filter(other => other !== n && !isBelow(other, n) && !isBelow(n, other));
  document.getElementById('transpositions').replaceChildren(...transpositions.slice(0, 12).map(other => {
    const button = document.createElement('button');
    button.replaceChildren(...words('= ' + pathTo(other).join(' ')));
    button.onclick = () => go(other);
    return button;
  }));
}

// --- Going and folding ----------------------------------------------------------------------

function reveal(n) {
  let changed = false;
  for (let at = n; at > 0; at = parent[at]) {
    if (hidden[at]) { hidden[at] = 0; changed = true; }
  }
  return changed;
}

function go(n) {
  if (n < 0 || n >= count) return;
  if (reveal(n)) layOut();
  setCurrent(n);
  bringIntoSight(itemOf.get(n));
}

function setCurrent(n) {
  current = n;
  onPath = new Set();
  for (let at = n; at >= 0; at = parent[at]) onPath.add(at);
  showNode(n);
  redraw();
}

function bringIntoSight(item) {
  if (!item) return;
  const margin = 60, x = item.x * view.scale + view.x, y = item.row * ROW * view.scale + view.y;
  const width = item.width * view.scale, right = canvas.clientWidth - margin, bottom = canvas.clientHeight - margin;
  if (x < margin) view.x += margin - x;
  else if (x + width > right) view.x -= x + width - right;
  if (y < margin) view.y += margin - y;
  else if (y + CARD * view.scale > bottom) view.y -= y + CARD * view.scale - bottom;
}

// Shows what was folded: all of it if it is little, else the lines that it begins with.
const MANY = 200;
function unfold(n) {
  for (const c of children(n)) {
    if (!hidden[c]) continue;
    hidden[c] = 0;
    if (end[c] - c <= MANY) { hidden.fill(0, c, end[c]); continue; }
    for (let at = c; at >= 0; at = firstChild[at])
      for (const other of children(at)) hidden[other] = other === firstChild[at] ? 0 : 1;
  }
}

function toggle(n) {
  const folded = [...children(n)].some(c => hidden[c]);
  if (folded) unfold(n); else for (const c of children(n)) hidden[c] = 1;
  keepInPlace(n, layOut);
  redraw();
}

// Keeps a card at its place on the screen while the layout changes.
function keepInPlace(n, change) {
  const before = itemOf.get(n), y = before && before.row, x = before && before.x;
  change();
  const after = itemOf.get(n);
  if (before && after) {
    view.y += (y - after.row) * ROW * view.scale;
    view.x += (x - after.x) * view.scale;
  }
}

function fit() {
  const width = canvas.clientWidth - 40, height = canvas.clientHeight - 40;
  const scale = Math.min(width / size.width, height / size.height, 1.5);
  view = { scale: Math.max(scale, 0.02), x: 20, y: 20 };
  redraw();
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(6, Math.max(0.02, view.scale * factor));
  view.x = x - (x - view.x) * scale / view.scale;
  view.y = y - (y - view.y) * scale / view.scale;
  view.scale = scale;
  redraw();
}

function itemAt(x, y) {
  const px = (x - view.x) / view.scale, py = (y - view.y) / view.scale;
  const row = rows[Math.floor(py / ROW)];
  if (!row || py % ROW > CARD + 2) return null;
  return row.find(item => px >= item.x - 2 && px <= item.x + item.width + 2) || null;
}

// The next alternative, or the nearest card of the same ply on a row above or below.
function beside(n, step) {
  const siblings = parent[n] < 0 ? [] : [...children(parent[n])];
  const next = siblings[siblings.indexOf(n) + step];
  if (next !== undefined) return next;
  const item = itemOf.get(n);
  for (let r = item ? item.row + step : -1; r >= 0 && r < rows.length; r += step) {
    const found = rows[r].find(other => other.node >= 0 && other.column === item.column);
    if (found) return found.node;
  }
  return n;
}

function nextTransposition(n) {
  const transpositions = sameAs.get(place[n]) || [n];
  return transpositions[(transpositions.indexOf(n) + 1) % transpositions.length];
}

const nextMarked = n => data.marked.find(m => m > n) ?? data.marked[0] ?? n;

function lineEnd(n) {
  while (firstChild[n] >= 0) n = firstChild[n];
  return n;
}

// --- Searching ------------------------------------------------------------------------------

let wanted = '', found = [];
function search(text) {
  if (text !== wanted) {
    wanted = text;
    const word = text.toLowerCase();
    const says = n => label(n).toLowerCase().includes(word) || (data.comments[n] || '').toLowerCase().includes(word);
    found = word ? [...sans.keys()].filter(says) : [];
  }
  const next = found.find(n => n > current) ?? found[0];
  const at = found.indexOf(next) + 1;
  document.querySelector('#search output').textContent = wanted ? at + ' of ' + found.length : '';
  if (next !== undefined) go(next);
}

// --- Input ----------------------------------------------------------------------------------

const MOST = 400000;                    // more cards would make the page slow
const actions = {
  theme() { themeChosen = true; setTheme(!document.body.classList.contains('dark')); },
  all() {
    if (count > MOST) return alert(count + ' moves are too many to be shown at once: unfold them part by part.');
    hidden.fill(0);
    keepInPlace(current, layOut);
    redraw();
  },
  less() { foldAsAtFirst(); reveal(current); keepInPlace(current, layOut); redraw(); },
  fit,
  flip() { flipped = !flipped; showNode(shown); },
  help() {
    const help = document.getElementById('help');
    help.showModal();
    help.scrollTop = 0;             // the focus is on the button at its end
  },
};

const keys = {
  ArrowRight: () => go(primaryOrFirst(current)), ArrowLeft: () => go(parent[current]),
  ArrowDown: () => go(beside(current, 1)), ArrowUp: () => go(beside(current, -1)),
  Home: () => go(0), End: () => go(lineEnd(current)),
  ' ': () => toggle(current), Enter: () => toggle(current),
  t: () => go(nextTransposition(current)), m: () => go(nextMarked(current)), f: actions.flip, d: actions.theme, a: actions.all, r: actions.less,
  '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), 0: fit, '?': actions.help,
  PageDown: () => openChapter(chapter + 1), PageUp: () => openChapter(chapter - 1),
  '/': () => document.querySelector('#search input').focus(),
};
const primaryOrFirst = n => { const shownFirst = primary(n); return shownFirst >= 0 ? shownFirst : firstChild[n]; };

document.addEventListener('keydown', event => {
  if (event.target.matches('input, select, button, dialog *') || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

document.getElementById('search').addEventListener('submit', event => {
  event.preventDefault();
  search(event.target.querySelector('input').value.trim());
});
document.querySelector('#search input').addEventListener('keydown', event => {
  if (event.key === 'Escape') canvas.focus();
});
for (const button of document.querySelectorAll('[data-do]')) {
  button.onclick = () => { actions[button.dataset.do](); canvas.focus(); };
}

// One finger or the mouse moves the picture, two fingers zoom it.
const fingers = new Map();
let dragged = false;
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  if (fingers.size === 1) dragged = false;
});
canvas.addEventListener('pointermove', event => {
  const finger = fingers.get(event.pointerId);
  if (!finger) return point(event.offsetX, event.offsetY);
  const dx = event.offsetX - finger.x, dy = event.offsetY - finger.y;
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const before = Math.hypot(finger.x - other.x, finger.y - other.y);
    const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
    if (before > 0) zoom(after / before, other.x, other.y);
    dragged = true;
  } else if (dragged || Math.hypot(dx, dy) > 4) {
    dragged = true;
    view.x += dx;
    view.y += dy;
    redraw();
  } else return;
  fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
});
canvas.addEventListener('pointerup', event => {
  fingers.delete(event.pointerId);
  if (dragged) return;
  const item = itemAt(event.offsetX, event.offsetY);
  if (!item) return;
  if (item.fold) toggle(item.fold.at);
  else setCurrent(item.node);
});
canvas.addEventListener('pointercancel', event => fingers.delete(event.pointerId));
canvas.addEventListener('dblclick', event => {
  const item = itemAt(event.offsetX, event.offsetY);
  if (item && item.node >= 0) toggle(item.node);
});
canvas.addEventListener('pointerleave', () => { if (pointed >= 0 || pointedArc) point(-1e9, -1e9); });
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
}, { passive: false });

function arcAt(x, y) {
  const px = (x - view.x) / view.scale, py = (y - view.y) / view.scale, near = 5 / view.scale;
  const isNear = ([x1, y1], [x2, y2]) =>
    px > Math.min(x1, x2) - near && px < Math.max(x1, x2) + near && py > Math.min(y1, y2) - near && py < Math.max(y1, y2) + near;
  return arcs.find(arc => arc.points.some((point, i) => i > 0 && isNear(arc.points[i - 1], point))) || null;
}

function point(x, y) {
  const item = itemAt(x, y), node = item && item.node >= 0 ? item.node : -1;
  const arc = item ? null : arcAt(x, y);
  canvas.style.cursor = item ? 'pointer' : 'grab';
  if (node === pointed && arc === pointedArc) return;
  pointed = node;
  pointedArc = arc;
  showNode(node >= 0 ? node : arc ? arc.from.node : current);
  redraw();
}

function showSummary() {
  const s = (number, word) => number + ' ' + word + (number === 1 ? '' : 's');
  const all = s(lines[0], 'line') + ', ' + s(count - 1, 'move');
  const some = itemOf.size < count ? ', ' + (itemOf.size - 1) + ' shown' : '';
  const eye = data.marked.length ? ', ' + data.marked.length + ' marked' : '';
  document.getElementById('summary').textContent = all + some + eye;
}

// The page follows the system's theme until --dark or the reader chooses one.
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let themeChosen = document.body.dataset.theme === 'dark';
function setTheme(dark) { document.body.classList.toggle('dark', dark); readInks(); redraw(); }
document.body.classList.toggle('dark', themeChosen || systemDark.matches);
systemDark.addEventListener('change', () => { if (!themeChosen) setTheme(systemDark.matches); });

// A tree in rows follows the width of the page.
let widthBefore = 0;
new ResizeObserver(() => {
  const changed = Math.abs(canvas.clientWidth - widthBefore) > 1;
  widthBefore = canvas.clientWidth;
  if (changed && isFlat) keepInPlace(current, layOut);
  redraw();
}).observe(canvas);

// --- Chapters -------------------------------------------------------------------------------

const chapterList = document.getElementById('chapters');
const visited = new Map();              // the state of the chapters that were open before
let chapter = -1;

function openChapter(index) {
  if (index < 0 || index >= book.chapters.length || index === chapter) return;
  if (chapter >= 0) visited.set(chapter, { hidden, current, view });
  chapter = index;
  readChapter(book.chapters[index]);
  const state = visited.get(index);
  foldAsAtFirst();
  if (state) hidden = state.hidden;
  pointed = -1;
  pointedArc = null;
  wanted = '';
  document.querySelector('#search output').textContent = '';
  const heading = document.querySelector('h1');
  heading.textContent = heading.title = data.title;
  chapterList.value = index;
  layOut();
  setCurrent(state ? state.current : 0);
  if (state) view = state.view;
  else startView();
  redraw();
}

// The whole tree if its text stays readable, else its start.
function startView() {
  fit();
  if (view.scale < 0.7 || bands.length > 1) view = { scale: bands.length > 1 ? 1 : 0.9, x: 20, y: 20 };
}

book.chapters.forEach((chapter, i) => chapterList.add(new Option((i + 1) + '. ' + chapter.title, i)));
chapterList.hidden = book.chapters.length < 2;
chapterList.onchange = () => { openChapter(Number(chapterList.value)); canvas.focus(); };

for (const sign of document.querySelectorAll('.signs')) sign.replaceChildren(...words(sign.textContent, true));
readInks();
flipped = book.flipped;
openChapter(0);
canvas.focus();
