// What every test of the page begins with: the built page on a server, a browser, the native command, and what a user does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { launch, serve } from './browser.mjs';

const { OPSHIFT: native, OPSHIFT_PAGE: root } = process.env;
export const work = mkdtempSync(join(tmpdir(), 'opshift-page-'));
export const here = {}; // browser and server, while tests run

before(async () => {
    here.server = await serve(root);
    here.browser = await launch();
});
after(async () => {
    await here.browser?.close();
    await here.server?.stop();
    rmSync(work, { recursive: true, force: true });
});

// Before the page's own script: violations of its policy, and the blobs that get an address.
const watch = `
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
    window.blobs = new Map();
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        const address = create.call(URL, blob);
        blobs.set(address, blob);
        return address;
    };`;

export function openPage(hash = '', prepare = '') {
    return here.browser.open(`${here.server.url}${hash}`, watch + prepare);
}

// Runs a test with a page of its own; the page may not have shown a fault of the program.
export function withPage(call, hash = '') {
    return async (context) => {
        const page = await openPage(hash);
        await call(page, context);
        await isSound(page);
        await page.close();
    };
}

export async function isSound(page) {
    assert.deepEqual(page.messages, [], 'nothing in the console');
    assert.deepEqual(page.dialogs, [], 'no dialog');
    assert.deepEqual(await page.run('violations'), [], 'no violation of the policy');
}

export function put(name, bytes) {
    const path = join(work, name);
    writeFileSync(path, bytes);
    return path;
}

export function opshift(...args) {
    const { status, stdout, stderr } = spawnSync(native, args, { cwd: work, maxBuffer: 2 ** 28 });
    return { status, out: String(stdout), err: String(stderr) };
}

// A model from ONNX's textual syntax: its path.
export function assemble(name, text) {
    const source = put(`${name}.txt`, text);
    const { status, err } = opshift('assemble', source, '-o', name);
    assert.equal(status, 0, err);
    return join(work, name);
}

export function converted(path, opset) {
    const out = join(work, 'native.onnx');
    const { status, err } = opshift('convert', path, '--opset', String(opset), '-o', out);
    assert.equal(status, 0, err);
    return sha256(out);
}

export function sha256(path) {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
}

// Waits until the page shows this file, or a message instead.
export function shown(page, name) {
    return page.until(`${name} is shown`, (name) => {
        const result = document.getElementById('result');
        return !result.hidden && result.innerText.includes(name) && document.getElementById('status').textContent === '';
    }, name);
}

export function chooseOpset(page, opset) {
    return page.run((opset) => [...document.querySelectorAll('#opsets button')]
        .find((each) => each.dataset.opset === String(opset)).click(), opset);
}

export function isConverted(page, opset) {
    return page.until(`converted to ${opset}`, (opset) => {
        const to = document.getElementById('converted');
        return !to.hidden && document.getElementById('save').download.includes(`-${opset}`) && document.getElementById('status').textContent === '';
    }, opset);
}

export async function save(page) {
    const { name, path } = await page.save(() => page.run(() => document.getElementById('save').click()));
    return { name, hash: sha256(path) };
}
