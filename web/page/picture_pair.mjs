// Two models as one: nodes of both, each marked as added, removed, changed or moved, or by what a certificate tells of it.
import { modelOf } from './picture_tree.mjs';

const BEFORE = 'before: '; // names of values that only the first model's nodes read

// A graph is known by where it is: its name alone may differ.
function graphKeys(model) {
    const keys = new Map();
    for (const graph of model.graphs) {
        const owner = graph.ownerNode === undefined ? '' : `${keys.get(graph.parent)}|${model.nodes[graph.ownerNode].name || model.nodes[graph.ownerNode].outputs[0]}`;
        keys.set(graph.index, `${owner}|${graph.kind === 'function' ? `${graph.domain}.${graph.name}` : graph.attribute ?? ''}`);
    }
    return keys;
}

const signature = (node) => `${node.domain ?? ''}.${node.operator}`;

// Pairs by name, where it is given once on both sides, else by the first output that is there.
function pairs(before, after) {
    const found = new Map(), free = new Set(after);
    const pairBy = (keyOf) => {
        const left = new Map(), right = new Map();
        const add = (map, node) => {
            const key = keyOf(node);
            if (key)
                map.set(key, map.has(key) ? undefined : node);
        };
        before.filter((node) => !found.has(node)).forEach((node) => add(left, node));
        free.forEach((node) => add(right, node));
        for (const [key, node] of left)
            if (node && right.get(key)) {
                found.set(node, right.get(key));
                free.delete(right.get(key));
            }
    };
    pairBy((node) => node.name && `${signature(node)} ${node.name}`);
    const made = (node) => node.outputs.find(Boolean); // the first may be absent
    pairBy((node) => made(node) && `${signature(node)} ${made(node)}`);
    pairBy(made);
    return { found, added: free };
}

function changes(before, after) {
    const list = [];
    if (signature(before) !== signature(after))
        list.push(`operator ${before.operator} → ${after.operator}`);
    const named = (node) => new Map((node.attributes ?? []).map((text) => [text.split(/[ :=]/)[0], text]));
    const [left, right] = [named(before), named(after)];
    for (const [name, text] of right)
        if (!left.has(name))
            list.push(`+ ${text}`);
        else if (left.get(name) !== text)
            list.push(`${left.get(name)} → ${text.replace(/^[^=]*= /, '')}`);
    for (const [name, text] of left)
        if (!right.has(name))
            list.push(`− ${text}`);
    if (before.inputs.join('\0') !== after.inputs.join('\0'))
        list.push(`inputs (${before.inputs.join(', ')}) → (${after.inputs.join(', ')})`);
    if (before.outputs.join('\0') !== after.outputs.join('\0'))
        list.push(`outputs (${before.outputs.join(', ')}) → (${after.outputs.join(', ')})`);
    return list;
}

// Which of the kept nodes stand in another order: all that are not in the longest run that rises.
function movedOf(places) {
    const ends = [], last = [], previous = [];
    places.forEach((place, at) => {
        let low = 0, high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (ends[middle] < place)
                low = middle + 1;
            else
                high = middle;
        }
        ends[low] = place;
        last[low] = at;
        previous[at] = low > 0 ? last[low - 1] : -1;
    });
    const kept = new Set();
    for (let at = last.at(-1) ?? -1; at >= 0; at = previous[at])
        kept.add(at);
    return places.map((_, at) => at).filter((at) => !kept.has(at));
}

// A weight whose type or bytes differ is told at the nodes that read it.
function weightChanges(before, after) {
    const found = new Map();
    for (const [name, weight] of after.weights) {
        const old = before.weights.get(name);
        if (old && (old[1] !== weight[1] || old[2] !== weight[2]))
            found.set(name, `weight ${name}: ${old[1]} → ${weight[1]}`);
    }
    return found;
}

