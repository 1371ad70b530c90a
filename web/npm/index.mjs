// opshift for JavaScript: converts, checks and compares ONNX models.
import { command, MODELS } from './command.mjs';
import { npyRead, npyWrite } from './npy.mjs';

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

function isContent(value) {
    return value instanceof Uint8Array || value instanceof Blob;
}

// A name that a file can have in a directory of its own.
function fileName(given) {
    const name = typeof given === 'string' ? given.replaceAll('/', '_') : '';
    return ['', '.', '..', '-'].includes(name) ? 'model.onnx' : name;
}

// Where a model is in the file system of a run: a path of the machine, or a file with its data files beside it.
function place(model) {
    if (typeof model === 'string')
        return { path: model };
    const { model: main, data = [] } = model instanceof ArrayBuffer || isContent(model) ? { model } : model ?? {};
    const content = main instanceof ArrayBuffer ? new Uint8Array(main) : main;
    if (!isContent(content))
        throw new TypeError('a model is a path, a Uint8Array, an ArrayBuffer, a Blob or a File');
    const path = fileName(content.name);
    return { path, content, files: [[path, content], ...data] };
}

// Two models whose names are equal, or of which one has data files, are put into directories of their own.
function arrange(places) {
    const given = places.filter((each) => each.files);
    const names = new Set(given.flatMap((each) => each.files.map(([name]) => name)));
    const apart = names.size < given.length || (given.length > 1 && given.some((each) => each.files.length > 1));
    const before = (each) => apart ? `${places.indexOf(each)}/` : '';
    const machine = given.length < places.length;
    return {
        machine,
        files: given.flatMap((each) => each.files.map(([name, content]) => [before(each) + name, content])),
        paths: places.map((each) => each.files ? (machine ? `${MODELS}/` : '') + before(each) + each.path : each.path),
    };
}

async function call(name, models, options, rest = [], more = []) {
    const { machine, files, paths } = arrange(models.map(place));
    const args = [name, ...spell(options), ...rest, ...(paths.length ? ['--', ...paths] : [])];
    const result = await command(args, { machine, files: [...files, ...more] });
    if (result.status > 1 || result.status < 0)
        throw new OpshiftError(message(result.err), result.status);
    return result;
}

// What stopped the command: behind the last "opshift: ", else all that it printed.
function message(text) {
    return text.trim().replace(/^([^]*\n)?opshift: /, '');
}

function json(bytes) {
    return JSON.parse(new TextDecoder().decode(bytes));
}

