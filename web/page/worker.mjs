// Runs opshift beside the page: a message {id, name, arguments} is answered by {id, value} or {id, failure}.
import * as opshift from './opshift/index.mjs';

self.onmessage = async ({ data: { id, name, args } }) => {
    try {
        self.postMessage({ id, value: await opshift[name](...args) });
    } catch (error) {
        const { message, status, report } = error;
        self.postMessage({ id, failure: { message, status, report } });
    }
};
