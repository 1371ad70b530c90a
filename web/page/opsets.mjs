// The opsets: which can be reached, and all that is in the way of the others, with what would unlock them.
import { at, count, element, number, seeButton, table } from './dom.mjs';
import { withFields } from './options.mjs';

function caption(plan) {
    if (plan.is_source)
        return 'its own';
    if (!plan.reachable)
        return 'blocked';
    const changed = plan.rewritten_count + plan.replaced_count;
    return changed ? count(changed, 'node') : 'as it is';
}

function label(plan) {
    const changed = plan.rewritten_count + plan.replaced_count;
    const what = plan.is_source ? ', the model’s own' : !plan.reachable ? ', not reachable' : `, ${count(changed, 'node')} changed`;
    return `opset ${plan.opset}${what}`;
}

// "reachable with --shape x=2x6": a button that gives the options.
function unlocking(options, give) {
    return element('p', { class: 'row' }, 'Reachable with ', ...withFields(options.join(' ')),
        element('button', { type: 'button', onclick: () => give(options) }, 'Apply'));
}

// give: called with the options of the command that would help, as the command spells them.
function obstacle(plan, give) {
    const blockers = plan.blockers ?? [];
    const step = ({ domain, from, to }) => from === to ? '' : `${domain ? `${domain} ` : ''}${from}\u00a0to\u00a0${to}`;
    const rows = blockers.map((each) => [number(each.count), element('code', {}, each.operator), step(each), element('span', {}, ...withFields(each.why)),
        element('span', {}, each.node, ' ', seeButton(each.node))]);
    return [
        element('p', { class: 'blocked' }, element('strong', {}, `Opset ${plan.opset} cannot be reached`),
            blockers.length ? `: ${count(plan.blocker_count, 'node')} in the way.` : `: ${plan.why ?? 'unknown'}`),
        ...(plan.with?.length ? [unlocking(plan.with, give)] : []),
        ...(rows.length ? [element('div', { class: 'wide' }, table(['Nodes', 'Operator', 'Step', 'Reason and way out', 'First'], rows, [0]))] : []),
    ];
}

function press(chosen) {
    for (const each of at('opsets').children)
        each.setAttribute('aria-pressed', String(each === chosen));
}

// choose: called with the plan of the opset that is chosen.
export function showOpsets({ opsets }, choose, give) {
    at('section-opsets').hidden = false;
    at('way').replaceChildren();
    at('opsets').replaceChildren(...opsets.map((plan) => {
        const kind = plan.is_source ? 'own' : plan.reachable ? 'yes' : 'no';
        const button = element('button', {
            type: 'button', class: kind, 'data-opset': plan.opset, 'aria-pressed': 'false', 'aria-label': label(plan), onclick() {
                press(button);
                at('way').replaceChildren(...(plan.reachable ? [] : obstacle(plan, give)));
                return choose(plan);
            },
        }, element('b', {}, String(plan.opset)), element('small', {}, caption(plan)));
        return button;
    }));
}

// Before they are known.
export function hideOpsets() {
    at('section-opsets').hidden = true;
    at('opsets').replaceChildren();
    at('way').replaceChildren();
}

// For each other domain of the model a choice of its version.
export function showDomains({ domains = [] }, changed) {
    at('domains').replaceChildren(...domains.map(({ domain, opset, opsets }) => element('p', { class: 'row' },
        element('label', { for: `domain-${domain}` }, `Opset of ${domain}`),
        element('select', { id: `domain-${domain}`, 'data-domain': domain, onchange: changed },
            element('option', { value: '' }, `${opset}, as it is`),
            opsets.filter((plan) => !plan.is_source).map((plan) =>
                element('option', { value: plan.opset }, `${plan.opset}${plan.reachable ? '' : ' (blocked)'}`))))));
}

// {"ai.onnx.ml": "3"} of the domains that move.
export function chosenDomains() {
    return [...at('domains').querySelectorAll('select')].filter((each) => each.value).map((each) => `${each.dataset.domain}=${each.value}`);
}

export function opsetButton(opset) {
    return [...at('opsets').children].find((each) => each.dataset.opset === String(opset));
}

export function chooseNoOpset() {
    press(undefined);
    at('way').replaceChildren();
}

export function showTargets({ targets }) {
    at('target').replaceChildren(element('option', { value: '' }, 'choose a runtime'), ...targets.flatMap(({ target, description, versions }) =>
        versions.length < 2 ? [element('option', { value: target }, description)] :
            [element('optgroup', { label: description }, versions.map((version) =>
                element('option', { value: `${target}@${version}` }, `${target} ${version}`)))]));
}
