// All nodes of the model, searched; what makes and what reads the values of one.
import { at, count, element, later, number, seeButton } from './dom.mjs';
import { matching, virtualList } from './list.mjs';

let nodes = [], byPlace, loading; // nodes: lines, "place<TAB>text"
const cut = (line) => {
    const at = line.indexOf('\t');
    return { node: line.slice(0, at), text: line.slice(at + 1) };
};

const list = virtualList(at('all-nodes'), {
    row: (line) => [element('code', { class: 'line' }, cut(line).text), element('span', { class: 'line under' }, cut(line).node)],
    choose: (line, each = cut(line)) => at('node').replaceChildren(element('h3', {}, each.node), element('p', { class: 'ways' }, seeButton(each.node)), element('pre', {}, each.text)),
});

function draw() {
    const found = matching(nodes, at('node-search').value, (line) => line);
    const shown = list.show(found);
    at('node-count').textContent = `${count(found.length, 'node')}${shown < found.length ? `, the first ${number(shown)} listed` : ''}`;
    at('node').replaceChildren(element('p', { class: 'hint' }, 'Choose a node to see it whole.'));
}

// Before the nodes of a model are loaded: load gives them.
export function resetNodes(load) {
    nodes = [];
    byPlace = undefined;
    at('node-search').value = '';
    list.show([]);
    at('node-count').textContent = '';
    loading = undefined;
    start = () => loading ??= load().then((found) => {
        nodes = found === '' ? [] : found.split('\n');
        draw();
    }).catch(() => {});
}

let start = () => undefined;

// The text of the node at a place, when the nodes are there.
export async function nodeText(place) {
    await start();
    byPlace ??= new Map(nodes.map((line) => [cut(line).node, cut(line).text]));
    return byPlace.get(place);
}

at('node-search').oninput = later(draw);
at('node-search').onfocus = () => start();
new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && start()).observe(at('all-nodes'));
