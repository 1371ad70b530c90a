// The other ways into and through the page: data files, folders, text, runtimes, options, two models.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, chooseOpset, converted, isConverted, isSound, openPage, opshift, put, save, sha256, shown, withPage, work } from './fixture.mjs';
import { integers, model, node, outside, tensorType, value } from './models.mjs';

const timeout = 60000;
const sampleText = readFileSync(process.env.OPSHIFT_SAMPLE, 'utf8');
const plain = '<ir_version: 8, opset_import: ["" : 11]>\ng (float[4] x) => (float[1] a, float[3] b) { a, b = Split <split = [1, 3]> (x) }\n';

// A model whose weights are in a file beside it.
function splitModel(directory) {
    const four = tensorType(1, 4);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'parts.onnx'), model({
        opsets: [['', 11]], initializers: [outside('w', 4, 'weights.bin')], inputs: [value('x', four)], outputs: [value('s', tensorType(1, 2)), value('t', tensorType(1, 2))],
        nodes: [node({ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }),
            node({ op: 'Split', inputs: ['y'], outputs: ['s', 't'], attributes: [integers('split', 2, 2)] })],
    }));
    writeFileSync(join(directory, 'weights.bin'), Buffer.alloc(16, 1));
    return [join(directory, 'parts.onnx'), join(directory, 'weights.bin')];
}

test('data files come with the model, after it, or in a folder', { timeout }, withPage(async (page) => {
    const [net, weights] = splitModel(join(work, 'folder'));
    await page.drop('drop', net);
    await shown(page, 'parts.onnx');
    assert.match(await page.text('missing'), /weights\.bin/);
    await page.drop('drop', weights);
    await page.until('nothing is missing', () => document.getElementById('missing').hidden && document.getElementById('status').textContent === '');
    for (const files of [[net, weights], [join(work, 'folder')]]) {
        await page.run(() => document.getElementById('facts').replaceChildren()); // the name of the last one
        await page.drop('drop', ...files);
        await shown(page, 'parts.onnx');
        assert.equal(await page.run(() => document.getElementById('missing').hidden), true, files.join());
        await chooseOpset(page, 13);
        await isConverted(page, 13);
        assert.match(await page.text('beside'), /weights\.bin/);
        assert.equal((await save(page)).hash, converted(net, 13));
    }
}));

test('a model as text, in the link, too', { timeout }, async () => {
    const page = await openPage();
    await page.run(() => document.getElementById('write').click());
    await page.type(plain);
    await page.run(() => document.getElementById('use-text').click());
    await shown(page, 'model.onnx');
    await chooseOpset(page, 18);
    await isConverted(page, 18);
    const wanted = converted(assemble('plain.onnx', plain), 18);
    assert.equal((await save(page)).hash, wanted);
    const { hash } = new URL(await page.run('location.href'));
    await page.close();
    const second = await openPage(hash);
    await isConverted(second, 18);
    assert.equal((await save(second)).hash, wanted);
    await isSound(second);
    await second.run(() => {
        document.getElementById('text').value = '<ir_version: 8>\ng (float[4 x) => () { }';
        document.getElementById('use-text').click();
    });
    await second.until('the mistake', () => document.getElementById('text-fault').textContent !== '');
    put('model.txt', '<ir_version: 8>\ng (float[4 x) => () { }');
    assert.equal(`opshift: ${await second.text('text-fault')}\n`, opshift('assemble', 'model.txt', '-o', '-').err);
    await second.close();
});

test('the model that a runtime takes', { timeout }, withPage(async (page) => {
    const net = assemble('runtime.onnx', plain);
    await page.drop('drop', net);
    await shown(page, 'runtime.onnx');
    await page.run(() => {
        document.getElementById('target').value = 'opencv@4.6';
        document.getElementById('use-target').click();
    });
    await page.until('it is converted', () => !document.getElementById('converted').hidden && !document.getElementById('save').hidden &&
        document.getElementById('status').textContent === '');
    opshift('convert', net, '--target', 'opencv@4.6', '-o', 'native.onnx');
    assert.equal((await save(page)).hash, sha256(join(work, 'native.onnx')));
    assert.match(await page.run('location.hash'), /target=opencv/);
}));

test('two models are compared', { timeout }, withPage(async (page) => {
    const before = assemble('before.onnx', sampleText), after = join(work, 'after.onnx');
    opshift('convert', before, '--opset', '18', '-o', after);
    const { differences } = JSON.parse(opshift('diff', before, after, '-f', 'json').out);
    await page.drop('drop', before, after);
    await page.until('the comparison', () => !document.getElementById('difference').hidden && document.getElementById('status').textContent === '');
    assert.ok((await page.text('difference-count')).startsWith(String(differences.length)));
    const text = await page.text('differences');
    assert.ok(text.includes(differences[0].place), text);
}));

test('a list is moved through by its keys', { timeout }, withPage(async (page) => {
    await page.drop('drop', assemble('list.onnx', sampleText));
    await shown(page, 'list.onnx');
    await page.run(() => document.getElementById('findings').focus());
    const chosen = () => page.run(() => document.getElementById(document.getElementById('findings').getAttribute('aria-activedescendant'))?.getAttribute('aria-posinset'));
    await page.press('Home');
    assert.equal(await chosen(), '1');
    await page.press('ArrowDown');
    assert.equal(await chosen(), '2');
    await page.press('End');
    assert.equal(await chosen(), await page.run(() => document.querySelector('#findings li').getAttribute('aria-setsize')));
    const { files: [{ findings }] } = JSON.parse(opshift('lint', '--no-config', join(work, 'list.onnx'), '-f', 'json').out);
    assert.ok((await page.text('finding')).includes(findings.at(-1).message));
}));
