// Names in a model that are markup, scripts, addresses, control and bidirectional characters, or very long: the page shows them as
// text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseOpset, isConverted, put, save, shown, withPage, converted } from './fixture.mjs';
import { integers, model, node, pair, tensorType, text, value } from './models.mjs';

const timeout = 60000;
// What runs sets 'owned'; what becomes an element has the class 'owned'.
const hostile = [
    '<img class=owned src=x onerror="owned=1">',
    '<script class=owned>owned=1</script>',
    '"><svg class=owned onload=owned=1><style class=owned>*{display:none}</style>',
    '\'"--></title></textarea></select><iframe class=owned srcdoc="<script>parent.owned=1</script>">',
    '<a class=owned href="javascript:owned=1">here</a>',
    '" autofocus onfocus="owned=1" class="owned',
    '<base class=owned href=//example.com/><meta class=owned http-equiv=refresh content=0;url=//example.com>',
    '${owned=1}{{constructor.constructor("owned=1")()}}&lt;b class=owned&gt;&#60;b&#62;',
    '\u202egnihton\u2066\u200b\u200f\ufeff', 'a\u001b[31m\u0007\u0000b\r\nc\u2028d', '__proto__', 'constructor', 'x'.repeat(20000),
];
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

function hostileModel(bad) {
    const four = tensorType(1, 4), ring = value(bad, tensorType(1, 4), bad);
    return model({
        name: bad, producer: bad, doc: bad, metadata: [pair(bad, bad)], opsets: [['', 11], [bad, 1]],
        nodes: [
            node({ op: 'Split', name: bad, inputs: [bad], outputs: [`${bad}1`, `${bad}2`], attributes: [integers('split', 1, 3)], doc: bad,
                metadata: [pair(bad, bad)] }),
            node({ op: bad, domain: bad, name: `${bad}n`, inputs: [`${bad}1`], outputs: [`${bad}3`], attributes: [text(bad, bad)] }),
            node({ op: 'Relu', name: `${bad}m`, inputs: [`${bad}2`], outputs: [`${bad}4`] }),
            node({ op: bad, name: `${bad}o`, inputs: [`${bad}missing`], outputs: [`${bad}5`] }),
        ],
        inputs: [ring, value(`${bad}unused`, tensorType(1, bad))], outputs: [value(`${bad}4`, tensorType(1, bad)), value(`${bad}3`, four)],
    });
}

// One more model without what makes it invalid, so that it can be converted.
function validModel(bad) {
    return model({
        name: bad, producer: bad, opsets: [['', 11]], metadata: [pair(bad, bad)],
        nodes: [node({ op: 'Split', name: bad, inputs: [bad], outputs: [`${bad}1`, `${bad}2`], attributes: [integers('split', 1, 3)] })],
        inputs: [value(bad, tensorType(1, 4))], outputs: [value(`${bad}1`, tensorType(1, 1)), value(`${bad}2`, tensorType(1, 3))],
    });
}

async function isHarmless(page, what) {
    const seen = await page.run(() => ({ owned: window.owned, elements: document.querySelectorAll('.owned, script:not([src]), iframe, base').length,
        width: document.scrollingElement.scrollWidth, place: location.pathname, text: document.body.innerText, title: document.title }));
    assert.equal(seen.owned, undefined, `${what}: nothing runs`);
    assert.equal(seen.elements, 0, `${what}: no element`);
    assert.equal(seen.place, '/', `${what}: still here`);
    assert.ok(seen.width <= 800, `${what}: ${seen.width} pixels wide`);
    const found = invisible.exec(seen.text + seen.title);
    assert.equal(found, null, `${what}: U+${found?.[0].charCodeAt(0).toString(16)} at ${JSON.stringify(seen.text.slice(found?.index - 60, found?.index + 20))}`);
}

// Opens all that is folded, the nodes and the text of the model.
async function openAll(page) {
    await page.run(() => {
        for (const each of document.querySelectorAll('details'))
            each.open = true;
        document.getElementById('node-search').focus();
        document.getElementById('as-text').click();
    });
    await page.until('the nodes and the text', () => document.querySelector('#all-nodes li') && document.getElementById('text').value !== '' &&
        document.getElementById('status').textContent === '');
    await page.run(() => document.querySelectorAll('[role=listbox]').forEach((each) => each.querySelector('li')?.click()));
}

test('names are text and nothing else', { timeout }, withPage(async (page) => {
    await page.send('Emulation.setDeviceMetricsOverride', { width: 800, height: 600, deviceScaleFactor: 1, mobile: false });
    for (const [index, bad] of hostile.entries()) {
        const what = JSON.stringify(bad.slice(0, 30));
        await page.drop('drop', put(`bad-${index}.onnx`, hostileModel(bad)));
        await page.until(`${what} is read`, (name) => document.getElementById('status').textContent === '' &&
            document.body.innerText.includes(name), `bad-${index}.onnx`);
        await isHarmless(page, what);
        if (await page.run(() => !document.getElementById('result').hidden)) {
            await chooseOpset(page, 9);
            await page.until('an answer', () => document.getElementById('status').textContent === '');
            await isHarmless(page, `${what}, refused`);
        }
        const valid = put(`good-${index}.onnx`, validModel(bad));
        await page.drop('drop', valid);
        await shown(page, `good-${index}.onnx`);
        await chooseOpset(page, 13);
        await isConverted(page, 13);
        assert.equal((await save(page)).hash, converted(valid, 13));
        await page.run(() => document.getElementById('compare-converted').click());
        await page.until('the comparison', () => !document.getElementById('difference').hidden && document.getElementById('status').textContent === '');
        await openAll(page);
        await isHarmless(page, `${what}, converted`);
    }
}));

test('so are names of files', { timeout }, withPage(async (page) => {
    for (const name of ['<img class=owned src=x onerror=owned=1>.onnx', '"><script class=owned>owned=1<\\script>.onnx', '\u202exnno.onnx', '..onnx',
        '-o --help.onnx', 'a\nb\u001b.onnx', `${'long'.repeat(55)}.onnx`, '%2e%2e%2f.onnx', '#opset=3.onnx', '?.onnx']) {
        const path = put(name, validModel('plain'));
        await page.drop('drop', path);
        await page.until(`${JSON.stringify(name)} is shown`, () => !document.getElementById('result').hidden &&
            document.getElementById('status').textContent === '');
        await isHarmless(page, name);
        await chooseOpset(page, 13);
        await page.until('it is converted', () => !document.getElementById('converted').hidden && document.getElementById('status').textContent === '');
        assert.equal((await save(page)).hash, converted(path, 13));
        await page.drop('drop', put(name, 'no model'));
        await page.until('the message', () => document.getElementById('error').textContent !== '');
        await isHarmless(page, `${name} without a model`);
    }
}));

test('a hostile link does nothing', { timeout }, async () => {
    for (const hash of ['#opset=%3Cimg%20class%3Downed%20src%3Dx%20onerror%3Downed%3D1%3E', '#opset=18&target=<script>owned=1</script>&text=<b class=owned>',
        '#%&__proto__=1&constructor=2', `#opset=${'9'.repeat(5000)}&model=javascript:owned=1`, '#opset=-1&opset=18.5'])
        await withPage(async (page) => {
            await page.drop('drop', put('linked.onnx', validModel('plain')));
            await page.until('an answer', () => document.getElementById('status').textContent === '' &&
                (document.getElementById('error').textContent !== '' || !document.getElementById('result').hidden));
            await isHarmless(page, hash);
        }, hash)();
});
