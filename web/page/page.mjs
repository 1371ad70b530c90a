// The page: which model is shown, and what happens when.
import { ask, stop as stopWork, workerOf } from './ask.mjs';
import { at, later, visible } from './dom.mjs';
import { hideDiff, listDifference, showDiff } from './diff.mjs';
import { askWhich, findData, isModel, isText, onFiles } from './files.mjs';
import { showFindings } from './findings.mjs';
import { readLink, writeLink } from './link.mjs';
import { onInitializers, showModel } from './model.mjs';
import { nodeText, resetNodes } from './nodes.mjs';
import { chooseNoOpset, chosenDomains, hideOpsets, opsetButton, showDomains, showOpsets, showTargets } from './opsets.mjs';
import { convertOptions, giveOptions, linkOptions, onOptions, planOptions, readOptions, showShapes } from './options.mjs';
import { hidePicture, markFindings, showPair, showPicture, showPlace } from './picture.mjs';
import { hidePlan, listPlace, marksOf, showPlan } from './plan.mjs';
import { onText, openEditor, setText, showFault } from './text.mjs';

const BIG = 2 ** 28; // bytes; a larger model is verified on demand, since that reads all of it
const MANY = 20000; // nodes of a model whose plan is shown before it is verified
const TEXT_MAX = 2 ** 20; // bytes of a model that is shown as text
let shown; // {path, file, files, model: {model, data}, show, text, converted}
let goal = {}; // {opset} or {target}, of the conversion that is shown
const planner = workerOf('worker.mjs'); // plans for all opsets take longest: in a worker of their own nothing waits for them
let planning = 0; // plans that are made

async function askPlans(...args) {
    planning++;
    try {
        return await planner.ask('howFar', ...args);
    } finally {
        planning--;
    }
}

function stop(why) {
    stopWork(why);
    planner.stop(why);
}

let turn = 0, long = false; // long: a big model is verified, which anything else ends

// Runs one piece of work. What a newer one has overtaken stays silent.
async function work(status, run) {
    const mine = ++turn;
    if (long)
        stop('Stopped.');
    at('error').textContent = '';
    at('status').textContent = status;
    at('stop').hidden = false;
    let value;
    try {
        value = await run(() => mine === turn);
    } catch (error) {
        if (mine === turn)
            at('error').textContent = error.message || 'The work failed without a message.';
    }
    if (mine === turn) {
        at('status').textContent = '';
        at('stop').hidden = true;
    }
    return value;
}

function goTo(id) {
    at(id).scrollIntoView();
    at(id).querySelector('h2').focus({ preventScroll: true });
}

// ---- the model ----

const checks = {};
async function explain(id) {
    checks.all ??= ask('checks').then((report) => new Map(report.checks.map((each) => [each.id, each])));
    return (await checks.all).get(id);
}

function tellMissing() {
    const missing = shown.show.external.filter((location) => !shown.model.data.some(([name]) => name === location));
    at('missing').hidden = missing.length === 0;
    at('missing').textContent = `Its external data is missing: ${missing.join(', ')}. Drop ${missing.length === 1 ? 'this file' : 'these files'}, too.`;
}

// Shows what is known: the facts, then what takes longer.
async function read(candidate, current) {
    const { file, files, path } = candidate;
    const show = await ask('show', file);
    const model = { model: file, data: findData({ path }, show.external, files) };
    if (planning)
        planner.stop('Another model is read.');
    const linted = ask('lint', model), planned = askPlans(model);
    linted.catch(() => {});
    planned.catch(() => {});
    if (!current())
        return false;
    shown = { ...candidate, model, show };
    showModel({ file, data: model.data }, show);
    tellMissing();
    showShapes(show);
    giveOptions([...readLink()]);
    resetNodes(() => ask('nodeLines', model));
    hideDiff();
    at('as-text').hidden = file.size > TEXT_MAX;
    at('drop').classList.add('taken');
    at('result').hidden = false;
    document.title = `${visible(file.name)} – opshift`;
    showPicture(model, file.name, () => shown?.far?.opsets ?? []);
    const lint = await linted;
    if (!current())
        return false;
    showFindings(lint, explain);
    markFindings(lint.files[0].findings);
    at('status').textContent = 'Planning for each opset …';
    const far = await planned;
    if (!current())
        return false;
    showReach(far);
    return true;
}

