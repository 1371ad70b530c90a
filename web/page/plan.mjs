// The conversion, node by node: each rewritten piece before and after, its verdict and why; then the new model to save.
import { at, chips, className, count, download, element, later, number, seeButton, table } from './dom.mjs';
import { matching, virtualList } from './list.mjs';
import { withFields } from './options.mjs';
import { drawPieces } from './picture.mjs';

let steps = [], chosen = new Set(), textOf = async () => undefined, address, shown;

export function hidePlan() {
    at('converted').hidden = at('save').hidden = at('nav-converted').hidden = true;
    shown = undefined;
}

// ---- one node ----

// Before or after: the drawing, where there is one, and the text. drawings: to be drawn once they are in the page.
function figure(caption, nodes, text, drawings) {
    const sheet = nodes?.length ? element('canvas', { role: 'img', 'aria-label': `${caption}: ${count(nodes.length, 'node')}` }) : undefined;
    if (sheet)
        drawings.push([sheet, nodes]);
    return element('figure', {}, element('figcaption', {}, caption),
        sheet ? element('div', { class: 'drawing' }, sheet) : nodes && element('p', { class: 'hint' }, 'No node makes its outputs.'), text);
}

function judged(piece) {
    const how = [piece.runs ? count(piece.runs, 'run') : '', piece.types?.length ? `types ${piece.types.join(', ')}` : '',
        piece.shapes?.length ? `shapes ${piece.shapes.join(', ')}` : '', piece.seed ? `seed ${piece.seed}` : ''].filter(Boolean).join('; ');
    return [
        element('p', {}, element('span', { class: `tag ${className(piece.verdict)}` }, piece.verdict), piece.why ? ` ${piece.why}` : ''),
        element('dl', {}, ...(piece.rules ? [element('dt', {}, 'Rules'), element('dd', {}, piece.rules)] : []),
            ...(how ? [element('dt', {}, 'Runs'), element('dd', {}, how)] : [])),
    ];
}

function detail(step, drawings) {
    const before = element('pre', {}, '…');
    textOf(step.node).then((text) => {
        before.textContent = text ?? 'not found';
    });
    return [
        element('h3', {}, step.node),
        element('p', { class: 'ways' }, seeButton(step.node)),
        element('p', {}, element('code', {}, step.operator), step.from !== step.to ? `, ${step.domain ?? 'opset'} ${step.from} to ${step.to}` : '',
            ...(step.replaced ? [' ', element('span', { class: `tag ${step.replaced}` }, `replaced: ${step.replaced}`)] : [])),
        ...(step.piece ? judged(step.piece) : [element('p', { class: 'hint' }, 'Not verified yet.')]),
        element('div', { class: 'figures' }, figure('Before', step.piece?.nodes?.before, before, drawings),
            figure('After', step.piece?.nodes?.after, element('pre', {}, step.becomes ?? ''), drawings)),
        ...step.assumptions.map((why) => element('p', { class: 'caution' }, `Assumes: ${why}`)),
        ...step.notes.map((why) => element('p', { class: 'hint' }, `Note: ${why}`)),
    ];
}

const list = virtualList(at('nodes'), {
    row: (step) => [element('code', { class: 'line' }, step.becomes ?? ''),
        element('span', { class: 'line under' }, element('b', { class: className(step.verdict) }, step.verdict), ` ${step.node}`)],
    choose: (step) => {
        const drawings = [];
        at('piece').replaceChildren(...detail(step, drawings));
        drawPieces(drawings).catch(() => {});
    },
});

function draw() {
    const wanted = steps.filter((step) => chosen.has(step.verdict));
    const found = matching(wanted, at('plan-search').value, (step) => `${step.node} ${step.becomes} ${step.piece?.why ?? ''}`);
    const room = list.show(found);
    at('plan-count').textContent = steps.length === 0 ? 'No node is rewritten.' :
        `${count(found.length, 'node')} listed${room < found.length ? `, the first ${number(room)} of them` : ''}`;
    at('plan-pair').hidden = steps.length === 0;
    at('piece').replaceChildren();
    if (found.length > 0)
        list.select(0);
}

// ---- the whole ----

// Reasons by node: {"node 'a' (Split)": ["...", ...]}
function byNode(remarks = []) {
    const found = new Map();
    for (const { node, assumed, note, why } of remarks)
        found.set(node, [...found.get(node) ?? [], assumed ?? note ?? why]);
    return found;
}

function stepsOf({ convert: plan, verify }) {
    const pieces = new Map((verify?.pieces ?? []).map((piece) => [piece.node, piece]));
    const assumptions = byNode(plan.assumptions), notes = byNode(plan.notes);
    return (plan.rewritten ?? []).map((each) => {
        const piece = pieces.get(each.node);
        return { ...each, piece, verdict: piece?.verdict ?? 'not verified', assumptions: assumptions.get(each.node) ?? [],
            notes: notes.get(each.node) ?? [] };
    });
}

function folded(title, body, open = false) {
    return element('details', { open }, element('summary', {}, title), element('div', { class: 'wide' }, body));
}

