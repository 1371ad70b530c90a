// What is wrong with the model: the findings of lint, searched.
import { at, element } from './dom.mjs';

const MOST = 500; // rows of a list; the search finds the others
let findings = [];

function draw() {
    const sought = at('search').value.toLowerCase();
    const found = findings.filter((each) => `${each.id} ${each.slug} ${each.place} ${each.message}`.toLowerCase().includes(sought));
    const count = (severity) => found.filter((each) => each.severity === severity).length;
    at('counts').textContent = `${count('error')} errors, ${count('warning')} warnings, ${count('note')} notes` +
        (found.length > MOST ? `; the first ${MOST} are listed` : '');
    at('findings').replaceChildren(...found.slice(0, MOST).map((each) => {
        const row = element('li', '');
        row.append(element('strong', each.severity, each.severity), ` ${each.place ? `${each.place}: ` : ''}${each.message} `,
            element('code', `${each.id} ${each.slug}`));
        return row;
    }));
}

export function showFindings(lint) {
    findings = lint.files[0].findings;
    draw();
}

at('search').oninput = draw;
