// A model as a tree: each graph's nodes in groups by the scopes of their names. What crosses the edge of a group.
const MOST = 120; // items of one group; more become parts, so that each layout stays fast
const PART = 60; // items of a part
const EMPTY = [];

// Is its value shown inside the nodes that read it? A Constant, and another name of a weight.
const isConstant = (node, graph) => !node.domain && node.outputs.length === 1 && !graph.results.has(node.outputs[0]) &&
    (node.operator === 'Constant' || node.operator === 'Identity' && (graph.weights.has(node.inputs[0]) || graph.constants.has(node.inputs[0])));

export const keyOf = (domain, name) => `${domain === 'ai.onnx' ? '' : domain ?? ''}:${name}`;

// "/features/features.1/conv/Conv": ["features", "features.1", "conv"]
function scopeOf(name) {
    const parts = name.split('/').filter(Boolean);
    return parts.slice(0, -1);
}

function groupNew(name, parent) {
    return { name, parent, children: [], byName: new Map(), level: undefined, all: undefined };
}

// A group that holds one thing only becomes that thing; a chain of groups becomes one.
function simplify(group, isRoot) {
    group.children = group.children.map((child) => typeof child === 'number' ? child : simplify(child, false));
    if (!isRoot && group.children.length === 1) {
        const [only] = group.children;
        if (typeof only === 'object')
            only.name = `${group.name}/${only.name}`;
        return only;
    }
    return group;
}

function labelOf(child, nodes) {
    return typeof child === 'number' ? nodes[child].name.split('/').pop() || nodes[child].operator : child.name;
}

// Parts of what follows each other, until no group has too many items.
function cut(group, nodes) {
    for (const child of group.children)
        if (typeof child === 'object')
            cut(child, nodes);
    while (group.children.length > MOST) {
        const count = Math.ceil(group.children.length / PART), size = Math.ceil(group.children.length / count);
        const parts = [];
        for (let from = 0; from < group.children.length; from += size) {
            const part = groupNew('', group);
            part.children = group.children.slice(from, from + size);
            const [first] = part.children;
            const last = part.children.at(-1);
            part.ends = [first.ends?.[0] ?? labelOf(first, nodes), last.ends?.[1] ?? labelOf(last, nodes)];
            part.name = part.ends.join(' … ');
            parts.push(part);
        }
        group.children = parts;
    }
}

function adopt(group) {
    for (const child of group.children)
        if (typeof child === 'object') {
            child.parent = group;
            adopt(child);
        }
}

function treeOf(graph, nodes) {
    const root = groupNew('', undefined);
    for (const index of graph.nodes) {
        if (graph.constants.get(nodes[index].outputs[0]) === index)
            continue;
        let at = root;
        for (const part of scopeOf(nodes[index].name)) {
            let next = at.byName.get(part);
            if (next === undefined) {
                next = groupNew(part, at);
                at.byName.set(part, next);
                at.children.push(next);
            }
            at = next;
        }
        at.children.push(index);
    }
    simplify(root, true);
    cut(root, nodes);
    adopt(root);
    return root;
}

// The nodes in a group and below.
export function allOf(group) {
    group.all ??= group.children.flatMap((child) => typeof child === 'number' ? [child] : allOf(child));
    return group.all;
}

