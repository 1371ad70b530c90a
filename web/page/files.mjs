// Takes a model: dropped, chosen, or the sample.
import { at } from './dom.mjs';

// take: called with a File.
export function onModel(take) {
    at('file').onchange = ({ target }) => target.files[0] && take(target.files[0]);
    at('sample').onclick = async () => {
        const answer = await fetch('sample.onnx');
        await take(new File([await answer.blob()], 'sample.onnx'));
    };
    document.ondragover = (event) => {
        event.preventDefault();
        at('drop').classList.add('over');
    };
    document.ondragleave = () => at('drop').classList.remove('over');
    document.ondrop = (event) => {
        event.preventDefault();
        at('drop').classList.remove('over');
        const [file] = event.dataTransfer.files;
        if (file)
            take(file);
    };
}
