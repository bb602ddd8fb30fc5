// verify-published.mjs '[{"name","version"}]': installs what was just published and has npm check its signatures and provenance.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const published = JSON.parse(process.argv[2] ?? '[]');
if (published.length === 0) throw new Error('Nothing to verify: the list of published packages is empty.');
const folder = mkdtempSync(join(tmpdir(), 'atoll-published-'));
const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'published', private: true }));
  npm('install', '--ignore-scripts', ...published.map(({ name, version }) => `${name}@${version}`));
  process.stdout.write(npm('audit', 'signatures'));
  for (const { name, version } of published) {
    const attested = JSON.parse(npm('view', `${name}@${version}`, 'dist.attestations', '--json') || 'null');
    if (!attested?.provenance) throw new Error(`${name}@${version} was published without provenance.`);
    process.stdout.write(`${name}@${version}: provenance ${attested.provenance.predicateType}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
