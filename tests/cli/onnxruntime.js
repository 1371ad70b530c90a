// Runs pairs of models in ONNX Runtime on the same random inputs and compares what they give.
// Usage: node onnxruntime.js <pairs. Each line of standard input is NAME<TAB>BEFORE<TAB>AFTER. Speaks TAP.
'use strict';
const ort = require(process.env.OPSHIFT_ORT_NODE || 'onnxruntime-node');
const fs = require('fs');

const arrays = {
  float32: Float32Array, float64: Float64Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array,
  uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  float16: Uint16Array, bool: Uint8Array,
};

// The same numbers in every run.
let state = 12345;
function random() {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) / (1 << 24);
}

function element(type) {
  if (type === 'string') return 's' + Math.floor(random() * 1000);
  if (type === 'bool') return random() < 0.5 ? 0 : 1;
  if (type === 'float16') return 0x3c00 + Math.floor(random() * 1024); // between 1 and 2
  if (type === 'float32' || type === 'float64') return random() * 4 - 2;
  const value = Math.floor(random() * 100);
  return type === 'int64' || type === 'uint64' ? BigInt(value) : value;
}

// Every dim that has no number gets this size, divisible by all small counts.
const UNKNOWN = 12;

function makeInput(meta) {
  // A loop that does not go on at all would say nothing.
  if (meta.type === 'bool' && meta.shape.length === 0) return new ort.Tensor('bool', Uint8Array.from([1]), []);
  // In our models two int64 numbers are the lengths of a Split of 6.
  if (meta.type === 'int64' && meta.shape.join() === '2')
    return new ort.Tensor('int64', BigInt64Array.from([2n, 4n]), [2]);
  const dims = meta.shape.map((dim) => (typeof dim === 'number' && dim >= 0 ? dim : UNKNOWN));
  const count = dims.reduce((a, b) => a * b, 1);
  const values = Array.from({length: count}, () => element(meta.type));
  const data = meta.type === 'string' ? values : arrays[meta.type].from(values);
  return new ort.Tensor(meta.type, data, dims);
}

function difference(before, after) {
  const names = Object.keys(before);
  if (names.join() !== Object.keys(after).join()) return `outputs ${names} and ${Object.keys(after)}`;
  for (const name of names) {
    const a = before[name], b = after[name];
    if (a.type !== b.type || a.dims.join() !== b.dims.join())
      return `${name}: ${a.type}[${a.dims}] and ${b.type}[${b.dims}]`;
    for (let i = 0; i < a.data.length; i++)
      if (!Object.is(a.data[i], b.data[i])) return `${name}[${i}]: ${a.data[i]} and ${b.data[i]}`;
  }
  return null;
}

async function load(path) {
  return ort.InferenceSession.create(path, {logSeverityLevel: 4, graphOptimizationLevel: 'disabled'});
}

async function judge(number, name, beforePath, afterPath) {
  let before, feeds, wanted;
  try {
    before = await load(beforePath);
    feeds = {};
    for (const meta of before.inputMetadata) feeds[meta.name] = makeInput(meta);
    wanted = await before.run(feeds);
  } catch (error) {
    console.log(`ok ${number} - ${name} # SKIP not run before either: ${String(error.message).split('\n')[0]}`);
    return;
  }
  try {
    const after = await load(afterPath);
    const found = difference(wanted, await after.run(feeds));
    console.log(`${found ? 'not ok' : 'ok'} ${number} - ${name}`);
    if (found) console.log(`# ${found}`);
  } catch (error) {
    const reason = String(error.message).split('\n')[0];
    // It has no kernels for some operators of the oldest opsets, nor for some types of the next ones.
    if (/Could not find an implementation/.test(reason)) console.log(`ok ${number} - ${name} # SKIP ${reason}`);
    else console.log(`not ok ${number} - ${name}\n# ${reason}`);
  }
}

async function main() {
  const pairs = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean).map((line) => line.split('\t'));
  for (let i = 0; i < pairs.length; i++) await judge(i + 1, ...pairs[i]);
  console.log(`1..${pairs.length}`);
}

main();
