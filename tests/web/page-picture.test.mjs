// The picture of the graph: groups, search, the panel of a node, a second model on the same layout, files, and large models.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, chooseOpset, isConverted, shown, withPage } from './fixture.mjs';

const timeout = 60000;
const sampleText = readFileSync(process.env.OPSHIFT_SAMPLE, 'utf8');
const named = (count) => `<ir_version: 8, opset_import: ["" : 11]>\ng (float[N,4] x0) => (float[N,4] x${count}) {\n${Array.from({ length: count }, (_, at) =>
    `["/stage.${Math.floor(at / 90)}/block.${Math.floor(at / 9) % 10}/${at % 9 ? 'Neg' : 'Relu'}_${at}"] x${at + 1} = ${at % 9 ? 'Neg' : 'Relu'} (x${at})`).join('\n')}\n}\n`;

const drawn = (page) => page.until('the graph is drawn', () => document.getElementById('picture').dataset.drawn > 0);
const detail = (page, what, text) => page.until(what, (text) => document.getElementById('picture-detail').innerText.includes(text), text);

async function find(page, sought, listed = sought) {
    await page.run((sought) => {
        const field = document.getElementById('picture-search');
        field.value = sought;
        field.dispatchEvent(new Event('input'));
    }, sought);
    await page.until(`${sought} is found`, (sought) => !document.getElementById('picture-found').hidden &&
        document.getElementById('picture-found').innerText.toLowerCase().includes(sought.toLowerCase()), listed);
    await page.run(() => document.querySelector('#picture-found button').click());
}

async function key(page, name) {
    await page.run(() => document.getElementById('picture').focus());
    await page.press(name);
}

test('a node is found, its producer and readers are reached, and its panel has all of it', { timeout }, withPage(async (page) => {
    await page.drop('drop', assemble('net.onnx', sampleText));
    await shown(page, 'net.onnx');
    await drawn(page);
    assert.equal(await page.run('document.title'), 'net.onnx – opshift');
    await find(page, 'sigmoid');
    await detail(page, 'the panel of the Sigmoid', 'Sigmoid since opset 6');
    assert.match(await page.text('picture-detail'), /X gate float\[N,3\]\s+from\s+Split halves/);
    await key(page, 'ArrowUp');
    await detail(page, 'the producer', 'axis = -1');
    await key(page, 'ArrowDown');
    await key(page, 'ArrowDown');
    await detail(page, 'the reader', 'gated');
    await find(page, 'inner'); // in a function
    await detail(page, 'a node of a function', 'split : ints = @lengths');
    await find(page, 'tail'); // in a branch
    await detail(page, 'a node of a branch', 'split = [4, 2]');
    const before = Number(await page.run('document.getElementById("picture").dataset.drawn'));
    await page.run(() => document.getElementById('picture-close').click());
    await page.until('less is drawn', (before) => document.getElementById('picture').dataset.drawn < before, before);
    await find(page, 'halves');
    await page.until('its opsets can be asked for', () => [...document.querySelectorAll('#picture-detail button')].some((each) => each.textContent === 'What each opset makes of it'));
    await page.run(() => [...document.querySelectorAll('#picture-detail button')].find((each) => each.textContent === 'What each opset makes of it').click());
    await detail(page, 'what opset 18 makes of it', 'num_outputs = 2');
}));

test('the node that blocks an opset, and the node that reads a weight, are two clicks away', { timeout }, withPage(async (page) => {
    await page.drop('drop', assemble('narrow.onnx', `<ir_version: 10, opset_import: ["" : 13]>\ng (bfloat16[4] x) => (bfloat16[4] y)\n<bfloat16[4] spread = {1, 2, 3, 4}>\n{ ["/a/scale"] s = Mul (x, spread) ["/b/turn"] y = Neg (s) }\n`));
    await shown(page, 'narrow.onnx');
    await drawn(page);
    await chooseOpset(page, 9);
    await page.until('the blocker', () => document.querySelector('#way button'));
    await page.run(() => document.querySelector('#way td button').click());
    await detail(page, 'the node in the way', '/a/scale');
    await find(page, 'spread', '/a/scale');
    await detail(page, 'the weight', 'bfloat16[4]');
    await page.run(() => [...document.querySelectorAll('#picture-detail button')].find((each) => each.textContent === 'Statistics').click());
    await detail(page, 'its statistics (texts of bfloat16 are bits)', '4 values from 9.1835e-41 to 3.6734e-40');
    assert.match(await page.text('picture-detail'), /bytes [\d,]+ to [\d,]+ of the file/);
}));

test('the picture is saved as SVG and PNG', { timeout }, withPage(async (page) => {
    await page.drop('drop', assemble('net.onnx', sampleText));
    await shown(page, 'net.onnx');
    await drawn(page);
    const svg = await page.save(() => page.run(() => document.getElementById('picture-svg').click()));
    assert.equal(svg.name, 'net.svg');
    const text = readFileSync(svg.path, 'utf8');
    for (const each of ['Split', 'Sigmoid', 'then_branch', 'float N×3', 'axis = -1'])
        assert.ok(text.includes(`>${each}<`) || text.includes(each), each);
    assert.ok(!text.includes('NaN') && !text.includes('undefined'), 'each number is one');
    const png = await page.save(() => page.run(() => document.getElementById('picture-png').click()));
    assert.equal(png.name, 'net.png');
    assert.equal(readFileSync(png.path).subarray(1, 4).toString(), 'PNG');
}));

