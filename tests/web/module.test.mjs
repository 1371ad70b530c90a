// The npm package: the same answers as the native command.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { OPSHIFT: native, OPSHIFT_NPM: staged, OPSHIFT_SAMPLE: sample } = process.env;
const work = mkdtempSync(join(tmpdir(), 'opshift-npm-'));
const installed = join(work, 'node_modules/opshift');
const net = join(work, 'net.onnx');
let api;

before(async () => {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', work, staged], { cwd: work });
    writeFileSync(join(work, 'package.json'), '{"private": true}');
    execFileSync('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', '--omit=optional', './opshift-0.1.0.tgz'],
        { cwd: work });
    execFileSync(native, ['assemble', sample, '-o', net]);
    api = await import(pathToFileURL(join(installed, 'index.mjs')));
});
after(() => rmSync(work, { recursive: true }));

function nativeConvert(...options) {
    const out = join(work, 'native.onnx');
    execFileSync(native, ['convert', net, ...options, '-o', out]);
    return readFileSync(out);
}

function runBin(args, input) {
    return spawnSync(process.execPath, [join(installed, 'bin/opshift.mjs'), ...args], { cwd: work, input });
}

test('bytes, a Blob, a File and a path give the bytes of the native command', async () => {
    const bytes = readFileSync(net);
    for (const opset of [1, 18, 28]) {
        const wanted = nativeConvert('--opset', String(opset));
        for (const model of [new Uint8Array(bytes), new Blob([bytes]), net]) {
            const { model: made, report } = await api.convert(model, { opset, verify: true });
            const seen = made instanceof Blob ? new Uint8Array(await made.arrayBuffer()) : made;
            assert.deepEqual(Buffer.from(seen), wanted);
            assert.equal(report.verify.same, true);
            assert.equal(model instanceof Blob, made instanceof Blob);
        }
    }
    const out = join(work, 'out.onnx');
    assert.equal((await api.convert(net, { opset: 18, out })).model, undefined);
    assert.deepEqual(readFileSync(out), nativeConvert('--opset', '18'));
});

test('reports are those of the native command', async () => {
    const told = (...args) => JSON.parse(spawnSync(native, [...args, '-f', 'json']).stdout);
    assert.deepEqual(await api.show(net), told('show', net));
    assert.deepEqual(await api.lint(net), told('lint', '--no-config', net));
    assert.deepEqual(await api.howFar(net), told('convert', '--how-far', net));
    const after = join(work, 'after.onnx');
    writeFileSync(after, nativeConvert('--opset', '18'));
    assert.deepEqual(await api.diff(net, after), told('diff', net, after));
    assert.deepEqual(await api.verify(net, after), told('verify', net, after));
    assert.equal((await api.open(readFileSync(net)).verify(readFileSync(after))).same, true);
});

test('a model as text and back, with its place where it is wrong', async () => {
    const text = readFileSync(sample, 'utf8');
    const model = await api.assemble(text);
    assert.deepEqual(Buffer.from(model), readFileSync(net));
    assert.equal(await api.toText(model), execFileSync(native, ['show', '--text', net], { encoding: 'utf8' }));
    await assert.rejects(api.assemble('<ir_version: 8>\ng (float x) => (y) { y = }'),
        { name: 'OpshiftError', status: 3, message: 'model.txt:2:26: expected an operator, found \'}\'' });
});

test('explanations, targets and the report as a page', async () => {
    const told = (...args) => execFileSync(native, args, { encoding: 'utf8' });
    assert.equal(await api.explain('SPL004'), told('explain', 'SPL004'));
    assert.equal((await api.explain('no-such-check').catch((error) => error)).status, 2);
    assert.deepEqual(await api.checks(), JSON.parse(told('lint', '--list-checks', '-f', 'json')));
    assert.deepEqual(await api.targets(), JSON.parse(told('targets', '-f', 'json')));
    assert.match(await api.convertPage(new Uint8Array(readFileSync(net)), { opset: 18 }), /^<!DOCTYPE html>[^]*<svg [^]*<\/html>\n$/);
});

test('the files of external data come with the model', async () => {
    writeFileSync(join(work, 'beside.txt'), '<ir_version: 8, opset_import: ["" : 13]>\n' +
        'g (float[2] x) => (float[2] y) <float[2] w = ["location" : "data/w.bin"]> { y = Add (x, w) }\n');
    execFileSync(native, ['assemble', 'beside.txt', '-o', 'beside.onnx'], { cwd: work });
    const model = new Uint8Array(readFileSync(join(work, 'beside.onnx'))), data = [['data/w.bin', new Uint8Array(8)]];
    const missing = (report) => report.files[0].findings.filter((each) => each.id.startsWith('EXT')).length;
    assert.deepEqual((await api.show(model)).external, ['data/w.bin']);
    assert.ok(missing(await api.lint(model)) > 0);
    assert.equal(missing(await api.lint({ model, data })), 0);
    assert.equal(missing(await api.lint({ model: new Blob([model]), data: [['data/w.bin', new Blob([data[0][1]])]] })), 0);
    const { model: made } = await api.convert({ model, data }, { opset: 18, verify: true });
    assert.equal((await api.diff({ model, data }, { model: made, data })).counts.removed, 0);
    assert.equal((await api.diff({ model, data }, { model, data })).same, true);
});

test('a refusal names its blockers, and faults have their status', async () => {
    writeFileSync(join(work, 'new.txt'), '<ir_version: 10, opset_import: ["" : 13]>\ng (bfloat16[4] x) => (y) { y = Neg (x) }\n');
    execFileSync(native, ['assemble', 'new.txt', '-o', 'new.onnx'], { cwd: work });
    const refused = await api.convert(readFileSync(join(work, 'new.onnx')), { opset: 9 }).catch((error) => error);
    assert.ok(refused instanceof api.Refused);
    assert.match(JSON.stringify(refused.blockers), /bfloat16/);
    const status = async (promise) => (await promise.catch((error) => error)).status;
    assert.equal(await status(api.show(new Uint8Array([1, 2, 3]))), 3);
    assert.equal(await status(api.show(join(work, 'missing.onnx'))), 4);
    assert.equal(await status(api.convert(net, { opset: 99 })), 2);
    await assert.rejects(async () => api.show(7), { name: 'TypeError' });
});

test('the command has the same exit statuses and outputs', () => {
    const args = [['show', 'net.onnx'], ['convert', 'net.onnx', '--opset', '99'], ['lint', 'missing.onnx'], ['--version'],
        ['convert', 'net.onnx', '--opset', '13', '--dry-run'], ['explain', 'SPL004']];
    for (const each of args) {
        const wanted = spawnSync(native, each, { cwd: work }), seen = runBin(each);
        assert.equal(String(seen.stdout), String(wanted.stdout), each.join(' '));
        assert.equal(String(seen.stderr), String(wanted.stderr), each.join(' '));
        assert.equal(seen.status, wanted.status, each.join(' '));
    }
    const piped = runBin(['convert', '-', '--opset', '18', '-o', '-'], readFileSync(net));
    assert.deepEqual(piped.stdout, nativeConvert('--opset', '18'));
    assert.equal(runBin(['convert', 'net.onnx', '--opset', '18', '-o', 'wasm.onnx']).status, 0);
    assert.deepEqual(readFileSync(join(work, 'wasm.onnx')), nativeConvert('--opset', '18'));
});
