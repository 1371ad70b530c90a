// The service worker: after the first visit the page needs no network. The build puts in the version and the names.
const name = 'opshift-VERSION';
const files = ['./', 'FILES'];

self.addEventListener('install', (event) => event.waitUntil(caches.open(name).then((cache) => cache.addAll(files))));
self.addEventListener('activate', (event) => event.waitUntil(caches.keys().then((keys) =>
    Promise.all(keys.filter((key) => key.startsWith('opshift-') && key !== name).map((key) => caches.delete(key))))
    .then(() => self.clients.claim())));
self.addEventListener('fetch', (event) => event.respondWith(caches.open(name)
    .then((cache) => cache.match(event.request, { ignoreSearch: true }))
    .then((found) => found ?? fetch(event.request))));
