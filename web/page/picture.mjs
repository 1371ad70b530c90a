// The picture of the graph: what is drawn, moved and chosen. A worker holds the model and places what is open.
import { workerOf } from './ask.mjs';
import { at, count, download, element, later, number } from './dom.mjs';
import { coloursOf, drawCanvas, drawMap, toSvg } from './picture_draw.mjs';
import { showDetail } from './picture_detail.mjs';

const canvas = at('picture'), map = at('picture-map');
const { ask, stop } = workerOf('picture_worker.mjs');
const LEAST = .02, MOST = 3, MARGIN = 24;
let scene, view = { x: 0, y: 0, scale: 1 }, selected, chosen, colours, mapped, dirty = false, turn = 0;
let name = 'model', findings = new Map(), byPlace = new Map(), atOpsets, listed = () => undefined, loaded;

// ---- drawing ----

function draw() {
    dirty = false;
    if (scene === undefined)
        return;
    colours ??= coloursOf(canvas);
    canvas.dataset.drawn = drawCanvas(canvas, scene, view, { colours, selected, faulty: findings });
    map.hidden = view.x >= 0 && view.y >= 0 && view.x + scene.w * view.scale <= canvas.clientWidth && view.y + scene.h * view.scale <= canvas.clientHeight;
    mapped = map.hidden ? undefined : drawMap(map, scene, view, { width: canvas.clientWidth, height: canvas.clientHeight }, colours);
    at('picture-zoom').textContent = `${Math.round(view.scale * 100)} %`;
}

function redraw() {
    if (!dirty)
        requestAnimationFrame(draw);
    dirty = true;
}

function measure() {
    for (const each of [canvas, map]) {
        each.width = Math.round(each.clientWidth * devicePixelRatio);
        each.height = Math.round(each.clientHeight * devicePixelRatio);
    }
    redraw();
}

// ---- the part in sight ----

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
    view = { x: x - (x - view.x) / view.scale * scale, y: y - (y - view.y) / view.scale * scale, scale };
    redraw();
}

// The whole picture; a tall one from its top, large enough to be read.
function fit(whole = true) {
    if (scene === undefined)
        return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const across = Math.min(1, (width - 2 * MARGIN) / scene.w), all = Math.min(across, (height - 2 * MARGIN) / scene.h);
    const scale = Math.max(LEAST, whole || all > .45 ? all : Math.max(all, Math.min(.8, Math.max(across, .45))));
    view = { scale, x: (width - scene.w * scale) / 2, y: scene.h * scale < height ? (height - scene.h * scale) / 2 : MARGIN };
    redraw();
}

function centre(id) {
    const item = scene.items.find((each) => each.id === id);
    if (item === undefined)
        return;
    const scale = Math.max(view.scale, .75);
    view = { scale, x: canvas.clientWidth / 2 - (item.x + item.w / 2) * scale, y: canvas.clientHeight / 2 - (item.y + Math.min(item.h, 200) / 2) * scale };
    redraw();
}

// ---- what is chosen ----

// A new arrangement; what keeps its place is the corner of one item.
function show(made, anchor) {
    const before = anchor && scene?.items.find((each) => each.id === anchor), after = anchor && made.items.find((each) => each.id === anchor);
    scene = made;
    byPlace = new Map(scene.items.map((each) => [each.id, each]));
    if (before && after) {
        view.x += (before.x - after.x) * view.scale;
        view.y += (before.y - after.y) * view.scale;
    }
    at('picture-count').textContent = count(scene.nodes, 'node');
    redraw();
}

// The panel of a node; place: for findings.
async function tell(index) {
    const detail = await ask('detail', index);
    if (chosen !== index)
        return;
    showDetail(detail, {
        findings: findings.get(index) ?? [], go, listed, statistics: (from, length) => ask('statistics', from, length),
        opsets: () => atOpsets?.() ?? [], atOpset: (opset) => ask('atOpset', index, opset), toggle: () => selected && toggle(selected),
        copy: async () => navigator.clipboard.writeText(await ask('nodeText', index)), text: () => ask('nodeText', index) });
}