function decode(base64) {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// Puts the pieces of a new model together; a Blob refers to the ranges of the old one and copies nothing.
async function assembled(given, { size, pieces }) {
    const model = place(given).content ?? given;
    if (model instanceof Blob)
        return new Blob(pieces.map((piece) =>
            piece.bytes === undefined ? model.slice(piece.from, piece.from + piece.size) : decode(piece.bytes)));
    let old = model;
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
export async function convert(model, { out, ...options } = {}) {
    if (Object.keys(options).length === 0)
        throw new OpshiftError('convert: no opset and no other goal is given; write convert(model, { opset: 18 })', 2);
    const list = '/dev/shm/pieces.json', report = '/dev/shm/report.json';
    const to = out === undefined ? `--pieces=${list}` : `--output=${await absolute(out)}`;
    const result = await call('convert', [model], options, [to, `--report=${report}`]);
    let told;
    try {
        told = json(result.read(report));
    } catch {
        told = undefined; // it was refused before there was a plan
    }
    if (result.status === 1)
        throw new Refused(message(result.err), told);
    return { model: out === undefined ? await assembled(model, json(result.read(list))) : undefined, report: told };
}

async function told(name, models, options) {
    return json((await call(name, models, { ...options, format: 'json' })).out);
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

// All graphs and nodes with the types of all values: 'opshift show --graph'.
export async function graph(model, options = {}) {
    return json((await call('show', [model], { ...options, graph: true })).out);
}

export function diff(before, after, options = {}) {
    return told('diff', [before, after], options);
}

// {model, report}: the model with the type and shape of every value, a Uint8Array; with options.out, a path, it is written
// there.
export async function infer(model, { out, ...options } = {}) {
    const to = out === undefined ? '/dev/shm/inferred.onnx' : await absolute(out);
    const result = await call('infer', [model], { ...options, format: 'json' }, [`--output=${to}`]);
    if (result.status === 1)
        throw new OpshiftError(message(result.err), 1);
    return { model: out === undefined ? result.read(to) : undefined, report: json(result.out) };
}

// {x: 'input'}: ['x=input']
function spellPairs(value) {
    return value && typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value).map(([key, one]) => `${key}=${one}`) : value;
}

async function changed(name, models, { out, ...options }) {
    const to = out === undefined ? '/dev/shm/edited.onnx' : await absolute(out);
    const spelled = Object.fromEntries(Object.entries(options).map(([key, value]) => [key, spellPairs(value)]));
    const result = await call(name, models, { ...spelled, format: 'json' }, [`--output=${to}`]);
    if (result.status === 1)
        throw new OpshiftError(message(result.err), 1);
    return { model: out === undefined ? result.read(to) : undefined, report: json(result.out) };
}

// {model, report}: edit(model, { rename: { x: 'input' }, batch: 'N', strip: 'docs' }), the options of 'opshift edit'; the
// model is a Uint8Array; with options.out, a path, it is written there, with the file of weights of external beside it.
export function edit(model, options = {}) {
    return changed('edit', [model], options);
}

// {model, report}: a model behind another one: join(a, b, { connect: { y: 'x' } }).
export function join(first, second, options = {}) {
    return changed('join', [first, second], options);
}

// The value whose file is named so. Bytes that are not UTF-8 stay as they are written there: %FF.
function valueName(file) {
    return file.replaceAll(/(%[0-9A-F]{2})+/g, (bytes) => {
        try {
            return decodeURIComponent(bytes);
        } catch {
            return bytes;
        }
    });
}

// Computes a model with the built-in kernels. inputs: {name: {type, dims, data}}, as onnxruntime-web's tensors; gives the
// outputs in the same form. An output of a type that NumPy lacks is {type: 'onnx', data}, the bytes of a TensorProto.
export async function run(model, inputs = {}, options = {}) {
    const names = Object.keys(inputs);
    const files = names.map((name, index) => [`.inputs/${index}.npy`, npyWrite(inputs[name], name)]);
    const given = names.map((name, index) => `--input=${name}=${MODELS}/.inputs/${index}.npy`);
    const directory = '/dev/shm/outputs';
    const result = await call('run', [model], options, [...given, `--output=${directory}`], files);
    if (result.status === 1)
        throw new OpshiftError(message(result.err), 1);
    return Object.fromEntries(result.list(directory).map((file) => {
        const bytes = result.read(`${directory}/${file}`);
        const tensor = file.endsWith('.npy') ? npyRead(bytes) : undefined;
        return [valueName(file.replace(/\.(npy|pb)$/, '')), tensor ?? { type: 'onnx', data: bytes }];
    }));
}

// The rules in force, for each operator and opset.
export async function rules() {
    return json((await call('rules', [], { format: 'json' }, ['list'])).out);
}

// The profiles of runtimes, for convert's option target and lint's.
export async function targets() {
    return json((await call('targets', [], { format: 'json' })).out);
}

// Every check of lint: what it means, why it matters, how to fix it.
export async function checks() {
    return json((await call('lint', [], { listChecks: true, noConfig: true, format: 'json' })).out);
}

// A check by its id or name, in words.
export async function explain(id) {
    return new TextDecoder().decode((await call('explain', [], {}, [id])).out);
}

// A model from ONNX's textual syntax, as a Uint8Array; a mistake is an OpshiftError with its line and column.
export async function assemble(text) {
    const model = { model: Object.assign(new TextEncoder().encode(text), { name: 'model.txt' }) };
    return (await call('assemble', [model], { output: '-' })).out;
}

// A model in ONNX's textual syntax.
export async function toText(model) {
    return new TextDecoder().decode((await call('show', [model], { text: true })).out);
}

// The report of a verified conversion as an HTML page.
export async function convertPage(model, options) {
    const report = '/dev/shm/report.html';
    const result = await call('convert', [model], { ...options, verify: true }, ['--pieces=/dev/shm/pieces.json', `--report=${report}`]);
    if (result.status === 1)
        throw new Refused(message(result.err));
    return new TextDecoder().decode(result.read(report));
}

// A model with the functions above as methods.
export function open(model) {
    place(model);
    return {
        show: (options) => show(model, options),
        lint: (options) => lint(model, options),
        howFar: (options) => howFar(model, options),
        convert: (options) => convert(model, options),
        verify: (after, options) => verify(model, after, options),
        diff: (after, options) => diff(model, after, options),
        infer: (options) => infer(model, options),
        edit: (options) => edit(model, options),
        join: (second, options) => join(model, second, options),
        run: (inputs, options) => run(model, inputs, options),
        toText: () => toText(model),
    };
}
