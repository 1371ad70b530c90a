// Files of any size and graphs of many nodes.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, chooseOpset, isConverted, opshift, put, shown, withPage, work } from './fixture.mjs';
import { integers, model, node, pair, tensorType, value, writeHollow } from './models.mjs';

const timeout = 60000;
const GIB = 2 ** 30, MB = 1e6;

// The bytes from here on of the model that the pieces of the native command make.
function expected(path, { pieces }, start, size) {
    const made = Buffer.alloc(size), file = openSync(path, 'r');
    let at = 0;
    for (const piece of pieces) {
        const bytes = piece.bytes === undefined ? undefined : Buffer.from(piece.bytes, 'base64');
        const length = bytes ? bytes.length : piece.size;
        const from = Math.max(at, start), to = Math.min(at + length, start + size);
        if (from < to && bytes)
            bytes.copy(made, from - start, from - at, to - at);
        else if (from < to)
            readSync(file, made, from - start, to - from, piece.from + from - at);
        at += length;
    }
    closeSync(file);
    return made.toString('base64');
}

test('a model of 3 GiB is converted in seconds and in little memory', { timeout }, withPage(async (page, context) => {
    const big = join(work, 'big.onnx'), four = tensorType(1, 4);
    writeHollow(big, {
        opsets: [['', 11]], inputs: [value('x', four)], outputs: [value('c', tensorType(1, 3 * GIB / 4))],
        nodes: [node({ op: 'Split', name: 'cut', inputs: ['x'], outputs: ['a', 'b'], attributes: [integers('split', 1, 3)] }),
            node({ op: 'Add', name: 'add', inputs: ['a', 'weight'], outputs: ['c'] })],
    }, 3 * GIB);
    assert.ok(statSync(big).blocks < 1000, 'the file is a hole');
    const start = Date.now();
    await page.drop('drop', big);
    await shown(page, 'big.onnx');
    const heap = await page.heap(); // later it is busy verifying
    await chooseOpset(page, 13);
    await page.until('it can be saved', () => !document.getElementById('converted').hidden && !document.getElementById('save').hidden);
    const seconds = (Date.now() - start) / 1000;
    assert.ok(seconds < 10, `${seconds} seconds`);
    const wasm = page.wasm();
    assert.ok(wasm > 0 && heap + wasm < 200 * MB, `${heap / MB} MB of heap, ${wasm / MB} MB of WebAssembly`);
    opshift('convert', big, '--opset', '13', '--pieces', 'pieces.json');
    const list = JSON.parse(readFileSync(join(work, 'pieces.json')));
    assert.equal(await page.run(() => blobs.get(document.getElementById('save').href).size), list.size);
    for (const [from, size] of [[0, 4096], [list.size - 4096, 4096], [2 * GIB - 100, 200]])
        assert.equal(await page.run(async (from, size) => {
            const bytes = new Uint8Array(await blobs.get(document.getElementById('save').href).slice(from, from + size).arrayBuffer());
            return btoa(String.fromCharCode(...bytes));
        }, from, size), expected(big, list, from, size), `bytes from ${from} on`);
    context.diagnostic(`3 GiB: ${seconds.toFixed(2)} s, ${(heap / MB).toFixed(0)} MB of heap, ${(wasm / MB).toFixed(0)} MB of WebAssembly`);
}));

test('a node of many values is not drawn', async () => {
    const { pieceModel } = await import('../../web/page/picture_piece.mjs');
    const inputs = Array.from({ length: 300000 }, (_, at) => `x${at}`);
    assert.equal(pieceModel([{ operator: 'Sum', name: '', inputs, outputs: ['y'] }]), undefined);
    assert.equal(pieceModel([{ operator: 'Split', name: '', inputs: ['x'], outputs: inputs }]), undefined);
});

test('tables end after a thousand rows', { timeout }, withPage(async (page) => {
    const names = Array.from({ length: 150000 }, (_, at) => `name ${at}`), four = tensorType(1, 'N');
    await page.drop('drop', put('many.onnx', model({ metadata: names.map((name) => pair(name, '')), inputs: names.slice(0, 2000).map((name) => value(name, four)),
        outputs: [value('y', four)], nodes: [node({ op: 'Neg', inputs: ['name 0'], outputs: ['y'] })] })));
    await shown(page, 'many.onnx');
    assert.deepEqual(await page.run(() => ['values', 'extras'].map((id) =>
        [...document.querySelectorAll(`#${id} tbody tr`)].at(-1).textContent)), ['1,001 more', '149,000 more']);
}));

test('100,000 nodes with a finding each stay fluid', { timeout }, withPage(async (page, context) => {
    const lines = Array.from({ length: 100000 }, (_, at) => `a${at} = Neg (x)`);
    const many = assemble('many.onnx', `<ir_version: 8, opset_import: ["" : 11]>\ng (float[4] x) => (float[4] y) {\n${lines.join('\n')}\ny = Neg (x)\n}\n`);
    const start = Date.now();
    await page.drop('drop', many);
    await shown(page, 'many.onnx');
    const opened = Date.now() - start;
    const rows = () => page.run(() => document.querySelectorAll('*').length);
    assert.ok(await rows() < 5000, `${await rows()} elements`);
    const search = await page.run(async () => {
        const box = document.getElementById('search'), begin = performance.now();
        box.value = 'node 99999';
        box.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        return performance.now() - begin;
    });
    await page.until('the last node is found', () => document.getElementById('findings').innerText.includes('99999'));
    assert.ok(search < 500, `a search takes ${search} ms`);
    await chooseOpset(page, 13);
    await isConverted(page, 13);
    assert.ok(await rows() < 5000, `${await rows()} elements after a conversion`);
    context.diagnostic(`100,000 nodes: shown in ${opened} ms, converted in ${Date.now() - start} ms, a search in ${search.toFixed(0)} ms`);
}));
