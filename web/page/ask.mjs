// Calls functions in workers, so that the page stays usable.

// {ask, stop} of a worker, which starts with the first call.
export function workerOf(file) {
    let worker, calls = 0;
    const waiting = new Map();

    // Ends what runs; each call that waits fails with this message.
    function stop(message) {
        worker?.terminate();
        worker = undefined;
        for (const { reject } of waiting.values())
            reject(new Error(message));
        waiting.clear();
    }

    function start() {
        worker = new Worker(file, { type: 'module' });
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

    // A failure has message, status and report.
    function ask(name, ...args) {
        if (worker === undefined)
            start();
        return new Promise((resolve, reject) => {
            waiting.set(++calls, { resolve, reject });
            worker.postMessage({ id: calls, name, args });
        });
    }
    return { ask, stop };
}

// The functions of the npm package.
export const { ask, stop } = workerOf('worker.mjs');