test('before and after a conversion on one layout, from a list to its place and back', { timeout }, withPage(async (page) => {
    await page.drop('drop', assemble('net.onnx', sampleText));
    await shown(page, 'net.onnx');
    await drawn(page);
    await chooseOpset(page, 18);
    await isConverted(page, 18);
    await page.run(() => document.getElementById('see-converted').click());
    await page.until('verdicts are told', () => /proved/.test(document.getElementById('picture-legend').innerText));
    await page.run(() => document.getElementById('picture-next').click());
    await detail(page, 'what changed', 'num_outputs = 2');
    await page.run(() => [...document.querySelectorAll('#picture-detail button')].find((each) => each.textContent === 'To the list').click());
    await page.until('the list has it', () => document.querySelector('#nodes [aria-selected=true]')?.innerText.includes('num_outputs'));
    await page.run(() => document.getElementById('picture-single').click());
    await page.until('one model again', () => document.getElementById('picture-marks').hidden);
}));

test('two models: what is added, removed, changed', { timeout }, withPage(async (page) => {
    const text = (body) => `<ir_version: 8, opset_import: ["" : 13]>\ng (float[4] x) => (float[4] y) { ${body} }\n`;
    await page.drop('drop', assemble('one.onnx', text('["r"] a = Relu (x) ["s"] b = Softmax <axis = 0> (a) ["n"] y = Neg (b)')),
        assemble('two.onnx', text('["r"] a = Relu (x) ["s"] b = Softmax <axis = -1> (a) ["e"] c = Exp (b) ["t"] y = Tanh (c)')));
    await page.until('both are compared', () => !document.getElementById('difference').hidden && document.getElementById('status').textContent === '');
    await page.run(() => document.getElementById('see-difference').click());
    await page.until('marks are counted', () => document.getElementById('picture-legend').innerText.includes('1 added'));
    assert.match((await page.text('picture-legend')).replaceAll(/\s+/g, ' '), /changed.*added|added.*changed/);
    await find(page, 'softmax');
    await detail(page, 'the attribute that changed', 'axis = 0 → -1');
}));

test('a large model starts closed, and opens to the node that is sought', { timeout }, withPage(async (page, context) => {
    const many = assemble('many.onnx', named(9000));
    const start = Date.now();
    await page.drop('drop', many);
    await drawn(page);
    const seconds = (Date.now() - start) / 1000;
    const first = Number(await page.run('document.getElementById("picture").dataset.drawn'));
    assert.ok(first < 150, `${first} items are drawn`);
    await shown(page, 'many.onnx');
    await find(page, 'Neg_8765');
    await detail(page, 'the node', '/stage.97/block.3/Neg_8765');
    await key(page, 'ArrowUp');
    await detail(page, 'its producer', 'Neg_8764');
    context.diagnostic(`9,000 nodes: drawn after ${seconds.toFixed(2)} s`);
}));

test('two models are paired node by node', async () => {
    const { modelOf } = await import('../../web/page/picture_tree.mjs');
    const { pairModels } = await import('../../web/page/picture_pair.mjs');
    const told = (...nodes) => modelOf({ operators: [], graphs: [{ kind: 'main', name: 'g', inputs: [['x', 'float[4]']], outputs: [['y', 'float[4]']], initializers: [] }],
        nodes: nodes.map(([name, operator, inputs, outputs, attributes]) => ({ graph: 0, node: `node '${name}' (${operator})`, name, operator, inputs, outputs, attributes, types: [''] })) });
    const before = told(['a', 'Relu', ['x'], ['p']], ['b', 'Neg', ['x'], ['q']], ['c', 'Add', ['p', 'q'], ['y']]);
    const after = told(['b', 'Neg', ['x'], ['q']], ['a', 'Relu', ['x'], ['p']], ['c', 'Mul', ['p', 'q'], ['y'], ['axis = 1']]);
    const { nodes, marks } = pairModels(before, after, []);
    const found = Object.fromEntries([...marks].map(([index, mark]) => [nodes[index].name, mark]));
    assert.equal(found.c.kind, 'changed');
    assert.equal(found.c.note, 'operator Add → Mul; + axis = 1');
    assert.equal([found.a, found.b].filter(Boolean).map((each) => each.kind).join(), 'moved');
    const lstm = () => told(['', 'LSTM', ['x', 'w', 'r'], ['', 'y']]);
    assert.equal(pairModels(lstm(), lstm(), []).marks.size, 0, 'the first output may be absent');
    const proved = pairModels(before, after, [["node 'c' (Add)", 'proved', 'why']]);
    assert.deepEqual([...proved.marks.values()].filter((each) => each.kind === 'proved').map((each) => each.note), ['operator Add → Mul; + axis = 1']);
});
