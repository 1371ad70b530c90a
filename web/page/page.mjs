// The page: a model, its findings, the opsets that it can reach, and the converted model. All text of a model is put into
// the page as text, never as markup.
const MOST = 500; // rows of a list; the search finds the others
const BIG = 2 ** 28; // bytes; a larger model can be saved before it is verified, which reads all of it
const at = (id) => document.getElementById(id);
const worker = new Worker('worker.mjs', { type: 'module' });
const waiting = new Map();
let asked = 0, model, turn = 0, findings = [], saved;

worker.onmessage = ({ data: { id, value, failure } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failure)
        reject(Object.assign(new Error(failure.message), failure));
    else
        resolve(value);
};
worker.onerror = (event) => {
    at('error').textContent = `opshift cannot be started: ${event.message ?? 'this browser may be too old'}`;
};

function ask(name, ...args) {
    return new Promise((resolve, reject) => {
        waiting.set(++asked, { resolve, reject });
        worker.postMessage({ id: asked, name, args });
    });
}

function element(tag, text, kind) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind)
        made.className = kind;
    return made;
}

function showFacts(show) {
    const counts = Object.entries(show.counts).map(([what, count]) => `${count} ${what}`).join(', ');
    const facts = [['File', model.name], ['Size', `${show.size.toLocaleString('en')} bytes`], ['IR version', show.ir_version],
        ['Opsets', show.opsets.map(({ domain, version }) => `${domain} ${version}`).join(', ')],
        ['Producer', [show.producer_name, show.producer_version].filter(Boolean).join(' ') || 'not named'], ['Holds', counts],
        ['Splits', show.splits.length]];
    at('facts').replaceChildren(...facts.flatMap(([what, value]) => [element('dt', what), element('dd', value)]));
}

function showFindings() {
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

function obstacle(plan) {
    const blockers = plan.blockers ?? [];
    const first = blockers[0];
    if (first === undefined)
        return 'It cannot be reached.';
    const text = typeof first === 'string' ? first : [first.node, first.reason ?? first.message].filter(Boolean).join(': ');
    return `${plan.blocker_count ?? blockers.length} in the way; first: ${text}`;
}

function showOpsets({ opsets }) {
    at('opsets').replaceChildren(...opsets.map((plan) => {
        const button = element('button', plan.opset, plan.reachable ? 'yes' : 'no');
        button.type = 'button';
        button.setAttribute('aria-pressed', 'false');
        button.setAttribute('aria-label', `opset ${plan.opset}${plan.is_source ? ', the model’s' : ''}${plan.reachable ? '' : ', not reachable'}`);
        button.onclick = () => choose(plan, button);
        return button;
    }));
}

async function choose(plan, button) {
    for (const each of at('opsets').children)
        each.setAttribute('aria-pressed', String(each === button));
    history.replaceState(null, '', `#opset=${plan.opset}`);
    at('converted').hidden = true;
    at('way').textContent = plan.reachable ? '' : obstacle(plan);
    if (plan.reachable)
        await convert(plan.opset);
}

async function convert(opset) {
    const mine = ++turn;
    at('error').textContent = '';
    at('status').textContent = `Converting to opset ${opset} and verifying …`;
    try {
        for (const verify of model.size > BIG ? [false, true] : [true]) {
            const result = await ask('convert', model, { opset, verify });
            if (mine !== turn)
                return;
            showConverted(opset, result);
        }
    } catch (error) {
        if (mine === turn)
            refuse(error);
    }
    if (mine === turn)
        at('status').textContent = '';
}

// A new model that is not equal is not offered any more.
function refuse(error) {
    at('converted').hidden = at('save').hidden = true;
    at('error').textContent = error.message || 'The model cannot be converted.';
}

function showConverted(opset, { model: made, report }) {
    const { convert: plan, verify } = report;
    const verdicts = Object.entries(verify?.counts ?? {}).filter(([, count]) => count).map(([what, count]) => `${count} ${what}`).join(', ');
    const verified = verify ? `verified: ${verdicts || 'no difference'}` : 'not verified yet';
    at('summary').textContent = `Opset ${plan.source_opset} to ${plan.target_opset}: ${plan.rewritten_count} nodes rewritten, ` +
        `${plan.added_count} constants added; ${verified}.`;
    const pieces = new Map((verify?.pieces ?? []).map((each) => [each.node, each]));
    at('nodes').replaceChildren(...plan.rewritten.slice(0, MOST).map((each) => {
        const row = element('li', `${each.node}: `), piece = pieces.get(each.node);
        row.append(element('code', each.becomes ?? ''));
        if (piece)
            row.append(' ', element('span', `${piece.verdict}: ${piece.why ?? ''}`, piece.verdict));
        return row;
    }));
    if (saved)
        URL.revokeObjectURL(saved);
    saved = URL.createObjectURL(made);
    at('save').href = saved;
    at('save').download = model.name.replace(/(\.onnx)?$/, `-${opset}.onnx`);
    at('save').hidden = at('converted').hidden = false;
}

async function take(file) {
    const mine = ++turn;
    model = file;
    at('error').textContent = '';
    at('result').hidden = at('converted').hidden = true;
    at('status').textContent = `Reading ${file.name} …`;
    try {
        const [show, lint, far] = await Promise.all([ask('show', file), ask('lint', file), ask('howFar', file)]);
        if (mine !== turn)
            return;
        findings = lint.files[0].findings;
        at('way').textContent = '';
        showFacts(show);
        showFindings();
        showOpsets(far);
        at('result').hidden = false;
        const wanted = /^#opset=(\d+)$/.exec(location.hash)?.[1];
        const plan = far.opsets.find((each) => String(each.opset) === wanted);
        at('status').textContent = '';
        if (plan)
            await choose(plan, at('opsets').children[far.opsets.indexOf(plan)]);
    } catch (error) {
        if (mine === turn) {
            at('status').textContent = '';
            at('error').textContent = error.message;
        }
    }
}

at('file').onchange = ({ target }) => target.files[0] && take(target.files[0]);
at('search').oninput = showFindings;
at('sample').onclick = async () => {
    const answer = await fetch('sample.onnx');
    await take(new File([await answer.blob()], 'sample.onnx'));
};
document.ondragover = (event) => {
    event.preventDefault();
    at('drop').classList.add('over');
};
document.ondragleave = () => at('drop').classList.remove('over');
document.ondrop = (event) => {
    event.preventDefault();
    at('drop').classList.remove('over');
    const [file] = event.dataTransfer.files;
    if (file)
        take(file);
};
navigator.serviceWorker?.register('offline.mjs', { type: 'module' }).catch(() => {});
