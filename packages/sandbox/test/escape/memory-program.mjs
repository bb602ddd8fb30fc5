/** Runs one hostile program and prints by how much the resident memory of this process grew at its peak, as JSON. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createJavaScriptRuntime, createSqlRuntime } from '../../dist/index.js';

const { language, code } = JSON.parse(process.argv[2]);
const peak = () => Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
const runtime = language === 'sql' ? createSqlRuntime() : createJavaScriptRuntime();
const tables = [{ name: 't', columns: [{ name: 'n', type: 'integer' }], rows: [[1]] }];
const host = async () => 'x'.repeat(4 << 20);
const options = { host, returnValue: true, onOutput: () => {}, timeoutMs: 5_000 };
const session = await runtime.open({ tables });
await session.run(language === 'sql' ? 'SELECT 1' : '1');
writeFileSync('/proc/self/clear_refs', '5'); // the peak starts from here
const before = peak();
const { ok, failure } = await session.run(code, options);
const grown = peak() - before;
await runtime.close();
process.stdout.write(JSON.stringify({ ok, failure, grown }));
