// Takes files: dropped, chosen, a folder, the sample. Each becomes {path, file}; the path is below what was dropped.
import { at, element, visible } from './dom.mjs';

const MOST = 10000; // files of a folder
const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
export const isModel = ({ path }) => /\.onnx$/i.test(path);
// A model as text, small enough to be edited.
export const isText = ({ path, file }) => /\.(txt|onnxtxt)$/i.test(path) && file.size < 2 ** 20;

function each(reader) {
    return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

async function walk(entry, found) {
    if (entry.isFile) {
        const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
        found.push({ path: entry.fullPath.replace(/^\//, ''), file });
        return;
    }
    const reader = entry.createReader();
    for (let some = await each(reader); some.length && found.length < MOST; some = await each(reader))
        for (const inner of some)
            await walk(inner, found);
}

// The entries must be taken before the event ends.
async function dropped(transfer) {
    const entries = [...transfer.items ?? []].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.some((entry) => entry.isDirectory))
        return chosen(transfer.files);
    const found = [];
    for (const entry of entries)
        await walk(entry, found);
    return found;
}

function chosen(list) {
    return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

// The data file of each location: beside the model, or else the only one of its name. Gives [[location, File], ...].
export function findData(model, locations, files) {
    const folder = folderOf(model.path);
    return locations.flatMap((location) => {
        const named = files.filter(({ path }) => nameOf(path) === nameOf(location));
        const found = files.find(({ path }) => path === folder + location) ?? (named.length === 1 ? named[0] : undefined);
        return found ? [[location, found.file]] : [];
    });
}

// Which of several models? choose: called with one of them.
export function askWhich(models, choose) {
    at('choices').replaceChildren(element('p', {}, `${models.length} models; which one?`), element('p', { class: 'ways' },
        models.map((model) => element('button', { type: 'button', onclick: () => {
            at('choices').hidden = true;
            choose(model);
        } }, visible(model.path)))));
    at('choices').hidden = false;
    at('choices').querySelector('button').focus();
}

// take: called with a list of {path, file}.
export function onFiles(take) {
    const input = (id) => {
        at(id).onchange = ({ target }) => {
            const list = chosen(target.files);
            target.value = ''; // the same file can be chosen again
            if (list.length)
                take(list);
        };
    };
    input('file');
    input('directory');
    at('folder').onclick = () => at('directory').click();
    const sample = fetch('sample.onnx').then((answer) => answer.blob());
    sample.catch(() => {});
    at('sample').onclick = async () => take([{ path: 'sample.onnx', file: new File([await sample], 'sample.onnx') }]);
    document.ondragover = (event) => {
        event.preventDefault();
        at('drop').classList.add('over');
    };
    document.ondragleave = (event) => event.relatedTarget === null && at('drop').classList.remove('over');
    document.ondrop = async (event) => {
        event.preventDefault();
        at('drop').classList.remove('over');
        const list = await dropped(event.dataTransfer);
        if (list.length)
            take(list);
    };
}
