// What differs between two models, field by field, side by side.
import { at, chips, count, element, later, number, seeButton, size, table } from './dom.mjs';
import { matching, virtualList } from './list.mjs';

let differences = [], chosen = new Set();

function side(title, value) {
    return element('figure', {}, element('figcaption', {}, title),
        value === undefined ? element('p', { class: 'hint' }, 'not there') : element('pre', {}, String(value)));
}

const list = virtualList(at('differences'), {
    row: (each) => [element('span', { class: 'line' }, element('strong', { class: each.change }, each.change), ` ${each.place}`),
        element('span', { class: 'line under' }, [each.what, each.before, each.after].filter((text) => text !== undefined).join(' · '))],
    choose: (each) => at('change').replaceChildren(
        element('h3', {}, each.place),
        ...(each.place.includes('node ') ? [element('p', { class: 'ways' }, seeButton(each.place))] : []),
        element('p', {}, element('span', { class: `tag ${each.change}` }, each.change), ` ${each.group}${each.what ? `: ${each.what}` : ''}`),
        element('div', { class: 'figures' }, side('Before', each.before), side('After', each.after))),
});

function draw() {
    const found = matching(differences.filter((each) => chosen.has(each.change)), at('difference-search').value,
        (each) => `${each.place} ${each.what ?? ''} ${each.before ?? ''} ${each.after ?? ''}`);
    const shown = list.show(found);
    at('difference-count').textContent = `${count(found.length, 'difference')} listed${shown < found.length ? `, the first ${number(shown)} of them` : ''}`;
    at('change').replaceChildren();
    if (found.length > 0)
        list.select(0);
}

// For the picture: what shows the difference of a node in the list; undefined: it has none.
export function listDifference(place) {
    const found = differences.find((each) => each.place === place);
    return found && (() => {
        at('difference-search').value = '';
        draw();
        list.find((each) => each.place === place);
        at('section-compare').scrollIntoView();
    });
}

export function hideDiff() {
    at('difference').hidden = true;
}

// names: of the two files.
export function showDiff(report, names) {
    differences = report.differences;
    const kinds = Object.entries(report.counts).filter(([, many]) => many);
    const unlisted = report.unlisted ? `; ${count(report.unlisted, 'difference')} more` : '';
    at('difference-summary').textContent = report.same ? `${names[0]} and ${names[1]} do not differ.` :
        `${names[0]} and ${names[1]} differ: ${kinds.map(([kind, many]) => `${number(many)} ${kind}`).join(', ')}${unlisted}.`;
    const sides = [report.before, report.after];
    at('difference-sides').replaceChildren(table(['', 'Before', 'After'], [
        ['File', ...names], ['Opset', ...sides.map((each) => String(each.opset))],
        ['IR version', ...sides.map((each) => String(each.ir_version))], ['Size', ...sides.map((each) => size(each.size))]]));
    chosen = chips(at('changes'), kinds, draw);
    at('difference').hidden = false;
    draw();
}

at('difference-search').oninput = later(draw);
