// The link of the page holds the options and, of a model as text, the text; never weights:
// #opset=18&shape=x%3D2x6&allow-approximate=&text=...
const LONGEST = 30000; // characters of a text

export function readLink() {
    return new URLSearchParams(location.hash.slice(1));
}

// pairs: [[name, value], ...]
export function writeLink(pairs, text) {
    const held = text && text.length <= LONGEST ? [...pairs, ['text', text]] : pairs;
    history.replaceState(null, '', held.length ? `#${new URLSearchParams(held)}` : location.pathname + location.search);
}
