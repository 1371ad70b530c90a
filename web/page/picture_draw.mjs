// Draws the items of a picture on a canvas or as SVG; of a canvas only what is in sight.
const FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
const LIGHT = { layer: '#2563ab', activation: '#8c2f39', norm: '#3d7150', pool: '#3c7a3b', shape: '#6b5b2a', quant: '#6a4c93', control: '#b0521d', data: '#59636e',
    custom: '#7a3b69', math: '#47525e' };
const DARK = { layer: '#3f7fcf', activation: '#b5525d', norm: '#4f8f67', pool: '#4f984d', shape: '#8c7a3f', quant: '#8b6bb8', control: '#cf6f35', data: '#6d7884',
    custom: '#9c558a', math: '#66737f' };
const MARKED = { proved: 'good', 'by rule': 'good', moved: 'mark', changed: 'fair', tested: 'fair', rounding: 'fair', assumed: 'fair', 'not verified': 'fair', added: 'good', removed: 'bad', 'not shown': 'bad', differs: 'bad' };

// The colours of the page, as they are now.
export function coloursOf(element) {
    const style = getComputedStyle(element), names = ['text', 'soft', 'back', 'card', 'edge', 'field', 'fill', 'mark', 'mark-fill', 'good', 'good-fill', 'fair', 'fair-fill', 'bad', 'bad-fill'];
    const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    return { ...colours, families: matchMedia('(prefers-color-scheme: dark)').matches ? DARK : LIGHT };
}

// ---- two ways to draw ----

function onCanvas(context) {
    return {
        rect(x, y, w, h, radius, fill, stroke, width = 1, dash) {
            context.beginPath();
            context.roundRect(x, y, w, h, radius);
            if (fill) {
                context.fillStyle = fill;
                context.fill();
            }
            if (stroke) {
                context.setLineDash(dash ?? []);
                context.lineWidth = width;
                context.strokeStyle = stroke;
                context.stroke();
            }
        },
        curve(steps, stroke, width) {
            context.setLineDash([]);
            context.beginPath();
            context.moveTo(...steps.start);
            for (const each of steps.bends)
                context.bezierCurveTo(...each);
            context.lineTo(...steps.end);
            context.lineWidth = width;
            context.strokeStyle = stroke;
            context.stroke();
        },
        arrow(points, fill) {
            context.beginPath();
            points.forEach(([x, y], at) => at ? context.lineTo(x, y) : context.moveTo(x, y));
            context.fillStyle = fill;
            context.fill();
        },
        text(text, x, y, size, fill, { bold = false, middle = false } = {}) {
            context.font = `${bold ? '600 ' : ''}${size}px ${FONT}`;
            context.textAlign = middle ? 'center' : 'left';
            context.textBaseline = 'alphabetic';
            context.fillStyle = fill;
            context.fillText(text, x, y);
        },
    };
}

