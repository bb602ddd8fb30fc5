/**
 * Runs in every context before any untrusted code, with `write(stream, text)` in scope. Takes hold of what it needs, so
 * that later changes to the built-in objects can't reach it, and returns the functions that the host calls.
 */
export const PRELUDE = `(function (write) {
  'use strict';
  const { stringify, parse } = JSON, { isFinite } = Number, IntrinsicPromise = Promise, IntrinsicError = Error, { isArray, from } = Array, text = String;
  const kindOf = Function.prototype.call.bind(
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype), Symbol.toStringTag).get);
  const bufferOf = Function.prototype.call.bind(
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype), 'buffer').get);
  const startOf = Function.prototype.call.bind(
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype), 'byteOffset').get);
  const sizeOf = Function.prototype.call.bind(
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype), 'byteLength').get);
  const slice = Function.prototype.call.bind(ArrayBuffer.prototype.slice);
  const arrays = {
    Uint8Array, Int8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float16Array, Float32Array, Float64Array,
    BigInt64Array, BigUint64Array,
  };

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.stack ? value + '\\n' + value.stack : text(value);
    if (typeof value === 'function') return '[function ' + (value.name || 'anonymous') + ']';
    if (typeof value !== 'object' || value === null) return text(value);
    try {
      return stringify(value, (key, inner) =>
        typeof inner === 'bigint' ? text(inner) : kindOf(inner) !== undefined && typeof inner === 'object' ? from(inner) : inner);
    } catch (error) {
      return text(value);
    }
  };
  const writer = (stream) => (...values) => {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i ? ' ' : '') + shown(values[i]);
    write(stream, line + '\\n');
  };
  const out = writer('stdout'), err = writer('stderr');
  globalThis.console = { log: out, info: out, debug: out, error: err, warn: err };
  globalThis.print = out;

  // NaN and infinities become null, typed arrays lists.
  const toJson = (value) => stringify(value, (key, inner) =>
    typeof inner === 'object' && inner !== null && kindOf(inner) !== undefined ? from(inner) : inner);
  let native;
  const call = (name, args) => new IntrinsicPromise((resolve, reject) => {
    const json = args === undefined ? 'null' : toJson(args);
    if (json === undefined) throw new TypeError('The arguments of a call must be JSON');
    // Made now, so that its stack has the line of the call.
    const failure = new IntrinsicError('');
    native(text(name), json, (ok, content) => {
      if (ok) return resolve(parse(content));
      failure.message = content;
      reject(failure);
    });
  });

  return {
    toJson,
    wrapBytes: () => {
      const write = globalThis.writeBytes;
      globalThis.writeBytes = (path, bytes) => {
        if (typeof bytes !== 'object' || bytes === null) throw new TypeError('Bytes must be an ArrayBuffer or a typed array');
        write(path, kindOf(bytes) === undefined ? bytes : slice(bufferOf(bytes), startOf(bytes), startOf(bytes) + sizeOf(bytes)));
      };
    },
    defineCall: (made) => { native = made; globalThis.call = call; },
    view: (kind, buffer) => new arrays[kind](buffer),
    describe: (result) => {
      if (typeof result !== 'object' || result === null) return stringify({ problem: 'predict returned ' + typeof result });
      const { dtype, shape, data } = result;
      const kind = typeof data === 'object' && data !== null ? kindOf(data) : undefined;
      if (kind === undefined) return stringify({ problem: 'data must be a typed array' });
      if (!isArray(shape)) return stringify({ problem: 'shape must be an array' });
      return stringify({ dtype, shape, kind, bytes: sizeOf(data) });
    },
    bytes: ({ data }) => slice(bufferOf(data), startOf(data), startOf(data) + sizeOf(data)),
  };
})`;
