// The conversion: each rewritten node with its verdict, and the new model to save.
import { at, element } from './dom.mjs';

const MOST = 500; // rows of a list
let saved;

export function hidePlan() {
    at('converted').hidden = at('save').hidden = true;
}

export function showPlan(file, opset, { model, report }) {
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
    saved = URL.createObjectURL(model);
    at('save').href = saved;
    at('save').download = file.name.replace(/(\.onnx)?$/, `-${opset}.onnx`);
    at('save').hidden = at('converted').hidden = false;
}
