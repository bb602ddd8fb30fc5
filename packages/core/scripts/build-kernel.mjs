// Translates src/storage/scan-kernel.wat into the module that carries its bytes: run it after a change of the kernel.
// With --check it only says whether the two agree.
import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

const source = new URL('../src/storage/scan-kernel.wat', import.meta.url);
const target = new URL('../src/storage/scan-kernel.generated.ts', import.meta.url);

const { parseWat } = await wabt();
const { buffer } = parseWat('scan-kernel.wat', await readFile(source, 'utf8'), { simd: true }).toBinary({});
const text = `// Made from scan-kernel.wat by scripts/build-kernel.mjs.\nexport const SCAN_KERNEL =\n  '${Buffer.from(buffer).toString('base64')}';\n`;

if (!process.argv.includes('--check')) await writeFile(target, text);
else if ((await readFile(target, 'utf8')) !== text) {
  console.error('scan-kernel.generated.ts is not what scan-kernel.wat says: run scripts/build-kernel.mjs.');
  process.exit(1);
}
