import type { Limits } from '../../src/interface.ts';

export interface JavaScriptAttack {
  readonly name: string;
  /** Ends normally if it gets its way. */
  readonly code: string;
  readonly limits?: Partial<Limits>;
}

const MB = 1024 * 1024;
const attack = (name: string, code: string, limits?: Partial<Limits>): JavaScriptAttack => ({
  name,
  code,
  ...(limits && { limits }),
});

/** The controls run the same code in Node, where SECRET is the path of a file that anybody may read. */
export const JAVASCRIPT_ATTACKS: readonly JavaScriptAttack[] = [
  attack('see the process', 'process.pid'),
  attack('see the environment', 'process.env.ATOLL_SECRET.length'),
  attack('require a module', "require('node:fs').readFileSync(SECRET)"),
  attack('import a module', "(async () => { const fs = await import('node:fs'); fs.readFileSync(SECRET) })()"),
  attack('reach the process by the constructor of a function', "(() => {}).constructor('return process')().pid"),
  attack(
    'reach it by the constructor of the global object',
    "globalThis.constructor.constructor('return process')().pid",
  ),
  attack('reach it by an async function', "(async () => {}).constructor('return process.pid')()"),
  attack('reach it by a function of the host', "console.log.constructor('return process')().pid"),
  attack(
    'reach it by an error of the host',
    "try { null.x } catch (error) { error.constructor.constructor('return process')().pid }",
  ),
  attack(
    'reach it through a getter on the prototype',
    "({}).__proto__.constructor.constructor('return process')().pid",
  ),
  attack('eval its way out', "(0, eval)('process').pid"),
  attack('fetch', "fetch.call(null, 'data:,x')"),
  attack('open a socket', "require('node:net').connect(1).on('error', () => {}).destroy()"),
  attack('start a thread', "new (require('node:worker_threads').Worker)('0', { eval: true }).terminate()"),
  attack('start a program', "require('node:child_process').execSync('true')"),
  attack('compile WebAssembly', 'new WebAssembly.Memory({ initial: 1 })'),
  attack('set a timer', 'clearTimeout(setTimeout(() => {}, 1))'),
  attack('end the process', 'process.exit(0)'),
  attack('customise stack traces', 'Error.captureStackTrace({})'),
  attack(
    'fill memory with buffers',
    'const kept = []; for (let i = 0; i < 200; i++) kept.push(new ArrayBuffer(1e6).slice(0))',
    {
      memoryBytes: 64 * MB,
    },
  ),
  attack('fill memory with objects', 'const kept = []; for (let i = 0; i < 2e6; i++) kept.push({ i })', {
    memoryBytes: 64 * MB,
  }),
  attack('fill memory with text', "'x'.repeat(2 ** 28).charCodeAt(5)", { memoryBytes: 64 * MB }),
  attack('loop longer than it may', 'const end = Date.now() + 1000; while (Date.now() < end) {}', { wallMs: 200 }),
  attack(
    'catch the interrupt',
    'const end = Date.now() + 1500; while (Date.now() < end) { try { for (let i = 0; i < 1e9 && Date.now() < end; i++); } catch {} }',
    {
      wallMs: 200,
      graceMs: 200,
    },
  ),
  attack('loop in promises', 'const end = Date.now() + 1000; (async () => { while (Date.now() < end) await null })()', {
    wallMs: 200,
  }),
  attack('explode a regular expression', "/(a+)+$/.test('a'.repeat(23) + 'b')", { wallMs: 100, graceMs: 100 }),
  attack('print without end', "for (let i = 0; i < 4096; i++) console.log('x'.repeat(1023))", { outputKillBytes: MB }),
  attack('read a file it was not granted', "(globalThis.readText ?? require('node:fs').readFileSync)(SECRET)"),
];