function remarks({ convert: plan, verify, remaining }) {
    const left = remaining?.files?.[0]?.findings ?? [];
    const rows = (items) => table(['Place', 'What'], items.map((each) => [each.place ?? each.node ?? each.file ?? '', each.what ?? each.why ?? each.message ?? '']));
    const reasons = (items) => table(['Node', 'Why'], [...byNode(items)].flatMap(([node, all]) => all.map((why) => [node, element('span', {}, ...withFields(why))])));
    const parts = [
        ['In the way', plan.blockers, () => reasons(plan.blockers), true],
        ['The runtime still refuses, or takes with a doubt', left, () => rows(left), true],
        ['Other differences', verify?.differences, () => rows(verify.differences), true],
        ['Not compared', verify?.unknown, () => rows(verify.unknown), true],
        ['Not valid', verify?.invalid, () => rows(verify.invalid), true],
        ['Assumptions', plan.assumptions, () => reasons(plan.assumptions)],
        ['Notes', plan.notes, () => reasons(plan.notes)],
        ['Kept under another version of their operator', verify?.kept, () => table(['Operator', 'Nodes', 'Rules'],
            verify.kept.map((each) => [element('code', {}, each.operator), number(each.nodes.length), each.rules]), [1])],
    ];
    return parts.filter(([, items]) => items?.length).map(([title, items, body, open]) => folded(`${title} (${number(items.length)})`, body(), open));
}

function summary({ convert: plan, verify }, seconds) {
    const moved = plan.source_opset === plan.target_opset ? `Stays at opset ${plan.source_opset}` : `Opset ${plan.source_opset} to ${plan.target_opset}`;
    const ir = plan.source_ir_version === plan.target_ir_version ? '' : `, IR version ${plan.source_ir_version} to ${plan.target_ir_version}`;
    const done = [count(plan.rewritten_count, 'node') + ' rewritten', plan.added_count ? `${count(plan.added_count, 'constant')} added` : '',
        plan.removed_count ? `${number(plan.removed_count)} removed` : ''].filter(Boolean).join(', ');
    const answer = verify === undefined ? 'not verified yet' : verify.same ? 'verified: nothing else changed' : 'not shown to be the same';
    return `${moved}${ir}: ${done}; ${answer} (${seconds.toFixed(2)} s).`;
}

// What a Blob of the new model needs: the files of external data, which did not change.
function tellBeside(external) {
    at('beside').hidden = external.length === 0;
    at('beside').textContent = `The new model keeps its external data. Put it beside ${external.join(', ')}, which did not change.`;
}

// result: {model, report}; without a model it was refused. file: the original; name: of the new one; external: names of data files.
export function showPlan({ file, name, external, nodeText, seconds, page }, { model, report }) {
    textOf = nodeText;
    shown = { report, name, page };
    steps = stepsOf(report);
    at('summary').textContent = summary(report, seconds);
    const verdicts = Object.entries(report.verify?.counts ?? {}).filter(([, many]) => many);
    at('verdicts').replaceChildren(...verdicts.map(([verdict, many]) =>
        element('span', { class: `tag ${className(verdict)}` }, `${number(many)} ${verdict}`)));
    const kinds = [...new Set(steps.map((step) => step.verdict))].map((verdict) => [verdict, steps.filter((step) => step.verdict === verdict).length]);
    chosen = chips(at('plan-verdicts'), kinds.length > 1 ? kinds : [], draw);
    kinds.forEach(([verdict]) => chosen.add(verdict));
    at('remarks').replaceChildren(...remarks(report));
    at('plan-search').value = '';
    if (address)
        URL.revokeObjectURL(address);
    address = model ? URL.createObjectURL(model) : undefined;
    at('save').hidden = at('compare-converted').hidden = at('see-converted').hidden = model === undefined;
    at('report-page').hidden = model === undefined || report.verify === undefined;
    if (model) {
        at('save').href = address;
        at('save').download = name;
    }
    at('verify').hidden = model === undefined || report.verify !== undefined;
    at('convert-anyway').hidden = model !== undefined || !report.remaining;
    at('certificate').hidden = report.verify === undefined;
    tellBeside(model ? external : []);
    at('converted').hidden = at('nav-converted').hidden = false;
    draw();
}

// For the picture: [[the node's place, its verdict, why], ...]
export function marksOf() {
    return steps.map((step) => [step.node, step.verdict, step.piece?.why ?? step.becomes ?? '']);
}

// What shows a rewritten node in the list; undefined: it is not rewritten.
export function listPlace(place) {
    const found = steps.find((each) => each.node === place);
    return found && (() => {
        at('plan-search').value = '';
        draw();
        list.find((each) => each.node === place);
        at('converted').scrollIntoView();
    });
}

function saveJson(value, end) {
    download(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }), shown.name.replace(/\.onnx$/, end));
}

at('plan-search').oninput = later(draw);
at('report-json').onclick = () => shown && saveJson(shown.report, '-report.json');
at('certificate').onclick = () => shown && saveJson(shown.report.verify, '-certificate.json');
at('report-page').onclick = async () => {
    const { name, page } = shown;
    const text = await page();
    if (text)
        download(new Blob([text], { type: 'text/html' }), name.replace(/\.onnx$/, '-report.html'));
};
