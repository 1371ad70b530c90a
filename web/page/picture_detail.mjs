// The panel beside the picture: all of one node.
import { at, element, number, size } from './dom.mjs';

const button = (text, onclick) => element('button', { type: 'button', class: 'small', onclick }, text);

function section(title, ...body) {
    const parts = body.flat().filter(Boolean);
    return parts.length ? [element('h4', {}, title), ...parts] : [];
}

const short = (value) => Number.isInteger(value) ? number(value) : Number(value.toPrecision(5)).toString();

function statisticsText(found) {
    const parts = [found.place];
    if (found.min !== undefined)
        parts.push(`${number(found.count)} values from ${short(found.min)} to ${short(found.max)}, mean ${short(found.mean)}, deviation ${short(found.deviation)}, ${number(found.zeros)} zero`);
    if (found.special)
        parts.push(`${number(found.special)} NaN or infinite`);
    return parts.join('; ');
}

function weight(each, { statistics }) {
    const told = element('span', {}, `${size(each.weight.bytes)}${each.weight.external ? ', external' : ''} `);
    told.append(button('Statistics', async ({ target }) => {
        target.disabled = true;
        try {
            target.replaceWith(statisticsText(await statistics(each.weight.from, each.weight.size)));
        } catch (error) {
            target.replaceWith(error.message);
        }
    }));
    return element('div', { class: 'under' }, told);
}

function value(each, more) {
    return element('li', {}, each.label ? element('span', { class: 'soft' }, `${each.label} `) : '', element('code', {}, each.name || '(absent)'), ' ',
        element('span', { class: 'soft' }, each.type), ...more);
}

// What each opset makes of it, asked for one after the other.
function opsetTable({ opsets, atOpset }) {
    const body = element('tbody'), told = element('table', { hidden: true }, body);
    const start = button('What each opset makes of it', async () => {
        start.disabled = true;
        told.hidden = false;
        for (const plan of opsets()) {
            if (!told.isConnected)
                return;
            const found = plan.is_source ? undefined : await atOpset(plan.opset).catch((error) => ({ blocked: error.message }));
            body.append(element('tr', {}, element('td', {}, String(plan.opset)), element('td', {}, plan.is_source ? 'as it is (the model’s own)' : found === undefined ? 'as it is' :
                found.blocked ? element('strong', { class: 'error' }, found.blocked) : element('code', {}, found.becomes))));
        }
        start.hidden = true;
    });
    return opsets().length ? [element('p', { class: 'ways' }, start), told] : [];
}

export function showDetail(node, calls) {
    const { findings, go, listed, toggle, copy, text } = calls;
    const jump = (each) => button(each.text.length > 44 ? `…${each.text.slice(-43)}` : each.text, () => go(each.node));
    const place = node.before ?? node.place, toList = listed(place);
    const copied = button('Copy as text', () => copy().then(() => {
        copied.textContent = 'Copied';
    }, async () => copied.replaceWith(element('pre', {}, await text()))));
    at('picture-detail').replaceChildren(
        element('h3', {}, node.name || node.outputs[0]?.name || node.operator),
        element('p', {}, element('code', {}, node.domain ? `${node.domain}.${node.operator}` : node.operator), node.since ? element('span', { class: 'soft' }, ` since opset ${node.since}`) : '',
            ...(node.mark ? [' ', element('span', { class: `tag ${node.mark.kind.replaceAll(' ', '-')}` }, node.mark.kind)] : [])),
        element('p', { class: 'ways' }, ...(node.inner ? [button('Open or close', toggle)] : []), copied, ...(toList ? [button('To the list', toList)] : [])),
        ...section('What changed', ...(node.was ?? []).map((each) => element('pre', {}, each)), ...(node.mark?.note && !node.was ? [element('p', {}, node.mark.note)] : [])),
        ...section('Findings', ...findings.map((each) => element('p', {}, element('strong', { class: each.severity }, each.severity), ` ${each.message} `, element('code', {}, each.id)))),
        ...section('Attributes', node.attributes.length ? element('ul', {}, node.attributes.map((each) => element('li', {}, element('code', {}, each.text),
            each.given ? '' : element('span', { class: 'soft' }, ' default')))) : undefined),
        ...section('Inputs', node.inputs.length ? element('ul', {}, node.inputs.map((each) => value(each, [
            each.constant ? element('div', { class: 'under' }, element('code', {}, each.constant)) : '', each.weight ? weight(each, calls) : '',
            each.maker && !each.constant ? element('div', { class: 'jumps' }, element('span', { class: 'soft' }, 'from '), jump(each.maker)) : '']))) : undefined),
        ...section('Outputs', node.outputs.length ? element('ul', {}, node.outputs.map((each) => value(each, [each.isResult ? element('span', { class: 'soft' }, ' an output of the graph') : '',
            element('div', { class: 'jumps' }, ...each.readers.length ? [element('span', { class: 'soft' }, 'to '), ...each.readers.slice(0, 12).map(jump)] : [],
                each.readerCount > 12 ? element('span', { class: 'soft' }, ` and ${number(each.readerCount - 12)} more`) : '')]))) : undefined),
        ...opsetTable(calls));
}
