// ONNX models byte by byte, for names that no text may hold and for sizes that no memory does.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

function varint(value) {
    const bytes = [];
    for (; value >= 128; value = Math.floor(value / 128))
        bytes.push(value % 128 + 128);
    return Buffer.from([...bytes, value]);
}

// A field of a message: a number, a text, or bytes in parts.
function field(number, value, ...more) {
    if (typeof value === 'number')
        return Buffer.concat([varint(number * 8), varint(value)]);
    const bytes = Buffer.concat([value, ...more].map((each) => Buffer.from(each)));
    return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

export function pair(key, value) {
    return Buffer.concat([field(1, key), field(2, value)]);
}

export function tensorType(elements, ...dims) {
    const shape = dims.map((dim) => field(1, typeof dim === 'number' ? field(1, dim) : field(2, dim)));
    return field(1, field(1, elements), field(2, ...(shape.length ? shape : [''])));
}

export function value(name, type, doc = '') {
    return Buffer.concat([field(1, name), field(2, type), field(3, doc)]);
}

export function node({ op, name = '', domain = '', inputs = [], outputs = [], doc = '', attributes = [], metadata = [] }) {
    return Buffer.concat([...inputs.map((each) => field(1, each)), ...outputs.map((each) => field(2, each)), field(3, name), field(4, op),
        field(7, domain), field(6, doc), ...attributes.map((each) => field(5, each)), ...metadata.map((each) => field(9, each))]);
}

export function integers(name, ...values) {
    return Buffer.concat([field(1, name), field(20, 7), ...values.map((each) => field(8, each))]);
}

export function text(name, value) {
    return Buffer.concat([field(1, name), field(20, 3), field(4, value)]);
}

function border({ inputs = [], outputs = [] }) {
    return Buffer.concat([...inputs.map((each) => field(11, each)), ...outputs.map((each) => field(12, each))]);
}

function head({ ir = 8, opsets = [['', 13]], producer = '', doc = '', metadata = [] }) {
    return Buffer.concat([field(1, ir), field(2, producer), field(6, doc), ...metadata.map((each) => field(14, each)),
        ...opsets.map(([domain, version]) => field(8, field(1, domain), field(2, version)))]);
}

// An initializer of one dim whose content is in a file beside the model.
export function outside(name, elements, location) {
    return Buffer.concat([field(1, elements), field(2, 1), field(8, name), field(13, pair('location', location)), field(14, 1)]);
}

export function model(parts) {
    const graph = Buffer.concat([...parts.nodes.map((each) => field(1, each)), field(2, parts.name ?? 'graph'),
        ...(parts.initializers ?? []).map((each) => field(5, each)), border(parts)]);
    return Buffer.concat([head(parts), field(7, graph)]);
}

// A model whose last initializer, 'weight', is a hole of this many bytes, followed by the graph's inputs and outputs.
export function writeHollow(path, parts, size) {
    const tensor = Buffer.concat([field(1, size / 4), field(2, 1), field(8, 'weight'), varint(9 * 8 + 2), varint(size)]);
    const before = Buffer.concat([...parts.nodes.map((each) => field(1, each)), field(2, 'hollow'),
        varint(5 * 8 + 2), varint(tensor.length + size), tensor]);
    const after = border(parts);
    const start = Buffer.concat([head(parts), varint(7 * 8 + 2), varint(before.length + size + after.length), before]);
    const file = openSync(path, 'w');
    writeSync(file, start, 0, start.length, 0);
    ftruncateSync(file, start.length + size);
    writeSync(file, after, 0, after.length, start.length + size);
    closeSync(file);
}
