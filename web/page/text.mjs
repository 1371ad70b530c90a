// A model as text: typed, pasted or from the link; a mistake is shown at its place.
import { at } from './dom.mjs';

export function openEditor(open = true) {
    at('editor').hidden = !open;
    at('write').setAttribute('aria-expanded', String(open));
    if (open)
        at('text').focus({ preventScroll: true });
}

export function setText(text) {
    at('text').value = text;
    showFault(undefined);
}

// "model.txt:3:7: expected ...": the place is selected.
export function showFault(message) {
    at('text-fault').textContent = message ?? '';
    at('text').toggleAttribute('aria-invalid', false);
    const [, line, column] = /:(\d+):(\d+): /.exec(message ?? '') ?? [];
    if (message)
        at('text').setAttribute('aria-invalid', 'true');
    if (line === undefined)
        return;
    const lines = at('text').value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + Number(column) - 1;
    at('text').focus();
    at('text').setSelectionRange(start, Math.min(start + 1, at('text').value.length));
}

// use: called with the text.
export function onText(use) {
    at('write').onclick = () => openEditor(at('editor').hidden);
    at('use-text').onclick = () => use(at('text').value);
    at('text').onkeydown = (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            use(at('text').value);
        }
    };
}
