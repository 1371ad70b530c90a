// The page's main job in a browser: a model comes in, its facts and findings are shown, it is converted and saved.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, chooseOpset, converted, here, isConverted, isSound, openPage, opshift, put, save, sha256, shown, withPage } from './fixture.mjs';

const timeout = 60000;
const sampleText = readFileSync(process.env.OPSHIFT_SAMPLE, 'utf8');
const narrow = '<ir_version: 10, opset_import: ["" : 13]>\ng (bfloat16[4] x) => (bfloat16[4] y) { y = Neg (x) }\n';

test('a dropped model is shown, converted and saved as the command does it', { timeout }, withPage(async (page) => {
    const net = assemble('net.onnx', sampleText);
    await page.drop('drop', net);
    await shown(page, 'net.onnx');
    const told = JSON.parse(opshift('show', net, '-f', 'json').out);
    const facts = await page.text('facts');
    for (const each of [told.size.toLocaleString('en'), `ai.onnx ${told.opset ?? 11}`, 'sample'])
        assert.ok(facts.includes(each), `${each} in ${facts}`);
    const { files: [{ findings }] } = JSON.parse(opshift('lint', '--no-config', net, '-f', 'json').out);
    const list = await page.text('findings');
    assert.ok(findings.length > 0);
    for (const { id, message } of findings.slice(0, 10))
        assert.ok(list.includes(id) && list.includes(message), `${id} ${message}`);
    for (const opset of [18, 13, 1]) {
        await chooseOpset(page, opset);
        await isConverted(page, opset);
        assert.match(await page.text('summary'), /verified/);
        assert.deepEqual(await save(page), { name: `net-${opset}.onnx`, hash: converted(net, opset) });
    }
}));

test('a chosen file does the same as a dropped one', { timeout }, withPage(async (page) => {
    const net = assemble('chosen.onnx', sampleText);
    await page.choose('file', net);
    await shown(page, 'chosen.onnx');
    await chooseOpset(page, 21);
    await isConverted(page, 21);
    assert.equal((await save(page)).hash, converted(net, 21));
}));

test('an opset that cannot be reached shows what is in the way', { timeout }, withPage(async (page) => {
    await page.drop('drop', assemble('narrow.onnx', narrow));
    await shown(page, 'narrow.onnx');
    await chooseOpset(page, 9);
    await page.until('the blocker', () => document.getElementById('result').innerText.includes('which Neg-'));
    assert.equal(await page.run(() => document.getElementById('converted').hidden), true);
    await chooseOpset(page, 18);
    await isConverted(page, 18);
}));

