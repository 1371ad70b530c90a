// What TypeScript makes of the package's types; compiled by tests/cli/web.t, never run.
import { convert, diff, explain, howFar, infer, lint, open, OpshiftError, Refused, rules, run, show, targets, verify } from './index';

export async function use(file: File, bytes: Uint8Array): Promise<void> {
    const blob: Blob = (await convert(file, { opset: 18, verify: true })).model;
    const array: Uint8Array = (await convert(bytes, { opset: 18 })).model;
    const nothing: undefined = (await convert('net.onnx', { target: 'tract', out: 'new.onnx' })).model;
    const inferred: Uint8Array = (await infer(blob, { shape: ['x=1x3'] })).model;
    const outputs = await run(array, { x: { type: 'float32', dims: [1], data: new Float32Array(1) } });
    const y = outputs.y;
    if (y.type !== 'onnx') {
        const dims: readonly number[] = y.dims;
        console.log(dims, nothing, inferred);
    }
    const net = open({ model: file, data: [['w.bin', bytes]] });
    console.log(await net.show(), await net.run(), await lint(file), await show(bytes), await howFar(bytes));
    console.log(await verify(bytes, file), await diff(bytes, file), await targets(), await rules());
    const text: string = await explain('SPL004');
    try {
        await convert(text, { splitForm: 'equal' });
    } catch (error) {
        if (error instanceof Refused)
            console.log(error.blockers.length, error.report?.convert);
        else if (error instanceof OpshiftError)
            console.log(error.status);
    }
    // @ts-expect-error: a model is no number
    await show(7);
    // @ts-expect-error: there is no such form
    await convert(file, { splitForm: 'halves' });
}
