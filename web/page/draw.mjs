// Draws a few nodes: inputs at the top, each node below its inputs, outputs at the bottom.
import { drawn } from './dom.mjs';

const LETTER = 7.9, BOX = 30, ROW = 70, GAP = 16, SHOWN = 32, MOST = 160; // pixels, letters, items
const bend = (from, to) => to.row > from.row + 1 ? 40 + 8 * Math.min(to.row - from.row, 12) : 0;

// The items of a drawing, each {kind, text, title, row, name}; undefined: too many.
function place(nodes) {
    const values = nodes.reduce((sum, { inputs, outputs }) => sum + inputs.length + outputs.length, 0);
    if (nodes.length > MOST || values > 100 * MOST) // a value may be read many times
        return undefined;
    const items = [], made = new Map(), edges = [];
    const add = (item) => items[items.push(item) - 1];
    for (const node of nodes) {
        const reads = node.inputs.filter(Boolean).map((name) => {
            if (!made.has(name))
                made.set(name, add({ kind: 'value', text: name, title: name, row: 0 }));
            return made.get(name);
        });
        const row = 1 + Math.max(0, ...reads.map((each) => each.row));
        const item = add({ kind: 'node', text: node.operator, title: node.name ? `${node.operator}: ${node.name}` : node.operator, row });
        edges.push(...reads.map((each) => [each, item]));
        for (const name of node.outputs.filter(Boolean))
            made.set(name, item);
    }
    const read = new Set(nodes.flatMap((node) => node.inputs));
    const bottom = 1 + Math.max(0, ...items.map((each) => each.row));
    for (const node of nodes)
        for (const name of node.outputs.filter((each) => each && !read.has(each)))
            edges.push([made.get(name), add({ kind: 'value', text: name, title: name, row: bottom })]);
    return items.length > MOST ? undefined : { items, edges, rows: bottom + 1 };
}

function shorten(text) {
    const letters = [...text];
    return letters.length > SHOWN ? `${letters.slice(0, SHOWN - 1).join('')}…` : text;
}

// Sets x and width of each item; the rows are centred. Gives the width of all.
function measure({ items, rows }) {
    const ends = [];
    for (let row = 0; row < rows; row++) {
        let x = GAP;
        for (const item of items.filter((each) => each.row === row)) {
            item.x = x;
            item.width = Math.min([...item.text].length, SHOWN) * LETTER + 24;
            x += item.width + GAP;
        }
        ends.push(x);
    }
    const width = Math.max(...ends);
    for (const item of items)
        item.x += (width - ends[item.row]) / 2;
    return width;
}

const top = (item) => GAP + item.row * ROW;

function line([from, to]) {
    const x1 = from.x + from.width / 2, y1 = top(from) + BOX, x2 = to.x + to.width / 2, y2 = top(to);
    const bow = bend(from, to), side = Math.max(x1, x2) + bow, middle = (y1 + y2) / 2;
    const path = bow ? `C${side} ${y1 + ROW} ${side} ${y2 - ROW} ${x2} ${y2}` : `C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
    return drawn('path', { d: `M${x1} ${y1}${path}` });
}

function box(item) {
    return drawn('g', { class: item.kind },
        drawn('title', {}, item.title),
        drawn('rect', { x: item.x, y: top(item), width: item.width, height: BOX, rx: item.kind === 'node' ? 6 : BOX / 2 }),
        drawn('text', { x: item.x + item.width / 2, y: top(item) + 20 }, shorten(item.text)));
}

// nodes: each {operator, name, inputs, outputs}, in topological order. undefined: too many to draw.
export function drawNodes(nodes, label) {
    const drawing = place(nodes);
    if (drawing === undefined)
        return undefined;
    const width = measure(drawing) + Math.max(0, ...drawing.edges.map(([from, to]) => bend(from, to)));
    const height = (drawing.rows - 1) * ROW + BOX + 2 * GAP;
    return drawn('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label },
        drawing.edges.map(line), drawing.items.map(box));
}
