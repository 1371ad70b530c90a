// opshift for JavaScript: converts, checks and compares ONNX models.
import { command } from './command.mjs';

// What stopped the work. status: as the command's exit status: 1 refused, 2 usage, 3 malformed input, 4 I/O or memory.
export class OpshiftError extends Error {
    constructor(message, status) {
        super(message);
        this.name = 'OpshiftError';
        this.status = status;
    }
}

// A conversion that is refused. report: why; blockers: the nodes in the way.
export class Refused extends OpshiftError {
    constructor(message, report) {
        super(message, 1);
        this.name = 'Refused';
        this.report = report;
        this.blockers = report?.convert?.blockers ?? [];
    }
}

// {splitForm: 'equal', verify: true, shape: ['x=1x3']}: --split-form=equal --verify --shape=x=1x3
function spell(options) {
    const args = [];
    for (const [key, value] of Object.entries(options)) {
        const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        for (const one of Array.isArray(value) ? value : [value])
            if (one === true)
                args.push(name);
            else if (one !== undefined && one !== null && one !== false)
                args.push(`${name}=${one}`);
    }
    return args;
}

// Where a model is in the file system of a run.
function place(model, index) {
    if (typeof model === 'string')
        return { path: model, machine: true, files: [] };
    const bytes = model instanceof ArrayBuffer ? new Uint8Array(model) : model;
    if (!(bytes instanceof Uint8Array) && !(bytes instanceof Blob))
        throw new TypeError('a model is a path, a Uint8Array, an ArrayBuffer, a Blob or a File');
    const named = typeof bytes.name === 'string' ? bytes.name.replaceAll('/', '_') : '';
    const path = `/models/${index}/${['', '.', '..'].includes(named) ? 'model.onnx' : named}`;
    return { path, machine: false, files: [[path, bytes]] };
}

async function run(name, models, options, rest = []) {
    const places = models.map(place);
    const args = [name, ...spell(options), ...rest, '--', ...places.map((each) => each.path)];
    const result = await command(args, {
        files: places.flatMap((each) => each.files),
        machine: places.some((each) => each.machine),
    });
    if (result.status > 1 || result.status < 0)
        throw new OpshiftError(message(result.err), result.status);
    return result;
}

function message(text) {
    return text.trim().replace(/^opshift: /, '');
}

function json(bytes) {
    return JSON.parse(new TextDecoder().decode(bytes));
}

function decode(base64) {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// Puts the pieces of a new model together; a Blob refers to the ranges of the old one and copies nothing.
async function assemble(model, { size, pieces }) {
    if (model instanceof Blob)
        return new Blob(pieces.map((piece) =>
            piece.bytes === undefined ? model.slice(piece.from, piece.from + piece.size) : decode(piece.bytes)));
    let old = model instanceof ArrayBuffer ? new Uint8Array(model) : model;
    if (typeof model === 'string')
        old = await (await import('node:fs/promises')).readFile(model);
    const made = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
        const bytes = piece.bytes === undefined ? old.subarray(piece.from, piece.from + piece.size) : decode(piece.bytes);
        made.set(bytes, at);
        at += bytes.length;
    }
    return made;
}

async function absolute(path) {
    return (await import('node:path')).resolve(path);
}

// {model, report}: a Blob for a Blob, else a Uint8Array; with options.out, a path, it is written there.
export async function convert(model, { out, ...options }) {
    const list = '/dev/shm/pieces.json', report = '/dev/shm/report.json';
    const to = out === undefined ? `--pieces=${list}` : `--output=${await absolute(out)}`;
    const result = await run('convert', [model], options, [to, `--report=${report}`]);
    let told;
    try {
        told = json(result.read(report));
    } catch {
        told = undefined; // it was refused before there was a plan
    }
    if (result.status === 1)
        throw new Refused(message(result.err), told);
    return { model: out === undefined ? await assemble(model, json(result.read(list))) : undefined, report: told };
}

async function told(name, models, options) {
    return json((await run(name, models, { ...options, format: 'json' })).out);
}

// What each opset would take: 'opshift convert --how-far'.
export function howFar(model, options = {}) {
    return told('convert', [model], { ...options, howFar: true });
}

export function lint(model, options = {}) {
    return told('lint', [model], { config: undefined, noConfig: true, ...options });
}

export function verify(before, after, options = {}) {
    return told('verify', [before, after], options);
}

export function show(model, options = {}) {
    return told('show', [model], options);
}

export function diff(before, after, options = {}) {
    return told('diff', [before, after], options);
}

// A model with the functions above as methods.
export function open(model) {
    place(model, 0);
    return {
        show: (options) => show(model, options),
        lint: (options) => lint(model, options),
        howFar: (options) => howFar(model, options),
        convert: (options) => convert(model, options),
        verify: (after, options) => verify(model, after, options),
        diff: (after, options) => diff(model, after, options),
    };
}
