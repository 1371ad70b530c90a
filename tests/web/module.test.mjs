// The npm package: the same answers as the native command.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync } from 'node:zlib';
import { model, node, tensorType, value } from './models.mjs';

const { OPSHIFT: native, OPSHIFT_NPM: staged, OPSHIFT_SAMPLE: sample, OPSHIFT_PACKAGING: packaging } = process.env;
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

test('convert without a goal says what is missing', async () => {
    for (const options of [undefined, {}, { out: 'new.onnx' }])
        await assert.rejects(api.convert(net, options), { message: 'convert: no opset and no other goal is given; write convert(model, { opset: 18 })' });
});

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

test('files that are given stay in memory, whatever their names', async () => {
    const { command } = await import(pathToFileURL(join(installed, 'command.mjs')));
    const bytes = new Uint8Array(readFileSync(net));
    const above = `../../../../../..${work}/above.bin`;
    assert.equal((await api.diff(net, { model: bytes, data: [[above, bytes]] })).same, true);
    assert.equal(existsSync(join(work, 'above.bin')), false);
    const { list } = await command(['show', '/dev/shm/models/given.onnx'], { machine: true, files: [['given.onnx', bytes]] });
    assert.deepEqual(list('/dev/shm/models'), ['given.onnx']);
    assert.equal(existsSync('/dev/shm/models/given.onnx'), false);
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

test('what a page loads has at most 800 KB, compressed', () => {
    const size = brotliCompressSync(readFileSync(join(installed, 'opshift.wasm'))).length;
    assert.ok(size <= 800_000, `opshift.wasm: ${size} bytes by brotli`);
});

test('models are edited and joined', async () => {
    const out = join(work, 'edited.onnx'), x = (await api.show(net)).inputs[0].name;
    execFileSync(native, ['edit', net, '-o', out, '--rename', `${x}=input`, '--strip', 'names']);
    const { model: made, report } = await api.edit(readFileSync(net), { rename: { [x]: 'input' }, strip: 'names' });
    assert.deepEqual(Buffer.from(made), readFileSync(out));
    assert.equal(report.verified.verdict, 'proved');
    const relu = await api.assemble('<ir_version: 8, opset_import: ["" : 13]>\ng (float[N] a) => (float[N] b) { b = Relu (a) }');
    const both = await api.join(relu, relu, { connect: { b: 'a' } });
    assert.equal(both.report.verified.verdict, 'proved');
    assert.equal((await api.show(both.model)).outputs[0].name, 'b_b');
    await assert.rejects(api.edit(relu, { rename: { q: 'x' } }), { name: 'OpshiftError', status: 2 });
});

test('types and shapes are inferred, models computed and rules listed', async () => {
    const out = join(work, 'inferred.onnx');
    execFileSync(native, ['infer', net, '-o', out]);
    for (const model of [net, readFileSync(net)]) {
        const { model: made, report } = await api.infer(model);
        assert.deepEqual(Buffer.from(made), readFileSync(out));
        assert.equal(report.kind, 'infer');
    }
    const add = await api.assemble('<ir_version: 8, opset_import: ["" : 13]>\n' +
        'g (int64[2, N] x, float[N] f) => (int64[2, N] y, float[N] "a/b", bool[N] b) {\n' +
        'y = Add (x, x)\n"a/b" = Neg (f)\nb = IsNaN (f)\n}');
    const outputs = await api.run(add, {
        x: { type: 'int64', dims: [2, 1], data: [5n, -(2n ** 40n)] },
        f: { type: 'float32', dims: [1], data: new Float32Array([1.5]) },
    });
    assert.deepEqual(outputs, {
        y: { type: 'int64', dims: [2, 1], data: new BigInt64Array([10n, -(2n ** 41n)]) },
        'a/b': { type: 'float32', dims: [1], data: new Float32Array([-1.5]) },
        b: { type: 'bool', dims: [1], data: new Uint8Array([0]) },
    });
    const names = ['50%', 'a%2Fb', Buffer.from('a\xff', 'latin1')], float = tensorType(1, 2);
    const odd = model({ inputs: [value('x', float)], outputs: names.map((name) => value(name, float)),
        nodes: names.map((name) => node({ op: 'Neg', inputs: ['x'], outputs: [name] })) });
    assert.deepEqual(Object.keys(await api.run(odd, { x: { type: 'float32', dims: [2], data: [1, 2] } })).sort(), ['50%', 'a%2Fb', 'a%FF']);
    await assert.rejects(api.run(add, { x: { type: 'int46', data: [] } }), { name: 'TypeError', message: /^input 'x': type 'int46'/ });
    await assert.rejects(api.run(add, {}), { name: 'OpshiftError' });
    assert.deepEqual(await api.rules(), JSON.parse(execFileSync(native, ['rules', 'list', '-f', 'json'], { maxBuffer: 1e8 })));
});

test('many runs do not keep their memory', async () => {
    const bytes = readFileSync(net);
    const runs = async (count) => {
        for (let each = 0; each < count; each++)
            await api.show(bytes);
        return process.memoryUsage().rss;
    };
    const early = await runs(30);
    const late = await runs(120);
    assert.ok(late < early + 100e6, `${early} bytes after 30 runs, ${late} after 150`);
});

test('worker threads', async () => {
    const code = `import(${JSON.stringify(pathToFileURL(join(installed, 'index.mjs')).href)}).then((opshift) => opshift.show(${JSON.stringify(net)}))
        .then((report) => require('node:worker_threads').parentPort.postMessage(report))`;
    const ask = () => new Promise((resolve, reject) => new Worker(code, { eval: true }).on('message', resolve).on('error', reject));
    const [one, two] = await Promise.all([ask(), ask()]);
    assert.deepEqual(one, await api.show(net));
    assert.deepEqual(two, one);
});

test('an IR of OpenVINO is written and read', () => {
    writeFileSync(join(work, 'split.txt'), '<ir_version: 8, opset_import: ["" : 13]>\n' +
        'g (float[4, 6] x) => (float[4, 3] y, float[4, 3] z) { y, z = Split <axis = 1> (x) }\n');
    execFileSync(native, ['assemble', 'split.txt', '-o', 'split.onnx'], { cwd: work });
    for (const [program, name] of [[[native], 'native'], [[process.execPath, join(installed, 'bin/opshift.mjs')], 'here']]) {
        const [command, ...first] = program;
        execFileSync(command, [...first, 'export', 'split.onnx', '--to', 'openvino', '-o', `${name}.xml`], { cwd: work });
        execFileSync(command, [...first, 'import', `${name}.xml`, '--opset', '18', '-o', `${name}-ir.onnx`], { cwd: work });
    }
    assert.deepEqual(readFileSync(join(work, 'here.bin')), readFileSync(join(work, 'native.bin')));
    assert.equal(readFileSync(join(work, 'here.xml'), 'utf8'), readFileSync(join(work, 'native.xml'), 'utf8').replaceAll('native', 'here'));
    assert.deepEqual(readFileSync(join(work, 'here-ir.onnx')), readFileSync(join(work, 'native-ir.onnx')));
});

test('standard input is read only where it is named, and a closed pipe is a failure to write', async () => {
    const open = spawn(process.execPath, [join(installed, 'bin/opshift.mjs'), 'convert', 'net.onnx', '--opset', '18', '-o', '-'],
        { cwd: work, stdio: ['pipe', 'ignore', 'inherit'] });
    assert.equal(await new Promise((resolve) => open.on('exit', resolve)), 0); // though its standard input is still open
    const pipe = (...program) => spawnSync('bash', ['-c', 'exec 3> >(true); wait $!; "$@" >&3; echo $? >&2', 'bash', ...program, 'rules', 'list'], { cwd: work });
    assert.equal(String(pipe(process.execPath, join(installed, 'bin/opshift.mjs')).stderr), String(pipe(native).stderr));
});

test('the package of the platform runs the native command', { skip: process.platform !== 'linux' }, async () => {
    const triple = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch];
    const file = join(work, `opshift-${triple}`), packages = join(work, 'packages'), other = join(work, 'other');
    // It tells its process, and waits.
    writeFileSync(file, `#!/bin/sh\n[ "$1" = wait ] && { echo waits; exec sleep 20; }\nexec "${native}" "$@"\n`);
    execFileSync(packaging, [packages, file]);
    const directory = join(packages, `@opshift/linux-${process.arch}`);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', work, directory], { cwd: work });
    mkdirSync(other);
    writeFileSync(join(other, 'package.json'), '{"private": true}');
    execFileSync('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', `../opshift-linux-${process.arch}-0.1.0.tgz`,
        '../opshift-0.1.0.tgz'], { cwd: other });
    const bin = join(other, 'node_modules/.bin/opshift');
    assert.equal(statSync(join(other, `node_modules/@opshift/linux-${process.arch}/bin/opshift`)).mode & 0o111, 0o111);
    for (const args of [['show', 'net.onnx'], ['lint', 'missing.onnx'], ['convert', 'net.onnx', '--opset', '99']]) {
        const wanted = spawnSync(native, args, { cwd: work }), seen = spawnSync(bin, args, { cwd: work });
        assert.deepEqual([seen.status, String(seen.stdout), String(seen.stderr)], [wanted.status, String(wanted.stdout), String(wanted.stderr)]);
    }
    assert.deepEqual(spawnSync(bin, ['convert', '-', '--opset', '18', '-o', '-'], { input: readFileSync(net) }).stdout, nativeConvert('--opset', '18'));
    // Another version, another package under this name, another program: the WebAssembly runs, and a line tells why.
    const there = join(other, `node_modules/@opshift/linux-${process.arch}`), about = join(there, 'package.json');
    const name = `@opshift/linux-${process.arch}`, good = JSON.parse(readFileSync(about)), end = '; it is not run, the WebAssembly is; install both again at one version\n';
    const ran = join(work, 'ran'), version = () => spawnSync(bin, ['--version'], { encoding: 'utf8' });
    const rogue = (words) => writeFileSync(join(there, 'bin/opshift'), `#!/bin/sh\n>>${ran}\necho ${words}\n`);
    rogue('opshift 0.1.0');
    for (const [change, why] of [
        [{ version: '0.0.9' }, `${name} has version 0.0.9, and opshift 0.1.0`],
        [{ name: 'evil' }, `what is installed as ${name} calls itself 'evil' of 'the opshift maintainers'`],
        [{ author: '\u001b[31m' }, `what is installed as ${name} calls itself '${name}' of '?[31m'`],
    ]) {
        writeFileSync(about, JSON.stringify({ ...good, ...change }));
        const seen = version();
        assert.deepEqual([seen.status, seen.stdout, seen.stderr], [0, 'opshift 0.1.0\n', `opshift: ${why}${end}`]);
        assert.equal(existsSync(ran), false);
    }
    writeFileSync(about, 'no JSON');
    assert.equal(version().stderr, `opshift: ${name} has no package.json that can be read${end}`);
    assert.equal(existsSync(ran), false);
    writeFileSync(about, JSON.stringify(good));
    rogue('opshift 0.0.9');
    assert.equal(version().stderr, `opshift: the program of ${name} is not opshift 0.1.0${end}`);
    writeFileSync(join(there, 'bin/opshift'), readFileSync(file));

    const waiting = spawn(bin, ['wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
    waiting.stdout.once('data', () => waiting.kill('SIGTERM'));
    assert.equal(await new Promise((resolve) => waiting.on('exit', (status, signal) => resolve(signal))), 'SIGTERM');
});