// told: what 'opshift show --graph' gives. Adds what a picture needs; nodes are known by their index.
export function modelOf(told) {
    const { nodes, graphs } = told;
    const functions = new Map(), operators = new Map(told.operators.map((each) => [keyOf(each.domain, each.operator), each]));
    graphs.forEach((graph, index) => {
        Object.assign(graph, { index, nodes: [], makers: new Map(), readers: new Map(), constants: new Map(),
            weights: new Map(graph.initializers.map((each) => [each[0], each])), results: new Set(graph.outputs.map(([name]) => name)) });
        if (graph.kind === 'function')
            functions.set(keyOf(graph.domain, graph.name), index);
    });
    nodes.forEach((node, index) => {
        const graph = graphs[node.graph];
        Object.assign(node, { index, inner: EMPTY });
        graph.nodes.push(index);
        for (const name of node.outputs)
            if (name)
                graph.makers.set(name, index);
        if (isConstant(node, graph))
            graph.constants.set(node.outputs[0], index);
    });
    for (const graph of graphs)
        if (graph.parent !== undefined) {
            const owner = nodes[graphs[graph.parent].nodes[graph.owner]];
            graph.ownerNode = owner.index;
            owner.inner = [...owner.inner, graph.index];
        }
    for (const node of nodes)
        if (functions.has(keyOf(node.domain, node.operator)))
            node.inner = [...node.inner, functions.get(keyOf(node.domain, node.operator))];
    // Inner graphs come after outer ones: what they take from outside is read by the node that holds them.
    for (const graph of [...graphs].reverse()) {
        const outside = new Set();
        for (const index of graph.nodes) {
            const node = nodes[index];
            node.reads = [...new Set([...node.inputs, ...node.taken ?? EMPTY])].filter(Boolean);
            for (const name of node.reads) {
                if (!graph.readers.has(name))
                    graph.readers.set(name, []);
                graph.readers.get(name).push(index);
                if (!graph.makers.has(name) && !graph.weights.has(name) && !graph.inputs.some(([input]) => input === name))
                    outside.add(name);
            }
        }
        for (const name of graph.results)
            if (!graph.makers.has(name) && !graph.weights.has(name))
                outside.add(name);
        if (graph.ownerNode !== undefined)
            nodes[graph.ownerNode].taken = [...nodes[graph.ownerNode].taken ?? EMPTY, ...outside];
    }
    for (const graph of graphs)
        graph.root = treeOf(graph, nodes);
    return { nodes, graphs, functions, operators, types: new Map() };
}

// The text of a value's type, "float[N,3]"; '' where it is not known.
export function typeOf(model, graph, name) {
    const maker = graph.makers.get(name);
    if (maker !== undefined)
        return model.nodes[maker].types[model.nodes[maker].outputs.indexOf(name)] ?? '';
    const found = graph.weights.get(name) ?? graph.inputs.find(([input]) => input === name) ?? graph.outputs.find(([output]) => output === name);
    if (found)
        return found[1];
    return graph.parent === undefined ? '' : typeOf(model, model.graphs[graph.parent], name);
}

// Of a group: edges between its children, [{from, to, values}] by their places; entries: value: the children that read it from
// outside; exits: value: the child that makes it for outside.
export function levelOf(model, graph, group) {
    if (group.level)
        return group.level;
    const maker = new Map(), inside = new Set(allOf(group)), edges = new Map(), entries = new Map(), exits = new Map();
    const below = group.children.map((child) => typeof child === 'number' ? [child] : allOf(child));
    below.forEach((list, place) => list.forEach((index) => {
        for (const name of model.nodes[index].outputs)
            if (name)
                maker.set(name, place);
    }));
    below.forEach((list, place) => list.forEach((index) => {
        for (const name of model.nodes[index].reads) {
            const from = maker.get(name);
            if (from === place || graph.weights.has(name) || graph.constants.has(name))
                continue;
            if (from === undefined) {
                entries.set(name, (entries.get(name) ?? new Set()).add(place));
                continue;
            }
            const key = `${from} ${place}`;
            if (!edges.has(key))
                edges.set(key, { from, to: place, values: new Set() });
            edges.get(key).values.add(name);
        }
    }));
    for (const [name, place] of maker)
        if (graph.results.has(name) || graph.readers.get(name)?.some((index) => !inside.has(index)))
            exits.set(name, place);
    group.level = { edges: [...edges.values()].map((each) => ({ ...each, values: [...each.values] })), entries, exits };
    return group.level;
}

// The groups from the root of its graph down to a node.
export function groupsOf(graph, index) {
    const found = [];
    for (let at = graph.root; ;) {
        const next = at.children.find((child) => child === index || typeof child === 'object' && allOf(child).includes(index));
        if (typeof next !== 'object')
            return found;
        found.push(next);
        at = next;
    }
}
