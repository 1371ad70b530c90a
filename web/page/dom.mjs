// Elements of the page. Text is always set as text, never as markup.
export const at = (id) => document.getElementById(id);

// element('button', { type: 'button', onclick }, 'text', otherElement)
export function element(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes))
        if (name.startsWith('on'))
            made[name] = value;
        else if (value !== undefined && value !== false)
            made.setAttribute(name, value === true ? '' : value);
    made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ''));
    return made;
}

// A file's name without characters that hide or reorder others: as the command prints it.
export function visible(name) {
    return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
        Array.from(new TextEncoder().encode(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''));
}

export function number(value) {
    return value.toLocaleString('en');
}

// count(2, 'node'): "2 nodes"
export function count(value, what) {
    return `${number(value)} ${what}${value === 1 ? '' : 's'}`;
}

export function size(bytes) {
    const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
    let unit = 0, value = bytes;
    for (; value >= 1000 && unit < units.length - 1; unit++)
        value /= 1000;
    return unit === 0 ? count(bytes, 'byte') : `${value.toPrecision(3)} ${units[unit]}`;
}

export const MANY = 1000; // rows of a table, and controls of a form; a damaged model may have any number

// A table with heads; each cell is text or an element. number: columns that hold numbers.
export function table(heads, rows, numeric = []) {
    const more = rows.length - MANY;
    const kind = (column) => numeric.includes(column) ? 'number' : undefined;
    return element('table', {},
        element('thead', {}, element('tr', {}, heads.map((head, column) => element('th', { scope: 'col', class: kind(column) }, head)))),
        element('tbody', {}, rows.slice(0, MANY).map((row) => element('tr', {}, row.map((cell, column) => element('td', { class: kind(column) }, cell)))),
            more > 0 ? element('tr', {}, element('td', { colspan: heads.length }, `${number(more)} more`)) : undefined));
}

// A bar as long as its share of the whole.
export function bar(share) {
    const inner = element('span', { class: 'bar-inner' });
    inner.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
    return element('span', { class: 'bar', 'aria-hidden': 'true' }, inner);
}

// "float[N,3]"
export function typeText({ type, shape }) {
    const dims = shape ? shape.map((dim) => dim ?? '?').join(', ') : '';
    const brackets = dims !== '' || (!shape && type && !type.includes('('));
    return `${type ?? 'no type'}${brackets ? `[${dims}]` : ''}`;
}

// Buttons that choose which kinds are listed. kinds: [[name, count, label], ...]; changed: called with the set of chosen names.
export function chips(group, kinds, changed) {
    const chosen = new Set(kinds.map(([name]) => name));
    group.replaceChildren(...kinds.map(([name, many, label = `${number(many)} ${name}`]) => {
        const chip = element('button', {
            type: 'button', class: `chip ${className(name)}`, 'aria-pressed': 'true', onclick() {
                chosen.delete(name) || chosen.add(name);
                chip.setAttribute('aria-pressed', String(chosen.has(name)));
                changed(chosen);
            },
        }, label);
        return chip;
    }));
    return chosen;
}

// "by rule": "by-rule"
export function className(name) {
    return name.replaceAll(' ', '-');
}

// Saves a Blob as a file of this name.
export function download(blob, name) {
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Calls run once when nothing more happens for a moment.
export function later(run, wait = 120) {
    let timer;
    return (...args) => {
        clearTimeout(timer);
        timer = setTimeout(run, wait, ...args);
    };
}

// A button that shows the node at a place in the picture of the graph.
export function seeButton(place) {
    return element('button', { type: 'button', class: 'small', onclick: () => document.dispatchEvent(new CustomEvent('see-place', { detail: place })) }, 'Show in the graph');
}
