'use strict';
// One tree of moves on a canvas: only what is in sight is drawn, so its size hardly matters.

const data = JSON.parse(document.getElementById('data').textContent);
const canvas = document.getElementById('tree');
const pen = canvas.getContext('2d');

// --- The tree -------------------------------------------------------------------------------
// Nodes are numbered in preorder; node 0 is where the picture starts.

const sans = data.moves.split(' ');
const changes = data.changes.split(' ');   // by node, from 1 on
const count = sans.length;
const parent = new Int32Array(count).fill(-1);
const firstChild = new Int32Array(count).fill(-1);
const nextSibling = new Int32Array(count).fill(-1);
const end = new Int32Array(count);      // where the nodes below one end
const ply = new Int32Array(count);
const lines = new Int32Array(count);    // how many lines pass
const place = new Int32Array(count);    // nodes with the same number are the same position
const hidden = new Uint8Array(count);   // folded away, itself
const marked = new Uint8Array(count);   // catches the eye
for (const n of data.marked) marked[n] = 1;

(function grow() {
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
  for (const [node, twin] of data.transpositions) place[node] = twin;
})();

const sameAs = new Map();
for (const [node, twin] of data.transpositions) {
  if (!sameAs.has(twin)) sameAs.set(twin, [twin]);
  sameAs.get(twin).push(node);
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

// --- Where things lie -----------------------------------------------------------------------
// A line of primary moves is straight. Lines are put down as high as there is room for them, those
// that leave the line above last first: so no branch ever crosses a line.

const CARD = 20, ROW = 26, GAP = 22, PAD = 6, TRUNK = 12;
let items = [];     // {node, fold, x, row, width, text, from}
let itemOf = new Map(), columns = [], rows = [], arcs = [], size = { width: 0, height: 0 };

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
    // 2. The first row below where it comes from that is free in all its columns.
    let row = from ? from.row + 1 : 0;
    for (const item of line) row = Math.max(row, floor[item.column] || 0);
    for (const item of line) { item.row = row; floor[item.column] = row + 1; }
    // 3. What branches off, from the end of the line on.
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
    // The stack gives back last what is put on it first.
    starts.push(...branches);
  }
  measure();
  findArcs();
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

function measure() {
  pen.font = FONT;
  const widths = [];
  let lowest = 0;
  for (const item of items) {
    item.text = item.fold ? foldLabel(item.fold.nodes, item.fold.lines) : label(item.node);
    item.width = item.text ? textWidth(item.text) + 2 * PAD : 12;
    widths[item.column] = Math.max(widths[item.column] || 0, item.width);
    lowest = Math.max(lowest, item.row);
  }
  columns = [];
  let x = 0;
  for (const width of widths) { columns.push(x); x += (width || 0) + GAP; }
  rows = Array.from({ length: lowest + 1 }, () => []);
  for (const item of items) {
    item.x = columns[item.column];
    rows[item.row].push(item);
  }
  for (const row of rows) row.sort((a, b) => a.x - b.x);
  size = { width: x - GAP, height: (lowest + 1) * ROW };
}

const FONT = '12px "DejaVu Sans", Verdana, sans-serif';
const widthsOfLetters = new Map();
function textWidth(text) {
  let width = 0;
  for (const letter of text) {
    let known = widthsOfLetters.get(letter);
    if (known === undefined) {
      known = pen.measureText(letter).width;
      widthsOfLetters.set(letter, known);
    }
    width += known;
  }
  return width;
}

// An arc where a known position is reached from one that does not lead there otherwise.
function findArcs() {
  arcs = [];
  if (!data.arcs) return;
  const first = new Map(), origins = new Set();
  for (const item of [...itemOf.values()].sort((a, b) => a.node - b.node)) {
    const n = item.node, here = place[n];
    const origin = parent[n] < 0 ? '' : place[parent[n]] + ' ' + here;
    const isNew = !origins.has(origin);
    origins.add(origin);
    const known = first.get(here);
    if (known === undefined) first.set(here, item);
    else if (isNew && !isBelow(n, known.node)) arcs.push([known, item]);
  }
}

// --- Drawing --------------------------------------------------------------------------------

