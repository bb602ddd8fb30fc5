import { fileURLToPath } from 'node:url';

/** This file's own folder is `src` or `dist`; both have the same neighbours. */
export const pythonFiles = fileURLToPath(new URL('../python', import.meta.url));

/** The built program, which people start. */
export const programFile = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Scripts that run in threads of their own are separate files of the build. */
export const workerScript = (name: 'javascript-worker' | 'sql-worker') =>
  new URL(`../dist/${name}.js`, import.meta.url);
