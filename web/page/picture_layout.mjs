// Places the items of a picture with dagre, group by group: an open group is laid out by itself and becomes one box of the
// group around it. Values that enter or leave it cross its border at ports.
import dagre from './dagre.mjs';
import { allOf, keyOf, levelOf, typeOf } from './picture_tree.mjs';

const LETTER = 6.7, SMALL = 6.1, LINE = 15, TITLE = 24, PAD = 14, LINES = 4, NAME = 30, VALUE = 40;
const RANK = { proved: 1, 'by rule': 1, moved: 1, changed: 2, tested: 2, rounding: 2, assumed: 2, added: 3, removed: 3, 'not shown': 4, differs: 5 };

const FAMILIES = {
    layer: /^(Conv|ConvTranspose|ConvInteger|QLinearConv|DeformConv|MatMul|Gemm|QLinearMatMul|MatMulInteger|LSTM|GRU|RNN|Attention|Einsum|FusedConv|FusedGemm|FusedMatMul)$/,
    activation: /^(Relu|LeakyRelu|PRelu|Elu|Selu|Celu|Gelu|Sigmoid|HardSigmoid|HardSwish|Mish|Swish|Softmax|LogSoftmax|Hardmax|Softplus|Softsign|Tanh|Clip|ThresholdedRelu|Erf|QuickGelu)$/,
    norm: /Norm|^LRN$|^Dropout$/,
    pool: /Pool|^Reduce|^ArgM|^TopK$|^CumSum$|^MaxRoi|^RoiAlign/,
    shape: /^(Reshape|Transpose|Flatten|Squeeze|Unsqueeze|Concat|Split|Slice|Gather|GatherND|GatherElements|Scatter.*|Shape|Size|Expand|Tile|Pad|Resize|Upsample|DepthToSpace|SpaceToDepth|Identity|Cast|CastLike|Sequence.*|Split.*|Concat.*|Compress|ReverseSequence|Trilu|Unique|NonZero|OneHot|Range)$/,
    quant: /Quantize/,
    control: /^(If|Loop|Scan|SequenceMap)$/,
    data: /^(Constant|ConstantOfShape|Random.*|EyeLike|Bernoulli)$/,
};

export function familyOf(node) {
    if (node.domain && node.domain !== 'ai.onnx')
        return 'custom';
    return Object.keys(FAMILIES).find((name) => FAMILIES[name].test(node.operator)) ?? 'math';
}

// A long name without its middle: the end tells names apart.
export function cutMiddle(text, most) {
    const letters = [...text];
    if (letters.length <= most)
        return text;
    const end = Math.ceil((most - 1) * .6);
    return `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(-end).join('')}`;
}

// "float[N,3]": "float N×3"
export function shortType(text) {
    const [, type, dims] = /^(\w+)\[(.*)\]$/.exec(text) ?? [];
    return type === undefined ? text : dims ? `${type} ${dims.replaceAll(',', '×')}` : `${type} ?`;
}

// ---- what a box shows ----

// "value = int64[1] {5}": "5"
function constantText(node) {
    if (node.operator === 'Identity')
        return shortType(node.types[0]);
    const text = node.attributes?.[0] ?? '';
    const braces = /\{(.*)\}$/s.exec(text);
    const value = braces ? braces[1] : text.replace(/^[^=]*= /, '');
    return value === '...' ? shortType(node.types[0]) : cutMiddle(value, 24);
}

// Inputs that are weights or constants, by the name of the parameter.
function heldInputs(model, graph, node) {
    const parameters = model.operators.get(keyOf(node.domain, node.operator))?.inputs ?? [];
    return node.inputs.flatMap((name, place) => {
        const label = parameters[Math.min(place, parameters.length - 1)] ?? `${place}`;
        if (graph.weights.has(name))
            return [`${label} ${shortType(graph.weights.get(name)[1])}`];
        return graph.constants.has(name) ? [`${label} = ${constantText(model.nodes[graph.constants.get(name)])}`] : [];
    });
}

function linesOf(model, graph, node) {
    const attributes = (node.attributes ?? []).filter((text) => !text.endsWith('= ...') || !node.inner.length);
    const lines = [...attributes, ...heldInputs(model, graph, node)].map((text) => cutMiddle(text, VALUE));
    return lines.length > LINES ? [...lines.slice(0, LINES - 1), `${lines.length - LINES + 1} more`] : lines;
}

