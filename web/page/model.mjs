// What the model is: its facts.
import { at, element } from './dom.mjs';

export function showFacts(file, show) {
    const counts = Object.entries(show.counts).map(([what, count]) => `${count} ${what}`).join(', ');
    const facts = [['File', file.name], ['Size', `${show.size.toLocaleString('en')} bytes`], ['IR version', show.ir_version],
        ['Opsets', show.opsets.map(({ domain, version }) => `${domain} ${version}`).join(', ')],
        ['Producer', [show.producer_name, show.producer_version].filter(Boolean).join(' ') || 'not named'], ['Holds', counts],
        ['Splits', show.splits.length]];
    at('facts').replaceChildren(...facts.flatMap(([what, value]) => [element('dt', what), element('dd', value)]));
}