function select(id, index) {
    selected = id;
    chosen = index;
    const item = byPlace.get(id);
    at('picture-said').textContent = item ? `${item.title}${item.lines.length ? `, ${item.lines[0]}` : ''}` : '';
    if (index !== undefined)
        tell(index).catch(fail);
    else if (item?.kind === 'group')
        at('picture-detail').replaceChildren(element('h3', {}, item.title), ...item.lines.map((text) => element('p', {}, text)),
            element('p', { class: 'ways' }, element('button', { type: 'button', onclick: () => toggle(id) }, item.open ? 'Close' : 'Open')));
    else
        at('picture-detail').replaceChildren(element('p', { class: 'hint' }, item?.value ? `${item.kind === 'output' ? 'Output' : item.kind === 'input' ? 'Input' : 'Value'} ${item.value}: ${item.lines[0] ?? 'type not known'}` :
            'Choose a node to see its attributes, inputs, outputs and weights.'));
    redraw();
}

function fail(error) {
    at('picture-said').textContent = error.message;
}

async function toggle(id) {
    try {
        show(await ask('toggle', id), id);
        select(id, byPlace.get(id)?.node);
    } catch (error) {
        fail(error);
    }
}

// Opens what holds the node, centres it and chooses it. Gives whether it is there.
async function go(index) {
    return arrive(await ask('reveal', index));
}

function arrive(found) {
    if (found?.id === undefined)
        return false;
    if (found.scene)
        show(found.scene);
    select(found.id, found.node);
    centre(found.id);
    return true;
}

async function step(up) {
    const next = chosen === undefined ? undefined : await ask('step', chosen, up);
    if (next !== undefined)
        await go(next);
}

// The next item to the left or right, about as high.
function beside(right) {
    const from = byPlace.get(selected);
    const able = scene.items.filter((each) => each.id !== selected && !each.open && ['node', 'group', 'input', 'output'].includes(each.kind) &&
        (from === undefined || Math.abs(each.y + each.h / 2 - from.y - from.h / 2) < 60 && (right ? each.x > from.x : each.x < from.x)));
    const [next] = able.sort((a, b) => from ? Math.abs(a.x - from.x) - Math.abs(b.x - from.x) : a.y - b.y);
    if (next) {
        select(next.id, next.node);
        centre(next.id);
    }
}

// ---- pointer and keys ----

function itemAt({ offsetX, offsetY }) {
    const x = (offsetX - view.x) / view.scale, y = (offsetY - view.y) / view.scale;
    return scene?.items.filter((each) => x >= each.x && x <= each.x + each.w && y >= each.y && y <= each.y + each.h && each.kind !== 'port' && each.kind !== 'graph')
        .sort((a, b) => a.w * a.h - b.w * b.h)[0];
}

const pointers = new Map();
let travelled = 0;
canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    travelled = 0;
};
canvas.onpointermove = (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined)
        return;
    travelled += Math.abs(event.offsetX - before.offsetX) + Math.abs(event.offsetY - before.offsetY);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
        const far = (each) => Math.hypot(each.offsetX - other.offsetX, each.offsetY - other.offsetY) || 1;
        zoom(far(event) / far(before), (event.offsetX + other.offsetX) / 2, (event.offsetY + other.offsetY) / 2);
    } else if (travelled > 4) {
        view.x += event.offsetX - before.offsetX;
        view.y += event.offsetY - before.offsetY;
        redraw();
    }
    pointers.set(event.pointerId, event);
};
canvas.onpointerup = canvas.onpointercancel = (event) => {
    const single = pointers.size === 1;
    pointers.delete(event.pointerId);
    if (event.type === 'pointercancel' || !single || travelled > 4)
        return;
    const item = itemAt(event);
    // The head of an open group closes it; what is closed opens by a second click.
    const head = item?.open && (event.offsetY - view.y) / view.scale - item.y < 24;
    if (item && (head || item.inner && !item.open && item.id === selected || item.kind === 'group' && !item.open))
        toggle(item.id);
    else
        select(item?.open && item.kind === 'group' ? undefined : item?.id, item?.node);
};
canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas && !at('picture-frame').classList.contains('wide-picture'))
        return; // the page scrolls until the picture has the focus
    event.preventDefault();
    if (event.ctrlKey || event.deltaMode || Math.abs(event.deltaX) < Math.abs(event.deltaY))
        zoom(Math.exp(-event.deltaY * (event.deltaMode ? .05 : event.ctrlKey ? .01 : .0018)), event.offsetX, event.offsetY);
    else {
        view.x -= event.deltaX;
        redraw();
    }
}, { passive: false });

