// Put a folder of files into the lake by command, then find a fact with the place to cite.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, newFolder, programOf } from './_atoll.mjs';

const folder = newFolder();
const dataDir = newFolder();
writeFileSync(
  join(folder, 'minutes.md'),
  '# Council\n\nMayor Lindqvist said the ferry to Gotland will run all winter.\n',
);
writeFileSync(join(folder, 'recipes.md'), '# Soup\n\nBoil the leeks for twenty minutes.\n');
execFileSync(process.execPath, [programOf('memorylake'), 'add', folder, '--recursive', '--data-dir', dataDir], {
  stdio: 'ignore',
});

const { call, close } = await connect('memorylake', { dataDir });
const { result } = await call('search_memory', { query: 'Does the boat go in January?', limit: 1 });
const found = JSON.stringify(result);
assert.match(found, /minutes\.md/);
assert.match(found, /all winter/);
console.log(JSON.stringify(result, null, 2));
await close();
