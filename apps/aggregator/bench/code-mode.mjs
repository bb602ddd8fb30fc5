// Programs that call tools beside direct calls over HTTP: what a program costs above its call, the rate of many calls in one
// program, what of a task passes through the model, and memory over many programs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overHttp, rssMb, start } from './_client.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const isLong = process.argv.includes('--long');
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const config = join(folder, 'atoll.json');
const up = { command: process.execPath, args: [here('_echo.mjs')], confirmWrites: 'allow' };
writeFileSync(config, JSON.stringify({ runTools: true, mcpServers: { up } }));
const flags = ['--no-builtin', '--http', '--port', '0', '--config', config, '--data-dir', folder];
const program = start([here('../dist/cli.js'), ...flags]);
process.on('exit', () => {
  program.stop();
  rmSync(folder, { recursive: true, force: true });
});
const send = await overHttp(await program.url);
const call = async (name, args) => (await send('tools/call', { name, arguments: args })).result;
const run = async (code) => {
  const { structuredContent, isError } = await call('run_tools', { code });
  if (isError) throw new Error(structuredContent.error);
  return structuredContent;
};
const echo = (text = 'hi') => call('up_echo', { text });
const timed = async (work) => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

// One call, directly and in a program, in turns.
const times = { direct: [], program: [] };
const ONE = 'return tools.up_echo({ text: "hi" })';
for (let round = 0; round < 20; round++) await run(ONE);
for (let round = 0; round < 200; round++) {
  times.direct.push(await timed(echo));
  times.program.push(await timed(() => run(ONE)));
}
figure('ms of a program with one call above the call', median(times.program) - median(times.direct), 15);

// A thousand calls: one after another over HTTP, and in one program.
const TOGETHER = 'await Promise.all(Array.from({ length: 1000 }, () => tools.up_echo({ text: "hi" }))); return 1';
for (let round = 0; round < 4; round++) await run(TOGETHER);
const rates = [];
for (let round = 0; round < 5; round++) {
  const http = await timed(async () => {
    for (let n = 0; n < 1_000; n++) await echo();
  });
  const inside = await timed(() => run(TOGETHER));
  const inTurn = await timed(() => run('for (let n = 0; n < 1000; n++) await tools.up_echo({ text: "hi" }); return 1'));
  rates.push({ together: http / inside, inTurn: http / inTurn });
}
figure('rate of 1000 calls in a program over HTTP calls in turn', median(rates.map((rate) => rate.together)), 5, true);
figure('the same, in turn in the program', median(rates.map((rate) => rate.inTurn)), 1, true);

// Twenty calls with 50 kB each: what a model would read and write.
const text = 'x'.repeat(50_000);
let direct = 0;
for (let n = 0; n < 20; n++) {
  direct += JSON.stringify({ name: 'up_echo', arguments: { text: `page ${n}` } }).length;
  direct += JSON.stringify((await echo(`${n}${text}`)).content).length;
}
const code = `let total = 0;
for (let n = 0; n < 20; n++) total += (await tools.up_echo({ text: n + "x".repeat(50_000) })).length;
return total;`;
const answer = await call('run_tools', { code });
const inProgram = JSON.stringify({ code }).length + JSON.stringify(answer.content).length;
figure('percent of the characters of a task of 20 calls', (100 * inProgram) / direct, 2);

// Memory: flat once everything was used.
const programs = isLong ? 10_000 : 2_000;
for (let n = 0; n < 500; n++) await run(ONE);
const before = rssMb(program.child.pid);
for (let n = 0; n < programs; n++) await run(ONE);
figure(`MB more after ${programs} programs`, rssMb(program.child.pid) - before, 30);
process.exit(0);

function figure(name, value, target, isLeast = false) {
  const rounded = Number(value.toPrecision(3));
  const holds = isLeast ? value >= target : value <= target;
  console.log(JSON.stringify({ bench: `aggregator/code-mode: ${name}`, value: rounded, target, holds }));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
