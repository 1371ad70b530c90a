// What the model is: facts, inputs and outputs, operators by count, weights by size.
import { at, bar, count, element, number, size, table, typeText, visible } from './dom.mjs';
import { matching, virtualList } from './list.mjs';

let initializers; // all of them, once they are wanted

function showDl({ file, data }, show) {
    const { counts } = show;
    const opsets = show.opsets.map(({ domain, version }) => `${domain} ${version}`).join(', ');
    const producer = [show.producer_name, show.producer_version].filter(Boolean).join(' ') || 'not named';
    const facts = [['File', visible(file.name)], ['Size', `${size(show.size)}${show.size < 1000 ? '' : ` (${number(show.size)} bytes)`}`],
        ['Opsets', opsets || 'none'], ['IR version', show.ir_version], ['Producer', producer], ['Domain', show.domain],
        ['Holds', [count(counts.nodes, 'node'), count(counts.graphs, 'graph'), count(counts.functions, 'function'),
            count(counts.initializers, 'initializer')].join(', ')],
        ['Splits', number(show.splits.length)],
        ['External data', show.external.map((name) => data.some(([location]) => location === name) ? name : `${name} (missing)`).join(', ')]];
    at('facts').replaceChildren(...facts.filter(([, value]) => value !== null && value !== '')
        .flatMap(([what, value]) => [element('dt', {}, what), element('dd', {}, String(value))]));
}

function showValues({ inputs, outputs }) {
    const given = inputs.filter((input) => !input.has_default);
    const rows = (what, values) => values.map((value) => [what, element('code', {}, value.name), element('code', {}, typeText(value))]);
    const withDefault = inputs.length - given.length;
    at('values').replaceChildren(table(['', 'Name', 'Type'], [...rows('in', given), ...rows('out', outputs)]),
        ...(withDefault ? [element('p', { class: 'hint' }, `${count(withDefault, 'input')} more with a default: initializers.`)] : []));
}

let byName = false;

function showOperators(operators) {
    const most = operators[0]?.count ?? 1;
    const sorted = byName ? [...operators].sort((a, b) => a.operator.localeCompare(b.operator)) : operators;
    const head = (text, name) => element('button', {
        type: 'button', class: 'sort', 'aria-pressed': String(byName === name), onclick() {
            byName = name;
            showOperators(operators);
            at('operators').querySelector('[aria-pressed=true]').focus();
        },
    }, text);
    at('operators').replaceChildren(table([head('Operator', true), head('Nodes', false), ''], sorted.map((each) => [
        element('code', {}, each.domain === 'ai.onnx' ? each.operator : `${each.domain}.${each.operator}`),
        number(each.count), bar(each.count / most)]), [1]));
}

function share(part) {
    return part > 0 && part < .01 ? '< 1 %' : `${Math.round(part * 100)} %`;
}

function showWeights({ weights }) {
    const external = weights.external_bytes ? `, ${size(weights.external_bytes)} of them external` : '';
    at('weight-sum').textContent = weights.count === 0 ? 'No weights.' :
        `${count(weights.count, 'tensor')}, ${size(weights.bytes)}${external}; the largest:`;
    at('weights').replaceChildren(...(weights.count ? [table(['Name', 'Type', 'Size', 'Share', ''], weights.largest.map((each) => [
        element('code', {}, each.name), element('code', {}, typeText(each)), size(each.bytes), share(each.bytes / weights.bytes),
        bar(each.bytes / weights.bytes)]), [2, 3])] : []));
    at('all-weights').hidden = weights.count <= weights.largest.length;
}

function showExtras({ functions, metadata }) {
    at('more').hidden = functions.length + metadata.length === 0;
    at('extras').replaceChildren(
        ...(functions.length ? [table(['Function', 'Domain', 'Nodes'], functions.map(({ name, domain, nodes }) => [name, domain, number(nodes)]), [2])] : []),
        ...(metadata.length ? [table(['Metadata', 'Value'], metadata.map(({ key, value }) => [key, value]))] : []));
}

export function showModel(model, show) {
    initializers = undefined;
    at('all-weights').open = false;
    showDl(model, show);
    showValues(show);
    showOperators(show.operators);
    showWeights(show);
    showExtras(show);
}

const list = virtualList(at('initializers'), {
    row: (each) => [element('code', { class: 'line' }, each.name),
        element('span', { class: 'line under' }, `${typeText(each)}, ${size(each.bytes)}${each.external ? ', external' : ''}${each.sparse ? ', sparse' : ''}`)],
    choose() {},
});

function showInitializers() {
    const found = matching(initializers, at('weight-search').value, (each) => each.name);
    const shown = list.show(found);
    at('weight-count').textContent = count(found.length, 'tensor') + (shown < found.length ? `, the first ${number(shown)} listed` : '');
}

// load: gives all initializers of the model.
export function onInitializers(load) {
    at('weight-search').oninput = () => initializers && showInitializers();
    at('all-weights').ontoggle = async () => {
        if (!at('all-weights').open || initializers)
            return;
        initializers = await load();
        if (initializers)
            showInitializers();
    };
}
