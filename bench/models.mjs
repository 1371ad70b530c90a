// Whole models, by the built-in kernels and by ONNX Runtime with one thread each, in turns: processor time.
// models.mjs OPSHIFT MEASURE MODEL...; MEASURE is bench/measure.
// OPSHIFT_ORT_NODE names the package onnxruntime-node. Ours is all that `opshift run` does, with its start, the reading of
// the weights and the drawing of the input; ONNX Runtime's is run() alone, of an open session. The least of 7 turns each.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';

const ort = createRequire(import.meta.url)(process.env.OPSHIFT_ORT_NODE ?? 'onnxruntime-node');
const [opshift, measure, ...models] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'opshift-bench-'));

const oneThread = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 };

async function timed(work) {
    const start = process.cpuUsage();
    await work();
    const used = process.cpuUsage(start);
    return (used.user + used.system) / 1000;
}

function runOurs(model) {
    const command = `exec "${opshift}" run "${model}" --random -o "${join(work, 'out.npz')}"`;
    const told = execFileSync(measure, [command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(told.trim().split('\n').at(-1).split(' ')[1]) * 1000;
}

console.log('| model | ONNX Runtime | opshift | ratio | ONNX Runtime, opened for it | ratio |\n| --- | --- | --- | --- | --- | --- |');
for (const model of models) {
    const session = await ort.InferenceSession.create(model, oneThread);
    const shown = JSON.parse(execFileSync(opshift, ['show', model, '-f', 'json'], { maxBuffer: 1 << 30 }));
    const dims = shown.inputs[0].shape;
    const x = new ort.Tensor('float32', new Float32Array(dims.reduce((all, dim) => all * dim, 1)).fill(0.5), dims);
    const feeds = { [shown.inputs[0].name]: x };
    let theirs = Infinity, opened = Infinity, ours = Infinity;
    for (let turn = 0; turn < 7; turn++) {
        theirs = Math.min(theirs, await timed(() => session.run(feeds)));
        opened = Math.min(opened, await timed(async () => (await ort.InferenceSession.create(model, oneThread)).run(feeds)));
        ours = Math.min(ours, runOurs(model));
    }
    console.log(`| ${basename(model, '.onnx')} | ${theirs.toFixed(1)} ms | ${ours.toFixed(1)} ms | ${(ours / theirs).toFixed(1)} | `
        + `${opened.toFixed(1)} ms | ${(ours / opened).toFixed(1)} |`);
}
rmSync(work, { recursive: true });