function showReach(far) {
    shown.far = far;
    showOpsets(far, choose, (options) => {
        giveOptions(readOptions(options));
        at('options').open = true;
        replan();
    });
    showDomains(far, () => goal.opset && convert());
}

// candidate: {path, file, files: what came with it, text: when it was written as text}
async function take(candidate) {
    at('result').hidden = at('choices').hidden = true;
    hidePlan();
    hidePicture();
    showFindings(undefined);
    hideOpsets();
    const taken = await work(`Reading ${visible(candidate.file.name)} …`, (current) => read(candidate, current));
    if (!taken)
        return;
    const link = readLink();
    if (Object.keys(planOptions()).length)
        await replan(false);
    if (link.get('target'))
        await convertFor(link.get('target'));
    else
        await opsetButton(link.get('opset'))?.onclick();
}

async function takeFiles(files) {
    if (files.length === 1 && isText(files[0])) {
        setText(await files[0].file.text());
        openEditor();
        return takeText(at('text').value);
    }
    const models = files.length === 1 && !shown?.show.external.length ? files : files.filter(isModel);
    if (models.length === 1)
        return take({ ...models[0], files });
    if (models.length === 2 && files.length === 2) {
        await take({ ...models[0], files });
        return compare(models[1].file);
    }
    if (models.length > 1)
        return askWhich(models, (model) => take({ ...model, files }));
    if (shown?.show.external.length) // data files that were missing
        return take({ ...shown, files: [...shown.files, ...files] });
    at('error').textContent = 'None of these files is a model: drop one whose name ends in .onnx, alone or with its data files.';
}

async function takeText(text) {
    showFault(undefined);
    const bytes = await work('Reading the text …', async () => {
        try {
            return await ask('assemble', text);
        } catch (error) {
            showFault(error.message);
            throw error;
        }
    });
    if (bytes) {
        const file = new File([bytes], 'model.onnx');
        await take({ path: file.name, file, files: [], text });
        updateLink();
    }
}

function updateLink() {
    const domains = chosenDomains().map((each) => ['domain', each]);
    const pairs = Object.entries(goal).filter(([name]) => name !== 'allowRemaining');
    writeLink([...pairs, ...linkOptions(), ...domains], shown?.text);
}

// ---- the conversion ----

async function choose(plan) {
    goal = { opset: plan.opset };
    at('target').value = '';
    hidePlan();
    updateLink();
    if (plan.reachable)
        await convert();
}

async function convertFor(target, more = {}) {
    goal = { target, ...more };
    at('target').value = target;
    chooseNoOpset();
    hidePlan();
    updateLink();
    await convert();
}

// The options changed: what each opset takes now, then the chosen one again.
async function replan(again = true) {
    hidePlan();
    await work('Planning for each opset …', async (current) => {
        const far = await askPlans(shown.model, planOptions());
        if (current())
            showReach(far);
    });
    updateLink();
    if (again && goal.target)
        await convertFor(goal.target);
    else if (again && goal.opset)
        await opsetButton(goal.opset)?.onclick();
}

function newName() {
    const end = goal.target ? goal.target.replaceAll(/[^\w.-]/g, '-') : goal.opset;
    return shown.file.name.replace(/(\.onnx)?$/i, `-${end}.onnx`);
}

function goalOptions() {
    const { opset, ...rest } = goal;
    const domains = chosenDomains();
    return { ...convertOptions(), ...rest, ...(opset ? { opset: [opset, ...domains] } : domains.length ? { opset: domains } : {}) };
}

