// Runs every recipe of docs/cookbook; one that ends badly, or is not in its README, has failed.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tally } from '../release/list-tools.mjs';

const folder = fileURLToPath(new URL('../../docs/cookbook/', import.meta.url));
const readme = readFileSync(`${folder}README.md`, 'utf8');
const words = process.argv.slice(2);
const { check, end } = tally();
for (const recipe of readdirSync(folder).filter((name) => /^\d\d-.*\.mjs$/.test(name))) {
  if (words.length > 0 && !words.some((word) => recipe.includes(word))) continue;
  await check(recipe, () => {
    if (!readme.includes(`(${recipe})`)) throw new Error('the README does not name it');
    const { status, stdout, stderr } = spawnSync(process.execPath, [`${folder}${recipe}`], {
      encoding: 'utf8',
      timeout: 240_000,
    });
    if (words.length > 0) console.log(stdout);
    if (status !== 0) throw new Error(`${stdout}${stderr}`.slice(-1500));
  });
}
end();