let view = { x: 0, y: 0, scale: 1 };    // where the picture's corner lies on the canvas
let current = 0, pointed = -1, flipped = data.flipped, ink = {};

function readInks() {
  const style = getComputedStyle(document.body);
  for (const name of ['paper', 'text', 'faint', 'mainline', 'branch', 'twin', 'white', 'on-white',
    'black', 'on-black', 'card-edge', 'fold', 'on-fold', 'comment', 'current', 'marked'])
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
const onMainline = new Uint8Array(count);
for (let n = 0; n >= 0; n = firstChild[n]) onMainline[n] = 1;

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
}

// Thin lines first, so that the mainline lies above all.
function drawBranches(sight) {
  pen.lineCap = pen.lineJoin = 'round';
  for (const mainline of [false, true]) {
    pen.strokeStyle = mainline ? ink.mainline : ink.branch;
    for (const item of items) {
      const from = item.from;
      if (!from || isMainline(item) !== mainline) continue;
      const y1 = middle(from), y2 = middle(item);
      if (y1 > sight.bottom || y2 < sight.top || item.x < sight.left || from.x > sight.right) continue;
      pen.lineWidth = thickness(item);
      pen.beginPath();
      pen.moveTo(from.x + from.width, y1);
      if (y1 !== y2) {
        const trunk = item.x - TRUNK, bend = Math.min(7, (y2 - y1) / 2);
        pen.lineTo(trunk - bend, y1);
        pen.quadraticCurveTo(trunk, y1, trunk, y1 + bend);
        pen.lineTo(trunk, y2 - bend);
        pen.quadraticCurveTo(trunk, y2, trunk + bend, y2);
      }
      pen.lineTo(item.x, y2);
      pen.stroke();
    }
  }
}

const thickness = item => 1.2 + 0.8 * Math.log2(item.fold ? item.fold.lines : lines[item.node]);

function drawArcs(sight) {
  pen.strokeStyle = ink.twin;
  pen.lineWidth = 1.5;
  for (const [from, to] of arcs) {
    const y1 = middle(from), y2 = middle(to);
    const top = Math.min(y1, y2), bottom = Math.max(y1, y2);
    if (top > sight.bottom || bottom < sight.top) continue;
    const x1 = from.x + from.width, x2 = to.x + to.width;
    const bulge = Math.min(140, Math.max(16, (bottom - top) * 0.15));
    pen.beginPath();
    pen.moveTo(x1, y1);
    if (top === bottom) pen.bezierCurveTo(x1, y1 - 2 * bulge, x2, y2 - 2 * bulge, x2, y2);
    else {
      const far = Math.max(x1, x2) + bulge;
      pen.bezierCurveTo(far, y1, far, y2, x2, y2);
    }
    pen.stroke();
  }
}

function drawCards(sight) {
  const joined = new Set(arcs.flat());
  const readable = view.scale > 0.35;
  pen.font = FONT;
  pen.textAlign = 'center';
  pen.textBaseline = 'alphabetic';
  const firstRow = Math.max(0, Math.floor(sight.top / ROW));
  const lastRow = Math.min(rows.length - 1, Math.ceil(sight.bottom / ROW));
  for (let r = firstRow; r <= lastRow; r++) {
    for (const item of rows[r]) {
      if (item.x > sight.right) break;
      if (item.x + item.width >= sight.left) drawCard(item, joined.has(item), readable);
    }
  }
}

