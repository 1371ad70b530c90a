// Beside the page: holds the model of the picture, lays out what is open, searches. A message {id, name, args} is answered by
// {id, value} or {id, failure}.
import * as opshift from './opshift/index.mjs';
import { layModel } from './picture_layout.mjs';
import { pieceModel } from './picture_piece.mjs';
import { pairModels } from './picture_pair.mjs';
import { allOf, groupsOf, keyOf, modelOf, typeOf } from './picture_tree.mjs';
import { tensorStatistics } from './picture_tensor.mjs';

const FEW = 160; // nodes of a model that starts open
const FOUND = 200; // results of a search
let own, model, open = new Set(), given, plans = new Map(); // own: the model itself; model: what is shown, perhaps paired with another

function scene() {
    return { ...layModel(model, open), nodes: model.nodes.length, open: open.size };
}

// Opens all groups below, and inner graphs, while few nodes become seen.
function openBelow(graph, group, id, most) {
    group.children.forEach((child, place) => {
        if (typeof child === 'object' && open.size < most) {
            open.add(`${id}/${place}`);
            openBelow(graph, child, `${id}/${place}`, most);
        } else if (typeof child === 'number')
            for (const number of model.nodes[child].inner)
                if (open.size < most && !new RegExp(`>${number}(?![0-9])`).test(id)) { // a function that calls itself is not valid, but may be there
                    open.add(`${id}:${child}`);
                    openBelow(model.graphs[number], model.graphs[number].root, `${id}:${child}>${number}`, most);
                }
    });
}

function startOpen() {
    open = new Set();
    const main = model.graphs[0];
    if (allOf(main.root).length <= FEW)
        return openBelow(main, main.root, 'r', 200);
    // A model that is one group in another shows nothing: open until there are several.
    for (let at = main.root, id = 'r'; at.children.length <= 3;) {
        const place = at.children.findIndex((child) => typeof child === 'object');
        if (place < 0)
            break;
        id = `${id}/${place}`;
        open.add(id);
        at = at.children[place];
    }
    return undefined;
}

async function load(file) {
    given = file;
    plans = new Map();
    own = model = modelOf(await opshift.graph(file));
    startOpen();
    return scene();
}

function toggle(id) {
    if (open.has(id))
        for (const each of [...open]) {
            if (each === id || each.startsWith(`${id}/`) || each.startsWith(`${id}:`) || each.startsWith(`${id}>`))
                open.delete(each);
        }
    else
        open.add(id);
    return scene();
}

function openAll() {
    openBelow(model.graphs[0], model.graphs[0].root, 'r', 4000);
    return scene();
}

function closeAll() {
    open = new Set();
    return scene();
}

// The id of a node in the picture; opens what holds it. Of several calls of a function, the first.
function idOf(index, opening) {
    const node = model.nodes[index], graph = model.graphs[node.graph];
    let id = 'r';
    if (graph.kind === 'function') {
        const caller = model.nodes.find((each) => each.inner.includes(graph.index));
        if (caller === undefined)
            return undefined;
        id = `${idOf(caller.index, opening)}`;
        opening.add(id);
        id += `>${graph.index}`;
    } else if (graph.ownerNode !== undefined) {
        id = idOf(graph.ownerNode, opening);
        if (id === undefined)
            return undefined;
        opening.add(id);
        id += `>${graph.index}`;
    } else if (graph.index !== 0)
        return undefined;
    let at = graph.root;
    for (const group of groupsOf(graph, index)) {
        id += `/${at.children.indexOf(group)}`;
        opening.add(id);
        at = group;
    }
    return `${id}:${index}`;
}

// Shows a node: {scene, id}. A constant is shown where it is read.
function reveal(index) {
    const node = model.nodes[index], graph = model.graphs[node.graph];
    const shown = graph.constants.get(node.outputs[0]) === index ? graph.readers.get(node.outputs[0])?.[0] ?? index : index;
    const opening = new Set(), id = idOf(shown, opening);
    const before = open.size;
    for (const each of opening)
        open.add(each);
    return { id, node: shown, scene: open.size > before ? scene() : undefined };
}

function indexOf(place) {
    model.places ??= new Map([...model.nodes.filter((node) => node.before).map((node) => [node.before, node.index]), ...model.nodes.map((node) => [node.node, node.index])]);
    return model.places.get(place);
}

const indexesOf = (places) => places.map(indexOf);

function revealPlace(place) {
    const found = indexOf(place);
    return found === undefined ? undefined : reveal(found);
}

// What a search finds a node by: also the weights that it reads.
const textOf = (node) => [node.operator, node.name, ...node.outputs, ...node.inputs.filter((name) => model.graphs[node.graph].weights.has(name))].join(' ').toLowerCase();

function search(sought) {
    const words = sought.toLowerCase().split(/\s+/).filter(Boolean), found = [];
    let count = 0;
    for (const node of words.length ? model.nodes : []) {
        node.text ??= textOf(node);
        if (words.every((word) => node.text.includes(word)) && ++count <= FOUND)
            found.push({ node: node.index, title: node.operator, name: node.name || node.outputs[0] || '' });
    }
    return { count, found };
}

// ---- one node ----

function maker(graph, name) {
    const own = graph.makers.get(name);
    return own !== undefined || graph.parent === undefined ? own : maker(model.graphs[graph.parent], name);
}

function weightOf(graph, name) {
    return graph.weights.get(name) ?? (graph.parent === undefined ? undefined : weightOf(model.graphs[graph.parent], name));
}

