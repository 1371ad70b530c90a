// What is wrong with the model: the findings of lint by severity, each with its explanation.
import { at, chips, count, element, later, number, seeButton } from './dom.mjs';
import { matching, virtualList } from './list.mjs';

const SEVERITIES = ['error', 'warning', 'note'];
let findings = [], chosen = new Set(), explain = async () => undefined;

function section(title, text, tag = 'p') {
    return text ? [element('h4', {}, title), element(tag, {}, text)] : [];
}

function explanation(check) {
    return [element('p', {}, check.summary), ...section('Why it matters', check.why), ...section('Runtimes', check.runtimes),
        ...section('How to fix it', check.mend), ...section('Before', check.before, 'pre'), ...section('After', check.after, 'pre')];
}

// The details of a finding; its check is explained on demand.
function detail(finding) {
    const explained = element('details', {
        async ontoggle() {
            if (!explained.open || explained.childElementCount > 1)
                return;
            const check = await explain(finding.id);
            explained.append(...(check ? explanation(check) : [element('p', {}, 'There is no explanation.')]));
        },
    }, element('summary', {}, `Explain ${finding.id}`));
    return [
        element('p', {}, element('span', { class: `tag ${finding.severity}` }, finding.severity), ' ',
            element('code', {}, `${finding.id} ${finding.slug}`)),
        ...(finding.place ? [element('h3', {}, finding.place)] : []),
        ...(finding.place?.includes('node ') ? [element('p', { class: 'ways' }, seeButton(finding.place))] : []),
        element('p', { class: 'message' }, finding.message),
        ...(finding.fixable ? [element('p', { class: 'hint' }, 'opshift lint --fix can fix it.')] : []),
        explained,
    ];
}

const list = virtualList(at('findings'), {
    row: (each) => [element('span', { class: 'line' }, element('strong', { class: each.severity }, each.severity), ` ${each.message}`),
        element('span', { class: 'line under' }, element('code', {}, each.id), ` ${each.place || 'the model'}`)],
    choose: (each) => at('finding').replaceChildren(...detail(each)),
});

function draw() {
    const wanted = findings.filter((each) => chosen.has(each.severity));
    const found = matching(wanted, at('search').value, (each) => `${each.id} ${each.slug} ${each.place} ${each.message}`);
    const shown = list.show(found);
    at('counts').textContent = findings.length === 0 ? 'Nothing is wrong with this model.' :
        `${count(found.length, 'finding')} listed${shown < found.length ? `, the first ${number(shown)} of them` : ''}`;
    at('finding-pair').hidden = findings.length === 0;
    at('finding').replaceChildren(element('p', { class: 'hint' }, 'Choose a finding to read more about it.'));
    if (found.length > 0)
        list.select(0);
}

// lint: undefined while it is not known. explainer: gives the check of an id.
export function showFindings(lint, explainer) {
    at('section-findings').hidden = lint === undefined;
    if (lint === undefined)
        return;
    const rank = (each) => SEVERITIES.indexOf(each.severity);
    findings = [...lint.files[0].findings].sort((a, b) => rank(a) - rank(b));
    explain = explainer;
    const many = (severity) => findings.filter((each) => each.severity === severity).length;
    const kinds = SEVERITIES.map((severity) => [severity, many(severity), count(many(severity), severity)]).filter(([, found]) => found > 0);
    chosen = chips(at('severities'), kinds, draw);
    at('badge-findings').textContent = findings.length ? number(findings.length) : '';
    draw();
}

at('search').oninput = later(draw);
