// The page: a model, its findings, the opsets that it can reach, and the converted model.
import { ask } from './ask.mjs';
import { at } from './dom.mjs';
import { onModel } from './files.mjs';
import { showFindings } from './findings.mjs';
import { readLink, writeLink } from './link.mjs';
import { showFacts } from './model.mjs';
import { opsetButton, showOpsets } from './opsets.mjs';
import { hidePlan, showPlan } from './plan.mjs';

const BIG = 2 ** 28; // bytes; a larger model can be saved before it is verified, which reads all of it
let model, turn = 0;

// Runs one piece of work; what a newer one has overtaken stays silent.
async function work(status, run) {
    const mine = ++turn;
    at('error').textContent = '';
    at('status').textContent = status;
    try {
        await run(() => mine === turn);
    } catch (error) {
        if (mine !== turn)
            return;
        hidePlan(); // a new model that is not equal is not offered any more
        at('error').textContent = error.message || 'The model cannot be converted.';
    }
    if (mine === turn)
        at('status').textContent = '';
}

function convert(opset) {
    return work(`Converting to opset ${opset} and verifying …`, async (current) => {
        for (const verify of model.size > BIG ? [false, true] : [true]) {
            const result = await ask('convert', model, { opset, verify });
            if (!current())
                return;
            showPlan(model, opset, result);
        }
    });
}

async function choose(plan) {
    writeLink({ opset: plan.opset });
    hidePlan();
    if (plan.reachable)
        await convert(plan.opset);
}

async function take(file) {
    at('result').hidden = true;
    hidePlan();
    await work(`Reading ${file.name} …`, async (current) => {
        const [show, lint, far] = await Promise.all([ask('show', file), ask('lint', file), ask('howFar', file)]);
        if (!current())
            return;
        model = file;
        showFacts(file, show);
        showFindings(lint);
        showOpsets(far, choose);
        at('result').hidden = false;
    });
    if (model === file)
        opsetButton(readLink().get('opset'))?.click();
}

onModel(take);
navigator.serviceWorker?.register('offline.mjs', { type: 'module' }).catch(() => {});
