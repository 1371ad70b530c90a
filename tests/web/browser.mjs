// Chromium without a window, driven over the DevTools protocol on a pair of pipes: no port, no other program, and the browser
// ends when the pipes close. Also the page's server, which counts what it is asked for.
import { execFileSync, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html; charset=utf-8', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
    '.onnx': 'application/octet-stream', '.svg': 'image/svg+xml', '.json': 'application/json' };
const switches = ['--headless=new', '--remote-debugging-pipe', '--disable-gpu', '--no-first-run', '--disable-sync', '--disable-extensions',
    '--disable-background-networking', '--disable-component-update', '--disable-breakpad', '--disable-crash-reporter', '--hide-scrollbars',
    '--no-default-browser-check', '--password-store=basic', '--disable-dev-shm-usage', '--disable-features=Translate,MediaRouter,OptimizationHints',
    '--disable-renderer-backgrounding', '--disable-background-timer-throttling', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
const PATIENCE = 20000; // milliseconds for anything that a page should do

// The files of a directory on a free port of this machine. asked: each path that was requested.
export async function serve(root) {
    const asked = [];
    const server = createServer(async ({ url }, answer) => {
        const path = normalize(decodeURIComponent(new URL(url, 'http://host').pathname));
        asked.push(path);
        const file = join(root, path.endsWith('/') ? join(path, 'index.html') : path);
        const bytes = await readFile(file).catch(() => undefined);
        answer.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-store' });
        answer.end(bytes);
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const stop = () => new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${server.address().port}/`, asked, stop };
}

// Commands and events as JSON texts, each ended by a NUL, on descriptors 3 and 4.
class Pipe {
    #waiting = new Map();
    #last = 0;
    #rest = [];
    listeners = new Set();

    constructor(child) {
        this.child = child;
        child.stdio[3].on('error', () => {}); // the browser ended: what is waiting fails below
        child.stdio[4].on('data', (bytes) => this.#read(bytes));
        child.on('exit', (status, signal) => {
            for (const { reject, late } of this.#waiting.values()) {
                clearTimeout(late);
                reject(new Error(`the browser ended: ${signal ?? status}`));
            }
            this.#waiting.clear();
        });
    }

    #read(bytes) {
        for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0)) {
            this.#take(JSON.parse(Buffer.concat([...this.#rest, bytes.subarray(0, end)])));
            this.#rest = [];
            bytes = bytes.subarray(end + 1);
        }
        this.#rest.push(bytes);
    }

    #take({ id, result, error, method, params, sessionId }) {
        if (id === undefined) {
            for (const listener of this.listeners)
                listener(method, params, sessionId);
            return;
        }
        const { resolve, reject, late, what } = this.#waiting.get(id) ?? {};
        this.#waiting.delete(id);
        clearTimeout(late);
        if (error)
            reject?.(new Error(`${what}: ${error.message}`));
        else
            resolve?.(result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            const late = setTimeout(() => {
                this.#waiting.delete(id);
                reject(new Error(`no answer within ${PATIENCE / 1000} seconds: ${method} ${params.expression ?? ''}`));
            }, PATIENCE);
            this.#waiting.set(id, { resolve, reject, late, what: method });
            this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        });
    }
}

export function pause(milliseconds) {
    return new Promise((done) => setTimeout(done, milliseconds));
}

// Calls a function until its result is true.
export async function until(what, call) {
    const end = Date.now() + PATIENCE;
    for (;;) {
        const result = await call();
        if (result)
            return result;
        if (Date.now() > end)
            throw new Error(`not within ${PATIENCE / 1000} seconds: ${what}`);
        await pause(30);
    }
}

// Starts the browser, with a directory for its profile and for what it saves.
export async function launch() {
    const work = mkdtempSync(join(tmpdir(), 'opshift-browser-'));
    const downloads = join(work, 'downloads');
    // Root cannot have the browser's sandbox, nor can most containers.
    const root = process.getuid() === 0 || process.env.OPSHIFT_NO_SANDBOX ? ['--no-sandbox'] : [];
    const child = spawn(process.env.OPSHIFT_CHROMIUM ?? 'chromium', [...switches, ...root, `--user-data-dir=${join(work, 'profile')}`, 'about:blank'],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true, env: { ...process.env, LC_ALL: 'C.UTF-8', HOME: work, TMPDIR: work } });
    await new Promise((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
    });
    const pipe = new Pipe(child);
    const ended = new Promise((done) => child.once('exit', done));
    const end = () => {
        try {
            process.kill(-child.pid, 'SIGKILL'); // its process group
        } catch {
            // it has ended
        }
    };
    process.once('exit', end);
    const close = async () => {
        pipe.send('Browser.close').catch(() => {}); // a busy worker would keep it open
        await Promise.race([ended, pause(1000)]);
        end();
        await ended;
        rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    };
    return { pipe, close, open: (url, prepare) => open(pipe, downloads, url, prepare) };
}

// The requests of a page and its workers, what its console shows, and its exceptions, dialogs and downloads.
class Page {
    requests = [];
    messages = [];
    dialogs = [];
    saved = new Map(); // guid: {name, state}
    workers = new Map(); // session: the most bytes of WebAssembly that it had at once
    chooser = undefined;

    constructor(pipe, downloads, session, context) {
        Object.assign(this, { pipe, downloads, session, context });
        this.sessions = new Set([session]);
        this.listen = (method, params, from) => this.#take(method, params, from);
        pipe.listeners.add(this.listen);
    }

    send(method, params) {
        return this.pipe.send(method, params, this.session);
    }

    #take(method, params, from) {
        if (method === 'Browser.downloadWillBegin')
            this.saved.set(params.guid, { name: params.suggestedFilename });
        else if (method === 'Browser.downloadProgress' && this.saved.has(params.guid))
            this.saved.get(params.guid).state = params.state;
        if (!this.sessions.has(from))
            return;
        if (method === 'Target.attachedToTarget')
            this.#attach(params);
        else if (method === 'Runtime.bindingCalled')
            this.workers.set(from, Math.max(this.workers.get(from), Number(params.payload)));
        else if (method === 'Network.requestWillBeSent')
            this.requests.push(params.request.url);
        else if (method === 'Runtime.exceptionThrown')
            this.messages.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
        else if (method === 'Runtime.consoleAPICalled')
            this.messages.push(`${params.type}: ${params.args.map((each) => each.value ?? each.description).join(' ')}`);
        else if (method === 'Log.entryAdded')
            this.messages.push(`${params.entry.level}: ${params.entry.text}`);
        else if (method === 'Page.fileChooserOpened')
            this.chooser = params.backendNodeId;
        else if (method === 'Page.javascriptDialogOpening') {
            this.dialogs.push(params.message);
            this.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
        }
    }

    // A worker of the page waits until it is watched.
    #attach({ sessionId, targetInfo }) {
        this.sessions.add(sessionId);
        const send = (method, params) => this.pipe.send(method, params, sessionId).catch(() => {});
        for (const each of ['Network.enable', 'Runtime.enable', 'Log.enable'])
            send(each);
        if (targetInfo.type === 'worker') {
            this.workers.set(sessionId, 0);
            send('Runtime.addBinding', { name: 'memoryGrew' });
            send('Runtime.evaluate', { expression: watchMemory });
        }
        send('Runtime.runIfWaitingForDebugger'); // a service worker answers only then
    }

    // The value of an expression or of a call of a function, whose promise is awaited.
    async run(code, ...args) {
        const expression = typeof code === 'function' ? `(${code})(...${JSON.stringify(args)})` : code;
        const { result, exceptionDetails } =
            await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true });
        if (exceptionDetails)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    async until(what, code, ...args) {
        try {
            return await until(what, () => this.run(code, ...args));
        } catch (error) {
            const seen = await this.run(() => ['status', 'error', 'facts'].map((id) => document.getElementById(id)?.textContent)).catch(() => []);
            throw new Error(`${error.message}; the page shows: ${seen.join(' | ').slice(0, 300)} ${this.messages.join('; ')}`);
        }
    }

    text(id) {
        return this.run((id) => document.getElementById(id).innerText, id);
    }

    async node(id) {
        const { result } = await this.send('Runtime.evaluate', { expression: `document.getElementById(${JSON.stringify(id)})` });
        return result.objectId;
    }

    async choose(id, ...files) {
        await this.send('DOM.setFileInputFiles', { files, objectId: await this.node(id) });
    }

    // Drags files from outside over an element and lets them fall once the page takes them.
    async drop(id, ...files) {
        const { x, y } = await this.middle(id);
        const drag = (type) => this.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } });
        await this.run('drags = drops = 0');
        await drag('dragEnter');
        await until('the page takes what is dragged', async () => {
            await drag('dragOver');
            return this.run('drags > 1');
        });
        await drag('drop');
        await this.until('the page takes what falls', 'drops > 0');
    }

    middle(id) {
        return this.run((id) => {
            const node = document.getElementById(id);
            node.scrollIntoView({ block: 'center', behavior: 'instant' });
            const { x, y, width, height } = node.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
        }, id);
    }

    async press(key, modifiers = 0) {
        const codes = { Tab: 9, Enter: 13, Escape: 27, ' ': 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };
        const text = { Enter: '\r', ' ': ' ' }[key];
        const event = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: codes[key], modifiers };
        await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event, text });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    }

    type(text) {
        return this.send('Input.insertText', { text });
    }

    // The file that begins to be saved by this call: {name, path}.
    async save(call) {
        const before = new Set(this.saved.keys());
        await call();
        const guid = await until('a file is saved', () => [...this.saved.keys()].find((each) => !before.has(each)));
        await until(`${this.saved.get(guid).name} is saved`, () => this.saved.get(guid).state === 'completed');
        return { name: this.saved.get(guid).name, path: join(this.downloads, guid) };
    }

    // Bytes of JavaScript's heaps, of the page and its workers; a worker must be idle.
    async heap() {
        const sessions = [this.session, ...this.workers.keys()];
        const used = await Promise.all(sessions.map((session) => this.pipe.send('Runtime.getHeapUsage', {}, session)));
        return used.reduce((sum, { usedSize }) => sum + usedSize, 0);
    }

    // Bytes of WebAssembly's memories, at their most.
    wasm() {
        return [...this.workers.values()].reduce((sum, each) => sum + each, 0);
    }

    async close() {
        await this.pipe.send('Target.disposeBrowserContext', this.context);
        this.pipe.listeners.delete(this.listen);
    }
}

// Before the page's own script.
const countDrops = `
    var drags = 0, drops = 0;
    addEventListener('dragover', () => drags++, true);
    addEventListener('drop', () => drops++, true);`;

// In a worker: tells the sum of all memories that WebAssembly has here at once, whenever it grows.
const watchMemory = `{
    const memories = new Set(), { instantiate, Memory: { prototype: { grow } } } = WebAssembly;
    const tell = () => {
        let sum = 0;
        for (const each of memories)
            sum += each.deref()?.buffer.byteLength ?? 0;
        memoryGrew(String(sum));
    };
    WebAssembly.instantiate = async (...args) => {
        const made = await instantiate.apply(WebAssembly, args);
        for (const each of Object.values((made.instance ?? made).exports))
            if (each instanceof WebAssembly.Memory)
                memories.add(new WeakRef(each));
        tell();
        return made;
    };
    WebAssembly.Memory.prototype.grow = function (...args) {
        const before = grow.apply(this, args);
        tell();
        return before;
    };
}`;

// A tab with the page of this address, as on a first visit; prepare: a script that runs before the page's.
async function open(pipe, downloads, url, prepare = '') {
    const context = await pipe.send('Target.createBrowserContext', { disposeOnDetach: true });
    await pipe.send('Browser.setDownloadBehavior', { ...context, behavior: 'allowAndName', downloadPath: downloads, eventsEnabled: true });
    const { targetId } = await pipe.send('Target.createTarget', { url: 'about:blank', ...context });
    const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(pipe, downloads, sessionId, context);
    await Promise.all([page.send('Page.enable'), page.send('Runtime.enable'), page.send('Log.enable'), page.send('Network.enable'),
        page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
        page.send('Page.setInterceptFileChooserDialog', { enabled: true }),
        page.send('Page.addScriptToEvaluateOnNewDocument', { source: countDrops + prepare })]);
    await page.send('Page.navigate', { url });
    await page.until('the page is loaded', () => document.readyState === 'complete');
    return page;
}

export function hasChromium() {
    try {
        return /\d/.test(execFileSync(process.env.OPSHIFT_CHROMIUM ?? 'chromium', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    } catch {
        return false;
    }
}