// known: [[the node's place in the first model, kind, note], ...]; its verdicts stand for changes.
export function pairModels(first, second, known) {
    const told = { graphs: second.graphs.map(({ kind, name, domain, parent, owner, attribute, inputs, outputs, initializers }) =>
        ({ kind, name, domain, parent, owner, attribute, inputs, outputs, initializers: [...initializers] })), nodes: [], operators: [...new Map([...first.operators, ...second.operators]).values()] };
    const marks = [], verdicts = new Map(known.map(([place, kind, note]) => [place, { kind, note }]));
    const [firstKeys, secondKeys] = [graphKeys(first), graphKeys(second)];
    const before = new Map([...firstKeys].map(([index, key]) => [key, first.graphs[index]]));
    const copy = ({ graph, node, name, operator, domain, inputs, outputs, attributes, types }) => ({ graph, node, name, operator, domain, inputs, outputs, attributes, types });
    for (const graph of second.graphs) {
        const old = before.get(secondKeys.get(graph.index));
        const nodes = graph.nodes.map((index) => second.nodes[index]);
        const olds = old ? old.nodes.map((index) => first.nodes[index]) : [];
        const { found, added } = pairs(olds, nodes);
        const changedWeights = old ? weightChanges(old, graph) : new Map();
        const oldOf = new Map([...found].map(([left, right]) => [right, left]));
        const made = new Set(nodes.flatMap((node) => node.outputs));
        const placeOf = new Map(olds.map((node, at) => [node, at]));
        const kept = nodes.filter((node) => oldOf.has(node));
        const moved = new Set(movedOf(kept.map((node) => placeOf.get(oldOf.get(node)))).map((at) => kept[at]));
        // What a removed node made has another name, if the new model makes it otherwise.
        const renamed = new Map(), judged = new Map(); // judged: what a rewritten node made
        const removed = olds.filter((node) => !found.has(node));
        for (const node of removed)
            for (const name of node.outputs) {
                if (made.has(name))
                    renamed.set(name, BEFORE + name);
                if (name && verdicts.has(node.node))
                    judged.set(name, verdicts.get(node.node));
            }
        const pending = new Map(); // removed nodes after the kept one before them
        let after;
        for (const node of olds)
            if (found.has(node))
                after = found.get(node);
            else
                pending.set(after, [...pending.get(after) ?? [], node]);
        const put = (node, mark, extra = {}) => {
            if (mark)
                marks.push([told.nodes.length, mark]);
            told.nodes.push({ ...copy(node), graph: graph.index, ...extra });
        };
        const putRemoved = (list = []) => list.forEach((node) => {
            const verdict = verdicts.get(node.node);
            put(node, { kind: 'removed', note: verdict?.note ?? '' }, { inputs: node.inputs.map((name) => renamed.get(name) ?? name),
                outputs: node.outputs.map((name) => renamed.get(name) ?? name), before: node.node, node: `${node.node} (before)` });
        });
        putRemoved(pending.get(undefined));
        for (const node of nodes) {
            const was = oldOf.get(node);
            const list = was ? [...changes(was, node), ...node.inputs.filter((name) => changedWeights.has(name)).map((name) => changedWeights.get(name))] : [];
            const verdict = was ? verdicts.get(was.node) : judged.get(node.outputs.find((name) => judged.has(name)));
            const mark = verdict ? { kind: verdict.kind, note: list.join('; ') || verdict.note } : added.has(node) ? { kind: 'added', note: '' } :
                list.length ? { kind: 'changed', note: list.join('; ') } : moved.has(node) ? { kind: 'moved', note: '' } : undefined;
            put(node, mark, { before: was?.node, was: list.length ? list : undefined });
            putRemoved(pending.get(node));
        }
        for (const each of old?.initializers ?? [])
            if (!graph.weights.has(each[0]) && !made.has(each[0]))
                told.graphs[graph.index].initializers.push(each);
    }
    // Owners are counted among the nodes of their graph, which are more now.
    for (const graph of told.graphs)
        if (graph.parent !== undefined) {
            const owner = second.nodes[second.graphs[graph.parent].nodes[graph.owner]];
            graph.owner = told.nodes.filter((node) => node.graph === graph.parent).findIndex((node) => node.node === owner.node);
        }
    const model = modelOf(told);
    model.marks = new Map(marks);
    return model;
}
