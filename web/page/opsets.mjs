// The opsets: which can be reached, and what is in the way of the others.
import { at, element } from './dom.mjs';

function obstacle(plan) {
    const blockers = plan.blockers ?? [];
    const first = blockers[0];
    if (first === undefined)
        return plan.why ?? 'It cannot be reached.';
    return `${plan.blocker_count} in the way; first: ${first.node}: ${first.why}`;
}

// choose: called with the plan of an opset that can be reached, or undefined.
export function showOpsets({ opsets }, choose) {
    at('way').textContent = '';
    at('opsets').replaceChildren(...opsets.map((plan) => {
        const button = element('button', plan.opset, plan.reachable ? 'yes' : 'no');
        button.type = 'button';
        button.dataset.opset = plan.opset;
        button.setAttribute('aria-pressed', 'false');
        button.setAttribute('aria-label', `opset ${plan.opset}${plan.is_source ? ', the model’s' : ''}${plan.reachable ? '' : ', not reachable'}`);
        button.onclick = () => {
            for (const each of at('opsets').children)
                each.setAttribute('aria-pressed', String(each === button));
            at('way').textContent = plan.reachable ? '' : obstacle(plan);
            return choose(plan);
        };
        return button;
    }));
}

export function opsetButton(opset) {
    return [...at('opsets').children].find((each) => each.dataset.opset === String(opset));
}