// Of many nodes the plan is shown before it is verified.
function stages({ file, show }) {
    if (file.size > BIG && !goal.target)
        return [false];
    return show.counts.nodes >= MANY && !goal.target ? [false, true] : [true];
}

function convert(verifying = stages(shown)) {
    const what = goal.target ? `for ${goal.target}` : `to opset ${goal.opset}`;
    return work(`Converting ${what}${verifying.includes(true) ? ' and verifying' : ''} …`, async (current) => {
        const options = goalOptions(), { model, file, show } = shown, start = performance.now();
        const view = () => ({ file, name: newName(), external: show.external, nodeText, seconds: (performance.now() - start) / 1000,
            page: () => work('Writing the report …', () => ask('convertPage', model, options)) });
        try {
            for (const verify of verifying) {
                long = verify && file.size > BIG;
                const result = await ask('convert', model, { ...options, verify });
                if (!current())
                    return;
                shown.converted = result.model;
                showPlan(view(), result);
                if (verify === verifying[0])
                    goTo('converted');
            }
        } catch (error) {
            if (!current())
                return;
            hidePlan(); // a new model that is not equal is not offered any more
            if (error.report?.convert)
                showPlan(view(), { report: error.report });
            throw error;
        } finally {
            if (current())
                long = false;
        }
    });
}

// ---- comparing ----

function compare(other, name = other.name) {
    return work(`Comparing with ${visible(name)} …`, async (current) => {
        const report = await ask('diff', shown.model, other);
        if (!current())
            return;
        showDiff(report, [shown.file.name, name].map(visible));
        shown.other = { model: other, name };
        goTo('section-compare');
    });
}

// Both models in the picture; back to the list from a node.
function seeDifference() {
    const { model, name } = shown.other;
    return work('Drawing both models …', () => showPair(model, `${visible(shown.file.name)} and ${visible(name)}`, [], listDifference));
}

function seeConversion() {
    return work('Drawing before and after …', () => showPair(new File([shown.converted], newName()), `before and after: ${visible(newName())}`, marksOf(), (place) => listPlace(place)));
}

// ---- the controls ----

onFiles(takeFiles);
onText(takeText);
onOptions(() => shown && replan());
onInitializers(() => work('Reading the initializers …', async () => (await ask('show', shown.model, { initializers: true })).initializers));
at('target-form').onsubmit = (event) => {
    event.preventDefault();
    if (at('target').value)
        convertFor(at('target').value);
};
at('verify').onclick = () => convert([true]);
at('convert-anyway').onclick = () => convertFor(goal.target, { allowRemaining: true });
at('other').onchange = ({ target }) => target.files[0] && compare(target.files[0]);
at('see-difference').onclick = seeDifference;
at('see-converted').onclick = seeConversion;
document.addEventListener('see-place', ({ detail }) => showPlace(detail));
at('compare-converted').onclick = () => compare(new File([shown.converted], newName()));
at('as-text').onclick = () => work('Writing the model as text …', async () => {
    setText(await ask('toText', shown.model));
    openEditor();
    at('drop').scrollIntoView();
});
at('stop').onclick = () => stop('Stopped.');
for (const button of document.querySelectorAll('nav button'))
    button.onclick = () => goTo(button.dataset.section);

// The section that the reader is in is marked: the last that begins above the upper third.
addEventListener('scroll', later(() => {
    const buttons = [...document.querySelectorAll('nav button')].filter((each) => !each.hidden && !at(each.dataset.section).hidden);
    const current = buttons.findLast((each) => at(each.dataset.section).getBoundingClientRect().top < innerHeight / 3) ?? buttons[0];
    for (const each of buttons)
        if (each === current)
            each.setAttribute('aria-current', 'true');
        else
            each.removeAttribute('aria-current');
}, 50), { passive: true });

navigator.serviceWorker?.register('offline.mjs', { type: 'module' }).catch(() => {});
ask('targets').then(showTargets, (error) => {
    at('error').textContent = error.message;
});
const linked = readLink().get('text');
if (linked) {
    setText(linked);
    openEditor();
    takeText(linked);
}
