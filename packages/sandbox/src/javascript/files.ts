import { readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import type { QuickJSContext } from 'quickjs-emscripten';
import { askForFile } from '../thread-side.ts';

/** Gives a context `name(id, fileName)`, and `readText` and `readBytes` for the paths that it returns. */
export function addFiles(context: QuickJSContext, functionName: string, memoryBytes: number): void {
  const granted = new Map<string, string>();
  const define = (name: string, run: Parameters<QuickJSContext['newFunction']>[1]) => {
    using made = context.newFunction(name, run);
    context.setProp(context.global, name, made);
  };
  const read = (virtual: string): Buffer => {
    const path = granted.get(virtual);
    if (path === undefined) throw new Error(`No file at '${virtual}'; ask ${functionName}(id, name) for its path`);
    const { size } = statSync(path);
    if (size > memoryBytes / 2)
      throw new Error(`The file has ${size} bytes, more than fits into this session's memory`);
    return readFileSync(path);
  };

  define(functionName, (id, name) => {
    const [fileId, fileName] = [context.getString(id), context.getString(name)];
    const reply = askForFile(fileId, fileName);
    if ('error' in reply) throw new Error(reply.error);
    const virtual = posix.join('/files', fileId, posix.basename(fileName));
    granted.set(virtual, reply.path);
    return context.newString(virtual);
  });
  define('readText', (path) => context.newString(read(context.getString(path)).toString('utf8')));
  define('readBytes', (path) => {
    const data = read(context.getString(path));
    return context.newArrayBuffer(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer);
  });
}