function nodeItem(model, graph, index) {
    const node = model.nodes[index], mark = model.marks?.get(index);
    const name = cutMiddle(node.name.split('/').pop() || node.outputs[0] || '', NAME);
    const lines = [...(name === node.operator ? [] : [name]), ...linesOf(model, graph, node), ...(mark?.note ? [cutMiddle(mark.note, VALUE)] : [])];
    const title = node.domain && node.domain !== 'ai.onnx' ? `${node.domain}.${node.operator}` : node.operator;
    const width = Math.max(title.length * LETTER * 1.12 + (node.inner.length ? 18 : 0), ...lines.map((each) => [...each].length * SMALL)) + 20;
    return { kind: 'node', node: index, title, lines, family: familyOf(node), inner: node.inner.length > 0, mark: mark?.kind,
        w: Math.max(70, width), h: TITLE + lines.length * LINE + (lines.length ? 6 : 2) };
}

// The gravest mark inside, and how many.
function markOf(model, group) {
    let kind, count = 0;
    for (const index of model.marks?.size ? allOf(group) : []) {
        const mark = model.marks.get(index);
        if (mark === undefined)
            continue;
        count++;
        if (kind === undefined || RANK[mark.kind] > RANK[kind])
            kind = mark.kind;
    }
    return { mark: kind, marked: count };
}

function groupItem(model, group) {
    const all = allOf(group), counts = new Map();
    for (const index of all)
        counts.set(model.nodes[index].operator, (counts.get(model.nodes[index].operator) ?? 0) + 1);
    const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([name, many]) => many > 1 ? `${many} ${name}` : name);
    const { mark, marked } = markOf(model, group);
    const lines = [`${all.length.toLocaleString('en')} nodes${marked ? `, ${marked.toLocaleString('en')} marked` : ''}`,
        cutMiddle(most.join(', ') + (counts.size > 3 ? ' …' : ''), VALUE)];
    const title = cutMiddle(group.name, NAME + 6);
    return { kind: 'group', title, lines, inner: true, mark, group,
        w: Math.max([...title].length * LETTER * 1.12 + 18, ...lines.map((each) => [...each].length * SMALL)) + 22, h: TITLE + 2 * LINE + 8 };
}

function valueItem(kind, name, type) {
    const title = cutMiddle(name, NAME), line = shortType(type);
    return { kind, value: name, title, lines: line ? [line] : [], w: Math.max([...title].length * LETTER, line.length * SMALL) + 26, h: line ? 36 : 24 };
}

// ---- one level ----

function placeAll(items, edges) {
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ ranksep: 34, nodesep: 22, edgesep: 12, ranker: items.length > 60 ? 'tight-tree' : 'network-simplex' });
    items.forEach((item, at) => graph.setNode(String(at), { width: item.w, height: item.h }));
    edges.forEach((edge, at) => graph.setEdge(String(edge.from), String(edge.to),
        { width: edge.label ? edge.label.length * SMALL : 0, height: edge.label ? 14 : 0, labelpos: 'c', weight: edge.weight ?? 1, minlen: 1 }, String(at)));
    // Nodes that must stay at the top or the bottom hang on one that is not drawn.
    dagre.layout(graph);
    items.forEach((item, at) => {
        const { x, y } = graph.node(String(at));
        item.x = x - item.w / 2;
        item.y = y - item.h / 2;
    });
    edges.forEach((edge, at) => {
        const { points, x, y } = graph.edge(String(edge.from), String(edge.to), String(at));
        edge.points = points.map((point) => [point.x, point.y]);
        [edge.lx, edge.ly] = [x ?? points[1].x, y ?? points[1].y];
    });
    straighten(items, edges);
}

