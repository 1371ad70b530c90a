// Runs the command, compiled to WebAssembly: each run is a fresh instance with a file system of its own.

const inNode = typeof process === 'object' && Boolean(process.versions?.node);

// The same program twice: the small one lacks libxml2, and a page loads the other one only for an IR of OpenVINO.
const small = { source: new URL('./opshift.wasm', import.meta.url), loader: () => import('./opshift.mjs') };
const whole = { source: new URL('./opshift-xml.wasm', import.meta.url), loader: () => import('./opshift-xml.mjs') };

async function compile(source) {
    if (inNode) {
        const { readFile } = await import('node:fs/promises');
        return WebAssembly.compile(await readFile(source));
    }
    const response = await fetch(source);
    if (!response.ok)
        throw new Error(`${source.pathname.replace(/.*\//, '')}: HTTP status ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

// {factory, module} of the program that can do it, loaded and compiled once.
function program(args) {
    const chosen = inNode || args.some((each) => /\.xml$|^(--to=)?openvino$/i.test(each)) ? whole : small;
    chosen.ready ??= Promise.all([chosen.loader(), compile(chosen.source)])
        .then(([{ default: factory }, module]) => ({ factory, module }))
        .catch((error) => {
            chosen.ready = undefined; // the next call tries again
            throw error;
        });
    return chosen.ready;
}

// What is written to a descriptor, as bytes.
class Output {
    chunks = [];
    write(bytes) {
        this.chunks.push(bytes.slice());
    }
    bytes() {
        const whole = new Uint8Array(this.chunks.reduce((size, chunk) => size + chunk.length, 0));
        let at = 0;
        for (const chunk of this.chunks) {
            whole.set(chunk, at);
            at += chunk.length;
        }
        return whole;
    }
    text() {
        return new TextDecoder().decode(this.bytes());
    }
}

// The numbers of emscripten for what a caller's out or err may throw.
const ERRNO = { EPIPE: 64, ENOSPC: 51, EIO: 29 };

function device(FS, path, number, write) {
    const id = FS.makedev(64, number);
    FS.registerDevice(id, {
        open(stream) {
            stream.seekable = false;
        },
        read() {
            return 0;
        },
        write(stream, buffer, offset, length) {
            try {
                write(buffer.subarray(offset, offset + length));
            } catch (error) {
                throw new FS.ErrnoError(ERRNO[error.code] ?? ERRNO.EIO);
            }
            return length;
        },
    });
    FS.mkdev(path, id);
}

// A model on standard input is a file, which can be read by ranges. input: its bytes, or a function that gives them when
// the program first looks at it.
function standardInput(FS, input) {
    FS.writeFile('/dev/shm/input', new Uint8Array());
    const { node } = FS.lookupPath('/dev/shm/input');
    let content;
    const read = () => content ??= typeof input === 'function' ? input() : input ?? new Uint8Array();
    Object.defineProperties(node, { contents: { get: read }, usedBytes: { get: () => read().length } });
}

// Descriptors 0, 1 and 2.
function streams(FS, input, out, err) {
    for (const descriptor of [0, 1, 2])
        FS.close(FS.getStream(descriptor));
    standardInput(FS, input);
    device(FS, '/dev/output', 1, out);
    device(FS, '/dev/messages', 2, err);
    FS.open('/dev/shm/input', 'r');
    FS.open('/dev/output', 'w');
    FS.open('/dev/messages', 'w');
}

// The directories of the machine, at their own paths. Node.js only.
async function mountMachine({ FS, NODEFS }) {
    const { readdirSync, statSync } = await import('node:fs');
    for (const name of readdirSync('/')) {
        const path = `/${name}`;
        if (['dev', 'proc', 'sys'].includes(name) || !statSync(path, { throwIfNoEntry: false })?.isDirectory())
            continue;
        if (!FS.analyzePath(path).exists)
            FS.mkdir(path);
        FS.mount(NODEFS, { root: path }, path);
    }
    FS.chdir(process.cwd());
}

// Below /dev, which is never a directory of the machine: what is written there stays in memory.
export const MODELS = '/dev/shm/models';

// Blobs of fewer bytes in all are read at once: thousands of small ranges take longer.
const SMALL = 2 ** 25;

// Each [name, Uint8Array or Blob] in MODELS; a name may hold directories. Large Blobs are read by ranges where that is
// possible: in a worker. A name that leads out of MODELS is left out: no external data is read from above its model.
async function addFiles({ FS, WORKERFS }, given) {
    const files = given.filter(([name]) => !name.split('/').includes('..'));
    FS.mkdirTree(MODELS);
    WORKERFS.node_ops.readlink = () => {
        throw new FS.ErrnoError(28); // EINVAL: no link; realpath() takes WORKERFS's EPERM for a failure
    };
    const size = files.reduce((sum, [, content]) => sum + (content instanceof Blob ? content.size : 0), 0);
    if (typeof FileReaderSync !== 'undefined' && size > SMALL) {
        const blobs = files.map(([name, content]) => ({ name, data: content instanceof Blob ? content : new Blob([content]) }));
        FS.mount(WORKERFS, { blobs }, MODELS);
        return;
    }
    for (const [name, content] of files) {
        const path = `${MODELS}/${name}`;
        FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
        FS.writeFile(path, content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content);
    }
}

// Runs `opshift ARGUMENT...`. options: files: [name, Uint8Array or Blob] of each file in MODELS, where it runs; machine: with
// the machine's directories (Node.js), where it runs instead; input: standard input, bytes or a function
// that gives them; environment; out, err: called
// with bytes as they come. Gives {status, out: Uint8Array, err: string, read(path): Uint8Array, list(directory): names}.
export async function command(args, options = {}) {
    const { factory, module } = await program(args);
    const out = new Output(), err = new Output();
    const instance = await factory({
        thisProgram: 'opshift',
        preRun: [(m) => Object.assign(m.ENV, options.environment)],
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(module, imports).then(done);
            return {};
        },
        quit(status, exception) {
            throw exception;
        },
    });
    streams(instance.FS, options.input, options.out ?? ((bytes) => out.write(bytes)),
        options.err ?? ((bytes) => err.write(bytes)));
    if (options.machine)
        await mountMachine(instance);
    await addFiles(instance, options.files ?? []);
    if (!options.machine)
        instance.FS.chdir(MODELS);
    const status = instance.callMain([...args]);
    return {
        status,
        out: out.bytes(),
        err: err.text(),
        read: (path) => instance.FS.readFile(path),
        list: (path) => instance.FS.readdir(path).filter((name) => name !== '.' && name !== '..'),
    };
}
