// Runs opshift beside the page: a message {id, name, arguments} is answered by {id, value} or {id, failure}.
import * as opshift from './opshift/index.mjs';

// A line for each node, "place<TAB>text": one string reaches the page at once, many objects would hold it up.
const nodeLines = async (model) => (await opshift.show(model, { nodes: true })).nodes.map(({ node, text }) => `${node}\t${text}`).join('\n');
const calls = { ...opshift, nodeLines };

self.onmessage = async ({ data: { id, name, args } }) => {
    try {
        self.postMessage({ id, value: await calls[name](...args) });
    } catch (error) {
        const { message, status, report } = error;
        self.postMessage({ id, failure: { message, status, report } });
    }
};