// Edges end at the top of a box and begin at the bottom of one; beside a taller box they run straight until they are past it.
function straighten(items, edges) {
    const rows = new Map();
    for (const item of items) {
        const key = Math.round(item.y + item.h / 2), row = rows.get(key) ?? { top: Infinity, bottom: -Infinity };
        rows.set(key, { top: Math.min(row.top, item.y), bottom: Math.max(row.bottom, item.y + item.h) });
    }
    const rowOf = (item) => rows.get(Math.round(item.y + item.h / 2));
    const within = (item, x) => item.w < 20 ? item.x + item.w / 2 : Math.min(item.x + item.w - 8, Math.max(item.x + 8, item.x + item.w / 2 + (x - item.x - item.w / 2) * (item.w > 300 ? 1 : .4)));
    for (const edge of edges) {
        const from = items[edge.from], to = items[edge.to], inner = edge.points.slice(1, -1);
        if (from.y + from.h > to.y || inner.length === 0)
            continue; // it leads up
        const x1 = within(from, inner[0][0]), x2 = within(to, inner.at(-1)[0]), bottom = rowOf(from).bottom, top = rowOf(to).top;
        edge.points = [[x1, from.y + from.h], ...(bottom > from.y + from.h + 6 ? [[x1, bottom + 2]] : []), ...inner,
            ...(top < to.y - 6 ? [[x2, top - 2]] : []), [x2, to.y]];
    }
}

function labelOf(model, graph, values) {
    const text = shortType(typeOf(model, graph, values[0]));
    return values.length > 1 ? `${text ? `${text}, ` : ''}${values.length} values` : text;
}

// A group, or a whole graph where it is the root: its own items and edges, relative to its corner.
function layGroup(model, graph, group, id, open) {
    const { edges: inner, entries, exits } = levelOf(model, graph, group);
    const isRoot = group === graph.root;
    const items = group.children.map((child, place) => typeof child === 'number' ?
        layNode(model, graph, child, `${id}:${child}`, open) : layChild(model, graph, child, `${id}/${place}`, open));
    const edges = inner.map(({ from, to, values }) => ({ from, to, values, label: labelOf(model, graph, values) }));
    const inputs = new Map(graph.inputs), ports = new Map(), outs = new Map();
    let ceiling, floor;
    const border = (name, type, side) => {
        const isValue = isRoot;
        const item = isValue ? { ...valueItem(side === 'in' ? inputs.has(name) ? 'input' : 'outer' : 'output', name, type), id: `${id}=${side}${name}` } :
            { kind: 'port', value: name, side, w: 6, h: 6, id: `${id}.${side}${name}` };
        return items.push(item) - 1;
    };
    const hold = () => items.push({ kind: 'none', w: 1, h: 1 }) - 1;
    if (isRoot)
        for (const [name, type] of graph.inputs)
            if (!graph.weights.has(name) && !entries.has(name))
                border(name, type, 'in');
    for (const [name, readers] of entries) {
        const at = border(name, typeOf(model, graph, name), 'in');
        ports.set(name, at);
        if (!isRoot)
            edges.push({ from: ceiling ??= hold(), to: at, weight: 50, values: [], hidden: true });
        for (const to of readers)
            edges.push({ from: at, to, values: [name], label: isRoot ? labelOf(model, graph, [name]) : '' });
    }
    for (const [name, from] of exits) {
        const at = border(name, typeOf(model, graph, name), 'out');
        outs.set(name, at);
        edges.push({ from, to: at, values: [name], label: '' });
        if (!isRoot)
            edges.push({ from: at, to: floor ??= hold(), weight: 50, values: [], hidden: true });
    }
    if (isRoot)
        for (const [name, type] of graph.outputs)
            if (!exits.has(name)) {
                const at = border(name, type, 'out');
                if (ports.has(name))
                    edges.push({ from: ports.get(name), to: at, values: [name], label: '' });
            }
    placeAll(items, edges);
    return pack(items, edges, ports, outs);
}

