// The link of the page holds the options, never weights: #opset=18
export function readLink() {
    return new URLSearchParams(location.hash.slice(1));
}

export function writeLink(options) {
    history.replaceState(null, '', `#${new URLSearchParams(options)}`);
}