test('a file that is no model gets the message of the command line', { timeout }, withPage(async (page) => {
    const whole = readFileSync(assemble('whole.onnx', sampleText));
    const bad = { 'empty.onnx': '', 'page.onnx': '<html>\n', 'text.onnx': 'hello\n', 'cut.onnx': whole.subarray(0, whole.length - 3),
        'short.onnx': whole.subarray(0, 40), 'ones.onnx': Buffer.alloc(100, 255), 'deep.onnx': nested(1000) };
    for (const [name, bytes] of Object.entries(bad)) {
        const { err } = opshift('show', put(name, bytes).replace(/.*\//, ''));
        await page.drop('drop', put(name, bytes));
        await page.until(`the message for ${name}`, (name) => document.getElementById('error').textContent.includes(name), name);
        assert.equal(`opshift: ${await page.text('error')}\n`, err);
        assert.equal(await page.run(() => document.getElementById('result').hidden), true);
        assert.equal(await page.text('status'), '');
    }
    await page.drop('drop', assemble('good.onnx', sampleText));
    await shown(page, 'good.onnx');
    assert.equal(await page.text('error'), '');
}));

function nested(depth) {
    let bytes = Buffer.alloc(0);
    for (let at = 0; at < depth && bytes.length < 1e6; at++) {
        const size = [];
        for (let rest = bytes.length; ; rest >>= 7) {
            size.push(rest > 127 ? rest % 128 + 128 : rest);
            if (rest < 128)
                break;
        }
        bytes = Buffer.concat([Buffer.from([at % 2 ? 0x0a : 0x3a, ...size]), bytes]);
    }
    return bytes;
}

test('the link keeps what was chosen', { timeout }, async () => {
    const net = assemble('linked.onnx', sampleText);
    const first = await openPage();
    await first.drop('drop', net);
    await shown(first, 'linked.onnx');
    await chooseOpset(first, 17);
    await isConverted(first, 17);
    const { hash } = new URL(await first.run('location.href'));
    assert.notEqual(hash, '');
    await first.close();
    const second = await openPage(hash);
    await second.drop('drop', net);
    await isConverted(second, 17);
    assert.equal((await save(second)).hash, converted(net, 17));
    await isSound(second);
    await second.close();
});

// Presses Tab until the focus is in this element; each place on the way shows that it has the focus.
async function tabTo(page, selector) {
    for (let presses = 0; presses < 60; presses++) {
        await page.press('Tab');
        const seen = await page.run((selector) => {
            const focused = document.activeElement;
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
            const { width, height } = focused.getBoundingClientRect();
            return { found: focused.matches(selector), what: focused.outerHTML.slice(0, 80), nowhere: focused === document.body,
                visible: width > 0 && height > 0 && (boxShadow !== 'none' || outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) };
        }, selector);
        assert.ok(seen.visible || seen.nowhere, `the focus is visible: ${seen.what}`);
        if (seen.found)
            return;
    }
    assert.fail(`Tab does not reach ${selector}`);
}

test('the keyboard is enough', { timeout }, withPage(async (page) => {
    const net = assemble('keys.onnx', sampleText);
    await tabTo(page, '#file');
    await page.press('Enter');
    await page.run('new Promise((done) => setTimeout(done, 100))');
    assert.ok(page.chooser, 'Enter asks for a file');
    await page.send('DOM.setFileInputFiles', { files: [net], backendNodeId: page.chooser });
    await shown(page, 'keys.onnx');
    await tabTo(page, '#search');
    await page.type('no finding has this');
    await page.until('no finding', () => !/SPL/.test(document.getElementById('findings').innerText));
    await tabTo(page, '#opsets button');
    for (let moves = 0; moves < 30 && await page.run('document.activeElement.dataset.opset') !== '18'; moves++) {
        const before = await page.run('document.activeElement.textContent');
        await page.press('ArrowRight');
        if (await page.run('document.activeElement.textContent') === before)
            await page.press('Tab');
    }
    await page.press('Enter');
    await isConverted(page, 18);
    await tabTo(page, '#save');
    const { path } = await page.save(() => page.press('Enter'));
    assert.equal(sha256(path), converted(net, 18));
}));

test('after the first visit it needs no network, and never another host', { timeout: 60000 }, async () => {
    const page = await openPage();
    await page.until('the page is kept for later', () => Boolean(navigator.serviceWorker.controller));
    const { server } = here;
    const asked = server.asked.length;
    await page.run(() => document.getElementById('sample').click());
    await shown(page, 'sample.onnx');
    await chooseOpset(page, 18);
    await isConverted(page, 18);
    const late = server.asked.slice(asked).filter((each) => each !== '/offline.mjs'); // the browser itself looks for a newer one at some time
    assert.deepEqual(late, [], 'no request after the page is loaded');
    await server.stop();
    await page.send('Page.reload');
    await page.until('the page is loaded again', () => document.readyState === 'complete' && document.getElementById('result')?.hidden);
    await page.drop('drop', assemble('offline.onnx', sampleText));
    await shown(page, 'offline.onnx');
    await chooseOpset(page, 15);
    await isConverted(page, 15);
    assert.equal((await save(page)).hash, converted(assemble('offline.onnx', sampleText), 15));
    const away = page.requests.filter((each) => !each.startsWith(server.url) && !each.startsWith('blob:'));
    assert.deepEqual(away, [], 'no request of another host');
    await isSound(page);
    await page.close();
});