const escape = (text) => text.replaceAll(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
const round = (number) => Math.round(number * 10) / 10;

function onSvg(parts) {
    return {
        rect(x, y, w, h, radius, fill, stroke, width = 1, dash) {
            parts.push(`<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="${Array.isArray(radius) ? radius[0] : radius}" fill="${fill || 'none'}"${stroke ? ` stroke="${stroke}" stroke-width="${width}"` : ''}${dash ? ` stroke-dasharray="${dash.join(' ')}"` : ''}/>`);
        },
        curve(steps, stroke, width) {
            const bends = steps.bends.map((each) => `C${each.map(round).join(' ')}`).join('');
            parts.push(`<path d="M${steps.start.map(round).join(' ')}${bends}L${steps.end.map(round).join(' ')}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`);
        },
        arrow(points, fill) {
            parts.push(`<path d="M${points.map((point) => point.map(round).join(' ')).join('L')}Z" fill="${fill}"/>`);
        },
        text(text, x, y, size, fill, { bold = false, middle = false } = {}) {
            parts.push(`<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${fill}"${bold ? ' font-weight="600"' : ''}${middle ? ' text-anchor="middle"' : ''}>${escape(text)}</text>`);
        },
    };
}

// ---- items ----

// A B-spline through the corners of an edge, as Bézier curves.
function curveOf(points, straight) {
    const start = points[0], end = points.at(-1), bends = [];
    const corners = straight ? [] : points.slice(1, -1);
    let [x0, y0] = start;
    const all = [start, ...corners, end];
    for (let at = 1; at < all.length - 1; at++) {
        const [x1, y1] = all[at], [x2, y2] = all[at + 1], x3 = at === all.length - 2 ? x2 : (x1 + x2) / 2, y3 = at === all.length - 2 ? y2 : (y1 + y2) / 2;
        bends.push([x0 + (x1 - x0) * .67, y0 + (y1 - y0) * .67, x3 + (x1 - x3) * .67, y3 + (y1 - y3) * .67, x3, y3]);
        [x0, y0] = [x3, y3];
    }
    return { start, bends, end };
}

function edge(pen, each, colours, strong, detail) {
    const stroke = strong ? colours.mark : colours.field;
    pen.curve(each.curve ??= curveOf(each.points, each.straight), stroke, strong ? 2.2 : 1.1);
    if (each.straight || !detail)
        return;
    const [x, y] = each.points.at(-1), [fromX, fromY] = each.points.at(-2) ?? [x, y - 1];
    const length = Math.hypot(x - fromX, y - fromY) || 1, dx = (x - fromX) / length * 7, dy = (y - fromY) / length * 7;
    pen.arrow([[x, y], [x - dx - dy * .45, y - dy + dx * .45], [x - dx + dy * .45, y - dy - dx * .45]], stroke);
}

function label(pen, each, colours) {
    if (!each.label)
        return;
    pen.rect(each.lx - each.label.length * 3.05 - 2, each.ly - 7, each.label.length * 6.1 + 4, 14, 3, colours.back);
    pen.text(each.label, each.lx, each.ly + 3.5, 10, colours.soft, { middle: true });
}

function markOf(item, colours) {
    const name = MARKED[item.mark];
    return name && { line: colours[name], fill: colours[`${name}-fill`] };
}

function box(pen, item, colours, { selected, scale, faulty }) {
    const { x, y, w, h } = item, mark = markOf(item, colours);
    const small = w * scale < 26;
    if (item.kind === 'port')
        return pen.rect(x, y, w, h, 3, colours.field);
    if (item.kind === 'graph') {
        pen.rect(x, y, w, h, 8, '', colours.edge, 1, [4, 3]);
        return pen.text(item.title, x + 8, y - 3, 10, colours.soft);
    }
    if (item.kind === 'node' && !item.open) {
        const family = colours.families[item.family];
        pen.rect(x, y, w, h, 6, mark?.fill ?? colours.card, selected ? colours.mark : mark?.line ?? family, selected ? 3 : mark ? 2.5 : 1.2, item.mark === 'removed' ? [6, 3] : undefined);
        pen.rect(x, y, w, small ? h : 20, small ? 6 : [6, 6, 0, 0], family);
        if (small)
            return undefined;
        pen.text(`${item.inner ? '▸ ' : ''}${item.title}`, x + 9, y + 14.5, 12, '#fff', { bold: true });
        if (scale > .3)
            item.lines.forEach((text, at) => pen.text(text, x + 9, y + 35 + at * 15, 10, colours.text));
    } else if (item.kind === 'node' || item.kind === 'group') {
        pen.rect(x, y, w, h, 8, item.open ? colours.fill : mark?.fill ?? colours['mark-fill'], selected ? colours.mark : mark?.line ?? colours.field, selected ? 3 : mark ? 2.5 : 1.2);
        const size = item.open ? 12 : Math.min(scale > .4 ? 12 : 9 / scale, h * .6, w / Math.max(4, item.title.length * .64));
        if (w * scale > 26)
            pen.text(`${item.open ? '▾' : '▸'} ${item.title}`, x + 9, y + 4 + Math.max(12, size), size, colours.text, { bold: true });
        if (!item.open && scale > .3 && size < 14)
            item.lines.forEach((text, at) => pen.text(text, x + 11, y + 36 + at * 15, 10, colours.soft));
    } else {
        pen.rect(x, y, w, h, 12, colours.card, selected ? colours.mark : colours.soft, selected ? 3 : 1.2);
        if (!small) {
            pen.text(item.title, x + w / 2, y + (item.lines.length ? 14.5 : 16), 11, colours.text, { bold: true, middle: true });
            item.lines.forEach((text, at) => pen.text(text, x + w / 2, y + 28 + at * 14, 10, colours.soft, { middle: true }));
        }
    }
    if (faulty)
        pen.rect(x + w - 6, y - 5, 11, 11, 5.5, colours[faulty], colours.card, 1.5);
    return undefined;
}

// The colour of the gravest finding; notes have none.
function severity(list = []) {
    return list.some((each) => each.severity === 'error') ? 'bad' : list.some((each) => each.severity === 'warning') ? 'fair' : undefined;
}

function boundsOf(each) {
    const xs = each.points.map(([x]) => x), ys = each.points.map(([, y]) => y);
    return [Math.min(...xs, each.lx - 60), Math.min(...ys), Math.max(...xs, each.lx + 60), Math.max(...ys)];
}

// Draws what touches sight, [left, top, right, bottom]. selected: the id whose edges stand out; faulty: the findings of nodes.
// Gives how many items were drawn.
function paint(pen, scene, colours, { sight, scale, selected, faulty }) {
    const seen = ([left, top, right, bottom]) => right >= sight[0] && left <= sight[2] && bottom >= sight[1] && top <= sight[3];
    const items = scene.items.filter(({ x, y, w, h }) => seen([x, y - 12, x + w, y + h]));
    const detail = scale > .12;
    const draw = (item) => box(pen, item, colours, { selected: item.id === selected, scale, faulty: item.node === undefined ? undefined : severity(faulty?.get(item.node)) });
    items.filter((item) => item.open || item.kind === 'graph').forEach(draw);
    const edges = scene.edges.filter((each) => seen(each.bounds ??= boundsOf(each)));
    const strong = (each) => selected !== undefined && (each.from === selected || each.to === selected);
    for (const each of edges)
        if (!strong(each))
            edge(pen, each, colours, false, detail);
    for (const each of edges)
        if (strong(each))
            edge(pen, each, colours, true, detail);
    if (scale > .45)
        edges.forEach((each) => label(pen, each, colours));
    items.filter((item) => !item.open && item.kind !== 'graph').forEach(draw);
    return items.length;
}

// view: {x, y, scale} of the picture on a canvas of this size in pixels of the page.
export function drawCanvas(canvas, scene, view, options) {
    const context = canvas.getContext('2d'), ratio = options.ratio ?? devicePixelRatio;
    const width = canvas.width / ratio, height = canvas.height / ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = options.colours.back;
    context.fillRect(0, 0, width, height);
    context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, view.x * ratio, view.y * ratio);
    const sight = [-view.x / view.scale, -view.y / view.scale, (width - view.x) / view.scale, (height - view.y) / view.scale];
    return paint(onCanvas(context), scene, options.colours, { ...options, sight, scale: view.scale });
}

