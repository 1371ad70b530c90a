// Makes the pictures of the documentation: screenshots.mjs OUT makes OUT/page.png and OUT/terminal.svg from what the page and the
// command show. OPSHIFT: the command; OPSHIFT_PAGE: a built page.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, serve } from './browser.mjs';

const { OPSHIFT: opshift, OPSHIFT_PAGE: root } = process.env;
const out = process.argv[2] ?? '.', work = mkdtempSync(join(tmpdir(), 'opshift-pictures-'));

// A small network with attention, as exporters name nodes.
function network() {
    const lines = [];
    let x = 'image';
    const add = (scope, op, attributes, inputs, output) => lines.push(`["/${scope}/${op}"] ${output} = ${op} ${attributes ? `<${attributes}> ` : ''}(${inputs})`);
    for (const stage of [0, 1, 2]) {
        const name = `stage.${stage}`;
        add(`${name}/conv`, 'Conv', 'kernel_shape = [3, 3], pads = [1, 1, 1, 1]', `${x}, conv${stage}_weight`, `c${stage}`);
        add(`${name}/act`, 'Sigmoid', '', `c${stage}`, `s${stage}`);
        add(`${name}/act`, 'Mul', '', `c${stage}, s${stage}`, `r${stage}`);
        x = `r${stage}`;
    }
    lines.push(`["/attention/Split"] query, key, value = Split <axis = 1, split = [8, 8, 8]> (${x})`);
    lines.push('["/attention/Mul"] scores = Mul (query, key)', '["/attention/Softmax"] weights = Softmax <axis = 3> (scores)', '["/attention/Mul_1"] mixed = Mul (weights, value)');
    lines.push('["/head/GlobalAveragePool"] pooled = GlobalAveragePool (mixed)', '["/head/Flatten"] features = Flatten (pooled)');
    const weights = [3, 24, 24].map((channels, at) => `float[24,${channels},3,3] conv${at}_weight`).join(', ');
    return `<ir_version: 6, opset_import: ["" : 11], producer_name: "example">\nnet (float[batch,3,32,32] image, ${weights}) => (float[batch,8] features)\n<float[2] spare = {1, 2}>\n{\n    ${lines.join('\n    ')}\n}\n`;
}

// ---- the terminal ----

const INK = { 30: '#5c6370', 31: '#ff7b72', 32: '#7fdb9b', 33: '#f2c063', 34: '#8ab8ff', 35: '#d2a8ff', 36: '#76d9e6', 37: '#e7eaf0', 90: '#8b949e', 91: '#ff7b72', 92: '#7fdb9b', 93: '#f2c063', 94: '#8ab8ff', 95: '#d2a8ff', 96: '#76d9e6' };
const escape = (text) => text.replaceAll(/[&<>]/g, (each) => `&#${each.charCodeAt(0)};`);

// Lines with colours of a terminal as an SVG.
function terminal(text) {
    const lines = text.trimEnd().split('\n'), columns = Math.max(...lines.map((line) => line.replaceAll(/\x1b(\[[\d;]*m|\]8;;[^\x07\x1b]*(\x07|\x1b\\))/g, '').length));
    const width = Math.ceil(columns * 7.85) + 40, height = lines.length * 19 + 36;
    let ink, bold = false;
    const rows = lines.map((line, at) => {
        let spans = '';
        for (const part of line.replaceAll(/\x1b\]8;;[^\x07\x1b]*(\x07|\x1b\\)/g, '').split(/(\x1b\[[\d;]*m)/)) {
            const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
            if (codes === undefined && part)
                spans += `<tspan${ink ? ` fill="${ink}"` : ''}${bold ? ' font-weight="700"' : ''}>${escape(part)}</tspan>`;
            for (const code of codes === undefined ? [] : codes.split(';')) {
                if (code === '' || code === '0')
                    [ink, bold] = [undefined, false];
                else if (code === '1')
                    bold = true;
                else
                    ink = INK[code] ?? ink;
            }
        }
        return `<text x="20" y="${at * 19 + 32}" xml:space="preserve">${spans}</text>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="opshift in a terminal"><rect width="${width}" height="${height}" rx="10" fill="#101318"/>` +
        `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13" fill="#e7eaf0">\n${rows.join('\n')}\n</g></svg>\n`;
}

function typed(...args) {
    const run = (list) => {
        try {
            return execFileSync(opshift, [...list, '--color=always'], { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
        } catch (error) {
            return error.stdout + error.stderr;
        }
    };
    return `\x1b[1m$ opshift ${args.join(' ')}\x1b[0m\n${run(args)}`;
}

// ---- the page ----

async function screenshot(model) {
    const server = await serve(root), browser = await launch();
    try {
        const page = await browser.open(server.url);
        await page.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 820, deviceScaleFactor: 1, mobile: false });
        await page.choose('file', model);
        await page.until('the model is read', () => !document.getElementById('result').hidden && document.getElementById('status').textContent === '');
        await page.run(() => document.querySelector('[data-opset="18"]').click());
        await page.until('it is converted', () => !document.getElementById('save').hidden && document.getElementById('status').textContent === '');
        await page.run(() => document.getElementById('see-converted').click());
        await page.until('both are drawn', () => /\d/.test(document.getElementById('picture-legend').innerText));
        await page.run(() => document.getElementById('picture-next').click());
        await page.until('a node is chosen', () => document.getElementById('picture-detail').innerText.includes('What changed'));
        await page.run(() => document.getElementById('section-picture').scrollIntoView({ behavior: 'instant' }));
        await page.run('new Promise((done) => setTimeout(done, 500))');
        const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
        return Buffer.from(data, 'base64');
    } finally {
        await browser.close();
        await server.stop();
    }
}

try {
    writeFileSync(join(work, 'net.txt'), network());
    execFileSync(opshift, ['assemble', 'net.txt', '-o', 'net.onnx'], { cwd: work });
    const text = [typed('convert', 'net.onnx', '--opset', '18', '-o', 'net18.onnx', '--verify'), typed('lint', 'net.onnx'), typed('convert', 'net18.onnx', '--how-far')].join('\n');
    writeFileSync(join(out, 'terminal.svg'), terminal(text));
    writeFileSync(join(out, 'page.png'), await screenshot(join(work, 'net.onnx')));
} finally {
    rmSync(work, { recursive: true, force: true });
}
