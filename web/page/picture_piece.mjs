// A few nodes as a picture of their own: what a rewritten piece was and became.
import { modelOf } from './picture_tree.mjs';

const MOST = 160; // nodes; values are a hundred times as many at most

// nodes: each {operator, name, inputs, outputs, attributes}, in topological order. undefined: too many to draw.
export function pieceModel(nodes) {
    const values = nodes.reduce((sum, { inputs, outputs }) => sum + inputs.length + outputs.length, 0);
    if (nodes.length > MOST || values > 2 * MOST + 100)
        return undefined;
    const made = new Set(nodes.flatMap((node) => node.outputs)), read = new Set(nodes.flatMap((node) => node.inputs));
    const inputs = [...read].filter((name) => name && !made.has(name)), outputs = [...made].filter((name) => name && !read.has(name));
    const model = modelOf({ operators: [], graphs: [{ kind: 'main', name: '', inputs: inputs.map((name) => [name, '']), outputs: outputs.map((name) => [name, '']), initializers: [] }],
        nodes: nodes.map((node) => ({ ...node, name: node.name.replaceAll('/', '∕'), graph: 0, node: '', types: [] })) });
    return model;
}