function pan(x, y) {
    view.x += x;
    view.y += y;
    redraw();
}

const KEYS = {
    '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(.8), 0: () => fit(), '/': () => at('picture-search').focus(),
    Enter: () => byPlace.get(selected)?.inner && toggle(selected), Escape: () => select(undefined), ' ': () => byPlace.get(selected)?.inner && toggle(selected),
    ArrowUp: () => chosen === undefined ? pan(0, 60) : step(true).catch(fail), ArrowDown: () => chosen === undefined ? pan(0, -60) : step(false).catch(fail),
    ArrowLeft: () => selected === undefined ? pan(60, 0) : beside(false), ArrowRight: () => selected === undefined ? pan(-60, 0) : beside(true),
    Home: () => fit(false), n: () => mark(false), p: () => mark(true),
};
const SHIFTED = { ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60), ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0) };
canvas.onkeydown = (event) => {
    const call = event.shiftKey && SHIFTED[event.key] || KEYS[event.key];
    if (call === undefined || event.ctrlKey || event.altKey || event.metaKey || scene === undefined)
        return;
    event.preventDefault();
    call();
};

map.onpointerdown = map.onpointermove = (event) => {
    if (!event.buttons || mapped === undefined)
        return;
    const x = (event.offsetX - mapped.dx) / mapped.scale, y = (event.offsetY - mapped.dy) / mapped.scale;
    view.x = canvas.clientWidth / 2 - x * view.scale;
    view.y = canvas.clientHeight / 2 - y * view.scale;
    redraw();
};

// ---- search ----

async function seek() {
    const sought = at('picture-search').value, list = at('picture-found');
    const { count: many, found } = sought.trim() ? await ask('search', sought) : { count: 0, found: [] };
    if (sought !== at('picture-search').value)
        return;
    list.replaceChildren(...found.slice(0, 50).map((each) => element('li', {}, element('button', { type: 'button', onclick: () => {
        list.hidden = true;
        go(each.node).catch(fail);
    } }, element('b', {}, each.title), ` ${each.name}`))));
    if (sought.trim())
        list.prepend(element('li', { class: 'hint' }, many === 0 ? 'No node.' : `${count(many, 'node')}${many > 50 ? ', the first 50 listed' : ''}`));
    list.hidden = sought.trim() === '';
}

at('picture-search').oninput = later(() => seek().catch(fail));
at('picture-search').onkeydown = (event) => {
    if (event.key === 'Enter') {
        event.preventDefault();
        at('picture-found').querySelector('button')?.click();
    } else if (event.key === 'Escape')
        at('picture-found').hidden = true;
};

// ---- buttons ----

async function arrange(call) {
    try {
        show(await ask(call));
        fit(false);
    } catch (error) {
        fail(error);
    }
}

async function mark(back) {
    const next = await ask('nextMark', chosen ?? -1, back);
    if (next !== undefined)
        await go(next);
}

const files = () => ({ colours: coloursOf(canvas), selected: undefined, faulty: findings });
at('picture-in').onclick = () => zoom(1.25);
at('picture-out').onclick = () => zoom(.8);
at('picture-fit').onclick = () => fit();
at('picture-open').onclick = () => arrange('openAll');
at('picture-close').onclick = () => arrange('closeAll');
at('picture-next').onclick = () => mark(false).catch(fail);
at('picture-previous').onclick = () => mark(true).catch(fail);
at('picture-svg').onclick = () => scene && download(new Blob([toSvg(scene, files())], { type: 'image/svg+xml' }), `${name}.svg`);
at('picture-png').onclick = async () => {
    if (scene === undefined)
        return;
    const most = 8192, scale = Math.min(2, most / scene.w, most / scene.h), sheet = new OffscreenCanvas(Math.ceil(scene.w * scale), Math.ceil(scene.h * scale));
    drawCanvas(sheet, scene, { x: 0, y: 0, scale }, { ...files(), ratio: 1 });
    download(await sheet.convertToBlob({ type: 'image/png' }), `${name}.png`);
};
at('picture-wide').onclick = () => {
    const wide = at('picture-frame').classList.toggle('wide-picture');
    at('picture-wide').setAttribute('aria-pressed', String(wide));
    at('picture-wide').textContent = wide ? 'Smaller' : 'Larger';
    canvas.focus();
};

