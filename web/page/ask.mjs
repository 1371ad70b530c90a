// Calls the functions of the npm package in a worker, so that the page stays usable.
let worker, calls = 0;
const waiting = new Map();

function start() {
    worker = new Worker('worker.mjs', { type: 'module' });
    worker.onmessage = ({ data: { id, value, failure } }) => {
        const { resolve, reject } = waiting.get(id);
        waiting.delete(id);
        if (failure)
            reject(Object.assign(new Error(failure.message), failure));
        else
            resolve(value);
    };
    worker.onerror = (event) => stop(`opshift cannot be started: ${event.message ?? 'this browser may be too old'}`);
}

// Ends what runs; each call that waits fails with this message.
export function stop(message) {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values())
        reject(new Error(message));
    waiting.clear();
}

// opshift[name](...args); a failure has message, status and report.
export function ask(name, ...args) {
    if (worker === undefined)
        start();
    return new Promise((resolve, reject) => {
        waiting.set(++calls, { resolve, reject });
        worker.postMessage({ id: calls, name, args });
    });
}
