// Tensors as onnxruntime-web has them, {type, dims, data}, and NumPy's files.
const types = {
    float16: ['<f2', Uint16Array], float32: ['<f4', Float32Array], float64: ['<f8', Float64Array],
    int8: ['|i1', Int8Array], int16: ['<i2', Int16Array], int32: ['<i4', Int32Array], int64: ['<i8', BigInt64Array],
    uint8: ['|u1', Uint8Array], uint16: ['<u2', Uint16Array], uint32: ['<u4', Uint32Array], uint64: ['<u8', BigUint64Array],
    bool: ['|b1', Uint8Array],
};

function dimsOf(tensor) {
    return Array.from(tensor.dims ?? [tensor.data.length], Number);
}

// The bytes of an .npy file.
export function npyWrite(tensor, name) {
    const [descriptor, array] = types[tensor?.type] ?? [];
    if (!descriptor)
        throw new TypeError(`input '${name}': type '${tensor?.type}' is not one of ${Object.keys(types).join(', ')}`);
    const data = ArrayBuffer.isView(tensor.data) ? tensor.data : array.from(tensor.data);
    if (data.BYTES_PER_ELEMENT !== array.BYTES_PER_ELEMENT)
        throw new TypeError(`input '${name}': data of type '${tensor.type}' is a ${array.name}`);
    const dims = dimsOf(tensor);
    const shape = dims.length === 1 ? `(${dims[0]},)` : `(${dims.join(', ')})`;
    const text = `{'descr': '${descriptor}', 'fortran_order': False, 'shape': ${shape}, }`;
    const size = Math.ceil((10 + text.length + 1) / 64) * 64;
    const file = new Uint8Array(size + data.byteLength).fill(0x20, 0, size);
    file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, (size - 10) & 255, (size - 10) >> 8]);
    file.set(new TextEncoder().encode(text), 10);
    file[size - 1] = 0x0a;
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), size);
    return file;
}

// The tensor of an .npy file that opshift wrote; undefined for a type that is not in the table.
export function npyRead(file) {
    const wide = file[6] > 1;
    const view = new DataView(file.buffer, file.byteOffset);
    const start = wide ? 12 : 10, size = wide ? view.getUint32(8, true) : view.getUint16(8, true);
    const header = new TextDecoder().decode(file.subarray(start, start + size));
    const descriptor = /'descr': '([^']*)'/.exec(header)?.[1];
    const dims = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((each) => each.trim()).map(Number);
    const found = Object.entries(types).find(([, [each]]) => each === descriptor);
    if (!found)
        return undefined;
    const [type, [, array]] = found;
    return { type, dims, data: new array(file.slice(start + size).buffer) };
}
