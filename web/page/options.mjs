// The options of a conversion, in the page's controls and as the command has them.
import { at, count, element, MANY } from './dom.mjs';

const FLAGS = ['allow-approximate', 'freeze-initializers', 'strict'];
const camel = (name) => name.replace(/-[a-z]/g, (letter) => letter[1].toUpperCase());
const shapes = () => [...at('shapes').querySelectorAll('input')];

function field(name, kind, hint) {
    const id = `${kind}-${name}`;
    return element('p', { class: 'row' }, element('label', { for: id }, kind === 'dim' ? `Dim ${name}` : `Shape of ${name}`),
        element('input', { id, 'data-kind': kind, 'data-name': name, placeholder: hint, autocomplete: 'off' }));
}

// A control for each input and each named dim of the model.
export function showShapes({ inputs }) {
    const tensors = inputs.filter((input) => !input.has_default &&
        (input.shape === null || input.shape.some((dim) => typeof dim !== 'number'))).slice(0, MANY);
    const dims = new Set(tensors.flatMap((input) => input.shape ?? []).filter((dim) => typeof dim === 'string'));
    at('shapes').replaceChildren(...[...dims].slice(0, MANY).map((name) => field(name, 'dim', 'a number')),
        ...tensors.map((input) => field(input.name, 'shape', input.shape?.map((dim) => dim ?? '?').join('x') ?? 'of any rank')),
        ...(tensors.length ? [] : [element('p', { class: 'hint' }, 'All inputs have known shapes.')]));
}

// For ask('howFar'): {shape: ['x=1x3'], dim: ['N=4'], allowApproximate: true}
export function planOptions() {
    const given = (kind) => shapes().filter((each) => each.dataset.kind === kind && each.value.trim())
        .map((each) => `${each.dataset.name}=${each.value.trim()}`);
    const options = Object.fromEntries(FLAGS.filter((name) => at(name).checked).map((name) => [camel(name), true]));
    for (const kind of ['shape', 'dim'])
        if (given(kind).length)
            options[kind] = given(kind);
    return options;
}

// For ask('convert'): also how the result is written.
export function convertOptions() {
    const options = planOptions();
    if (at('split-form').value)
        options.splitForm = at('split-form').value;
    if (at('ir-version').value.trim())
        options.irVersion = at('ir-version').value.trim();
    return options;
}

// Sets controls from options of the command: ['--shape x=2x6', '--allow-approximate'], or [['shape', 'x=2x6'], ...].
export function giveOptions(pairs) {
    for (const [name, value] of pairs)
        if (FLAGS.includes(name)) {
            at(name).checked = true;
        } else if (name === 'shape' || name === 'dim') {
            const cut = value.lastIndexOf('=');
            const input = shapes().find((each) => each.dataset.kind === name && each.dataset.name === value.slice(0, cut));
            if (input)
                input.value = value.slice(cut + 1);
        } else if (name === 'split-form' || name === 'ir-version') {
            at(name).value = value;
        }
    tellOptions();
}

// ['--shape x=2x6 --allow-approximate']: [['shape', 'x=2x6'], ['allow-approximate', '']]
export function readOptions(texts) {
    return texts.flatMap((text) => text.split(/\s+(?=--)/)).map((text) => {
        const [, name, value] = /^--([a-z-]+)[ =]?(.*)$/s.exec(text) ?? [];
        return [name, value];
    }).filter(([name]) => name);
}

const WORDS = { 'allow-approximate': 'nearly the same nodes allowed', 'freeze-initializers': 'initializers as constants', strict: 'assumptions refused',
    'split-form': 'form of each Split', 'ir-version': 'IR version' };

// What the page has in place of an option of the command: "Shape of x = 2x6"; a button that leads to its field.
function fieldButton(option) {
    const [, name, value = ''] = /^--([a-z-]+)[ =]?(.*)$/s.exec(option);
    const cut = value.lastIndexOf('='), of = cut < 0 ? value : value.slice(0, cut), given = cut < 0 || /^\.+$/.test(value.slice(cut + 1)) ? '' : ` = ${value.slice(cut + 1)}`;
    const input = name === 'shape' || name === 'dim' ? shapes().find((each) => each.dataset.kind === name && each.dataset.name === of) : at(name);
    const label = name === 'shape' ? `Shape of ${of}${given}` : name === 'dim' ? `Dim ${of}${given}` : WORDS[name];
    if (!input || !label)
        return option;
    return element('button', { type: 'button', class: 'small', onclick() {
        at('options').open = true;
        input.scrollIntoView({ block: 'center' });
        input.focus({ preventScroll: true });
    } }, label);
}

// Words of the command with the fields of the page for its options.
export function withFields(text) {
    return text.split(/(--(?:shape|dim)[ =][^\s,;]+|--(?:allow-approximate|freeze-initializers|strict|split-form|ir-version)(?:=[^\s,;]+)?)/)
        .map((part) => part.startsWith('--') ? fieldButton(part) : part);
}

export function tellOptions() {
    const set = Object.values(convertOptions()).flat().length;
    at('options-set').textContent = set ? `(${count(set, 'option')} set)` : '';
}

// The options as pairs for a link.
export function linkOptions() {
    return Object.entries(convertOptions()).flatMap(([key, value]) =>
        [value].flat().map((one) => [key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), one === true ? '' : one]));
}

// changed: the options are applied.
export function onOptions(changed) {
    at('options-form').onsubmit = (event) => {
        event.preventDefault();
        tellOptions();
        changed();
    };
    at('options-form').onreset = () => setTimeout(() => {
        tellOptions();
        changed();
    });
}
