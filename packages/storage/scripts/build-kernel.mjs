// Translates the kernels (*-kernel.wat) into the modules that carry their bytes: run it after a change of one.
// With --check it only says whether they agree.
import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

const { parseWat } = await wabt();
for (const kernel of ['src/search/scan-kernel', '../tensor-directory/src/domain/packed/decimal-kernel']) {
  const name = kernel.split('/').at(-1);
  const source = new URL(`../${kernel}.wat`, import.meta.url);
  const target = new URL(`../${kernel}.generated.ts`, import.meta.url);
  const { buffer } = parseWat(`${name}.wat`, await readFile(source, 'utf8'), { simd: true }).toBinary({});
  const constant = name.toUpperCase().replace('-', '_');
  const bytes = Buffer.from(buffer).toString('base64');
  const text = `// Made from ${name}.wat by scripts/build-kernel.mjs.\nexport const ${constant} =\n  '${bytes}';\n`;

  if (!process.argv.includes('--check')) await writeFile(target, text);
  else if ((await readFile(target, 'utf8')) !== text) {
    console.error(`${name}.generated.ts is not what ${name}.wat says: run scripts/build-kernel.mjs.`);
    process.exit(1);
  }
}
