/** Bytes, or a Blob or File: a large one is read by ranges in a worker, and else copied. */
export type Content = Uint8Array | ArrayBuffer | Blob;
/** A path (Node.js only), or a content; with `data`, the files of its external data: each location in the model, and its content. */
export type Model = string | Content | { model: Content; data?: ReadonlyArray<[string, Uint8Array | Blob]> };

/** Options of the command in camel case: `{splitForm: 'equal', shape: ['x=1x3']}`; `opshift COMMAND --help` lists them. */
export interface Options {
    [option: string]: string | number | boolean | undefined | ReadonlyArray<string | number>;
}

export interface ConvertOptions extends Options {
    opset?: number | string | ReadonlyArray<number | string>;
    target?: string;
    verify?: boolean;
    irVersion?: number | 'match';
    splitForm?: 'keep' | 'lengths' | 'num_outputs' | 'equal';
    strict?: boolean;
    /** A path to write to (Node.js only). */
    out?: string;
}

/** A report as the command writes it as JSON. */
export type Report = Record<string, any>;

export interface Converted<M> {
    /** Undefined with `out`. */
    model: M;
    /** `convert`: the plan; `verify`: the certificate, with `verify: true`. */
    report: { convert: Report; verify?: Report; remaining?: Report };
}

/** `status`: the command's exit status: 1 refused, 2 usage, 3 malformed or unsafe input, 4 reading, writing or memory. */
export class OpshiftError extends Error {
    status: number;
}

/** A conversion that is not possible, or whose result differs. */
export class Refused extends OpshiftError {
    report?: Converted<never>['report'];
    blockers: Report[];
}

export function convert(model: Blob, options: ConvertOptions): Promise<Converted<Blob>>;
export function convert(model: Model, options: ConvertOptions & { out: string }): Promise<Converted<undefined>>;
export function convert(model: string | Uint8Array | ArrayBuffer, options: ConvertOptions): Promise<Converted<Uint8Array>>;
export function convert(model: Model, options: ConvertOptions): Promise<Converted<Blob | Uint8Array>>;
export function howFar(model: Model, options?: Options): Promise<Report>;
export function lint(model: Model, options?: Options): Promise<Report>;
export function verify(before: Model, after: Model, options?: Options): Promise<Report>;
export function show(model: Model, options?: Options): Promise<Report>;
/** All graphs and nodes with the types of all values. */
export function graph(model: Model, options?: Options): Promise<Report>;
export function infer(model: Model, options: Options & { out: string }): Promise<{ model: undefined; report: Report }>;
/** Writes the type and shape of every value into the model. */
export function infer(model: Model, options?: Options): Promise<{ model: Uint8Array; report: Report }>;

/** Options of `opshift edit`; rename, dim: old and new names as an object. */
export interface EditOptions {
    [option: string]: string | number | boolean | undefined | ReadonlyArray<string | number> | Readonly<Record<string, string | number>>;
}
export function edit(model: Model, options?: EditOptions): Promise<{ model: Uint8Array | undefined; report: Report }>;
/** Puts a model behind another one; connect: values of the first, inputs of the second. */
export function join(first: Model, second: Model, options?: EditOptions): Promise<{ model: Uint8Array | undefined; report: Report }>;

/** A tensor as onnxruntime-web has it. float16 is a Uint16Array of bits, bool a Uint8Array. */
export interface Tensor {
    type: 'float16' | 'float32' | 'float64' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'bool';
    dims: readonly number[];
    data: ArrayLike<number> | ArrayLike<bigint>;
}
/** An output of a type that NumPy lacks: the bytes of a TensorProto. */
export interface TensorProto {
    type: 'onnx';
    data: Uint8Array;
}
/** Computes a model with the built-in kernels; `random: true` draws the inputs that are not given. */
export function run(model: Model, inputs?: Record<string, Tensor>, options?: Options): Promise<Record<string, Tensor | TensorProto>>;
/** The rules in force, for each operator and opset. */
export function rules(): Promise<Report>;
/** The profiles of runtimes that `target` may name. */
export function targets(): Promise<Report>;
/** Every check of lint, with its explanation. */
export function checks(): Promise<Report>;
/** Explains a check by its id or name, in words. */
export function explain(id: string): Promise<string>;
/** A model from ONNX's textual syntax. */
export function assemble(text: string): Promise<Uint8Array>;
/** A model in ONNX's textual syntax. */
export function toText(model: Model): Promise<string>;
/** The report of a verified conversion as an HTML page. */
export function convertPage(model: Model, options: ConvertOptions): Promise<string>;
export function diff(before: Model, after: Model, options?: Options): Promise<Report>;

export interface Opened {
    show(options?: Options): Promise<Report>;
    lint(options?: Options): Promise<Report>;
    howFar(options?: Options): Promise<Report>;
    convert(options: ConvertOptions): Promise<Converted<Blob | Uint8Array | undefined>>;
    verify(after: Model, options?: Options): Promise<Report>;
    diff(after: Model, options?: Options): Promise<Report>;
    infer(options?: Options): Promise<{ model: Uint8Array | undefined; report: Report }>;
    edit(options?: EditOptions): Promise<{ model: Uint8Array | undefined; report: Report }>;
    join(second: Model, options?: EditOptions): Promise<{ model: Uint8Array | undefined; report: Report }>;
    run(inputs?: Record<string, Tensor>, options?: Options): Promise<Record<string, Tensor | TensorProto>>;
    toText(): Promise<string>;
}
/** Checks the kind of the model; what it holds is read by each method. */
export function open(model: Model): Opened;