function drawCard(item, joined, readable) {
  const y = item.row * ROW;
  const side = item.fold ? 'fold' : !hasMove(item.node) ? 'mainline' : whiteMoved(item.node) ? 'white' : 'black';
  pen.beginPath();
  if (item.text) pen.roundRect(item.x, y, item.width, CARD, item.fold ? 3 : CARD / 2);
  else pen.arc(item.x + 6, y + CARD / 2, 6, 0, 2 * Math.PI);
  pen.fillStyle = item.node === current ? ink.current : ink[side];
  pen.fill();
  const isPointed = item.node >= 0 && item.node === pointed, isMarked = item.node >= 0 && marked[item.node];
  pen.strokeStyle = isPointed ? ink.current : isMarked ? ink.marked : joined ? ink.twin : ink['card-edge'];
  pen.lineWidth = isPointed || isMarked ? 3 : joined ? 1.6 : 1;
  pen.stroke();
  if (item.text && readable) {
    pen.fillStyle = item.node === current ? '#1f2328' : ink['on-' + side];
    pen.font = isMainline(item) ? 'bold ' + FONT : FONT;
    pen.fillText(item.text, item.x + item.width / 2, y + CARD / 2 + 4.3, item.width - 4);
  }
  if (item.node >= 0 && data.comments[item.node]) {
    pen.beginPath();
    pen.arc(item.x + item.width - 3, y + 2, 2.6, 0, 2 * Math.PI);
    pen.fillStyle = ink.comment;
    pen.fill();
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

function showWords(n) {
  const moves = pathTo(n), last = document.createElement('b');
  last.textContent = moves.pop() || 'start';
  document.getElementById('path').replaceChildren(moves.join(' ') + ' ', last);
  document.getElementById('comment').textContent = data.comments[n] || '';
  const transpositions = (sameAs.get(place[n]) || []).filter(other => other !== n && !isBelow(other, n) && !isBelow(n, other));
  document.getElementById('transpositions').replaceChildren(...transpositions.slice(0, 12).map(other => {
    const button = document.createElement('button');
    button.textContent = '= ' + pathTo(other).join(' ');
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
  current = n;
  bringIntoSight(itemOf.get(n));
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
  showSummary();
  redraw();
}

// What one looks at stays where it is while all around it moves.
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

// The nearest card on the row above or below, for those who walk with the arrow keys.
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

function nextTwin(n) {
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

// --- Hands ----------------------------------------------------------------------------------

const MOST = 400000;                    // more cards would make the page slow
const actions = {
  theme() { themeChosen = true; setTheme(!document.body.classList.contains('dark')); },
  all() {
    if (count > MOST) return alert(count + ' moves are too many to be shown at once: unfold them part by part.');
    hidden.fill(0);
    keepInPlace(current, layOut);
    showSummary();
    redraw();
  },
  less() { foldAsAtFirst(); reveal(current); keepInPlace(current, layOut); showSummary(); redraw(); },
  fit,
  flip() { flipped = !flipped; showNode(shown); },
  help() { document.getElementById('help').showModal(); },
};

const keys = {
  ArrowRight: () => go(primaryOrFirst(current)), ArrowLeft: () => go(parent[current]),
  ArrowDown: () => go(beside(current, 1)), ArrowUp: () => go(beside(current, -1)),
  Home: () => go(0), End: () => go(lineEnd(current)),
  ' ': () => toggle(current), Enter: () => toggle(current),
  t: () => go(nextTwin(current)), m: () => go(nextMarked(current)), f: actions.flip, d: actions.theme, a: actions.all, r: actions.less,
  '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), 0: fit, '?': actions.help,
  '/': () => document.querySelector('#search input').focus(),
};
const primaryOrFirst = n => { const shownFirst = primary(n); return shownFirst >= 0 ? shownFirst : firstChild[n]; };

document.addEventListener('keydown', event => {
  if (event.target.matches('input, button, dialog *') || event.ctrlKey || event.metaKey || event.altKey) return;
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
  else { current = item.node; showNode(current); redraw(); }
});
canvas.addEventListener('pointercancel', event => fingers.delete(event.pointerId));
canvas.addEventListener('dblclick', event => {
  const item = itemAt(event.offsetX, event.offsetY);
  if (item && item.node >= 0) toggle(item.node);
});
canvas.addEventListener('pointerleave', () => { if (pointed >= 0) point(-1, -1); });
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
}, { passive: false });

function point(x, y) {
  const item = itemAt(x, y), node = item && item.node >= 0 ? item.node : -1;
  canvas.style.cursor = item ? 'pointer' : 'grab';
  if (node === pointed) return;
  pointed = node;
  showNode(node >= 0 ? node : current);
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
new ResizeObserver(redraw).observe(canvas);

readInks();
foldAsAtFirst();
layOut();
showSummary();
showNode(0);
fit();
if (view.scale < 0.7) view = { scale: 0.9, x: 20, y: 20 };
canvas.focus();
