// Statistics of one tensor, read from its own range of the file.
const FLOAT = 1, UINT8 = 2, INT8 = 3, UINT16 = 4, INT16 = 5, INT32 = 6, INT64 = 7, BOOL = 9, FLOAT16 = 10, DOUBLE = 11, UINT32 = 12, UINT64 = 13, BFLOAT16 = 16;
const MOST = 2 ** 27; // bytes that are read

function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, part = bits & 1023;
    return sign * (exponent === 0 ? part * 2 ** -24 : exponent === 31 ? part ? NaN : Infinity : (1 + part / 1024) * 2 ** (exponent - 15));
}

const word = new DataView(new ArrayBuffer(4));
function brain(bits) {
    word.setUint16(0, bits);
    word.setUint16(2, 0);
    return word.getFloat32(0);
}

const READ = {
    [FLOAT]: [Float32Array], [DOUBLE]: [Float64Array], [INT8]: [Int8Array], [UINT8]: [Uint8Array], [BOOL]: [Uint8Array], [INT16]: [Int16Array],
    [UINT16]: [Uint16Array], [INT32]: [Int32Array], [UINT32]: [Uint32Array], [INT64]: [BigInt64Array, Number], [UINT64]: [BigUint64Array, Number],
    [FLOAT16]: [Uint16Array, half], [BFLOAT16]: [Uint16Array, brain],
};

function varint(bytes, at) {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
        const byte = bytes[at.here++];
        value += (byte & 127) * shift;
        if (byte < 128 || byte === undefined)
            return value;
    }
}

// The fields of a message that are varints, or are bytes: [[number, value], ...]
function fields(bytes) {
    const list = [], at = { here: 0 };
    while (at.here < bytes.length) {
        const tag = varint(bytes, at), number = Math.floor(tag / 8), kind = tag % 8;
        if (kind === 0)
            list.push([number, varint(bytes, at)]);
        else if (kind === 2) {
            const size = varint(bytes, at);
            list.push([number, bytes.subarray(at.here, at.here + size)]);
            at.here += size;
        } else
            at.here += kind === 5 ? 4 : 8;
    }
    return list;
}

const text = (bytes) => new TextDecoder().decode(bytes);

// The numbers of raw bytes, or of the fields that hold small tensors; undefined: neither, or of a type that has no numbers.
function numbersOf(list, type, bytes) {
    const [Kind, value = (each) => each] = READ[type] ?? [];
    const packed = (Array, field) => list.filter(([number, each]) => number === field && typeof each !== 'number')
        .flatMap(([, each]) => [...new Array(each.slice().buffer, 0, Math.floor(each.length / Array.BYTES_PER_ELEMENT))]);
    if (Kind === undefined)
        return undefined;
    if (bytes)
        return Array.from(new Kind(bytes.slice().buffer, 0, Math.floor(bytes.length / Kind.BYTES_PER_ELEMENT)), value);
    if (type === FLOAT || type === DOUBLE)
        return type === FLOAT ? packed(Float32Array, 4) : packed(Float64Array, 10);
    const whole = list.filter(([number]) => number === (type === INT64 ? 7 : type === UINT32 || type === UINT64 ? 11 : 5)).flatMap(([, each]) => {
        const found = [], at = { here: 0 };
        while (typeof each !== 'number' && at.here < each.length)
            found.push(varint(each, at));
        return typeof each === 'number' ? [each] : found;
    });
    return whole.map((each) => type === FLOAT16 || type === BFLOAT16 ? value(each) : each >= 2 ** 63 && type !== UINT64 ? each - 2 ** 64 : each);
}

function summary(list) {
    if (list === undefined)
        return undefined;
    let min = Infinity, max = -Infinity, sum = 0, squares = 0, zeros = 0, special = 0;
    for (const number of list) {
        if (!Number.isFinite(number)) {
            special++;
            continue;
        }
        min = Math.min(min, number);
        max = Math.max(max, number);
        sum += number;
        squares += number * number;
        zeros += number === 0;
    }
    const finite = list.length - special, mean = sum / finite;
    return finite === 0 ? { count: list.length, special } :
        { count: list.length, min, max, mean, deviation: Math.sqrt(Math.max(0, squares / finite - mean * mean)), zeros, special };
}

// model: {model, data} or a Blob; from, size: of the TensorProto. {place, count, min, max, mean, deviation, zeros, special}; what
// cannot be read has a place alone.
export async function tensorStatistics(model, from, size) {
    const file = model.model ?? model;
    if (size > MOST)
        return { place: `bytes ${from} to ${from + size} of the file; too large for statistics` };
    const list = fields(new Uint8Array(await file.slice(from, from + size).arrayBuffer()));
    const last = (number) => list.findLast(([each]) => each === number)?.[1];
    const outside = new Map(list.filter(([number]) => number === 13).map(([, entry]) => {
        const pair = fields(entry);
        return [text(pair.find(([number]) => number === 1)?.[1] ?? new Uint8Array()), text(pair.find(([number]) => number === 2)?.[1] ?? new Uint8Array())];
    }));
    let bytes = last(9), place = `bytes ${from.toLocaleString('en')} to ${(from + size).toLocaleString('en')} of the file`;
    if (outside.has('location')) {
        const start = Number(outside.get('offset') ?? 0), data = (model.data ?? []).find(([name]) => name === outside.get('location'))?.[1];
        place = `${outside.get('location')}, from byte ${start.toLocaleString('en')}`;
        const end = outside.has('length') ? start + Number(outside.get('length')) : data?.size;
        bytes = data && end - start <= MOST ? new Uint8Array(await data.slice(start, end).arrayBuffer()) : undefined;
        return { place, ...bytes && summary(numbersOf(list, last(2), bytes)) };
    }
    return { place, ...summary(numbersOf(list, last(2), bytes)) };
}