const brief = (index) => ({ node: index, text: `${model.nodes[index].operator} ${model.nodes[index].name || model.nodes[index].outputs[0] || ''}` });

function detail(index) {
    const node = model.nodes[index], graph = model.graphs[node.graph], schema = model.operators.get(keyOf(node.domain, node.operator));
    const label = (list, place) => list?.[Math.min(place, list.length - 1)] ?? '';
    const attributes = (node.attributes ?? []).map((text) => ({ text, given: true }));
    const names = new Set((node.attributes ?? []).map((text) => text.split(/[ :=]/)[0]));
    for (const text of schema?.defaults ?? [])
        if (!names.has(text.split(' ')[0]))
            attributes.push({ text, given: false });
    return {
        index, place: node.node, before: node.before, name: node.name, operator: node.operator, domain: node.domain, since: schema?.since, attributes,
        mark: model.marks?.get(index), inner: node.inner.length > 0,
        inputs: node.inputs.map((name, place) => {
            const made = name ? maker(graph, name) : undefined, weight = name ? weightOf(graph, name) : undefined;
            return { label: label(schema?.inputs, place), name, type: name ? typeOf(model, graph, name) : '', maker: made === undefined ? undefined : brief(made),
                constant: made !== undefined && graph.constants.get(name) === made ? model.nodes[made].attributes?.[0] : undefined,
                weight: weight && { bytes: weight[2], external: weight[3], from: weight[4], size: weight[5] } };
        }),
        outputs: node.outputs.map((name, place) => ({ label: label(schema?.outputs, place), name, type: node.types[place] ?? '',
            isResult: graph.results.has(name), readers: (graph.readers.get(name) ?? []).slice(0, 50).map(brief), readerCount: (graph.readers.get(name) ?? []).length })),
        was: node.was,
    };
}

// The way from a node up to what makes its first input, or down to what first reads its outputs.
function step(index, up) {
    const node = model.nodes[index], graph = model.graphs[node.graph];
    const names = up ? node.inputs : node.outputs;
    for (const name of names) {
        const next = up ? graph.constants.has(name) ? undefined : maker(graph, name) : graph.readers.get(name)?.[0];
        if (next !== undefined)
            return next;
    }
    return undefined;
}

// "y = Conv <kernel_shape = [3, 3]> (x, w)": the node in ONNX's textual syntax, large attributes left out.
function nodeText(index) {
    const node = model.nodes[index];
    const quote = (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === '' ? name : JSON.stringify(name);
    const attributes = node.attributes?.length ? ` <${node.attributes.join(', ')}>` : '';
    return `${node.outputs.map(quote).join(', ')} = ${node.domain ? `${node.domain}.` : ''}${node.operator}${attributes} (${node.inputs.map(quote).join(', ')})`;
}

// What each opset makes of a node: told as it comes, {opset, becomes} or {opset, blocked}. Plans are kept for the next node.
async function planFor(opset, options) {
    if (!plans.has(opset)) {
        let report;
        try {
            ({ report } = await opshift.convert(given, { ...options, opset: [String(opset)] }));
        } catch (error) {
            ({ report } = error);
        }
        const made = new Map();
        for (const each of report?.convert?.rewritten ?? [])
            made.set(each.node, { becomes: each.becomes ?? '', replaced: each.replaced });
        for (const each of report?.convert?.blockers ?? [])
            made.set(each.node, { blocked: each.why });
        plans.set(opset, made);
    }
    return plans.get(opset);
}

async function atOpset(index, opset, options = {}) {
    return (await planFor(opset, options)).get(model.nodes[index].node);
}

// ---- a second model ----

// other: a model; or a conversion of the first. marks: [[place in the first, kind, note], ...], by what is known of nodes.
async function pair(other, known = []) {
    model = pairModels(own, modelOf(await opshift.graph(other)), known);
    const counts = {};
    for (const { kind } of model.marks.values())
        counts[kind] = (counts[kind] ?? 0) + 1;
    startOpen();
    return { scene: scene(), counts };
}

function unpair() {
    model = own;
    startOpen();
    return scene();
}

// Marked nodes in the order of the graph, from this one on: the next.
function nextMark(index, back) {
    const marked = [...model.marks?.keys() ?? []].sort((a, b) => a - b);
    return back ? marked.findLast((each) => each < index) ?? marked.at(-1) : marked.find((each) => each > index) ?? marked[0];
}

// A piece by itself; undefined: too many nodes.
function piece(nodes) {
    const alone = pieceModel(nodes);
    return alone && layModel(alone, new Set());
}

const statistics = (from, size) => tensorStatistics(given, from, size);
const start = () => true;
const calls = { start, load, toggle, openAll, closeAll, reveal, revealPlace, indexesOf, search, detail, step, nodeText, atOpset, pair, unpair, nextMark, piece, statistics };

// Calls wait for a model that is being read.
let ready = Promise.resolve();
self.onmessage = async ({ data: { id, name, args } }) => {
    try {
        if (name === 'load' || name === 'pair')
            ready = ready.catch(() => {}).then(() => calls[name](...args));
        const value = name === 'load' || name === 'pair' ? ready : name === 'piece' ? calls.piece(...args) : ready.then(() => calls[name](...args));
        self.postMessage({ id, value: await value });
    } catch (error) {
        self.postMessage({ id, failure: { message: error.message, status: error.status } });
    }
};