// The whole picture as a file.
export function toSvg(scene, options) {
    const parts = [], { w, h } = scene;
    parts.push(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(w)} ${round(h)}" width="${round(w)}" height="${round(h)}" font-family="${escape(FONT)}">`);
    const pen = onSvg(parts);
    pen.rect(0, 0, w, h, 0, options.colours.back);
    paint(pen, scene, options.colours, { ...options, sight: [0, 0, w, h], scale: 1 });
    return `${parts.join('\n')}\n</svg>\n`;
}

// The whole picture, small, with the part in sight. Gives the scale and the offsets.
export function drawMap(canvas, scene, view, size, colours) {
    const context = canvas.getContext('2d'), ratio = devicePixelRatio, width = canvas.width / ratio, height = canvas.height / ratio;
    const scale = Math.min(width / scene.w, height / scene.h), dx = (width - scene.w * scale) / 2, dy = (height - scene.h * scale) / 2;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.card;
    context.fillRect(0, 0, width, height);
    for (const item of scene.items) {
        if (item.kind === 'port' || item.kind === 'graph')
            continue;
        context.fillStyle = item.open ? colours.fill : markOf(item, colours)?.line ?? (item.kind === 'node' ? colours.families[item.family] : colours.field);
        context.fillRect(dx + item.x * scale, dy + item.y * scale, Math.max(1, item.w * scale), Math.max(1, item.h * scale));
    }
    context.strokeStyle = colours.mark;
    context.lineWidth = 1.5;
    context.strokeRect(dx - view.x / view.scale * scale, dy - view.y / view.scale * scale, size.width / view.scale * scale, size.height / view.scale * scale);
    return { scale, dx, dy };
}