new ResizeObserver(measure).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').onchange = () => {
    colours = undefined;
    redraw();
};

ask('start').catch(() => {}); // with the page: once a service worker is there, a new worker would ask the host for its next version

// ---- for the page ----

export function hidePicture() {
    turn++;
    if (loaded === 'loading')
        stop('Another model is read.');
    loaded = scene = selected = chosen = undefined;
    findings = new Map();
    at('section-picture').hidden = at('nav-picture').hidden = true;
}

// model: {model, data}; title: the file's name; opsets: gives [{opset, ...}] as they are known.
export async function showPicture(model, title, opsets) {
    const mine = ++turn;
    name = title.replace(/\.onnx$/i, '');
    atOpsets = opsets;
    loaded = 'loading';
    at('section-picture').hidden = at('nav-picture').hidden = false;
    at('picture-marks').hidden = true;
    at('picture-said').textContent = 'Drawing the graph …';
    try {
        const made = await ask('load', model);
        if (mine !== turn)
            return;
        loaded = 'done';
        show(made);
        select(undefined);
        fit(false);
    } catch (error) {
        if (mine === turn) {
            loaded = undefined;
            fail(error);
        }
    }
}

// lint's findings: each stands at its node.
export async function markFindings(list) {
    const mine = turn, found = new Map(), placed = list.filter((each) => each.place?.includes('node ')).slice(0, 5000);
    const indexes = await ask('indexesOf', placed.map((each) => each.place)).catch(() => []);
    indexes.forEach((index, place) => index !== undefined && found.set(index, [...found.get(index) ?? [], placed[place]]));
    if (mine === turn) {
        findings = found;
        redraw();
    }
}

// Both models on one layout. known: [[place, kind, note], ...] of a certificate; toList: called with a place of the first model.
export async function showPair(other, title, known, toList) {
    const { scene: made, counts } = await ask('pair', other, known);
    listed = toList;
    show(made);
    select(undefined);
    fit(false);
    at('picture-marks').hidden = false;
    at('picture-title').textContent = title;
    at('picture-legend').replaceChildren(...Object.entries(counts).map(([kind, many]) => element('span', { class: `tag ${kind.replaceAll(' ', '-')}` }, `${number(many)} ${kind}`)));
    at('section-picture').scrollIntoView();
}

at('picture-single').onclick = async () => {
    at('picture-marks').hidden = true;
    listed = () => undefined;
    await arrange('unpair');
};

// Shows the node at a place, as reports name it.
export async function showPlace(place) {
    if (!arrive(await ask('revealPlace', place)))
        return false;
    at('section-picture').scrollIntoView();
    canvas.focus({ preventScroll: true });
    return true;
}


// Draws pieces on these canvases at one scale: [[canvas, nodes], ...]; too many nodes: words instead.
export async function drawPieces(sides) {
    const made = await Promise.all(sides.map(([, nodes]) => ask('piece', nodes)));
    const widest = Math.max(...made.map((each) => each?.w ?? 0)), room = Math.min(...sides.map(([each]) => each.parentElement?.clientWidth || 320));
    const scale = Math.min(1, Math.max(.55, room / widest));
    sides.forEach(([sheet, nodes], side) => {
        if (made[side] === undefined)
            return sheet.replaceWith(element('p', { class: 'hint' }, `${count(nodes.length, 'node')}: too many to draw.`));
        const { w, h } = made[side];
        sheet.style.width = `${Math.ceil(w * scale)}px`;
        sheet.style.height = `${Math.ceil(h * scale)}px`;
        sheet.width = Math.ceil(w * scale * devicePixelRatio);
        sheet.height = Math.ceil(h * scale * devicePixelRatio);
        drawCanvas(sheet, made[side], { x: 0, y: 0, scale }, { colours: { ...coloursOf(canvas), back: coloursOf(canvas).fill } });
        return undefined;
    });
}
