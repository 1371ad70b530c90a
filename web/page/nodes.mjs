// All nodes of the model, searched; what makes and what reads the values of one.
import { at, count, element, later, number, seeButton } from './dom.mjs';
import { matching, virtualList } from './list.mjs';

let nodes = [], byPlace = new Map(), loading;

const list = virtualList(at('all-nodes'), {
    row: (each) => [element('code', { class: 'line' }, each.text), element('span', { class: 'line under' }, each.node)],
    choose: (each) => at('node').replaceChildren(element('h3', {}, each.node), element('p', { class: 'ways' }, seeButton(each.node)), element('pre', {}, each.text)),
});

function draw() {
    const found = matching(nodes, at('node-search').value, (each) => `${each.node} ${each.text}`);
    const shown = list.show(found);
    at('node-count').textContent = `${count(found.length, 'node')}${shown < found.length ? `, the first ${number(shown)} listed` : ''}`;
    at('node').replaceChildren(element('p', { class: 'hint' }, 'Choose a node to see it whole.'));
}

// Before the nodes of a model are loaded: load gives them.
export function resetNodes(load) {
    nodes = [];
    byPlace = new Map();
    at('node-search').value = '';
    list.show([]);
    at('node-count').textContent = '';
    loading = undefined;
    start = () => loading ??= load().then((found) => {
        nodes = found;
        byPlace = new Map(nodes.map((each) => [each.node, each.text]));
        draw();
    }).catch(() => {});
}

let start = () => undefined;

// The text of the node at a place, when the nodes are there.
export async function nodeText(place) {
    await start();
    return byPlace.get(place);
}

at('node-search').oninput = later(draw);
at('node-search').onfocus = () => start();
new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && start()).observe(at('all-nodes'));
