import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The suites in `testing` depend on this package, so its tests take both from their sources instead of depending on them. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@atoll-mcp\/server$/, replacement: source('./src/index.ts') },
      { find: /^@atoll-mcp\/server\/mount$/, replacement: source('./src/mount.ts') },
      { find: /^@atoll-mcp\/storage$/, replacement: source('../storage/src/index.ts') },
      { find: /^@atoll-mcp\/testing$/, replacement: source('../testing/src/index.ts') },
    ],
  },
});
