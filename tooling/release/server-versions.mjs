// Brings every server.json to the version in its package.json; `changeset version` knows only the latter.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root, serverFolders } from '../workspace.mjs';

for (const folder of serverFolders()) {
  const { version } = readJson(`${folder}/package.json`);
  const server = readJson(`${folder}/server.json`);
  const packages = server.packages.map((one) => ({ ...one, version }));
  writeFileSync(join(root, folder, 'server.json'), `${JSON.stringify({ ...server, version, packages }, null, 2)}\n`);
}
