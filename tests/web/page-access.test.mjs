// Who may use the page: contrast, names of controls, order of headings, small screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, chooseOpset, isConverted, put, shown, withPage } from './fixture.mjs';

const timeout = 60000;
const sampleText = readFileSync(process.env.OPSHIFT_SAMPLE, 'utf8');
const narrow = '<ir_version: 10, opset_import: ["" : 13]>\ng (bfloat16[4] x) => (bfloat16[4] y) { y = Neg (x) }\n';

// In the page: each text that is too close to its background, by WCAG 2.2: 4.5 to 1, large ones 3 to 1; edges of fields 3 to 1.
function lowContrast() {
    const parse = (color) => {
        const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((each, at) => each * a + below[at] * (1 - a));
    const canvas = parse(matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#ffffff');
    const behind = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement)
            layers.push(parse(getComputedStyle(at).backgroundColor));
        return layers.reduceRight((below, layer) => over(layer, below), canvas);
    };
    const light = (color) => {
        const [r, g, b] = color.map((each) => each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
    const low = [];
    const compare = (element, color, back, least, what) => {
        const seen = ratio(over(parse(color), back), back);
        if (seen < least)
            low.push(`${seen.toFixed(2)} of ${least}: ${element.tagName} ${element.id || element.className?.baseVal || element.className} ${what}`);
    };
    for (const element of document.body.querySelectorAll('*')) {
        const style = getComputedStyle(element);
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            continue;
        const back = behind(element);
        const words = [...element.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.data.trim()).join('');
        const drawn = element instanceof SVGElement;
        if (words && !element.disabled) {
            const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
            compare(element, drawn ? style.fill : style.color, back, large ? 3 : 4.5, JSON.stringify(words.slice(0, 30)));
        }
        if (element.matches('input, select, textarea') && !element.disabled && parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none')
            compare(element, style.borderTopColor, behind(element.parentElement), 3, 'edge');
    }
    return low;
}

// In the page: what its structure lacks.
function badStructure() {
    const bad = [], visible = (each) => each.checkVisibility({ visibilityProperty: true });
    if (!document.documentElement.lang || !document.title)
        bad.push('no language or no title');
    for (const [selector, count] of [['main', 1], ['h1', 1]])
        if ([...document.querySelectorAll(selector)].filter(visible).length !== count)
            bad.push(`not ${count} ${selector}`);
    let level = 0;
    for (const each of [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(visible)) {
        if (Number(each.tagName[1]) > level + 1)
            bad.push(`${each.tagName} "${each.textContent}" after a heading of level ${level}`);
        if (!each.textContent.trim())
            bad.push('an empty heading');
        level = Number(each.tagName[1]);
    }
    const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
    bad.push(...ids.filter((each, at) => ids.indexOf(each) !== at).map((each) => `the id ${each} twice`));
    for (const name of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-activedescendant'])
        for (const each of document.querySelectorAll(`[${name}]`))
            bad.push(...each.getAttribute(name).split(/\s+/).filter((id) => id && !document.getElementById(id)).map((id) => `${name}="${id}" of nothing`));
    for (const each of document.querySelectorAll('[tabindex]'))
        if (each.tabIndex > 0)
            bad.push(`a tabindex of ${each.tabIndex}`);
    for (const each of [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button], [role=tab]')].filter(visible)) {
        const { width, height } = (each.closest('label') ?? each).getBoundingClientRect();
        if ((width < 24 || height < 24) && getComputedStyle(each).display !== 'inline')
            bad.push(`${each.outerHTML.slice(0, 60)} is ${width} x ${height}`);
        if (each.closest('[aria-hidden=true]'))
            bad.push(`${each.outerHTML.slice(0, 60)} is hidden from readers`);
    }
    for (const each of document.querySelectorAll('ul > :not(li, script, template), ol > :not(li, script, template), dl > :not(dt, dd, div)'))
        bad.push(`${each.tagName} in a list`);
    for (const each of document.querySelectorAll('svg, img, canvas'))
        if (visible(each) && !each.closest('[aria-hidden=true], [role=img], [role=presentation]') && !each.getAttribute('alt') && !each.getAttribute('aria-label'))
            bad.push(`${each.tagName} without a name`);
    for (const role of ['status', 'alert'])
        if (!document.querySelector(`[role=${role}]`))
            bad.push(`no place for the role ${role}`);
    return bad;
}

const controls = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'slider', 'spinbutton', 'switch', 'tab', 'listbox', 'menuitem',
    'option', 'treeitem', 'tree', 'grid', 'region', 'dialog', 'image', 'img', 'radiogroup', 'tablist', 'DisclosureTriangle']);

async function isAccessible(page, state) {
    for (const scheme of ['light', 'dark']) {
        await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        assert.deepEqual(await page.run(lowContrast), [], `${state}, ${scheme}: contrast`);
    }
    assert.deepEqual(await page.run(badStructure), [], `${state}: structure`);
    const { nodes } = await page.send('Accessibility.getFullAXTree');
    const nameless = nodes.filter(({ ignored, role, name }) => !ignored && controls.has(role.value) && !name?.value.trim());
    assert.deepEqual(nameless.map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`), [], `${state}: names of controls`);
    for (const width of [320, 1280]) {
        await page.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false });
        const wide = await page.run(() => ({ width: document.scrollingElement.scrollWidth, who: [...document.querySelectorAll('body *')]
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((each) => each.outerHTML.slice(0, 80)) }));
        assert.ok(wide.width <= width, `${state}: ${wide.width} of ${width} pixels wide: ${wide.who.join('; ')}`);
    }
    await picture(page, state);
}

// OPSHIFT_PICTURES: a directory for pictures to look at.
async function picture(page, state) {
    const directory = process.env.OPSHIFT_PICTURES;
    if (!directory)
        return;
    const { mkdirSync, writeFileSync } = await import('node:fs');
    mkdirSync(directory, { recursive: true });
    for (const scheme of ['light', 'dark'])
        for (const width of [320, 1280]) {
            await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
            await page.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false });
            const { data } = await page.send('Page.captureScreenshot', { captureBeyondViewport: true, format: 'png' });
            writeFileSync(`${directory}/${state.replaceAll(' ', '-')}-${scheme}-${width}.png`, Buffer.from(data, 'base64'));
        }
}

test('everyone can read and use it in each state', { timeout }, withPage(async (page) => {
    await isAccessible(page, 'empty');
    await page.drop('drop', assemble('sample.onnx', sampleText));
    await shown(page, 'sample.onnx');
    await page.run(() => {
        for (const each of document.querySelectorAll('details'))
            each.open = true;
        document.getElementById('as-text').click();
    });
    await page.until('the text', () => document.getElementById('text').value !== '');
    await isAccessible(page, 'a model');
    await chooseOpset(page, 18);
    await isConverted(page, 18);
    await page.run(() => document.getElementById('compare-converted').click());
    await page.until('the comparison', () => !document.getElementById('difference').hidden);
    await isAccessible(page, 'converted');
    await page.drop('drop', assemble('narrow.onnx', narrow));
    await shown(page, 'narrow.onnx');
    await chooseOpset(page, 9);
    await page.until('the blocker', () => document.getElementById('result').innerText.includes('which Neg-'));
    await isAccessible(page, 'refused');
    await page.drop('drop', put('bad.onnx', 'no model'));
    await page.until('the message', () => document.getElementById('error').textContent !== '');
    await isAccessible(page, 'a fault');
}));
