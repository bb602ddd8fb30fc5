// Brings every server.json to the version in its package.json; `changeset version` knows only the latter.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    const path = join(root, group, name, 'server.json');
    if (!existsSync(path)) continue;
    const { version } = JSON.parse(readFileSync(join(root, group, name, 'package.json'), 'utf8'));
    const server = JSON.parse(readFileSync(path, 'utf8'));
    const packages = server.packages.map((one) => ({ ...one, version }));
    writeFileSync(path, `${JSON.stringify({ ...server, version, packages }, null, 2)}\n`);
  }
}