// Moves all to a corner; replaces the ends of edges at open boxes by their ports.
function pack(items, edges, ports, outs) {
    const seen = items.filter((item) => item.kind !== 'none');
    const points = edges.filter((edge) => !edge.hidden).flatMap((edge) => edge.points);
    const left = Math.min(0, ...seen.map((item) => item.x), ...points.map(([x]) => x)), top = Math.min(...seen.map((item) => item.y), 1e9);
    const right = Math.max(1, ...seen.map((item) => item.x + item.w), ...points.map(([x]) => x), ...edges.filter((edge) => edge.label).map((edge) => edge.lx + edge.label.length * SMALL / 2));
    const bottom = Math.max(1, ...seen.map((item) => item.y + item.h));
    const dx = PAD - left, dy = PAD - (top === 1e9 ? 0 : top);
    for (const item of items) {
        item.x += dx;
        item.y += dy;
    }
    const flat = { items: [], edges: [], w: right - left + 2 * PAD, h: bottom - (top === 1e9 ? 0 : top) + 2 * PAD, ports: new Map(), outs: new Map() };
    for (const item of seen)
        place(flat, item);
    for (const edge of edges) {
        if (edge.hidden)
            continue;
        const [from, to] = [items[edge.from], items[edge.to]];
        const moved = edge.points.map(([x, y]) => [x + dx, y + dy]);
        const many = from.outs || to.ports ? edge.values : edge.values.slice(0, 1);
        many.forEach((name, at) => {
            const path = [...moved], out = from.outs?.get(name), port = to.ports?.get(name);
            if (out !== undefined)
                path[0] = [from.x + out, from.y + from.h];
            if (port !== undefined)
                path[path.length - 1] = [to.x + port, to.y];
            flat.edges.push({ points: path, from: from.id, to: to.id, values: many.length > 1 ? [name] : edge.values,
                label: at === 0 ? edge.label : '', lx: edge.lx + dx, ly: edge.ly + dy });
        });
    }
    for (const [name, at] of ports)
        flat.ports.set(name, items[at].x + items[at].w / 2);
    for (const [name, at] of outs)
        flat.outs.set(name, items[at].x + items[at].w / 2);
    return flat;
}

// Adds an item, and what is open in it, to a flat list.
function place(flat, item) {
    const { content, ...own } = item;
    delete own.group;
    delete own.ports;
    delete own.outs;
    flat.items.push(own);
    if (content === undefined)
        return;
    for (const part of content) {
        const dx = item.x + part.x, dy = item.y + part.y;
        flat.items.push(...part.items.map((each) => ({ ...each, x: each.x + dx, y: each.y + dy })));
        flat.edges.push(...part.edges.map((each) => ({ ...each, lx: each.lx + dx, ly: each.ly + dy, points: each.points.map(([x, y]) => [x + dx, y + dy]) })));
    }
}

function layChild(model, graph, group, id, open) {
    const item = { ...groupItem(model, group), id };
    if (!open.has(id))
        return item;
    const { ports, outs, ...part } = layGroup(model, graph, group, id, open);
    const edge = (list) => new Map([...list]);
    // Lines of ports go through the title to the border.
    part.edges.push(...part.items.filter((each) => each.kind === 'port' && each.id.startsWith(`${id}.`)).map((each) => ({
        points: each.side === 'in' ? [[each.x + 3, -TITLE], [each.x + 3, each.y + 3]] : [[each.x + 3, each.y + 3], [each.x + 3, part.h]],
        from: each.id, to: each.id, values: [each.value], label: '', lx: 0, ly: 0, straight: true })));
    const w = Math.max(item.w, part.w);
    return { ...item, open: true, w, h: part.h + TITLE, content: [{ ...part, x: 0, y: TITLE }], ports: edge(ports), outs: edge(outs) };
}

function layNode(model, graph, index, id, open) {
    const item = { ...nodeItem(model, graph, index), id };
    if (!item.inner || !open.has(id))
        return item;
    const content = [];
    let x = PAD, tallest = 0;
    for (const number of model.nodes[index].inner) {
        const part = layGroup(model, model.graphs[number], model.graphs[number].root, `${id}>${number}`, open);
        const { attribute, name } = model.graphs[number];
        part.items.unshift({ kind: 'graph', id: `${id}>${number}`, title: attribute ?? name, lines: [], x: 0, y: 0, w: part.w, h: part.h });
        content.push({ ...part, x, y: TITLE + 16 });
        x += part.w + PAD;
        tallest = Math.max(tallest, part.h);
    }
    return { ...item, open: true, lines: [], w: Math.max(item.w, x), h: tallest + TITLE + PAD + 16, content };
}

// The picture of the main graph with these ids open: {items, edges, w, h}, all at their places.
export function layModel(model, open) {
    const main = model.graphs[0];
    const { items, edges, w, h } = layGroup(model, main, main.root, 'r', open);
    return { items, edges, w, h };
}
